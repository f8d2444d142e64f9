"""How sure a reading is."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from thinkaloud.models import Model
from thinkaloud.records import Meaning, Reading
from thinkaloud.understand.lexicon import Lexicon


@dataclass(frozen=True)
class Doubt:
    """How much speaks for a reading (0 to 1), and the other readings."""

    sure: float
    others: tuple[Reading, ...] = ()


async def measure_doubt(
    model: Model,
    prompt: str,
    meaning: Meaning,
    request: str,
    lexicon: Lexicon,
    outcome: Callable[[str], Hashable | None],
) -> Doubt:
    """Nothing is measured yet."""
    return Doubt(1.0)


def threshold_for(model: str, accepts: float) -> float:
    """What `sure` has to be."""
    return 0.0
