"""Where an episode at a table was lost: what eyes, hands and judge said, beside the true state at that time.

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
from typing import Any, Protocol

from numpy.typing import NDArray

from thinkaloud.abilities import find_ability
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.monologue import Event
from thinkaloud.records import Outcome, Started, Verdict
from thinkaloud.worlds import World
from thinkaloud.worlds.hands import Hands, Pointing, Spot, open_hands
from thinkaloud.worlds.vision import Appearance, Eyes, Sight, View, open_eyes
from thinkaloud_bench.contract import Item
from thinkaloud_bench.visible_things import find_visible
from thinkaloud_worlds.real_table import RealTable
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.camera import look_down, point_at
from thinkaloud_worlds.tabletop.layout import PLACES
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.pointed_pixels import PICK, pixel_of
from thinkaloud_worlds.tabletop.senses import visible

_NEAR = 0.03  # metres between where a thing is seen and where it is
_BESIDE = 0.01  # metres beside a thing that still hit it
_OWN_EYES = "camera"  # of a table that its robot knows through eyes alone


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


class Truth(Protocol):
    """What only judges know of a table. `points_at_once`: hands point once, for a pick and for where it goes."""

    points_at_once: bool

    def in_view(self) -> set[str]:
        """What can really be seen."""
        ...

    def on(self, object: str, target: str) -> bool:
        """Whether a thing really is on another, or at a place."""
        ...


@dataclass
class FromAbove:
    """The truth of the tabletop, whose camera looks straight down."""

    table: Tabletop
    points_at_once = False

    def in_view(self) -> set[str]:
        """What the camera above shows, without the arm."""
        return {*visible(look_down(self.table.physics))}

    def on(self, object: str, target: str) -> bool:
        """What the world itself says."""
        return self.table.on(object, target)


@dataclass
class FromTheWrist:
    """The truth of the real table, which its robot knows through the camera at its wrist."""

    table: RealTable
    points_at_once = True

    def in_view(self) -> set[str]:
        """What the camera at the wrist shows enough of."""
        return find_visible(self.table.photograph(), self.table.appearances(), self.table.physics)

    def on(self, object: str, target: str) -> bool:
        """By true positions."""
        if target not in PLACES:
            return self.table.truly_on(object, target)
        return PLACES[target].distance(*self.table.physics.position(object)[:2]) <= _NEAR


class Watch:
    """Watches the parts of one episode at a table."""

    def __init__(self, table: Tabletop | RealTable) -> None:
        self.truth: Truth = FromTheWrist(table) if isinstance(table, RealTable) else FromAbove(table)
        self._table = table
        self.attempts: list[Attempt] = []
        self.unseen = frozenset[str]()
        """What the eyes got wrong in their last look: not found, found elsewhere, or not there at all."""
        self.in_view = self.truth.in_view
        """What can really be seen."""
        self._judge = "judge"

    @classmethod
    def over(cls, world: World, item: Item) -> Watch | None:
        """Give a table the eyes and hands of an item and watch them; None if that is not how it is played."""
        table = world if isinstance(world, RealTable) else find_ability(world, Tabletop)
        if table is None or not (item.eyes or item.hands or item.senses):
            return None
        watch = cls(table)
        if eyes := item.eyes or (_OWN_EYES if isinstance(table, RealTable) else ""):
            table.see_with(WatchedEyes(open_eyes(eyes), watch))
            watch._judge = "judge" if item.senses else "eyes"
        if item.hands:
            table.pick_with(WatchedHands(open_hands(item.hands), watch))
        return watch

    @property
    def physics(self) -> Physics:
        """Where everything really is."""
        return self._table.physics

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

    def holds(self, attempt: Attempt) -> bool:
        """Whether what a step was to bring about is true now."""
        try:
            return self.truth.on(attempt.object, attempt.target)
        except (SkillError, UnknownName, KeyError):  # there is no such thing
            return False

    def hits(self, name: str, x: float, y: float) -> bool:
        """Whether a point of the table is on a thing or a place."""
        if name in PLACES:
            return PLACES[name].distance(x, y) <= _NEAR
        thing = self.physics.things.get(name)
        if thing is None:
            return False
        return math.dist((x, y), self.physics.position(name)[:2]) <= thing.across / 2 + _BESIDE

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
        physics, wrong = self.watch.physics, set[str]()
        for name in self.watch.in_view() - {str(physics.held)}:
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
        things = self.watch.physics.things
        to_pick = next((name for name in things if PICK.format(object=name) == sentence), None)
        name = to_pick or (last.target if last else "")
        try:
            pointing = self.hands.point(rgb, height, sentence)
        except SkillError:
            if last is not None and (name in PLACES or name in self.watch.in_view()):
                last.pointed = False
            raise
        if last is not None:
            spots: list[tuple[str, Spot]] = [(name, pointing.pick if to_pick else pointing.place)]
            if self.watch.truth.points_at_once:
                spots.append((last.object, pointing.pick))
            if not all(self.watch.hits(each, *point_at(pixel_of(spot))) for each, spot in spots):
                last.pointed = False
        return pointing
