"""The table through a camera: a colour picture with depth, taken from above, and what the eyes find in it.

The result is a Picture like the one from the world's own eye, except that each pixel shows the thing that was found
there, right or wrong, not the true one. Everything that uses such a picture therefore acts on what was seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from thinkaloud.worlds.geometry import Xyz
from thinkaloud.worlds.vision import NOTHING_SEEN, Appearance, Eyes, Sight, View
from thinkaloud_worlds.camera_pictures import Camera, Photograph, photograph
from thinkaloud_worlds.tabletop.camera import NO_THING, PIXELS, Picture, pixel_at
from thinkaloud_worlds.tabletop.layout import COLOURS, PLACES, TABLE_TOP
from thinkaloud_worlds.tabletop.object_kinds import CONTAINERS, SIZES
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.scene import Thing

_CAMERA = Camera(256, 256, 475.0)
_HIGH = 1.3  # metres above the table
_DOWN = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]])
"""Right in the picture is x, down is opposite to y, and forward is down."""
_WITHOUT_ARM = np.array([1, 1, 0, 0, 0, 0], dtype=np.uint8)
_USUAL = tuple(Thing(f"{colour} {kind}", kind) for kind in ("block", "bowl") for colour in COLOURS)


def photograph_table(physics: Physics) -> Photograph:
    """Photograph the table from straight above. The arm and what it holds are left out."""
    held = physics.held
    position = np.array([*TABLE_TOP.centre, _HIGH])
    but = physics.bodies[held] if held else -1
    return photograph(physics.model, physics.data, _CAMERA, _DOWN, position, _WITHOUT_ARM, but)


def appearances_of(things: Sequence[Thing]) -> tuple[Appearance, ...]:
    """What may be on the table: blocks and bowls of the ten colours, and the names that a scene adds."""
    known = {thing.name: thing for thing in (*_USUAL, *things)}
    return tuple(
        Appearance(
            thing.name,
            thing.rgb,
            thing.across,
            thing.height,
            hollow=thing.kind in CONTAINERS,
            round=thing.kind in ("bowl", "cup", "cylinder"),
        )
        for thing in known.values()
        if thing.kind in SIZES
    )


def picture_of(view: View, sight: Sight, catalogue: Sequence[Appearance]) -> Picture:
    """What was found, on the grid of the table: each cell has the highest point seen there."""
    names = tuple(each.name for each in catalogue)
    owners = np.full(view.depth.shape, NO_THING, dtype=np.int32)
    looks = {each.name: each for each in catalogue}
    for each in sorted(sight.sightings, key=lambda each: looks[each.name].across, reverse=True):
        left, top, right, bottom = each.box  # a small thing may lie in a large one
        owners[top : bottom + 1, left : right + 1] = names.index(each.name)
    return picture_from_above(view, owners, names)


def picture_from_above(view: View, owners: NDArray[np.int32], names: tuple[str, ...]) -> Picture:
    """What a camera anywhere sees, on the grid of the table: each cell has the highest point, and its owner."""
    known = view.depth > 0
    points = view.points()[known]
    order = np.argsort(points[:, 2], kind="stable")
    points, colours, ids = points[order], view.rgb[known][order], owners[known][order]
    row, column = pixel_at(points[:, 0], points[:, 1])  # type: ignore[arg-type]
    row, column = np.rint(row).astype(int), np.rint(column).astype(int)
    on_table = (row >= 0) & (row < PIXELS) & (column >= 0) & (column < PIXELS)
    row, column = row[on_table], column[on_table]
    height = np.zeros((PIXELS, PIXELS))
    rgb = np.zeros((PIXELS, PIXELS, 3))
    found = np.full((PIXELS, PIXELS), NO_THING, dtype=np.int32)
    height[row, column] = np.maximum(points[on_table, 2], 0.0)
    rgb[row, column] = colours[on_table]
    found[row, column] = np.where(points[on_table, 2] > 0.004, ids[on_table], NO_THING)
    return Picture(rgb, height, found, names)


class TableEyes:
    """What the robot sees and remembers of the table, through its eyes alone. `taking` is what it last went for."""

    def __init__(self, eyes: Eyes, physics: Callable[[], Physics]) -> None:
        self._eyes, self._physics = eyes, physics
        self.memory, self.taking = NOTHING_SEEN, ""
        self._latest: tuple[bytes, View, Sight] | None = None

    def begin(self) -> None:
        """Start with nothing seen yet."""
        self.memory, self.taking, self._latest = NOTHING_SEEN, "", None

    def appearances(self) -> tuple[Appearance, ...]:
        """What may be on the table."""
        return appearances_of(self._physics().scene.objects)

    def look(self) -> tuple[View, Sight]:
        """Take a picture, find things in it, and remember them."""
        physics = self._physics()
        now = physics.data.qpos.tobytes() + bytes([physics.held is not None])
        if self._latest is None or self._latest[0] != now:
            view = photograph_table(physics).view
            self._latest = now, view, self._eyes.look(view, self.appearances())
        self.memory = self.memory.after(self._latest[2])
        return self._latest[1:]

    def picture(self) -> Picture:
        """The table as it is seen."""
        view, sight = self.look()
        return picture_of(view, sight, self.appearances())

    def seen(self) -> tuple[str, ...]:
        """What is in view. If the cup feels that it holds something, that is the thing it was sent for."""
        names = self.look()[1].names
        return (*names, self.taking) if self.is_held(self.taking) else names

    def require(self, name: str) -> None:
        """Raise SkillError if a thing is not seen well enough to act on."""
        self.look()[1].find(name)

    def point(self, name: str) -> Xyz | None:
        """Where a thing was last seen."""
        self.look()
        return self.memory.points.get(name)

    def on(self, object: str, target: str, near: float) -> bool:
        """Whether a thing is seen on another or on a place. A hidden thing counts as being where it was last seen."""
        at, base = self.point(object), self.point(target)
        if at is None or self.is_held(object):
            return False
        if target in PLACES:
            return PLACES[target].distance(at[0], at[1]) < near
        if base is None or math.dist(at[:2], base[:2]) >= near:
            return False
        return at[2] > base[2] + _HIGHER or target in {each.name for each in self.appearances() if each.hollow}

    def is_held(self, name: str) -> bool:
        """Whether the cup feels that it holds something, and was sent for this thing."""
        return self._physics().held is not None and self.taking == name and name not in self.look()[1].names


_HIGHER = 0.015  # a thing is on another only if its top is at least this many metres higher
