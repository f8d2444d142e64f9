"""The journal: every event of every run, on disk before the next thing happens.

One SQLite file holds all sessions. Many processes may read it at once; one process at a time writes a session, held to
that by a lock which the operating system lets go of when the process dies.

    with Journal(settings.journal) as journal, journal.begin() as session:
        session.commit(0, 0.0, Begin("tabletop", "thinkaloud", "embedded", seed=7), world.snapshot())

What is committed survives the death of the process. Not covered: power cuts, which may take the last few events with
them (never leaving half of one); and several threads, each of which needs a Journal of its own.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import msgspec

from thinkaloud.errors import JournalError, UnknownName
from thinkaloud.models.contract import Verbatim
from thinkaloud.record_data import from_data, record_kind, to_data
from thinkaloud.records import Record, writable
from thinkaloud.remember.listing import SessionInfo as SessionInfo
from thinkaloud.remember.listing import session_info
from thinkaloud.remember.lock import lock, locked, unlock
from thinkaloud.remember.schema import ELSEWHERE, MIGRATIONS, TABLES, advise
from thinkaloud.remember.upgrades import upgrade

_COPIED = {
    "events": "event_index, at, kind, data",
    "snapshots": "event_index, data",
    "exchanges": "event_index, prompt, answer",
}
"""What a fork has of what it comes from."""
_encoder = msgspec.json.Encoder(enc_hook=dict)  # a mapping need not be a dict


def _local_now() -> datetime:
    return datetime.now().astimezone()


class Journal:
    """All sessions of one home folder; made where there is none, never deleted or overwritten where there is one."""

    def __init__(self, path: Path, *, patience: float = 2.0, now: Callable[[], datetime] = _local_now) -> None:
        self.path = path
        self._now = now
        self._writers: list[Session] = []
        with self._trouble():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=patience, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    def _prepare(self) -> None:
        if self._version() < len(MIGRATIONS):
            # One process at a time: SQLite does not wait for its turn when two switch a new file to WAL at once.
            with locked(self.path.with_name(f"{self.path.name}.lock")):
                self._db.execute("PRAGMA journal_mode = WAL")
                done = self._version()
                for target, script in enumerate(MIGRATIONS[done:], start=done + 1):
                    self._migrate(script, target)
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA foreign_keys = ON")

    def _migrate(self, script: str, target: int) -> None:
        with self._transaction():
            for statement in script.split(";"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {target}")

    def _version(self) -> int:
        self._db.execute("BEGIN")  # one look at both, while another process may just be making the tables
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        tables = {row[0] for row in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        self._db.execute("COMMIT")
        if version > len(MIGRATIONS):
            raise JournalError(f"{self.path} was written by a newer thinkaloud: upgrade thinkaloud, or {ELSEWHERE}.")
        if tables != TABLES[version]:
            raise JournalError(f"{self.path} is a database of another program: {ELSEWHERE}.")
        return version

    def begin(self) -> Session:
        """A new session, with a short readable id such as `20261115-7f3a`, for this process to write."""
        now = self._now()
        while True:
            id = f"{now:%Y%m%d}-{secrets.token_hex(2)}"
            row = (id, now.isoformat(timespec="seconds"))
            with self._trouble(), self._transaction():
                made = self._db.execute("INSERT INTO sessions (id, started) VALUES (?, ?) ON CONFLICT DO NOTHING", row)
            if made.rowcount:
                return self.resume(id)

    def open(self, id: str) -> Session:
        """A session to read, by its id or the beginning of it; also one that another process is writing."""
        with self._trouble():
            query = "SELECT number, id FROM sessions WHERE substr(id, 1, ?) = ? ORDER BY number"
            found = self._db.execute(query, (len(id), id)).fetchall() if id else []
            if not found:
                recent = self._db.execute("SELECT id FROM sessions ORDER BY number DESC LIMIT 10").fetchall()
                raise UnknownName("session", id, (row[0] for row in recent))
        exact = [row for row in found if row[1] == id] or found
        if len(exact) > 1:
            listed = ", ".join(row[1] for row in exact[-10:])
            raise JournalError(f"{len(exact)} sessions begin with {id!r}: give more of the id, for example {listed}.")
        return Session(self, *exact[0])

    def resume(self, id: str) -> Session:
        """A session for this process to go on writing; refused while another is still at it."""
        session = self.open(id)
        session.claim()
        return session

    def fork(self, id: str, at: int, begin: Record) -> Session:
        """A new session that has what another has up to an event, but for its beginning; for this process to write."""
        origin = self.open(id)
        origin.require(at)
        session = self.begin()
        with self._trouble(), self._transaction():
            for table, columns in _COPIED.items():
                query = f"INSERT INTO {table} SELECT ?, {columns} FROM {table} WHERE session = ? AND event_index <= ?"
                self._db.execute(query, (session._number, origin._number, at))
            first = (session._written(0, begin), session._number)
            self._db.execute("UPDATE events SET data = ? WHERE session = ? AND event_index = 0", first)
        session._recall()
        return session

    def sessions(self) -> list[SessionInfo]:
        """All sessions, the newest first."""
        event = "SELECT data FROM events WHERE session = number"
        # A session is over if nothing was asked of it after its last end.
        query = f"""
            SELECT id, started,
                (SELECT max(event_index) + 1 FROM events WHERE session = number),
                ({event} AND kind = 'begin' ORDER BY event_index LIMIT 1),
                ({event} AND kind = 'request' ORDER BY event_index LIMIT 1),
                ({event} AND kind IN ('begin', 'request', 'resumed', 'end') ORDER BY event_index DESC LIMIT 1)
            FROM sessions ORDER BY number DESC
        """
        with self._trouble():
            return [session_info(*row) for row in self._db.execute(query)]

    def note(self, message: str, session: str) -> bool:
        """Take note that a message was heard in a session; False where it was before: it is not to be heard twice."""
        with self._trouble():
            row = (message, session)
            return bool(self._db.execute("INSERT INTO messages VALUES (?, ?) ON CONFLICT DO NOTHING", row).rowcount)

    def noted(self, message: str) -> str | None:
        """The session in which a message was heard, if it was."""
        with self._trouble():
            row = self._db.execute("SELECT session FROM messages WHERE message = ?", (message,)).fetchone()
        return None if row is None else str(row[0])

    def close(self) -> None:
        """Let go of the file, and of every session that was being written."""
        for session in list(self._writers):
            session.close()
        self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        """What SQLite and the file system say, as one line that says what to do."""
        try:
            yield
        except OSError as error:
            in_the_way = isinstance(error, FileExistsError | NotADirectoryError)
            why = f"{self.path.parent} is no folder" if in_the_way else error.strerror or error
            raise JournalError(
                f"{self.path} cannot be opened: {why}. Set THINKALOUD_HOME to another folder."
            ) from error
        except sqlite3.Error as error:
            raise JournalError(advise(self.path, error)) from error


class Session:
    """One run: its events, numbered from 0, and the world as it was along the way."""

    def __init__(self, journal: Journal, number: int, id: str) -> None:
        self.id = id
        self._journal = journal
        self._number = number
        self._lock: TextIO | None = None
        self._next = 0
        self._kept: bytes | None = None
        self._checkpointed = False

    def claim(self) -> None:
        """Become the one who writes this session; happens by itself at the first commit."""
        if self._lock is not None:
            return
        path = self._journal.path
        with self._journal._trouble():
            self._lock = lock(path.with_name(f"{path.name}.{self.id}.lock"), wait=False)
            if self._lock is None:
                raise JournalError(f"Session {self.id} is still running in another process: stop that one first.")
            self._journal._writers.append(self)
        try:
            self._recall()
        except BaseException:
            self.close()
            raise

    def _recall(self) -> None:
        self._next = self.count()
        with self._journal._trouble():
            self._kept = self.snapshot_at(self._next)
            self._checkpointed = self._row("SELECT 1 FROM checkpoints WHERE session = ?") is not None

    def count(self) -> int:
        """How many events there are."""
        with self._journal._trouble():
            last = self._row("SELECT max(event_index) FROM events WHERE session = ?")[0]
        return 0 if last is None else int(last) + 1

    def require(self, index: int) -> None:
        """JournalError where there is no such event."""
        count = self.count()
        if not 0 <= index < count:
            raise JournalError(f"Session {self.id} has events 0 to {count - 1}, and no {index}.")

    def commit(
        self, index: int, at: float, record: Record, snapshot: bytes | None = None, said: Verbatim | None = None
    ) -> None:
        """Write down the next event and, in the same breath, the world at that moment (None: as it was before).

        `said` is what a model was asked and answered, where the event is that it was.
        """
        self.claim()
        if index != self._next:
            raise JournalError(f"Session {self.id}: event {index} was to be written, but {self._next} is the next one.")
        row = (self._number, index, at, record_kind(record), self._written(index, record))
        moved = snapshot is not None and snapshot != self._kept
        settled = snapshot is not None and self._checkpointed
        execute = self._journal._db.execute
        alone = not (moved or settled or said)  # one statement is a transaction by itself
        with self._journal._trouble(), nullcontext() if alone else self._journal._transaction():
            execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
            if said is not None:
                packed = zlib.compress(writable(said.prompt).encode(), 1)
                execute("INSERT INTO exchanges VALUES (?, ?, ?, ?)", (*row[:2], packed, writable(said.answer)))
            if moved:
                execute("INSERT INTO snapshots VALUES (?, ?, ?)", (self._number, index, snapshot))
            if settled:
                execute("DELETE FROM checkpoints WHERE session = ?", (self._number,))
        self._next += 1
        if snapshot is not None:
            self._kept, self._checkpointed = snapshot, False

    def checkpoint(self, at: float, snapshot: bytes) -> None:
        """The world in the middle of a skill, in case that the process ends here; replaces the one before."""
        self.claim()
        with self._journal._trouble():  # one statement is a transaction by itself
            row = (self._number, at, snapshot)
            self._journal._db.execute("INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?)", row)
        self._checkpointed = True

    def events(self) -> list[tuple[int, float, Record]]:
        """Every event so far: its index, the seconds since the run began, and the record."""
        query = "SELECT event_index, at, kind, data FROM events WHERE session = ? ORDER BY event_index"
        with self._journal._trouble():
            rows = self._journal._db.execute(query, (self._number,))
            return [(index, at, self._read(index, kind, data)) for index, at, kind, data in rows]

    def snapshot(self) -> bytes | None:
        """The world as it was last seen."""
        query = """
            SELECT data FROM checkpoints WHERE session = ?1
            UNION ALL SELECT * FROM (
                SELECT data FROM snapshots WHERE session = ?1 ORDER BY event_index DESC LIMIT 1
            ) LIMIT 1
        """
        with self._journal._trouble():
            row = self._row(query)
        return None if row is None else bytes(row[0])

    def snapshot_at(self, index: int) -> bytes | None:
        """The world as it was at an event: the last snapshot committed with that event or before it."""
        query = """
            SELECT data FROM snapshots WHERE session = ? AND event_index <= ? ORDER BY event_index DESC LIMIT 1
        """
        with self._journal._trouble():
            row = self._row(query, index)
        return None if row is None else bytes(row[0])

    def verbatim(self, index: int) -> Verbatim | None:
        """What a model was asked and said, word for word, at an event; None where the event is another."""
        with self._journal._trouble():
            row = self._row("SELECT prompt, answer FROM exchanges WHERE session = ? AND event_index = ?", index)
        return None if row is None else Verbatim(zlib.decompress(row[0]).decode(), row[1])

    def discard(self) -> None:
        """Leave no trace of this session: for one in which nothing was asked of the robot."""
        self.claim()
        with self._journal._trouble():
            self._journal._db.execute("DELETE FROM sessions WHERE number = ?", (self._number,))
        self.close()

    def close(self) -> None:
        """Let others write this session."""
        if self._lock is not None:
            unlock(self._lock)
            self._lock = None
            self._journal._writers.remove(self)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _written(self, index: int, record: Record) -> str:
        try:
            data = _encoder.encode(record)
            msgspec.json.decode(data, type=type(record))  # what could not be read again (a NaN) must not get in
        except UnicodeEncodeError as error:
            raise JournalError(f"Session {self.id}: event {index} is not text that UTF-8 can hold: {error}.") from error
        except msgspec.DecodeError as error:
            raise self._unreadable(index, record_kind(record), error) from error
        return data.decode()

    def _read(self, index: int, kind: str, data: str) -> Record:
        try:
            return from_data(kind, upgrade(kind, msgspec.json.decode(data)))
        except ValueError as error:  # of msgspec, too
            raise self._unreadable(index, kind, error) from error

    def _unreadable(self, index: int, kind: str, error: Exception) -> JournalError:
        return JournalError(f"Session {self.id}: event {index} ({kind}) cannot be read: {error}.")

    def _row(self, query: str, *more: int) -> Any:
        return self._journal._db.execute(query, (self._number, *more)).fetchone()


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
