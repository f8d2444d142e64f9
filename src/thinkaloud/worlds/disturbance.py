"""How much a world is disturbed: noise in what the arm goes by, and how often what the robot is told is wrong.

    parse_disturbance("paper,lies=0.2")

Noise is for worlds with senses that can be wrapped (`disturbed.py`); errors are for any world (`erring.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from thinkaloud.errors import BadSettings


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Standard deviations of the noise, how far the arm is off, and how often detectors err (from 0 to 1)."""

    pixel_value: float = 0.0
    """On every value (0 to 255) of the picture."""
    pixel: float = 0.0
    """On row and column of the pick pixel and of the place pixel."""
    place: float = 0.0
    """On x and y of the place position, in metres."""
    offset: float = 0.0
    """No deviation but a length in metres: so far beside every point that it is sent to the arm arrives, all through an
    episode in the same direction, which the seed decides."""
    false_yes: float = 0.0
    """How often the success detector says that a step worked which did not."""
    false_no: float = 0.0
    """How often it says that a step did not work which did."""
    missed: float = 0.0
    """How often a thing is not seen."""
    ghosts: float = 0.0
    """How often there seems to be a thing that is not there: so many for each thing that is."""
    misnamed: float = 0.0
    """How often a thing is taken for another."""
    stubborn: float = 0.0
    """How often the success detector keeps to what it says of a step for as long as nothing moves: then looking again
    shows nothing new."""

    @property
    def noisy(self) -> bool:
        """Whether there is noise in what the arm goes by."""
        return any((self.pixel_value, self.pixel, self.place, self.offset))

    @property
    def misjudges(self) -> bool:
        """Whether the success detector errs."""
        return bool(self.false_yes or self.false_no)

    @property
    def missees(self) -> bool:
        """Whether the object detector errs."""
        return bool(self.missed or self.ghosts or self.misnamed)


NO_DISTURBANCE = Disturbance()
PAPER_DISTURBANCE = Disturbance(pixel_value=3.0, pixel=2.5, place=0.02)
_TOGETHER = {"lies": ("false_yes", "false_no")}
_RATES = ("false_yes", "false_no", "missed", "ghosts", "misnamed", "stubborn", "lies")
_NAMED = {"none": NO_DISTURBANCE, "": NO_DISTURBANCE, "paper": PAPER_DISTURBANCE}


def parse_disturbance(text: str) -> Disturbance:
    """`none`, `paper`, or values such as `pixel=1,lies=0.2` (what is not named is 0, or the paper's after `paper`)."""
    known = [*(field.name for field in fields(Disturbance)), "lies"]
    values: dict[str, float] = {}
    for number, part in enumerate(text.lower().split(",")):
        key, _, value = (piece.strip() for piece in part.partition("="))
        if number == 0 and key in _NAMED and "=" not in part:
            values |= {field.name: getattr(_NAMED[key], field.name) for field in fields(Disturbance)}
            continue
        if key not in known:
            raise BadSettings(
                f"Unknown disturbance {part.strip()!r}; say none, paper, or values of {', '.join(known)}."
            )
        values |= dict.fromkeys(_TOGETHER.get(key, (key,)), _number(key, value))
    return Disturbance(**values)


def _number(key: str, text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if key in _RATES and not 0 <= found <= 1:
        raise BadSettings(f"The disturbance {key} has to be a share from 0 to 1, not {text!r}; such as {key}=0.2.")
    if not 0 <= found < math.inf:
        raise BadSettings(f"The disturbance {key} has to be a number from 0 up, not {text!r}; such as {key}=0.5.")
    return found
