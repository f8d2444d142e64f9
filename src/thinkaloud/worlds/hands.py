"""Hands: where to pick and where to place, read off a picture and a sentence.

    hands = open_hands("learned:FILE.onnx")
    pointing = hands.point(rgb, height, "Pick the red block and place it on the blue bowl.")
    pointing.pick.at, pointing.place.at        # shares of the picture's height and width, from its top left corner

Hands get only this: the table from straight above, in colour and height, and a sentence. They are not told what is
where. `execute` implements hands and finds them by name; other packages announce theirs under `thinkaloud.hands`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from thinkaloud.plugins import Registry


@dataclass(frozen=True, eq=False)
class Spot:
    """A point of the picture (row and column, from 0 to 1), how sure the hands are of it, and the map it is from."""

    at: tuple[float, float]
    sure: float
    map: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Pointing:
    """Where to pick and where to place, for one sentence."""

    pick: Spot
    place: Spot


class Hands(Protocol):
    """Points at pixels."""

    def point(self, rgb: NDArray[Any], height: NDArray[Any], sentence: str) -> Pointing:
        """Point for a sentence, in a picture from above (0 to 255; metres, NaN where unknown); SkillError if unsure."""
        ...


OpenHands = Callable[[str], Hands]
"""Makes hands from the text after the colon: the file of their weights."""


def _checked(name: str, found: Any) -> OpenHands:
    if not callable(found):
        raise ValueError(f"expected a function that returns hands, not a {type(found).__name__}")
    opener: OpenHands = found
    return opener


HANDS: Registry[OpenHands] = Registry("hand", {"learned": "thinkaloud.execute.learned_hands:open_learned"}, _checked)
"""Hands by name; other packages announce theirs under `thinkaloud.hands`."""


def open_hands(text: str) -> Hands:
    """Open the hands that a text names, with their weights: `learned:FILE.onnx`."""
    name, _, rest = text.partition(":")
    return HANDS.find(name)(rest)
