"""Parts of understanding that can be switched off, to measure what each is worth.

    thinkaloud bench promise --preset "thinkaloud:confirm=never;without=find_rest+look_first"

A part that is off returns `otherwise`. `docs/understanding-checks.md` has the figures of those that were deleted.
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


@contextmanager
def switched_off(names: Collection[str]) -> Iterator[None]:
    """Run something without these parts."""
    token = _off.set(frozenset(names))
    try:
        yield
    finally:
        _off.reset(token)


def switchable(otherwise: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function a part that can be switched off; it then returns `otherwise`."""

    def decorate(part: Callable[P, R]) -> Callable[P, R]:
        SWITCHES.append(part.__name__)

        @functools.wraps(part)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            without: R = otherwise
            return without if part.__name__ in _off.get() else part(*args, **kwargs)

        return call

    return decorate
