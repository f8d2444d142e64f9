"""Kills processes at a chosen moment, and checks what must be the same after another process has resumed.

The process is real: it counts its control ticks and its commits to the journal, and kills itself at the chosen one. It
runs any work (`dying_at`), or the command line as people use it (`run_killed`); there a moment is a fraction of the
same run without a kill.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from campaign.children import Child, Ended, Work, command, in_child
from campaign.contract import Finding
from campaign.judging import environment
from campaign.remembered import speaking_as
from campaign.sessions import PATIENT, Case, Events, find_end, is_judged, list_started, list_worked, memory_folder
from thinkaloud.episode.ticks import Pace
from thinkaloud.remember.journal import Session

When = Literal["tick", "before", "after", "time"]


@dataclass(frozen=True)
class Moment:
    """When to kill a run: at a control tick, before or after a commit, or at any time; `at` is a fraction, 0 to 1."""

    when: When
    at: float


@dataclass(frozen=True)
class Length:
    """The length of a run without a kill."""

    ticks: int
    commits: int
    seconds: float

    def count(self, when: When) -> int:
        """How many such moments there are."""
        return self.ticks if when == "tick" else self.commits


def measure_run(case: Case, folder: Path, home: Path) -> tuple[Ended, Length]:
    """Run without a kill; return how it ended, and its length."""
    counts = folder / "counts"
    ended = in_child(counting(command(*case.arguments()), counts), folder, PATIENT, _around(case, home))
    ticks, commits = read_counts(counts) if counts.exists() else (0, 0)
    return ended, Length(ticks, commits, ended.seconds)


def run_killed(case: Case, moment: Moment, folder: Path, home: Path, length: Length | None = None) -> Ended:
    """Run, and kill the run at this moment."""
    length = length or measure_run(case, folder, folder / "measured")[1]
    work = command(*case.arguments())
    if moment.when != "time":
        work = dying_at(work, moment.when, int(moment.at * length.count(moment.when)))
    child = Child(work, folder, PATIENT, _around(case, home))
    if moment.when == "time":
        time.sleep(moment.at * length.seconds)
        child.kill()
    return child.wait()


def dying_at(work: Work, when: When, number: int) -> Work:
    """The same work in a process that kills itself at the tick, or before or after the commit, with this number."""
    left = number

    def count(reached: str) -> None:
        nonlocal left
        if reached == when:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def doomed() -> int | None:
        watch_moments(count)
        return work()

    return doomed


def counting(work: Work, counts: Path) -> Work:
    """The same work, with its numbers of ticks and commits written to a file."""

    def counted() -> int | None:
        seen = Counter[str]()
        watch_moments(lambda when: seen.update([when]))
        try:
            return work()
        finally:
            counts.write_text(f"{seen['tick']} {seen['after']}")

    return counted


def read_counts(counts: Path) -> tuple[int, int]:
    """Read the numbers of ticks and commits."""
    ticks, commits = map(int, counts.read_text().split())
    return ticks, commits


def watch_moments(count: Callable[[str], None]) -> None:
    """Count every tick and every commit of this process from now on."""
    tick, commit = Pace.tick, Session.commit

    async def counted_tick(self: Pace) -> None:
        count("tick")
        await tick(self)

    def counted_commit(self: Session, *what: Any, **more: Any) -> None:
        count("before")
        commit(self, *what, **more)
        count("after")

    Pace.tick, Session.commit = counted_tick, counted_commit  # type: ignore[method-assign]


def compare(whole: Events, events: Events) -> Finding | None:
    """What differs after a kill and a resume, and should not; None if nothing does."""
    at = next(index for index, event in enumerate(events) if event["kind"] == "resumed")
    expected, started, judged = list_started(whole), list_started(events), is_judged(whole)
    steps = [event for event in events[:at] if event["kind"] in ("started", "verdict" if judged else "outcome")]
    under_way = [event["step"]["words"] for event in steps[-1:] if event["kind"] == "started"]
    surplus = Counter(started) - Counter(expected) - Counter(under_way)
    finished = {*list_worked(events[:at], judged=judged)}
    if again := sorted(finished & set(surplus) & set(list_started(events[at:]))):
        return Finding("steps", f"repeated although it had passed its check: {again[0]}")
    worked = list_worked(events, judged=judged)
    missing = [words for words in list_worked(whole, judged=judged) if words not in worked]
    end, right = find_end(events), find_end(whole)
    if end is None:
        return Finding("silent", "there is no end after the resume")
    if missing and not surplus and end["result"] == (right or {}).get("result"):
        return Finding("steps", f"never done: {missing[0]}")
    if right is not None and end["result"] != right["result"]:
        return Finding("silent", f"ends as {end['result']} ({end['because'][:120]}) instead of {right['result']}")
    return None


def _around(case: Case, home: Path) -> dict[str, str]:
    return environment(home) | speaking_as(case.model, memory_folder())
