"""Ranges that depend on the thing: a 350 ml glass takes at most 350 ml, and a 150 ml cup at most 150 ml.

    Annotated[float, Amount("ml", 10, "capacity({cup})", step=5)]

A bound names a measure of the skill's other arguments, or a relation with one argument more, which is the number. If
that is not known of a thing, it bounds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from thinkaloud.records import Arguments, Observation, Value
from thinkaloud.skills.signatures import Amount, OutOfRange, Signature

_BOUND = re.compile(r"([^\W\d]\w*)\s*\((.*)\)")
_ReadValue = Callable[[str, tuple[Value, ...]], Value | None]
"""(measure or relation, what it is about) → its number, or None if that is not known."""


class _Measure(Protocol):
    """What a bound is read from."""

    @property
    def signature(self) -> Signature:
        """How it is called."""
        ...

    @property
    def read(self) -> Callable[..., Any]:
        """Its value."""
        ...


def bounds_of(amount: Amount | None) -> list[str]:
    """The measures or relations that bound a number."""
    ends = () if amount is None else (amount.least, amount.most)
    return [found[1] if (found := _BOUND.fullmatch(end.strip())) else end for end in ends if isinstance(end, str)]


def depends_on_things(signature: Signature) -> bool:
    """Whether the range of a number depends on another argument."""
    ends = [end for p in signature.parameters if p.amount is not None for end in (p.amount.least, p.amount.most)]
    return any(isinstance(end, str) for end in ends)


def check_ranges(
    signature: Signature, arguments: Arguments, measures: Mapping[str, _Measure], scene: Observation
) -> None:
    """Raise OutOfRange if a number is not possible with these things."""
    for name, amount in amounts_with(signature, arguments, measures, scene).items():
        value = arguments.get(name)
        if isinstance(value, int | float):
            amount.fit(value)


def amounts_with(
    signature: Signature, arguments: Arguments, measures: Mapping[str, _Measure], scene: Observation
) -> dict[str, Amount]:
    """Which numbers are possible with these things, by parameter."""

    def read(name: str, about: tuple[Value, ...]) -> Value | None:
        return _read_measure(measures[name], about) if name in measures else _read_relation(name, about, scene)

    return {p.name: resolve(p.amount, arguments, read) for p in signature.parameters if p.amount is not None}


def range_precondition(
    signature: Signature, measures: Callable[[], Mapping[str, _Measure]]
) -> Callable[..., str | None]:
    """The precondition that all numbers are possible with the things of a call."""

    def refuse(observation: Observation, /, **given: Value) -> str | None:
        try:
            check_ranges(signature, given, measures(), observation)
        except OutOfRange as error:
            return str(error)
        return None

    return refuse


def resolve(amount: Amount, arguments: Arguments, read: _ReadValue) -> Amount:
    """What is possible with the things of a call."""

    def bound(end: float | str | None) -> float | None:
        found = _BOUND.fullmatch(end.strip()) if isinstance(end, str) else None
        if found is None:
            return None if isinstance(end, str) else end
        terms = [term.strip() for term in found[2].split(",") if term.strip()]
        about = tuple(arguments.get(term[1:-1], "") if term.startswith("{") else term for term in terms)
        value = read(found[1], about)
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    return replace(amount, least=bound(amount.least), most=bound(amount.most))


def _read_measure(measure: _Measure, about: tuple[Value, ...]) -> Value | None:
    names = [p.name for p in measure.signature.parameters]
    try:
        value = measure.read(**dict(zip(names, about, strict=True)))
    except Exception:  # the robot's own code: what it cannot tell bounds nothing
        return None
    return value if isinstance(value, int | float) else None


def _read_relation(name: str, about: tuple[Value, ...], scene: Observation) -> Value | None:
    known = scene.state.relations if scene.state is not None else ()
    rows = [tuple(each.arguments.values()) for each in known if each.relation == name]
    return next((row[-1] for row in rows if row[:-1] == about and isinstance(row[-1], int | float)), None)
