"""Decide how much of a large test runs by default; `--all` runs everything.

The choice is the same in every run. It differs from test to test, so tests over the same cases (every world, every
preset) cover all of them together.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass
class Sampling:
    """Whether everything runs; `conftest.py` sets it from the command line."""

    everything: bool = False


SAMPLING = Sampling()


def how_many(few: int, *, of: int) -> int:
    """Return how many to try: `few` by default, all `of` them with `--all`."""
    return of if SAMPLING.everything else few


def left_out(tests: Sequence[tuple[str, int | None]]) -> Iterator[int]:
    """Yield the places of the cases to skip, given each case's test and its `sampled(n)`; None skips none, 0 all."""
    cases: dict[str, list[int]] = {}
    for place, (name, every) in enumerate(tests):
        if every == 0:
            yield place
        elif every is not None:
            cases.setdefault(name, []).append(place)
    for name, places in cases.items():
        apart = min(tests[places[0]][1] or 1, len(places))
        first = zlib.crc32(name.encode()) % apart
        yield from (place for number, place in enumerate(places) if number % apart != first)
