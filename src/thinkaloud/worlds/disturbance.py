"""How much a world is disturbed: noise in the arm's input, and how often the detectors are wrong.

    parse_disturbance("paper,lies=0.2")

Noise needs a world whose senses can be wrapped; detector errors (`faulty_detectors.py`) work in any world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from thinkaloud.errors import BadSettings


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Standard deviations of the noise, how far the arm is off, and how often detectors err (from 0 to 1)."""

    pixel_value: float = 0.0
    """Noise on every value (0 to 255) of the picture."""
    pixel: float = 0.0
    """Noise on row and column of the pick pixel and of the place pixel."""
    place: float = 0.0
    """Noise on x and y of the place position, in metres."""
    offset: float = 0.0
    """A length in metres, not a deviation: the arm misses every point by this much, in the same direction throughout an
    episode. The seed decides the direction."""
    slip: float = 0.0
    """How often a motion of the hand comes to nothing, in a world where the hand can slip."""
    false_yes: float = 0.0
    """How often the success detector reports success for a step that failed."""
    false_no: float = 0.0
    """How often it reports failure for a step that worked."""
    missed: float = 0.0
    """How often a thing is not seen."""
    ghosts: float = 0.0
    """How often the detector sees a thing that is not there, per thing that is."""
    misnamed: float = 0.0
    """How often a thing is taken for another."""
    stubborn: float = 0.0
    """How often the success detector repeats its answer about a step until something moves, so that looking again does
    not help."""

    @property
    def noisy(self) -> bool:
        """Whether there is noise in the arm's input."""
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
_RATES = ("slip", "false_yes", "false_no", "missed", "ghosts", "misnamed", "stubborn", "lies")
_NAMED = {"none": NO_DISTURBANCE, "": NO_DISTURBANCE, "paper": PAPER_DISTURBANCE}


def parse_disturbance(text: str) -> Disturbance:
    """Read `none`, `paper`, or values such as `pixel=1,lies=0.2`. Other values are 0, or the paper's after `paper`."""
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
