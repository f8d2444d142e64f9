"""Weights that were told in terms of each other, worked out one after another: `pink block 1, lime block 2 * 1 = 2`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from thinkaloud.records import WorldState
from thinkaloud.state.weights import ONE, Said, Weights, read_fact


def worked_out(state: WorldState, things: Sequence[str]) -> str:
    """The weights of things and of those that they are told by, each from what came before it; empty if none is known.

    The lightest is 1; numbers that were told are taken as they are.
    """
    weights = Weights.of(state)
    facts = [said for each in state.facts if (said := read_fact(each, state.objects)) and said.sign == "="]
    facts.sort(key=lambda said: state.objects.index(said.thing))  # as they stand in the state
    needed = _related(facts, things)
    values = {each: value for each in state.objects if each in needed and (value := weights.value(each)) is not None}
    if not values:
        return ""
    known: dict[str, Fraction] = {}
    lines: list[str] = []
    while left := [each for each in values if each not in known]:
        step = next((found for fact in facts if (found := _solved(fact, known)) and found[0] in left), None)
        thing, line = step or _given(left, values)
        known[thing] = values[thing]
        lines.append(line)
    return ", ".join(lines)


def _given(left: Sequence[str], values: Mapping[str, Fraction]) -> tuple[str, str]:
    """Where to begin: with the lightest."""
    thing = min(left, key=lambda each: values[each])
    return thing, f"{thing} {values[thing]}"


def _solved(fact: Said, known: Mapping[str, Fraction]) -> tuple[str, str] | None:
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


def _related(facts: Sequence[Said], things: Sequence[str]) -> set[str]:
    """The things, and all that weights connect with them."""
    found = {*things}
    while new := [
        {fact.thing, *fact.form} - {ONE}
        for fact in facts
        if {fact.thing, *fact.form} & found and not {fact.thing, *fact.form} - {ONE} <= found
    ]:
        found = found.union(*new)
    return found
