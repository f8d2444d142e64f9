"""Killed processes: at a tick, around a commit or at any time, for all worlds and presets; then resumed.

A run without a kill is the reference. After a kill and a resume the end is the same, no step that passed its check is
repeated, none is left out, and the step under way is repeated at most once.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from itertools import count
from pathlib import Path

from campaign.children import command, in_child
from campaign.contract import Attempt, Finding, NotTried, Stage
from campaign.judging import WITH_MODEL, environment, judge_command
from campaign.killing import Length, Moment, When, compare, measure_run, run_killed
from campaign.remembered import OBEDIENT, speaking_as
from campaign.sessions import CASES, OBEYED, PATIENT, Case, Events, find_end, list_started, memory_folder, read_events

_WHEN: tuple[When, ...] = ("tick", "after", "tick", "before", "time")
_TOLD: dict[str, tuple[When, ...]] = {"at ticks": ("tick",), "at commits": ("before", "after"), "any time": ("time",)}


class Kills:
    """Killed processes."""

    def __init__(self, stage: Stage) -> None:
        self._folder = stage.folder
        self._whole: dict[Case, tuple[Events, Length] | None] = {}
        self._killed: list[tuple[Case, When]] = []

    @property
    def figures(self) -> dict[str, float]:
        """How many worlds and presets there were, and how often they were killed at which moment."""
        found = {"worlds": len({case.world for case, _ in self._killed})}
        found["presets"] = len({case.preset.partition(":")[0] for case, _ in self._killed})
        for name, when in _TOLD.items():
            found[name] = sum(each in when for _, each in self._killed)
        return dict(found)

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """First the quickest case with every kind of kill, then all cases in turn, without end; often late in a run."""
        rng = random.Random(f"kills {seed}")
        for number in count():
            case = OBEYED if number < len(_WHEN) else CASES[number % len(CASES)]
            when = _WHEN[(number if number < len(_WHEN) else number // len(CASES)) % len(_WHEN)]
            at = rng.random() if rng.random() < 0.7 else 1 - 0.15 * rng.random()
            data = asdict(case) | {"when": when, "at": at}
            yield Attempt("kills", f"{case.world} {case.preset} {when} {at:.3f}", data)

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Kill, resume, compare."""
        data = dict(attempt.data)
        moment = Moment(data.pop("when"), data.pop("at"))
        case = Case(**data | {"more": tuple(data["more"])})
        whole, length = self._reference(case)
        here, home = self._folder / "here", self._folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        shutil.rmtree(here, ignore_errors=True)
        killed = run_killed(case, moment, here, home, length)
        before = read_events(killed.out)
        if killed.signal is None or not list_requests(before):
            raise NotTried("the run was over, or had not started, when it was killed")
        self._killed.append((case, moment.when))
        around = environment(home) | speaking_as(case.model, memory_folder())
        resumed = in_child(command("resume", "--json", "--no-film", _only_id(home)), here, PATIENT, around)
        exported = in_child(command("export", _only_id(home)), here, PATIENT, around)
        if resumed.status == 2 and "is over" in resumed.err:
            return None  # killed after its end
        if finding := judge_command(resumed, memory=WITH_MODEL) or judge_command(exported, (0,)):
            return finding
        return compare(whole, read_events(exported.out))

    def _reference(self, case: Case) -> tuple[Events, Length]:
        if case not in self._whole:
            if case.model != OBEDIENT:  # later runs use the remembered answers, and are as long as the second one
                measure_run(case, self._folder / "here", self._folder / "measured")
            run_ended, length = measure_run(case, self._folder / "here", self._folder / "measured")
            events = read_events(run_ended.out)
            end = find_end(events)
            self._whole[case] = (events, length) if end is not None and list_started(events) else None
        if (known := self._whole[case]) is None:
            raise NotTried("the run does nothing even without a kill")
        return known


def list_requests(events: Events) -> list[str]:
    """The requests."""
    return [event["text"] for event in events if event["kind"] == "request"]


def _only_id(home: Path) -> str:
    with closing(sqlite3.connect(home / "journal.db")) as db:
        return str(db.execute("SELECT id FROM sessions ORDER BY number DESC").fetchone()[0])
