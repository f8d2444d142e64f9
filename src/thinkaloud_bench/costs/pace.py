"""Measure how many times as long the large model takes for a token as the small one.

    python -m thinkaloud_bench.costs.pace [--rounds N]

Both are open at once and take turns. Prints processor seconds, which other work on the machine changes little, and
their ratios. From these, `models/pace.py` estimates either model from the other.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from statistics import median

from thinkaloud.models import Model, ModelSettings, open_model
from thinkaloud.models.contract import in_role
from thinkaloud.untrusted.output import write_line

_NAMES = ("embedded", "embedded-large")
_TEXT = "The robot brings the red cup from the shelf in the kitchen to the table by the window. "
_PARTS = {"read 360": (_TEXT * 19, 1), "read 150": (_TEXT * 8, 1), "write 16": (_TEXT * 8 + "Then", 16)}
"""What is asked of each model: a text that continues what it has read before, and how much it may write."""


async def _spent(model: Model, number: int) -> dict[str, float]:
    """Processor seconds of each part for a token that is read or written."""
    found = {}
    for part, (text, most) in _PARTS.items():
        began = time.process_time()
        used = (await model.complete(f"{part[:4]} {number}. {text}", most=most)).usage
        tokens = used.generated if most > 1 else used.evaluated
        found[part] = (time.process_time() - began) / tokens
    return found


async def measure(rounds: int) -> None:
    """Print a line for each part."""
    settings = ModelSettings(reading_cache=0, context=2048, slots=2)
    opened = {name: open_model(name, settings) for name in _NAMES}
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in _NAMES}
    try:
        for number in range(rounds):
            for name, model in opened.items():
                rows[name].append(await _spent(in_role(model, "listener"), number))
    finally:
        for model in opened.values():
            await model.close()
    write_line(f"{'ms a token (of the processor)':<30}{''.join(f'{name:>16}' for name in _NAMES)}{'ratio':>8}")
    for part in _PARTS:
        small, large = (1000 * median(row[part] for row in rows[name]) for name in _NAMES)
        write_line(f"{part:<30}{small:16.1f}{large:16.1f}{large / small:8.1f}")


def main(arguments: list[str]) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m thinkaloud_bench.costs.pace")
    parser.add_argument("--rounds", type=int, default=3)
    asyncio.run(measure(parser.parse_args(arguments).rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
