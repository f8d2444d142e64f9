"""The journal's file: its tables, upgrades from earlier versions, and the checksums of its rows.

Every row has a checksum, so that a flipped bit is noticed when the row is read. A lost row is noticed, too: a session
knows how many events, model exchanges and messages it has and whether there is a checkpoint, and an event knows which
snapshot holds its world. Checksums detect damage. They do not prevent anyone from changing a journal on purpose.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from thinkaloud.errors import JournalError

MIGRATIONS = (
    """
    CREATE TABLE sessions (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, started TEXT NOT NULL);
    CREATE TABLE events (
        session INTEGER NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
        event_index INTEGER NOT NULL,
        at REAL NOT NULL,
        kind TEXT NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (session, event_index)
    ) WITHOUT ROWID;
    CREATE TABLE snapshots (
        session INTEGER NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
        event_index INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (session, event_index)
    );
    CREATE TABLE checkpoints (
        session INTEGER PRIMARY KEY REFERENCES sessions (number) ON DELETE CASCADE,
        at REAL NOT NULL,
        data BLOB NOT NULL
    );
    """,
    """
    CREATE TABLE exchanges (
        session INTEGER NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
        event_index INTEGER NOT NULL,
        prompt BLOB NOT NULL,
        answer TEXT NOT NULL,
        PRIMARY KEY (session, event_index)
    );
    CREATE TABLE messages (message TEXT PRIMARY KEY, session TEXT NOT NULL) WITHOUT ROWID;
    """,
    """
    ALTER TABLE sessions ADD COLUMN events INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN checkpoint REAL;
    ALTER TABLE sessions ADD COLUMN checksum BLOB;
    ALTER TABLE events ADD COLUMN world INTEGER;
    ALTER TABLE events ADD COLUMN checksum BLOB;
    ALTER TABLE snapshots ADD COLUMN checksum BLOB;
    ALTER TABLE checkpoints ADD COLUMN checksum BLOB;
    ALTER TABLE exchanges ADD COLUMN checksum BLOB
    """,
    """
    ALTER TABLE messages ADD COLUMN checksum BLOB;
    ALTER TABLE sessions ADD COLUMN exchanges INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN heard_checksum BLOB
    """,
    """
    CREATE TABLE acts (
        number INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL, session TEXT NOT NULL,
        checksum BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE names (
        session INTEGER PRIMARY KEY REFERENCES sessions (number) ON DELETE CASCADE,
        name TEXT NOT NULL,
        checksum BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE dictionaries (
        session INTEGER PRIMARY KEY REFERENCES sessions (number) ON DELETE CASCADE,
        data BLOB NOT NULL,
        checksum BLOB NOT NULL
    )
    """,
)
"""Statements that take the schema from each version (`PRAGMA user_version`) to the next."""

_SEALED, _ALL_SEALED = 3, 4
"""The versions in which checksums were added: to the rows of sessions, then to messages, with counts of exchanges."""
_SEALING = (
    "UPDATE snapshots SET checksum = checksum(:id, event_index, data) WHERE session = :number",
    "UPDATE checkpoints SET checksum = checksum(:id, at, data) WHERE session = :number",
    "UPDATE exchanges SET checksum = checksum(:id, event_index, prompt, answer) WHERE session = :number",
    """
    UPDATE events SET world = (
        SELECT max(event_index) FROM snapshots WHERE session = :number AND event_index <= events.event_index
    ) WHERE session = :number
    """,
    "UPDATE events SET checksum = checksum(:id, event_index, at, kind, world, data) WHERE session = :number",
    """
    UPDATE sessions SET
        events = (SELECT count(*) FROM events WHERE session = :number),
        checkpoint = (SELECT at FROM checkpoints WHERE session = :number)
    WHERE number = :number
    """,
    "UPDATE sessions SET checksum = checksum(id, started, events, checkpoint) WHERE number = :number",
)
"""Statements that add checksums to the rows of a session from before there were any."""

_EXCHANGES = "(SELECT count(*) FROM exchanges WHERE session = sessions.number)"
_COUNTING = (
    f"""
    UPDATE sessions SET checksum = checksum(id, started, events, checkpoint, {_EXCHANGES})
    WHERE checksum IS checksum(id, started, events, checkpoint)
    """,
    f"UPDATE sessions SET exchanges = {_EXCHANGES}",
    "UPDATE sessions SET heard = (SELECT count(*) FROM messages WHERE session = sessions.id)",
    "UPDATE sessions SET heard_checksum = checksum(id, heard)",
    "UPDATE messages SET checksum = checksum(message, session)",
)
"""Statements that count exchanges and messages in older sessions; damaged sessions stay damaged."""

_Shape = dict[str, list[tuple[Any, ...]]]
_ELSEWHERE = "move it away, or set THINKALOUD_HOME to another folder"
_NOT_TO_BE_WRITTEN = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def checksum(*parts: object) -> bytes:
    """Return eight bytes that change if any part changes; the last part may be large."""
    *head, body = parts
    digest = blake2b(repr(head).encode(), digest_size=8)
    digest.update(body if isinstance(body, bytes) else repr(body).encode())
    return digest.digest()


def may_not_be_written(error: Exception) -> bool:
    """Whether the file system refuses only writing."""
    return isinstance(error, PermissionError) or _code(error) in _NOT_TO_BE_WRITTEN


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite finds the file itself damaged."""
    return _code(error) in _DAMAGED


def advice(path: Path, error: sqlite3.Error) -> str:
    """Turn an error of SQLite into one line that says what to do."""
    said = "".join(letter if letter.isprintable() else " " for letter in str(error))  # it may quote the file's content
    if _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path} is locked by another program: stop it, try again, or set THINKALOUD_HOME to another folder."
    if is_damage(error):
        return f"{path} is not a journal, or is damaged ({said}): {_ELSEWHERE}."
    if may_not_be_written(error):
        return f"{path} cannot be written ({said}): make it writable, or set THINKALOUD_HOME to another folder."
    if _code(error) == sqlite3.SQLITE_FULL:
        return f"{path} cannot grow: the disk is full. Make room, or set THINKALOUD_HOME to another folder."
    return f"{path} cannot be used ({said}): {_ELSEWHERE}."


def version_of(db: sqlite3.Connection, path: Path) -> int:
    """Return the version of the file, 0 if it is empty; JournalError if it is not a journal, or a newer version."""
    db.execute("BEGIN")  # read both at one moment: another process may be creating the tables
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    shape = _shape_of(db)
    db.execute("COMMIT")
    if version > len(MIGRATIONS):
        raise JournalError(f"{path} was written by a newer thinkaloud: upgrade thinkaloud, or {_ELSEWHERE}.")
    if version < 0 or shape != _shape(version):
        raise JournalError(f"{path} is a database of another program, or damaged: {_ELSEWHERE}.")
    return version


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Upgrade a file to the current version."""
    done = version_of(db, path)
    for target, script in enumerate(MIGRATIONS[done:], start=done + 1):
        db.execute("BEGIN IMMEDIATE")
        try:
            for statement in script.split(";"):
                db.execute(statement)
            if target == _SEALED:
                _seal(db)
            if target == _ALL_SEALED:
                for statement in _COUNTING:
                    db.execute(statement)
            db.execute(f"PRAGMA user_version = {target}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise


def _seal(db: sqlite3.Connection) -> None:
    """Add checksums to all rows."""
    for number, id in db.execute("SELECT number, id FROM sessions").fetchall():
        for statement in _SEALING:
            db.execute(statement, {"number": number, "id": id})


def column_names() -> dict[str, list[str]]:
    """Return the current tables and the names of their columns."""
    return {table: [str(row[1]) for row in rows] for table, rows in _shape(len(MIGRATIONS)).items()}


@cache
def _shape(version: int) -> _Shape:
    """Return the tables and columns of a file of a version."""
    with closing(sqlite3.connect(":memory:")) as db:
        for script in MIGRATIONS[:version]:
            db.executescript(script)
        return _shape_of(db)


def _shape_of(db: sqlite3.Connection) -> _Shape:
    names = [str(row[0]) for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: db.execute("SELECT * FROM pragma_table_info(?)", (name,)).fetchall() for name in names}


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
