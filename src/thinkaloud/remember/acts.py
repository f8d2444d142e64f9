"""What named people did on the page or through the API: who, what, when, and in which session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from thinkaloud.errors import JournalError
from thinkaloud.remember.database import Database
from thinkaloud.remember.schema import checksum

_ADD = "INSERT INTO acts (at, who, what, session, checksum) VALUES (?, ?, ?, ?, ?)"
_LATEST = "SELECT at, who, what, session, checksum FROM acts ORDER BY number DESC LIMIT ?"


@dataclass(frozen=True, slots=True)
class Act:
    """Something that somebody did; `session` is empty if it belongs to none."""

    at: str
    who: str
    what: str
    session: str = ""


class Acts:
    """The acts of a journal. A lost row is not noticed; a damaged one is."""

    def __init__(self, db: Database, now: Callable[[], datetime]) -> None:
        self._db, self._now = db, now

    def add(self, who: str, what: str, session: str = "") -> None:
        """Record what somebody did."""
        row = (self._now().isoformat(timespec="seconds"), who, what, session)
        with self._db.trouble():
            self._db.execute(_ADD, (*row, checksum(*row)))

    def latest(self, most: int) -> list[Act]:
        """Return the latest acts, the newest first."""
        with self._db.trouble():
            rows = self._db.execute(_LATEST, (most,)).fetchall()
        for *row, written in rows:
            if checksum(*row) != written:
                raise JournalError(f"{self._db.path} is damaged: what {row[1]!r} did does not match its checksum.")
        return [Act(*map(str, row[:4])) for row in rows]
