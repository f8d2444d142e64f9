"""A session in the journal: the events of one run, and the world along the way, checked when read."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, TextIO

import msgspec

from thinkaloud.errors import BadInput, JournalError, SessionDamaged
from thinkaloud.models.contract import Verbatim
from thinkaloud.records import Begin, End, Record, Request, writable
from thinkaloud.remember.database import Database, Statement
from thinkaloud.remember.lock import lock, unlock
from thinkaloud.remember.packing import NotUnpacked, choose_dictionary, pack, unpack
from thinkaloud.remember.record_upgrades import upgrade
from thinkaloud.remember.schema import checksum, is_damage
from thinkaloud.serialization import from_data, record_kind, to_data

_Row = tuple[Any, ...]
_HEAD = "SELECT started, events, checkpoint, exchanges, checksum FROM sessions WHERE number = ?"
_NEW_HEAD = "UPDATE sessions SET events = ?, checkpoint = ?, exchanges = ?, checksum = ? WHERE number = ?"
_NEW_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)"
_NEW_EXCHANGE = "INSERT INTO exchanges VALUES (?, ?, ?, ?, ?)"
_NEW_SNAPSHOT = "INSERT INTO snapshots VALUES (?, ?, ?, ?)"
_FIRST_CHECKPOINT = "INSERT OR REPLACE INTO checkpoints (at, data, checksum, session) VALUES (?, ?, ?, ?)"
_LATER_CHECKPOINT = "UPDATE checkpoints SET at = ?, data = ?, checksum = ? WHERE session = ?"
_NO_CHECKPOINT = "DELETE FROM checkpoints WHERE session = ?"
_CALL = "modelcall"
_MOST_LISTED = 50
FORKED = "forked"
"""The option of a run that says where it was forked from: ID@EVENT."""
LONGEST_NAME = 80
_EXCHANGES = f"""
    SELECT count(*) FROM exchanges JOIN events USING (session, event_index) WHERE session = ? AND kind = '{_CALL}'
"""
_EVENT = "SELECT event_index, at, kind, world, data, checksum FROM events WHERE session = ?"


def _tell_lost(first: int, head: _Row | None) -> str:
    """Say which events cannot be read any more, if the number of events is known."""
    last = head[1] - 1 if head is not None and isinstance(head[1], int) else -1
    if last < first:
        return ""
    return f"Lost: event {first}." if first == last else f"Lost: events {first} to {last}."


class _Head(NamedTuple):
    """How many events there are, since when there has been a checkpoint (if there is one), and how many model calls."""

    events: int = 0
    checkpoint: float | None = None
    exchanges: int = 0


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One line of the list of sessions: `request` is the latest one, and `result` is how that ended."""

    id: str
    started: str
    request: str
    result: str
    events: int
    world: str
    preset: str
    model: str
    damage: str = ""
    """What is wrong with it, if the list already shows that."""
    name: str = ""
    """What people call it, if they have named it."""
    parent: str = ""
    """The session and the event from which it was forked: `20261115-ac8d@4`."""
    requests: int = 0
    """How many requests there were."""
    earlier: tuple[str, ...] = ()
    """Those before the latest, at most 50 of them."""


class Session:
    """One run: its events, numbered from 0, and snapshots of the world along the way."""

    def __init__(self, db: Database, writers: list[Session], number: int, id: str) -> None:
        self.id = id
        self._db, self._writers = db, writers
        self._number = number
        self._started = ""
        self._lock: TextIO | None = None
        self._next = 0
        self._kept: bytes | None = None
        self._world: int | None = None
        self._checkpoint: float | None = None
        self._exchanges = 0
        self._dictionary: bytes | None = None

    def claim(self) -> None:
        """Become the writer of this session; the first commit does this by itself."""
        if self._lock is not None:
            return
        path = self._db.path
        with self._db.trouble():
            self._lock = lock(path.with_name(f"{path.name}.{self.id}.lock"), wait=False)
            if self._lock is None:
                raise JournalError(f"Session {self.id} is still running in another process: stop that process first.")
            self._writers.append(self)
        try:
            self._recall()
        except BaseException:
            self.close()
            raise

    def _recall(self) -> None:
        with self._reading():
            self._next, self._checkpoint, self._exchanges = self._head()
            self._started = self._row(_HEAD)[0]
            self._kept, self._world = self._world_at(self._next)

    def count(self) -> int:
        """How many events there are."""
        with self._reading():
            return self._head().events

    def require(self, index: int) -> None:
        """Raise JournalError if there is no such event."""
        count = self.count()
        if not 0 <= index < count:
            raise JournalError(f"Session {self.id} has events 0 to {count - 1}; there is no event {index}.")

    def commit(
        self, index: int, at: float, record: Record, snapshot: bytes | None = None, said: Verbatim | None = None
    ) -> None:
        """Write the next event together with the world at that moment (None means unchanged).

        `said` is the exchange with a model, if the event is a model call.
        """
        self.claim()
        if index != self._next:
            raise JournalError(f"Session {self.id}: cannot write event {index}; the next one is {self._next}.")
        kind, data = record_kind(record), self._written(index, record)
        moved = snapshot is not None and snapshot != self._kept
        world = index if moved else self._world
        checkpoint = None if snapshot is not None else self._checkpoint
        event = (self._number, index, at, kind, data, world, checksum(self.id, index, float(at), kind, world, data))
        exchanges = self._exchanges + (said is not None)
        rows: list[Statement] = [(_NEW_EVENT, event)]
        if said is not None:
            packed, answer = zlib.compress(writable(said.prompt).encode(), 1), writable(said.answer)
            rows.append(
                (_NEW_EXCHANGE, (self._number, index, packed, answer, checksum(self.id, index, packed, answer)))
            )
        if moved:
            rows.append((_NEW_SNAPSHOT, (self._number, index, snapshot, checksum(self.id, index, snapshot))))
        if checkpoint != self._checkpoint:
            rows.append((_NO_CHECKPOINT, (self._number,)))
        self._db.write(*rows, self._new_head(_Head(index + 1, checkpoint, exchanges)))
        self._next, self._world, self._checkpoint, self._exchanges = index + 1, world, checkpoint, exchanges
        self._kept = self._kept if snapshot is None else snapshot

    def checkpoint(self, at: float, snapshot: bytes) -> None:
        """Keep the world in the middle of a skill, in case the process ends here; replaces the previous checkpoint.

        The beginning of the session says since when there has been one, so that most of them are a single write.
        """
        self.claim()
        row = (float(at), snapshot, checksum(self.id, float(at), snapshot), self._number)
        if self._checkpoint is not None and self._db.write((_LATER_CHECKPOINT, row)) == 1:
            return
        self._db.write((_FIRST_CHECKPOINT, row), self._new_head(_Head(self._next, float(at), self._exchanges)))
        self._checkpoint = float(at)

    def events(self) -> list[tuple[int, float, Record]]:
        """Return every event so far: its index, the seconds since the run began, and the record."""
        return list(self._intact())

    def salvage(self) -> tuple[list[tuple[int, float, Record]], str]:
        """Return the events before the first damage, and a description of the damage; empty if there is none."""
        found: list[tuple[int, float, Record]] = []
        try:
            found.extend(self._intact())
        except JournalError as error:
            return found, str(error)
        return found, ""

    def snapshot(self) -> bytes | None:
        """Return the world as it was last saved."""
        with self._reading():
            events, checkpoint, _ = self._head()
            if checkpoint is None:
                return self._world_at(events)[0]
            row = self._row("SELECT at, data, checksum FROM checkpoints WHERE session = ?")
            later = row is not None and row[0] >= checkpoint
            return self._kept_world("in the middle of a step", row, row[0] if later else checkpoint)

    def snapshot_at(self, index: int) -> bytes | None:
        """Return the world at an event: the last snapshot committed with that event or before it."""
        with self._reading():
            return self._world_at(index)[0]

    def verbatim(self, index: int) -> Verbatim | None:
        """Return the exact prompt and answer of a model call; None if the event is not one."""
        with self._reading():
            row = self._row(
                "SELECT prompt, answer, checksum FROM exchanges WHERE session = ? AND event_index = ?", index
            )
            if row is None and self._is_call(index) and self._head().exchanges != self._row(_EXCHANGES)[0]:
                raise self._damaged(f"the model's answer at event {index} is missing")
        if row is None:
            return None
        if checksum(self.id, index, *row[:2]) != row[2]:
            raise self._damaged(f"the model's answer at event {index} does not match its checksum")
        with self._reading():
            return Verbatim(self._unpacked(row[0], f"the prompt at event {index}"), row[1])

    def _is_call(self, index: int) -> bool:
        row = self._row("SELECT kind FROM events WHERE session = ? AND event_index = ?", index)
        return row is not None and row[0] == _CALL

    def check(self) -> None:
        """Read everything; raise SessionDamaged if anything is missing or damaged."""
        for index, _, _ in self.events():
            self.snapshot_at(index)
            self.verbatim(index)
        self.snapshot()
        self.name()

    def describe(self, started: str) -> SessionInfo:
        """Return its line in the list of sessions."""
        damage, name, events, first, last, requests = "", "", 0, None, None, 0
        asked: list[str] = []
        try:
            with self._reading():
                events = self._head().events
                first, (requests, asked) = self._find("begin"), self._find_requests()
                # A session is over if nothing was requested after its last end.
                last = self._find("begin", "request", "duerequest", "resumed", "end", latest=True)
                self._world_at(events)
                name = self.name()
        except JournalError as error:
            damage = str(error)
        result = last.result if isinstance(last, End) else "unfinished"
        return SessionInfo(
            id=self.id,
            started=started,
            request=asked[-1] if asked else "",
            result="damaged" if damage else result,
            events=events,
            world=first.world if isinstance(first, Begin) else "",
            preset=first.preset if isinstance(first, Begin) else "",
            model=first.model if isinstance(first, Begin) else "",
            damage=damage,
            name=name,
            parent=first.options.get(FORKED, "") if isinstance(first, Begin) else "",
            requests=requests,
            earlier=tuple(asked[:-1]),
        )

    def name(self) -> str:
        """What people call it; empty if they have not named it."""
        with self._reading():
            row = self._row("SELECT name, checksum FROM names WHERE session = ?")
        if row is not None and checksum(self.id, row[0]) != row[1]:
            raise self._damaged("its name does not match its checksum")
        return "" if row is None else str(row[0])

    def rename(self, name: str) -> None:
        """Give it another name, or none; another process may be writing its events meanwhile."""
        named = " ".join(writable(name).split())
        if len(named) > LONGEST_NAME or not named.isprintable():
            raise BadInput(f"A name is one line of at most {LONGEST_NAME} characters that can be read.")
        with self._db.trouble(), self._db.transaction():
            self._db.execute("DELETE FROM names WHERE session = ?", (self._number,))
            if named:
                self._db.execute("INSERT INTO names VALUES (?, ?, ?)", (self._number, named, checksum(self.id, named)))

    def discard(self) -> None:
        """Delete this session, for good; JournalError while another process writes it. A damaged one goes, too."""
        with suppress(SessionDamaged):
            self.claim()
        with self._db.trouble(), self._db.transaction():
            self._db.execute("DELETE FROM sessions WHERE number = ?", (self._number,))
            self._db.execute("DELETE FROM messages WHERE session = ?", (self.id,))
        self.close()

    def pack(self) -> None:
        """Make it smaller without losing anything; refused while another process writes it, or if it is damaged."""
        self.check()
        self.claim()
        try:
            with self._db.trouble(), self._db.transaction():
                self._dictionary = self._read_dictionary() or self._keep_dictionary()
                self._pack_rows(self._dictionary)
        finally:
            self.close()

    def _keep_dictionary(self) -> bytes:
        prompts = self._db.execute("SELECT prompt FROM exchanges WHERE session = ?", (self._number,)).fetchall()
        texts = self._db.execute("SELECT data FROM events WHERE session = ?", (self._number,)).fetchall()
        dictionary = choose_dictionary([*(row[0] for row in texts), *(unpack(row[0], b"") for row in prompts)])
        row = self._number, dictionary, checksum(self.id, dictionary)
        self._db.execute("INSERT INTO dictionaries VALUES (?, ?, ?)", row)
        return dictionary

    def _pack_rows(self, dictionary: bytes) -> None:
        """An event's checksum is that of its content, so it stays; that of an exchange is of what is stored."""
        events = "SELECT event_index, data FROM events WHERE session = ? AND typeof(data) = 'text'"
        for index, data in self._db.execute(events, (self._number,)).fetchall():
            packed = pack(data, dictionary)
            if len(packed) < len(data.encode()):
                change = "UPDATE events SET data = ? WHERE session = ? AND event_index = ?"
                self._db.execute(change, (packed, self._number, index))
        exchanges = "SELECT event_index, prompt, answer FROM exchanges WHERE session = ?"
        for index, prompt, answer in self._db.execute(exchanges, (self._number,)).fetchall():
            packed = pack(unpack(prompt, dictionary), dictionary)
            if len(packed) < len(prompt):
                change = "UPDATE exchanges SET prompt = ?, checksum = ? WHERE session = ? AND event_index = ?"
                self._db.execute(change, (packed, checksum(self.id, index, packed, answer), self._number, index))

    def close(self) -> None:
        """Let other processes write this session."""
        if self._lock is not None:
            unlock(self._lock)
            self._lock = None
            self._writers.remove(self)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _written(self, index: int, record: Record) -> str:
        try:
            data = msgspec.json.encode(to_data(record))
            from_data(record_kind(record), msgspec.json.decode(data))  # fails for what could not be read back (a NaN)
        except UnicodeEncodeError as error:
            raise JournalError(
                f"Session {self.id}: event {index} contains text that UTF-8 cannot represent: {error}."
            ) from error
        except msgspec.DecodeError as error:
            raise self._unreadable(index, record_kind(record), error) from error
        return data.decode()

    # Reading and checking ---------------------------------------------------------------------------------------------

    def _intact(self) -> Iterator[tuple[int, float, Record]]:
        """Yield the events in order, up to the first damage."""
        with self._reading():
            head, seen = self._row(_HEAD), 0
            for row in self._db.execute(f"{_EVENT} ORDER BY event_index", (self._number,)):
                try:
                    event = self._event(row, seen)
                except SessionDamaged as damage:
                    raise SessionDamaged(self.id, damage.what, _tell_lost(seen, head)) from None
                yield event
                seen += 1
            if seen < self._checked_head(head).events:
                raise SessionDamaged(self.id, f"event {seen} is missing", _tell_lost(seen, head))

    def _head(self) -> _Head:
        return self._checked_head(self._row(_HEAD))

    def _checked_head(self, row: _Row | None) -> _Head:
        if row is None:
            raise self._damaged("its beginning is missing")
        started, *head, written = row
        if checksum(self.id, started, *head) != written:
            raise self._damaged("its beginning does not match its checksum")
        return _Head(*head)

    def _event(self, row: _Row, expected: int) -> tuple[int, float, Record]:
        index, at, kind, world, data, written = row
        if index != expected:
            raise self._damaged(f"event {expected} is missing")
        if isinstance(data, bytes):
            data = self._unpacked(data, f"event {index}")
        if checksum(self.id, index, at, kind, world, data) != written:
            raise self._damaged(f"event {index} does not match its checksum")
        try:
            return index, at, from_data(kind, upgrade(kind, msgspec.json.decode(data)))
        except ValueError as error:  # includes msgspec's errors
            raise self._unreadable(index, kind, error) from error

    def _unpacked(self, data: bytes, what: str) -> str:
        """What was compressed, with the session's dictionary if it has been packed."""
        if self._dictionary is None:
            self._dictionary = self._read_dictionary()
        try:
            return unpack(data, self._dictionary)
        except NotUnpacked:
            self._dictionary = self._read_dictionary()  # another process may have packed it meanwhile
        try:
            return unpack(data, self._dictionary)
        except NotUnpacked as error:
            raise self._damaged(f"{what} cannot be unpacked ({error})") from error

    def _read_dictionary(self) -> bytes:
        row = self._row("SELECT data, checksum FROM dictionaries WHERE session = ?")
        if row is None:
            return b""
        if checksum(self.id, row[0]) != row[1]:
            raise self._damaged("what it was packed with does not match its checksum")
        dictionary: bytes = row[0]
        return dictionary

    def _find(self, *kinds: str, latest: bool = False) -> Record | None:
        """Return the first or the latest record of some kinds."""
        among, order = ", ".join("?" * len(kinds)), "DESC" if latest else "ASC"
        row = self._row(f"{_EVENT} AND kind IN ({among}) ORDER BY event_index {order} LIMIT 1", *kinds)
        return None if row is None else self._event(row, row[0])[2]

    def _find_requests(self) -> tuple[int, list[str]]:
        """How many requests there were, and what the latest of them said, the oldest first."""
        kinds = "kind IN ('request', 'duerequest')"
        (count,) = self._row(f"SELECT COUNT(*) FROM events WHERE session = ? AND {kinds}")
        query = f"{_EVENT} AND {kinds} ORDER BY event_index DESC LIMIT ?"
        rows = self._db.execute(query, (self._number, _MOST_LISTED + 1)).fetchall()
        found = [self._event(row, row[0])[2] for row in reversed(rows)]
        return count, [each.text for each in found if isinstance(each, Request)]

    def _world_at(self, index: int) -> tuple[bytes | None, int | None]:
        """Return the world at an event (or the last before it), and the event it was saved with."""
        events = self._head().events
        at = min(index, events - 1)
        if at < 0:
            return None, None
        row = self._row(f"{_EVENT} AND event_index = ?", at)
        self._event(row or (None,) * 6, at)
        if (world := row[3]) is None:
            return None, None
        query = "SELECT event_index, data, checksum FROM snapshots WHERE session = ? AND event_index = ?"
        return self._kept_world(f"at event {world}", self._row(query, world), world), world

    def _kept_world(self, when: str, row: _Row | None, key: float) -> bytes:
        if row is None or row[0] != key:
            raise self._damaged(f"the world {when} is missing")
        if checksum(self.id, *row[:2]) != row[2]:
            raise self._damaged(f"the world {when} does not match its checksum")
        data: bytes = row[1]
        return data

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Read a consistent view in this block; a damaged part of the file counts as damage of this session."""
        with self._db.trouble():
            try:
                with self._db.view():
                    yield
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                raise self._damaged(f"a part of {self._db.path} is damaged ({error})") from error

    def _new_head(self, head: _Head) -> Statement:
        return _NEW_HEAD, (*head, checksum(self.id, self._started, *head), self._number)

    def _damaged(self, what: str) -> SessionDamaged:
        return SessionDamaged(self.id, what)

    def _unreadable(self, index: int, kind: str, error: Exception) -> JournalError:
        return JournalError(f"Session {self.id}: event {index} ({kind}) cannot be read: {error}.")

    def _row(self, query: str, *more: int | str) -> Any:
        return self._db.execute(query, (self._number, *more)).fetchone()
