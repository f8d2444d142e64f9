"""An episode in the making: the true state so far, and what every kind of query needs to know of it.

Gold is never written by hand: moves go through the rules of the domain, answers are read off the state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.records import WorldState
from thinkaloud.state.edits import TABLE, is_container, is_cover, noun, supports
from thinkaloud_bench.statler.episodes import Happening, PutMove, Query, QueryGoal
from thinkaloud_bench.statler.generating.wording import QueryWording
from thinkaloud_bench.statler.replaying import carried_out
from thinkaloud_worlds.tabletop.statler_rules import Domain, above, after_put, must_go_first

Intent = Callable[["QueryDraft"], Query | None]
"""Adds nothing to the draft: a query that is possible now, or None."""


@dataclass
class QueryDraft:
    """What has been said and done so far, and what is true now.

    `last` are the things that the latest query moved, as far as nothing was said in between that changes the world.
    `closed` says that the next state depends on which of several right moves were made: nothing may follow. `kinds`
    are the kinds of queries so far.
    """

    domain: Domain
    state: WorldState
    rng: random.Random
    words: QueryWording
    queries: list[Query] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    last: tuple[str, ...] = ()
    closed: bool = False
    kinds: list[str] = field(default_factory=list)

    # What there is

    @property
    def blocks(self) -> list[str]:
        """What is neither container nor cover."""
        return [name for name in self.state.objects if not is_container(name) and not is_cover(name)]

    @property
    def bowls(self) -> list[str]:
        """The bowls; a disinfector is none."""
        return [name for name in self.state.objects if noun(name) == "bowl"]

    @property
    def cups(self) -> list[str]:
        """The cups."""
        return [name for name in self.state.objects if is_cover(name)]

    @property
    def boxes(self) -> list[str]:
        """Bowls and the disinfector."""
        return [name for name in self.state.objects if is_container(name)]

    # Where things are

    def under(self, thing: str) -> str | None:
        """What a thing is on, or None for the table."""
        return supports(self.state).get(thing)

    def on(self, thing: str) -> list[str]:
        """What is directly on (in) a thing."""
        return [name for name, support in supports(self.state).items() if support == thing]

    def clear(self, thing: str) -> bool:
        """Whether nothing is on it."""
        return not self.on(thing)

    def inside(self, box: str) -> tuple[str, ...]:
        """All that is in a container, also what stands on what is in it."""
        return above(self.state, box)

    def base(self, thing: str) -> str:
        """What the stack of a thing stands in, or the table."""
        found: str | None = thing
        while found is not None and not is_container(found):
            found = self.under(found)
        return found or TABLE

    def depth(self, thing: str) -> int:
        """How many blocks are under a thing."""
        below = self.under(thing)
        return 0 if below is None or is_container(below) else 1 + self.depth(below)

    def stacked(self, thing: str) -> bool:
        """Whether it touches another block above or below it."""
        below = self.under(thing)
        return not self.clear(thing) or (below is not None and not is_container(below))

    def flat(self, things: Iterable[str]) -> bool:
        """Whether none of them has anything on it or stands on a block."""
        return not any(self.stacked(thing) for thing in things)

    def outside(self) -> list[str]:
        """The blocks that are in no container."""
        return [block for block in self.blocks if self.base(block) == TABLE]

    def top_first(self, things: Iterable[str]) -> list[str]:
        """Those higher up in stacks before those under them, otherwise in the order of the state."""
        names = set(things)
        return sorted((name for name in self.state.objects if name in names), key=lambda name: -self.depth(name))

    def is_(self, thing: str, word: str) -> bool:
        """Whether a word is true of a thing."""
        return self.state.attributes.get(thing, {}).get(word) is True

    # Choosing

    def one(self, things: Sequence[str]) -> str | None:
        """Any of them, or None if there is none."""
        return self.rng.choice(list(things)) if things else None

    def chance(self, share: float) -> bool:
        """True that often."""
        return self.rng.random() < share

    def some(self, things: Sequence[str], least: int = 1, most: int = 3) -> list[str]:
        """A few of them, in any order; none if there are not enough."""
        if len(things) < least:
            return []
        return self.rng.sample(list(things), self.rng.randint(least, min(most, len(things))))

    # Queries

    def does(
        self,
        text: str,
        moves: Sequence[PutMove],
        *,
        temporal: bool,
        accept: Sequence[Sequence[PutMove]] = (),
        goal: QueryGoal | None = None,
    ) -> Query | None:
        """A query that moves things; those that have to go first do. None if nothing were to be moved."""
        gold: list[PutMove] = []
        state = self.state
        for thing, target in moves:
            for move in (*must_go_first(self.domain, state, thing, target), (thing, target)):
                gold.append(move)
                state = after_put(self.domain, state, *move)
        if not gold:
            return None
        others = tuple(tuple(each) for each in accept if sorted(each) != sorted(gold))
        return Query(text, tuple(gold), None, temporal or len(gold) > len(moves), others, goal=goal)

    def group(self, text: str, things: Iterable[str], target: str, *, temporal: bool) -> Query | None:
        """A query that puts all of a group somewhere; those that are there already may be moved again or not."""
        names = self.top_first(things)
        away = [name for name in names if (self.under(name) or TABLE) != target]
        if not away:
            return None
        there = [name for name in names if name not in away]
        full = [(name, target) for name in names]
        return self.does(text, [(name, target) for name in away], temporal=temporal, accept=[full] if there else [])

    def asks(self, text: str, say: str, *, temporal: bool = True) -> Query:
        """A query that wants an answer."""
        return Query(text, (), say, temporal)

    def tells(self, text: str, happens: Happening | None = None) -> Query:
        """A query that only says something."""
        return Query(text, (), None, False, happens=happens)

    def add(self, query: Query) -> None:
        """Let a query be next, with all that it brings about."""
        if not self.queries:  # nothing to remember yet
            query = replace(query, temporal=False)
        self.queries.append(query)
        self.state = carried_out(self.domain, self.state, query)
        if query.happens is not None or query.actions:
            self.last = tuple(thing for thing, _ in query.actions)
        self.closed = self.closed or query.goal is not None
