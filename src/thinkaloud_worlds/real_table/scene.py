"""The two scenes of appendix B.2, drawn from a seed, and what the things on this table may look like."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from thinkaloud.worlds.vision import Appearance
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop.layout import COLOURS
from thinkaloud_worlds.tabletop.scene import Scene, Thing

Task = Literal["stacking", "sorting"]
_SALT = 0x4EA1
_TOY = {
    "apple": ("fruit", 0.050, "#6fae3c"),
    "strawberry": ("fruit", 0.034, "#e8475f"),
    "plum": ("fruit", 0.042, "#6b3f8f"),
    "ketchup bottle": ("bottle", 0.040, "#96191e"),
    "mustard bottle": ("bottle", 0.040, "#edc948"),
    "soft drink bottle": ("bottle", 0.040, "#f07818"),
}
"""The six toys of the sorting task: kind, width, colour."""
PLATES = {"white plate": "white", "blue plate": "#3a6ebe", "gray plate": "#7d7876"}
_PLATE_SPOTS = ((-0.18, -0.34), (0.18, -0.34), (0.0, -0.66))


def draw_real_table(seed: int, task: Task | None = None) -> Scene:
    """Draw a scene from a seed: for the given task, or for the two tasks in turn."""
    rng = generator(seed, _SALT)
    if (task or ("stacking", "sorting")[seed % 2]) == "stacking":
        return _stacking(rng)
    return _sorting(rng)


def _stacking(rng: np.random.Generator) -> Scene:
    """Three blocks, two of them stacked in the middle of the view, so that the lower one is hidden."""
    low, high, third = (f"{colour} block" for colour in rng.permutation(list(COLOURS))[:3])
    x, y = rng.uniform(-0.05, 0.05), rng.uniform(-0.55, -0.45)
    angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.12, 0.16)
    yaw = [round(float(rng.uniform(-45, 45)), 1) for _ in range(3)]
    beside = _metres(x + far * math.cos(angle)), _metres(y + far * math.sin(angle))
    return Scene(
        (
            Thing(low, "block", _metres(x), _metres(y), yaw=yaw[0]),
            Thing(high, "block", on=low, yaw=yaw[1]),
            Thing(third, "block", beside[0], beside[1], yaw=yaw[2]),
        )
    )


def _metres(value: float) -> float:
    return round(float(value), 4)


def _sorting(rng: np.random.Generator) -> Scene:
    """Three plates, and the six toys in clutter on one of them."""
    names, toys = rng.permutation(list(PLATES)), [str(name) for name in rng.permutation(list(_TOY))]
    spots = rng.permutation(_PLATE_SPOTS) + rng.uniform(-0.01, 0.01, (3, 2))
    plates = [
        Thing(str(name), "plate", _metres(x), _metres(y), PLATES[str(name)])
        for name, (x, y) in zip(names, spots, strict=True)
    ]
    full = plates[0].name
    return Scene((*plates, *(_toy(name, full) for name in toys)))


def _toy(name: str, on: str) -> Thing:
    kind, size, colour = _TOY[name]
    return Thing(name, kind, colour=colour, size=size, on=on)


def appearances(scene: Scene) -> tuple[Appearance, ...]:
    """What may be on the table in a task: blocks of ten colours, or toys and plates; and the names that a scene adds.

    The paper, too, looks for "all possible object names" of a task.
    """
    blocks = [Thing(f"{colour} block", "block") for colour in COLOURS]
    toys = [_toy(name, "") for name in _TOY]
    plates = [Thing(name, "plate", colour=colour) for name, colour in PLATES.items()]
    sorting = any(thing.kind == "plate" for thing in scene.objects)
    known = {thing.name: thing for thing in (*((*toys, *plates) if sorting else blocks), *scene.objects)}
    return tuple(appearance_of(thing) for thing in known.values())


def appearance_of(thing: Thing) -> Appearance:
    """What a thing looks like."""
    turned = thing.kind in ("fruit", "bottle", "plate", "bowl", "cup", "cylinder")
    return Appearance(thing.name, thing.rgb, thing.across, thing.height, thing.kind in ("plate", "bowl"), turned)
