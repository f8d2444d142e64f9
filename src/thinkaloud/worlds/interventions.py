"""What a person may do to a world: move a thing by hand, knock it over; and see what the robot's own eye sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.worlds.contract import World, find_ability

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OVER = "over"
Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels."""


class Touchable(World, Protocol):
    """A world in which a person can move things by hand."""

    def movable(self) -> tuple[str, ...]:
        """What can be moved, by name."""
        ...

    def move_by_hand(self, name: str, x: float, y: float) -> None:
        """Have a thing stand there, on whatever is there; BadInput where it cannot."""
        ...

    def knock_over(self, name: str) -> None:
        """Have a thing fall over."""
        ...

    def spot_of(self, name: str) -> tuple[float, float]:
        """Where a thing is, or a place that has a name; UnknownName where there is none."""
        ...


class Eyed(World, Protocol):
    """A world whose robot has an eye that finds things."""

    def camera_picture(self) -> tuple[NDArray[np.uint8], Mapping[str, Box]]:
        """What it sees, and where in the picture it finds what."""
        ...


def intervene(world: World, thing: str, to: Sequence[float] | str) -> None:
    """Move a thing to a point, or onto something by name, or knock it over; BadInput where that cannot be."""
    touchable = find_ability(world, Touchable)
    if touchable is None:
        raise BadInput(f"In the world {world.name!r} nothing can be moved by hand.")
    if thing not in touchable.movable():
        raise UnknownName("thing that can be moved", thing, touchable.movable())
    if to == OVER:
        touchable.knock_over(thing)
        return
    if isinstance(to, str):
        if to == thing:
            raise BadInput(f"The {thing} cannot be put on itself.")
        x, y = touchable.spot_of(to)
    elif len(to) == 2 and all(abs(value) < 1e3 for value in to):  # no NaN either
        x, y = (float(value) for value in to)
    else:
        raise BadInput("A thing is moved to a point [x, y] in metres, onto something by name, or `over`.")
    touchable.move_by_hand(thing, x, y)


def movable_of(world: World) -> tuple[str, ...]:
    """What can be moved by hand in a world."""
    touchable = find_ability(world, Touchable)
    return touchable.movable() if touchable is not None else ()
