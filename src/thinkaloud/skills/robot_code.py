"""Call the functions that a robot builder wrote, so that an error names the skill, the part of it, and what to do.

Errors of thinkaloud itself pass unchanged: a `SkillError` is an answer, not a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from thinkaloud.errors import BadRobot, ThinkaloudError, describe_fault
from thinkaloud.records import Arguments, WorldState

_PAIR = '("relation", {"parameter": value})'
_BY_NAME = "It is called with all arguments of the skill by name; let its parameters end with **_"


def call_part(owner: str, part: str, function: Callable[..., Any], /, *given: Any, **arguments: Any) -> Any:
    """What a builder's function returns; raises BadRobot with the owner and the part if it fails."""
    try:
        return function(*given, **arguments)
    except ThinkaloudError:
        raise
    except Exception as error:
        advice = f" {_BY_NAME}." if isinstance(error, TypeError) and "keyword argument" in str(error) else ""
        told = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        called = f" for {told}" if told else ""
        raise BadRobot(f"{owner}: `{part}` raised {describe_fault(error)}{called}.{advice}") from error


def facts_part(owner: str, part: str, function: Callable[..., Any]) -> Callable[..., tuple[tuple[str, Arguments], ...]]:
    """A function that declares relations (`effects`, `needs`, `ends`), with its result checked."""

    def call(**arguments: Any) -> tuple[tuple[str, Arguments], ...]:
        return _read_facts(f"{owner}: `{part}`", call_part(owner, part, function, **arguments))

    return call


def _read_facts(where: str, found: Any) -> tuple[tuple[str, Arguments], ...]:
    if found is None:
        raise BadRobot(f"{where} returned nothing. Return ({_PAIR},), or () if there is nothing to declare.")
    if _is_fact(found):
        raise BadRobot(f"{where} is one relation, not a tuple of them. Write a comma behind it: ({_PAIR},)")
    listed = tuple(found) if isinstance(found, Sequence | set | frozenset) and not isinstance(found, str) else None
    if listed is None or not all(map(_is_fact, listed)):
        raise BadRobot(f"{where} returned {found!r:.80}. Return a tuple of {_PAIR}.")
    return listed


def _is_fact(found: Any) -> bool:
    pair = isinstance(found, tuple | list) and len(found) == 2
    return pair and isinstance(found[0], str) and isinstance(found[1], Mapping)


def plain_part(owner: str, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a skill whose result may be anything."""

    @wraps(function)
    def call(*given: Any, **arguments: Any) -> Any:
        return call_part(owner, part, function, *given, **arguments)

    return call


def remembers_part(owner: str, function: Callable[..., Any]) -> Callable[..., WorldState]:
    """A skill's `remembers`, which has to return a state."""

    @wraps(function)
    def call(state: WorldState, /, **arguments: Any) -> WorldState:
        after = call_part(owner, "remembers", function, state, **arguments)
        if not isinstance(after, WorldState):
            raise BadRobot(f"{owner}: `remembers` returned {after!r:.80}. Return the WorldState after the skill.")
        return after

    return call


def relation_part(owner: str, function: Callable[..., Any]) -> Callable[..., bool]:
    """A relation, which has to return True or False."""

    def call(*given: Any, **arguments: Any) -> bool:
        so = call_part(f"the relation {owner}", owner, function, *given, **arguments)
        if so is None:
            raise BadRobot(f"the relation {owner} returned nothing. Return True or False; is a `return` missing?")
        return bool(so)

    return call
