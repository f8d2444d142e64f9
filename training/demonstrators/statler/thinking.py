"""What has to be looked up in a state for a query, as lines of thought: what an expert would write after `# THINK:`.

Each line names the evidence as the state has it, so that the next one, or the answer, follows from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from thinkaloud.plan.programs.program import render_answer
from thinkaloud.records import WorldState
from thinkaloud.state.edits import TABLE, is_container, is_cover, noun
from thinkaloud.state.view import StateView
from training.demonstrators.statler.weighing import Scale

_STANDING = ("outside", "on the table", "stacked", "clear", "covered", "hidden", "empty", "full")
_WEIGHED = ("heavier", "lighter", "same_weight", "ratio", "weight", "total")
_RANKED = ("heaviest", "lightest", "ranked", "as_heavy", "heavier_than", "lighter_than")
_SAID = {
    "last_moved": "last moved", "first_moved": "first moved", "it": "it", "them": "they", "there": "there",
    "others": "others", "moved": "moved", "never_moved": "never moved", "highest": "highest", "lowest": "lowest",
    "most": "most", "fewest": "fewest", "tallest": "tallest stack", "pile": "stack", "heaviest": "heaviest",
    "lightest": "lightest", "ranked": "by weight", "as_heavy": "as heavy", "heavier_than": "heavier",
    "lighter_than": "lighter", "top": "top", "bottom": "bottom",
}  # fmt: skip


class Thoughts:
    """The lines so far, at one table."""

    def __init__(self, state: Callable[[], WorldState]) -> None:
        self._state = state
        self.lines: list[str] = []
        self._bare = ""

    @property
    def _view(self) -> StateView:
        return StateView(self._state())

    @property
    def _scale(self) -> Scale:
        return Scale(self._state())

    def add(self, line: str) -> None:
        """One more line, unless it was thought before."""
        if line not in self.lines:
            self.lines.append(line)

    def listed(self, what: str, things: Iterable[str]) -> None:
        """That certain things are so."""
        self.add(f"{what}: {', '.join(things) or 'none'}")

    def watch(self, name: str, ask: Callable[..., Any]) -> Callable[..., Any]:
        """The question, and what is thought when it is asked."""

        def asked(*given: Any, **named: Any) -> Any:
            answer = ask(*given, **named)
            self._looked_up(name, [*given, *named.values()], answer)
            return answer

        return asked

    def _looked_up(self, name: str, given: Sequence[Any], answer: Any) -> None:
        view = self._view
        things = [each for value in given for each in _names(value) if each in view.state.objects]
        if name in ("on", "inside", "cover", "empty", "was_in") or (
            name == "under" and things and is_container(things[0])
        ):
            for thing in things[:1]:
                self._held(thing)
        elif name in ("under", "where", "container"):
            for thing in things[:1]:
                self._chain(thing) if name == "container" else self.placed(thing)
        elif name in ("is_", "attribute"):
            self._quality(things[0], str(given[1]) if len(given) > 1 else "")
        elif name == "every":
            for thing in things:
                self._quality(thing, str(given[1]))
        elif name in ("higher", "level", "highest", "lowest"):
            for thing in things or [t for t in view.state.objects if not is_container(t) and not is_cover(t)]:
                self._level(thing)
        elif name in ("above", "below", "pile", "top", "bottom", "tallest", "touching"):
            self._places()
        elif name in _WEIGHED or name in _RANKED:
            self._weights(name, given)
        elif name in ("most", "fewest"):
            for thing in things:
                self._held(thing)
        if isinstance(answer, bool) or name in (
            "on",
            "under",
            "where",
            "inside",
            "container",
            "cover",
            "empty",
            "level",
        ):
            return
        if name == "ratio":
            self.add(" / ".join(map(self._amount, given[:2])) + f" = {_exact(answer)}")
        elif name in _SAID:
            nth = next((f" ({n})" for n in given if isinstance(n, int) and n > 1), "")
            self.add(f"{_SAID[name]}{nth}: {render_answer(answer)}")
        elif name in ("other", "but"):
            self.listed(f"all but {', '.join(things)}" if name == "but" else "the other", _names(answer))
        elif isinstance(answer, list) and name not in ("objects", "colours"):
            self._chosen(name, given, answer)
        elif name in ("was", "started"):
            self.add(f"{things[0]} was on {answer}" if things else f"was: {answer}")

    def _chosen(self, name: str, given: Sequence[Any], answer: list[str]) -> None:
        words = [str(word) for word in given if isinstance(word, str) and word not in self._state().objects]
        kind = "" if name in ("loose", "things") else name
        words = words[1:] if name == "things" else words
        if name == "things":
            kind = f"{given[0]}s"
        standing = {word.removeprefix("not ") for word in words} & {*_STANDING}
        boxes = [each for each in self._state().objects if is_container(each) and f"{noun(each)}s" == kind]
        if boxes and standing <= {"empty", "full"}:
            for box in boxes if standing else ():
                self._held(box)
        elif standing:
            self._places()
        self.listed(" ".join([*words, kind]).strip() or "things", answer)
        self._bare = "" if words else self.lines[-1]

    # Lines ------------------------------------------------------------------------------------------------------------

    def placed(self, thing: str) -> None:
        """Where a thing is."""
        self.add(f"{thing} is {_place(self._view.supports.get(thing))}")

    def _held(self, thing: str) -> None:
        view = self._view
        if is_cover(thing):
            self.placed(thing)
        elif is_container(thing):
            self.listed(f"in {thing}", view.inside(thing))
        else:
            self.listed(f"on {thing}", view.on(thing))

    def _places(self) -> None:
        """All that is on or in something."""
        on, objects = self._view.supports, self._state().objects
        self.listed("places", [f"{thing} {_place(on[thing])}" for thing in objects if thing in on])

    def _chain(self, thing: str) -> None:
        self.add(" ".join([thing, *(_place(each) for each in self._view.below(thing))]))

    def _level(self, thing: str) -> None:
        view = self._view
        chain = [_place(each) for each in view.below(thing)] or [_place(None)]
        self.add(f"{thing} {' '.join(chain)}: level {view.level(thing)}")

    def _quality(self, thing: str, word: str) -> None:
        view = self._view
        if word.removeprefix("not ") in _STANDING:
            self._held(thing) if word in ("empty", "full", "clear", "covered", "hidden") else self._chain_or_table(
                thing
            )
        else:
            self.add(f"{thing}: {', '.join(view.words(thing)) or 'not known'}")

    def _chain_or_table(self, thing: str) -> None:
        if self._view.below(thing):
            self._chain(thing)
        else:
            self.placed(thing)

    # Weights ----------------------------------------------------------------------------------------------------------

    def _weights(self, name: str, given: Sequence[Any]) -> None:
        view = self._view
        if self._bare in self.lines:  # they are all in the next line
            self.lines.remove(self._bare)
        groups = [self._weighed(value) for value in given if _names(value)]
        loose = [each for each in view.state.objects if not is_container(each) and not is_cover(each)]
        self._worked_out([each for group in groups for each in group] or loose)
        for value in given:
            for box in _names(value):
                if is_container(box) and box in view.state.objects:
                    self.add(self._sum(box))
        compared = [each for value in given for each in _names(value) if each in loose]
        weights = {each: weight for each in compared if (weight := self._scale.value(each)) is not None}
        if name == "weight" and weights:
            self._in_units(next(iter(weights)))
        if len(weights) > 1 and name in ("heaviest", "lightest", "ranked", "heavier", "lighter", "same_weight"):
            order = sorted(weights, key=lambda each: weights[each], reverse=name in ("heaviest", "heavier"))
            self.listed("by weight", [f"{each} {weights[each]}" for each in order])

    def _in_units(self, thing: str) -> None:
        """A weight as it is told where nobody named a number: in units of the lightest of its family."""
        view, weight = self._view, self._scale.value(thing)
        told = view.weights.value(thing)
        if weight is not None and told is not None and weight != told:
            self.add(f"the lightest weighs {weight / told}, {weight} / {weight / told} = {told}")

    def _amount(self, value: Any) -> str:
        names = _names(value)
        total = self._scale.total(self._weighed(value))
        return f"{names[0] if len(names) == 1 else 'all'} {total}" if names and total is not None else "?"

    def _weighed(self, value: Any) -> list[str]:
        names = [name for name in _names(value) if name in self._state().objects]
        return [each for name in names for each in (self._view.inside(name) if is_container(name) else [name])]

    def _worked_out(self, things: Sequence[str]) -> None:
        if line := self._scale.worked_out(things):
            self.add(f"weights: {line}")

    def _sum(self, box: str) -> str:
        view = self._view
        parts = [(each, self._scale.value(each)) for each in view.inside(box)]
        if not parts:
            return f"in {box}: 0"
        terms = " + ".join(f"{each} {'?' if weight is None else weight}" for each, weight in parts)
        total = self._scale.total([each for each, _ in parts])
        return f"in {box}: {terms}" + (f" = {total}" if total is not None and len(parts) > 1 else "")

    def matched(self, target: Any, like: Any, times: Any, found: Sequence[str]) -> None:
        """What is missing in a container, and what makes it up."""
        view = self._view
        box, other = view.one(target), view.one(like)
        here, there = (self._weighed(each) for each in (box, other))
        self._worked_out([*here, *there, *(t for t in view.state.objects if not is_container(t))])
        total, has = self._scale.total(there), self._scale.total(here)
        if total is None or has is None:
            return
        goal = total if times in ("<", ">") else total * Fraction(str(times)).limit_denominator(100)
        wanted = f"{times} * {total} = {goal}" if goal != total else f"{goal}"
        wanted = {"<": f"less than {total}", ">": f"more than {total}"}.get(str(times), wanted)
        missing = f"; missing: {goal - has}" if times not in ("<", ">") and has else ""
        self.add(f"{self._sum(other)}; {self._sum(box)}; wanted: {wanted}{missing}")
        free = [each for each in view.state.objects if not is_container(each) and each not in (*here, *there)]
        self.listed("free", [f"{each} {weight}" for each in free if (weight := self._scale.value(each)) is not None])
        terms = [(each, self._scale.value(each)) for each in found]
        if terms and all(weight is not None for _, weight in terms):
            made = " + ".join(f"{each} {weight}" for each, weight in terms)
            total = sum((weight for _, weight in terms if weight is not None), Fraction(0))
            self.add(f"{made} = {total}")


def _names(value: Any) -> list[str]:
    several = value if isinstance(value, list | tuple) else [value]
    return [each for each in several if isinstance(each, str)]


def _exact(value: Any) -> str:
    """A number as a fraction of small numbers."""
    return str(Fraction(value).limit_denominator(100)) if isinstance(value, float | int) else str(value)


def _place(support: str | None) -> str:
    if support is None:
        return f"on the {TABLE}"
    return f"{'in' if is_container(support) else 'on'} {support}"
