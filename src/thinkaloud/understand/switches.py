"""Parts of understanding that can be switched off, to measure what each is worth.

    thinkaloud bench promise --preset "thinkaloud:confirm=never;without=find_both+with_lists"

A part that is off returns what it was given, or nothing; `otherwise` says which. `docs/understanding-checks.md` has
the figures.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
SWITCHES: list[str] = []
"""The names of all parts that can be switched off, in the order in which their modules are imported."""
_off: ContextVar[frozenset[str]] = ContextVar("off", default=frozenset())
_watching: ContextVar[Callable[[str], None] | None] = ContextVar("watching", default=None)


@contextmanager
def switched_off(names: Collection[str]) -> Iterator[None]:
    """Run something without these parts."""
    token = _off.set(frozenset(names))
    try:
        yield
    finally:
        _off.reset(token)


@contextmanager
def watched(listener: Callable[[str], None]) -> Iterator[None]:
    """Tell a listener the name of each part that changes something."""
    token = _watching.set(listener)
    try:
        yield
    finally:
        _watching.reset(token)


def is_off(name: str) -> bool:
    """Whether a part is switched off."""
    return name in _off.get()


def report(name: str) -> None:
    """Report that a part has changed something."""
    if (listener := _watching.get()) is not None:
        listener(name)


def as_given(first: Any, *_: Any, **__: Any) -> Any:
    """Return the first argument."""
    return first


def nothing(*_: Any, **__: Any) -> Any:
    """Return None."""
    return None


def switchable(otherwise: Callable[..., Any] = as_given, name: str = "") -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function a part that can be switched off; `otherwise` gives its result then."""

    def decorate(part: Callable[P, R]) -> Callable[P, R]:
        known = name or part.__name__
        SWITCHES.append(known)

        @functools.wraps(part)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            without: R = otherwise(*args, **kwargs)
            if is_off(known):
                return without
            found = part(*args, **kwargs)
            if found != without:
                report(known)
            return found

        return call

    return decorate
