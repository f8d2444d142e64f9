"""A world in which a person does each step by hand: for guidelines without a robot, and for planning only."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from thinkaloud.clock import Clock
from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import BadScene
from thinkaloud.records import Arguments, Condition, Observation, WorldState, writable
from thinkaloud.skills import Relation, Skill, condition_holds, relation, relations_of, skill, skills_of
from thinkaloud.worlds.contract import Briefing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TICK, _TICKS = 0.5, 4  # seconds, and how many of them a step takes
_INK, _PAPER, _RULE, _GOOD = (34, 38, 46), (252, 250, 240), (226, 222, 206), (24, 132, 70)


class _Saved(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    world: str
    seed: int
    now: float
    done: tuple[str, ...]


class _Clock:
    def __init__(self, world: ByHand) -> None:
        self._world = world

    def now(self) -> float:
        return self._world.now

    async def sleep(self, seconds: float) -> None:
        self._world.now += max(seconds, 0.0)
        await asyncio.sleep(0)


def _does(step: str) -> tuple[tuple[str, Arguments], ...]:
    return (("done", {"step": step}),)


def _remembers(self: ByHand, state: WorldState, step: str) -> WorldState:
    condition = self.relations["done"].condition({"step": step})
    return state if condition in state.relations else replace(state, relations=(*state.relations, condition))


class ByHand:
    """A person is told every step, and it counts as done. Nothing is seen, so no run here ends as checked.

    world = ByHand()
    await world.skills["carry_out"].run({"step": "water the plants"})
    print(world.steps)
    """

    name = "by_hand"
    briefing = Briefing(preset="itp", unchecked="each step was told to a person, and taken as done")

    def __init__(self) -> None:
        self.clock: Clock = _Clock(self)
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self._seed, self.now = seed, 0.0
        self._done: list[str] = []

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps carried out, in order, as they were worded."""
        return tuple(self._done)

    def observe(self) -> Observation:
        """Nothing is in view; the steps done so far are known."""
        done = tuple(dict.fromkeys(self._done))
        said = tuple(self.relations["done"].condition({"step": step}) for step in done)
        return Observation((), {}, state=WorldState(relations=said))

    @skill(says="{step}", effects=_does, remembers=_remembers)
    async def carry_out(self, step: str) -> str:
        """Have a person carry out one step of the task by hand, whatever it is.

        Args:
            step: the step in words, as it stands in the list of steps.
        """
        for number in range(_TICKS):
            if number == 0:
                safe_point()
            self.now += _TICK
            await tick()
        self._done.append(step)
        return "Done."

    @relation(says="This is done: {step}.")
    def done(self, step: str) -> bool:
        """Whether a step was carried out, whatever its capitals and its full stop.

        Args:
            step: the step in words.
        """
        return _plain(step) in map(_plain, self._done)

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world, really and now."""
        return condition_holds(condition, self.relations)

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A sheet of paper with the latest steps, ticked off."""
        import numpy as np  # pictures need the extra `sim`, this world does not
        from PIL import Image, ImageDraw, ImageFont

        image = Image.new("RGB", (width, height), _PAPER)
        draw, size = ImageDraw.Draw(image), max(height // 18, 8)
        font, line = ImageFont.load_default(size), size * 3 // 2
        rows = max(height // line - 1, 1)
        for row in range(rows):
            draw.line((0, (row + 1) * line + size // 2, width, (row + 1) * line + size // 2), fill=_RULE)
        first = max(len(self._done) - rows, 0)
        for row, step in enumerate(self._done[first:]):
            y = row * line + size // 2
            tick_off = [(size // 2, y + size // 2), (size * 3 // 4, y + size * 3 // 4), (size * 5 // 4, y + size // 4)]
            draw.line(tick_off, fill=_GOOD, width=max(size // 6, 1))
            draw.text((size * 2, y), f"{first + row + 1}  {writable(step)}", fill=_INK, font=font)
        return np.asarray(image)

    def snapshot(self) -> bytes:
        """Everything needed to restore this state."""
        return msgspec.msgpack.encode(_Saved(self.name, self._seed, self.now, self.steps))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if this is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
        except msgspec.MsgspecError:
            raise ValueError("This is not a snapshot of the world 'by_hand'.") from None
        if saved.world != self.name:
            raise ValueError(f"This is a snapshot of the world {saved.world!r}, not of {self.name!r}.")
        self._seed, self.now, self._done = saved.seed, saved.now, list(saved.done)


def _plain(step: str) -> str:
    return " ".join(step.casefold().split()).rstrip(". ")


def open_by_hand(scene: str | None) -> ByHand:
    """The world; it takes no scene."""
    if scene:
        raise BadScene("The world 'by_hand' takes no scene; leave it out.")
    return ByHand()
