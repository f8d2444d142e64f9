"""Halls drawn from a seed: racks with aisles between them, landmarks, and obstacles on likely paths.

Every landmark can be reached, even when all late things are there, unless one is shut in on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.warehouse.floor_geometry import Rect, outer_walls
from thinkaloud_worlds.warehouse.landmarks import KINDS, LANDMARKS
from thinkaloud_worlds.warehouse.robot_map import Chart
from thinkaloud_worlds.warehouse.routing import all_reachable, length, route, samples
from thinkaloud_worlds.warehouse.scene import Block, HallScene, Landmark, Late, Obstacle

_AISLE = 1.5
_APART = 1.6  # between two landmarks
_FREE = 0.65  # room around a landmark
_SHUT = 0.8  # from a shut-in landmark to the barriers around it
_SPARE = 0.08  # extra room beside an obstacle, because the scanner is not exact
_USUAL = tuple(name for name in KINDS if name != "barrier")


@lru_cache(maxsize=64)
def draw_hall(
    seed: int, *, obstacles: tuple[int, int] = (2, 5), late: int = 0, swapped: bool = False, shut: bool = False
) -> HallScene:
    """Draw a hall; `late` things come while the robot drives, `swapped` mixes up two signs, `shut` shuts in a landmark.

    The shut-in landmark is the last one of the scene. Most obstacles are in the way of a robot that visits the
    landmarks in order.
    """
    rng = generator(seed, 0xA6F)
    while True:
        scene = _attempt(rng, obstacles, late, swapped, shut)
        if scene is not None:
            return scene


def _attempt(
    rng: np.random.Generator, obstacles: tuple[int, int], late: int, swapped: bool, shut: bool
) -> HallScene | None:
    size = (float(rng.integers(10, 14)), float(rng.integers(7, 9)))
    blocks, walls = _racks(rng, size), _walls(rng, size)
    if any(rack.rect.overlaps(_grown(wall.rect, _AISLE)) for rack in blocks for wall in walls):
        walls = ()
    known = (*outer_walls(*size), *(each.rect for each in (*blocks, *walls)))
    chart = Chart(size, known)
    places = _spots(rng, chart, int(rng.integers(5, 9)), shut)
    if places is None:
        return None
    start, spots = places[0], places[1:]
    names = [LANDMARKS[int(i)] for i in rng.choice(len(LANDMARKS), len(spots), replace=False)]
    ring = _ring(spots[-1]) if shut else ()
    if not all_reachable(chart, start, spots):
        return None
    for each in ring:
        chart.place(each.rect, 0)
    wanted = spots[:-1] if shut else spots
    if any(each.rect.gap(*spot) < _FREE for each in ring for spot in (start, *wanted)):
        return None
    count = int(rng.integers(*obstacles, endpoint=True)) + late
    things = _things(rng, size, chart, (start, *wanted), known, count, ring)
    if things is None or (shut and all_reachable(chart, start, spots[-1:])):
        return None
    mixed = sorted(int(i) for i in rng.choice(len(wanted), 2, replace=False))
    return HallScene(
        size,
        (*start, float(rng.integers(0, 8)) * 45),
        tuple(Landmark(name, *spot) for name, spot in zip(names, spots, strict=True)),
        blocks,
        walls,
        (*ring, *things[late:]),
        tuple(_late(each, rng) for each in things[:late]),
        ((names[mixed[0]], names[mixed[1]]),) if swapped else (),
    )


def _racks(rng: np.random.Generator, size: tuple[float, float]) -> tuple[Block, ...]:
    """Rows of racks along x, with an aisle on every side."""
    rows = 1 if rng.random() < 0.3 else 2
    found = []
    for row in range(rows):
        y = size[1] * (row + 1) / (rows + 1)
        at = _AISLE + float(rng.integers(0, 4)) / 4
        while at + 1.5 <= size[0] - _AISLE:
            long = min(float(rng.integers(6, 15)) / 4, size[0] - _AISLE - at)
            if rng.random() < 0.9:
                found.append(Block(round(at + long / 2, 3), round(y, 3), round(long, 3), 0.7))
            at += long + _AISLE + float(rng.integers(0, 4)) / 4
    return tuple(found)


def _walls(rng: np.random.Generator, size: tuple[float, float]) -> tuple[Block, ...]:
    """Sometimes a wall that sticks into the hall."""
    if rng.random() < 0.5:
        return ()
    long = float(rng.integers(4, 9)) / 4
    y = long / 2 if rng.random() < 0.5 else size[1] - long / 2
    return (Block(round(float(rng.uniform(0.25, 0.75)) * size[0], 1), y, 0.2, long),)


def _grown(rect: Rect, by: float) -> Rect:
    return Rect(rect.x, rect.y, rect.length + 2 * by, rect.width + 2 * by)


def _spots(rng: np.random.Generator, chart: Chart, count: int, shut: bool) -> list[Xy] | None:
    """Places for the start and each landmark; the last has more room around it if it is to be shut in."""
    found: list[Xy] = []
    for i in range(count):
        needed = _SHUT + 0.35 if shut and i == count - 1 else _FREE
        rows, columns = np.nonzero(chart.room >= needed)
        middles = [chart.middle(int(r), int(c)) for r, c in zip(rows, columns, strict=True)]
        middles = [m for m in middles if all(math.dist(m, other) >= _APART for other in found)]
        if not middles:
            return None
        x, y = middles[int(rng.integers(len(middles)))]
        found.append((round(x, 2), round(y, 2)))
    return found


def _ring(spot: Xy) -> tuple[Obstacle, ...]:
    """Four barriers around a place."""
    x, y = spot
    side = 2 * _SHUT
    return tuple(
        Obstacle("barrier", round(x + dx, 3), round(y + dy, 3), length=round(side - 0.2, 3), turned=turned)
        for dx, dy, turned in ((0, -_SHUT, False), (_SHUT, 0, True), (0, _SHUT, False), (-_SHUT, 0, True))
    )


def _things(
    rng: np.random.Generator,
    size: tuple[float, float],
    chart: Chart,
    spots: Sequence[Xy],
    known: Sequence[Rect],
    count: int,
    others: Sequence[Obstacle],
) -> tuple[Obstacle, ...] | None:
    """Put obstacles on likely paths, so that all places stay reachable; adds them to the chart."""
    placed: list[Obstacle] = []
    paths: dict[tuple[Xy, Xy], tuple[Xy, ...] | None] = {}
    for _ in range(12 * count):
        if len(placed) == count:
            return tuple(placed)
        leg = _leg(rng, spots)
        if leg not in paths:
            paths[leg] = route(chart, *leg)
        path = paths[leg]
        if path is None or length(path) < 2.5:
            continue
        points, along = samples(path)
        x, y = points[int(np.searchsorted(along, rng.uniform(0.3, 0.7) * along[-1]))]
        kind = _USUAL[int(rng.integers(len(_USUAL)))]
        each = Obstacle(kind, round(float(x), 2), round(float(y), 2), turned=bool(rng.random() < 0.5))
        rect = each.rect
        inside = all(v - s / 2 >= 0 and v + s / 2 <= m for v, s, m in zip(rect[:2], rect[2:], size, strict=True))
        taken = any(rect.overlaps(o) for o in (*known, *(o.rect for o in (*placed, *others))))
        if not inside or taken or any(rect.gap(*spot) < _FREE + 0.15 for spot in spots):
            continue
        trial = Chart(size, known)
        for o in (*others, *placed, each):
            trial.place(_grown(o.rect, _SPARE), 0)
        if all_reachable(trial, spots[0], spots[1:]):
            placed.append(each)
            chart.place(rect, 0)
            paths.clear()
    return tuple(placed) if len(placed) == count else None


def _leg(rng: np.random.Generator, spots: Sequence[Xy]) -> tuple[Xy, Xy]:
    """Two places between which the robot may drive: often two in sequence, beginning with the start."""
    if rng.random() < 0.7:
        at = int(rng.integers(min(len(spots) - 1, 4)))
        return spots[at], spots[at + 1]
    first, second = rng.choice(len(spots), 2, replace=False)
    return spots[int(first)], spots[int(second)]


def _late(each: Obstacle, rng: np.random.Generator) -> Late:
    return Late(each.kind, each.x, each.y, turned=each.turned, near=round(float(rng.uniform(1.2, 2.2)), 2))
