"""A skill that is called with too little: what is missing has the name of its parameter, so that it is asked for.

`feed("left hive")`, of a skill `feed(hive, food)`, is `feed("left hive", "food")`: "Which food do you mean?" Numbers
and free texts, of which there is nothing to choose from, stay missing, and a model is told so.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from thinkaloud.skills.signatures import Parameter
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.naming import asked_as
from thinkaloud.understand.program import Program
from thinkaloud.understand.switches import switchable
from thinkaloud.understand.tree import Call, Do, Expression, Text, Things

Given = dict[str, Expression]


@switchable()
def with_missing(program: Program) -> Program:
    """A program in which every deed has all that it needs, if only by the name of what is missing."""

    def fill(node: Any) -> Any:
        known = isinstance(node, Do) and node.call.role == "skill"
        return Do(_filled(node.call, program.lexicon), line=node.line) if known else node

    return program.changed(fill)


def _filled(call: Call, lexicon: Lexicon) -> Call:
    """A call with what it lacks."""
    order = {p.name: p for p in lexicon.skills[call.name].parameters}
    given = dict(zip(order, call.given, strict=False)) | dict(call.named)
    given = _without_number(given, order, lexicon)
    given = {name: value for name, value in given.items() if not _is_empty(name, given, order)}
    missing = [p for p in order.values() if p.name not in given and p.default is None]
    chosen = all(p.kind is not None or p.choices is not None or p.type in (int, float) for p in missing)
    if not missing or not chosen or len(call.given) > len(order) or not given.keys() <= order.keys():
        return call
    given = _where_it_fits(given, order, missing, lexicon)
    needed = {name for name, p in order.items() if name in given or p.default is None}
    whole = {name: given.get(name, Text(asked_as(p))) for name, p in order.items() if name in needed}
    placed = [*itertools.takewhile(needed.__contains__, order)]
    named = tuple((name, value) for name, value in whole.items() if name not in placed)
    return Call(call.name, call.role, tuple(whole[name] for name in placed), named)


def _without_number(given: Given, order: Mapping[str, Parameter], lexicon: Lexicon) -> Given:
    """The arguments one place further, where the number was left out before them: `add("sugar", "pot")`."""
    numbers = [name for name, p in order.items() if p.type in (int, float) and p.choices is None and p.default is None]
    left_out = [name for name in numbers if name in given and _is_thing(given[name], lexicon)]
    others = [name for name in order if name not in left_out]
    if not left_out or len(given) != len(order) - len(left_out) or [*given] != [*order][: len(given)]:
        return given
    return dict(zip(others, given.values(), strict=True))


def _is_thing(value: Expression, lexicon: Lexicon) -> bool:
    return isinstance(value, Things) or (isinstance(value, Text) and value.value in lexicon.things)


def _is_empty(name: str, given: Given, order: Mapping[str, Parameter]) -> bool:
    """Whether an argument tells nothing: an empty text, or again the noun of another one (`feed("hive", "hive")`)."""
    value, own = given[name], order.get(name)
    if not isinstance(value, Text) or own is None or own.kind is None:
        return False
    text = value.value
    same = [p for other, p in order.items() if other != name and given.get(other) == value]
    return not text.strip() or any(text in (asked_as(p), p.kind) and p.kind != own.kind != text for p in same)


def _where_it_fits(given: Given, order: Mapping[str, Parameter], missing: list[Parameter], lexicon: Lexicon) -> Given:
    """The arguments; a thing that does not fit its own place in the place of the only missing one that it fits."""
    found = dict(given)
    for name, value in given.items():
        if not isinstance(value, Text) or value.value in _known(order[name], lexicon):
            continue
        places = [p.name for p in missing if p.name not in found and value.value in _known(p, lexicon)]
        if len(places) == 1:
            found[places[0]] = found.pop(name)
    return found


def _known(parameter: Parameter, lexicon: Lexicon) -> tuple[str, ...]:
    return parameter.choices or lexicon.named.get(lexicon.list_of(parameter) or "", ())
