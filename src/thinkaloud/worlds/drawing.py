"""What to draw of a world: shapes in space where it has bodies, a plan of its places, or a board of its things.

    drawing = draw(world, scene)          # all of it, with a version that counts how often the shapes have changed
    poses = find_poses(world)             # only where the bodies are now: quick enough for every frame

An `Embodied` world is drawn in space, a `Mapped` one by its own plan. Any other is a board: its things by their kinds,
and what is true of each, in the robot's own sentences.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from thinkaloud.records import Condition, Observation
from thinkaloud.skills.signatures import capitalised, spell_number
from thinkaloud.worlds.contract import Measured, Pictured, World, find_ability
from thinkaloud.worlds.interventions import Eyed

Role = Literal["thing", "robot", "target", "fixed"]
ShapeForm = Literal["box", "sphere", "cylinder", "capsule", "ellipsoid", "plane", "mesh"]
DrawingKind = Literal["space", "plan", "board", "none"]
Pose = tuple[float, ...]
"""x, y, z, and a quaternion w, x, y, z."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape in space, in metres, z up.

    `form` and `size`: `box` (whole length, width, height), `sphere` (radius), `cylinder` and `capsule` (radius, whole
    length without the caps, along z), `ellipsoid` (three radii), `plane` (length and width, 0: endless), `mesh`
    (`vertices` and `faces`).
    """

    name: str
    """The thing or robot part it belongs to; several shapes may share one."""
    role: Role
    form: ShapeForm
    size: tuple[float, ...]
    colour: str
    """`#rrggbb`"""
    opacity: float = 1.0
    vertices: tuple[tuple[float, float, float], ...] = ()
    faces: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a floor plan: a room, a landmark, a shelf; `inside` is the place that it is in.

    What only stands there, such as a wall, has no name.
    """

    name: str
    x: float
    y: float
    kind: str = ""
    inside: str | None = None
    size: tuple[float, float] | None = None
    robot: bool = False
    """The robot is here (or this is the robot)."""
    things: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanPicture:
    """A picture under a plan, PNG or JPEG, and how wide and high what it shows is, in metres."""

    data: bytes
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class BoardThing:
    """A thing on a board, and what is true of it, in sentences; `seen`: it is in view.

    `fresh` are those of the facts that have just become true, `gone` those that have just stopped being true.
    """

    name: str
    facts: tuple[str, ...] = ()
    seen: bool = True
    fresh: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardGroup:
    """The things of a kind; without a kind, those of none, and what is true of no single thing."""

    kind: str
    things: tuple[BoardThing, ...] = ()
    facts: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawing:
    """What to draw: shapes in space with their poses, a floor plan, a board, or nothing."""

    kind: DrawingKind
    version: int
    shapes: tuple[Shape, ...] = ()
    poses: tuple[Pose, ...] = ()
    places: tuple[Place, ...] = ()
    board: tuple[BoardGroup, ...] = ()
    """Of a world without bodies."""
    whole: bool = True
    """Whether there was time to find out all that is true on the board."""
    things: tuple[str, ...] = ()
    """What is in view, by name."""
    camera: bool = False
    """Whether there is a picture of what is seen."""
    eyed: bool = False
    """Whether that is the picture of the robot's own camera, and not drawn."""
    picture: tuple[float, float] | None = None
    """The width and height of a picture under the plan, in metres from (0, 0)."""


class Looks:
    """The latest look at a world, and the one before it that found something else."""

    def __init__(self, looks: Iterable[Observation] = ()) -> None:
        self.latest: Observation | None = None
        self.before: Observation | None = None
        for each in looks:
            self.add(each)

    def add(self, seen: Observation) -> None:
        """Take in what is seen now."""
        if self.latest is not None and _found(self.latest) != _found(seen):
            self.before = self.latest
        self.latest = seen


def _found(seen: Observation) -> object:
    state = seen.state
    told = () if state is None else (state.relations, state.attributes, state.facts)
    return seen.objects, seen.hidden, told


class Bodies(Protocol):
    """The bodies of a simulation."""

    def shapes(self) -> tuple[Shape, ...]:
        """What they look like."""
        ...

    def poses(self) -> tuple[Pose, ...]:
        """Where they are now, in the same order."""
        ...


class Embodied(World, Protocol):
    """A world with bodies in space."""

    def bodies_drawn(self) -> Bodies:
        """Its bodies, to be drawn."""
        ...


class Mapped(World, Protocol):
    """A world with a plan of its places."""

    def plan_drawn(self) -> tuple[Place, ...]:
        """Its places, as things stand."""
        ...


class MappedOnPicture(Mapped, Protocol):
    """A world whose plan lies on a picture."""

    def plan_picture(self) -> PlanPicture | None:
        """The picture; its lower left corner is at (0, 0)."""
        ...


def draw(
    world: World,
    seen: Observation | None = None,
    before: Drawing | None = None,
    seen_before: Observation | None = None,
) -> Drawing:
    """Everything to draw. The version changes only when what is drawn, but for poses, differs from the drawing before.

    Changes on a board are those since `seen_before`; in a world without a written state, since the drawing before.
    """
    embodied, mapped = find_ability(world, Embodied), find_ability(world, Mapped)
    places = mapped.plan_drawn() if mapped is not None else ()
    things = seen.objects if seen is not None else ()
    if embodied is not None:
        bodies = embodied.bodies_drawn()
        drawing = Drawing("space", 0, bodies.shapes(), bodies.poses(), places, things=things)
    else:
        drawing = draw_board(seen, world, seen_before)
        if seen is not None and seen.state is None and before is not None:
            drawing = replace(drawing, board=_changed_since(before, drawing))
        if places:
            behind = find_plan_picture(world)
            picture = (behind.width, behind.height) if behind is not None else None
            drawing = replace(drawing, kind="plan", places=places, picture=picture)
    eyed = find_ability(world, Eyed) is not None
    drawing = replace(drawing, camera=eyed or find_ability(world, Pictured) is not None, eyed=eyed)
    if before is None:
        return drawing
    known = replace(drawing, version=before.version, poses=before.poses)
    return replace(drawing, version=before.version + (known != before))


def find_plan_picture(world: World) -> PlanPicture | None:
    """The picture under the plan of a world, if it has one."""
    mapped = find_ability(world, MappedOnPicture)
    return mapped.plan_picture() if mapped is not None else None


def find_poses(world: World) -> tuple[Pose, ...]:
    """Where the bodies are now; empty if the world has none."""
    embodied = find_ability(world, Embodied)
    return embodied.bodies_drawn().poses() if embodied is not None else ()


def draw_kind(world: World) -> DrawingKind:
    """How a world is drawn."""
    if find_ability(world, Embodied) is not None:
        return "space"
    mapped = find_ability(world, Mapped)
    return "plan" if mapped is not None and mapped.plan_drawn() else "board"


ASKING = ("how", "what", "where", "which", "whether", "who")
"""What begins the name of a value that is a question: `how warm the {cup} is`."""
_MOST_THINGS, _MOST_CALLS, _ASKING = 150, 100, 0.05
"""Things on a board; calls of a relation, and seconds, for which a world is asked that has no written state."""


def draw_board(
    seen: Observation | None,
    world: World | None = None,
    before: Observation | None = None,
    values: Mapping[str, str] | None = None,
) -> Drawing:
    """Things by their kinds, what is true of each, and what has changed; a world without a written state is asked.

    `before`: an earlier look, with which this one is compared. `values`: how values are told, where there is no world.
    """
    if seen is None:
        return Drawing("none", 0)
    kinds = {kind: names for kind, names in seen.vocabulary.items() if " " not in kind}
    listed = {name for names in kinds.values() for name in names}
    groups = [*kinds.items(), ("", tuple(name for name in seen.objects if name not in listed))]
    if not listed | {*seen.objects} or len(listed | {*seen.objects}) > _MOST_THINGS:
        return Drawing("none", 0, things=seen.objects)
    relations, whole = (list(seen.state.relations), True) if seen.state is not None else ([], True)
    if seen.state is None and world is not None:
        relations, whole = _ask(world, seen)
    told: dict[str, list[str]] = {}
    values = value_sentences(world) if values is None else values
    for name, words in _facts(seen, relations, values):
        told.setdefault(name if name in listed or name in seen.objects else "", []).append(words)
    board, drawn = list[BoardGroup](), set[str]()
    for kind, names in groups:
        fresh = [name for name in names if name not in drawn]
        drawn |= {*fresh}
        things = tuple(BoardThing(name, tuple(told.get(name, ())), name not in seen.hidden) for name in fresh)
        facts = tuple(told.get("", ())) if not kind else ()
        if things or facts:
            board.append(BoardGroup(kind, things, facts))
    marked = tuple(board)
    if before is not None and before.state is not None and seen.state is not None:
        marked = mark_changes(marked, draw_board(before, values=values).board)
    return Drawing("board", 0, board=marked, whole=whole, things=seen.objects)


def value_sentences(world: World | None) -> Mapping[str, str]:
    """How a world tells the values of its things, by their names: `The water of the {} is {} ml.`"""
    measured = None if world is None else find_ability(world, Measured)
    found = {}
    for name, each in () if measured is None else measured.measures.items():
        says, unit = each.signature, f" {each.signature.unit}" if each.signature.unit else ""
        if len(says.parameters) == 1 and "{" not in unit:
            said = says.render({says.parameters[0].name: "{0}"}).rstrip(".")
            asks = said.split(" ")[0].lower() in ASKING
            found[name] = f"{name.replace('_', ' ')}: {{1}}{unit}" if asks else f"{capitalised(said)} is {{1}}{unit}."
    return found


def mark_changes(board: Sequence[BoardGroup], before: Sequence[BoardGroup]) -> tuple[BoardGroup, ...]:
    """A board with what has become true since an earlier one, and what is true no longer; new things have no marks."""
    known = {thing.name: thing.facts for group in before for thing in group.things}
    general = tuple(fact for group in before for fact in group.facts)
    groups = [*board]
    if general and all(group.kind for group in groups):
        groups.append(BoardGroup(""))
    return tuple(
        replace(
            group,
            things=tuple(_marked(thing, known.get(thing.name, thing.facts)) for thing in group.things),
            fresh=() if group.kind else _without(group.facts, general),
            gone=() if group.kind else _without(general, group.facts),
        )
        for group in groups
    )


def _marked(thing: BoardThing, before: tuple[str, ...]) -> BoardThing:
    return replace(thing, fresh=_without(thing.facts, before), gone=_without(before, thing.facts))


def _without(facts: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(fact for fact in facts if fact not in others)


def _changed_since(before: Drawing, drawing: Drawing) -> tuple[BoardGroup, ...]:
    """A board with the changes since the drawing before; where nothing is different, with the marks it had."""
    if not (before.whole and drawing.whole):  # what was not asked has not changed
        return drawing.board
    bare = tuple(_bare(group) for group in before.board)
    if tuple(group for group in bare if group.things or group.facts) == drawing.board:
        return before.board
    return mark_changes(drawing.board, bare)


def _bare(group: BoardGroup) -> BoardGroup:
    return BoardGroup(group.kind, tuple(replace(thing, fresh=(), gone=()) for thing in group.things), group.facts)


def _facts(seen: Observation, relations: Iterable[Condition], values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The thing that each fact is about, and the fact in words."""
    for condition in relations:
        yield next((str(value) for value in condition.arguments.values()), ""), condition.words
    if (state := seen.state) is None:
        return
    for name, attributes in state.attributes.items():
        for key, value in attributes.items():
            words = key.replace("_", " ")
            number = spell_number(value) if isinstance(value, float) else value
            told = values[key].format(name, number) if key in values else f"{words}: {number}"
            yield name, words if value is True else f"not {words}" if value is False else told
    yield from (("", fact) for fact in state.facts)


def _ask(world: World, seen: Observation) -> tuple[list[Condition], bool]:
    """The relations that hold, and whether there was time to ask the world for all of them."""
    until, found = time.monotonic() + _ASKING, list[Condition]()
    for relation in world.relations.values():
        calls = () if relation.derived else relation.signature.calls(seen.vocabulary, most=_MOST_CALLS)
        for condition in map(relation.condition, calls):
            if time.monotonic() > until:
                return found, False
            with suppress(Exception):  # what cannot be known, or a fault in a robot builder's own code
                if world.holds(condition):
                    found.append(condition)
    return found, True
