"""What a program is run against: the robot as it is just now, how things were, and what has happened so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from thinkaloud.guidelines.orders import Orders
from thinkaloud.program.earlier_numbers import find_earlier_numbers
from thinkaloud.program.heard import Earlier
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.records import Observation, Rule, StandingRule, Step, WorldState
from thinkaloud.saying.answering import Phrases
from thinkaloud.worlds.contract import World


@dataclass(frozen=True)
class PastDeed:
    """A step that was carried out, or was to be: when, whether it worked, and why it was done or not, as sentences."""

    step: Step
    time: datetime | None
    worked: bool
    reasons: tuple[str, ...]
    waits: bool = False
    """Whether a person was asked to agree to it, and has not said yes or no."""


@dataclass(frozen=True)
class Story:
    """What can be told about the robot's own doings, as sentences.

    `deeds` finds all of them, the oldest first: after a week that takes seconds, and few requests ask for it.
    """

    done: tuple[str, ...] = ()
    todo: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    deeds: Callable[[], Sequence[PastDeed]] = tuple


@dataclass(frozen=True)
class Undone:
    """How things will be once the latest deeds are taken back: the state before them, and what they were done with."""

    before: WorldState | None
    handled: frozenset[str]


@dataclass(frozen=True)
class Circumstances:
    """What a program is run against: the robot as it is, what was so before, and what has happened."""

    world: World
    scene: Observation
    lexicon: Lexicon
    past: Mapping[str, WorldState | None] = field(default_factory=dict)
    """The states that `before` and `at_start` stand for; None where nothing is known of then."""
    story: Story = Story()
    undone: Sequence[Undone] = ()
    """What comes of taking back the latest request, the latest two, and so on."""
    request: str = ""
    """What was said, where that matters: in another language nouns are not those of the robot."""
    orders: Orders | None = None
    mentioned: tuple[tuple[str, ...], ...] = ()
    """The things that earlier requests were about, the latest request first: what `it()` may mean."""
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What the model knows of words that no name explains: which of the things here they may name."""
    earlier: tuple[str, ...] = ()
    """What was said and answered before, and the programs that it meant: numbers may come from there."""
    rules: tuple[Rule, ...] = ()
    """What people said must not be done, or may be done again, the oldest first."""
    standing: tuple[StandingRule, ...] = ()
    """What waits for a condition or a time, the oldest first."""
    now: datetime = field(default_factory=datetime.now)
    passed_over: frozenset[str] = frozenset()
    """What is taken last where any of several will do: with these, all is so already."""
    words: str = ""
    """All that was said for this: the request, and the answers to questions about it."""
    picked: bool = False
    """Whether a person chose this very program among those that the robot offered."""
    offers: bool = False
    """Whether a person is asked which thing they mean where nothing fits: all that could be looked at was."""
    goes_on: bool = True
    """Whether the robot keeps watching after this request: what waits can only be promised then."""

    @cached_property
    def earlier_numbers(self) -> Earlier:
        """The numbers of what was said and done before: every reading of a request is held against them."""
        return find_earlier_numbers(self.earlier, self.lexicon, standing=bool(self.standing))

    @cached_property
    def phrases(self) -> Phrases:
        """The words for programs of this robot."""
        return Phrases(self.lexicon, self.world.relations)
