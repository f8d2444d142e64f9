"""A drawn thing: what it is, how it looks, and where it stands or lies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from thinkaloud.worlds.geometry import Rgb
from thinkaloud_worlds.random_tables.forms import Quat, shape_of

Pattern = Literal["plain", "striped", "spotted", "speckled", "banded", "checked"]


@dataclass(frozen=True, eq=False)
class DrawnThing:
    """A thing: what it is, its two colours, where its underside is, and which words are true of it.

    Of a thing that was dropped, `turn` is how it came to lie, and `at` its middle.
    """

    kind: str
    colour: str
    rgb: Rgb
    second: Rgb
    pattern: Pattern
    across: float
    height: float
    at: tuple[float, float, float]
    yaw: float
    truths: dict[str, int]
    on_side: bool = False
    straight: bool = False
    turn: Quat | None = None

    @property
    def long(self) -> float:
        """How wide it is where it stands or lies."""
        return max(self.across, self.height) if self.on_side or self.turn else self.across

    @property
    def top(self) -> float:
        """How high it reaches above its underside."""
        return self.across if self.on_side else self.height

    def mjcf(self, number: int) -> str:
        """Its body, named after its number."""
        shape = partial(shape_of, number, self.kind, self.across, self.height, self.at, self.yaw)
        return shape(on_side=self.on_side, straight=self.straight, turn=self.turn)
