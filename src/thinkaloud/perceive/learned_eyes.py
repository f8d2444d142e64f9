"""The eyes `learned`: a small detector with words, trained on random tables, run by ONNX Runtime.

    thinkaloud run --eyes learned …                  the weights that the package ships, if it ships any
    thinkaloud run --eyes learned:FILE.onnx …        weights that training.eyes.export wrote (`make eyes`)

    found = LearnedDetector(file).find(view, ["striped mug", "fruit"])   # boxes, masks and scores

For every second pixel the network says how well each word fits there, and which box the thing there has. A phrase fits
as far as all its words do. Scores are calibrated: of the boxes with a score of 0.8, about eight in ten were right on
scenes like those of the training. A phrase with a word that the detector never learned is not looked for. If it knows
none of the names it is asked for, it says so, for it would otherwise report an empty table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import BadInput
from thinkaloud.perceive.detector_boxes import DetectingEyes, Detection
from thinkaloud.perceive.open_vocabulary_eyes import without_doubles
from thinkaloud.worlds.learned_files import LearnedFile, as_input, middles, named_file, nearest, resize
from thinkaloud.worlds.vision import Appearance, PixelBox, View

LONGEST_SIDE = 160
"""Pictures are looked at in this size, which is about that of the training pictures."""
_MULTIPLE = 8
_STRIDE = 2
_LEAST_RAW = 0.2  # a cell with a smaller score begins no box
_AGREES = 0.5  # cells whose boxes overlap by at least this speak of one thing
_TAKEN = 0.2  # a cell whose box overlaps one that was found by more than this begins no other
_LEAST_CELLS = 2
_MOST_BOXES = 60
_SKIPPED = {"a", "an", "the", "any", "some"}
_Map = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Found:
    """What fits a phrase: its box in the picture, how likely it is right, and the cells that show it."""

    phrase: str
    box: PixelBox
    score: float
    cells: NDArray[np.bool_]
    size: tuple[int, int]

    @property
    def mask(self) -> NDArray[np.bool_]:
        """The pixels of the picture that show it."""
        return nearest(self.cells, *self.size)


@dataclass(frozen=True)
class Calibration:
    """How raw scores become likelihoods, and from which likelihood on a box is reported."""

    slope: float = 1.0
    offset: float = 0.0
    least: float = 0.5

    def __call__(self, raw: float) -> float:
        """The likelihood for a raw score."""
        raw = min(max(raw, 1e-6), 1 - 1e-6)
        return 0.5 * (1 + math.tanh((self.slope * math.log(raw / (1 - raw)) + self.offset) / 2))


def open_learned(rest: str) -> DetectingEyes:
    """Open the detector with the weights of a file, or with those that the package ships."""
    return DetectingEyes(LearnedDetector(named_file("eyes", rest)))


class LearnedDetector:
    """Finds what phrases describe. It keeps no state between pictures."""

    def __init__(self, weights: Path) -> None:
        self._file = LearnedFile("eyes", weights, ("words", "same", "calibration"))
        self.words: tuple[str, ...] = tuple(self._file.told["words"])
        self._same: dict[str, str] = self._file.told["same"]
        self.calibration = Calibration(*self._file.told["calibration"])

    def detect(self, view: View, catalogue: Sequence[Appearance]) -> list[Detection]:
        """Return what is seen from the catalogue, one name for each thing; BadInput if no name is known."""
        names = [each.name for each in catalogue]
        if names and not any(self.understands(name) for name in names):
            some = ", ".join(repr(name) for name in names[:3])
            raise BadInput(f"The eyes 'learned' know none of the names here ({some} …): use --eyes camera.")
        slack = max(view.rgb.shape[:2]) / LONGEST_SIDE  # a pixel of what it looks at
        found = [Detection(each.phrase, each.box, each.score, slack) for each in self.find(view, names)]
        return without_doubles(sorted(found, key=lambda each: -each.score))

    def understands(self, phrase: str) -> bool:
        """Whether all words of a phrase are known, and there are any."""
        known, unknown = split_phrase(phrase, self.words, self._same)
        return bool(known) and not unknown

    def find(self, view: View, phrases: Sequence[str]) -> list[Found]:
        """Return everything that fits a phrase. A phrase with an unknown word fits nothing (`understands`)."""
        asked = [phrase for phrase in dict.fromkeys(phrases) if self.understands(phrase)]
        if not asked or min(view.rgb.shape[:2]) < _MULTIPLE:
            return []
        scores, boxes, zoom = self._look(view, asked)
        found = list[Found]()
        for phrase, score in zip(asked, scores, strict=True):
            for box, raw, cells in group_cells(score, boxes):
                likely = self.calibration(raw)
                if likely >= self.calibration.least:
                    found.append(Found(phrase, _pixels(box, zoom, view), likely, cells, view.depth.shape))
        return found

    def _look(self, view: View, phrases: Sequence[str]) -> tuple[_Map, _Map, tuple[float, float]]:
        """Return the score of each phrase and the corners of a box for each cell, and how much the picture shrank."""
        tall, wide = view.rgb.shape[:2]
        zoom = LONGEST_SIDE / max(tall, wide)
        rows, columns = (max(round(side * zoom / _MULTIPLE), 1) * _MULTIPLE for side in (tall, wide))
        rgb = resize(view.rgb, rows, columns)
        height = view.heights(middles(tall, rows), middles(wide, columns)).astype(np.float32)
        asked = np.zeros((len(phrases), len(self.words)), np.float32)
        for row, phrase in enumerate(phrases):
            asked[row, [self.words.index(word) for word in split_phrase(phrase, self.words, self._same)[0]]] = 1.0
        scores, sides = self._file.run(picture=as_input(rgb, height), phrases=asked)
        y, x = np.mgrid[0 : sides.shape[1], 0 : sides.shape[2]].astype(np.float32) * _STRIDE + 0.5
        corners = np.stack([x - sides[0], y - sides[1], x + sides[2], y + sides[3]])
        return scores, corners, (columns / wide, rows / tall)


def split_phrase(
    phrase: str, vocabulary: Sequence[str], same: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a phrase that are in a vocabulary, which may have words of two parts, and the others."""
    known, unknown = list[str](), list[str]()
    tokens = [same.get(each, each) for each in re.findall(r"[^\W_]+", phrase.lower()) if each not in _SKIPPED]
    while tokens:
        two = " ".join(tokens[:2])
        if two in vocabulary:
            known.append(two)
            del tokens[:2]
        else:
            word = tokens.pop(0)
            (known if word in vocabulary else unknown).append(word)
    return tuple(dict.fromkeys(known)), tuple(dict.fromkeys(unknown))


def group_cells(score: _Map, boxes: _Map) -> list[tuple[tuple[float, ...], float, NDArray[np.bool_]]]:
    """Group the cells that fit a phrase into things: the box of each, its raw score, and its cells.

    The surest cell begins; the cells that agree with its box vote for the thing's box and score.
    """
    found = list[tuple[tuple[float, ...], float, NDArray[np.bool_]]]()
    at = np.nonzero(score > _LEAST_RAW)
    values, corners = score[at], boxes[:, at[0], at[1]]
    areas = (corners[2] - corners[0]) * (corners[3] - corners[1])
    left = values.copy()
    while left.size and len(found) < _MOST_BOXES and left[best := int(np.argmax(left))] > 0:
        same = _overlaps(corners[:, best], corners, areas)
        own = same > _AGREES
        voices = values[own]
        box = corners[:, own] @ voices / voices.sum()
        left[(_overlaps(box, corners, areas) >= _TAKEN) | (same >= _TAKEN)] = 0.0
        left[best] = 0.0
        if len(voices) >= _LEAST_CELLS:
            surest = np.sort(voices)[-max(len(voices) // 2, 1) :]
            cells = np.zeros(score.shape, dtype=bool)
            cells[at[0][own], at[1][own]] = True
            found.append((tuple(float(side) for side in box), float(surest.mean()), cells))
    return found


def _overlaps(box: _Map, boxes: _Map, areas: _Map) -> _Map:
    """Return the share of the union of a box and each other box that both cover."""
    wide = np.minimum(box[2], boxes[2]) - np.maximum(box[0], boxes[0])
    tall = np.minimum(box[3], boxes[3]) - np.maximum(box[1], boxes[1])
    both = np.maximum(wide, 0) * np.maximum(tall, 0)
    area = (box[2] - box[0]) * (box[3] - box[1])
    return np.asarray(both / np.maximum(area + areas - both, 1e-6))


def _pixels(box: Sequence[float], zoom: tuple[float, float], view: View) -> PixelBox:
    tall, wide = view.rgb.shape[:2]
    left, right = (min(max(side / zoom[0], 0.0), wide) for side in (box[0], box[2]))
    top, bottom = (min(max(side / zoom[1], 0.0), tall) for side in (box[1], box[3]))
    x, y = min(round(left), wide - 1), min(round(top), tall - 1)
    return x, y, max(min(round(right) - 1, wide - 1), x), max(min(round(bottom) - 1, tall - 1), y)
