"""A world state as JSON text, in the form of the Statler paper, and the strict way back.

    # state = {
    #     "objects": ["cyan block", "yellow block", "green bowl"],
    #     "relations": ["cyan block is on yellow block"],
    #     "cyan block": {"is": ["dirty"]},
    #     "yellow block": {"weight": "2 * cyan block"},
    #     "green bowl": {}
    # }

If there are cups, they are listed as `covers`, placement is stated on both sides (`{"on": …}`, `{"under": …}`), and
things with nothing to say have no line. Relations and contents are in the order of the objects. Reading back keeps the
order of the earlier state, with new things last. For changes only, see `changes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from thinkaloud.errors import StateRefused
from thinkaloud.records import WorldState
from thinkaloud.state.contradictions import contradictions, unless_contradictory
from thinkaloud.state.edits import decided_in, is_container, is_cover, supports
from thinkaloud.state.json_reading import StateReading, is_number, read_names, read_state_json, render_json
from thinkaloud.state.names import NameFinder
from thinkaloud.state.weights import WeightFact, read_weight_fact

INDENT = "    "


def has_covers(state: WorldState) -> bool:
    """Whether the state is written in the form with cups."""
    return any(map(is_cover, state.objects))


def line_order(state: WorldState) -> tuple[str, ...]:
    """Return the things in the order of their lines: machines come first, and are shown even when empty."""
    return tuple(sorted(state.objects, key=lambda thing: not decided_in(thing)))


def render_state(state: WorldState, prefix: str = "# ") -> str:
    """Return the state as text; every line begins with the prefix."""
    lines = [f"{INDENT}{render_json(key)}: {render_json(value)}" for key, value in state_entries(state)]
    return "\n".join(prefix + line for line in ["state = {", *",\n".join(lines).split("\n"), "}"])


def render_opening(state: WorldState, prefix: str = "# ", *, objects: bool = False) -> str:
    """Return how the text of any later state begins: the part that a model need not write.

    That is the line `state = {` with its line break. With `objects`, it also includes the lists of things, which never
    change, up to their closing bracket.
    """
    fixed = [(key, value) for key, value in state_entries(state) if key in ("objects", "covers")] if objects else []
    lines = [f"{prefix}{INDENT}{render_json(key)}: {render_json(value)}" for key, value in fixed]
    return f"{prefix}state = {{\n" + ",\n".join(lines)


def state_entries(state: WorldState) -> Iterator[tuple[str, Any]]:
    """Return the lines of a state, as keys and values."""
    covers = [thing for thing in state.objects if is_cover(thing)]
    yield "objects", [thing for thing in state.objects if thing not in covers]
    if covers:
        yield "covers", covers
    relations = _relations(state)
    if relations or not covers:
        yield "relations", relations
    if rest := [fact for fact in state.facts if _weighs(state, fact) is None]:
        yield "facts", rest
    for thing in line_order(state):
        known = _known(state, thing)
        if known or not covers:
            yield thing, known


def _relations(state: WorldState) -> list[str]:
    rest = [relation.words for relation in state.relations if relation.relation != "on"]
    if has_covers(state):
        return rest
    on = supports(state)
    return [f"{t} is on {on[t]}" for t in state.objects if t in on and not is_container(on[t])] + rest


def _known(state: WorldState, thing: str) -> dict[str, Any]:
    """Return what is said of one thing."""
    on = supports(state)
    held = [each for each in state.objects if on.get(each) == thing]
    words = state.attributes.get(thing, {})
    weights = [said.text() for fact in state.facts if (said := _weighs(state, fact)) and said.thing == thing]
    known: dict[str, Any] = {}
    if is_container(thing) and (held or decided_in(thing)):
        known["contains"] = held
    if true := [word for word, value in words.items() if value is True]:
        known["is"] = true
    if has_covers(state):
        if thing in on and not is_container(on[thing]):
            known["on"] = on[thing]
        if held and not is_container(thing):
            known["under"] = _single(held)
    if all_weights := [*([words["weight"]] if is_number(words.get("weight")) else []), *map(_short, weights)]:
        known["weight"] = _single(all_weights)
    return known | {key: value for key, value in words.items() if value is not True and key not in known}


def _single(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _short(weight: str) -> str:
    return weight.replace("more than ", "> ").replace("less than ", "< ")


def _weighs(state: WorldState, fact: str) -> WeightFact | None:
    """Return what a fact says about a weight, if that can be read back."""
    said = read_weight_fact(fact, state.objects)
    return said if said and said.fact() == fact else None


def read_state(text: str, before: WorldState) -> WorldState:
    """Read a state from a text; it must be about the same things as the earlier state. StateRefused otherwise."""
    try:
        after = StateReading(read_state_json(text), NameFinder(before.objects), before).state()
    except ValueError as wrong:
        raise StateRefused(str(wrong), text) from None
    return unless_contradictory(before, after, text)


def read_initial_state(data: Mapping[str, Any]) -> WorldState:
    """Read the state that begins an episode from decoded JSON; ValueError says what is wrong with it."""
    objects = read_names(data.get("objects", []), "objects") + read_names(data.get("covers", []), "covers")
    objects = list(dict.fromkeys(objects))
    state = StateReading(data, NameFinder(objects), None).state()
    if wrong := contradictions(state):
        raise ValueError(wrong[0])
    return state
