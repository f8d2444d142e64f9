"""The open journal file: for writing or, if that is not permitted, for reading.

Every complaint of SQLite or the file system becomes one line that says what to do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from thinkaloud.errors import JournalError
from thinkaloud.remember.lock import locked
from thinkaloud.remember.schema import MIGRATIONS, advice, checksum, may_not_be_written, migrate, version_of

Statement = tuple[str, tuple[Any, ...]]
"""SQL with `?`, and the values."""


class Database:
    """An open journal file."""

    def __init__(self, path: Path, patience: float, *, to_write: bool) -> None:
        self.path = path
        with self.trouble():
            try:
                self._db = _open(path, patience)
            except (sqlite3.Error, OSError) as error:
                if to_write or not may_not_be_written(error):
                    raise
                self._db = _open_unwritable(path, patience)

    def execute(self, query: str, values: tuple[Any, ...] | dict[str, Any] = ()) -> sqlite3.Cursor:
        """Run one statement; outside a transaction it is one by itself."""
        return self._db.execute(query, values)

    def write(self, *statements: Statement) -> int:
        """Run statements as one transaction, all or nothing; return how many rows the last one changed.

        An event of a running robot passes here, so this does without context managers, and one statement without BEGIN.
        """
        db = self._db
        own = len(statements) > 1 and not db.in_transaction
        try:
            if own:
                db.execute("BEGIN IMMEDIATE")
            changed = 0
            for query, values in statements:
                changed = db.execute(query, values).rowcount
            if own:
                db.execute("COMMIT")
        except BaseException as error:
            if own and db.in_transaction:
                db.execute("ROLLBACK")
            if not isinstance(error, sqlite3.Error):
                raise
            with self.trouble():
                raise
        return changed

    def shrink(self) -> None:
        """Give back what is free in the file."""
        with self.trouble():
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block as a transaction: all or nothing; a nested block is part of the outer one."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def view(self) -> Iterator[None]:
        """Hide what others write while this block runs; such blocks may be nested."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    @contextmanager
    def trouble(self) -> Iterator[None]:
        """Turn an error of SQLite or the file system into one line that says what to do."""
        try:
            yield
        except OSError as error:
            in_the_way = isinstance(error, FileExistsError | NotADirectoryError)
            why = f"{self.path.parent} is not a folder" if in_the_way else error.strerror or error
            raise JournalError(
                f"{self.path} cannot be opened: {why}. Set THINKALOUD_HOME to another folder."
            ) from error
        except sqlite3.Error as error:
            raise JournalError(advice(self.path, error)) from error
        except UnicodeDecodeError as error:  # a message of SQLite that quotes the damaged file
            raise JournalError(advice(self.path, _as_damage(error))) from error


def _as_damage(error: UnicodeDecodeError) -> sqlite3.DatabaseError:
    damage = sqlite3.DatabaseError(error.object.decode("utf-8", "backslashreplace"))
    damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return damage


def _open(path: Path, patience: float) -> sqlite3.Connection:
    """Open the journal's file; create or upgrade it if necessary."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    db = _connected(sqlite3.connect(path, timeout=patience, isolation_level=None))
    try:
        if version_of(db, path) < len(MIGRATIONS):
            # One process at a time: SQLite does not wait for its turn when two switch a new file to WAL at once.
            with locked(path.with_name(f"{path.name}.lock")):
                db.execute("PRAGMA journal_mode = WAL")
                migrate(db, path)
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        db.close()
        raise
    return db


def _open_unwritable(path: Path, patience: float) -> sqlite3.Connection:
    """Open a journal in a read-only folder; upgrade a copy in memory if it has an earlier version."""
    db = _open_to_read(path, patience)
    try:
        if version_of(db, path) == len(MIGRATIONS):
            return db
        aside = _connected(sqlite3.connect(":memory:", isolation_level=None))
        db.backup(aside)
        migrate(aside, path)
        aside.execute("PRAGMA query_only = ON")
    except BaseException:
        db.close()
        raise
    db.close()
    return aside


def _open_to_read(path: Path, patience: float) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}"
    db = sqlite3.connect(f"{uri}?mode=ro", timeout=patience, isolation_level=None, uri=True)
    try:
        db.execute("PRAGMA user_version")
        return _connected(db)
    except sqlite3.Error as error:
        db.close()
        if not may_not_be_written(error):
            raise
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise JournalError(
            f"{path} was not closed properly and can only be read in a writable folder. Copy its folder, and set "
            "THINKALOUD_HOME to the copy."
        )
    # SQLite cannot create its shared files here; nobody else can write this one either.
    return _connected(sqlite3.connect(f"{uri}?immutable=1", timeout=patience, isolation_level=None, uri=True))


def _connected(db: sqlite3.Connection) -> sqlite3.Connection:
    # Read text even if a flipped bit made it invalid UTF-8: the checksum will tell.
    db.text_factory = lambda raw: raw.decode("utf-8", "backslashreplace")
    db.create_function("checksum", -1, checksum, deterministic=True)
    return db
