"""The hands `learned`: a policy with words, trained on demonstrations, run by ONNX Runtime.

    thinkaloud run --hands learned …                  the weights that the package ships, if it ships any
    thinkaloud run --hands learned:FILE.onnx …        weights that training.hands.export wrote (`make hands`)

As in appendix A.1 of Inner Monologue, attention over the pixels of the table from above says where to pick and where to
place. A sentence with a word that the policy never learned is refused, and so is one whose place in the picture is less
sure than the weights' own limit: the arm then does not move.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import DidNotWork
from thinkaloud.worlds.hands import Pointing, Spot
from thinkaloud.worlds.learned_files import LearnedFile, encode_sentence, named_file, square_input

_NEAR = 2
"""Cells around the surest one that count for how sure it is, and for the point."""


def open_learned(rest: str) -> LearnedHands:
    """Open the policy with the weights of a file, or with those that the package ships."""
    return LearnedHands(named_file("hands", rest))


class LearnedHands:
    """Points at pixels. It keeps no state between pictures."""

    def __init__(self, weights: Path) -> None:
        self._file = LearnedFile("hands", weights, ("words", "same", "least"))
        self.words: tuple[str, ...] = tuple(self._file.told["words"])
        self.least = float(self._file.told["least"])

    def point(self, rgb: NDArray[Any], height: NDArray[Any], sentence: str) -> Pointing:
        """Point for a sentence, in a picture from above."""
        numbers, unknown = encode_sentence(sentence, self.words, self._file.told["same"])
        if unknown:
            raise DidNotWork(f"The hands 'learned' never learned the word {unknown[0]!r}.")
        picture = square_input(rgb, height)
        (maps,) = self._file.run(picture=picture, sentence=numbers[None])
        pick, place = (surest_spot(each) for each in maps[0])
        for spot in (pick, place):
            if spot.sure < self.least:
                raise DidNotWork(f"I can't tell where in the picture that is: {sentence!r}.")
        return Pointing(pick, place)


def surest_spot(scores: NDArray[np.float32]) -> Spot:
    """Return the surest spot of a map of logits: the middle of what is likely around its highest cell."""
    likely = np.exp(scores - scores.max())
    likely /= likely.sum()
    row, column = np.unravel_index(int(np.argmax(likely)), likely.shape)
    top, left = max(int(row) - _NEAR, 0), max(int(column) - _NEAR, 0)
    near = likely[top : int(row) + _NEAR + 1, left : int(column) + _NEAR + 1]
    rows, columns = np.indices(near.shape)
    down, right = (float((each * near).sum() / near.sum()) for each in (rows, columns))
    at = (top + down + 0.5) / likely.shape[0], (left + right + 0.5) / likely.shape[1]
    return Spot(at, float(near.sum()), likely)
