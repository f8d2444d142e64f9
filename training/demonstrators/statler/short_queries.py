"""More questions to the remembered world: all that short programs are made of.

`StateQueries` is what a prompt can show to any model. A model that was trained in this language needs no list of it, so
that here is a word for everything that people ask: the other blocks, the second heaviest, what was in a bowl once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from thinkaloud.errors import SkillError
from thinkaloud.records import WorldState
from thinkaloud.state.edits import TABLE, is_container, is_cover, noun, supports
from thinkaloud.state.move_history import PastMove
from thinkaloud.state.view import StateView
from training.demonstrators.statler.queries import StateQueries, one_or_all
from training.demonstrators.statler.references import Reference

ASKED_SHORTLY = (
    "loose but other others it them there highest lowest most fewest pile tallest every ranked as_heavy heavier_than "
    "lighter_than touching started was_in ever all_moves why"
)
"""The functions that come in addition."""


class ShortQueries(StateQueries):
    """Answers with the present state, the states before it, and what the latest query was about."""

    def __init__(
        self,
        state: Callable[[], WorldState],
        history: Sequence[WorldState] = (),
        kinds: Sequence[str] = (),
        reference: Reference | None = None,
    ) -> None:
        super().__init__(state, history, kinds)
        self._reference = reference or Reference()

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions by name, ready for a sandbox."""
        return super().functions() | {name: getattr(self, name) for name in ASKED_SHORTLY.split()}

    # things -----------------------------------------------------------------------------------------------------------

    def loose(self, is_: Any = None, among: Any = None) -> list[str]:
        """all that can be moved and covers nothing, of any kind"""
        return [thing for thing in self._all_loose() if self._fits(thing, is_, among)]

    def things(self, kind: str, is_: Any = None, among: Any = None) -> list[str]:
        """everything of a kind that is so"""
        return [thing for thing in super().things(kind) if self._fits(thing, is_, among)]

    def but(self, x: Any, xs: Any = None) -> list[str]:
        """the xs without x; if no xs are given, the others of its kind"""
        view = self._now
        left = view.many(x)
        kinds = {noun(each) for each in left}
        given = self.objects() if xs is None else view.many(xs)
        return [each for each in given if each not in left and (xs is not None or noun(each) in kinds)]

    def other(self, x: Any) -> str:
        """the other one of its kind"""
        return self._now.one(self.but(x))

    def others(self) -> list[str]:
        """what was not spoken of, of the same kind as what was"""
        return self.but(self.them())

    def it(self) -> str:
        """what was spoken of last"""
        return self.them()[0]

    def them(self) -> list[str]:
        """all that was spoken of last"""
        if not self._reference.things:
            raise SkillError("Nothing has been spoken of yet.")
        return list(self._reference.things)

    def there(self) -> str:
        """the place that was spoken of last"""
        if not self._reference.place:
            raise SkillError("No place has been spoken of yet.")
        return self._reference.place

    def _all_loose(self) -> list[str]:
        return [thing for thing in self._state().objects if not is_container(thing) and not is_cover(thing)]

    # places -----------------------------------------------------------------------------------------------------------

    def highest(self, xs: Any = None) -> list[str]:
        """those of them that are highest up"""
        return self._extremes(xs, lambda thing: self._now.level(thing))

    def lowest(self, xs: Any = None) -> list[str]:
        """those of them that are lowest"""
        return self._extremes(xs, lambda thing: -self._now.level(thing))

    def most(self, xs: Any) -> list[str]:
        """those of some containers that hold the most things"""
        return self._extremes(xs, lambda thing: len(self._now.inside(thing)))

    def fewest(self, xs: Any) -> list[str]:
        """those of some containers that hold the fewest things"""
        return self._extremes(xs, lambda thing: -len(self._now.inside(thing)))

    def pile(self, x: Any) -> list[str]:
        """the whole stack that it is part of, from below"""
        view = self._now
        low = view.bottom(view.one(x))
        return [low, *view.above(low)]

    def tallest(self) -> list[str]:
        """the things of the tallest stack, from below"""
        piles = {tuple(self.pile(thing)) for thing in self._all_loose()}
        height = max(map(len, piles), default=0)
        best = sorted(pile for pile in piles if len(pile) == height)
        if len(best) > 1 and height == 1:
            raise SkillError("Nothing is stacked.")
        if len(best) > 1:
            there = "; ".join(" and ".join(pile) for pile in best)
            raise SkillError(f"Stacks of {height} are the tallest, and there are several: {there}.")
        return [*best[0]] if best else []

    def touching(self, x: Any) -> list[str]:
        """what it lies on and what lies on it"""
        view = self._now
        thing = view.one(x)
        below = view.supports.get(thing)
        return [*([below] if below and not is_container(below) else []), *view.on(thing)]

    def _extremes(self, xs: Any, rank: Callable[[str], int]) -> list[str]:
        names = self._all_loose() if xs is None else self._now.many(xs)
        best = max(map(rank, names), default=0)
        return [each for each in names if rank(each) == best]

    def every(self, xs: Any, word: Any) -> bool:
        """whether all of them are so, and there are any"""
        names = self._now.many(xs)
        return bool(names) and all(self._fits(each, word) for each in names)

    # weights ----------------------------------------------------------------------------------------------------------

    def heaviest(self, xs: Any, nth: int = 1) -> str | list[str]:
        """the heaviest of several things, or the second, third … heaviest; all of them, where several weigh the same"""
        return super().heaviest(xs) if nth == 1 else self._nth_weight(self.ranked(xs, "heaviest"), nth)

    def lightest(self, xs: Any, nth: int = 1) -> str | list[str]:
        """the lightest of several things, or the second, third … lightest; all of them, where several weigh the same"""
        return super().lightest(xs) if nth == 1 else self._nth_weight(self.ranked(xs), nth)

    def _nth_weight(self, ranked: Sequence[str], nth: int) -> str | list[str]:
        """What comes so many weights after the first; of things that weigh the same none comes before another."""
        alike: list[list[str]] = []
        for each in ranked:
            if alike and self._compared(each, alike[-1][0]) == 0:
                alike[-1].append(each)
            else:
                alike.append([each])
        if not 1 <= nth <= len(alike):
            raise SkillError(f"There are not so many different weights: only {len(alike)}.")
        return one_or_all(alike[nth - 1])

    def ranked(self, xs: Any, first: str = "lightest") -> list[str]:
        """them by weight"""
        found: list[str] = []
        for each in self._contents(self._now, xs):
            at = next((i for i, other in enumerate(found) if self._compared(each, other) < 0), len(found))
            found.insert(at, each)
        return found if first == "lightest" else found[::-1]

    def as_heavy(self, x: Any) -> list[str]:
        """what weighs as much"""
        return self._weighing(x, 0)

    def heavier_than(self, x: Any) -> list[str]:
        """what weighs more"""
        return self._weighing(x, 1)

    def lighter_than(self, x: Any) -> list[str]:
        """what weighs less"""
        return self._weighing(x, -1)

    def lighter_choice(self, target: Any, like: Any) -> list[str]:
        """one thing to add to a container such that it still weighs less than another"""
        view = self._now
        goal, there = self._contents(view, like), self._contents(view, target)
        free = [each for each in self._all_loose() if each not in (*goal, *there)]
        found = [each for each in free if view.weights.compare([*there, each], goal) == -1]
        if not found:
            raise SkillError(f"None of {', '.join(free) or 'the blocks'} is known to weigh that little.")
        return found[:1]

    def _weighing(self, x: Any, sign: int) -> list[str]:
        view = self._now
        what = self._contents(view, x)
        return [each for each in self._all_loose() if each not in what and view.weights.compare([each], what) == sign]

    # past -------------------------------------------------------------------------------------------------------------

    def last_moved(self, nth: int = 1) -> str:
        """what was moved last, or the second, third … to last"""
        return self._nth([move.thing for move in self._some_moves()][::-1], nth)

    def first_moved(self, nth: int = 1) -> str:
        """what was moved first, second, third …"""
        return self._nth([move.thing for move in self._some_moves()], nth)

    def started(self, x: Any) -> str:
        """where it was at the very beginning"""
        thing = self._now.one(x)
        return supports(self._states()[0]).get(thing, TABLE)

    def was_in(self, x: Any) -> list[str]:
        """what is or ever was in (or on) it"""
        place = self._now.one(x)
        then = [supports(state) for state in self._states()]
        return [thing for thing in self._state().objects if any(on.get(thing) == place for on in then)]

    def ever(self, word: Any) -> list[str]:
        """what is or ever was so"""
        return [thing for thing in self._all_loose() if self.was_ever(thing, word)]

    def all_moves(self) -> int:
        """how many moves there were"""
        return len(self._moves())

    def why(self, x: Any) -> str:
        """what made it as it is or brought it where it is"""
        thing = self._now.one(x)
        causes = [
            change.cause for state in self._states() for change in state.changes if change.what.startswith(f"{thing} ")
        ]
        if not causes:
            raise SkillError(f"Nothing has happened to the {thing} so far.")
        return causes[-1].rstrip(".")

    def _moves(self) -> list[PastMove]:
        return [move for move in super()._moves() if move.origin != move.target]

    def _nth(self, things: Sequence[str], nth: int) -> str:
        distinct = list(dict.fromkeys(things))
        if not 1 <= nth <= len(distinct):
            raise SkillError(f"There are not so many: only {len(distinct)}.")
        return distinct[nth - 1]

    def _fits(self, thing: str, *asked: Any) -> bool:
        view: StateView = self._now
        return all(self._is(view, thing, word) for word in asked if word is not None)
