"""Only the changes, one line each: far fewer words than a whole state.

    cyan block is on yellow block
    brown block is on the table
    yellow block is dirty
    red block weighs 2 * bronze block

Something that is no longer true and has no opposite: `yellow block is not fragile`, `no longer: it rains`. Facts that
are not about weights: `note: it rains`. A new relation other than `on` can be written but not read back, because only a
world knows what its words mean.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from thinkaloud.errors import StateRefused
from thinkaloud.records import Value, WorldState
from thinkaloud.state.contradictions import unless_contradictory
from thinkaloud.state.edits import OPPOSITES, differences, with_fact, with_marked, with_placed
from thinkaloud.state.json_reading import is_number
from thinkaloud.state.names import NameFinder
from thinkaloud.state.weights import read_weight, read_weight_fact

NO_CHANGE = "nothing changes"
_NO_LONGER = "no longer: "
_NOTE = "note: "


def render_changes(before: WorldState, after: WorldState) -> str:
    """Return what changed, one line each: places, then words and values (in the order of the things), then facts."""
    others = [fact for fact in after.facts if read_weight_fact(fact, after.objects) is None]
    known = {thing: after.attributes[thing] for thing in after.objects if thing in after.attributes}
    lines = differences(before, replace(after, attributes=known))
    lines = [_NOTE + line if line in others else line for line in lines]
    for thing, words in before.attributes.items():
        now = after.attributes.get(thing, {})
        gone = (word for word in words if word not in now and OPPOSITES.get(word) not in now)
        lines += [f"{thing} is not {word}" for word in gone]
    left = {*after.facts, *(relation.words for relation in after.relations)}
    said = [*before.facts, *(relation.words for relation in before.relations if relation.relation != "on")]
    return "\n".join(lines + [_NO_LONGER + words for words in said if words not in left]) or NO_CHANGE


def read_changes(text: str, before: WorldState) -> WorldState:
    """Return the state after these changes; StateRefused if they cannot be understood or cannot be true."""
    lines = [line.strip().removeprefix("#").strip() for line in text.strip().split("\n")]
    after = replace(before, changes=())
    if [line.removesuffix(".").lower() for line in lines] == [NO_CHANGE]:
        return after
    if not any(lines):
        raise StateRefused(f"No change is said; if there is none, write: {NO_CHANGE}", text)
    names = NameFinder(before.objects)
    said: dict[tuple[str, str], str] = {}
    try:
        for line in filter(None, lines):
            after = _applied(line, after, names, said)
    except ValueError as wrong:
        raise StateRefused(str(wrong), text) from None
    return unless_contradictory(before, after, text)


def _applied(line: str, state: WorldState, names: NameFinder, said: dict[tuple[str, str], str]) -> WorldState:
    if line.startswith(_NO_LONGER):
        return _forgotten(line.removeprefix(_NO_LONGER), state)
    if line.startswith(_NOTE):
        return with_fact(state, line.removeprefix(_NOTE))
    found = names.split(line)
    if found is None:
        raise ValueError(f"{line!r} does not begin with anything that is here{names.hint(line.partition(' is ')[0])}")
    thing, rest = found
    if rest.startswith(": ") and " = " in rest:
        key, _, value = rest.removeprefix(": ").partition(" = ")
        return with_marked(state, [thing], key, _value(value))
    rest = rest.removesuffix(".")
    if rest.startswith(" weighs "):
        weight = read_weight(thing, rest.removeprefix(" weighs "), names.all)
        if weight is None:
            other = next((name for name in names.all if name != thing), "red block")
            raise ValueError(f"{line!r} is no weight; write such as: {thing} weighs 2 * {other}")
        return with_fact(state, weight.fact())
    if rest.startswith(" is not "):
        return _unmarked(state, thing, rest.removeprefix(" is not "))
    if not rest.startswith(" is ") or not rest.removeprefix(" is ").strip():
        raise ValueError(f"{line!r} does not say where something is, what it is like or what it weighs.")
    words = rest.removeprefix(" is ").strip()
    target = _target(line, words, names)
    about = "" if target else min(words, OPPOSITES.get(words, words))
    if said.setdefault((thing, about), target or words) != (target or words):
        raise ValueError(f"The {thing} cannot be {words} and something else of that kind at once; say it once.")
    return with_placed(state, thing, target) if target else with_marked(state, [thing], words)


def _target(line: str, words: str, names: NameFinder) -> str | None:
    """Return the place in words such as `on the table`; None if the words are not a place."""
    preposition, _, place = words.partition(" ")
    if preposition not in ("on", "in", "over", "inside") or not place:
        return None
    target = names.find_place(place)
    if target is None:
        raise ValueError(f"{line!r}: there is no {place} here{names.hint(place)}")
    return target


def _unmarked(state: WorldState, thing: str, word: str) -> WorldState:
    attributes: dict[str, Mapping[str, Value]] = dict(state.attributes)
    attributes[thing] = {name: value for name, value in attributes.get(thing, {}).items() if name != word}
    return replace(state, attributes={name: known for name, known in attributes.items() if known})


def _forgotten(words: str, state: WorldState) -> WorldState:
    relations = tuple(each for each in state.relations if each.relation == "on" or each.words != words)
    facts = tuple(fact for fact in state.facts if fact != words)
    if len(relations) + len(facts) == len(state.relations) + len(state.facts):
        raise ValueError(f"{words!r} was not so before.")
    return replace(state, relations=relations, facts=facts)


def _value(text: str) -> Value:
    if text in ("True", "False"):
        return text == "True"
    try:
        number = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return number if is_number(number) else text
