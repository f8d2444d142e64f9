"""Measure what the sandbox costs: an empty program, a function call, and the check before anything runs.

    python -m thinkaloud_bench.costs.sandbox [--repeat N]

Prints milliseconds for the cheapest of several runs: other work on the machine can only slow a run down. It is
wall-clock time, because the interpreter is another process. The worker starts once per process.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from time import perf_counter as now
from typing import Any

from thinkaloud.execute.program_language import read_program
from thinkaloud.execute.sandbox import Bounds, Sandbox

_CALLS = 100
_MANY = f"for i in range({_CALLS}):\n    put_first_on_second('red block', 'bowl')"
_TYPICAL = """\
order = ["red block", "green block", "blue block"]
for block in order:
    if is_dirty(block):
        put_first_on_second(block, "disinfector")
below = "yellow bowl"
for block in sorted(order, key=lambda name: len(name)):
    put_first_on_second(block, below)
    below = block
say(f"{len(order)} blocks are stacked in the yellow bowl")
"""


def _put_first_on_second(first: str, second: str) -> None:
    """Does nothing, so that only the call itself costs."""


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "put_first_on_second": _put_first_on_second,
    "is_dirty": lambda block: block == "red block",
    "say": lambda text: None,
}


def _cost(repeat: int, function: Callable[[], object]) -> float:
    """Milliseconds of the cheapest run."""
    found = []
    for _ in range(repeat):
        start = now()
        function()
        found.append(now() - start)
    return 1000 * min(found)


def _direct() -> None:
    """The same hundred calls without a sandbox."""
    for _ in range(_CALLS):
        _put_first_on_second("red block", "bowl")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeat", type=int, default=200)
    repeat = parser.parse_args().repeat
    sandbox = Sandbox(Bounds(calls=_CALLS))

    def run(code: str) -> Callable[[], None]:
        return lambda: sandbox.run(code, _FUNCTIONS)

    first = _cost(1, run(""))
    empty, one, many, typical = (
        _cost(repeat, run(code)) for code in ("", "put_first_on_second('red block', 'bowl')", _MANY, _TYPICAL)
    )
    wall = _cost(repeat, lambda: read_program(_TYPICAL, _FUNCTIONS, len(_TYPICAL)))
    bare = _cost(repeat, _direct) / _CALLS
    call = (many - empty) / _CALLS
    rows = {
        "first program of a process": first,
        "empty program": empty,
        "program of one call": one,
        f"each of {_CALLS} calls": call,
        "the same call without a sandbox": bare,
        "typical program of 9 lines, 8 calls": typical,
        "of it the check of its words": wall,
    }
    sys.stdout.writelines(f"{name:36}{value:12.5f} ms\n" for name, value in rows.items())
    sys.stdout.write(f"{'a call in it costs':36}{call / bare:12.0f} plain calls\n")


if __name__ == "__main__":
    main()
