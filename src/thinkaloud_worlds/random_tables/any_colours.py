"""Tables of the tabletop world with blocks and bowls of any colour, on which the arm can act, unlike on random ones."""

from __future__ import annotations

import msgspec
import numpy as np

from thinkaloud_worlds.random_tables.words import COLOUR_WORDS, is_kept_back
from thinkaloud_worlds.tabletop.layout import COLOURS
from thinkaloud_worlds.tabletop.scene import Scene, Thing

_USUAL, _IN_BOWL, _ON_BLOCK = 0.6, 0.2, 0.25


def draw_any_colours(rng: np.random.Generator, *, kept_back: bool) -> Scene:
    """Draw blocks and bowls, some of them on each other. Either all pairs of colour and kind are kept back, or none."""
    scene = Scene.random(int(rng.integers(2**32)), blocks=(2, 5), bowls=(1, 3))
    bowls = [each for each in scene.objects if each.kind == "bowl"]
    things, carried = list[Thing](), dict[str, int]()
    for thing in (*bowls, *(each for each in scene.objects if each.kind == "block")):
        colour = _draw_colour(rng, thing.kind, {each.name for each in things}, kept_back=kept_back)
        drawn = msgspec.structs.replace(thing, name=f"{colour} {thing.kind}", colour=colour)
        chance = rng.uniform()
        kind = "bowl" if chance < _IN_BOWL else "block" if chance < _IN_BOWL + _ON_BLOCK else ""
        room = {"bowl": 2, "block": 1}.get(kind, 0)
        under = [each.name for each in things if each.kind == kind and carried.get(each.name, 0) < room]
        if thing.kind == "block" and under:
            on = under[int(rng.integers(len(under)))]
            carried[on] = carried.get(on, 0) + 1
            drawn = Thing(drawn.name, "block", colour=colour, on=on)
        things.append(drawn)
    return Scene(tuple(things))


def _draw_colour(rng: np.random.Generator, kind: str, taken: set[str], *, kept_back: bool) -> str:
    possible = [colour for colour in COLOUR_WORDS if is_kept_back((colour, kind)) == kept_back]
    usual = [colour for colour in possible if colour in COLOURS]
    free = [colour for colour in (usual if rng.uniform() < _USUAL else possible) if f"{colour} {kind}" not in taken]
    free = free or [colour for colour in possible if f"{colour} {kind}" not in taken]
    return free[int(rng.integers(len(free)))]
