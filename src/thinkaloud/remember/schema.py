"""The tables of the journal, from its first version to the one of today; and what SQLite says, in plain words."""

from __future__ import annotations

import sqlite3
from pathlib import Path

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
)
"""What takes the schema from each version (`PRAGMA user_version`) to the next."""

_FIRST = frozenset({"sessions", "events", "snapshots", "checkpoints"})
TABLES = (frozenset[str](), _FIRST, _FIRST | {"exchanges", "messages"})
"""The tables of each version."""

ELSEWHERE = "move it away, or set THINKALOUD_HOME to another folder"


def advise(path: Path, error: sqlite3.Error) -> str:
    """What is wrong with the file, and what to do about it, in one line."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return (
            f"{path} is locked by another program: end that one or try again, or set THINKALOUD_HOME to another folder."
        )
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return f"{path} is not a journal, or is damaged ({error}): {ELSEWHERE}."
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return f"{path} cannot be written ({error}): make it writable, or set THINKALOUD_HOME to another folder."
    if code == sqlite3.SQLITE_FULL:
        return f"{path} cannot grow: the disk is full. Make room, or set THINKALOUD_HOME to another folder."
    return f"{path} cannot be used ({error}): {ELSEWHERE}."
