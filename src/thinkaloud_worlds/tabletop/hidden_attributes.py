"""Hidden attributes of the things on a table, as the robot was told them: which blocks are dirty, what they weigh.

    world = Disinfection().extended()
    world.believe(world.take_in(world.observe().state, "The red block is dirty."))
    assert world.dirty("red block")

The robot sees where things are. For everything else it relies on its beliefs, not on the world's true state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Literal, Self

from thinkaloud.errors import SkillError
from thinkaloud.records import Value, WorldState
from thinkaloud.skills import Kind, measure, relation
from thinkaloud.state.edits import is_container, with_fact, with_marked
from thinkaloud.state.told_facts import qualities_told, weights_told
from thinkaloud.state.weights import KnownWeights
from thinkaloud_worlds.tabletop.extended import ExtendedDomain
from thinkaloud_worlds.tabletop.statler_rules import above, spread_dirt

_CLEAN = ("clean", "cleaned", "wiped", "washed", "disinfected", "sterile", "spotless")
_DIRTY = ("dirty", "dirt", "dirtied", "soiled", "polluted", "contaminated", "stained", "tainted", "muddy", "filthy")
How = Literal["as much as", "more than", "less than"]


class BelievingTable(ExtendedDomain):
    """A table about which the robot has beliefs in addition to what it sees."""

    _believed: WorldState | None = None

    @property
    def believed(self) -> WorldState:
        """Everything the robot believes; at first, what it sees."""
        return self._seen_now(self.observe().state or WorldState()) if self._believed is None else self._believed

    def believe(self, state: WorldState) -> None:
        """Take this as the robot's belief; places still come from what it sees."""
        self._believed = self._settled(self._seen_now(state))

    def take_in(self, state: WorldState, words: str) -> WorldState:
        """The belief after hearing a sentence."""
        return self._settled(self._told(state, words))

    @property
    def twin(self) -> Callable[[], Self] | None:
        """Makes a copy of this world in its present state, with the same beliefs; None if it has no twin."""
        plain, believed = super().twin, self._believed
        return plain if plain is None or believed is None else lambda: plain()._believing(believed)

    def _believing(self, state: WorldState) -> Self:
        self.believe(state)
        return self

    def _seen_now(self, state: WorldState) -> WorldState:
        return WorldState(state.objects, self.world.truth().relations, state.attributes, state.facts)

    def _settled(self, state: WorldState) -> WorldState:
        """The state with everything that follows from it."""
        return spread_dirt(state) if self.world.domain.dirt else state

    def _told(self, state: WorldState, words: str) -> WorldState:
        raise NotImplementedError


class ExtendedDisinfection(BelievingTable):
    """A table with blocks that are dirty or clean, as told or as follows from what touched what."""

    def _told(self, state: WorldState, words: str) -> WorldState:
        return with_dirt_told(state, self.world.blocks, words)

    @relation(says="The {object} is dirty.")
    def dirty(self, object: Annotated[str, Kind("object")]) -> bool:
        """Whether an object is known to be dirty: it was told, or it touched one that is.

        Args:
            object: what may be dirty.
        """
        self._known(object)
        return self.believed.attributes.get(object, {}).get("dirty") is True

    @relation(says="The {object} is clean.")
    def clean(self, object: Annotated[str, Kind("object")]) -> bool:
        """Whether an object is known to be clean: it was told, or it was disinfected.

        Args:
            object: what may be clean.
        """
        self._known(object)
        return self.believed.attributes.get(object, {}).get("clean") is True


class ExtendedWeight(BelievingTable):
    """A table with blocks whose relative weights the robot was told."""

    def _told(self, state: WorldState, words: str) -> WorldState:
        return with_weights_told(state, self.world.blocks, words)

    @relation(says="The {thing} is heavier than the {other}.", distinct=("thing", "other"), derived=True)
    def heavier(self, thing: Annotated[str, Kind("thing")], other: Annotated[str, Kind("thing")]) -> bool:
        """Whether a thing is heavier than another, by what was told; of a bowl, what it holds counts.

        Args:
            thing: what may be heavier.
            other: what it is compared with.
        """
        return KnownWeights.of(self.believed).compare(self._load(thing), self._load(other)) == 1

    @relation(says="The {thing} weighs as much as the {other}.", distinct=("thing", "other"), derived=True)
    def equally_heavy(self, thing: Annotated[str, Kind("thing")], other: Annotated[str, Kind("thing")]) -> bool:
        """Whether two things have the same weight, by what was told; of a bowl, what it holds counts.

        Args:
            thing: the one.
            other: the other.
        """
        return KnownWeights.of(self.believed).equal(self._load(thing), self._load(other))

    @measure(says="how heavy the {thing} is")
    def weight(self, thing: Annotated[str, Kind("thing")]) -> float:
        """How heavy a thing is, in units of the lightest, by what was told; of a bowl, what it holds counts.

        Args:
            thing: what is weighed.
        """
        found = KnownWeights.of(self.believed).total(self._load(thing))
        if found is None:
            raise SkillError(f"I was not told how heavy the {thing} is.")
        return int(found) if found.denominator == 1 else float(found)

    @measure(says="the blocks to add to the {bowl}, so that it weighs {how} the {other}, so many times")
    def blocks_to_add(
        self, bowl: Annotated[str, Kind("thing")], how: How, other: Annotated[str, Kind("thing")], times: float = 1
    ) -> Sequence[Value]:
        """The fewest loose blocks to add to a bowl, so that it weighs so many times another.

        Args:
            bowl: what they are added to.
            how: how its weight compares then.
            other: what it is compared with.
            times: how many times that.
        """
        self._known(bowl)
        self._known(other)
        return blocks_to_add(self.believed, self.world.blocks, bowl, how, other, times)

    def _load(self, thing: str) -> tuple[str, ...]:
        self._known(thing)
        return load_of(self.believed, thing)


def with_dirt_told(state: WorldState, blocks: Sequence[str], words: str) -> WorldState:
    """A state updated with what a sentence says about dirty and clean blocks."""
    known = [name for name, marks in state.attributes.items() if "clean" in marks or "dirty" in marks]
    told = qualities_told(words, blocks, {"clean": _CLEAN, "dirty": _DIRTY}, known)
    for quality, things in told.items():
        state = with_marked(state, things, quality)
    return state


def with_weights_told(state: WorldState, blocks: Sequence[str], words: str) -> WorldState:
    """A state updated with what a sentence says about the blocks' relative weights."""
    for fact in weights_told(words, blocks):
        state = with_fact(state, fact)
    return state


def load_of(state: WorldState, thing: str) -> tuple[str, ...]:
    """What counts when a thing is weighed: for a bowl, everything in it."""
    return above(state, thing) if is_container(thing) else (thing,)


def blocks_to_add(
    state: WorldState, blocks: Sequence[str], bowl: str, how: How, other: str, times: float = 1
) -> tuple[str, ...]:
    """The fewest loose blocks to add to a bowl so that its contents weigh as asked."""
    held = {each for name in state.objects if is_container(name) for each in above(state, name)}
    free = [block for block in blocks if block not in held]
    weights, there, goal = KnownWeights.of(state), load_of(state, bowl), load_of(state, other)
    if how == "less than":
        light = [b for b in free if weights.compare(list(goal) * max(1, round(times)), [*there, b]) == 1]
        found = tuple(light[:1]) or None
    else:
        found = weights.subset(free, there, goal, times, "==" if how == "as much as" else ">")
    if found is None:
        raise SkillError(f"I know of no blocks with which the {bowl} weighs {how} the {other}.")
    return found
