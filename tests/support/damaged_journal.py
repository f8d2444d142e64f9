"""A journal with one bit flipped: is that noticed, is the rest still there, and does anything break?

A copy of the same journal is damaged in one place, drawn from a seed, and everything that can be read is read: the
list, the events and worlds of every session, what models said, and which messages were heard. How it is damaged is the
campaign's.

    result = damage_once(directory, seed=7)
    assert result.kind in HARMLESS
"""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from campaign.damaging import flip_anywhere, flip_value, list_places
from journalled import EPISODE, record_episode
from thinkaloud.errors import ThinkaloudError
from thinkaloud.models.contract import Verbatim
from thinkaloud.records import ModelCall
from thinkaloud.remember.journal import Journal

Kind = Literal["unchanged", "named", "refused", "silent", "broke"]
HARMLESS: tuple[Kind, ...] = ("unchanged", "named", "refused")
SESSIONS = 6


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
    """Some sessions, one of them packed, and one cut short in the middle of a skill."""
    with Journal(path) as journal:
        packed = record_episode(journal)
        journal.open(packed).pack()
        for _ in range(SESSIONS - 2):
            record_episode(journal)
        with journal.begin() as session:
            for index, record in enumerate(EPISODE[:3]):
                said = Verbatim("What now?", "Pick it up.") if isinstance(record, ModelCall) else None
                session.commit(index, index / 3, record, bytes(range(256)) * 8, said)
            session.checkpoint(1.5, bytes(reversed(range(256))) * 8)
        for info in journal.sessions():
            journal.note(message_of(info.id), info.id)
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
    where = _flip_value(copy, draw) if aimed else flip_anywhere(copy, draw)
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
                said = [session.verbatim(index) for index in range(len(events))]
                anew = journal.note(message_of(info.id), info.id)
                found[info.id] = (info, events, worlds, session.snapshot(), said, anew)
            except ThinkaloudError as error:
                assert "\n" not in str(error)
                found[info.id] = str(error)
    return found


def message_of(session: str) -> str:
    """A message that was heard in a session."""
    return f"{session} message-1"


def _flip_value(path: Path, draw: random.Random) -> str:
    """A value of any column, each as often as another."""
    places = list_places(path)
    column = draw.choice(sorted({(place.table, place.column) for place in places}))
    place = draw.choice([each for each in places if (each.table, each.column) == column])
    flip_value(path, place, draw)
    return f"{place.table}.{place.column} {place.key}"
