"""Which messages were heard in which session, so that none is heard twice."""

from __future__ import annotations

from thinkaloud.errors import JournalError, SessionDamaged
from thinkaloud.remember.database import Database
from thinkaloud.remember.schema import checksum

_NOTE = "INSERT INTO messages VALUES (:message, :session, checksum(:message, :session))"
_FIND = "SELECT session, checksum FROM messages WHERE +message = ?"
"""Looks at all of them: in an index, one that is damaged hides others."""
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
        """Take note that a message was heard in a session; False where it was before."""
        with self._db.trouble(), self._db.transaction():
            self.check(session)
            if self._db.execute(_FIND, (message,)).fetchone() is not None:
                return False
            row = {"message": message, "session": session}
            self._db.execute(_NOTE, row)
            self._db.execute(_COUNT, row)
            return True

    def find(self, message: str) -> str | None:
        """The session in which a message was heard, if it was."""
        with self._db.trouble():
            row = self._db.execute(_FIND, (message,)).fetchone()
        if row is not None and checksum(message, row[0]) != row[1]:
            raise self._lost(message)
        return None if row is None else str(row[0])

    def check(self, session: str) -> None:
        """SessionDamaged where a message of this session is lost or not as it was written: it might be heard again."""
        with self._db.trouble():
            if self._db.execute(f"{_DAMAGED} AND {_OF_SESSION}", {"id": session}).fetchone() is not None:
                raise SessionDamaged(session, "which messages were heard is not as it was written")
            heard, written, there = self._db.execute(_COUNTED, (session,)).fetchone() or (0, checksum(session, 0), 0)
            if checksum(session, heard) != written or heard != there:
                raise SessionDamaged(session, f"of {heard} messages that were heard, {there} are there")

    def find_damage(self) -> list[JournalError]:
        """What is not as it was written, and of no session that there is."""
        known = "EXISTS (SELECT 1 FROM sessions WHERE id = messages.session OR id = substr(message, 1, length(id)))"
        with self._db.trouble():
            return [self._lost(str(row[0])) for row in self._db.execute(f"{_DAMAGED} AND NOT {known}").fetchall()]

    def _lost(self, message: str) -> JournalError:
        return JournalError(
            f"{self._db.path} is damaged: in which session {message!r} was heard is not as it was written. "
            "Say it again as another message."
        )
