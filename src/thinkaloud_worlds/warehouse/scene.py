"""A hall as data: what is on the robot's map, and what is not.

    size = [12.0, 8.0]
    start = [1.0, 1.0, 90]             # x, y, and the heading in degrees
    swapped = [["dock", "press"]]      # two signs that the robot's map has mixed up

    [[landmark]]
    name = "dock"
    x = 2.0
    y = 6.5

    [[shelf]]                          # on the map, as [[wall]] is: the middle, and the sides along x and y
    x = 6.0
    y = 4.0
    length = 4.0
    width = 0.8

    [[obstacle]]                       # not on the map
    kind = "pallet"
    x = 3.2
    y = 1.0

    [[late]]                           # not there at first
    kind = "crate"
    x = 9.0
    y = 2.0
    near = 2.0                         # put down when the robot is this near; or `after` this many seconds

JSON of the same form works, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec

from thinkaloud.errors import BadScene
from thinkaloud.untrusted.text import is_name, say_no_name
from thinkaloud.worlds.geometry import Xy
from thinkaloud.worlds.scene_parser import Problem, read_scene
from thinkaloud_worlds.warehouse.floor_geometry import AT_LANDMARK, KEEPS, ROUND, Rect, outer_walls
from thinkaloud_worlds.warehouse.landmarks import KINDS, LandmarkKind

_SIDES = ((4.0, 24.0), (4.0, 16.0))
_MOST = 24  # of each kind of entry
_APART = 2 * AT_LANDMARK + 0.1  # between two landmarks, at least
_LONGEST_NAME = 40


class Landmark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named place, with a sign that the robot can read there."""

    name: str
    x: float
    y: float


class Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shelf or a wall."""

    x: float
    y: float
    length: float
    width: float

    @property
    def rect(self) -> Rect:
        """Where it stands."""
        return Rect(self.x, self.y, self.length, self.width)


class Obstacle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that is not on the map; `turned`: its longer side lies along y."""

    kind: str
    x: float
    y: float
    name: str = ""
    length: float | None = None
    width: float | None = None
    turned: bool = False

    @property
    def rect(self) -> Rect:
        """Where it stands."""
        usual = KINDS.get(self.kind, LandmarkKind(0.6, 0.6, 0.6, (150, 150, 150)))
        length, width = self.length or usual.length, self.width or usual.width
        return Rect(self.x, self.y, width if self.turned else length, length if self.turned else width)


class Late(Obstacle, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that is put down while the robot drives: after some seconds, or when the robot comes near."""

    after: float | None = None
    near: float | None = None


class HallScene(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A hall: its size, where the robot starts, what is on its map, and what is not."""

    size: tuple[float, float]
    start: tuple[float, float, float]
    landmarks: tuple[Landmark, ...] = msgspec.field(name="landmark")
    shelves: tuple[Block, ...] = msgspec.field(name="shelf", default=())
    walls: tuple[Block, ...] = msgspec.field(name="wall", default=())
    obstacles: tuple[Obstacle, ...] = msgspec.field(name="obstacle", default=())
    late: tuple[Late, ...] = ()
    swapped: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> str:
        """The scene as text, for the journal."""
        return msgspec.json.encode(self).decode()

    def check(self) -> None:
        """Raise BadScene with the reason if the hall is impossible."""
        for _, problem in _problems(self):
            raise BadScene(problem)

    def known(self) -> tuple[Rect, ...]:
        """What is on the robot's map: the outer walls, then walls and shelves."""
        return (*outer_walls(*self.size), *(block.rect for block in (*self.walls, *self.shelves)))

    def unexpected(self) -> dict[str, Obstacle]:
        """What is not on the map, by name; things there from the start come first."""
        found: dict[str, Obstacle] = {}
        for each in (*self.obstacles, *self.late):
            name, number = each.name or each.kind, 1
            while name in found:
                number += 1
                name = f"{each.kind} {number}"
            found[name] = each
        return found

    def places(self) -> dict[str, Xy]:
        """Where the landmarks really are."""
        return {each.name: (each.x, each.y) for each in self.landmarks}

    def believed(self) -> dict[str, Xy]:
        """Where the robot's map shows the landmarks at the start."""
        places = self.places()
        for one, other in self.swapped:
            places[one], places[other] = places[other], places[one]
        return places


# Reading --------------------------------------------------------------------------------------------------------------


def read_hall_scene(text: str, source: str = "scene") -> HallScene:
    """Read the text of a scene; `source` is what errors call it."""
    has = "a scene has size, start and landmark, and optionally shelf, wall, obstacle, late and swapped"
    return read_scene(text, source, HallScene, _problems, shape="a scene is a hall with landmarks", has=has)


def _problems(scene: HallScene) -> Iterator[Problem]:
    """What is wrong with a scene: the entry at fault, and one sentence that says how to correct it."""
    if not all(low <= side <= high for side, (low, high) in zip(scene.size, _SIDES, strict=True)):
        (a, b), (c, d) = _SIDES
        yield ("size", 0), f"The size is {list(scene.size)} m; a hall must be {a:g} to {b:g} m by {c:g} to {d:g} m."
        return
    if not scene.landmarks:
        yield ("landmark", 0), "There is no landmark; add at least one, so that the robot has somewhere to go."
    tables: dict[str, tuple[Landmark | Block | Obstacle, ...]] = {
        "landmark": scene.landmarks,
        "shelf": scene.shelves,
        "wall": scene.walls,
        "obstacle": scene.obstacles,
        "late": scene.late,
    }
    clean = True
    for table, entries in tables.items():
        if len(entries) > _MOST:
            yield (table, _MOST), f"There are {len(entries)} entries of {table}; there can be at most {_MOST}."
        for i, entry in enumerate(entries):
            for problem in _entry_problems(entry, table, scene.size):
                clean = False
                yield (table, i), problem
    yield from _name_problems(scene)
    if clean:
        yield from _place_problems(scene)


def _entry_problems(entry: Landmark | Block | Obstacle, table: str, size: tuple[float, float]) -> Iterator[str]:
    named = getattr(entry, "name", "") or getattr(entry, "kind", "") or table
    if not (0 <= entry.x <= size[0] and 0 <= entry.y <= size[1]):
        yield f"{named} is at ({entry.x:g}, {entry.y:g}), outside the hall of {size[0]:g} by {size[1]:g} m."
    if isinstance(entry, Landmark):
        return
    if isinstance(entry, Obstacle) and entry.kind not in KINDS and not is_name(entry.kind, _LONGEST_NAME):
        yield f"{entry.kind!r} is not a usable kind; use something such as {', '.join(sorted(KINDS)[:4])}."
    if isinstance(entry, Obstacle) and entry.kind not in KINDS and (entry.length is None or entry.width is None):
        yield f"{entry.kind!r} needs length and width; kinds with known sizes are: {', '.join(sorted(KINDS))}."
    for side in (entry.length, entry.width):
        if side is not None and not 0.05 <= side <= _SIDES[0][1]:
            yield f"{named}: a side is {side:g} m; sides must be 0.05 to {_SIDES[0][1]:g} m."
    if isinstance(entry, Late):
        if (entry.after is None) == (entry.near is None):
            yield f"{named} comes late: give either `after`, in seconds, or `near`, the robot's distance in metres."
        when = entry.near if entry.after is None else entry.after
        if when is not None and not 0 <= when <= 3600:
            yield f"{named} comes at {when:g}; seconds and metres must be 0 to 3600."


def _name_problems(scene: HallScene) -> Iterator[Problem]:
    names = [landmark.name for landmark in scene.landmarks]
    for i, name in enumerate(names):
        if not is_name(name, _LONGEST_NAME):
            yield ("landmark", i), say_no_name(name, _LONGEST_NAME)
        if name.lower() in (other.lower() for other in names[:i]):
            yield ("landmark", i), f"Two landmarks are called {name!r}; give each a name of its own."
    taken = list[str]()
    for table, entries in (("obstacle", scene.obstacles), ("late", scene.late)):
        for i, entry in enumerate(entries):
            if entry.name and not is_name(entry.name, _LONGEST_NAME):
                yield (table, i), say_no_name(entry.name, _LONGEST_NAME)
            if entry.name and entry.name.lower() in taken:
                yield (table, i), f"Two obstacles are called {entry.name!r}; give each a name of its own."
            taken += [entry.name.lower()] if entry.name else []
    mixed = [name for pair in scene.swapped for name in pair]
    for name in mixed:
        if name not in names:
            yield ("swapped", 0), f"swapped names {name!r}, which is not a landmark of the scene."
        if mixed.count(name) > 1:
            yield ("swapped", 0), f"swapped names {name!r} twice; a sign can be mixed up with only one other."


def _place_problems(scene: HallScene) -> Iterator[Problem]:
    known, things = scene.known(), scene.unexpected()
    x, y, heading = scene.start
    if not math.isfinite(heading) or not (0 <= x <= scene.size[0] and 0 <= y <= scene.size[1]):
        yield ("start", 0), f"The robot cannot start at {list(scene.start)}: that is outside the hall."
        return
    standing = [("a wall or a shelf", rect) for rect in known]
    standing += [(f"the {name}", each.rect) for name, each in things.items() if not isinstance(each, Late)]
    for name, rect in standing:
        if rect.gap(x, y) < KEEPS:
            yield ("start", 0), f"The robot cannot start at ({x:g}, {y:g}): {name} is nearer than {KEEPS} m."
    for i, place in enumerate(scene.landmarks):
        if any(rect.gap(place.x, place.y) < KEEPS for rect in known):
            near = f"nearer than {KEEPS} m to a wall or a shelf"
            yield (
                ("landmark", i),
                f"{place.name} at ({place.x:g}, {place.y:g}) is {near}; the robot does not fit there.",
            )
        for near_by in scene.landmarks[:i]:
            if math.dist((place.x, place.y), (near_by.x, near_by.y)) < _APART:
                both = f"{place.name} and {near_by.name}"
                yield ("landmark", i), f"{both} are nearer to each other than {_APART:g} m."
    placed = list(things.items())
    for n, (name, each) in enumerate(placed):
        late = n >= len(scene.obstacles)
        where = ("late", n - len(scene.obstacles)) if late else ("obstacle", n)
        if any(each.rect.overlaps(rect) for rect in known):
            yield where, f"{name} stands in a wall or a shelf at ({each.x:g}, {each.y:g})."
        for other, before in placed[:n]:
            if each.rect.overlaps(before.rect):
                yield where, f"{name} and {other} are in the same place; move one of them."


assert ROUND < KEEPS
