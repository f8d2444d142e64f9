"""Seeing: what a camera gives, what eyes make of it, and what is remembered of it.

    view = world.view()                              # a picture, how far away everything is, and where the camera is
    sight = open_eyes("camera").look(view, world.appearances())
    sight.find("red block").point                    # where it is, in the robot's own frame

Eyes get nothing else: a picture, its depth, the camera's intrinsics and pose, and a catalogue of what things look like.
Not the things that are there, nor where they are. How eyes work is the affair of `perceive`, where they are found by
name; other packages announce theirs under `thinkaloud.eyes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import BadInput, SkillError
from thinkaloud.plugins import Registry
from thinkaloud.worlds.geometry import Rgb, Xyz

PixelBox = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels; right and bottom are inside of it."""


class CannotSee(BadInput):
    """A camera that shows nothing."""


@dataclass(frozen=True, slots=True)
class Intrinsics:
    """How a camera projects: its focal lengths and its principal point, in pixels."""

    fx: float
    fy: float
    cx: float
    cy: float


@dataclass(frozen=True, eq=False)
class View:
    """One picture of a camera: colour (0 to 255), metres along the optical axis (0 where that is not known).

    A point of the camera's frame (right, down, forward) is at `rotation @ point + position` in the robot's frame.
    """

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32]
    intrinsics: Intrinsics
    rotation: NDArray[np.float64]
    position: NDArray[np.float64]

    def points(self) -> NDArray[np.float64]:
        """The point of every pixel in the robot's frame; not a number where there is no depth."""
        at, depth = self.intrinsics, np.where(self.depth > 0, self.depth, np.nan).astype(np.float64)
        rows, columns = np.mgrid[0 : depth.shape[0], 0 : depth.shape[1]]
        seen = np.stack([(columns - at.cx) / at.fx * depth, (rows - at.cy) / at.fy * depth, depth], axis=-1)
        return np.asarray(seen @ self.rotation.T + self.position)


@dataclass(frozen=True, slots=True)
class Appearance:
    """What a kind of thing looks like: its name, its colour, how wide and how tall it is (metres), and its shape.

    `hollow` is what has a rim and nothing in the middle, such as a bowl; `round` what is round from above. Where things
    are told apart by what is highest of them, `top` has its longer and its shorter side, and the colour is that of it.
    """

    name: str
    rgb: Rgb
    across: float
    height: float
    hollow: bool = False
    round: bool = False
    top: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Sighting:
    """A thing that was found: its box, the point at the middle of it, how sure, and what speaks against it.

    `point` is in the robot's frame, on the surface that is seen; None where the camera has no depth there.
    """

    name: str
    box: PixelBox
    point: Xyz | None
    score: float = 1.0
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Sight:
    """All that was found in a picture; a name that looks fit two things is there twice."""

    sightings: tuple[Sighting, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What is seen, each once."""
        return tuple(dict.fromkeys(each.name for each in self.sightings))

    def get(self, name: str) -> Sighting | None:
        """The surest sighting of a thing."""
        return max((each for each in self.sightings if each.name == name), key=lambda each: each.score, default=None)

    def find(self, name: str) -> tuple[Sighting, Xyz]:
        """The sighting of a thing that can be acted on, and its point; SkillError says what is in the way of that."""
        found = [each for each in self.sightings if each.name == name]
        if not found:
            raise SkillError(f"The {name} cannot be seen: something covers it, or it is no longer in view.")
        if len(found) > 1:
            raise SkillError(f"{len(found)} things look like the {name}: I cannot tell which one is meant.")
        if found[0].doubt:
            raise SkillError(found[0].doubt)
        if found[0].point is None:
            raise SkillError(f"The camera gives no depth at the {name}: I cannot tell how far away it is.")
        return found[0], found[0].point


@runtime_checkable
class Eyes(Protocol):
    """Finds things in a picture."""

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        """What of a catalogue is seen, and where; CannotSee where the picture shows nothing at all."""
        ...


# What was seen before -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Memory:
    """Where things were seen last, in the order in which they were first seen."""

    points: Mapping[str, Xyz | None]

    def after(self, sight: Sight) -> Memory:
        """The same with what is seen now; where something is seen without depth, it is still where it was."""
        known = dict(self.points)
        for name in sight.names:
            seen = sight.get(name)
            point = None if seen is None else seen.point
            known[name] = point if point is not None else known.get(name)
        return Memory(known)

    def hidden(self, sight: Sight) -> tuple[str, ...]:
        """What was seen before and is seen no longer."""
        return tuple(name for name in self.points if name not in sight.names)

    def saved(self) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """As plain data."""
        return tuple((name, point or ()) for name, point in self.points.items())

    @classmethod
    def restored(cls, saved: Sequence[tuple[str, Sequence[float]]]) -> Memory:
        """From plain data."""
        return cls({name: (p[0], p[1], p[2]) if len(p) == 3 else None for name, p in saved})


NOTHING_SEEN = Memory({})


# Eyes by name ---------------------------------------------------------------------------------------------------------

OpenEyes = Callable[[str], Eyes]
"""Makes eyes from what comes after the colon: the folder, or the name, of a detector's weights; mostly nothing."""


def _checked(name: str, found: Any) -> OpenEyes:
    if not callable(found):
        raise ValueError(f"a function that gives eyes is wanted, not a {type(found).__name__}")
    opener: OpenEyes = found
    return opener


EYES: Registry[OpenEyes] = Registry(
    "eye",
    {
        "camera": "thinkaloud.perceive.colour_eyes:open_colours",
        "owlv2": "thinkaloud.perceive.open_vocabulary_eyes:open_owlv2",
        "grounding_dino": "thinkaloud.perceive.open_vocabulary_eyes:open_grounding_dino",
    },
    _checked,
)
"""Eyes by name; other packages announce theirs under `thinkaloud.eyes`."""


def open_eyes(text: str) -> Eyes:
    """The eyes that a text names: `camera`, or a detector with its weights, `owlv2:FOLDER`."""
    name, _, rest = text.partition(":")
    return EYES.find(name)(rest)
