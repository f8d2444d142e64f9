"""Skills beyond those of the papers: put things beside or between others, or a little farther, and measure.

    world = open_world("tabletop").extended()
    await world.skills["put_beside"].run({"object": "red block", "side": "left of", "target": "blue bowl"})

Left, right, in front and behind are those of the person who looks at the picture (see `spatial_relations`). A skill
reports missing room before anything moves. That check uses the true positions; the arm uses what it sees.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Annotated, Any, Protocol

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Observation, Step, Value, WorldState
from thinkaloud.skills import Kind, measure, relation
from thinkaloud.state.edits import GROUND, is_container, is_cover, with_placed
from thinkaloud.state.edits import TABLE as TABLE_NAME
from thinkaloud.worlds.contract import Briefing, World, briefing_of
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.placement_skills import PlacementFacts, PutsBeside, bare
from thinkaloud_worlds.tabletop.contact_relations import supports_of
from thinkaloud_worlds.tabletop.layout import PLACES, SAFE, TABLE_TOP, Region, from_edge
from thinkaloud_worlds.tabletop.object_kinds import CONTAINERS
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.place_at_point import why_no_room
from thinkaloud_worlds.tabletop.put_beside import gap_between
from thinkaloud_worlds.tabletop.reference_points import Beside, Between, Shifted, Site
from thinkaloud_worlds.tabletop.senses import Senses
from thinkaloud_worlds.tabletop.statler_rules import Domain, after_put

_BELOW = -0.05  # below this height, a thing has fallen off the table
_FARTHEST = 60.0  # centimetres: the size of the table
_VIEW = "Left, right, in front and behind are meant as the person sees it who looks at the table."


def _leaves_for(self: ExtendedTable, object: str, target: str) -> PlacementFacts:
    """What a thing leaves when it goes on a target: all but the target, what is under it and what is on it."""
    kept = {target, *self._bearers(target)}
    left = [name for name in self.physics.names if name not in (object, *kept) and target not in self._bearers(name)]
    if target in PLACES:  # if there is no room, it goes on what is there
        left = [name for name in left if self.physics.things[name].kind in CONTAINERS]
    return tuple(("on", {"object": object, "target": name}) for name in left)


class PlainTable(World, Protocol):
    """What the extension needs from a table: its physics, its senses, and a way to put a thing at a site."""

    physics: Physics
    senses: Senses
    blocks: tuple[str, ...]

    async def place_at(self, object: str, site: Site) -> str:
        """Put a thing on the table at a site. Raises SkillError if there is no room or something is on the thing."""
        ...


class ExtendedTable(PutsBeside):
    """A table on which things are put beside others, and measured."""

    world: PlainTable

    def __init__(self, world: PlainTable) -> None:
        self._wanted: tuple[str, Shifted] | None = None
        self._borne: tuple[bytes, dict[str, str]] = b"", {}
        super().__init__(world)
        picks = self._picks = "pick_and_place" in self.skills
        changed = {
            name: replace(self.skills[name], needs=bare if picks else None)
            for name in ("put_beside", "put_between", "shift")
        }
        if picks:
            ends = types.MethodType(_leaves_for, self)
            changed["pick_and_place"] = replace(self.skills["pick_and_place"], ends=ends)
        self.skills = {**self.skills, **changed}

    @property
    def senses(self) -> Senses:
        """The senses of the world inside."""
        senses: Senses = self.world.senses
        return senses

    @senses.setter
    def senses(self, senses: Senses) -> None:
        self.world.senses = senses

    @property
    def physics(self) -> Physics:
        """The current physics of the world inside."""
        physics: Physics = self.world.physics
        return physics

    @property
    def briefing(self) -> Briefing:
        """The world's own briefing, with left and right defined."""
        briefing = briefing_of(self.world)
        return replace(briefing, about=" ".join(filter(None, (briefing.about, _VIEW))))

    def observe(self) -> Observation:
        """What the world perceives, with all things in one list."""
        seen = super().observe()
        known = {name for names in seen.vocabulary.values() for name in names}
        things = tuple(name for name in self.physics.names if name in known)
        movable = tuple(name for name in things if name in self.world.blocks)
        if not self._picks:
            return replace(seen, vocabulary={"object": movable, **seen.vocabulary, "thing": things})
        told = {"object": movable, **seen.vocabulary}
        objects = {"object": self._safe_first(told["object"]), "thing": things}
        return replace(seen, objects=self._safe_first(seen.objects), vocabulary={**told, **objects})

    def _safe_first(self, names: Sequence[str]) -> tuple[str, ...]:
        """The names, starting with those that things can be put beside without falling off the table."""
        at = {name: self.physics.position(name) for name in names if name in self.world.blocks}
        return tuple(sorted(names, key=lambda name: name in at and from_edge(*at[name][:2]) < SAFE))

    # Putting ----------------------------------------------------------------------------------------------------------

    async def _put(self, object: str, **where: Any) -> str:
        site = self._site(object, **where)
        if isinstance(site, Shifted):
            problem = self._objection(Observation((), {}), object, **where)
            if problem:
                raise SkillError(problem)
            self._wanted = object, site
        for name in (object, *site.anchors):
            self._known(name)
            if name in self.physics.names and not self._lies(name) and name != object:
                raise SkillError(f"The {name} is not on the table: nothing can be put {site.words}.")
        report: str = await self.world.place_at(object, site)
        return report

    def _site(self, object: str, **where: Any) -> Site:
        if "side" in where:
            return Beside(where["side"], where["target"])
        if "one" in where:
            return Between(where["one"], where["other"])
        self._known(object)
        return Shifted(self.physics.position(object)[:2], where["direction"], where["centimetres"] / 100)

    def _left(self, object: str, **where: Any) -> PlacementFacts:
        if "on" not in self.world.relations:
            return ()
        return tuple(("on", {"object": object, "target": name}) for name in self.physics.names if name != object)

    def _objection(self, observation: Observation, object: str, **where: Any) -> str | None:
        """As in `PutsBeside`; for a predicted state, only fixed things are taken into account."""
        if not 0 < where.get("centimetres", _FARTHEST) <= _FARTHEST:
            return f"A thing can be moved by more than 0 and at most {_FARTHEST:g} cm, not by {where['centimetres']:g}."
        site = self._site(object, **where)
        for name in (object, *site.anchors):
            self._known(name)
        if observation.state is None:
            return why_no_room(self.physics, object, site)
        fixed = site.anchors and all(self.physics.things[name].kind in CONTAINERS for name in site.anchors)
        return why_no_room(self.physics, object, site, fixed=True) if fixed else None

    def _foreseen(self, state: WorldState, object: str, **where: Any) -> WorldState:
        return self._after(state, object)

    def _astray(self, object: str, **where: Any) -> str | None:
        if self.physics.held == object:
            return f"The {object} is still held."
        if not self._lies(object):
            return f"The {object} is no longer on the table."
        if "direction" not in where or self._wanted is None or self._wanted[0] != object:
            return None
        site, now = self._wanted[1], self.physics.position(object)[:2]
        if site.is_met(self.physics.things[object], self.physics.things, now, lambda name: now):
            return None
        return f"The {object} is {math.dist(now, site.start) * 100:.0f} cm from where it was, not {site.words}."

    def _after(self, state: WorldState, object: str) -> WorldState:
        """The known state after a thing has been put on the table."""
        return with_placed(state, object, TABLE_NAME)

    def _known(self, name: str) -> None:
        if name not in self.physics.names:
            raise UnknownName("object", name, self.physics.names)

    # Where things are -------------------------------------------------------------------------------------------------

    def _region(self, name: str) -> Region | None:
        """The part of the table that a name stands for; None for a thing."""
        if name in self.physics.names:
            return None
        return TABLE_TOP if name in GROUND else PLACES.get(name)

    def _place(self, name: str) -> Xyz:
        region = self._region(name)
        if region is not None:
            (x, y), top = region.centre, 0.0
        else:
            self._known(name)
            x, y, z = self.physics.position(name)
            thing = self.physics.things[name]
            top = z - thing.middle + thing.height
        return x - TABLE_TOP.x[0], y - TABLE_TOP.y[0], top

    def _lies(self, name: str) -> bool:
        if name not in self.physics.names:
            return name in PLACES
        return name != self.physics.held and self.physics.position(name)[2] > _BELOW

    def _gap(self, one: str, other: str) -> float:
        if not {one, other} <= {*self.physics.names}:
            return math.inf
        return gap_between(self.physics, one, other)

    def _bearer(self, name: str) -> str | None:
        key = self.physics.data.qpos.tobytes() + str(self.physics.held).encode()
        if key != self._borne[0]:
            self._borne = key, supports_of(self.physics)
        return self._borne[1].get(name)

    def _across(self, name: str) -> float:
        region = self._region(name)
        return self.physics.things[name].across if region is None else region.x[1] - region.x[0]


class PlainDomain(PlainTable, Protocol):
    """What the extension also needs from a table under the rules of a domain."""

    domain: Domain

    def truth(self) -> WorldState:
        """All things, what each really stands on, and their hidden attributes."""
        ...


class ExtendedDomain(ExtendedTable):
    """A table under the rules of a domain. Things on top of a moved thing are set aside, or have to be moved first.

    As in the domain, `on` also states that something is on the table.
    """

    world: PlainDomain

    def __init__(self, world: PlainDomain) -> None:
        self._done: tuple[Step, ...] = ()
        super().__init__(world)
        self.relations = {name: each for name, each in self.relations.items() if name != "on_table"}

    def _after(self, state: WorldState, object: str) -> WorldState:
        return after_put(self.world.domain, state, object, TABLE_NAME)

    @relation(says="The {thing} is empty.", derived=True)
    def empty(self, thing: Annotated[str, Kind("thing")]) -> bool:
        """Whether nothing is in or on a thing; of a cup, whether it covers nothing.

        Args:
            thing: what may be empty.
        """
        self._known(thing)
        return is_empty(self._bearer, self.physics.names, thing)

    @relation(says="The {thing} is under the {other}.", distinct=("thing", "other"), derived=True)
    def under(self, thing: Annotated[str, Kind("thing")], other: Annotated[str, Kind("thing")]) -> bool:
        """Whether a thing is right under another, which rests on it, in it or (a cup) over it.

        Args:
            thing: what may be under something.
            other: what it may be under.
        """
        self._known(thing)
        self._known(other)
        return self._bearer(other) == thing

    @relation(says="The {object} is loose.", derived=True)
    def loose(self, object: Annotated[str, Kind("object")]) -> bool:
        """Whether an object is in no bowl, box or other container.

        Args:
            object: what may be loose.
        """
        self._known(object)
        return container_of(self._bearer, object) is None

    # Named lists of things --------------------------------------------------------------------------------------------

    @measure(says="what is right under the {thing}")
    def beneath(self, thing: Annotated[str, Kind("thing")]) -> Sequence[Value]:
        """What is right under a thing: another, a bowl, or the table.

        Args:
            thing: what is on something.
        """
        self._known(thing)
        return (self._bearer(thing) or TABLE_NAME,)

    @measure(says="what is right on or in the {thing}")
    def atop(self, thing: Annotated[str, Kind("thing")]) -> Sequence[Value]:
        """The things that are right on a thing, or in it.

        Args:
            thing: what they are on.
        """
        self._known(thing)
        return tuple(name for name in self.physics.names if self._bearer(name) == thing)

    @measure(says="the bowl or box that the {thing} is in")
    def container(self, thing: Annotated[str, Kind("thing")]) -> Sequence[Value]:
        """The bowl or box that a thing is in.

        Args:
            thing: what is in it.
        """
        self._known(thing)
        found = container_of(self._bearer, thing)
        return () if found is None else (found,)

    @measure(says="what was moved so far, one after another, the latest last")
    def moved(self) -> Sequence[Value]:
        """What was moved so far, one after another, the latest last."""
        return moved_by(self._done)

    def recall(self, steps: Sequence[Step]) -> None:
        """Take these as the steps done so far, oldest first."""
        self._done = tuple(steps)


def container_of(bearer: Callable[[str], str | None], thing: str) -> str | None:
    """The container of a thing, even within a stack; `bearer` tells what each thing is directly on or in."""
    seen = {thing}
    while (below := bearer(thing)) is not None and below not in seen and not is_container(below):
        seen.add(below)
        thing = below
    return below if below is not None and is_container(below) else None


def is_empty(bearer: Callable[[str], str | None], names: Iterable[str], thing: str) -> bool:
    """Whether nothing is in or on a thing; for a cup, whether it covers nothing."""
    if is_cover(thing):
        covered = bearer(thing)
        return covered is None or is_container(covered)
    return all(bearer(name) != thing for name in names)


def moved_by(steps: Iterable[Step]) -> tuple[str, ...]:
    """The things that the steps moved, in order; moving a thing twice in a row counts once."""
    names = (str(step.arguments["object"]) for step in steps if "object" in step.arguments)
    return tuple(name for name, _ in groupby(names))


class ExtendedAround(ExtendedTable):
    """The table of the world `around`: its hand locates, takes and puts down in one skill."""

    def _after(self, state: WorldState, object: str) -> WorldState:
        """The robot has to locate the thing again, and no longer knows what is close to it."""
        rest = tuple(each for each in state.relations if object not in each.arguments.values())
        return replace(state, relations=rest)
