"""Change a world state: each function returns a new one. The caller records the reason with `with_causes`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from thinkaloud.records import Change, Condition, Value, WorldState

TABLE = "table"
GROUND = (TABLE, "empty space", "empty spot", "free space")
"""Names for the place of a thing that is on nothing else."""
HELD = "held"
"""The relation by which a world says that something is in the gripper."""
_NOUNS = tomllib.loads(Path(__file__).with_name("nouns.toml").read_text(encoding="utf-8"))
_CONTAINERS, _COVERS, _COLOURS = (frozenset(_NOUNS[kind].split()) for kind in ("containers", "covers", "colours"))
_MACHINES = {name: tuple(words) for name, words in _NOUNS["machines"].items()}
OPPOSITES = {"clean": "dirty", "dirty": "clean", "open": "closed", "closed": "open", "on": "off", "off": "on"}


@lru_cache(maxsize=4096)
def noun(name: str) -> str:
    """Return the last word of a name: `bowl` for `red bowl`."""
    return name.split()[-1].lower() if name.split() else ""


def is_container(name: str) -> bool:
    """Whether things lie in it, side by side, instead of on top of it."""
    return noun(name) in _CONTAINERS


def is_cover(name: str) -> bool:
    """Whether it hides what is under it."""
    return noun(name) in _COVERS


def decided_in(name: str) -> tuple[str, ...]:
    """Return the words that become true of what is put into a machine; empty for anything else."""
    return _MACHINES.get(noun(name), ())


def is_colour(word: str) -> bool:
    """Whether it is the name of a colour."""
    return word.lower() in _COLOURS


def lies_on(thing: str, target: str) -> Condition:
    """Return the condition that a thing is on (in, over) another."""
    return Condition("on", {"object": thing, "target": target}, f"{thing[:1].upper()}{thing[1:]} is on the {target}.")


def supports(state: WorldState) -> dict[str, str]:
    """Return what each thing is on: the bowl for something in a bowl, the covered thing for a cup."""
    return {
        str(relation.arguments["object"]): str(relation.arguments["target"])
        for relation in state.relations
        if relation.relation == "on"
    }


def with_placed(state: WorldState, thing: str, target: str) -> WorldState:
    """Return the state with a thing moved to another place."""
    kept = tuple(r for r in state.relations if r.relation != "on" or r.arguments["object"] != thing)
    return replace(state, relations=kept if target in GROUND else (*kept, lies_on(thing, target)))


def with_marked(state: WorldState, things: Iterable[str], word: str, value: Value = True) -> WorldState:
    """Return the state with a word (or a named value) set for things; its opposite is no longer true of them."""
    attributes: dict[str, Mapping[str, Value]] = dict(state.attributes)
    for thing in things:
        known = {name: kept for name, kept in attributes.get(thing, {}).items() if name != OPPOSITES.get(word)}
        attributes[thing] = {**known, word: value}
    return replace(state, attributes=attributes)


def with_fact(state: WorldState, fact: str) -> WorldState:
    """Return the state with one more fact."""
    return state if fact in state.facts else replace(state, facts=(*state.facts, fact))


def with_causes(before: WorldState, after: WorldState, cause: str) -> WorldState:
    """Return the later state, with what is different in it and why."""
    return replace(after, changes=tuple(Change(what, cause) for what in differences(before, after)))


def differences(before: WorldState, after: WorldState) -> list[str]:
    """Return what is true now and was not before, in words."""
    was, now = supports(before), supports(after)
    found = [_where(thing, now.get(thing)) for thing in after.objects if was.get(thing) != now.get(thing)]
    rest = {r.words for r in before.relations if r.relation != "on"}
    found += [r.words.rstrip(".") for r in after.relations if r.relation != "on" and r.words not in rest]
    for thing, known in after.attributes.items():
        had = before.attributes.get(thing, {})
        found += [_quality(thing, word, value) for word, value in known.items() if had.get(word) != value]
    return found + [fact for fact in after.facts if fact not in before.facts]


def _where(thing: str, support: str | None) -> str:
    if support is None:
        return f"{thing} is on the {TABLE}"
    return f"{thing} is {'in' if is_container(support) else 'on'} {support}"


def _quality(thing: str, word: str, value: Value) -> str:
    return f"{thing} is {word}" if value is True else f"{thing}: {word} = {value}"
