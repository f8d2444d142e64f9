"""Scenes for the four domains: a layout for any state described by names alone, and states drawn from a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from thinkaloud.errors import BadScene
from thinkaloud.records import Value, WorldState
from thinkaloud.state.edits import GROUND, is_container, is_cover, lies_on, noun, supports
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop.layout import COLOURS, MORE_COLOURS, TABLE_TOP
from thinkaloud_worlds.tabletop.object_kinds import CONTAINERS
from thinkaloud_worlds.tabletop.scene import MOST_OBJECTS, Scene, Thing
from thinkaloud_worlds.tabletop.statler_rules import CLEANER

UNIT = 0.03
_HEAVIEST = 0.9
"""The mass, in kilograms, of a weight of one, and of the heaviest block."""
_BLOCK, _LARGE_BLOCK = 0.03, 0.036  # widths; the larger for domains with cups, where nothing goes into bowls
_TOYS = ("rubiks cube", "toy wheel")

_SALT = 0xD03A
_GRIDS = ((3, 2, 0.15, 0.16), (3, 3, 0.15, 0.16), (4, 2, 0.13, 0.13))
"""Cells of the table in a row, spots of a cell in a row, and how wide bowls and boxes in a cell may be."""


def kind_from_name(name: str) -> str:
    """The kind of thing that a name stands for."""
    if noun(name) == "bowl":
        return "bowl"
    if is_container(name):
        return "disinfector"
    if is_cover(name):
        return "cup"
    return "block" if noun(name) == "block" else "toy"


def scene_of(state: WorldState, seed: int, domain: str, weights: Mapping[str, float] | None = None) -> Scene:
    """A layout for a state: things that are on nothing stand apart. Raises BadScene if there is no room.

    The scene includes which things are dirty and what they weigh (here or as an attribute). If weights are too much for
    the arm, only their ratios are kept.
    """
    on = {thing: support for thing, support in supports(state).items() if support not in GROUND}
    names = _in_order([name for name in state.objects if name not in GROUND], on)
    if len(names) > MOST_OBJECTS:
        raise BadScene(f"There are {len(names)} objects; a scene has at most {MOST_OBJECTS}.")
    rng = generator(seed, _SALT)
    large = [name for name in names if kind_from_name(name) in CONTAINERS]
    small = [name for name in names if name not in large and name not in on]
    spots, bowl, box = _layout(rng, large, small, len(names) - len(large))
    block = _LARGE_BLOCK if domain == "cups" else _BLOCK
    sizes = {"block": block, "bowl": bowl, "disinfector": box}
    masses = _masses({name: (weights or {}).get(name, _known(state, name).get("weight", 0)) for name in names})
    things = []
    for name in names:
        kind, mass = kind_from_name(name), masses[name]
        dirty = _known(state, name).get("dirty") is True
        x, y = spots.get(name, (float("nan"), float("nan")))
        size = sizes.get(kind, 0.0)
        things.append(Thing(name, kind, x, y, size=size, on=on.get(name, ""), mass=mass, dirty=dirty))
    scene = Scene(tuple(things))
    scene.check()
    return scene


def draw_domain_scene(domain: str, seed: int) -> Scene:
    """Draw a scene for a domain; the same seed gives the same scene."""
    rng = generator(seed, _SALT, *domain.encode())
    if domain == "cups":
        return _draw_cups(rng, seed)
    blocks = _coloured(rng, "block", (4, 5) if domain == "disinfection" else (4, 6))
    bowls = _coloured(rng, "bowl", {"disinfection": (1, 2), "weight": (2, 2)}.get(domain, (2, 3)))
    boxes = (CLEANER,) if domain == "disinfection" else ()
    attributes: dict[str, dict[str, Value]] = {}
    if domain == "disinfection":
        attributes = {block: {"dirty": True} for block in blocks if rng.random() < 0.5}
    if domain == "weight":
        attributes = {block: {"weight": int(rng.integers(1, 5))} for block in blocks}
    return scene_of(WorldState((*blocks, *bowls, *boxes), attributes=attributes), seed, domain)


def _draw_cups(rng: np.random.Generator, seed: int) -> Scene:
    toys = [*_TOYS, *_coloured(rng, "block", (1, 2))]
    cups = _coloured(rng, "cup", (3, 4))
    relations = (lies_on(cups[0], str(rng.choice(toys))),) if rng.random() < 0.5 else ()
    return scene_of(WorldState((*toys, *cups), relations), seed, "cups")


def _coloured(rng: np.random.Generator, kind: str, count: tuple[int, int]) -> tuple[str, ...]:
    colours = rng.permutation([*COLOURS, *MORE_COLOURS])[: int(rng.integers(count[0], count[1] + 1))]
    return tuple(f"{colour} {kind}" for colour in colours)


def _in_order(objects: Sequence[str], on: Mapping[str, str]) -> list[str]:
    """The names, each after what it is on."""
    names: list[str] = []
    waiting = list(dict.fromkeys(objects))
    for thing, support in on.items():
        for name in (thing, support):
            if name not in waiting:
                raise BadScene(f"{thing} is on {support}, but there is no object {name!r}; name it among the objects.")
    while waiting:
        ready = [name for name in waiting if name not in on or on[name] in names]
        if not ready:
            raise BadScene(f"{', '.join(waiting)} are on each other in a circle; one of them has to be on the table.")
        names += ready
        waiting = [name for name in waiting if name not in ready]
    return names


def _layout(
    rng: np.random.Generator, large: Sequence[str], small: Sequence[str], loose: int
) -> tuple[dict[str, tuple[float, float]], float, float]:
    """Places for everything that is on nothing, with a spot for every loose thing even if nothing is stacked."""
    cups = any(kind_from_name(name) == "cup" for name in small)
    for need in (loose, len(small)):
        for cells, inside, bowl, box in _GRIDS:
            wide = (TABLE_TOP.x[1] - TABLE_TOP.x[0]) / cells
            if cups and wide / inside < 0.09:
                continue
            if len(large) + -(-need // inside**2) <= cells**2:
                return _spread(rng, large, small, cells, inside), bowl, box
    raise BadScene(f"There is no room on the table for {len(large)} bowls or boxes and {len(small)} other things.")


def _spread(
    rng: np.random.Generator, large: Sequence[str], small: Sequence[str], cells: int, inside: int
) -> dict[str, tuple[float, float]]:
    wide = (TABLE_TOP.x[1] - TABLE_TOP.x[0]) / cells
    order = [divmod(int(cell), cells) for cell in rng.permutation(cells * cells)]
    centres = [(TABLE_TOP.x[0] + (i + 0.5) * wide, TABLE_TOP.y[0] + (j + 0.5) * wide) for i, j in order]
    found = dict(zip(large, centres, strict=False))
    step = wide / inside
    shifts = [(k - (inside - 1) / 2) * step for k in range(inside)]
    spots = [(x + dx, y + dy) for x, y in centres[len(large) :] for dx in shifts for dy in shifts]
    jitter = 0.006 if step > 0.09 else 0.0
    for name, at in zip(small, rng.permutation(len(spots)), strict=False):
        x, y = (value + float(rng.uniform(-jitter, jitter)) for value in spots[int(at)])
        found[name] = (x, y)
    return {name: (round(x, 4), round(y, 4)) for name, (x, y) in found.items()}


def _known(state: WorldState, name: str) -> Mapping[str, Value]:
    return state.attributes.get(name, {})


def _masses(weights: Mapping[str, Value]) -> dict[str, float]:
    numbers = {name: weight for name, weight in weights.items() if not isinstance(weight, str) and weight >= 0}
    for name in weights.keys() - numbers.keys():
        raise BadScene(f"{name}: the weight is {weights[name]!r}; it must be a number above 0.")
    heaviest = max(numbers.values(), default=0)
    unit = min(UNIT, _HEAVIEST / heaviest) if heaviest else UNIT
    return {name: round(float(weight) * unit, 9) for name, weight in numbers.items()}
