"""What models are at: the role, how far they have read, what they write, and what that has cost so far."""

from __future__ import annotations

from dataclasses import replace

from thinkaloud.models.contract import PREPARATION
from thinkaloud.records import Answer, ModelCall, Record, Request
from thinkaloud.web.messages import Thinking

_LONGEST = 4000


class Thoughts:
    """Follows the models of one robot."""

    def __init__(self) -> None:
        self.now = Thinking()

    def hear(self, role: str, piece: str) -> None:
        """Hear a model's words while it speaks; nothing yet where it begins to read."""
        now = self.now
        same = now.role == role
        said = now.text + piece if piece and same else piece
        reading = (now.reading, now.of) if same and not piece else (0, 0)
        self.now = replace(now, role=role, text=said[-_LONGEST:], reading=reading[0], of=reading[1])

    def follow(self, role: str, read: int, total: int) -> None:
        """Hear how far a model has read its prompt; with a total of 0, it is through."""
        self.now = replace(self.now, role=role if total else "", text="", reading=read, of=total)

    def count(self, record: Record) -> None:
        """Count what models have read and written since a person last said something.

        What the model reads ahead goes on while events come.
        """
        before = Thinking() if isinstance(record, Request | Answer) else self.now
        read, written = (record.evaluated, record.generated) if isinstance(record, ModelCall) else (0, 0)
        ahead = self.now if self.now.role == PREPARATION else Thinking()
        self.now = replace(ahead, read=before.read + read, written=before.written + written)
