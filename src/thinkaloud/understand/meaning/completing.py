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
from thinkaloud.understand.tree import Call, Do, Expression, Text, Things

Given = dict[str, Expression]


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
    missing = [p for p in order.values() if p.name not in given and p.default is None]
    chosen = all(p.kind is not None or p.choices is not None or p.type in (int, float) for p in missing)
    if not missing or not chosen or len(call.given) > len(order) or not given.keys() <= order.keys():
        return call
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
