"""The disturbances: a person interferes with the table while the robot works, or wants something else.

The meddler listens to the monologue, so that the disturbance comes at the same point with every preset, whatever its
skills are called: right after a step, before anything has checked it, or right before the next one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from thinkaloud.converse.inbox import Inbox
from thinkaloud.monologue import Event
from thinkaloud.records import Outcome, Request, Started
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.camera import look_down, point_at
from thinkaloud_worlds.tabletop.free_space import open_spot

_RADIUS = 0.03
_NOTICED = 0.02  # metres: what moved by more was moved by the robot
_AWAY = (3.0, 3.0, -0.6)  # on the floor, out of sight


@dataclass
class Meddler:
    """Counts the robot's steps, and interferes once, at one of them.

    `after`: when so many steps are over; `before`: when so many and one more have begun.
    """

    table: Tabletop
    act: Callable[[Meddler], None]
    after: int = 0
    before: int = 0
    moved: list[str] = field(default_factory=list)
    """What the robot moved, in order."""
    done: bool = False
    _over: int = 0
    _begun: int = 0
    _at: dict[str, tuple[float, float, float]] = field(default_factory=dict)

    def __call__(self, event: Event) -> None:
        """Hear an event of the monologue."""
        match event.record:
            case Started(step) if step.skill not in STEPS:
                self._begun += 1
                if self.before and self._begun > self.before:
                    self._meddle()
                self._at = self._positions()
            case Outcome(step, "completed") if step.skill not in STEPS:
                self._over += 1
                self.moved += self._changed()
                if self.after and self._over >= self.after and self.moved:
                    self._meddle()

    def _meddle(self) -> None:
        if not self.done:
            self.done = True
            self.act(self)

    def _positions(self) -> dict[str, tuple[float, float, float]]:
        return {block: self.table.position(block) for block in self.table.blocks}

    def _changed(self) -> list[str]:
        now = self._positions()
        return [block for block, at in self._at.items() if math.dist(at, now[block]) > _NOTICED]

    def put_about(self, block: str) -> None:
        """Put a block somewhere on the table, not far from where it was, where there is room."""
        x, y, _ = self.table.position(block)
        spot = open_spot(look_down(self.table.physics), _RADIUS, (x * 0.3, -0.5 + (y + 0.5) * 0.3))
        if spot is not None:
            self.table.physics.put(block, (*point_at(spot), 0.001))

    def take_away(self, block: str) -> None:
        """Remove a block."""
        self.table.physics.put(block, _AWAY)


def drop_last(meddler: Meddler) -> None:
    """Drop the block that was carried last somewhere on the table."""
    meddler.put_about(meddler.moved[-1])


def take_out_first(meddler: Meddler) -> None:
    """Take the block that was placed first out again, and leave it on the table."""
    if meddler.moved:
        meddler.put_about(meddler.moved[0])


@dataclass(frozen=True)
class TakesAway:
    """A person takes away one of the blocks that are still to be placed."""

    blocks: tuple[str, ...]
    taken: list[str] = field(default_factory=list)

    def __call__(self, meddler: Meddler) -> None:
        """Take the first that the robot has not moved."""
        left = [block for block in self.blocks if block not in meddler.moved]
        if left:
            self.taken.append(left[0])
            meddler.take_away(left[0])


@dataclass
class ChangesMind:
    """A person who changes the request after the robot has begun."""

    inbox: Inbox
    request: str
    said: bool = False

    def __call__(self, event: Event) -> None:
        """Say so as soon as the first step is under way."""
        if isinstance(event.record, Started) and event.record.step.skill not in STEPS and not self.said:
            self.said = True
            self.inbox.say(Request(self.request))
