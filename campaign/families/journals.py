"""Damaged journals: one bit the other way round, cut short, or with two rows that have changed places.

A journal with three sessions is made once: two that are over, and one whose process was killed. Every attempt damages a
copy of it and lists, exports and resumes. What is damaged is refused or mentioned, by name; what is not is as before.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from campaign.children import Ended, command, in_child
from campaign.contract import Attempt, Finding, NotTried, Stage
from campaign.judging import WITH_MODEL, environment, judge_command
from campaign.killing import Moment, run_killed
from campaign.remembered import speaking_as
from campaign.sessions import OBEYED, PATIENT, memory_folder, run_case

_MOMENT = Moment("tick", 0.4)
Place = tuple[str, str, int]
"""A table, a column and the number of a row."""


@dataclass(frozen=True)
class _Whole:
    """The journal as it was, and what the commands say to it."""

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
            how = ("row", "row", "swap", "file", "row", "cut")[number % 6]
            data = {"how": how, "at": rng.random(), "bit": rng.randrange(8), "byte": rng.random()}
            yield Attempt("journals", f"{how} {number}", data)

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Damage a copy, and use it."""
        whole = self._known = self._known or self._make()
        home = self._folder / "damaged"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self._home, home)
        damaged = _damage(home / "journal.db", attempt.data)
        by_row = attempt.data["how"] in ("row", "swap")
        listed = self._call(home, "sessions", "--json")
        if finding := judge_command(listed):
            return finding
        for id in (whole.finished, whole.killed):
            exported = self._call(home, "export", id)
            finding = judge_command(exported)
            if finding or (exported.out != whole.exported[id] and not _complains(exported, "")):
                return finding or Finding("silent", f"another export of {id} without a word about {damaged}")
            if by_row and id not in damaged and exported.out != whole.exported[id]:
                return Finding("silent", f"{id} cannot be read, though {damaged} was damaged; {exported.err[:200]}")
        return self._resume(home, whole, damaged)

    def _resume(self, home: Path, whole: _Whole, damaged: str) -> Finding | None:
        resumed = self._call(home, "resume", "--json", "--no-film", whole.killed)
        if finding := judge_command(resumed, memory=WITH_MODEL):
            return finding
        if _complains(resumed, whole.resumed.err):
            return None
        if resumed.out != whole.resumed.out or f"{whole.killed}: needed" in damaged:
            return Finding("silent", f"resumed without a word about {damaged}")
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
            raise NotTried(f"the journal cannot be resumed even as it is: {resumed.err[-200:]}")
        return _Whole(ids[0], ids[2], exported, resumed)

    def _call(self, home: Path, *arguments: str) -> Ended:
        around = environment(home) | speaking_as(OBEYED.model, memory_folder())
        return in_child(command(*arguments), self._folder / "here", PATIENT, around)


def _complains(ended: Ended, usual: str) -> bool:
    """Whether something is said besides what is always said."""
    return bool(set(ended.err.splitlines()) - set(usual.splitlines()))


def _settle(path: Path) -> None:
    """All of a journal in one file."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _damage(path: Path, how: Any) -> str:
    """Do it; in words, with the session whose row it was and whether a resume of it needs that row."""
    if how["how"] in ("file", "cut"):
        content = bytearray(path.read_bytes())
        at = int(how["byte"] * len(content))
        if how["how"] == "cut":
            del content[at:]
        else:
            content[at] ^= 1 << how["bit"]
        path.write_bytes(content)
        return f"byte {at} of {path.stat().st_size}"
    with closing(sqlite3.connect(path)) as db, db:
        rows = _rows(db)
        table, column, number, session, needed = rows[int(how["at"] * len(rows))]
        value = db.execute(f"SELECT {column} FROM {table} LIMIT 1 OFFSET {number}").fetchone()[0]
        if how["how"] == "swap":
            return _swap(db, rows, (table, column, number), session, how["byte"])
        raw = bytearray(value.encode() if isinstance(value, str) else value)
        at = int(how["byte"] * len(raw))
        raw[at] ^= 1 << how["bit"]
        changed = raw.decode(errors="replace") if isinstance(value, str) else bytes(raw)
        _write(db, (table, column, number), changed)
        return f"{session}: {needed} row {number} of {table}, byte {at} of {len(raw)}"


def _rows(db: sqlite3.Connection) -> list[tuple[str, str, int, str, str]]:
    """Every row that says something: table, column, number, session, and whether a resume needs it."""
    found = []
    ids = dict(db.execute("SELECT number, id FROM sessions").fetchall())
    for table in ("events", "snapshots", "checkpoints"):
        sessions = [row[0] for row in db.execute(f"SELECT session FROM {table}")]
        for number, session in enumerate(sessions):
            latest = table != "snapshots" or session not in sessions[number + 1 :]
            needed = latest and not (table == "snapshots" and _has_checkpoint(db, session))
            weight = 1 if table == "events" else 20 if needed and session == max(ids) else 4
            found += [(table, "data", number, ids[session], "needed" if needed else "not read")] * weight
    return found


def _has_checkpoint(db: sqlite3.Connection, session: int) -> bool:
    return db.execute("SELECT 1 FROM checkpoints WHERE session = ?", (session,)).fetchone() is not None


def _swap(
    db: sqlite3.Connection, rows: Sequence[tuple[str, str, int, str, str]], place: Place, session: str, at: float
) -> str:
    table, _, number = place
    others = [row for row in rows if row[0] == table and _value(db, row[:3]) != _value(db, place)]
    if not others:
        raise NotTried("there is nothing to change places with")
    other = others[int(at * len(others))]
    mine, theirs = _value(db, place), _value(db, other[:3])
    _write(db, place, theirs)
    _write(db, other[:3], mine)
    return f"{session}: {table} row {number} in place of {other[3]}: row {other[2]}"


def _value(db: sqlite3.Connection, place: Place) -> Any:
    table, column, number = place
    return db.execute(f"SELECT {column} FROM {table} LIMIT 1 OFFSET {number}").fetchone()[0]


def _write(db: sqlite3.Connection, place: Place, value: Any) -> None:
    table, column, number = place
    keys = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5]]
    key = db.execute(f"SELECT {', '.join(keys)} FROM {table} LIMIT 1 OFFSET {number}").fetchone()
    db.execute(f"UPDATE {table} SET {column} = ? WHERE {' AND '.join(f'{k} = ?' for k in keys)}", (value, *key))
