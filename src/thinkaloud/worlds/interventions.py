"""What a person may do to a world: move a thing by hand, knock it over, and see what the robot sees."""

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
        """Put a thing there, on top of whatever is there; raises BadInput if that is impossible."""
        ...

    def knock_over(self, name: str) -> None:
        """Knock a thing over."""
        ...

    def spot_of(self, name: str) -> tuple[float, float]:
        """Where a thing or a named place is; raises UnknownName if there is none."""
        ...


class Eyed(World, Protocol):
    """A world whose robot has a detector."""

    def camera_picture(self) -> tuple[NDArray[np.uint8], Mapping[str, Box]]:
        """The picture, and where in it the detector finds what."""
        ...


def intervene(world: World, thing: str, to: Sequence[float] | str) -> None:
    """Move a thing to a point or onto a named thing, or knock it over; raises BadInput if that is impossible."""
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
    elif len(to) == 2 and all(abs(value) < 1e3 for value in to):  # this also rejects NaN
        x, y = (float(value) for value in to)
    else:
        raise BadInput("A thing is moved to a point [x, y] in metres, onto something by name, or `over`.")
    touchable.move_by_hand(thing, x, y)


def movable_of(world: World) -> tuple[str, ...]:
    """What can be moved by hand in a world."""
    touchable = find_ability(world, Touchable)
    return touchable.movable() if touchable is not None else ()
