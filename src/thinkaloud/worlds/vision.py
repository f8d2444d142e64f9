"""Vision: what a camera delivers, what eyes find in it, and what is remembered.

    view = world.view()                              # a picture, how far away everything is, and where the camera is
    sight = open_eyes("camera").look(view, world.appearances())
    sight.find("red block").point                    # where it is, in the robot's own frame

Eyes get only this: a picture, its depth, the camera's intrinsics and pose, and a catalogue of what things look like.
They are not told which things are there, nor where. `perceive` implements eyes and finds them by name; other packages
announce theirs under `thinkaloud.eyes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import BadInput, DidNotWork
from thinkaloud.plugins import Registry
from thinkaloud.worlds.geometry import Rgb, Xyz

PixelBox = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels; right and bottom are inclusive."""


def overlap(one: PixelBox, other: PixelBox) -> float:
    """Return the share of the union of two boxes that both cover."""
    wide = min(one[2], other[2]) - max(one[0], other[0]) + 1
    tall = min(one[3], other[3]) - max(one[1], other[1]) + 1
    both = max(wide, 0) * max(tall, 0)
    sizes = [(box[2] - box[0] + 1) * (box[3] - box[1] + 1) for box in (one, other)]
    return both / (sum(sizes) - both)


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
        """The point of every pixel in the robot's frame; NaN where there is no depth."""
        return _points_of(self)

    def heights(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
        """How high the points are that pixels of these rows and columns show; NaN where there is no depth."""
        at, (right, down, ahead) = self.intrinsics, self.rotation[2]
        depth = self.depth[np.ix_(rows, columns)].astype(np.float64)
        along = right * (columns - at.cx)[None] / at.fx + down * (rows - at.cy)[:, None] / at.fy + ahead
        return np.where(depth > 0, along * depth + self.position[2], np.nan)


@lru_cache(maxsize=2)  # several look at the same picture, one after another
def _points_of(view: View) -> NDArray[np.float64]:
    at, depth = view.intrinsics, np.where(view.depth > 0, view.depth, np.nan).astype(np.float64)
    rows, columns = np.mgrid[0 : depth.shape[0], 0 : depth.shape[1]]
    seen = np.stack([(columns - at.cx) / at.fx * depth, (rows - at.cy) / at.fy * depth, depth], axis=-1)
    points = np.asarray(seen @ view.rotation.T + view.position)
    points.flags.writeable = False
    return points


@dataclass(frozen=True, slots=True)
class Appearance:
    """What a kind of thing looks like: its name, its colour, how wide and how tall it is (metres), and its shape.

    `hollow` things have a rim and an empty middle, such as a bowl; `round` things are round from above. If things are
    told apart by their highest part, `top` has its longer and shorter side, and the colour is that of the top.
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
    """A thing that was found: its box, its centre point, the confidence, and any doubt.

    `point` is in the robot's frame, on the visible surface; None if the camera has no depth there.
    """

    name: str
    box: PixelBox
    point: Xyz | None
    score: float = 1.0
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything found in a picture; a name that fits two things appears twice."""

    sightings: tuple[Sighting, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of what is seen, each once."""
        return tuple(dict.fromkeys(each.name for each in self.sightings))

    def get(self, name: str) -> Sighting | None:
        """The most confident sighting of a thing."""
        return max((each for each in self.sightings if each.name == name), key=lambda each: each.score, default=None)

    def find(self, name: str) -> tuple[Sighting, Xyz]:
        """The sighting of a thing that can be acted on, and its point; raises SkillError if there is none."""
        found = [each for each in self.sightings if each.name == name]
        if not found:
            raise DidNotWork(f"The {name} cannot be seen: something covers it, or it is no longer in view.")
        if len(found) > 1:
            raise DidNotWork(f"{len(found)} things look like the {name}: I cannot tell which one is meant.")
        if found[0].doubt:
            raise DidNotWork(found[0].doubt)
        if found[0].point is None:
            raise DidNotWork(f"The camera gives no depth at the {name}: I cannot tell how far away it is.")
        return found[0], found[0].point


@runtime_checkable
class Eyes(Protocol):
    """Finds things in a picture."""

    def look(self, view: View, catalogue: Sequence[Appearance]) -> Sight:
        """Find the catalogue's things in a picture; raises CannotSee if the picture shows nothing at all."""
        ...


# What was seen before -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Memory:
    """Where things were last seen, in the order they were first seen."""

    points: Mapping[str, Xyz | None]

    def after(self, sight: Sight) -> Memory:
        """Update with what is seen now; a thing seen without depth keeps its old position."""
        known = dict(self.points)
        for name in sight.names:
            seen = sight.get(name)
            point = None if seen is None else seen.point
            known[name] = point if point is not None else known.get(name)
        return Memory(known)

    def hidden(self, sight: Sight) -> tuple[str, ...]:
        """What was seen before and no longer is."""
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
"""Makes eyes from the text after the colon: the folder or name of a detector's weights; usually empty."""


def _checked(name: str, found: Any) -> OpenEyes:
    if not callable(found):
        raise ValueError(f"expected a function that returns eyes, not a {type(found).__name__}")
    opener: OpenEyes = found
    return opener


EYES: Registry[OpenEyes] = Registry(
    "eye",
    {
        "camera": "thinkaloud.perceive.colour_eyes:open_colours",
        "learned": "thinkaloud.perceive.learned_eyes:open_learned",
        "model": "thinkaloud.perceive.describing_eyes:open_describing",
        "owlv2": "thinkaloud.perceive.open_vocabulary_eyes:open_owlv2",
        "grounding_dino": "thinkaloud.perceive.open_vocabulary_eyes:open_grounding_dino",
    },
    _checked,
)
"""Eyes by name; other packages announce theirs under `thinkaloud.eyes`."""


def open_eyes(text: str) -> Eyes:
    """Open the eyes that a text names: `camera`, or a detector with its weights, `learned:FILE.onnx`."""
    name, _, rest = text.partition(":")
    return EYES.find(name)(rest)
