"""Hears the word "stop", apart from the recogniser, 80 ms at a time: it acts before a sentence is over.

Google's speech embedding (in the package `pyopen-wakeword`) turns every 80 ms of sound into 96 numbers about the last
0.8 s. A small network of ours says from the latest of them how likely somebody has just said "stop". It was trained on
voices that programs speak with (`training/speech/stop_word.py`). It knows the English word only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from thinkaloud.errors import MissingExtra
from thinkaloud.speech.sound import RATE, Samples, write_pcm

CHUNK = 1280
"""Samples that are looked at at once: 80 ms."""
WINDOWS = 3
"""Embeddings that the network looks at."""
THRESHOLD = 0.5
_WEIGHTS = Path(__file__).with_name("stop_word.npz")
_BEFORE = 16_000
"""Samples of silence that come before everything, so that a word is heard that comes first."""
_DEAF_AFTER = 1.0
"""Seconds after a stop in which the same word is not counted again."""
Numbers = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Network:
    """Two layers, by their weights."""

    mean: Numbers
    scale: Numbers
    first: Numbers
    first_bias: Numbers
    last: Numbers
    last_bias: Numbers

    @classmethod
    def load(cls, path: Path = _WEIGHTS) -> Network:
        """The shipped one, or another."""
        with np.load(path) as found:
            return cls(**{name: found[name].astype(np.float32) for name in found.files})

    def judge(self, embeddings: Numbers) -> Numbers:
        """How likely "stop" has just been said, for rows of embeddings."""
        hidden = np.maximum((embeddings - self.mean) / self.scale @ self.first + self.first_bias, 0)
        return np.asarray(1 / (1 + np.exp(-(hidden @ self.last + self.last_bias)[:, 0])), dtype=np.float32)


class Embedding:
    """Turns a stream of sound into embeddings, each of `WINDOWS` together."""

    def __init__(self) -> None:
        try:
            from pyopen_wakeword import OpenWakeWordFeatures
        except ModuleNotFoundError as error:
            raise MissingExtra("Voice", "speech") from error
        self._features: Any = OpenWakeWordFeatures.from_builtin()
        self._latest = np.zeros((WINDOWS, 96), np.float32)
        self._rest: Samples = np.zeros(0, np.float32)
        self._features.new_audio_samples = 0  # it would begin with eight seconds of silence, which take a second
        self.hear(np.zeros(_BEFORE, np.float32))

    def hear(self, samples: Samples) -> list[Numbers]:
        """The embeddings after every 80 ms of what has come."""
        self._rest = np.concatenate([self._rest, samples])
        found = []
        while len(self._rest) >= CHUNK:
            chunk, self._rest = self._rest[:CHUNK], self._rest[CHUNK:]
            self._take(chunk)
            found.append(self._latest.reshape(-1))
        return found

    def _take(self, chunk: Samples) -> None:
        for each in self._features.process_streaming(write_pcm(chunk)):
            self._latest = np.concatenate([self._latest[1:], each.reshape(1, 96)])


class StopWord:
    """Listens for "stop"."""

    def __init__(self, network: Network | None = None, threshold: float = THRESHOLD) -> None:
        self._embedding, self._network = Embedding(), network or Network.load()
        self._threshold, self._heard = threshold, 0
        self._deaf_until = 0.0

    @property
    def seconds(self) -> float:
        """How much it has heard."""
        return self._heard * CHUNK / RATE

    def hear(self, samples: Samples) -> bool:
        """Whether "stop" was said in what has come."""
        judged = [self._judge(each) for each in self._embedding.hear(samples)]  # all of them, whatever the first says
        return any(judged)

    def _judge(self, embedding: Numbers) -> bool:
        self._heard += 1
        if self.seconds < self._deaf_until:
            return False
        said = float(self._network.judge(embedding[None])[0]) >= self._threshold
        if said:
            self._deaf_until = self.seconds + _DEAF_AFTER
        return said


def find_stops(samples: Samples, network: Network | None = None, threshold: float = THRESHOLD) -> Iterable[float]:
    """The seconds at which "stop" is heard in a recording."""
    word = StopWord(network, threshold)
    for at in range(0, len(samples), CHUNK):
        if word.hear(samples[at : at + CHUNK]):
            yield word.seconds
