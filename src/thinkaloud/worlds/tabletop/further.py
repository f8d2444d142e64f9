"""What the tables can do besides their papers' skills: put things beside, between and a little farther, and measure.

    world = open_world("tabletop").further()
    await world.skills["put_beside"].run({"object": "red block", "side": "left of", "target": "blue bowl"})

Left, right, in front and behind are those of the person who looks at the picture (see `space`). Where there is no room
it is said before anything moves. What a skill says beforehand goes by how things stand; the arm goes by what it sees.
"""

from __future__ import annotations

import math
import types
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Arguments, Observation, WorldState
from thinkaloud.skills import Kind, skill
from thinkaloud.state.edit import GROUND, with_placed
from thinkaloud.state.edit import TABLE as TABLE_NAME
from thinkaloud.worlds.contract import Briefing, briefing_of
from thinkaloud.worlds.further import FurtherWorld
from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.space import RELATIONS, Direction, Side, Spatial
from thinkaloud.worlds.tabletop.beside import gap_between
from thinkaloud.worlds.tabletop.kinds import CONTAINERS
from thinkaloud.worlds.tabletop.layout import PLACES, TABLE, Region
from thinkaloud.worlds.tabletop.measure import supports_of
from thinkaloud.worlds.tabletop.placing import why_no_room
from thinkaloud.worlds.tabletop.rules import after_put
from thinkaloud.worlds.tabletop.senses import Senses
from thinkaloud.worlds.tabletop.sites import Beside, Between, Shifted, Site

if TYPE_CHECKING:
    from thinkaloud.worlds.tabletop.domains import DomainWorld
    from thinkaloud.worlds.tabletop.physics import Physics
    from thinkaloud.worlds.tabletop.world import TableWorld

_BELOW = -0.05  # lower than this, a thing has fallen off the table
_FARTHEST = 60.0  # centimetres: as large as the table is
_VIEW = "Left, right, in front and behind are meant as the person sees it who looks at the table."

Facts = tuple[tuple[str, Arguments], ...]


def _comes_beside(object: str, side: str, target: str) -> Facts:
    near: Facts = (("next_to", {"thing": object, "other": target}),)
    return near if side not in RELATIONS else ((RELATIONS[side], {"thing": object, "other": target}), *near)


def _comes_between(object: str, one: str, other: str) -> Facts:
    return (("between", {"thing": object, "one": one, "other": other}),)


def _leaves(self: FurtherTable, object: str, **elsewhere: object) -> Facts:
    """What it was on or in, it is no longer."""
    if "on" not in self.world.relations:
        return ()
    return tuple(("on", {"object": object, "target": name}) for name in self.physics.names if name != object)


def _leaves_for(self: FurtherTable, object: str, target: str) -> Facts:
    """The same for what goes on something: that, what bears it and what is on it already bear it then."""
    kept = {target, *self._bearers(target)}
    left = [name for name in self.physics.names if name not in (object, *kept) and target not in self._bearers(name)]
    if target in PLACES:  # where there is no room, it goes on what is there
        left = [name for name in left if self.physics.things[name].kind in CONTAINERS]
    return tuple(("on", {"object": object, "target": name}) for name in left)


def _remembers(self: FurtherTable, state: WorldState, object: str, **where: object) -> WorldState:
    return self._after(state, object)


def _beside_free(self: FurtherTable, observation: Observation, object: str, side: str, target: str) -> str | None:
    return self._objection(observation, object, Beside(side, target))


def _between_free(self: FurtherTable, observation: Observation, object: str, one: str, other: str) -> str | None:
    return self._objection(observation, object, Between(one, other))


def _way_free(
    self: FurtherTable, observation: Observation, object: str, direction: str, centimetres: float
) -> str | None:
    if not 0 < centimetres <= _FARTHEST:
        return f"A thing can be moved by more than 0 and at most {_FARTHEST:g} cm, not by {centimetres:g}."
    return self._objection(observation, object, self._shifted(object, direction, centimetres))


def _has_landed(self: FurtherTable, object: str, **where: object) -> str | None:
    """What is wrong with where the thing is, whatever was said of its place."""
    if self.physics.held == object:
        return f"The {object} is still held."
    return None if self._lies(object) else f"The {object} is no longer on the table."


def _has_shifted(self: FurtherTable, object: str, **where: object) -> str | None:
    wrong = _has_landed(self, object)
    if wrong is not None or self._wanted is None or self._wanted[0] != object:
        return wrong
    site, now = self._wanted[1], self.physics.position(object)[:2]
    if site.is_met(self.physics.things[object], self.physics.things, now, lambda name: now):
        return None
    return f"The {object} is {math.dist(now, site.start) * 100:.0f} cm from where it was, not {site.words}."


def _bare(object: str, **where: object) -> Facts:
    """Nothing may lie on what is moved."""
    return (("not on", {"target": object}),)


class FurtherTable(Spatial, FurtherWorld):
    """A table on which things are put beside others, and measured."""

    world: TableWorld

    def __init__(self, world: TableWorld) -> None:
        self._wanted: tuple[str, Shifted] | None = None
        self._borne: tuple[bytes, dict[str, str]] = b"", {}
        super().__init__(world)
        if "pick_and_place" in self.skills:
            picking = replace(self.skills["pick_and_place"], ends=types.MethodType(_leaves_for, self))
            own = {name: replace(self.skills[name], needs=_bare) for name in ("put_beside", "put_between", "shift")}
            self.skills = {**self.skills, **own, "pick_and_place": picking}

    @property
    def senses(self) -> Senses:
        """Those of the world."""
        senses: Senses = self.world.senses
        return senses

    @senses.setter
    def senses(self, senses: Senses) -> None:
        self.world.senses = senses

    @property
    def physics(self) -> Physics:
        """That of the world, as it is just now."""
        physics: Physics = self.world.physics
        return physics

    @property
    def briefing(self) -> Briefing:
        """What the world says of itself, and where left and right are."""
        briefing = briefing_of(self.world)
        return replace(briefing, about=" ".join(filter(None, (briefing.about, _VIEW))))

    def observe(self) -> Observation:
        """What the world perceives, with everything that is a thing in one list."""
        seen = super().observe()
        known = {name for names in seen.vocabulary.values() for name in names}
        things = tuple(name for name in self.physics.names if name in known)
        movable = tuple(name for name in things if name in self.world.blocks)
        return replace(seen, vocabulary={"object": movable, **seen.vocabulary, "thing": things})

    # Skills -----------------------------------------------------------------------------------------------------------

    @skill(
        says="Put the {object} {side} the {target}.",
        distinct=("object", "target"),
        effects=_comes_beside,
        ends=_leaves,
        remembers=_remembers,
        preconditions=(_beside_free,),
        check=_has_landed,
    )
    async def put_beside(
        self, object: Annotated[str, Kind("object")], side: Side, target: Annotated[str, Kind("thing")]
    ) -> str:
        """Put an object on the table beside a thing: on one side of it as the person sees it, or on any side.

        Args:
            object: what to move.
            side: on which side of the target; next to it is on any side.
            target: the thing to put it beside.
        """
        return await self._place_at(object, Beside(side, target))

    @skill(
        says="Put the {object} between the {one} and the {other}.",
        distinct=("object", "one", "other"),
        effects=_comes_between,
        ends=_leaves,
        remembers=_remembers,
        preconditions=(_between_free,),
        check=_has_landed,
    )
    async def put_between(
        self,
        object: Annotated[str, Kind("object")],
        one: Annotated[str, Kind("thing")],
        other: Annotated[str, Kind("thing")],
    ) -> str:
        """Put an object on the table in the middle between two things.

        Args:
            object: what to move.
            one: the thing on its one side.
            other: the thing on its other side.
        """
        return await self._place_at(object, Between(one, other))

    @skill(
        says="Move the {object} {direction} by {centimetres} cm.",
        preconditions=(_way_free,),
        remembers=_remembers,
        check=_has_shifted,
    )
    async def shift(self, object: Annotated[str, Kind("object")], direction: Direction, centimetres: float = 5) -> str:
        """Move an object on the table a little in one direction as the person sees it: forward is towards the person.

        Args:
            object: what to move.
            direction: which way.
            centimetres: how far.
        """
        site = self._shifted(object, direction, centimetres)
        problem = _way_free(self, Observation((), {}), object, direction, centimetres)
        if problem:
            raise SkillError(problem)
        self._wanted = object, site
        return await self._place_at(object, site)

    async def _place_at(self, object: str, site: Site) -> str:
        for name in (object, *site.anchors):
            self._known(name)
            if name in self.physics.names and not self._lies(name) and name != object:
                raise SkillError(f"The {name} is not on the table: nothing can be put {site.words}.")
        report: str = await self.world.place_at(object, site)
        return report

    def _shifted(self, object: str, direction: str, centimetres: float) -> Shifted:
        self._known(object)
        return Shifted(self.physics.position(object)[:2], direction, centimetres / 100)

    def _objection(self, observation: Observation, object: str, site: Site) -> str | None:
        """Why a thing cannot be put at a site. Of a state that is only foreseen, what is fixed is all that is known."""
        for name in (object, *site.anchors):
            self._known(name)
        if observation.state is None:
            return why_no_room(self.physics, object, site)
        fixed = site.anchors and all(self.physics.things[name].kind in CONTAINERS for name in site.anchors)
        return why_no_room(self.physics, object, site, fixed=True) if fixed else None

    def _after(self, state: WorldState, object: str) -> WorldState:
        """What is known once a thing has been put on the table."""
        return with_placed(state, object, TABLE_NAME)

    def _known(self, name: str) -> None:
        if name not in self.physics.names:
            raise UnknownName("object", name, self.physics.names)

    # Where things are -------------------------------------------------------------------------------------------------

    def _region(self, name: str) -> Region | None:
        """The part of the table that a name stands for; None for a thing."""
        if name in self.physics.names:
            return None
        return TABLE if name in GROUND else PLACES.get(name)

    def _place(self, name: str) -> Xyz:
        region = self._region(name)
        if region is not None:
            (x, y), top = region.centre, 0.0
        else:
            self._known(name)
            x, y, z = self.physics.position(name)
            thing = self.physics.things[name]
            top = z - thing.middle + thing.height
        return x - TABLE.x[0], y - TABLE.y[0], top

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


class FurtherDomain(FurtherTable):
    """A table under the rules of a domain. What is on a thing that is moved is set aside, or has to go first.

    That something is on the table is said with `on` here, as it is in the domain.
    """

    world: DomainWorld

    def __init__(self, world: DomainWorld) -> None:
        super().__init__(world)
        self.relations = {name: each for name, each in self.relations.items() if name != "on_table"}

    def _after(self, state: WorldState, object: str) -> WorldState:
        return after_put(self.world.domain, state, object, TABLE_NAME)


class FurtherAround(FurtherTable):
    """The table with the hand, which locates, takes and puts down in one."""

    def _after(self, state: WorldState, object: str) -> WorldState:
        """Where it is has to be looked for, and what was close to it may no longer be."""
        rest = tuple(each for each in state.relations if object not in each.arguments.values())
        return replace(state, relations=rest)
