"""The questions that model-written code may ask of the remembered world.

Every public method of `StateQueries` that is listed in `ASKED` is such a function, and there is one for each of the
kinds that programs ask for by name: `blocks()`, `bowls()`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from thinkaloud.errors import SkillError
from thinkaloud.records import WorldState
from thinkaloud.state.edits import OPPOSITES, TABLE, is_container, is_cover
from thinkaloud.state.move_history import PastMove, find_moves
from thinkaloud.state.view import StateView

ASKED = {
    "things": "objects things colour colours",
    "places": "on under inside above below top bottom container cover where level higher",
    "qualities": "is_ attribute empty",
    "weights": "weight total heavier lighter same_weight heaviest lightest ratio balance",
    "past": "moved last_moved first_moved moves was never_moved was_ever",
}
"""The functions, by what they are about; those for kinds of things come in addition, see `Lesson.kinds`."""


class StateQueries:
    """Reads the state as it is at the moment of asking, and what came before it."""

    def __init__(
        self, state: Callable[[], WorldState], history: Sequence[WorldState] = (), kinds: Sequence[str] = ()
    ) -> None:
        self._state, self._history, self._kinds = state, history, kinds

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions by name, ready for a sandbox."""
        found = {name: getattr(self, name) for group in ASKED.values() for name in group.split()}
        return found | {f"{kind}s": partial(self._such, kind) for kind in self._kinds}

    @property
    def _now(self) -> StateView:
        return StateView(self._state())

    # things -----------------------------------------------------------------------------------------------------------

    def objects(self) -> list[str]:
        """everything there is"""
        return list(self._now.state.objects)

    def things(self, kind: str) -> list[str]:
        """everything of a kind, such as "block" """
        return self._now.of_kind(kind)

    def colour(self, x: Any) -> str:
        """its colour"""
        view = self._now
        return view.colour(view.one(x))

    def colours(self, xs: Any) -> list[str]:
        """their colours"""
        view = self._now
        return list(dict.fromkeys(filter(None, map(view.colour, view.many(xs)))))

    def _such(self, kind: str, is_: str | None = None, colour: str | None = None) -> list[str]:
        """those of a kind that are so: dirty, clean, empty, covered, stacked, on the table, hidden, not …"""
        view = self._now
        asked = [word for word in (is_, colour) if word is not None and word != ""]
        return [thing for thing in view.of_kind(kind) if all(self._is(view, thing, word) for word in asked)]

    def _is(self, view: StateView, thing: str, what: Any) -> bool:
        """Whether a word is true of a thing, or whether it is one of several things."""
        return thing in view.many(what) if isinstance(what, (list, tuple)) else view.holds(thing, what)

    # places -----------------------------------------------------------------------------------------------------------

    def on(self, x: Any) -> list[str]:
        """what is directly on it, in it or over it"""
        view = self._now
        return view.on(view.one(x, ground=True))

    def under(self, x: Any) -> str:
        """what it is directly on or in, or "table" """
        view = self._now
        return view.supports.get(view.one(x), TABLE)

    def inside(self, x: Any) -> list[str]:
        """everything in a container, stacks included"""
        view = self._now
        return view.inside(view.one(x, ground=True))

    def above(self, x: Any) -> list[str]:
        """everything above it, nearest first"""
        view = self._now
        return view.above(view.one(x))

    def below(self, x: Any) -> list[str]:
        """everything below it, nearest first"""
        view = self._now
        return view.below(view.one(x))

    def top(self, x: Any) -> str:
        """the topmost thing of its stack"""
        view = self._now
        return view.top(view.one(x))

    def bottom(self, x: Any) -> str:
        """the lowest thing of its stack"""
        view = self._now
        return view.bottom(view.one(x))

    def container(self, x: Any) -> str | None:
        """the container it is in, or None"""
        view = self._now
        return view.container(view.one(x))

    def cover(self, x: Any) -> str | None:
        """the cup over it, or None"""
        view = self._now
        return view.cover(view.one(x))

    def where(self, x: Any) -> str:
        """where it is, in words"""
        view = self._now
        return view.where(view.one(x))

    def level(self, x: Any) -> int:
        """how many things of its stack are below it"""
        view = self._now
        return view.level(view.one(x))

    def higher(self, a: Any, b: Any) -> bool:
        """whether a is in a higher position than b"""
        return self.level(a) > self.level(b)

    # qualities --------------------------------------------------------------------------------------------------------

    def is_(self, x: Any, word: str) -> bool:
        """whether it is so: a word as in blocks(is_=word)"""
        view = self._now
        return view.holds(view.one(x), word)

    def attribute(self, x: Any) -> str:
        """what it is like: dirty, clean, unknown"""
        view = self._now
        words = view.words(view.one(x))
        return next((word for word in words if word in OPPOSITES), next(iter(words), "unknown"))

    def empty(self, x: Any) -> bool:
        """whether nothing is in or on it"""
        view = self._now
        return view.empty(view.one(x))

    # weights ----------------------------------------------------------------------------------------------------------

    def weight(self, x: Any) -> int | float:
        """its weight, as a number"""
        view = self._now
        thing = view.one(x)
        return _number(view.weights.value(thing), f"How much the {thing} weighs is not known.")

    def total(self, xs: Any) -> int | float:
        """the weight of several things, or of what is in a container"""
        view = self._now
        names = self._contents(view, xs)
        return _number(view.weights.total(names), f"What these weigh together is not known: {', '.join(names)}.")

    def heavier(self, a: Any, b: Any) -> bool:
        """whether a weighs more than b"""
        return self._compared(a, b) > 0

    def lighter(self, a: Any, b: Any) -> bool:
        """whether a weighs less than b"""
        return self._compared(a, b) < 0

    def same_weight(self, a: Any, b: Any) -> bool:
        """whether a and b weigh the same"""
        return self._compared(a, b) == 0

    def heaviest(self, xs: Any) -> str | list[str]:
        """the heaviest of several things; all of them, where several weigh the same"""
        return self._extreme(xs, 1)

    def lightest(self, xs: Any) -> str | list[str]:
        """the lightest of several things; all of them, where several weigh the same"""
        return self._extreme(xs, -1)

    def ratio(self, a: Any, b: Any) -> int | float:
        """how many times b's weight a has"""
        view = self._now
        first, second = self._contents(view, a), self._contents(view, b)
        why = f"How the weights of {' and '.join(first)} and of {' and '.join(second)} compare is not known."
        return _number(view.weights.ratio(first, second), why)

    def balance(self, target: Any, like: Any, times: Any = 1, more: bool = False, among: Any = None) -> list[str]:
        """the things to add to target until it weighs `times` what like weighs (or more)"""
        view = self._now
        goal = self._contents(view, like)
        there = self._contents(view, target)
        loose = [kind for kind in self._kinds if not is_container(kind) and not is_cover(kind)]
        free = [each for kind in loose for each in view.of_kind(kind) if each not in (*goal, *there)]
        candidates = free if among is None else [each for each in view.many(among) if each not in there]
        found = view.weights.subset(candidates, there, goal, _times(times), ">" if more else "==")
        if found is None:
            raise SkillError(f"No choice of {', '.join(candidates) or 'things'} is known to weigh that much.")
        return list(found)

    def _contents(self, view: StateView, xs: Any) -> list[str]:
        """What is weighed: what is in a container, or things themselves."""
        names = view.many(xs)
        return view.inside(names[0]) if len(names) == 1 and is_container(names[0]) else names

    def _compared(self, a: Any, b: Any) -> int:
        view = self._now
        first, second = self._contents(view, a), self._contents(view, b)
        sign = view.weights.compare(first, second)
        if sign is None:
            raise SkillError(f"Whether {' and '.join(first)} or {' and '.join(second)} is heavier is not known.")
        return sign

    def _extreme(self, xs: Any, sign: int) -> str | list[str]:
        names = self._contents(self._now, xs)
        if not names:
            raise SkillError("The heaviest or lightest of no things at all cannot be told.")
        best = names[:1]
        for each in names[1:]:
            compared = self._compared(each, best[0])
            best = [each] if compared == sign else [*best, each] if compared == 0 else best
        return one_or_all(best)

    # past -------------------------------------------------------------------------------------------------------------

    def moved(self) -> list[str]:
        """everything that was ever moved, in the order of first moves"""
        return list(dict.fromkeys(move.thing for move in self._moves()))

    def last_moved(self) -> str:
        """what was moved last"""
        return self._some_moves()[-1].thing

    def first_moved(self) -> str:
        """what was moved first"""
        return self._some_moves()[0].thing

    def moves(self, x: Any) -> int:
        """how often it was moved"""
        return len(self._moves_of(x))

    def was(self, x: Any) -> str:
        """where it was before its latest move: a name or "table" """
        found = self._moves_of(x)
        if not found:
            raise SkillError(f"The {self._now.one(x)} has not been moved.")
        return found[-1].origin

    def never_moved(self) -> list[str]:
        """the loose things that were never moved"""
        moved = self.moved()
        return [each for each in self._now.state.objects if each not in moved and not is_container(each)]

    def was_ever(self, x: Any, word: str) -> bool:
        """whether it is or ever was so: a word as in is_(x, word)"""
        thing = self._now.one(x)
        return any(StateView(state).holds(thing, word) for state in self._states() if thing in state.objects)

    def _states(self) -> list[WorldState]:
        now, earlier = self._state(), list(self._history)
        return earlier if earlier and earlier[-1] == now else [*earlier, now]

    def _moves(self) -> list[PastMove]:
        return find_moves(self._states())

    def _some_moves(self) -> list[PastMove]:
        found = self._moves()
        if not found:
            raise SkillError("Nothing has been moved yet.")
        return found

    def _moves_of(self, x: Any) -> list[PastMove]:
        thing = self._now.one(x)
        return [move for move in self._moves() if move.thing == thing]


def _number(value: Fraction | None, otherwise: str) -> int | float:
    if value is None:
        raise SkillError(otherwise)
    return int(value) if value.denominator == 1 else float(value)


def _times(times: Any) -> Fraction:
    if isinstance(times, bool) or not isinstance(times, (int, float)) or not 0 < times < 1e6:
        raise SkillError(f"{times!r:.40} is no number of times.")
    return Fraction(times).limit_denominator(1000)


def one_or_all(things: list[str]) -> str | list[str]:
    """What is singled out: one thing, or all of them in a tie."""
    return things[0] if len(things) == 1 else things


def render_query_functions(kinds: Sequence[str]) -> list[str]:
    """How each function is called; what covers things is not told apart by its colour."""
    of_kinds = [f"{kind}s(is_=None{'' if is_cover(kind) else ', colour=None'})" for kind in kinds]
    first, *others = (name for group in ASKED.values() for name in group.split())
    return [f"{first}()", *of_kinds, *(f"{name}({_parameters(getattr(StateQueries, name))})" for name in others)]


def _parameters(function: Callable[..., Any]) -> str:
    given = list(inspect.signature(function).parameters.values())[1:]
    return ", ".join(p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in given)
