"""Runs that are killed at a chosen moment, and taken up again by another process: the command line, as people use it.

The process is the real one; in it, control ticks and commits to the journal are counted, and at the chosen one it kills
itself. A moment is a fraction of what the same run has when nobody kills it.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from campaign.children import Child, Ended, command, in_child
from campaign.judging import environment
from campaign.remembered import speaking_as
from campaign.sessions import PATIENT, Case, memory_folder
from thinkaloud.pace import Pace
from thinkaloud.remember.journal import Session

When = Literal["tick", "before", "after", "time"]


@dataclass(frozen=True)
class Moment:
    """When a run is killed: at a control tick, before or after a commit, or at any time; `at` from 0 to 1 of it all."""

    when: When
    at: float


@dataclass(frozen=True)
class Length:
    """How long a run is when nobody kills it."""

    ticks: int
    commits: int
    seconds: float

    def count(self, when: When) -> int:
        """How many such moments there are."""
        return self.ticks if when == "tick" else self.commits


def measure_run(case: Case, folder: Path, home: Path) -> tuple[Ended, Length]:
    """A run that nobody kills, and how long it is."""
    counts = folder / "counts"

    def work() -> int | None:
        counted = {"tick": 0, "before": 0, "after": 0}

        def count(when: str) -> None:
            counted[when] += 1

        watch_moments(count)
        try:
            return command(*case.arguments())()
        finally:
            counts.write_text(f"{counted['tick']} {counted['after']}")

    ended = in_child(work, folder, PATIENT, _around(case, home))
    ticks, commits = map(int, counts.read_text().split()) if counts.exists() else (0, 0)
    return ended, Length(ticks, commits, ended.seconds)


def run_killed(case: Case, moment: Moment, folder: Path, home: Path, length: Length | None = None) -> Ended:
    """A run that is killed at this moment."""
    length = length or measure_run(case, folder, folder / "measured")[1]
    left = int(moment.at * length.count(moment.when))

    def work() -> int | None:
        def count(when: str) -> None:
            nonlocal left
            if when == moment.when:
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        watch_moments(count)
        return command(*case.arguments())()

    child = Child(work, folder, PATIENT, _around(case, home))
    if moment.when == "time":
        time.sleep(moment.at * length.seconds)
        child.kill()
    return child.wait()


def watch_moments(count: Callable[[str], None]) -> None:
    """Have every tick and every commit of this process counted from now on."""
    tick, commit = Pace.tick, Session.commit

    async def counted_tick(self: Pace) -> None:
        count("tick")
        await tick(self)

    def counted_commit(self: Session, *what: Any, **more: Any) -> None:
        count("before")
        commit(self, *what, **more)
        count("after")

    Pace.tick, Session.commit = counted_tick, counted_commit  # type: ignore[method-assign]


def _around(case: Case, home: Path) -> dict[str, str]:
    return environment(home) | speaking_as(case.model, memory_folder())
