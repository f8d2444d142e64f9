"""Sounds that stand for speech, and ears that are quick: for tests without a model."""

from __future__ import annotations

import numpy as np

from thinkaloud.speech.sound import RATE, Samples
from thinkaloud.speech.stop_word import StopWord

STOP = 0.9
"""How loud a sound is that stands for "stop" here; speech is 0.3."""


class LoudStop(StopWord):
    """Hears "stop" in whatever is very loud."""

    def __init__(self) -> None:
        self._count = 0

    @property
    def seconds(self) -> float:
        return self._count / RATE

    def hear(self, samples: Samples) -> bool:
        self._count += len(samples)
        return bool(len(samples)) and float(np.abs(samples).max()) >= STOP


class Counting:
    """A recogniser that says how many tenths of a second it was given."""

    def words(self, samples: Samples) -> str:
        return f"{round(10 * len(samples) / RATE)} tenths"


def tone(seconds: float, loudness: float) -> Samples:
    time = np.arange(round(seconds * RATE)) / RATE
    return (loudness * np.sin(2 * np.pi * 220 * time)).astype(np.float32)


def quiet(seconds: float) -> Samples:
    return np.zeros(round(seconds * RATE), np.float32)
