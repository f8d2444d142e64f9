"""Programs in the sandbox, with a few functions of a robot's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from thinkaloud.errors import CodeRefused
from thinkaloud.execute.sandbox import Bounds, Sandbox

SMALL = Bounds(seconds=0.5, memory=8 * 2**20, depth=30, calls=20)
"""For what is to be refused."""
PATIENT = replace(SMALL, seconds=60.0)
"""For what is to run to its end, however busy the machine is."""
BLOCKS = ("red block", "blue block", "green block")


def run(code: str, bounds: Bounds = PATIENT, **more: Callable[..., Any]) -> list[Any]:
    """Run a program; what it showed, in order."""
    shown: list[Any] = []
    functions: dict[str, Callable[..., Any]] = {
        "show": shown.append,
        "blocks": lambda is_=None: BLOCKS if is_ is None else (),
        "weight": lambda thing: len(str(thing)),
        "put_first_on_second": lambda first, second: shown.append((first, second)),
    }
    Sandbox(bounds).run(code, functions | more)
    return shown


def refusal(code: str, bounds: Bounds = SMALL, **more: Callable[..., Any]) -> str:
    with pytest.raises(CodeRefused) as caught:
        run(code, bounds, **more)
    assert caught.value.words == code
    return str(caught.value)
