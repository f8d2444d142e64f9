"""Measure what learned eyes, hands and senses take: run `python -m thinkaloud_bench.costs.learned_parts`.

Each part gets the same picture again and again, after a first one that does not count: `look` finds everything of the
catalogue in a picture, `point` says where to pick and where to place, `judge` whether a step worked, among 24 other
sentences. Prints medians, by the clock and in processor time, which a busy machine lengthens less.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

from thinkaloud.worlds.hands import open_hands
from thinkaloud.worlds.success_senses import open_senses
from thinkaloud.worlds.vision import open_eyes
from thinkaloud_bench.staged_pictures import picture_dishes, picture_kitchen
from thinkaloud_worlds.real_table import RealTable
from thinkaloud_worlds.tabletop import Tabletop

TIMES = 30
_SEED = 3
_COLOURS = ("red", "green", "blue", "yellow", "gray")


def measure_learned(times: int = TIMES) -> dict[str, dict[str, float]]:
    """Return milliseconds of each part, by name: `clock` and `processor`."""
    return {name: _measure(part, times) for name, part in _parts()}


def _parts() -> Iterator[tuple[str, Callable[[], object]]]:
    eyes, hands, senses = open_eyes("learned"), open_hands("learned"), open_senses("learned")
    table, sorting = Tabletop(), RealTable(task="sorting")
    for world in (table, sorting):
        world.reset(_SEED)
    kitchen, dishes = picture_kitchen(_SEED), picture_dishes(_SEED)
    for name, view, catalogue in (
        ("look at a table", table.view(), table.appearances()),
        ("look at a heap", sorting.view(), sorting.appearances()),
        ("look at a kitchen", kitchen.view, kitchen.catalogue),
        ("look at dishes", dishes.view, dishes.catalogue),
    ):
        yield name, partial(eyes.look, view, catalogue)
    above = table.from_above()
    words = [f"Pick the {one} block and place it on the {other} bowl." for one, other in product(_COLOURS, _COLOURS)]
    yield "point", partial(hands.point, *above, words[0])
    yield "judge", partial(senses.judge, above, above, words[0], words[1:])


def _measure(part: Callable[[], object], times: int) -> dict[str, float]:
    part()
    clock, processor = list[float](), list[float]()
    for _ in range(times):
        began, used = time.perf_counter(), time.process_time()
        part()
        clock.append((time.perf_counter() - began) * 1000)
        processor.append((time.process_time() - used) * 1000)
    return {"clock": statistics.median(clock), "processor": statistics.median(processor)}


if __name__ == "__main__":
    for part_name, took in measure_learned().items():
        sys.stdout.write(
            f"{part_name:20} {took['clock']:7.1f} ms by the clock, {took['processor']:6.1f} ms processor\n"
        )
