"""The same world told in another order: what there is, what it is called, what is on what, what has been reached.

The order is the variant's and stays the same all through an episode, so that nothing seems to have moved; that of the
progress is another one at every look. Variant 0 is the world's own order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Protocol

from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Observation, WorldState
from thinkaloud.skills import Relation, Skill
from thinkaloud.worlds import World


class Looks(Protocol):
    """Whoever looks at the world."""

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """The scene as it is now."""
        ...


@dataclass(frozen=True)
class Shuffle:
    """An order of names and sentences that depends on nothing but them and a number."""

    number: int

    def names(self, names: Sequence[str]) -> tuple[str, ...]:
        """Names in this order."""
        return tuple(sorted(names, key=self._rank)) if self.number else tuple(names)

    def conditions(self, conditions: Sequence[Condition]) -> tuple[Condition, ...]:
        """Conditions in this order."""
        return tuple(sorted(conditions, key=lambda each: self._rank(each.words))) if self.number else tuple(conditions)

    def state(self, state: WorldState) -> WorldState:
        """A state told in this order."""
        known = {name: state.attributes[name] for name in self.names([*state.attributes])}
        told = self.conditions(state.relations)
        return replace(state, objects=self.names(state.objects), relations=told, attributes=known)

    def scene(self, scene: Observation) -> Observation:
        """What is seen, in this order."""
        return replace(
            scene,
            objects=self.names(scene.objects),
            vocabulary={kind: self.names(names) for kind, names in scene.vocabulary.items()},
            hidden=self.names(scene.hidden),
            state=None if scene.state is None else self.state(scene.state),
        )

    def _rank(self, words: str) -> bytes:
        return sha256(f"{self.number} {words}".encode()).digest()


class Shuffled:
    """The same world, seen in another order."""

    def __init__(self, world: World, number: int) -> None:
        self.world, self.order = world, Shuffle(number)
        self.name, self.clock = world.name, world.clock
        self.skills: Mapping[str, Skill] = world.skills
        self.relations: Mapping[str, Relation] = world.relations

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        self.world.reset(seed)

    def observe(self) -> Observation:
        """What can be perceived now."""
        return self.order.scene(self.world.observe())

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world, really and now."""
        return self.world.holds(condition)

    def snapshot(self) -> bytes:
        """Everything needed to be in this very state again."""
        return self.world.snapshot()

    def restore(self, snapshot: bytes) -> None:
        """Be in that state again. Raises ValueError for what is no snapshot of this world."""
        self.world.restore(snapshot)

    def __getattr__(self, name: str) -> Any:
        if name == "world":  # not there yet, while unpickling or copying
            raise AttributeError(name)
        return getattr(self.world, name)


@dataclass
class ShuffledProgress:
    """The same looks, with what has been reached, and what is on what, told in another order each time."""

    inner: Looks
    number: int
    _looks: int = field(default=0)

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """The scene as it is now."""
        scene = await self.inner.perceive(monologue)
        if scene is None or not self.number:
            return scene
        self._looks += 1
        order = Shuffle(1000 * self.number + self._looks)
        achieved = None if scene.achieved is None else order.conditions(scene.achieved)
        state = scene.state and replace(scene.state, relations=order.conditions(scene.state.relations))
        return replace(scene, achieved=achieved, state=state)
