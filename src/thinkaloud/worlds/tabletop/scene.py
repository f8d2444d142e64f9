"""A scene: which objects stand on the table, and where. Drawn at random, or read from a file."""

from __future__ import annotations

import math
import re

import msgspec
import numpy as np

from thinkaloud.errors import BadScene
from thinkaloud.worlds.tabletop.layout import COLOURS, PLACES, TABLE, Rgb, colour_of

MOST_OBJECTS = 12
SIZES = {"block": (0.04, 0.02, 0.06), "bowl": (0.12, 0.10, 0.18)}  # usual, smallest, largest; across
BOWL_HEIGHT = 0.045
APART = 0.15  # between the centres of objects of a random scene
_POSITIVE = 2**64 - 1  # generators take no negative seeds
Count = int | tuple[int, int]


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One object. `on` names the block that it stands on at the start; x and y are then that block's."""

    name: str
    kind: str
    x: float = math.nan
    y: float = math.nan
    colour: str = ""
    yaw: float = 0.0
    size: float = 0.0
    on: str = ""

    @property
    def across(self) -> float:
        """Its width in metres."""
        return self.size or SIZES[self.kind][0]

    @property
    def height(self) -> float:
        """How tall it is in metres."""
        return self.across if self.kind == "block" else BOWL_HEIGHT

    @property
    def radius(self) -> float:
        """The circle round its centre that nothing else may stand in."""
        return self.across / 2 * (math.sqrt(2) if self.kind == "block" else 1 / math.cos(math.pi / 8))

    @property
    def rgb(self) -> Rgb:
        """Its colour; where none is given, the one in its name."""
        return colour_of(self.colour) or _colour_in(self.name) or COLOURS["gray"]


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The objects of an episode, in the order in which they are spoken of."""

    objects: tuple[Thing, ...] = ()

    @classmethod
    def random(cls, seed: int, blocks: Count = (2, 4), bowls: Count = (1, 3)) -> Scene:
        """Blocks and bowls of different colours at least 15 cm apart; a count or a range of counts of each."""
        rng = np.random.default_rng([seed & _POSITIVE, 0x7AB1E])
        kinds = ["block"] * _draw(rng, blocks) + ["bowl"] * _draw(rng, bowls)
        if len(kinds) > MOST_OBJECTS:
            raise BadScene(f"A scene has at most {MOST_OBJECTS} objects, not {len(kinds)}.")
        colours = {kind: [str(c) for c in rng.permutation(list(COLOURS))] for kind in SIZES}
        spots = _spread(rng, kinds)
        things = []
        for kind, (x, y) in zip(kinds, spots, strict=True):
            colour = colours[kind].pop()
            yaw = round(float(rng.uniform(-45, 45)), 1) if kind == "block" else 0.0
            things.append(Thing(f"{colour} {kind}", kind, x, y, colour, yaw))
        return cls(tuple(things))

    @classmethod
    def from_json(cls, text: str) -> Scene:
        """The scene again; BadScene for what is none."""
        try:
            scene = msgspec.json.decode(text, type=cls)
        except msgspec.MsgspecError as error:
            raise BadScene(f"Not a scene: {error}.") from None
        scene.check()
        return scene

    def to_json(self) -> str:
        """The scene as text, for the journal."""
        return msgspec.json.encode({"objects": [_plain(thing) for thing in self.objects]}).decode()

    def check(self) -> None:
        """Raise BadScene, saying what is wrong, unless such a scene can exist."""
        for _, problem in problems(self):
            raise BadScene(problem)

    def placed(self) -> dict[str, tuple[Thing, float, float, float]]:
        """Every object with the x, y and z of its underside."""
        found: dict[str, tuple[Thing, float, float, float]] = {}
        for thing in self.objects:
            if thing.on:
                below, x, y, z = found[thing.on]
                found[thing.name] = thing, x, y, z + below.height
            else:
                found[thing.name] = thing, thing.x, thing.y, 0.0
        return found


def problems(scene: Scene) -> list[tuple[int, str]]:
    """What is wrong with a scene: the index of the object, and one sentence that says what would be right."""
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
    if not re.fullmatch(r"[^\W_](?:[\w '’.#&/+-]{0,38}[\w.'’])?", thing.name):
        return f"{thing.name!r} is no usable name; names have 1 to 40 letters, digits, spaces or hyphens."
    if thing.name.lower() in PLACES:
        return f"{thing.name!r} is the name of a place on the table; give the object another name."
    if thing.name.lower() in {other.name.lower() for other in before}:
        return f"Two objects are called {thing.name!r}; every object needs a name of its own."
    return None


def _thing_problem(thing: Thing, before: tuple[Thing, ...]) -> str | None:
    if thing.kind not in SIZES:
        return f"{thing.name}: there is no kind {thing.kind!r}; an object is a block or a bowl."
    _, smallest, largest = SIZES[thing.kind]
    if not smallest <= thing.across <= largest:
        return f"{thing.name}: a {thing.kind} of size {thing.size} m; it has to be {smallest} to {largest} m."
    if thing.colour and colour_of(thing.colour) is None:
        known = ", ".join(COLOURS)
        return f"{thing.name}: unknown colour {thing.colour!r}; say one of {known}, a CSS colour, or #rrggbb."
    if not math.isfinite(thing.yaw):
        return f"{thing.name}: the yaw has to be a number of degrees."
    if thing.on:
        if thing.kind != "block" or thing.on not in {b.name for b in before if b.kind == "block"}:
            return (
                f"{thing.name}: it stands on {thing.on!r}, which has to be a block named earlier (only blocks stack)."
            )
        return None
    if not (math.isfinite(thing.x) and math.isfinite(thing.y)):
        return f"{thing.name}: it needs an x and a y in metres, or the name of the block that it is on."
    room = TABLE.inset(thing.across / 2)
    if room.distance(thing.x, thing.y) > 1e-9:
        xs, ys = (f"{low:g} to {high:g}" for low, high in (room.x, room.y))
        return f"{thing.name}: ({thing.x:g}, {thing.y:g}) is not on the table; x has to be {xs} and y {ys}."
    return None


def _overlaps(scene: Scene) -> list[tuple[int, str]]:
    standing = [(i, thing) for i, thing in enumerate(scene.objects) if not thing.on]
    for at, (_, first) in enumerate(standing):
        for j, second in standing[at + 1 :]:
            gap, need = math.dist((first.x, first.y), (second.x, second.y)), first.radius + second.radius
            if gap < need:
                return [
                    (
                        j,
                        f"{second.name} overlaps {first.name}: they are {gap * 100:.1f} cm apart, and need "
                        f"{need * 100:.1f} cm between their centres.",
                    )
                ]
    taken: dict[str, str] = {}
    for i, thing in enumerate(scene.objects):
        if thing.on in taken:
            return [
                (i, f"{thing.name} overlaps {taken[thing.on]}: both stand on {thing.on}; a block carries one block.")
            ]
        if thing.on:
            taken[thing.on] = thing.name
    return []


def _draw(rng: np.random.Generator, count: Count) -> int:
    low, high = (count, count) if isinstance(count, int) else count
    return int(rng.integers(low, high + 1))


def _spread(rng: np.random.Generator, kinds: list[str]) -> list[tuple[float, float]]:
    """Places at least 15 cm apart, by drawing again whatever comes too close."""
    apart = APART
    while True:
        for _ in range(200):
            spots: list[tuple[float, float]] = []
            for kind in kinds:
                room = TABLE.inset(0.05 if kind == "block" else 0.08)
                for _ in range(60):
                    x, y = (round(float(rng.uniform(*side)), 4) for side in (room.x, room.y))
                    if all(math.dist((x, y), other) >= apart for other in spots):
                        spots.append((x, y))
                        break
                else:
                    break
            if len(spots) == len(kinds):
                return spots
        apart -= 0.005  # only scenes of many more objects than usual get here


def _colour_in(name: str) -> Rgb | None:
    return next((COLOURS[word] for word in name.lower().split() if word in COLOURS), None)


def _plain(thing: Thing) -> dict[str, object]:
    """As data, without what is not given."""
    data = {
        key: float(value) if isinstance(value, int) else value for key, value in msgspec.structs.asdict(thing).items()
    }
    usual = {"colour": "", "yaw": 0.0, "size": 0.0, "on": ""}
    return {key: value for key, value in data.items() if value == value and usual.get(key) != value}
