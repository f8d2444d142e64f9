"""Find what cannot be true in a world state, and say so in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from thinkaloud.errors import StateRefused
from thinkaloud.records import WorldState
from thinkaloud.state.edits import GROUND, OPPOSITES, is_container, is_cover
from thinkaloud.state.weights import KnownWeights


def contradictions(state: WorldState) -> list[str]:
    """Return why a state is impossible, one sentence each; empty if it is possible."""
    pairs = list(dict.fromkeys(_pairs(state)))
    found = [*_unknown(state, pairs), *_twice(pairs), *_circles(pairs), *_crowded(state, pairs), *_opposites(state)]
    return list(dict.fromkeys(found + KnownWeights.of(state).problems))


def unless_contradictory(before: WorldState, after: WorldState, text: str) -> WorldState:
    """Return the later state; StateRefused if it has a contradiction that the earlier one did not have."""
    if fresh := new_contradictions(before, after):
        raise StateRefused(fresh[0], text)
    return after


def new_contradictions(before: WorldState, after: WorldState) -> list[str]:
    """Return the contradictions of the later state that the earlier one did not have."""
    known = contradictions(before)
    return [sentence for sentence in contradictions(after) if sentence not in known]


def same(one: WorldState, other: WorldState) -> bool:
    """Whether two states say the same, in any order; changes and causes are ignored."""
    return _said(one) == _said(other)


def _said(state: WorldState) -> tuple[object, ...]:
    rest = {relation.words for relation in state.relations if relation.relation != "on"}
    known = {thing: dict(words) for thing, words in state.attributes.items() if words}
    where = {pair for pair in _pairs(state) if pair[1] not in GROUND}
    return set(state.objects), where, rest, known, set(state.facts)


def _pairs(state: WorldState) -> list[tuple[str, str]]:
    on = [relation.arguments for relation in state.relations if relation.relation == "on"]
    return [(str(each["object"]), str(each["target"])) for each in on]


def _unknown(state: WorldState, pairs: Iterable[tuple[str, str]]) -> list[str]:
    named = [name for pair in pairs for name in pair]
    return [f"There is no {name} here." for name in named if name not in state.objects and name not in GROUND]


def _twice(pairs: Iterable[tuple[str, str]]) -> list[str]:
    found, where = [], dict[str, str]()
    for thing, target in pairs:
        first = where.setdefault(thing, target)
        if first != target:
            found.append(f"The {thing} cannot be {_place(first)} and {_place(target)} at once.")
    return found


def _place(target: str) -> str:
    return f"{'in' if is_container(target) else 'on'} the {target}"


def _circles(pairs: Iterable[tuple[str, str]]) -> list[str]:
    below, found, done = dict(pairs), [], set[str]()
    for start in below:
        path: list[str] = []
        thing: str | None = start
        while thing is not None and thing not in done:
            if thing in path:
                ring = path[path.index(thing) :]
                around = " on the ".join([*ring, thing])
                found.append(
                    f"The {thing} cannot be on itself." if len(ring) == 1 else f"The {around} goes round in a circle."
                )
                break
            path.append(thing)
            thing = below.get(thing)
        done.update(path)
    return found


def _crowded(state: WorldState, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Where there are covers, only one thing at a time may be on (or over) another."""
    if not any(map(is_cover, state.objects)):
        return []
    first: dict[str, str] = {}
    found = []
    for thing, target in pairs:
        if target in GROUND or is_container(target):
            continue
        other = first.setdefault(target, thing)
        if other != thing:
            found.append(f"The {other} and the {thing} cannot both be on the {target}.")
    return found


def _opposites(state: WorldState) -> list[str]:
    found = []
    for thing, words in state.attributes.items():
        true = [word for word, value in words.items() if value is True]
        found += [
            f"The {thing} cannot be {word} and {OPPOSITES[word]} at once."
            for word in true
            if OPPOSITES.get(word) in true and word < OPPOSITES[word]
        ]
    return found
