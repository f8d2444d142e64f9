"""An episode as it is written down, and the journal that it is written to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from thinkaloud.records import Begin, End, ModelCall, Outcome, Record, Request, Step
from thinkaloud.remember.journal import Journal
from thinkaloud.remember.schema import MIGRATIONS

STEP = Step("pick", {"object": "red block"}, "Pick up the red block.")
EPISODE: tuple[Record, ...] = (
    Begin("tabletop", "inner_monologue", "embedded", 7),
    Request("put the red block away"),
    ModelCall("plan", "embedded", 120, 9, evaluated=20, cached=100, seconds=0.4),
    Outcome(STEP, "completed"),
    End("goal met", "the red block is away"),
)


def record_episode(journal: Journal, records: tuple[Record, ...] = EPISODE) -> str:
    with journal.begin() as session:
        for index, record in enumerate(records):
            session.commit(index, index / 3, record, b"world %d" % index)
        return session.id


OLD_ID = "20251115-01d0"


def write_old_journal(path: Path, rows: Iterable[tuple[float, str, str]], worlds: Iterable[bytes] = ()) -> str:
    """A journal as the first version of the file had it, without checksums: one session of (at, kind, data)."""
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(MIGRATIONS[0])
        db.execute("INSERT INTO sessions VALUES (1, ?, '2025-11-15T09:30:00+00:00')", (OLD_ID,))
        db.executemany("INSERT INTO events VALUES (1, ?, ?, ?, ?)", ((at, *row) for at, row in enumerate(rows)))
        db.executemany("INSERT INTO snapshots VALUES (1, ?, ?)", enumerate(worlds))
        db.execute("PRAGMA user_version = 1")
    return OLD_ID
