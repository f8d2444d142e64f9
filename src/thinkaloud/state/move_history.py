"""Moves and earlier places, read from the states of a history and their changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from thinkaloud.records import Change, WorldState
from thinkaloud.state.edits import TABLE, supports
from thinkaloud.state.names import NameFinder


@dataclass(frozen=True)
class PastMove:
    """A thing moved from one place to another."""

    thing: str
    origin: str
    target: str


def find_moves(states: Sequence[WorldState]) -> list[PastMove]:
    """Return all moves, oldest first, whoever made them."""
    found: list[PastMove] = []
    for index, state in enumerate(states):
        was = supports(states[index - 1]) if index else {}
        for thing, target in _in_order(state):
            found.append(PastMove(thing, was.get(thing, TABLE), target))
    return found


def _in_order(state: WorldState) -> list[tuple[str, str]]:
    """Return the moves of one state. Those that the cause does not name (things set aside) come first."""
    names = NameFinder(state.objects)
    found = []
    for cause, changes in groupby(state.changes, key=lambda change: change.cause):
        together = [move for change in changes if (move := _move(change, names))]
        found += sorted(together, key=lambda move: cause.lower().find(move[0].lower()))
    return found


def _move(change: Change, names: NameFinder) -> tuple[str, str] | None:
    found = names.split(change.what)
    if found is None:
        return None
    thing, rest = found
    for words in (" is on ", " is in "):
        if rest.startswith(words):
            place = rest.removeprefix(words)
            target = names.find_place(place)
            return (thing, target) if target else None
    return None
