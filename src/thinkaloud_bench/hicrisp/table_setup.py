"""An episode at the table, ready to begin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision
from thinkaloud.worlds import World
from thinkaloud_worlds.tabletop.sensor_noise import Disturbance

NOISE = Disturbance(pixel_value=3.0, pixel=2.5, place=0.02, offset=0.03)
"""Inner Monologue's noise, and an arm that arrives 3 cm beside every point, in a direction that the seed decides.

Measured on single calls of pick-and-place into a bowl: one in four works without fixes, all of 20 with them. Two
centimetres alone spoil nothing: a cup that took a thing 2 cm beside its middle also sets it down 2 cm beside.
"""


@dataclass(frozen=True)
class TableEpisode:
    """A world, a request, and the judge: what share of it is there, and whether all of it is."""

    world: World
    request: str
    share: Callable[[], float]
    met: Callable[[], bool]
    expert: Callable[[Monologue], Decision]
