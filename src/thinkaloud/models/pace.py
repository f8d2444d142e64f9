"""How fast a local model is on this machine, and which of the two shipped sizes suits it.

The small model is measured. For the large one, the pace is estimated from that: on two cores a request took it 7 times
as long (2.7-3.8 s beside 0.4-0.5 s).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thinkaloud.models.contract import Model, Usage
from thinkaloud.models.large_weights import GET, LARGE, available_memory
from thinkaloud.models.settings import ModelSettings

LARGER = (
    "embedded-large understands more, also in German, Spanish, French and Chinese, and asks back less. "
    f"It takes 2.6 GB of memory and about 7 times as long: {GET} (1.1 GB)."
)
"""What the large model would bring, and how to get it."""
_LARGE_TIMES = 7.0
_REQUEST_READ, _REQUEST_WRITTEN = 25, 15
"""Tokens of a short request to a robot that the model has read: its words, and its program."""
_PATIENT = 5.0
"""Seconds that a request may take before the smaller model suits better."""
_TEXT = "The robot brings the red cup from the shelf in the kitchen to the table by the window. "
_REPEATED, _WRITTEN = 8, 16


@dataclass(frozen=True)
class Pace:
    """Tokens per second."""

    read: float
    written: float

    @property
    def request(self) -> float:
        """Seconds for a short request to a robot that the model has read."""
        return _REQUEST_READ / self.read + _REQUEST_WRITTEN / self.written


async def measure_pace(model: Model) -> Pace | None:
    """Read about 150 tokens and write 16; None if the model does not report what that took."""
    read = (await model.complete(_TEXT * _REPEATED, most=1)).usage
    written = (await model.complete(_TEXT * _REPEATED + "Then", most=_WRITTEN)).usage
    return pace_of(read, written)


def pace_of(read: Usage, written: Usage) -> Pace | None:
    """Return the pace from a call that mostly read and one that mostly wrote."""
    if not (read.evaluated and read.seconds and written.generated and written.seconds):
        return None
    reads = (read.evaluated + read.generated) / read.seconds
    writes = written.seconds - written.evaluated / reads
    return Pace(reads, written.generated / max(writes, written.seconds / 10))


def advise(name: str, pace: Pace, missing: Sequence[str], settings: ModelSettings | None = None) -> str:
    """Say which of the shipped models suits a machine on which `name` has this pace."""
    if name not in ("embedded", "embedded-large"):
        return ""
    small = pace.request / (_LARGE_TIMES if name == "embedded-large" else 1)
    large = small * _LARGE_TIMES
    free, needed = available_memory(), LARGE.memory(settings or ModelSettings())
    told = f"A short request takes about {small:.1f} s with embedded and {large:.1f} s with embedded-large"
    if free is not None and free < needed and name == "embedded":
        short = f"which needs {needed / 1e9:.1f} GB of memory; {free / 1e9:.1f} GB are free"
        return f"{told}, {short}. embedded suits this machine"
    if large > _PATIENT:
        return f"{told}: embedded suits this machine"
    how = f"; get it with: {GET}" if "embedded-large" in missing else ""
    return f"{told}: embedded-large suits this machine{how}"
