"""Which messages were heard in which session, so that no message is handled twice."""

from __future__ import annotations

from thinkaloud.errors import JournalError, SessionDamaged
from thinkaloud.remember.database import Database
from thinkaloud.remember.schema import checksum

_NOTE = "INSERT INTO messages VALUES (:message, :session, checksum(:message, :session))"
_FIND = "SELECT session, checksum FROM messages WHERE +message = ?"
"""Checks every row, because in an index a damaged row hides others."""
_COUNT = "UPDATE sessions SET heard = heard + 1, heard_checksum = checksum(id, heard + 1) WHERE id = :session"
_COUNTED = """
    SELECT heard, heard_checksum, (SELECT count(*) FROM messages WHERE session = sessions.id) FROM sessions WHERE id = ?
"""
_DAMAGED = "SELECT message, session FROM messages WHERE checksum IS NOT checksum(message, session)"
_OF_SESSION = "(session = :id OR substr(message, 1, length(:id)) = :id)"


class HeardMessages:
    """The messages of a journal. A message begins with the id of its session, unless it began the session."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def note(self, message: str, session: str) -> bool:
        """Record that a message was heard in a session; return False if it was already recorded."""
        with self._db.trouble(), self._db.transaction():
            self.check(session)
            if self._db.execute(_FIND, (message,)).fetchone() is not None:
                return False
            row = {"message": message, "session": session}
            self._db.execute(_NOTE, row)
            self._db.execute(_COUNT, row)
            return True

    def find(self, message: str) -> str | None:
        """Return the session in which a message was heard, if any."""
        with self._db.trouble():
            row = self._db.execute(_FIND, (message,)).fetchone()
        if row is not None and checksum(message, row[0]) != row[1]:
            raise self._lost(message)
        return None if row is None else str(row[0])

    def check(self, session: str) -> None:
        """Raise SessionDamaged if a message of this session is missing or damaged: it could be handled again."""
        with self._db.trouble():
            if self._db.execute(f"{_DAMAGED} AND {_OF_SESSION}", {"id": session}).fetchone() is not None:
                raise SessionDamaged(session, "the list of heard messages does not match its checksum")
            heard, written, there = self._db.execute(_COUNTED, (session,)).fetchone() or (0, checksum(session, 0), 0)
            if checksum(session, heard) != written or heard != there:
                raise SessionDamaged(session, f"only {there} of {heard} heard messages are left")

    def find_damage(self) -> list[JournalError]:
        """Return the damage that belongs to no existing session."""
        known = "EXISTS (SELECT 1 FROM sessions WHERE id = messages.session OR id = substr(message, 1, length(id)))"
        with self._db.trouble():
            return [self._lost(str(row[0])) for row in self._db.execute(f"{_DAMAGED} AND NOT {known}").fetchall()]

    def _lost(self, message: str) -> JournalError:
        return JournalError(
            f"{self._db.path} is damaged: the record of message {message!r} does not match its checksum. "
            "Send it again as a new message."
        )
