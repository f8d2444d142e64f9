"""A journal with one bit flipped: is that noticed, is the rest still there, and does anything break?

A copy of the same journal is damaged in one place, drawn from a seed, and everything that can be read is read: the
list, and the events and worlds of every session.

    result = damage_once(directory, seed=7)
    assert result.kind in HARMLESS
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from journalled import EPISODE, record_episode
from thinkaloud.errors import ThinkaloudError
from thinkaloud.remember.journal import Journal

Kind = Literal["unchanged", "named", "refused", "silent", "broke"]
HARMLESS: tuple[Kind, ...] = ("unchanged", "named", "refused")
SESSIONS = 6
COLUMNS = (
    *(("events", column) for column in ("event_index", "at", "kind", "data")),
    *(("sessions", column) for column in ("id", "started")),
    ("snapshots", "data"),
    ("checkpoints", "data"),
)
"""Where a flipped bit is aimed at; elsewhere it hits any place of the file."""


@dataclass(frozen=True)
class DamageResult:
    """What came of one flipped bit.

    `unchanged`: it hit what nobody reads. `named`: a session was refused by its id, or the list marks it, and all the
    others are as before. `refused`: the whole journal was. `silent`: something else was read, and nobody said so.
    `broke`: something else than an error of ours.
    """

    kind: Kind
    where: str
    said: str = ""


def make_journal(path: Path) -> Path:
    """Some sessions, one of them cut short in the middle of a skill."""
    with Journal(path) as journal:
        for _ in range(SESSIONS - 1):
            record_episode(journal)
        with journal.begin() as session:
            for index, record in enumerate(EPISODE[:3]):
                session.commit(index, index / 3, record, bytes(range(256)) * 8)
            session.checkpoint(1.5, bytes(reversed(range(256))) * 8)
    return path


def damage_once(directory: Path, seed: int, *, aimed: bool = False) -> DamageResult:
    """Flip one bit of a copy, anywhere in the file or in a value of a row; then read everything."""
    whole = directory / "whole.db"
    if not whole.exists():
        make_journal(whole)
    expected, copy = _read_all(whole), directory / "damaged.db"
    for left in directory.glob("damaged.db*"):
        left.unlink()
    shutil.copy(whole, copy)
    draw = random.Random(seed)
    where = _flip_value(copy, draw) if aimed else _flip_anywhere(copy, draw)
    try:
        found = _read_all(copy)
    except ThinkaloudError as error:
        return DamageResult("refused", where, str(error))
    except Exception as error:
        return DamageResult("broke", where, f"{type(error).__name__}: {error}")
    return _compared(expected, found, where)


def _compared(expected: dict[str, Any], found: dict[str, Any], where: str) -> DamageResult:
    if found == expected:
        return DamageResult("unchanged", where)
    said = [value for value in found.values() if isinstance(value, str)]
    others = [id for id, value in found.items() if not isinstance(value, str) and expected.get(id) != value]
    # The id itself may be what was hit: then the session is there under another one, and is named by that.
    if others or not said or len(found) < len(expected):
        return DamageResult("silent", where, f"{others or 'a session is gone'}")
    return DamageResult("named", where, said[0])


def _read_all(path: Path) -> dict[str, Any]:
    """By the id of each session all that is known of it, or what was said in place of it."""
    found: dict[str, Any] = {}
    with Journal(path, patience=0) as journal:
        for info in journal.sessions():
            try:
                if info.result == "damaged":
                    raise ThinkaloudError("damaged")
                session = journal.open(info.id)
                events = session.events()
                worlds = [session.snapshot_at(index) for index in range(len(events))]
                found[info.id] = (info, events, worlds, session.snapshot())
            except ThinkaloudError as error:
                assert "\n" not in str(error)
                found[info.id] = str(error)
    return found


def _flip_anywhere(path: Path, draw: random.Random) -> str:
    content = bytearray(path.read_bytes())
    bit = draw.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    return f"byte {bit // 8}, bit {bit % 8}"


def _flip_value(path: Path, draw: random.Random) -> str:
    table, column = draw.choice(COLUMNS)
    db = sqlite3.connect(path)
    rows = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    at = draw.randrange(rows)
    key = "session, event_index" if table in ("events", "snapshots") else "number" if table == "sessions" else "session"
    names = key.split(", ")
    query = f"SELECT {key}, {column} FROM {table} ORDER BY {key} LIMIT 1 OFFSET {at}"
    *place, value = db.execute(query).fetchone()
    db.execute(
        f"UPDATE {table} SET {column} = ? WHERE {' AND '.join(f'{name} = ?' for name in names)}",
        (_flipped(value, draw), *place),
    )
    db.commit()
    db.close()
    return f"{table}.{column} {place}"


def _flipped(value: Any, draw: random.Random) -> Any:
    match value:
        case int():
            return value + 1000 * (1 << draw.randrange(8))
        case float():
            return value + 2.0 ** draw.randrange(-20, 20)
        case str():
            at, bit = draw.randrange(len(value)), draw.randrange(5)
            return value[:at] + chr(ord(value[at]) ^ 1 << bit) + value[at + 1 :]
        case bytes():
            content = bytearray(value)
            content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
            return bytes(content)
    raise TypeError(value)
