"""What stands on the table, as data: each thing with its kind and its place.

    late = ["soup can"]           # not there at first
    beyond = ["vase"]             # deliberately out of the arm's reach; anything else out of reach is an error

    [[object]]
    name = "mustard bottle 1"
    kind = "mustard bottle"
    x = 0.32
    y = -0.33

    [[object]]
    name = "apple"
    on = "tray"                   # in the middle of it, unless x and y say where

    [[kind]]                      # a kind of the scene's own
    name = "lantern"
    shape = "cylinder"
    size = [0.06, 0.06, 0.15]
    colour = "gold"

JSON of the same form works, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

import msgspec
import numpy as np

from thinkaloud.errors import BadScene
from thinkaloud.language.name_matching import find_nearest
from thinkaloud.untrusted.text import is_name, say_no_name
from thinkaloud.worlds.geometry import Rgb
from thinkaloud.worlds.scene_parser import Problem, read_scene
from thinkaloud_worlds.franka.box_geometry import ObjectBox, on_the_table
from thinkaloud_worlds.franka.catalogue import CATALOGUE, SHAPES, FrankaKind
from thinkaloud_worlds.franka.layout import BASE, TABLE_X, TABLE_Y, TALLEST, Size
from thinkaloud_worlds.franka.reachability import reaches
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop.layout import colour_of

_MOST = 20
_APART = 0.16  # between the centres of things drawn from a seed
_LONGEST_NAME = 40


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing: its name, its kind (taken from the name unless given), and where it is."""

    name: str
    kind: str = ""
    x: float | None = None
    y: float | None = None
    yaw: int = 0
    on: str = ""
    size: tuple[float, float, float] | None = None
    colour: str = ""


class OwnKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of the scene's own."""

    name: str
    shape: str
    size: tuple[float, float, float]
    colour: str = "gray"
    mass: float = 0.2
    tags: tuple[str, ...] = ()

    def kind(self) -> FrankaKind:
        """The kind, in the form that the catalogue uses."""
        return FrankaKind(self.name, self.shape, self.size, self.mass, self.colour, self.tags)


class Placed(msgspec.Struct, frozen=True):
    """A thing as it stands at the start: its kind, the middle of its underside, whether it is turned, its colour."""

    name: str
    kind: FrankaKind
    x: float
    y: float
    bottom: float
    yaw: int
    rgb: Rgb

    @property
    def box(self) -> ObjectBox:
        """Its box."""
        length, width, height = self.kind.size
        if self.yaw:
            length, width = width, length
        return ObjectBox(self.x, self.y, self.bottom + height / 2, length, width, height)


class FrankaScene(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table with things. Those in `late` are not there at first; those in `beyond` are out of reach."""

    objects: tuple[Item, ...] = msgspec.field(name="object")
    kinds: tuple[OwnKind, ...] = msgspec.field(name="kind", default=())
    late: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, text: str) -> FrankaScene:
        """Read the scene back. Raises BadScene if the text is not a scene."""
        return read_franka_scene(text)

    @classmethod
    def random(cls, seed: int, least: int = 3, most: int = 6) -> FrankaScene:
        """Draw things from a seed: each within reach, and far enough from the others for the hand."""
        rng = generator(seed, 0xF3A)
        usual = sorted(kind.name for kind in CATALOGUE.values() if kind.graspable and not kind.tall)
        count = int(rng.integers(least, most + 1))
        kinds = [usual[int(i)] for i in rng.integers(0, len(usual), count)]
        if rng.random() < 0.5:  # two of a kind make people say which one they mean
            kinds[-1] = kinds[0]
        spots = _spots(rng, kinds)
        items = []
        for i, (kind, (x, y, yaw)) in enumerate(zip(kinds, spots, strict=True)):
            number = f" {kinds[: i + 1].count(kind)}" if kinds.count(kind) > 1 else ""
            items.append(Item(f"{kind}{number}", kind, x, y, yaw))
        return cls(tuple(items))

    def to_json(self) -> str:
        """The scene as text, for the journal."""
        return msgspec.json.encode(self).decode()

    def check(self) -> None:
        """Raise BadScene with the reason if the table is impossible."""
        for _, problem in _problems(self):
            raise BadScene(problem)

    def known(self) -> dict[str, FrankaKind]:
        """All kinds that this scene knows."""
        return CATALOGUE | {own.name: own.kind() for own in self.kinds}

    def placed(self) -> dict[str, Placed]:
        """Where everything stands at the start, by name, in the order of the scene."""
        known, found = self.known(), dict[str, Placed]()
        waiting = list(self.objects)
        while waiting:
            ready = [item for item in waiting if not item.on or item.on in found]
            if not ready:
                raise BadScene(_circular(waiting[0]))
            for item in ready:
                found[item.name] = _place(item, known[_kind_of(item, known)], found.get(item.on))
            waiting = [item for item in waiting if item not in ready]
        return {item.name: found[item.name] for item in self.objects}


def _kind_of(item: Item, known: Mapping[str, FrankaKind]) -> str:
    """The kind of an item: given, or taken from its name (`soup can 2`)."""
    return item.kind or (item.name if item.name in known else re.sub(r" \d+$", "", item.name))


def _circular(item: Item) -> str:
    return f"{item.name} stands on {item.on!r}, which stands on it in turn; put one of them on the table."


def _place(item: Item, kind: FrankaKind, under: Placed | None) -> Placed:
    if item.size is not None:
        kind = FrankaKind(kind.name, kind.shape, item.size, kind.mass, kind.colour, kind.tags)
    x, y, bottom = item.x, item.y, 0.0
    if under is not None:
        x, y = under.x if x is None else x, under.y if y is None else y
        bottom = under.bottom + under.kind.floor
    rgb = colour_of(item.colour or kind.colour) or (125, 120, 118)
    return Placed(item.name, kind, x or 0.0, y or 0.0, bottom, item.yaw, rgb)


def _spots(rng: np.random.Generator, kinds: list[str]) -> list[tuple[float, float, int]]:
    for _ in range(200):
        found: list[tuple[float, float, int]] = []
        for kind in kinds:
            spot = _spot(rng, CATALOGUE[kind], found)
            if spot is None:
                break
            found.append(spot)
        if len(found) == len(kinds):
            return found
    raise AssertionError("no room for a handful of things")  # pragma: no cover


def _spot(
    rng: np.random.Generator, kind: FrankaKind, others: list[tuple[float, float, int]]
) -> tuple[float, float, int] | None:
    length, width, height = kind.size
    for _ in range(80):
        x, y = round(float(rng.uniform(*TABLE_X)), 2), round(float(rng.uniform(*TABLE_Y)), 2)
        yaw = 90 * int(rng.integers(0, 2))
        sides = (width, length) if yaw else (length, width)
        box = ObjectBox(x, y, height / 2, *sides, height)
        apart = all(math.dist((x, y), other[:2]) >= _APART + 0.25 * (max(sides) - 0.07) for other in others)
        if on_the_table(box) and math.hypot(x, y) > 0.3 and apart and reaches(x, y, height):
            return x, y, yaw
    return None


# Reading --------------------------------------------------------------------------------------------------------------


def read_franka_scene(text: str, source: str = "scene") -> FrankaScene:
    """Read the text of a scene; `source` is what errors call it."""
    has = "a scene has object, and optionally kind, late and beyond"
    return read_scene(text, source, FrankaScene, _problems, shape="a scene is a list of objects", has=has)


def _problems(scene: FrankaScene) -> Iterator[Problem]:
    """What is wrong with a scene: the entry at fault, and one sentence that says how to correct it."""
    count = len(scene.objects)
    if not 1 <= count <= _MOST:
        yield ("object", 0), f"There are {count} objects; a table has room for 1 to {_MOST}."
        return
    for i, own in enumerate(scene.kinds):
        for problem in _kind_problems(own.name, own.shape, own.size, own.colour, own.mass):
            yield ("kind", i), problem
        if own.name in (other.name for other in scene.kinds[:i]):
            yield ("kind", i), f"Two kinds are called {own.name!r}; give each a name of its own."
    known, names = scene.known(), [item.name for item in scene.objects]
    clean = True
    for i, item in enumerate(scene.objects):
        for problem in _item_problems(item, known, names, i):
            clean = False
            yield ("object", i), problem
    if clean and (circle := _circle(scene)) is not None:
        clean = False
        yield ("object", circle), _circular(scene.objects[circle])
    for field in ("late", "beyond"):
        for name in getattr(scene, field):
            if name not in names:
                yield (field, 0), f"{field} names {name!r}, which is not an object of the scene."
    for i, item in enumerate(scene.objects):
        if item.on in scene.late and item.name not in scene.late:
            yield ("object", i), f"{item.name} is on {item.on!r}, which arrives late; list it in late, too."
    if clean and all(shape.shape in SHAPES for shape in scene.kinds):
        for i, problem in _clashes(scene):
            yield ("object", i), problem


def _circle(scene: FrankaScene) -> int | None:
    """The first thing that stands, by way of others, on itself."""
    under = {item.name: item.on for item in scene.objects}
    for i, item in enumerate(scene.objects):
        below, passed = item.on, {item.name}
        while below and below not in passed:
            passed.add(below)
            below = under[below]
        if below == item.name:
            return i
    return None


def _kind_problems(name: str, shape: str, size: Size, colour: str, mass: float) -> Iterator[str]:
    if not is_name(name, _LONGEST_NAME):
        yield say_no_name(name, _LONGEST_NAME)
    if shape not in SHAPES:
        yield f"{name}: there is no shape {shape!r}; use one of {', '.join(SHAPES)}."
    if not (all(0.02 <= side <= 0.40 for side in size[:2]) and 0.012 <= size[2] <= TALLEST):
        yield f"{name}: the size is {list(size)} m; sides must be 0.02 to 0.4 m, the height 0.012 to {TALLEST} m."
    if colour_of(colour) is None:
        yield f"{name}: {colour!r} is not a colour; use a name such as red, or #rrggbb."
    if not 0.01 <= mass <= 2.0:
        yield f"{name}: the mass is {mass:g} kg; it must be 0.01 to 2 kg."


def _item_problems(item: Item, known: Mapping[str, FrankaKind], names: list[str], index: int) -> Iterator[str]:
    name = item.name
    if not is_name(name, _LONGEST_NAME):
        yield say_no_name(name, _LONGEST_NAME)
    if name.lower() in (other.lower() for other in names[:index]):
        yield f"Two things are called {name!r}; give each a name of its own."
    if _kind_of(item, known) not in known:
        kind_name = _kind_of(item, known)
        near = find_nearest(kind_name, known)
        hint = f" Did you mean {near!r}?" if near else ""
        yield f"{name}: there is no kind {kind_name!r}.{hint} Known: {', '.join(sorted(known))}; or add a [[kind]]."
        return
    kind = known[_kind_of(item, known)]
    yield from _kind_problems(name, kind.shape, item.size or kind.size, item.colour or kind.colour, kind.mass)
    if item.yaw not in (0, 90):
        yield f"{name}: the yaw is {item.yaw}; it must be 0 or 90 degrees."
    if item.on and (item.on not in names or item.on == name):
        yield f"{name} is on {item.on!r}, which is not another object of the scene."
    if not item.on and (item.x is None or item.y is None):
        yield f"{name} needs x and y, or `on`: what it stands on."


def _clashes(scene: FrankaScene) -> Iterator[tuple[int, str]]:
    placed = scene.placed()
    for i, item in enumerate(scene.objects):
        box = placed[item.name].box
        if not on_the_table(box):
            (left, right), (low, high) = TABLE_X, TABLE_Y
            where = f"x goes from {left} to {right}, y from {low} to {high}"
            yield i, f"{item.name} does not stand on the table at ({box.x:g}, {box.y:g}): {where}."
        if math.hypot(max(abs(box.x) - box.length / 2, 0), max(abs(box.y) - box.width / 2, 0)) < BASE:
            yield i, f"{item.name} stands where the arm's base is, at ({box.x:g}, {box.y:g})."
        if not reaches(box.x, box.y, placed[item.name].kind.floor) and item.name not in scene.beyond:
            where = "too near to its base" if math.hypot(box.x, box.y) < 0.4 else "too far away"
            hint = f"move it, or list it in beyond = [{item.name!r}] if that is intended"
            yield i, f"The arm does not reach {item.name} at ({box.x:g}, {box.y:g}), {where}; {hint}."
        if item.on and not placed[item.on].box.covers(box.x, box.y):
            yield i, f"{item.name} is not over {item.on} at ({box.x:g}, {box.y:g})."
        for other in scene.objects[:i]:
            apart = placed[other.name].box
            level = min(box.top, apart.top) > max(box.bottom, apart.bottom) + 1e-6
            if level and box.gap(apart) <= 0 and other.name != item.on and other.on != item.name:
                yield i, f"{item.name} and {other.name} are in the same place; move one of them."
