"""Where an episode at the table was lost: what eyes, hands and judge said, beside the true state at that time.

    eyes      a thing was not found, or found elsewhere, when a step was about it
    hand      the hands pointed beside what the step was about, or refused it although it was in view
    arm       all of that was right, and the step failed: noise, physics, what lay in the way
    judge     a step that failed was said to have worked, or the other way round
    planner   the steps worked, and were the wrong ones, or too few

An episode is lost at the last step that failed and was not made good: at the judge if it was said to have worked, else
at the first of eyes, hands and arm that was wrong. Without such a step it is lost at a judge who did not see a success,
at eyes that do not see what is there, or else at the planner. Without learned senses, eyes are the judge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from thinkaloud.abilities import find_ability
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.monologue import Event
from thinkaloud.records import Outcome, Started, Verdict
from thinkaloud.worlds import World
from thinkaloud.worlds.hands import Hands, Pointing, Spot, open_hands
from thinkaloud.worlds.vision import Appearance, Eyes, Sight, View, open_eyes
from thinkaloud_bench.contract import Item
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.camera import look_down, point_at
from thinkaloud_worlds.tabletop.layout import PLACES
from thinkaloud_worlds.tabletop.pointed_pixels import PICK, pixel_of
from thinkaloud_worlds.tabletop.senses import visible

_NEAR = 0.03  # metres between where a thing is seen and where it is
_BESIDE = 0.01  # metres beside a thing that still hit it


@dataclass
class Attempt:
    """A step: what it was about, and what each part made of it. `hidden`: nobody could have seen or taken it."""

    object: str
    target: str
    hidden: bool = False
    seen: bool = True
    pointed: bool = True
    came_true: bool = False
    said: bool | None = None

    @property
    def cause(self) -> str:
        """Why it failed."""
        if self.hidden:
            return "planner"
        return "arm" if self.seen and self.pointed else "hand" if self.seen else "eyes"


class Watch:
    """Watches the parts of one episode at a table."""

    def __init__(self, table: Tabletop) -> None:
        self.table = table
        self.attempts: list[Attempt] = []
        self.unseen = frozenset[str]()
        """What the eyes got wrong in their last look: not found, found elsewhere, or not there at all."""
        self._judge = "judge"

    @classmethod
    def over(cls, world: World, item: Item) -> Watch | None:
        """Give a table the eyes and hands of an item and watch them; None if that is not how it is played."""
        table = find_ability(world, Tabletop)
        if table is None or not (item.eyes or item.hands or item.senses):
            return None
        watch = cls(table)
        if item.eyes:
            table.see_with(WatchedEyes(open_eyes(item.eyes), watch))
            watch._judge = "judge" if item.senses else "eyes"
        if item.hands:
            table.pick_with(WatchedHands(open_hands(item.hands), watch))
        return watch

    def hear(self, event: Event) -> None:
        """Note what begins, what came of it, and what is said about it."""
        record = event.record
        if isinstance(record, Started):
            given = record.step.arguments
            if {"object", "target"} <= {*given}:
                self.begin(str(given["object"]), str(given["target"]))
        elif isinstance(record, Outcome | Verdict) and self.attempts:
            last, given = self.attempts[-1], record.step.arguments
            if (given.get("object"), given.get("target")) == (last.object, last.target):
                last.came_true = self.holds(last)
                if isinstance(record, Verdict):
                    last.said = record.ok

    def begin(self, object: str, target: str) -> None:
        """Begin a step."""
        hidden = object not in self.in_view() and object not in self.unseen
        self.attempts.append(Attempt(object, target, hidden, seen=not {object, target} & self.unseen))

    def in_view(self) -> tuple[str, ...]:
        """What can really be seen from above."""
        return visible(look_down(self.table.physics))

    def holds(self, attempt: Attempt) -> bool:
        """Whether what a step was to bring about is true now."""
        try:
            return self.table.on(attempt.object, attempt.target)
        except (SkillError, UnknownName):  # there is no such thing
            return False

    def hits(self, name: str, x: float, y: float) -> bool:
        """Whether a point of the table is on a thing or a place."""
        if name in PLACES:
            return PLACES[name].distance(x, y) <= _NEAR
        thing = self.table.physics.things.get(name)
        if thing is None:
            return False
        return math.dist((x, y), self.table.physics.position(name)[:2]) <= thing.across / 2 + _BESIDE

    def lost(self, success: bool) -> str:
        """Where the episode was lost; empty if it was not."""
        if success:
            return ""
        failed = [each for each in self.attempts if not each.came_true and not self._made_good(each)]
        if failed:
            return self._judge if failed[-1].said else failed[-1].cause
        if any(each.came_true and each.said is False for each in self.attempts):
            return self._judge
        return "eyes" if self.unseen else "planner"

    def _made_good(self, attempt: Attempt) -> bool:
        at = self.attempts.index(attempt)
        same = (
            each for each in self.attempts[at + 1 :] if (each.object, each.target) == (attempt.object, attempt.target)
        )
        return self.holds(attempt) or any(each.came_true for each in same)


@dataclass
class WatchedEyes:
    """Eyes, beside what is really in view."""

    eyes: Eyes
    watch: Watch

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        """Find things, and note what is wrong with that."""
        sight = self.eyes.look(view, catalogue)
        physics, wrong = self.watch.table.physics, set[str]()
        for name in {*self.watch.in_view()} - {str(physics.held)}:
            found = sight.get(name)
            at = None if found is None else found.point
            if at is None or math.dist(at[:2], physics.position(name)[:2]) > _NEAR:
                wrong.add(name)
        wrong |= {name for name in sight.names if name not in physics.things}
        self.watch.unseen = frozenset(wrong)
        return sight


@dataclass
class WatchedHands:
    """Hands, beside where the things of the step really are."""

    hands: Hands
    watch: Watch

    def point(self, rgb: NDArray[Any], height: NDArray[Any], sentence: str) -> Pointing:
        """Point, and note whether that is where the step is about."""
        last = self.watch.attempts[-1] if self.watch.attempts else None
        things = self.watch.table.physics.things
        to_pick = next((name for name in things if PICK.format(object=name) == sentence), None)
        name = to_pick or (last.target if last else "")
        try:
            pointing = self.hands.point(rgb, height, sentence)
        except SkillError:
            if last is not None and (name in PLACES or name in self.watch.in_view()):
                last.pointed = False
            raise
        spot: Spot = pointing.pick if to_pick else pointing.place
        if last is not None and not self.watch.hits(name, *point_at(pixel_of(spot))):
            last.pointed = False
        return pointing
