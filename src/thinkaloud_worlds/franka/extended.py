"""Skills that name things: put one on, into, beside or between others, or a little farther; and measure.

    world = open_world("franka").extended()
    await world.skills["put_beside"].run({"object": "mug", "side": "left of", "target": "plate"})

Each is a grasp and a move of the world itself, at points computed from where things are known to be. So an obstacle
can be reported beforehand, even for a predicted state. The person looks at the table from opposite the arm: right is
where y grows, and in front is where x grows (see `spatial_relations`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, Protocol

from thinkaloud.errors import SkillError, UnknownName, Unparseable
from thinkaloud.records import Observation, Step, WorldState
from thinkaloud.skills import Kind, relation, skill
from thinkaloud.worlds.contract import Briefing, World
from thinkaloud.worlds.geometry import Xy, Xyz
from thinkaloud_worlds.franka.box_geometry import (
    ObjectBox,
    bearer,
    boxes_of,
    held_in,
    in_the_way,
    on_the_base,
    on_the_table,
    stands_on,
)
from thinkaloud_worlds.franka.declared_effects import TableMemory
from thinkaloud_worlds.franka.free_places import ArmStep, Arranging
from thinkaloud_worlds.franka.layout import ORDINARY, TABLE_X, TABLE_Y
from thinkaloud_worlds.franka.reachability import reaches
from thinkaloud_worlds.franka.reference_points import (
    points_beside,
    points_between,
    said_where,
    shifted_point,
    squeezed,
)
from thinkaloud_worlds.franka.row_placement import find_row, is_laid, spots_near
from thinkaloud_worlds.placement_skills import PlacementFacts, PutsBeside, bare, has_landed, is_free, leaves, remembers

_FALLEN = -0.05  # below this height, a thing has fallen off the table
_NEXT_TO = 0.12  # the largest gap between things that are next to each other: the hand has to fit in
_ABOUT = 0.02  # how far a thing may end up from where it was shifted to
_BEARS = 0.6  # a thing stands only on something at least this share of its own length and width
_ABOUT_IT = (
    "An arm moves household things on a table, by their names. "
    "Left, right, in front and behind are meant as the person sees it who looks at the table from opposite the arm."
)


def _comes_on(self: ExtendedFranka, object: str, target: str) -> PlacementFacts:
    return ((self._how(target), {"object": object, "target": target}),)


def _comes_to(object: str, x: float, y: float) -> PlacementFacts:
    return (("at", {"object": object, "x": x, "y": y}),)


class PlainFranka(World, Protocol):
    """What the extension needs from the world: its boxes, what the hand holds, and which things are receptacles."""

    briefing: Briefing
    memory: TableMemory
    receptacles: tuple[str, ...]
    hollow: frozenset[str]

    @property
    def in_hand(self) -> str | None:
        """What the hand holds, as far as the robot knows."""
        ...

    def boxes(self) -> dict[str, ObjectBox]:
        """The box of each thing, as far as is known."""
        ...

    def rescan(self) -> Observation:
        """Look from all sides."""
        ...


class ExtendedFranka(PutsBeside):
    """The table with skills that take the names of things."""

    world: PlainFranka

    def __init__(self, world: PlainFranka) -> None:
        self._wanted: tuple[str, Xy] | None = None
        super().__init__(world)

    @property
    def briefing(self) -> Briefing:
        """The world's briefing, for skills that take names; it also defines left and right."""
        return replace(self.world.briefing, about=_ABOUT_IT)

    def observe(self) -> Observation:
        """What the world perceives; every object also counts as a thing."""
        return self._told(super().observe())

    def rescan(self) -> Observation:
        """Look from all sides."""
        return self._told(self.world.rescan())

    def _told(self, seen: Observation) -> Observation:
        return replace(seen, vocabulary={**seen.vocabulary, "thing": seen.vocabulary["object"]})

    # Skills -----------------------------------------------------------------------------------------------------------

    @skill(
        says="Put the {object} on or into the {target}.",
        distinct=("object", "target"),
        effects=_comes_on,
        ends=leaves,
        needs=bare,
        preconditions=(is_free,),
        remembers=remembers,
        check=has_landed,
    )
    async def put_on(self, object: Annotated[str, Kind("object")], target: Annotated[str, Kind("thing")]) -> str:
        """Put an object on a plate, a tray or another thing, or into a bowl or a basket.

        Args:
            object: what to move.
            target: what to put it on or into.
        """
        return await self._put(object, target=target)

    @skill(
        says="Put the {object} at ({x}, {y}).",
        effects=_comes_to,
        ends=leaves,
        needs=bare,
        preconditions=(is_free,),
        remembers=remembers,
        check=has_landed,
    )
    async def put_at(self, object: Annotated[str, Kind("object")], x: float, y: float) -> str:
        """Put an object at a point of the table, in metres: (0.30, -0.20).

        Args:
            object: what to move.
            x: how far in front of the arm.
            y: how far to the right of its middle, as the person sees it.
        """
        return await self._put(object, x=x, y=y)

    @skill(
        says="Swap the {object} and the {other}.",
        distinct=("object", "other"),
        preconditions=(is_free,),
        remembers=remembers,
        check=has_landed,
    )
    async def swap(self, object: Annotated[str, Kind("object")], other: Annotated[str, Kind("object")]) -> str:
        """Have two objects change places, each where the other was.

        Args:
            object: the one.
            other: the other.
        """
        return await self._put(object, other=other)

    async def _put(self, object: str, **where: Any) -> str:
        """Grasp and move, after any steps that have to come first."""
        state = self.world.observe().state or WorldState()
        steps = self._steps(state, object, **where)
        x, y = (float(steps[-1].arguments[axis]) for axis in ("x", "y"))
        boxes = boxes_of(state)
        back = {*where} == {"other"} and math.dist((x, y), (boxes[object].x, boxes[object].y)) < _ABOUT
        self._wanted = where["other"] if back else object, (x, y)
        for step in steps:
            await self.world.skills[step.skill].run(step.arguments)
        return f"{steps[-1].words}, at ({x:.2f}, {y:.2f})."

    def _left(self, object: str, **where: Any) -> PlacementFacts:
        others = [name for name in self.world.receptacles if name not in (object, where.get("target"))]
        left = tuple((self._how(name), {"object": object, "target": name}) for name in others)
        return (*left, ("on", {"object": object}), ("inside", {"object": object}))

    def _objection(self, observation: Observation, object: str, **where: Any) -> str | None:
        try:
            self._steps(observation.state or WorldState(), object, **where)
        except SkillError as error:
            return str(error)
        return None

    def _foreseen(self, state: WorldState, object: str, **where: Any) -> WorldState:
        try:
            steps = self._steps(state, object, **where)
        except SkillError:
            return state
        for step in steps:
            made = self.world.skills[step.skill]
            if made.remembers is not None:
                state = made.remembers(state, **{"z": 0.0, **step.arguments})
        return state

    def _astray(self, object: str, **where: Any) -> str | None:
        if self.world.in_hand == object:
            return f"The {object} is still in the hand."
        if not self._lies(object):
            return f"The {object} is no longer on the table."
        exact = "direction" in where or {*where} == {"other"}
        if not exact or self._wanted is None or self._wanted[0] != object:
            return None
        off = math.dist(self._boxes()[object][:2], self._wanted[1])
        return None if off <= _ABOUT else f"The {object} is {off * 100:.0f} cm from where it was to be."

    def make_room(self, deeds: Sequence[Step]) -> tuple[Step, ...]:
        """The step that moves the first thing of a row, so that there is room for the whole row."""
        first, state = find_row(deeds), self.world.observe().state or WorldState()
        if first is None or first not in boxes_of(state) or is_laid(state, deeds, self._after):
            return ()
        box = boxes_of(state)[first]
        for x, y in spots_near((box.x, box.y)):
            step = self.skills["put_at"].step({"object": first, "x": x, "y": y})
            moved = self._after(state, step)
            if moved is not None and is_laid(moved, deeds, self._after):
                return (step,)
        return ()

    def _after(self, state: WorldState, step: Step) -> WorldState | None:
        given: dict[str, Any] = dict(step.arguments)
        if self._objection(Observation((), {}, state=state), **given) is not None:
            return None
        return self._foreseen(state, **given)

    # Relations --------------------------------------------------------------------------------------------------------

    @relation(says="The {thing} is next to the {other}.", distinct=("thing", "other"), derived=True)
    def next_to(self, thing: Annotated[str, Kind("thing")], other: Annotated[str, Kind("thing")]) -> bool:
        """Whether two things are side by side, with at most 12 cm between their sides, and neither is on the other.

        Args:
            thing: the one.
            other: the other.
        """
        return self._side_by_side(thing, other) and self._gap(thing, other) <= _NEXT_TO

    # Points -----------------------------------------------------------------------------------------------------------

    def _steps(self, state: WorldState, object: str, **where: Any) -> list[ArmStep]:
        """The steps that bring a thing somewhere. Raises SkillError with the reason if that is impossible."""
        boxes = boxes_of(state)
        for name in (object, *(where[key] for key in ("target", "one", "other") if key in where)):
            if name not in boxes:
                raise SkillError(f"It is not known where the {name} is.")
            if name == held_in(state) and name != object:
                raise SkillError(f"The {name} is in the hand: put it down first.")
        moved = [object, *(where.values() if {*where} == {"other"} else ())]
        if wide := [name for name in moved if name in self.world.receptacles]:
            raise SkillError(f"The {wide[0]} is too wide for the hand.")
        held = held_in(state)
        for name in moved:
            self._refuse_to_grasp(state, boxes, name)
        tall = [name for name, box in boxes.items() if name != object and box.height > ORDINARY + 0.005]
        where_to = said_where({**where, "side": self._how(where["target"])} if {*where} == {"target"} else where)
        words, rest = f"Put the {object} {where_to}", {n: b for n, b in boxes.items() if n not in (object, held)}
        problem = ""
        for way_round in (*tall[:1], ""):
            table = Arranging(state, state, self.world.receptacles, [], way_round)
            try:
                if {*where} == {"other"}:
                    return self._swapped(table, object, where["other"])
                point = self._point(table, boxes[object], rest, object, **where)
                *before, last = table.carried(object, point, words)
                top = (
                    {"z": round(boxes[where["target"]].top + boxes[object].height / 2, 3)} if self._piled(where) else {}
                )
                return [*before, replace(last, arguments={**last.arguments, **top})]
            except Unparseable as error:
                problem = str(error)
        raise SkillError(problem or f"There is no way to put the {object} {said_where(where)}.")

    def _refuse_to_grasp(self, state: WorldState, boxes: dict[str, ObjectBox], name: str) -> None:
        """Raise SkillError if something stands on a thing, or the hand cannot grasp it."""
        held = held_in(state)
        above = [other for other in stands_on(name, boxes, self._hollow()) if other != held]
        if above:
            raise SkillError(f"The {above[0]} is on the {name}: move it first.")
        if held != name:
            loose = replace(state, relations=tuple(each for each in state.relations if each.relation != "held"))
            problem = self.world.memory.unwise_to_grasp(Observation((), {}, state=loose), boxes[name].x, boxes[name].y)
            if problem:
                raise SkillError(problem)

    def _swapped(self, table: Arranging, object: str, other: str) -> list[ArmStep]:
        """The steps of a swap; SkillError if both things have the same place, such as one held above the other."""
        steps = list(table.exchanged(object, other))
        if not steps:
            raise SkillError(f"The {object} and the {other} are at the same place: there is nothing to swap.")
        return steps

    def _point(self, table: Arranging, mine: ObjectBox, rest: dict[str, ObjectBox], object: str, **where: Any) -> Xy:
        """The point where a thing is to be put."""
        if "direction" in where:
            spots: Iterable[Xy] = [shifted_point(mine, **where)]
        elif "x" in where:
            spots = [(where["x"], where["y"])]
        elif "one" in where:
            spots = points_between(mine, rest[where["one"]], rest[where["other"]])
        elif "side" in where:
            spots = points_beside(mine, rest[where["target"]], where["side"])
        elif self._piled(where):
            return self._top_of(mine, rest, object, where["target"])
        else:
            return table.on(object, where["target"])
        reasons, free = list[str](), list[Xy]()
        for x, y in spots:
            box = mine.at(x, y, 0.0)
            if not on_the_table(box):
                reasons.append("the table ends there")
            elif taken := in_the_way(box, rest):
                reasons.append(f"the {taken[0]} is in the way")
            elif on_the_base(box):
                reasons.append("the arm itself stands there")
            elif not reaches(x, y, mine.height):
                reasons.append("the arm does not reach it")
            else:
                free.append((x, y))
        if not free:
            why = reasons[0] if reasons else "they are too close to each other"
            raise SkillError(f"There is no room for the {object} {said_where(where)}: {why}.")
        return min(free, key=lambda at: squeezed(mine.at(at[0], at[1], 0.0), rest.values()))

    def _piled(self, where: dict[str, Any]) -> bool:
        """Whether a thing is to be put on another that is not a receptacle."""
        return {*where} == {"target"} and where["target"] not in self.world.receptacles

    def _top_of(self, mine: ObjectBox, rest: dict[str, ObjectBox], object: str, target: str) -> Xy:
        """The middle of the target, if it is large enough and has nothing on it."""
        below = rest[target]
        above = stands_on(target, rest, self._hollow())
        if above:
            raise SkillError(f"The {above[0]} is on the {target}: move it first.")
        if min(below.length / mine.length, below.width / mine.width) < _BEARS:
            raise SkillError(f"The {target} is too small for the {object} to stand on.")
        return below.x, below.y

    def _how(self, target: str) -> str:
        """The relation for what rests there: `inside` for a hollow target, else `on`."""
        return "inside" if target in self.world.hollow else "on"

    def _hollow(self) -> list[str]:
        return [name for name in self.world.receptacles if self._how(name) == "inside"]

    # Where things are -------------------------------------------------------------------------------------------------

    def _boxes(self) -> dict[str, ObjectBox]:
        return self.world.boxes()

    def _place(self, name: str) -> Xyz:
        box = self._box(name)
        return box.y - TABLE_Y[0], TABLE_X[1] - box.x, box.top

    def _box(self, name: str) -> ObjectBox:
        boxes = self._boxes()
        if name not in boxes:
            raise UnknownName("object", name, tuple(boxes))
        return boxes[name]

    def _lies(self, name: str) -> bool:
        return name != self.world.in_hand and name in self._boxes() and self._boxes()[name].z > _FALLEN

    def _gap(self, one: str, other: str) -> float:
        return self._box(one).gap(self._box(other))

    def _bearer(self, name: str) -> str | None:
        held = self.world.in_hand
        boxes = {other: box for other, box in self._boxes().items() if other != held or other == name}
        return None if name == held else bearer(name, boxes, self._hollow())

    def _across(self, name: str) -> float:
        return max(self._box(name).length, self._box(name).width)
