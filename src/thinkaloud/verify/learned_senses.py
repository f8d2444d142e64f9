"""The senses `learned`: foresight and hindsight on pictures before and after a step, run by ONNX Runtime.

thinkaloud run --senses learned …                  the weights that the package ships, if it ships any
thinkaloud run --senses learned:FILE.onnx …        weights that training.senses.export wrote (`make senses`)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import DidNotWork
from thinkaloud.worlds.disturbance import Disturbance
from thinkaloud.worlds.learned_files import SIDE, LearnedFile, as_input, encode_sentence, named_file, shrink
from thinkaloud.worlds.success_senses import Judgement, TablePicture

NEARLY = 0.1
"""Hindsight agrees with a sentence at least so likely as the best one; chosen on tables with seeds from 500,000 up."""


def open_learned(rest: str) -> LearnedSenses:
    """Open the judge of steps at a table, with the weights of a file, or with those that the package ships."""
    return LearnedSenses(named_file("senses", rest))


def open_learned_in_place(rest: str) -> LearnedSenses:
    """Open the judge of steps where a robot stands, as `open_learned` does."""
    return LearnedSenses(named_file("kitchen_senses", rest))


class LearnedSenses:
    """Judges steps by pictures. `threshold` and the error rates come with the weights; they are of other scenes."""

    def __init__(self, weights: Path) -> None:
        self._file = LearnedFile("senses", weights, ("words", "same", "threshold", "false_yes", "false_no"))
        told = self._file.told
        tall, wide = self._file.find("size", (SIDE, SIDE))
        self._size: tuple[int, int] = tall, wide
        self.words: tuple[str, ...] = tuple(told["words"])
        self.threshold = float(told["threshold"])
        self.error_rates = Disturbance(false_yes=float(told["false_yes"]), false_no=float(told["false_no"]))

    def judge(self, before: TablePicture, after: TablePicture, sentence: str, others: Sequence[str]) -> Judgement:
        """Whether a sentence came true between two pictures."""
        encoded = [encode_sentence(each, self.words, self._file.told["same"]) for each in (sentence, *others)]
        if unknown := encoded[0][1]:
            raise DidNotWork(f"The senses 'learned' never learned the word {unknown[0]!r}.")
        known = np.stack([numbers for numbers, strange in encoded if not strange])
        foresight, hindsight = self._file.run(before=self._input(before), after=self._input(after), sentences=known)
        sure = float(1 / (1 + np.exp(-foresight[0])))
        share = np.exp(hindsight - hindsight.max())
        return Judgement(
            sure, float(share[0] / share.sum()), foreseen=sure >= self.threshold, agrees=bool(share[0] >= NEARLY)
        )

    def _input(self, picture: TablePicture) -> NDArray[np.float32]:
        return as_input(*shrink(*picture, *self._size))
