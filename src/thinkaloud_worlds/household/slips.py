"""A home in which the robot's own motions fail now and then: HiCRISP's low-level errors (its section III-C).

    world = Slipping(Household(), rate=0.2)

VirtualHome's actions always have their effect if they are possible. Here, a motion of the hand may come to nothing: it
closes beside the handle, or the thing slips out. A robot with low-level feedback feels that and tries again at once.
Without it, the skill reports what it did, and only a look at the home shows that nothing has changed.

Whether a motion slips depends only on the seed and on how many motions came before.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from thinkaloud.records import Condition, Observation
from thinkaloud.skills import Relation, Skill
from thinkaloud.skills.self_repair import may_fix
from thinkaloud.worlds import World
from thinkaloud_worlds.household.actions import ACTION_TICK, ACTIONS
from thinkaloud_worlds.household.engine import perform
from thinkaloud_worlds.seeds import generator

_SALT = 0x511B
_BY_HAND = frozenset(
    ("grab", "open", "close", "put_back", "put_in", "switch_on", "switch_off", "plug_in", "plug_out", "put_on")
)
SLIPPED, AGAIN = "The hand slipped.", "Do it once more."


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    slipping: str
    seed: int
    motions: int
    inner: bytes


class Slipping:
    """The same home; this share of the hand's motions comes to nothing."""

    def __init__(self, world: Any, rate: float) -> None:
        self.world, self.rate = world, rate  # a Household, whose module imports this one
        self.name, self.clock = world.name, world.clock
        self.relations: Mapping[str, Relation] = world.relations
        self.skills: Mapping[str, Skill] = {name: self._by_hand(skill) for name, skill in world.skills.items()}
        self._seed = self._motions = 0

    def _by_hand(self, skill: Skill) -> Skill:
        if skill.name not in _BY_HAND:
            return skill

        @functools.wraps(skill.function)
        async def move(**given: Any) -> Any:
            line = self.world.line_of(skill.name, *map(str, given.values()))
            while perform(self.world.state, line)[0] is not None and self._slips():
                self.world.now += ACTION_TICK * ACTIONS[skill.name].ticks
                if not may_fix(SLIPPED, AGAIN):
                    return f"Done: {line}"
            return await skill.run(given)

        return replace(skill, function=move)

    def _slips(self) -> bool:
        self._motions += 1
        return bool(generator(self._seed, _SALT, self._motions).random() < self.rate)

    def reset(self, seed: int) -> None:
        """Begin a new episode, with new slips."""
        self._seed, self._motions = seed & (2**64 - 1), 0
        self.world.reset(seed)

    def observe(self) -> Observation:
        """What can be perceived now."""
        seen: Observation = self.world.observe()
        return seen

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the home now."""
        return bool(self.world.holds(condition))

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        return msgspec.msgpack.encode(_Saved("slipping", self._seed, self._motions, self.world.snapshot()))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of such a home."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
        except msgspec.MsgspecError:
            raise ValueError("This is not a snapshot of a home in which the hand slips.") from None
        self.world.restore(saved.inner)
        self._seed, self._motions = saved.seed, saved.motions

    def twin(self) -> World:
        """A copy of the home in which nothing slips: nobody knows beforehand when the hand will slip."""
        twin: World = self.world.twin()
        return twin

    def __getattr__(self, name: str) -> Any:
        if name == "world":  # not set yet while unpickling or copying
            raise AttributeError(name)
        return getattr(self.world, name)
