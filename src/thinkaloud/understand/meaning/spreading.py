"""A list given to a function stands for one call with each of its members."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import Any

from thinkaloud.errors import Unparseable

_MOST_COMBINED = 10_000


def flat(value: Any) -> list[Any]:
    """A value as a list; lists in lists are opened."""
    return [each for part in value for each in flat(part)] if isinstance(value, list | tuple) else [value]


def spread(given: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """The calls that a call with lists stands for: one for each combination, in the order of the lists."""
    try:
        values = [list(dict.fromkeys(flat(value))) for value in given.values()]
    except TypeError:
        raise Unparseable("a list holds what is no name, number or text.") from None
    if math.prod(map(len, values)) > _MOST_COMBINED:
        raise Unparseable(f"these lists have more than {_MOST_COMBINED} combinations; take shorter ones.")
    return (dict(zip(given, each, strict=True)) for each in itertools.product(*values))
