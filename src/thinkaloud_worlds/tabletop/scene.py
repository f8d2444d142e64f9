"""Scenes: which objects stand on the table, and where; drawn at random or read from a file."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from thinkaloud.errors import BadScene
from thinkaloud.state.edits import GROUND
from thinkaloud.untrusted.files import Malformed, read_json
from thinkaloud.untrusted.text import is_name, say_no_name
from thinkaloud.worlds.geometry import Rgb
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop.layout import COLOURS, MORE_COLOURS, PLACES, TABLE_TOP, colour_of
from thinkaloud_worlds.tabletop.object_kinds import (
    BOWL_HEIGHT,
    BOX_HEIGHT,
    CAVITY,
    CONTAINERS,
    CUP_HEIGHT,
    FLOOR,
    MOVABLE,
    PLATE_HEIGHT,
    SIZES,
    STANDING,
    TALL,
    ObjectForm,
    colour_by_chance,
    colour_in,
    form_of,
    spots_inside,
)

_LONGEST_NAME = 40

MOST_OBJECTS = 32
_STEEL = (206, 218, 226)  # the colour of a disinfector
_HEIGHTS = {"bowl": BOWL_HEIGHT, "cup": CUP_HEIGHT, "disinfector": BOX_HEIGHT, "plate": PLATE_HEIGHT}
_MASSES = (0.005, 2.0)  # smallest and largest, in kilograms
_APART = 0.15  # between the centres of objects in a random scene
Count = int | tuple[int, int]


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One object. `on` names what it is on at the start, which then determines x and y.

    A block or a toy stands on another one or on a cup, or lies in a bowl or a disinfector; a cup covers what it is on,
    and hides it. `mass` is in kilograms, `dirty` cannot be seen; only some worlds use these two.
    """

    name: str
    kind: str
    x: float = math.nan
    y: float = math.nan
    colour: str = ""
    yaw: float = 0.0
    size: float = 0.0
    on: str = ""
    mass: float = 0.0
    dirty: bool = False

    @property
    def form(self) -> ObjectForm:
        """The form of a toy."""
        return form_of(self.name, self.size)

    @property
    def across(self) -> float:
        """Its width in metres."""
        return self.size or (self.form.across if self.kind == "toy" else SIZES[self.kind][0])

    @property
    def height(self) -> float:
        """How tall it is in metres."""
        if self.kind == "toy":
            return self.form.height
        return _HEIGHTS.get(self.kind) or self.across * TALL.get(self.kind, 1.0)

    @property
    def middle(self) -> float:
        """The height above its underside of the point that its position refers to."""
        return self.height / 2 if self.kind in ("block", "toy", "fruit", "bottle", *STANDING) else 0.0

    @property
    def radius(self) -> float:
        """The radius of the circle around its centre that must stay free."""
        square = self.kind in ("block", "box", "disinfector") or (
            self.kind == "toy" and self.form.shape in ("box", "cube")
        )
        return self.across / 2 * (math.sqrt(2) if square else 1 / math.cos(math.pi / 8))

    @property
    def reach(self) -> float:
        """How far it reaches towards a box that stands next to it."""
        return self.across / 2 if self.kind == "disinfector" else self.radius

    @property
    def rgb(self) -> Rgb:
        """Its colour; if none is given, the one in its name."""
        usual = {"toy": colour_by_chance(self.name), "disinfector": _STEEL}.get(self.kind, COLOURS["gray"])
        return colour_of(self.colour) or colour_in(self.name) or usual


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The objects of an episode, in the order in which they are listed."""

    objects: tuple[Thing, ...] = ()

    @classmethod
    def random(cls, seed: int, blocks: Count = (2, 4), bowls: Count = (1, 3)) -> Scene:
        """Draw blocks and bowls of different colours, at least 15 cm apart; give a count or a range for each."""
        rng = generator(seed, 0x7AB1E)
        kinds = ["block"] * _draw(rng, blocks) + ["bowl"] * _draw(rng, bowls)
        if len(kinds) > MOST_OBJECTS:
            raise BadScene(f"A scene has at most {MOST_OBJECTS} objects, not {len(kinds)}.")
        more = list(MORE_COLOURS)  # for a kind with more than ten
        colours = {kind: [*more, *(str(c) for c in rng.permutation(list(COLOURS)))] for kind in ("block", "bowl")}
        spots = _spread(rng, kinds)
        things = []
        for kind, (x, y) in zip(kinds, spots, strict=True):
            colour = colours[kind].pop()
            yaw = round(float(rng.uniform(-45, 45)), 1) if kind == "block" else 0.0
            things.append(Thing(f"{colour} {kind}", kind, x, y, colour, yaw))
        return cls(tuple(things))

    @classmethod
    def from_json(cls, text: str) -> Scene:
        """Read the scene back. Raises BadScene if the text is not a scene."""
        try:
            scene = msgspec.convert(read_json(text), cls)
        except (msgspec.ValidationError, Malformed) as error:
            raise BadScene(f"Not a scene: {error}.") from None
        scene.check()
        return scene

    def to_json(self) -> str:
        """The scene as text, for the journal."""
        return msgspec.json.encode({"objects": [_plain(thing) for thing in self.objects]}).decode()

    def check(self) -> None:
        """Raise BadScene with the reason if the scene is impossible."""
        for _, problem in scene_problems(self):
            raise BadScene(problem)

    def placed(self) -> dict[str, tuple[Thing, float, float, float]]:
        """Every object with the x, y and z of its underside."""
        found: dict[str, tuple[Thing, float, float, float]] = {}
        lying: dict[str, list[tuple[float, float]]] = {}
        for thing in self.objects:
            if not thing.on:
                found[thing.name] = thing, thing.x, thing.y, 0.0
                continue
            below, x, y, z = found[thing.on]
            if below.kind in CONTAINERS:
                there = lying.setdefault(below.name, [])
                wide = max(o.across for o in self.objects if o.on == below.name)
                dx, dy = spots_inside(below.kind, below.across, wide)[len(there)]
                there.append((dx, dy))
                found[thing.name] = thing, x + dx, y + dy, z + FLOOR
            elif thing.kind == "cup" and below.kind != "cup":
                found[thing.name] = thing, x, y, z + max(below.height - CAVITY, 0.0)
            else:
                found[thing.name] = thing, x, y, z + below.height
        return found


def scene_problems(scene: Scene) -> list[tuple[int, str]]:
    """What is wrong with a scene: the index of the object, and one sentence that says how to correct it."""
    if len(scene.objects) > MOST_OBJECTS:
        return [(MOST_OBJECTS, f"There are {len(scene.objects)} objects; a scene has at most {MOST_OBJECTS}.")]
    if not scene.objects:
        return [(0, "There are no objects; a scene needs at least one.")]
    found: list[tuple[int, str]] = []
    for index, thing in enumerate(scene.objects):
        problem = _name_problem(thing, scene.objects[:index]) or _thing_problem(thing, scene.objects[:index])
        if problem:
            found.append((index, problem))
    return found or _overlaps(scene)


def _name_problem(thing: Thing, before: tuple[Thing, ...]) -> str | None:
    if not is_name(thing.name, _LONGEST_NAME):
        return say_no_name(thing.name, _LONGEST_NAME)
    if thing.name.lower() in PLACES:
        return f"{thing.name!r} is the name of a place on the table; give the object another name."
    if thing.name.lower() in GROUND:
        return f"{thing.name!r} is a name for the table itself; give the object another name."
    if thing.name.lower() in {other.name.lower() for other in before}:
        return f"Two objects are called {thing.name!r}; give each a name of its own."
    return None


def _thing_problem(thing: Thing, before: tuple[Thing, ...]) -> str | None:
    if thing.kind not in SIZES:
        return f"{thing.name}: there is no kind {thing.kind!r}; use one of {', '.join(SIZES)}."
    _, smallest, largest = SIZES[thing.kind]
    if not smallest <= thing.across <= largest:
        return f"{thing.name}: the size is {thing.size} m; a {thing.kind} must be {smallest} to {largest} m."
    if thing.colour and colour_of(thing.colour) is None:
        known = ", ".join(COLOURS)
        return f"{thing.name}: unknown colour {thing.colour!r}; use one of {known}, a CSS colour, or #rrggbb."
    if not math.isfinite(thing.yaw):
        return f"{thing.name}: the yaw must be a number of degrees."
    if thing.mass and not _MASSES[0] <= thing.mass <= _MASSES[1]:
        return f"{thing.name}: the mass is {thing.mass:g} kg; it must be {_MASSES[0]} to {_MASSES[1]} kg."
    if thing.on:
        return _support_problem(thing, before)
    if not (math.isfinite(thing.x) and math.isfinite(thing.y)):
        return f"{thing.name}: give x and y in metres, or `on`: the name of the object it stands on."
    room = TABLE_TOP.inset(thing.across / 2)
    if room.distance(thing.x, thing.y) > 1e-9:
        xs, ys = (f"{low:g} to {high:g}" for low, high in (room.x, room.y))
        return f"{thing.name}: ({thing.x:g}, {thing.y:g}) is not on the table; x must be {xs} and y {ys}."
    return None


def _support_problem(thing: Thing, before: tuple[Thing, ...]) -> str | None:
    if thing.kind not in MOVABLE or thing.kind in STANDING:
        return f"{thing.name}: it is on {thing.on!r}, but a {thing.kind} stands on the table (only blocks stack)."
    below = next((other for other in before if other.name == thing.on), None)
    if below is None:
        return f"{thing.name}: it is on {thing.on!r}, which must be an object listed earlier."
    if thing.kind == "cup" and below.kind in ("block", "toy", *STANDING) and 2 * below.radius > thing.across - 0.008:
        return f"{thing.name}: it is too narrow to stand over the {below.name}; make one of them larger or smaller."
    return None


def _overlaps(scene: Scene) -> list[tuple[int, str]]:
    standing = [(i, thing) for i, thing in enumerate(scene.objects) if not thing.on]
    for at, (_, first) in enumerate(standing):
        for j, second in standing[at + 1 :]:
            dx, dy = abs(first.x - second.x), abs(first.y - second.y)
            gap, need = math.hypot(dx, dy), first.radius + second.radius
            if "disinfector" in (first.kind, second.kind):
                gap, need = max(dx, dy), first.reach + second.reach
            if gap < need:
                return [
                    (
                        j,
                        f"{second.name} overlaps {first.name}: they are {gap * 100:.1f} cm apart, and need "
                        f"{need * 100:.1f} cm between their centres.",
                    )
                ]
    kinds = {thing.name: thing for thing in scene.objects}
    taken: dict[str, list[Thing]] = {}
    for i, thing in enumerate(scene.objects):
        if not thing.on:
            continue
        others, below = taken.setdefault(thing.on, []), kinds[thing.on]
        others.append(thing)
        if below.kind in CONTAINERS:
            room = len(spots_inside(below.kind, below.across, max(other.across for other in others)))
            if len(others) > room:
                return [(i, f"{thing.name} does not fit into the {thing.on}: there is room for {room} such things.")]
        elif len(others) > 1:
            both = f"{thing.name} overlaps {others[0].name}: both stand on {thing.on}"
            return [(i, f"{both}; a {below.kind} carries one {thing.kind}.")]
    return []


def _draw(rng: np.random.Generator, count: Count) -> int:
    low, high = (count, count) if isinstance(count, int) else count
    return int(rng.integers(low, high + 1))


def _spread(rng: np.random.Generator, kinds: list[str]) -> list[tuple[float, float]]:
    """Draw places at least 15 cm apart; draw again whatever is too close."""
    apart = _APART
    while True:
        for _ in range(200):
            spots: list[tuple[float, float]] = []
            for kind in kinds:
                room = TABLE_TOP.inset(0.05 if kind == "block" else 0.08)
                for _ in range(60):
                    x, y = (round(float(rng.uniform(*side)), 4) for side in (room.x, room.y))
                    if all(math.dist((x, y), other) >= apart for other in spots):
                        spots.append((x, y))
                        break
                else:
                    break
            if len(spots) == len(kinds):
                return spots
        apart -= 0.005  # only scenes with far more objects than usual get here


def _plain(thing: Thing) -> dict[str, object]:
    """The object as data, without fields that are not given."""
    data = {key: float(value) if type(value) is int else value for key, value in msgspec.structs.asdict(thing).items()}
    usual: dict[str, object] = {"colour": "", "yaw": 0.0, "size": 0.0, "on": "", "mass": 0.0, "dirty": False}
    return {key: value for key, value in data.items() if value == value and usual.get(key) != value}
