"""Damaged journals: with a flipped bit, cut short, or with two rows swapped.

A journal with three sessions is made once: two that are over, and one whose process was killed. Every attempt damages a
copy, then lists, exports and resumes its sessions. A damaged session is refused or reported by name; the others are
unaffected.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from campaign.children import Ended, command, in_child
from campaign.contract import Attempt, Finding, NotTried, Stage
from campaign.damaging import (
    DATA,
    Place,
    cut_short,
    flip_anywhere,
    flip_value,
    list_places,
    read_value,
    swap_values,
)
from campaign.judging import WITH_MODEL, environment, judge_command, list_complaints
from campaign.killing import Moment, run_killed
from campaign.remembered import speaking_as
from campaign.sessions import OBEYED, PATIENT, memory_folder, run_case

_MOMENT = Moment("tick", 0.4)
_NEEDED = ", which a resume needs"


@dataclass(frozen=True)
class _Whole:
    """The undamaged journal, and what the commands say about it."""

    finished: str
    killed: str
    exported: dict[str, str]
    resumed: Ended


class Journals:
    """Damaged journals."""

    def __init__(self, stage: Stage) -> None:
        self._folder = stage.folder
        self._home = stage.folder / "whole"
        self._known: _Whole | None = None

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """Rows, the file itself and its end, in turn, without end."""
        rng = random.Random(f"journals {seed}")
        for number in count():
            how = ("row", "value", "swap", "file", "row", "cut")[number % 6]
            data = {"how": how, "draw": rng.randrange(2**32)}
            yield Attempt("journals", f"{how} {number}", data)

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Damage a copy, and use it."""
        whole = self._known = self._known or self._make()
        home = self._folder / "damaged"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self._home, home)
        damaged = _damage(home / "journal.db", attempt.data)
        by_row = attempt.data["how"] in ("row", "swap", "value")
        listed = self._call(home, "sessions", "--json")
        if finding := judge_command(listed):
            return finding
        for id in (whole.finished, whole.killed):
            exported = self._call(home, "export", id)
            finding = judge_command(exported)
            if finding or (exported.out != whole.exported[id] and not _complains(exported, "")):
                return finding or Finding("silent", f"the export of {id} changed, and nothing was said about {damaged}")
            if by_row and id not in damaged and exported.out != whole.exported[id]:
                return Finding("silent", f"{id} cannot be read, though {damaged} was damaged; {exported.err[:200]}")
        return self._resume(home, whole, damaged)

    def _resume(self, home: Path, whole: _Whole, damaged: str) -> Finding | None:
        resumed = self._call(home, "resume", "--json", "--no-film", whole.killed)
        if finding := judge_command(resumed, memory=WITH_MODEL):
            return finding
        if _complains(resumed, whole.resumed.err):
            return None
        if resumed.out != whole.resumed.out or (whole.killed in damaged and _NEEDED in damaged):
            return Finding("silent", f"resumed, and nothing was said about {damaged}")
        return None

    def _make(self) -> _Whole:
        home = self._home
        ends = [run_case(OBEYED, self._folder / "here", home) for _ in range(2)]
        killed = run_killed(OBEYED, _MOMENT, self._folder / "here", home)
        if any(end.status for end in ends) or killed.signal is None:
            raise NotTried(f"no journal to damage: {ends[0].err[-200:]}")
        _settle(home / "journal.db")
        with closing(sqlite3.connect(home / "journal.db")) as db:
            ids = [row[0] for row in db.execute("SELECT id FROM sessions ORDER BY number")]
        exported = {id: self._call(home, "export", id).out for id in ids}
        copy = self._folder / "resumed"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(home, copy)
        resumed = self._call(copy, "resume", "--json", "--no-film", ids[2])
        if resumed.status != 0:
            raise NotTried(f"the journal cannot be resumed even undamaged: {resumed.err[-200:]}")
        return _Whole(ids[0], ids[2], exported, resumed)

    def _call(self, home: Path, *arguments: str) -> Ended:
        around = environment(home) | speaking_as(OBEYED.model, memory_folder())
        return in_child(command(*arguments), self._folder / "here", PATIENT, around)


def _complains(ended: Ended, usual: str) -> bool:
    """Whether the command says anything beyond its usual output."""
    return bool({*list_complaints(ended.err)} - {*usual.splitlines()})


def _settle(path: Path) -> None:
    """Merge a journal into one file."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _damage(path: Path, how: Any) -> str:
    """Damage a journal; return what was done in words, with the session and whether its resume needs that row."""
    draw = random.Random(repr(sorted(how.items())))
    if how["how"] in ("file", "cut"):
        return flip_anywhere(path, draw) if how["how"] == "file" else cut_short(path, draw)
    if how["how"] == "value":
        place = draw.choice(list_places(path))
        flip_value(path, place, draw)
        return str(place)
    places = list_places(path, DATA)
    place = draw.choices(places, [_weight(each) for each in places])[0]
    if how["how"] == "swap":
        others = [each for each in places if each.table == place.table and each.key != place.key]
        others = [each for each in others if read_value(path, each) != read_value(path, place)]
        if not others:
            raise NotTried("there is no other value to swap with")
        other = draw.choice(others)
        swap_values(path, place, other)
        return f"{place} in place of {other}"
    flip_value(path, place, draw)
    return f"{place}{_NEEDED * place.needed}"


def _weight(place: Place) -> int:
    """A value's chance of being damaged: rows that a resume needs are hit more often."""
    return 1 if place.table == "events" else 20 if place.needed else 4
