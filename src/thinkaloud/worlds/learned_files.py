"""Files of learned parts: networks for ONNX Runtime that carry what they know, and how pictures and sentences go in.

Eyes, hands and senses that are learned open their files here: those that the package ships, or a named one. A file
that cannot be used is one clear line.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import BadInput, MissingExtra, describe_fault

SIDE = 128
"""Hands and senses look at a square picture of the table from above, in this size."""
LONGEST_SENTENCE = 24
"""Words of a sentence; what comes after them is not read."""
SHIPPED = Path(__file__).parent / "learned"
"""The files that the package brings, if it brings any: `eyes.onnx`, `hands.onnx`, `senses.onnx` and so on."""
_TRAINED_BY = {"tasks": "hands TASKS=1", "kitchen_senses": "senses KITCHEN=1"}
_CALLED = {"tasks": "policy of whole tasks is", "kitchen_senses": "senses for a kitchen are"}
_ROUNDED_OFF = 1e-3  # a mean that is a whole number stays one
_Map = NDArray[np.float32]


class LearnedFile:
    """A network with what is told about it. `part` is for people: the eyes, the hands, the senses."""

    def __init__(self, part: str, file: Path, told: Sequence[str]) -> None:
        who = f"The {part} 'learned'"
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingExtra(who, "vision") from error
        if not file.is_file():
            raise BadInput(f"{who}: there is no file {file}; `make {part}` trains some.")
        options: Any = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = 2, 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads leave the processor
        try:
            self._session: Any = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
            kept = self._session.get_modelmeta().custom_metadata_map
            self.told: dict[str, Any] = {name: json.loads(kept[name]) for name in told}
            self._kept: Mapping[str, str] = kept
        except Exception as error:  # the runtime has many kinds of errors for a file that is none of its own
            raise BadInput(
                f"{who}: {file} cannot be loaded ({describe_fault(error)[:160]}); "
                f"give a file that training.{part}.export wrote."
            ) from error

    def find(self, name: str, otherwise: Any) -> Any:
        """Return something that files of an earlier time may not tell."""
        return json.loads(self._kept[name]) if name in self._kept else otherwise

    def run(self, **inputs: NDArray[Any]) -> list[Any]:
        """Return the outputs for these inputs."""
        return list(self._session.run(None, inputs))


def shipped_file(part: str) -> Path | None:
    """Return the file that the package ships for a part (`eyes`, `hands`, `kitchen_senses` …), if it ships one."""
    file = SHIPPED / f"{part}.onnx"
    return file if file.is_file() else None


def named_file(part: str, rest: str) -> Path:
    """Return the file that stands after the colon, or else the one that is shipped; BadInput if there is none."""
    if rest:
        return Path(rest).expanduser()
    file = shipped_file(part)
    if file is None:
        raise BadInput(
            f"No trained {_CALLED.get(part, f'{part} are')} shipped: train with `make {_TRAINED_BY.get(part, part)}`, "
            "and name the file after a colon (…:FILE.onnx)."
        )
    return file


def as_input(rgb: NDArray[np.uint8], height: _Map) -> _Map:
    """Return the network's input for a picture and the heights above the table in metres (NaN where unknown)."""
    known = np.isfinite(height)
    raised = np.clip(np.where(known, height, 0.0), -0.1, 0.4) / 0.1
    colour = rgb.transpose(2, 0, 1).astype(np.float32) / 255 - 0.5
    return np.concatenate([colour, raised[None], known[None]]).astype(np.float32)[None]


def shrink(
    rgb: NDArray[Any], height: NDArray[Any], tall: int = SIDE, wide: int = SIDE
) -> tuple[NDArray[np.uint8], _Map]:
    """Return a picture in the size that hands and senses look at; one of that size stays as it is."""
    small = _averaged(rgb, tall, wide) + _ROUNDED_OFF
    return small.clip(0, 255).astype(np.uint8), nearest(height, tall, wide).astype(np.float32)


def resize(rgb: NDArray[Any], tall: int, wide: int) -> NDArray[np.uint8]:
    """Return a picture in another size; each new pixel is the mean of what it covers."""
    if rgb.shape[:2] == (tall, wide):
        return rgb.astype(np.uint8)
    return np.asarray((_averaged(rgb, tall, wide) + 0.5).clip(0, 255), np.uint8)


def nearest(values: NDArray[Any], tall: int, wide: int) -> NDArray[Any]:
    """Return a map in another size; each new cell has the value of the old one at its middle."""
    return values[np.ix_(middles(values.shape[0], tall), middles(values.shape[1], wide))]


def middles(size: int, to: int) -> NDArray[np.int64]:
    """Return which of so many old rows is at the middle of each new one."""
    return ((np.arange(to) + 0.5) * size / to).astype(np.int64)


def _averaged(rgb: NDArray[Any], tall: int, wide: int) -> _Map:
    """Return the means of what each new pixel covers: of rows, then of columns."""
    rows = _averaged_rows(rgb.astype(np.float32), tall)
    return _averaged_rows(rows.swapaxes(0, 1), wide).swapaxes(0, 1)


def _averaged_rows(values: _Map, to: int) -> _Map:
    """Return means of old rows, each counted as far as the new row covers it."""
    every, share = _covered(values.shape[0], to)
    total = values[every[0]] * share[0][:, None, None]
    for row, part in zip(every[1:], share[1:], strict=True):
        total += values[row] * part[:, None, None]
    return np.asarray(total)


@lru_cache(maxsize=16)
def _covered(size: int, to: int) -> tuple[NDArray[np.int64], _Map]:
    """Return the old rows that each new one covers, one after another, and how much of it each of them is."""
    edges = np.arange(to + 1) * size / to
    low, high = edges[:-1], edges[1:]
    every = np.floor(low).astype(np.int64) + np.arange(math.ceil(size / to) + 1)[:, None]
    covered = np.clip(np.minimum(high, every + 1) - np.maximum(low, every), 0, None)
    used = covered.max(axis=1) > 0
    shares = (covered / covered.sum(axis=0)).astype(np.float32)
    return np.minimum(every[used], size - 1), shares[used]


def square_input(rgb: NDArray[Any], height: NDArray[Any]) -> _Map:
    """Return the input for a square picture of the table from above."""
    return as_input(*shrink(rgb, height))


def split_sentence(sentence: str, same: Mapping[str, str]) -> list[str]:
    """Return the words of a sentence, each in the spelling that the vocabulary has."""
    return [same.get(each, each) for each in re.findall(r"[^\W_]+", sentence.lower())]


def encode_sentence(
    sentence: str, vocabulary: Sequence[str], same: Mapping[str, str]
) -> tuple[NDArray[np.int64], list[str]]:
    """Return a sentence as numbers, 0 after its end, and the words that are not in the vocabulary."""
    words = split_sentence(sentence, same)
    places = {word: place for place, word in enumerate(vocabulary, 1)}
    known = [places[word] for word in words if word in places][:LONGEST_SENTENCE]
    numbers = np.zeros(LONGEST_SENTENCE, np.int64)
    numbers[: len(known)] = known
    return numbers, [word for word in words if word not in places]
