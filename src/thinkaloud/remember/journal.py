"""The journal: every event of every run, on disk before anything else happens.

One SQLite file holds all sessions. Many processes may read it at once. One process at a time writes a session; it holds
a lock that the operating system releases when the process dies.

    with Journal(settings.journal) as journal, journal.begin() as session:
        session.commit(0, 0.0, Begin("tabletop", "thinkaloud", "embedded", seed=7), world.snapshot())

Committed events survive the death of the process and are checked when they are read. A damaged session is reported, and
the others stay usable. Not covered: power cuts, which may lose the last few events (but never leave half of one), and
several threads, each of which needs its own Journal.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from thinkaloud.errors import JournalError, SessionDamaged, UnknownName
from thinkaloud.records import Record
from thinkaloud.remember.acts import Acts
from thinkaloud.remember.database import Database
from thinkaloud.remember.heard_messages import HeardMessages
from thinkaloud.remember.session import Session as Session
from thinkaloud.remember.session import SessionInfo as SessionInfo
from thinkaloud.serialization import record_kind, to_data

_BEGINNING = """
    INSERT INTO sessions (id, started, checksum, heard_checksum)
    VALUES (:id, :started, checksum(:id, :started, 0, NULL, 0), checksum(:id, 0)) ON CONFLICT DO NOTHING
"""
_ID = re.compile(r"\d{8}-[0-9a-f]{4}")


def _local_now() -> datetime:
    return datetime.now().astimezone()


class Journal:
    """All sessions of one home folder; created if there are none, never deleted or overwritten."""

    def __init__(
        self,
        path: Path,
        *,
        patience: float = 2.0,
        now: Callable[[], datetime] = _local_now,
        to_write: bool = True,
    ) -> None:
        """Unless it is opened `to_write`, a journal that cannot be written is opened as well."""
        self.path = path
        self._now = now
        self._db = Database(path, patience, to_write=to_write)
        self._heard = HeardMessages(self._db)
        self.acts = Acts(self._db, now)
        self._writers: list[Session] = []

    def begin(self) -> Session:
        """Begin a new session, with a short readable id such as `20261115-7f3a`, for this process to write."""
        now = self._now()
        while True:
            id = f"{now:%Y%m%d}-{secrets.token_hex(2)}"
            row = {"id": id, "started": now.isoformat(timespec="seconds")}
            with self._db.trouble(), self._db.transaction():
                made = self._db.execute(_BEGINNING, row)
            if made.rowcount:
                return self.resume(id)

    def open(self, id: str) -> Session:
        """Return a session to read, by its id or the beginning of its id; another process may still be writing it."""
        with self._db.trouble():
            query = "SELECT number, id FROM sessions WHERE substr(id, 1, ?) = ? ORDER BY number"
            found = self._db.execute(query, (len(id), id)).fetchall() if id else []
            if not found:
                recent = self._db.execute("SELECT id FROM sessions ORDER BY number DESC LIMIT 10").fetchall()
                raise UnknownName("session", id, (str(row[0]) for row in recent))
        exact = [row for row in found if row[1] == id] or found
        if len(exact) > 1:
            listed = ", ".join(str(row[1]) for row in exact[-10:])
            raise JournalError(f"{len(exact)} sessions begin with {id!r}: give more of the id, for example {listed}.")
        number, whole = exact[0]
        if not _ID.fullmatch(str(whole)):
            raise SessionDamaged(id, "its id has changed")
        return self._session(number, whole)

    def resume(self, id: str) -> Session:
        """Return a session for this process to continue; refused while another process is writing it."""
        session = self.open(id)
        session.claim()
        return session

    def fork(self, id: str, at: int, begin: Record) -> Session:
        """Begin a new session with the events of another one up to an event, except its beginning.

        If the other one is damaged, the part before the damage can be continued.
        """
        origin = self.open(id)
        origin.require(at)
        events, damage = origin.salvage()
        if at >= len(events):
            raise JournalError(damage)
        session = self.begin()
        with self._db.trouble(), self._db.transaction():
            for index, moment, record in events[: at + 1]:
                world, said = origin.snapshot_at(index), origin.verbatim(index)
                session.commit(index, moment, record if index else begin, world, said)
        return session

    def sessions(self) -> list[SessionInfo]:
        """Return all sessions, newest first; one that is visibly damaged says so, and the others are unaffected."""
        with self._db.trouble():
            rows = self._db.execute("SELECT number, id, started FROM sessions ORDER BY number DESC").fetchall()
        return [
            Session(self._db, self._writers, number, str(id)).describe(str(started)) for number, id, started in rows
        ]

    def pack(self) -> Iterator[tuple[str, str]]:
        """Make every session smaller without losing anything: its id, and why it stays as it is, if it does.

        At the end the file gives back what is free.
        """
        with self._db.trouble():
            ids = [str(row[0]) for row in self._db.execute("SELECT id FROM sessions ORDER BY number").fetchall()]
        for id in ids:
            try:
                self.open(id).pack()
            except JournalError as error:
                yield id, str(error)
            else:
                yield id, ""
        self._db.shrink()

    def find_damage(self) -> Iterator[JournalError]:
        """Read everything; return the first damage of each session that has any, and damage outside all sessions."""
        for info in self.sessions():
            try:
                self.open(info.id).check()
                self._heard.check(info.id)
            except SessionDamaged as damage:
                yield damage
        yield from self._heard.find_damage()

    def note(self, message: str, session: str) -> bool:
        """Record that a message was heard in a session; return False if it was before: it must not be handled twice."""
        return self._heard.note(message, session)

    def noted(self, message: str) -> str | None:
        """Return the session in which a message was heard, if any."""
        return self._heard.find(message)

    def _session(self, number: int, id: object) -> Session:
        return Session(self._db, self._writers, number, str(id))

    def close(self) -> None:
        """Close the file, and every session that was being written."""
        for session in list(self._writers):
            session.close()
        self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def export_lines(session: Session, *, measurements: bool = False) -> Iterator[str]:
    """Write a session as JSON lines; the same episode gives the same bytes, unless measurements are included."""
    for index, at, record in session.events():
        yield render_event(index, at, record, measurements=measurements)


def render_event(index: int, at: float, record: Record, *, measurements: bool = False) -> str:
    """Write one event as a line of JSON: `{"index":0,"at":0.0,"kind":"request","text":"…"}`."""
    head = {"index": index, "at": round(at, 3), "kind": record_kind(record)}
    body = to_data(record, measurements=measurements)
    # Sorted at every level, because the order of a mapping may come from a set.
    return json.dumps(head, separators=(",", ":"))[:-1] + _fields(body) + "}"


def _fields(body: dict[str, Any]) -> str:
    return "," + msgspec.json.encode(body, order="sorted").decode()[1:-1] if body else ""
