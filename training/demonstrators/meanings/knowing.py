"""What the relations and values of a Statler table say of a state that is kept, without a world: as the world would."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from thinkaloud.errors import SkillError
from thinkaloud.records import WorldState
from thinkaloud.state.edits import GROUND, TABLE, is_container, supports
from thinkaloud.state.weights import KnownWeights
from thinkaloud_worlds.tabletop.extended import container_of, is_empty
from thinkaloud_worlds.tabletop.hidden_attributes import (
    How,
    blocks_to_add,
    load_of,
    with_dirt_told,
    with_weights_told,
)
from thinkaloud_worlds.tabletop.statler_rules import Domain, spread_dirt
from training.demonstrators.meanings.spots import Spots


class Known:
    """What the relations and values of a domain's table say of a state, as the world itself does."""

    def __init__(self, domain: Domain, spots: Spots, state: WorldState) -> None:
        self.domain, self.spots, self.state = domain, spots, state
        self.steps: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name in ("domain", "spots", "state", "steps") or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.spots, name)

    def becomes(self, state: WorldState, moved: Sequence[str]) -> None:
        """Go on from another state."""
        self.state, self.steps = state, [*self.steps, *moved]
        self.spots.under = {thing: on for thing, on in supports(state).items() if on not in GROUND}

    def _bearer(self, thing: str) -> str | None:
        return self.spots.under.get(thing)

    def empty(self, thing: str) -> bool:
        """Whether nothing is in or on a thing."""
        return is_empty(self._bearer, self.state.objects, thing)

    def under(self, thing: str, other: str) -> bool:
        """Whether a thing is right under another."""
        return self._bearer(other) == thing

    def loose(self, object: str) -> bool:
        """Whether an object is in no container."""
        return container_of(self._bearer, object) is None

    def beneath(self, thing: str) -> list[str]:
        """What is right under a thing."""
        return [self._bearer(thing) or TABLE]

    def atop(self, thing: str) -> list[str]:
        """What is right on or in a thing."""
        return [name for name in self.state.objects if self._bearer(name) == thing]

    def container(self, thing: str) -> list[str]:
        """What a thing is in."""
        found = container_of(self._bearer, thing)
        return [] if found is None else [found]

    def moved(self) -> list[str]:
        """What was moved so far, the latest last."""
        return [name for name, _ in groupby(self.steps)]

    def take_in(self, state: WorldState, words: str) -> WorldState:
        """What is believed once a sentence was heard."""
        blocks = [name for name in state.objects if not is_container(name)]
        if self.domain.dirt:
            return spread_dirt(with_dirt_told(state, blocks, words))
        return with_weights_told(state, blocks, words) if self.domain.weighs else state

    def dirty(self, object: str) -> bool:
        """Whether it is known to be dirty."""
        return self.state.attributes.get(object, {}).get("dirty") is True

    def clean(self, object: str) -> bool:
        """Whether it is known to be clean."""
        return self.state.attributes.get(object, {}).get("clean") is True

    def heavier(self, thing: str, other: str) -> bool:
        """Whether a thing is heavier."""
        return KnownWeights.of(self.state).compare(load_of(self.state, thing), load_of(self.state, other)) == 1

    def equally_heavy(self, thing: str, other: str) -> bool:
        """Whether two things weigh the same."""
        return KnownWeights.of(self.state).equal(load_of(self.state, thing), load_of(self.state, other))

    def weight(self, thing: str) -> float:
        """How heavy a thing is."""
        found = KnownWeights.of(self.state).total(load_of(self.state, thing))
        if found is None:
            raise SkillError("That was not told.")
        return float(found)

    def blocks_to_add(self, bowl: str, how: How, other: str, times: float = 1) -> Sequence[str]:
        """The fewest loose blocks to add."""
        movable = [name for name in self.state.objects if not is_container(name)]
        return blocks_to_add(self.state, movable, bowl, how, other, times)
