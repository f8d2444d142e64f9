"""Measure how far the search for steps gets: problems of growing size, with and without a planner for large ones.

    python -m thinkaloud_bench.costs.planning [--kinds blocks,hall] [--seeds N] [--order]

Prints for each size how many problems were solved (the steps carried out, all goals met), and the median processor time
(ours and the planner's) and number of steps of the solved ones. With `--order`, the goals are actions in a given order,
as in a request.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable
from dataclasses import replace
from os import times

from thinkaloud.plan.search import Found, find_steps
from thinkaloud.plan.search import fast_downward as downward
from thinkaloud_bench.costs.drawn_problems import KINDS

SIZES = {"blocks": (8, 16, 24), "hall": (3, 4), "parcels": (4, 8, 12), "house": (8, 12, 16, 24)}
_LONG = 3600.0
"""The number of states searched should decide, not how busy the machine is."""
Tried = tuple[int | None, float]
"""The steps, if it was solved, and the seconds."""


def try_problem(kind: str, size: int, seed: int, *, order: bool) -> Tried:
    """Find the steps for a problem, and carry them out."""
    robot, sought = KINDS[kind](size, seed)
    sought = replace(sought, in_order=True) if order else replace(sought, deeds=())
    began = _worked()
    found = find_steps(robot, robot.observe(), sought, seconds=_LONG)
    spent = _worked() - began
    if not isinstance(found, Found):
        return None, spent
    robot.do(found.steps)
    return (len(found.steps) if all(map(robot.holds, sought.wishes)) else None), spent


def _worked() -> float:
    now = times()
    return now.user + now.system + now.children_user + now.children_system


def render_line(kind: str, size: int, tried: Iterable[Tried]) -> str:
    """A line of the table."""
    tried = list(tried)
    steps = [count for count, _ in tried if count is not None]
    seconds = statistics.median(each for _, each in tried)
    return f"| {kind} {size} | {len(steps)}/{len(tried)} | {seconds:.1f} | {round(statistics.median(steps or [0]))} |\n"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--order", action="store_true")
    chosen = parser.parse_args()
    sys.stdout.write(f"with a planner for large problems: {'yes' if downward.is_installed() else 'no'}\n\n")
    sys.stdout.write("| problem | solved | seconds | steps |\n|---|---:|---:|---:|\n")
    for kind in chosen.kinds.split(","):
        for size in SIZES[kind]:
            tried = [try_problem(kind, size, seed, order=chosen.order) for seed in range(chosen.seeds)]
            sys.stdout.write(render_line(kind, size, tried))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
