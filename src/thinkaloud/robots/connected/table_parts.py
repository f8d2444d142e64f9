"""What the tables of robots elsewhere have in common.

arguments = { to = "{room}" }          the value of a parameter in place of `{room}`
answer = "pose.0.x"                    a part of what was answered
is = "{room}"                          how it is compared; or at_least, at_most
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thinkaloud.errors import DidNotWork
from thinkaloud.records import Value
from thinkaloud.robots.text_file.field_readers import FilePosition
from thinkaloud.skills.signatures import Signature
from thinkaloud.untrusted.text import as_data

SLOT = re.compile(r"\{(\w+(?:\.\w+)?)\}")
"""A parameter in braces, or a part of one: `{room}`, `{room.x}`."""
TESTS = ("is", "at_least", "at_most")
_LARGEST_VALUE, _LONGEST_VALUE = 1e15, 200


@dataclass(frozen=True)
class Comparison:
    """How something that was read makes a relation true; without a test it has to be `true`."""

    test: str = ""
    wanted: Any = None

    def holds(self, found: object, given: Mapping[str, Any]) -> bool:
        """Whether what was read makes the relation true."""
        wanted = fill(self.wanted, given)
        if self.test == "is":
            return _same(found, wanted)
        if self.test in ("at_least", "at_most"):
            if isinstance(found, bool) or not isinstance(found, int | float):
                return False
            return bool(found >= wanted if self.test == "at_least" else found <= wanted)
        return found is True


def read_comparison(here: FilePosition, row: Mapping[str, Any]) -> Comparison:
    """The comparison in a row of a table; at most one."""
    given = [test for test in TESTS if test in row]
    if len(given) > 1:
        here.fail(f"write one of {', '.join(TESTS)}, not {' and '.join(given)}")
    test = given[0] if given else ""
    wanted = row.get(test)
    if test in ("at_least", "at_most") and (isinstance(wanted, bool) or not isinstance(wanted, int | float)):
        here.at(test).fail(f"expected a number, not {wanted!r:.60}")
    return Comparison(test, wanted)


def read_path(here: FilePosition, row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A path to a part of an answer, such as `pose.0.x`; empty for the whole answer."""
    return tuple(here.at(key).text_of(row[key]).split(".")) if key in row else ()


def read_seconds(here: FilePosition, data: Any) -> float:
    """A number of seconds, at most a day."""
    if isinstance(data, bool) or not isinstance(data, int | float) or not 0 < data <= 86_400:
        here.fail(f"expected a number of seconds above 0, at most 86400, not {data!r:.60}")
    return float(data)


def each_named(here: FilePosition, data: Any, known: Mapping[str, Any]) -> Iterator[tuple[str, FilePosition, Any]]:
    """The rows of a table whose keys are names of skills, relations or values."""
    for name, each in here.table(data, tuple(known)).items():
        yield name, here.at(name), each


def refuse_strange_slots(
    here: FilePosition, template: Any, signature: Signature | None, parts: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Refuse `{place}` where there is no parameter `place`; `parts` are what `{room.x}` may ask of parameters."""
    known = [p.name for p in signature.parameters] if signature is not None else []
    for slot in SLOT.findall(json.dumps(template, default=str)):
        name, dot, part = slot.partition(".")
        if name not in known:
            here.fail(f"there is no parameter {slot!r}; there is: {', '.join(known) or 'none'}")
        allowed = (parts or {}).get(name, ())
        if dot and part not in allowed:
            here.fail(f"{name!r} has no part {part!r}; it has: {', '.join(allowed) or 'none'}")


def fill(template: Any, given: Mapping[str, Any]) -> Any:
    """A template with values in place of `{name}`; one that is nothing else keeps its type."""
    if isinstance(template, Mapping):
        return {key: fill(each, given) for key, each in template.items()}
    if isinstance(template, Sequence) and not isinstance(template, str):
        return [fill(each, given) for each in template]
    if not isinstance(template, str):
        return template
    whole = SLOT.fullmatch(template)
    if whole is not None and whole[1] in given:
        return given[whole[1]]
    return SLOT.sub(lambda slot: str(given.get(slot[1], slot[0])), template)


def find_part(data: object, path: Sequence[str]) -> object:
    """The part of an answer that a path such as `pose.0.x` leads to; DidNotWork where there is none."""
    for key in path:
        if isinstance(data, Mapping) and key in data:
            data = data[key]
        elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            raise DidNotWork(f"The answer has no {'.'.join(path)}.")
    return data


def find_part_if_there(data: object, path: Sequence[str]) -> object:
    """A part of an answer; None where there is none."""
    try:
        return find_part(data, path)
    except DidNotWork:
        return None


def _same(found: object, wanted: object) -> bool:
    """Whether two values are the same; a number may come as a text, but true is not 1."""
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    return found == wanted or (isinstance(found, str | int | float) and str(found) == str(wanted))


def as_value(found: object) -> Value | None:
    """What was read, if it can be a value: a number that means something, true or false, or one short line of text."""
    if isinstance(found, str):
        return as_data(found, _LONGEST_VALUE)
    if isinstance(found, int | float) and abs(found) <= _LARGEST_VALUE:
        return found
    return None
