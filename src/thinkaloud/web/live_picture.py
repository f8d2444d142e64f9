"""The picture of a robot at work: what to draw, whenever its looks change, and frames while it moves."""

from __future__ import annotations

import time
from collections.abc import Iterable

from thinkaloud.monologue import Event
from thinkaloud.records import Observation
from thinkaloud.web.messages import Drawing, SceneFrame
from thinkaloud.worlds import World
from thinkaloud.worlds.drawing import Looks, draw, find_poses

FRAMES_PER_SECOND = 30
"""Frames a second, at most."""


class LivePicture:
    """Draws a world; everything here is done in the robot's own thread."""

    def __init__(self, world: World, events: Iterable[Event]) -> None:
        self.scene: Drawing | None = None
        """What was drawn last."""
        self.frame: SceneFrame | None = None
        """Where everything was last, while it moves."""
        self._world, self._first = world, world.observe()
        self._looks = Looks(event.record for event in events if isinstance(event.record, Observation))
        self._framed = 0.0

    @property
    def seen(self) -> Observation:
        """The latest look at the world."""
        return self._looks.latest or self._first

    def see(self, seen: Observation) -> None:
        """Take in what the robot sees now."""
        self._looks.add(seen)

    def draw(self) -> Drawing:
        """Everything as it is now: what to draw, and a frame."""
        self.scene = draw(self._world, self.seen, self.scene, self._looks.before)
        self._take_frame(self._world)
        return self.scene

    def follow(self, world: World | None = None, *, ghost: bool = False) -> bool:
        """Take a frame if it is time for one; of a twin, as a ghost. Whether one was taken."""
        now = time.monotonic()
        if now - self._framed < 1 / FRAMES_PER_SECOND:
            return False
        self._framed = now
        self._take_frame(world or self._world, ghost=ghost)
        return True

    def _take_frame(self, world: World, *, ghost: bool = False) -> None:
        poses = find_poses(world)
        if poses and self.scene is not None and len(poses) == len(self.scene.shapes):
            self.frame = SceneFrame(round(world.clock.now(), 3), poses, self.scene.version, ghost)
