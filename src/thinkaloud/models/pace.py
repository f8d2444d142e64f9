"""How fast a local model is on this machine, and which of the two shipped sizes suits it.

One of the two is measured, and the other estimated from that. For a token, the large one needs about 7 times as long
to read it and 5.6 times as long to write it (`thinkaloud_bench/costs/pace.py`). Of a request it reads and writes fewer
tokens, and both use the same small judge, so a whole request takes it 1.8 times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thinkaloud.models.contract import Model, Usage
from thinkaloud.models.large_weights import GET, LARGE, available_memory
from thinkaloud.models.settings import ModelSettings

LARGER = (
    "embedded-large understands more, also in German, Spanish, French and Chinese, and asks back less. "
    "It takes 2.6 GB of memory, and about twice as long for a request. Only the first request to a new robot takes "
    f"longer, once, because the robot is read: {GET} (1.1 GB)."
)
"""What the large model would bring, and how to get it."""
_READS_SLOWER, _WRITES_SLOWER = 7.0, 5.6
"""How many times as long the large model takes for a token."""
_ROBOT = 366
"""Tokens of a robot of nine things."""
_PATIENT = 5.0
"""Seconds that a request may take before the smaller model suits better."""
_TEXT = "The robot brings the red cup from the shelf in the kitchen to the table by the window. "
_REPEATED, _WRITTEN = 8, 16


@dataclass(frozen=True)
class Pace:
    """Tokens per second."""

    read: float
    written: float


@dataclass(frozen=True)
class _Request:
    """Tokens of a short request to a robot that was read before: its words, its program, and what the judge reads."""

    read: int
    written: int
    judged: int

    def seconds(self, pace: Pace, judge: Pace) -> float:
        """How long it takes."""
        return self.read / pace.read + self.written / pace.written + self.judged / judge.read


_SMALL, _LARGE = _Request(read=25, written=16, judged=112), _Request(read=10, written=8, judged=93)
"""The same request in the tokens of either model."""


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
    reads, writes = (_READS_SLOWER, _WRITES_SLOWER) if name == "embedded-large" else (1.0, 1.0)
    small = Pace(pace.read * reads, pace.written * writes)
    large = Pace(small.read / _READS_SLOWER, small.written / _WRITES_SLOWER)
    request = _LARGE.seconds(large, judge=small)
    free, needed = available_memory(), LARGE.memory(settings or ModelSettings())
    told = (
        f"A short request takes about {_SMALL.seconds(small, judge=small):.1f} s with embedded and "
        f"{request:.1f} s with embedded-large; reading a new robot takes {_ROBOT / small.read:.1f} and "
        f"{_ROBOT / large.read:.0f} s, once"
    )
    if free is not None and free < needed and name == "embedded":
        short = f"needs {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free"
        return f"{told}. embedded-large {short}. embedded suits this machine"
    if request > _PATIENT:
        return f"{told}. embedded suits this machine"
    how = f"; get it with: {GET}" if "embedded-large" in missing else ""
    return f"{told}. embedded-large suits this machine{how}"
