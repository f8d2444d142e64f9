"""Weights that were told in terms of each other, worked out one after another: `pink block 12, lime block 2 * 12 = 24`.

Which is the lightest is only known when all of them are worked out. So it begins with the first that no other is told
by, which weighs 12: a number of which there are halves, thirds and quarters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from thinkaloud.records import WorldState
from thinkaloud.state.weights import ONE, KnownWeights, WeightFact, read_weight_fact

_FIRST = 12


class Scale:
    """Weights as they are worked out: numbers that were told as they are, others in twelfths of where it begins."""

    def __init__(self, state: WorldState) -> None:
        self._state, self._weights = state, KnownWeights.of(state)
        found = [said for each in state.facts if (said := read_weight_fact(each, state.objects)) and said.sign == "="]
        self._facts = sorted(found, key=lambda said: state.objects.index(said.thing))  # as they stand in the state
        self._factors: dict[str, Fraction] = {}

    def value(self, thing: str) -> Fraction | None:
        """What a thing weighs, if that is known."""
        weight = self._weights.value(thing)
        return None if weight is None else weight * self._factor(thing)

    def total(self, things: Sequence[str]) -> Fraction | None:
        """What things weigh together."""
        weight = self._weights.total(things)
        return None if weight is None else weight * (self._factor(things[0]) if things else 1)

    def worked_out(self, things: Sequence[str]) -> str:
        """The weights of things and of those that they are told by, each from what came before; empty if unknown."""
        needed = _related(self._facts, things)
        objects = [each for each in self._state.objects if each in needed]
        values = {each: value for each in objects if (value := self.value(each)) is not None}
        known: dict[str, Fraction] = {}
        lines: list[str] = []
        while left := [each for each in values if each not in known]:
            step = next((found for fact in self._facts if (found := _solved(fact, known)) and found[0] in left), None)
            thing, line = step or self._begun(left, values)
            known[thing] = values[thing]
            lines.append(line)
        return ", ".join(lines)

    def _factor(self, thing: str) -> Fraction:
        """How many times the number that the state comes to is taken."""
        if thing not in self._factors:
            family = _related(self._facts, [thing])
            first = self._first([each for each in self._state.objects if each in family])
            weight = self._weights.value(first)
            told = any(ONE in fact.form for fact in self._facts if fact.thing in family)
            factor = Fraction(1) if told or not weight else _FIRST / weight
            self._factors |= dict.fromkeys(family, factor)
        return self._factors[thing]

    def _first(self, things: Sequence[str]) -> str:
        """Where to begin: with the first that is not told by others."""
        told = {fact.thing for fact in self._facts}
        return next((each for each in things if each not in told), things[0])

    def _begun(self, left: Sequence[str], values: Mapping[str, Fraction]) -> tuple[str, str]:
        numbered = {fact.thing for fact in self._facts if ONE in fact.form}
        thing = next((each for each in left if each in numbered), None) or self._first(left)
        return thing, f"{thing} {values[thing]}"


def _solved(fact: WeightFact, known: Mapping[str, Fraction]) -> tuple[str, str] | None:
    """The one thing of a fact whose weight follows from those that are known, and how."""
    terms = {name: factor for name, factor in fact.form.items() if name != ONE}
    unknown = [name for name in (fact.thing, *terms) if name not in known]
    if len(unknown) != 1 or ONE in fact.form:
        return None
    (thing,) = unknown
    if thing == fact.thing:
        parts = [f"{factor} * {known[name]}" if factor != 1 else f"{known[name]}" for name, factor in terms.items()]
        total = sum((factor * known[name] for name, factor in terms.items()), Fraction(0))
        said = " + ".join(parts)
        return thing, f"{thing} {said}" if said == str(total) else f"{thing} {said} = {total}"
    rest = known[fact.thing] - sum((f * known[name] for name, f in terms.items() if name != thing), Fraction(0))
    said = " - ".join([str(known[fact.thing]), *(f"{f} * {known[n]}" for n, f in terms.items() if n != thing)])
    factor = terms[thing]
    if factor.numerator == 1 and factor != 1:
        said = f"{said} * {factor.denominator}"
    elif factor != 1:
        said = f"{said} / {factor}"
    value = rest / factor
    return thing, f"{thing} {said}" if said == str(value) else f"{thing} {said} = {value}"


def _related(facts: Sequence[WeightFact], things: Sequence[str]) -> set[str]:
    """The things, and all that weights connect with them."""
    found = {*things}
    while new := [
        {fact.thing, *fact.form} - {ONE}
        for fact in facts
        if {fact.thing, *fact.form} & found and not {fact.thing, *fact.form} - {ONE} <= found
    ]:
        found = found.union(*new)
    return found
