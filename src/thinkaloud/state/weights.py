"""What is known about weights: facts in words, read as exact linear equations over positive weights.

Every weight becomes a linear form over the weights that are still free. The empty name in a form stands for the number
one, so that a weight given as a number fits in. Comparisons are proved, never guessed: if something does not follow
from the facts, the result is None.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from thinkaloud.records import WorldState
from thinkaloud.state.linear_constraints import LinearForm, add, is_possible, minus, scaled

_Number = int | float | Fraction
ONE = ""

_FACTOR = r"\d{1,9}(?:/\d{1,9}|\.\d{1,6})?"
_COMPARED = re.compile(r"(more than|less than|>|<) ?(.+)")
_TERM = re.compile(rf"({_FACTOR}) ?\* ?(.+)")


@dataclass(frozen=True)
class WeightFact:
    """One parsed fact about a weight: `thing` equals, exceeds or is less than a form."""

    thing: str
    sign: Literal["=", ">", "<"]
    form: Mapping[str, Fraction]

    def text(self) -> str:
        """Return the canonical words of this fact after `weighs`."""
        if self.sign != "=":
            return f"{'more' if self.sign == '>' else 'less'} than {next(iter(self.form))}"
        return " + ".join(f"{factor} * {name}" if name else str(factor) for name, factor in self.form.items())

    def fact(self) -> str:
        """Return the canonical fact."""
        return f"{self.thing} weighs {self.text()}"


def exact(number: _Number) -> Fraction:
    """Return the number exactly as it is written: 0.1 is a tenth."""
    return Fraction(number) if isinstance(number, (int, Fraction)) else Fraction(str(number))


def weight_fact(thing: str, factor: _Number, others: str | Sequence[str] = ()) -> str:
    """Return the canonical text: a thing weighs a multiple of each of the others, or a number."""
    names = (others,) if isinstance(others, str) else tuple(others)
    form = dict.fromkeys(names or (ONE,), exact(factor))
    return WeightFact(thing, "=", form).fact()


def comparison_fact(thing: str, how: Literal["more", "less"], other: str) -> str:
    """Return the canonical text for heavier (`more`) and lighter (`less`)."""
    return f"{thing} weighs {how} than {other}"


def read_weight(thing: str, text: str, names: Iterable[str]) -> WeightFact | None:
    """Parse what a text says about a thing's weight, after `weighs` or in a state's short form (`> blue block`)."""
    known = set(names)
    if found := _COMPARED.fullmatch(text):
        sign: Literal[">", "<"] = ">" if found[1] in (">", "more than") else "<"
        return WeightFact(thing, sign, {found[2]: Fraction(1)}) if found[2] in known else None
    form: LinearForm = {}
    for part in text.split(" + "):
        factor, name = found.groups() if (found := _TERM.fullmatch(part)) else ("1", part)
        if re.fullmatch(_FACTOR, part):
            factor, name = part, ONE
        elif name not in known:
            return None
        if not _value(factor):
            return None
        add(form, {name: _value(factor)})
    return WeightFact(thing, "=", form)


def _value(factor: str) -> Fraction:
    over, _, under = factor.partition("/")
    return Fraction(over) / int(under) if under and int(under) else Fraction(0) if under else Fraction(over)


def read_weight_fact(text: str, names: Iterable[str]) -> WeightFact | None:
    """Parse a canonical fact about a weight; None for any other text, and for one with an unknown name."""
    known = tuple(names)
    thing, verb, rest = text.partition(" weighs ")
    return read_weight(thing, rest, known) if verb and thing in known else None


@dataclass
class KnownWeights:
    """Everything known about the weights in one state."""

    things: tuple[str, ...]
    forms: dict[str, LinearForm] = field(default_factory=dict)
    above: list[LinearForm] = field(default_factory=list)
    """Forms that are above zero, in addition to the weights themselves."""
    told: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    """Why the facts cannot all be true; empty if they can. A fact that does not fit is left out."""

    @classmethod
    def of(cls, state: WorldState) -> KnownWeights:
        """Read the weights of a state from its facts and from numbers among its attributes."""
        weights = cls(state.objects)
        said = [known for each in state.facts if (known := read_weight_fact(each, state.objects))]
        for thing in state.objects:
            number = state.attributes.get(thing, {}).get("weight")
            if isinstance(number, (int, float)) and not isinstance(number, bool) and math.isfinite(number):
                said.insert(0, WeightFact(thing, "=", {ONE: exact(number)}))
        for each in said:
            if each.sign == "=":
                weights._equate(each)
        for each in said:
            if each.sign != "=":
                weights._bound(each)
        return weights

    def form(self, things: str | Iterable[str]) -> LinearForm:
        """Return the total weight of things as a form over the free weights."""
        total: LinearForm = {}
        for thing in (things,) if isinstance(things, str) else things:
            add(total, self.forms.get(thing, {thing: Fraction(1)}))
        return total

    def equal(self, a: str | Iterable[str], b: str | Iterable[str], times: _Number = 1) -> bool:
        """Whether a is known to weigh exactly this many times b."""
        return not minus(self.form(a), self.form(b), exact(times))

    def compare(self, a: str | Iterable[str], b: str | Iterable[str]) -> int | None:
        """Return 1 if a is heavier, -1 if it is lighter, 0 if they weigh the same, None if that is unknown."""
        difference = minus(self.form(a), self.form(b))
        if not difference:
            return 0
        if self._positive(difference):
            return 1
        return -1 if self._positive(minus({}, difference)) else None

    def ratio(self, a: str | Iterable[str], b: str | Iterable[str]) -> Fraction | None:
        """Return how many times b's weight a has."""
        over, under = self.form(a), self.form(b)
        if not under:
            return None
        name = next(iter(under))
        times = over.get(name, Fraction(0)) / under[name]
        return times if not minus(over, under, times) else None

    def value(self, thing: str) -> Fraction | None:
        """Return its weight: the given number, or else in units of the lightest thing that it is compared with."""
        return self.total((thing,))

    def total(self, things: Iterable[str]) -> Fraction | None:
        """Return the total weight of all of them, in the unit of `value`; None if that is unknown."""
        names = tuple(things)
        form = self.form(names)
        if not form:
            return Fraction(0)
        if len(form) > 1 or not self.told.issuperset(names):
            return None
        ((free, factor),) = form.items()
        return factor if free == ONE else self._over_lightest(free, factor)

    def _over_lightest(self, free: str, factor: Fraction) -> Fraction | None:
        family = [form for form in map(self.form, sorted(self.told)) if free in form]
        return factor / min(form[free] for form in family) if all(len(form) == 1 for form in family) else None

    def subset(
        self,
        candidates: Sequence[str],
        base: Iterable[str],
        goal: Iterable[str],
        times: _Number = 1,
        how: Literal["==", ">", ">="] = "==",
    ) -> tuple[str, ...] | None:
        """Return the fewest candidates, the first in order, that weigh with `base` as much as (more than) the goal.

        None if no choice is known to do so.
        """
        wanted = minus(scaled(self.form(goal), exact(times)), self.form(base))
        forms = [self.form(each) for each in candidates]
        names = sorted({*wanted, *(name for form in forms for name in form)})
        columns = [tuple(form.get(name, Fraction(0)) for name in names) for form in forms]
        target = tuple(wanted.get(name, Fraction(0)) for name in names)
        layer: dict[tuple[tuple[Fraction, ...], int], tuple[int, ...]] = {(tuple(Fraction(0) for _ in names), -1): ()}
        while layer:  # skip sums that were reached before with the same choices left
            following: dict[tuple[tuple[Fraction, ...], int], tuple[int, ...]] = {}
            for (total, last), chosen in layer.items():
                if self._reaches(names, total, target, how):
                    return tuple(candidates[index] for index in chosen)
                for index in range(last + 1, len(columns)):
                    if how == "==" and not _fits(total, columns[index], target, self._plain):
                        continue
                    key = (tuple(map(sum, zip(total, columns[index], strict=True))), index)
                    following.setdefault(key, (*chosen, index))  # type: ignore[arg-type]
            layer = following
        return None

    @property
    def _plain(self) -> bool:
        """Whether every form is a sum, so that exactly the forms without negative parts are known to be positive."""
        return not self.above and all(form and min(form.values()) > 0 for form in self.forms.values())

    def _reaches(self, names: list[str], total: tuple[Fraction, ...], target: tuple[Fraction, ...], how: str) -> bool:
        if total == target:
            return how != ">"
        gap = {n: a - b for n, a, b in zip(names, total, target, strict=True) if a != b}
        return how != "==" and self._positive(gap)

    def _positive(self, form: LinearForm) -> bool:
        """Whether it follows from what is known that a form is above zero."""
        if all(factor > 0 for factor in form.values()):
            return bool(form)
        if self._plain or all(factor < 0 for factor in form.values()):
            return False
        return not is_possible([*self._above(), (minus({}, form), False)])

    def _above(self) -> list[tuple[LinearForm, bool]]:
        free = [ONE, *(thing for thing in self.things if thing not in self.forms)]
        return [({name: Fraction(1)}, True) for name in free] + [
            (form, True) for form in [*self.forms.values(), *self.above]
        ]

    def _equate(self, said: WeightFact) -> None:
        rest = minus(self.form(said.thing), self._substituted(said.form))
        if not rest:
            self.told |= {said.thing, *said.form} - {ONE}
            return
        pivot = _pivot(rest)
        if pivot == ONE:
            self.problems.append(f"'{said.fact()}' does not fit with the other weights.")
            return
        solved = scaled({name: factor for name, factor in rest.items() if name != pivot}, -1 / rest[pivot])
        kept = dict(self.forms)
        for thing, form in self.forms.items():
            if pivot in form:
                others = {name: factor for name, factor in form.items() if name != pivot}
                self.forms[thing] = add(others, scaled(solved, form[pivot]))
        self.forms[pivot] = solved
        if not self._plain and not is_possible(self._above()):
            self.forms = kept
            self.problems.append(f"'{said.fact()}' would leave a weight that is not above zero.")
            return
        self.told |= {said.thing, *said.form} - {ONE}

    def _bound(self, said: WeightFact) -> None:
        gap = minus(self.form(said.thing), self._substituted(said.form))
        gap = gap if said.sign == ">" else minus({}, gap)
        if not is_possible([*self._above(), (gap, True)]):
            self.problems.append(f"'{said.fact()}' does not fit with the other weights.")
            return
        self.above.append(gap)

    def _substituted(self, form: Mapping[str, Fraction]) -> LinearForm:
        total: LinearForm = {}
        for name, factor in form.items():
            add(total, scaled(self.forms.get(name, {name: Fraction(1)}), factor))
        return total


def _pivot(form: LinearForm) -> str:
    """Choose the name to solve for: preferably one that becomes a sum."""
    names = [name for name in form if name != ONE] or [ONE]
    sums = (p for p in names if all(name == p or form[name] * form[p] < 0 for name in form))
    return next(sums, names[0])


def _fits(total: tuple[Fraction, ...], column: tuple[Fraction, ...], target: tuple[Fraction, ...], plain: bool) -> bool:
    """Whether one more thing does not yet exceed the goal; unknown if a form may shrink."""
    return not plain or all(a + b <= c for a, b, c in zip(total, column, target, strict=True))
