"""The kitchen's pictures: what the camera of the robot sees at the place where it stands, by ray casting.

The kitchen is built as MuJoCo bodies from its state, and not before somebody takes a picture of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

import numpy as np

from thinkaloud_worlds.kitchen.arrangement import Lying
from thinkaloud_worlds.kitchen.furniture import PLACES, frame_of, kitchen_mjcf
from thinkaloud_worlds.random_tables.pictures import TablePicture, paint_thing
from thinkaloud_worlds.random_tables.things import DrawnThing
from thinkaloud_worlds.ray_casting import Image
from thinkaloud_worlds.staged_pictures import Decor, Shot, photograph_staged

_HAND = (
    '<body pos="{x} {y} {z}" quat="0.924 0.383 0 0"><geom type="capsule" size="0.035" fromto="0 -0.32 -0.02 0 -0.08 0" '
    'rgba="0.25 0.26 0.28 1"/><geom type="box" size="0.05 0.02 0.025" pos="0 -0.07 0" rgba="0.55 0.56 0.58 1"/>'
    '<geom type="box" size="0.007 0.045 0.014" pos="{left} -0.02 0" rgba="0.16 0.17 0.18 1"/>'
    '<geom type="box" size="0.007 0.045 0.014" pos="{right} -0.02 0" rgba="0.16 0.17 0.18 1"/></body>'
)


def usual_shot(place: str, off: tuple[float, float] = (0.0, 0.0)) -> Shot:
    """The picture that the robot takes at a place, or `off` it, in the place's frame."""
    spot = PLACES[place]
    (x, y, z), (ax, ay, az) = spot.eye, spot.aim
    return Shot(place, (x + off[0], y + off[1], z), (ax + off[0], ay + off[1], az))


class Painted(Protocol):
    """A thing that is painted as on random tables, if it was drawn so."""

    @property
    def lying(self) -> Lying:
        """Where it is."""
        ...

    @property
    def drawn(self) -> DrawnThing | None:
        """Its colours and its pattern."""
        ...

    @property
    def place(self) -> str:
        """The place in whose frame it is."""
        ...

    def mjcf(self, number: int) -> str:
        """Its body, named after its number."""
        ...


def photograph_kitchen(
    decor: Decor,
    things: Sequence[Lying | Painted],
    opened: Collection[str],
    shot: Shot,
    *,
    whole: bool = False,
    errors: np.random.Generator | None = None,
) -> TablePicture:
    """Take a picture, with the truth about it. The camera's errors are small and always the same, or drawn."""

    mjcf, frame = _mjcf(decor, things, opened), frame_of(shot.place)
    if errors is None:
        return photograph_staged(mjcf, len(things), decor, shot, frame, whole=whole)
    rng = errors

    def paint(number: int, at: Image, facing: Image) -> Image | None:
        thing = things[number]
        return None if isinstance(thing, Lying) or thing.drawn is None else paint_thing(thing.drawn, at, facing, rng)

    return photograph_staged(mjcf, len(things), decor, shot, frame, whole=whole, errors=rng, paint=paint)


def _mjcf(decor: Decor, things: Sequence[Lying | Painted], opened: Collection[str]) -> str:
    inside = dict[str, str]()
    for number, thing in enumerate(things):
        inside[thing.place] = inside.get(thing.place, "") + thing.mjcf(number)
        lying = thing if isinstance(thing, Lying) else thing.lying
        if lying.held:
            x, y, z = lying.middle()
            half = min(lying.form.across, 0.08) / 2 + 0.007
            inside[lying.place] += _HAND.format(x=x, y=y - lying.form.deep / 2, z=z, left=-half, right=half)
    return kitchen_mjcf(opened, inside, decor.clutter)
