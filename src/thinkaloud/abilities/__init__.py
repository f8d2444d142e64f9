"""Abilities: what a world or a model may offer beyond its contract, each described by a protocol.

    if (twinned := find_ability(world, Twinned)) is not None:
        twin = twinned.twin()

Nothing has to be inherited: an object with all the members of an ability has the ability. Do not use `hasattr` or
`isinstance` instead: a wrapper passes on what it does not have itself, and `find_ability` handles that.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import TypeVar, cast

_A = TypeVar("_A")


def find_ability(found: object, ability: type[_A]) -> _A | None:
    """The object, typed as having the ability, or None. A wrapper passes on the abilities of what it wraps.

    Only the members that the ability itself declares count; the contract that it extends is taken for granted. A member
    that is None counts as missing: this is how a subclass withdraws what its parent offers.
    """
    return (
        cast(_A, found)
        if all(getattr(found, name, None) is not None for name in members_of(cast(type, ability)))
        else None
    )


@cache
def members_of(kind: type) -> tuple[str, ...]:
    """The public members that a protocol declares itself; a robot is asked thousands of times for what it can do."""
    return tuple(name for name in (*inspect.get_annotations(kind), *vars(kind)) if not name.startswith("_"))
