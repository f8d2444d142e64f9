"""Estimate what a benchmark would cost with a hosted model, from the tokens of a run that was recorded.

    thinkaloud bench itp --model gguf:FILE --episodes 1 --out sample
    python -m thinkaloud_bench.costs.hosted sample --read 3 --written 15 [--cached 0.3] [--full]

Prices are for a million tokens, in any currency; without `--cached`, tokens from the cache cost as much as others. Take
a run of a model that was not trained on our form: a trained one reads no introductions. `--full` is for a whole table
of the default size; without it, the episodes are those of the run. The hosted model cuts text into other tokens and may
need more or fewer attempts, so this is an estimate; `money` in the results of a real run is exact.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from thinkaloud.errors import BadInput
from thinkaloud.models import Usage
from thinkaloud.models.usage import Prices
from thinkaloud_bench.benches import BENCHES
from thinkaloud_bench.contract import CEILING, Bench, Played
from thinkaloud_bench.episode_log import read_log
from thinkaloud_bench.running import items_of


@dataclass(frozen=True)
class Estimate:
    """What one column costs: tokens per episode, and money for a number of episodes."""

    preset: str
    episodes: int
    read: float
    cached: float
    written: float
    money: float


def estimate(bench: Bench, played: Sequence[Played], prices: Prices, *, full: bool, seed: int = 0) -> list[Estimate]:
    """Return the expected cost of each column that asked a model."""
    found = []
    for preset in dict.fromkeys(each.preset for each in played if each.preset != CEILING):
        own = [each for each in played if each.preset == preset]
        read, cached, written = (
            sum(getattr(each, name) for each in own) for name in ("evaluated", "cached", "generated")
        )
        if not read + cached:
            raise BadInput(f"The run records no tokens that {preset} read: its server does not report them.")
        count = len(items_of(bench, [preset], None, None, seed)) if full else len(own)
        money = prices.priced(Usage(read, cached, written, 0.0)).money * count / len(own)
        found.append(Estimate(preset, count, read / len(own), cached / len(own), written / len(own), money))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, metavar="DIR")
    options.add_argument("--read", type=float, required=True, metavar="PRICE")
    options.add_argument("--written", type=float, required=True, metavar="PRICE")
    options.add_argument("--cached", type=float, metavar="PRICE")
    options.add_argument("--full", action="store_true")
    given = options.parse_args(arguments)
    heading, played = read_log(given.folder)
    prices = Prices(given.read, given.read if given.cached is None else given.cached, given.written)
    total = 0.0
    for each in estimate(BENCHES.find(heading.bench), played, prices, full=given.full, seed=heading.seed):
        total += each.money
        tokens = f"{each.read:.0f} read, {each.cached:.0f} cached, {each.written:.0f} written"
        sys.stdout.write(f"{each.preset}: {each.episodes} episodes, each {tokens}: {each.money:.2f}\n")
    sys.stdout.write(f"All columns: {total:.2f}\n")


if __name__ == "__main__":
    main()
