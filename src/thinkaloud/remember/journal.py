"""The journal: every event of every run, on disk before the next thing happens.

One SQLite file holds all sessions. Many processes may read it at once; one process at a time writes a session, held to
that by a lock which the operating system lets go of when the process dies.

    with Journal(settings.journal) as journal, journal.begin() as session:
        session.commit(0, 0.0, Begin("tabletop", "thinkaloud", "embedded", seed=7), world.snapshot())

What is committed survives the death of the process, and is checked when it is read: a session that is damaged is named,
and the others go on. Not covered: power cuts, which may take the last few events with
them (never leaving half of one); and several threads, each of which needs a Journal of its own.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from thinkaloud.errors import JournalError, SessionDamaged, UnknownName
from thinkaloud.records import Record
from thinkaloud.remember.database import Database
from thinkaloud.remember.heard_messages import HeardMessages
from thinkaloud.remember.session import Session as Session
from thinkaloud.remember.session import SessionInfo as SessionInfo
from thinkaloud.serialization import record_kind, to_data

_BEGINNING = """
    INSERT INTO sessions (id, started, checksum, heard_checksum)
    VALUES (:id, :started, checksum(:id, :started, 0, NULL, 0), checksum(:id, 0)) ON CONFLICT DO NOTHING
"""


def _local_now() -> datetime:
    return datetime.now().astimezone()


class Journal:
    """All sessions of one home folder; made where there is none, never deleted or overwritten where there is one."""

    def __init__(
        self,
        path: Path,
        *,
        patience: float = 2.0,
        now: Callable[[], datetime] = _local_now,
        to_write: bool = True,
    ) -> None:
        """Where nothing is `to_write`, a journal that may not be written is opened as well."""
        self.path = path
        self._now = now
        self._db = Database(path, patience, to_write=to_write)
        self._heard = HeardMessages(self._db)
        self._writers: list[Session] = []

    def begin(self) -> Session:
        """A new session, with a short readable id such as `20261115-7f3a`, for this process to write."""
        now = self._now()
        while True:
            id = f"{now:%Y%m%d}-{secrets.token_hex(2)}"
            row = {"id": id, "started": now.isoformat(timespec="seconds")}
            with self._db.trouble(), self._db.transaction():
                made = self._db.execute(_BEGINNING, row)
            if made.rowcount:
                return self.resume(id)

    def open(self, id: str) -> Session:
        """A session to read, by its id or the beginning of it; also one that another process is writing."""
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
        return self._session(*exact[0])

    def resume(self, id: str) -> Session:
        """A session for this process to go on writing; refused while another is still at it."""
        session = self.open(id)
        session.claim()
        return session

    def fork(self, id: str, at: int, begin: Record) -> Session:
        """A new session that has what another has up to an event, but for its beginning; for this process to write.

        Of one that is damaged, what came before the damage can be gone on with.
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
        """All sessions, the newest first; one that is seen to be damaged says so, and the others go on."""
        with self._db.trouble():
            rows = self._db.execute("SELECT number, id, started FROM sessions ORDER BY number DESC").fetchall()
        return [
            Session(self._db, self._writers, number, str(id)).describe(str(started)) for number, id, started in rows
        ]

    def find_damage(self) -> Iterator[JournalError]:
        """Read all that there is; the first damage of each session that has any, and what is of no session."""
        for info in self.sessions():
            try:
                self.open(info.id).check()
                self._heard.check(info.id)
            except SessionDamaged as damage:
                yield damage
        yield from self._heard.find_damage()

    def note(self, message: str, session: str) -> bool:
        """Take note that a message was heard in a session; False where it was before: it is not to be heard twice."""
        return self._heard.note(message, session)

    def noted(self, message: str) -> str | None:
        """The session in which a message was heard, if it was."""
        return self._heard.find(message)

    def _session(self, number: int, id: object) -> Session:
        return Session(self._db, self._writers, number, str(id))

    def close(self) -> None:
        """Let go of the file, and of every session that was being written."""
        for session in list(self._writers):
            session.close()
        self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def export_lines(session: Session, *, measurements: bool = False) -> Iterator[str]:
    """A session as JSON lines; the same episode gives the same bytes, unless measurements are wanted too."""
    for index, at, record in session.events():
        yield render_event(index, at, record, measurements=measurements)


def render_event(index: int, at: float, record: Record, *, measurements: bool = False) -> str:
    """One event as a line of JSON: `{"index":0,"at":0.0,"kind":"request","text":"…"}`."""
    head = {"index": index, "at": round(at, 3), "kind": record_kind(record)}
    body = to_data(record, measurements=measurements)
    # Sorted all the way down, since the order of a mapping may come from a set.
    return json.dumps(head, separators=(",", ":"))[:-1] + _fields(body) + "}"


def _fields(body: dict[str, Any]) -> str:
    return "," + msgspec.json.encode(body, order="sorted").decode()[1:-1] if body else ""
