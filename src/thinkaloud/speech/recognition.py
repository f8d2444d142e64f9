"""What was said, as words: Moonshine tiny (MIT), whose weights are in its package. English only."""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from thinkaloud.errors import BadInput, MissingExtra, describe_fault
from thinkaloud.speech.sound import RATE, Samples
from thinkaloud.untrusted.output import harmless

LONGEST = 30.0
"""Seconds of one utterance."""
_SHORTEST = 0.1


class Recogniser(Protocol):
    """Turns sound into words."""

    def words(self, samples: Samples) -> str:
        """What is said in it; empty for nothing."""
        ...


class Moonshine:
    """The recogniser that comes with the extra `speech`. One utterance at a time; others wait."""

    def __init__(self) -> None:
        try:
            import moonshine_voice
        except ModuleNotFoundError as error:
            raise MissingExtra("Voice", "speech") from error
        except OSError as error:  # its library is for another system
            raise BadInput(f"The recogniser cannot be loaded here: {describe_fault(error)}") from error
        weights = Path(moonshine_voice.__file__).parent / "assets" / "tiny-en"
        if not weights.is_dir():
            raise BadInput("This version of moonshine-voice has no weights: pip install moonshine-voice==0.0.45")
        self._model: Any = moonshine_voice.Transcriber(str(weights), moonshine_voice.ModelArch.TINY)
        self._lock = threading.Lock()

    def words(self, samples: Samples) -> str:
        """What is said in it."""
        if len(samples) < _SHORTEST * RATE:
            return ""
        with self._lock:
            heard = self._model.transcribe_without_streaming(samples[: int(LONGEST * RATE)].tolist(), RATE)
        return " ".join(" ".join(harmless(line.text) for line in heard.lines).split())


@cache
def open_recogniser() -> Moonshine:
    """The recogniser, loaded once."""
    return Moonshine()
