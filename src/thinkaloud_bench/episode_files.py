"""Read JSON files of episodes; error messages name the place of a mistake and what was probably meant."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from thinkaloud.errors import BadInput
from thinkaloud.untrusted.files import Malformed, read_json

Fail = Callable[[str], NoReturn]
"""Raises BadInput that names a place."""
_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}


def read_episode_list(text: str, source: str) -> list[Any]:
    """Parse a JSON list of episodes; BadInput if it is not a list, or empty. Messages call it `source`."""
    try:
        data = read_json(text)
    except Malformed as error:
        raise BadInput(f"{source}: is not JSON: {error}.") from None
    if isinstance(data, dict) and "episodes" in data:
        data = data["episodes"]
    if not isinstance(data, list):
        raise BadInput(f"{source}: has to be a list of episodes, not {name_kind(data)}.")
    if not data:
        raise BadInput(f"{source}: has no episodes.")
    return data


def failing_at(place: str) -> Fail:
    """Return a function that raises BadInput about this place."""

    def fail(why: str) -> NoReturn:
        raise BadInput(f"{place}: {why}{'' if why.endswith('?') else '.'}")

    return fail


def read_fields(data: Any, known: Sequence[str], what: str, fail: Fail, needed: Sequence[str] = ()) -> dict[str, Any]:
    """Return the fields of an object. Unknown fields are ignored, unless one looks like a misspelt known field."""
    if not isinstance(data, dict):
        fail(f"{what} has to be an object, not {name_kind(data)}")
    for key in data:
        close = difflib.get_close_matches(key.lower(), known, n=1, cutoff=0.65) if key not in known else []
        if close:
            fail(f"{what} has no field {key!r}; did you mean {close[0]!r}?")
    for key in needed:
        if key not in data:
            fail(f"{what} has to have a field {key!r}")
    return data


def read_text(value: Any, field: str, fail: Fail) -> str:
    """Return a non-empty text."""
    if not isinstance(value, str) or not value.strip():
        why = " that is not empty" if isinstance(value, str) else f", not {name_kind(value)}"
        fail(f"'{field}' has to be a text{why}")
    return value.strip()


def name_kind(value: Any) -> str:
    """Name the type of a value in words."""
    return "null" if value is None else _KINDS.get(type(value), type(value).__name__)


def shorten(value: Any) -> str:
    """Show a value as it was written, shortened if necessary."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


def render_hint(name: str, known: Iterable[str]) -> str:
    """Suggest what was probably meant, in brackets."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
