"""A benchmark whose first episode is over at once and whose others never end; who plays one leaves its number behind.

python endless_bench.py JOBS OUT      runs it on the command line
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from thinkaloud.cli import cli
from thinkaloud_bench import BENCHES
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Task
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import by_preset, fractions, success


def _leave_number() -> None:
    Path(f"playing-{os.getpid()}").touch()


async def play(item: Item, model: OpenedModel) -> Played:
    if item.index:
        _leave_number()
        await asyncio.Event().wait()
    return played_as(item, [], success=True, seconds=0.0, model="none")


def rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    found = by_preset(presets, bench, played).items()
    return [row for preset, tasks in found for row in fractions(bench, preset, tasks, "success", success)]


ENDLESS = Bench(
    "endless", "", {"only": Task("only", "The only one")}, ("drawn",), play=play, rows=rows, draw=bars, only_own=True
)

if __name__ == "__main__":
    import endless_bench  # what the workers know it by

    BENCHES.find = lambda name: endless_bench.ENDLESS  # type: ignore[method-assign]
    jobs, out = sys.argv[1:]
    cli.main(["bench", "endless", "--preset", "drawn", "--episodes", "9", "--jobs", jobs, "--out", out])
