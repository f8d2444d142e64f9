"""Who watches a session, and who of them holds control."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.web.messages import Viewer

LONGEST_IDENTIFIER = 100
"""Characters of a viewer's secret, of a name, and of what makes a message known again."""


class NotInControl(BadInput):
    """Somebody else holds control of this session."""


def public_id(viewer: str) -> str:
    """What others see of a viewer: it does not give the secret away."""
    return hashlib.sha256(f"viewer {viewer}".encode("utf-8", "replace")).hexdigest()[:10] if viewer else "anyone"


@dataclass
class _Seat:
    name: str = ""
    streams: int = 0


class Control:
    """The viewers of one session. Whoever does something first holds control, until they hand it over.

    Somebody without a secret is a viewer, too, the same for all of them.
    """

    def __init__(self) -> None:
        self.holder: str | None = None
        self._seats: dict[str, _Seat] = {}

    @contextmanager
    def watching(self, viewer: str, name: str = "") -> Iterator[None]:
        """In this block somebody watches; who has gone keeps control, but it can be taken from them."""
        seat = self._seat(viewer, name)
        seat.streams += 1
        try:
            yield
        finally:
            seat.streams -= 1
            if not seat.streams and self.holder != viewer:
                self._seats.pop(viewer, None)

    def require(self, viewer: str, name: str = "") -> None:
        """NotInControl where somebody else holds control; who is the first gets it."""
        if self.holder is None:
            self._seat(viewer, name)
            self.holder = viewer
        if self.holder != viewer:
            raise NotInControl(f"{self._told(self.holder)} holds control of this session. {self._advice()}")

    def name_of(self, viewer: str) -> str:
        """What somebody calls themselves; empty if they have not said."""
        seat = self._seats.get(viewer)
        return seat.name if seat is not None else ""

    def hand_over(self, viewer: str, to: str) -> None:
        """Give control to another, by their public id."""
        self.require(viewer)
        found = {public_id(each): each for each, seat in self._seats.items() if seat.streams or each == viewer}
        if to not in found:
            raise UnknownName("viewer", to, found)
        self.holder = found[to]

    def take(self, viewer: str, name: str = "", *, anyway: bool = False) -> None:
        """Take control that nobody has, or whose holder is gone; or `anyway`, from whoever has it."""
        if self.holder is not None and self.holder != viewer and self._is_here(self.holder) and not anyway:
            raise NotInControl(f"{self._told(self.holder)} holds control of this session. {self._advice()}")
        self._seat(viewer, name)
        self.holder = viewer

    def viewers(self) -> tuple[Viewer, ...]:
        """All who watch, and who holds control."""
        return tuple(
            Viewer(public_id(viewer), seat.name or "somebody", here=seat.streams > 0)
            for viewer, seat in self._seats.items()
            if seat.streams or viewer == self.holder
        )

    def _seat(self, viewer: str, name: str) -> _Seat:
        if len(viewer) > LONGEST_IDENTIFIER or len(name) > LONGEST_IDENTIFIER:
            raise BadInput(f"A viewer and their name have at most {LONGEST_IDENTIFIER} characters each.")
        seat = self._seats.setdefault(viewer, _Seat())
        seat.name = name or seat.name
        return seat

    def _is_here(self, viewer: str) -> bool:
        seat = self._seats.get(viewer)
        return seat is not None and seat.streams > 0

    def _told(self, viewer: str) -> str:
        seat = self._seats.get(viewer)
        return (seat.name if seat else "") or "Somebody else"

    def _advice(self) -> str:
        assert self.holder is not None
        return "Ask them to hand it over." if self._is_here(self.holder) else "They are gone: you can take it."
