"""What simulated worlds share: a clock driven by the physics, and surfaces of revolution."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence

STEP, STEPS_PER_TICK = 0.004, 5
TICK = STEP * STEPS_PER_TICK
"""The length of an arm's control tick, in seconds: `STEPS_PER_TICK` steps of the physics."""
Profile = Sequence[tuple[float, float]]
"""The outline of a surface of revolution: radius and height of each point."""
_SEGMENTS = 28


class SimulatedClock:
    """A clock that advances only when the physics does."""

    def __init__(self, now: Callable[[], float], advance: Callable[[], None], tick: float) -> None:
        """`advance` runs one control tick, which lasts `tick` seconds."""
        self._now, self._advance, self._tick = now, advance, tick

    def now(self) -> float:
        """Simulated seconds since the episode began."""
        return float(self._now())

    async def sleep(self, seconds: float) -> None:
        """Let the physics run."""
        for _ in range(max(math.ceil(round(seconds / self._tick, 6)), 0)):
            self._advance()
            await asyncio.sleep(0)


def turned_mesh(name: str, profile: Profile) -> str:
    """A surface of revolution as an MJCF mesh."""
    vertices, faces, count = [], [], len(profile)
    for i in range(_SEGMENTS):
        angle = 2 * math.pi * i / _SEGMENTS
        vertices += [f"{r * math.cos(angle):.5f} {r * math.sin(angle):.5f} {z:.5f}" for r, z in profile]
        other = (i + 1) % _SEGMENTS
        for k in range(count - 1):
            a, b, c, d = i * count + k, other * count + k, other * count + k + 1, i * count + k + 1
            faces += [f"{a} {b} {c}", f"{a} {c} {d}"]
    return f'<mesh name="{name}" inertia="shell" vertex="{" ".join(vertices)}" face="{" ".join(faces)}"/>'
