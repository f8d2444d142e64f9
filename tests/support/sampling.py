"""Which cases of a test are tried where not all of them are: the same ones each time, others from test to test.

Tests of the same cases (every world, every preset) so come round to all of them together.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence


def left_out(tests: Sequence[tuple[str, int | None]]) -> Iterator[int]:
    """The places of cases that are not tried; each is a test, and every how many-th case is: 0 is none, None is all."""
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
