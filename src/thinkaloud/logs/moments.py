"""A session of the journal as moments: each event with its words, and what the world looked like then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from thinkaloud.agent import restore_world
from thinkaloud.episode.event_text import Narrator, Row
from thinkaloud.errors import BadInput, JournalError
from thinkaloud.monologue import Event
from thinkaloud.records import Begin, End, Observation, Outcome, Request
from thinkaloud.remember.journal import Session
from thinkaloud.robots import is_own_robot
from thinkaloud.staging.opening import open_world_of, read_begin
from thinkaloud.worlds import World
from thinkaloud.worlds.drawing import Drawing, draw
from thinkaloud.worlds.pictures import picture_world

_LOOKED = (Request, Outcome, End)
"""After these, the world may look different: they get a picture."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An event, its rows of the conversation, and, if the world could be put back to it, a drawing and a PNG."""

    event: Event
    rows: tuple[Row, ...]
    drawing: Drawing | None = None
    picture: bytes | None = None


def read_moments(session: Session, progress: Callable[[int, int], None] = lambda done, of: None) -> Iterator[Moment]:
    """All moments of a session, in order. A robot's own code is not opened: its moments have words only."""
    events = [Event(*row) for row in session.events()]
    world, narrator = _open(session), Narrator()
    for event in events:
        rows = tuple(narrator.hear(event))
        drawing = picture = None
        if world is not None and isinstance(event.record, (*_LOOKED, Observation)):
            with suppress(JournalError):  # a snapshot of another version of the world: its words remain
                restore_world(world, session, _seed(events), at=event.index)
                drawing = draw(world)
                picture = picture_world(world, boxes=False) if isinstance(event.record, _LOOKED) else None
        progress(event.index + 1, len(events))
        yield Moment(event, rows, drawing, picture)


def _seed(events: list[Event]) -> int:
    begin = events[0].record
    return begin.seed if isinstance(begin, Begin) else 0


def _open(session: Session) -> World | None:
    """The session's world, to look at; None if it is not here, or a robot's own code."""
    with suppress(BadInput, ModuleNotFoundError):
        begin = read_begin(session)
        return None if is_own_robot(begin.world) else open_world_of(begin)
    return None
