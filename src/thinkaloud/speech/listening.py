"""Somebody who talks: "stop" is heard at once, and what else they say becomes words that are shown before they count.

All sound goes to the stop word. Only what is said between `begin` and `end` (while somebody holds the button) goes to
the recogniser, and nobody acts on its words: they are shown, and a person sends them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from thinkaloud.speech.recognition import LONGEST, Recogniser
from thinkaloud.speech.sound import RATE, Samples
from thinkaloud.speech.stop_word import StopWord

_PAUSE, _LOUD = 0.9, 3.0
"""Seconds of quiet after which an utterance is over, where nobody holds a button; and how much louder speech is."""
_QUIETEST = 0.004


@dataclass(frozen=True, slots=True)
class StopHeard:
    """ "Stop" was said, so many seconds after listening began."""

    at: float


@dataclass(frozen=True, slots=True)
class Words:
    """What was said, as words; none where there was only noise."""

    text: str
    type: Literal["words"] = "words"


class Listener:
    """Listens to one person. `stopped` is called at once, in whatever thread the sound comes from."""

    def __init__(self, stop_word: StopWord, recogniser: Recogniser, stopped: Callable[[StopHeard], None]) -> None:
        self._stop_word, self._recogniser, self._stopped = stop_word, recogniser, stopped
        self._said: list[Samples] | None = None
        self._held = 0

    @property
    def talking(self) -> bool:
        """Whether somebody says something that is to become words."""
        return self._said is not None

    def hear(self, samples: Samples) -> None:
        """Take in what comes from a microphone."""
        if self._stop_word.hear(samples):
            self._stopped(StopHeard(self._stop_word.seconds))
        if self._said is not None and self._held < LONGEST * RATE:
            self._said.append(samples)
            self._held += len(samples)

    def begin(self) -> None:
        """From now on, somebody talks."""
        self._said, self._held = [], 0

    def end(self) -> Samples:
        """They have finished; what they said, for `recognise`."""
        said, self._said = self._said, None
        return np.concatenate(said) if said else np.zeros(0, np.float32)

    def recognise(self, said: Samples) -> Words:
        """What was said, as words. This takes a while: call it in another thread, since "stop" may come meanwhile."""
        return Words(self._recogniser.words(said) if len(said) else "")


class Utterances:
    """Finds where somebody begins and ends to talk, by how loud it is: for a microphone without a button."""

    def __init__(self) -> None:
        self._floor, self._quiet = _QUIETEST, 0.0
        self.talking = False

    def hear(self, samples: Samples) -> Literal["begin", "end", ""]:
        """What has changed with these."""
        loudness = float(np.sqrt(np.mean(samples**2))) if len(samples) else 0.0
        loud = loudness > _LOUD * self._floor
        if not loud:
            self._floor = max(_QUIETEST, 0.95 * self._floor + 0.05 * loudness)
        self._quiet = 0.0 if loud else self._quiet + len(samples) / RATE
        if loud and not self.talking:
            self.talking = True
            return "begin"
        if self.talking and self._quiet >= _PAUSE:
            self.talking = False
            return "end"
        return ""
