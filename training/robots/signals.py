"""What tells right readings from wrong ones: each signal alone, and all of them fitted together.

    python -m training.robots.signals results/training/embedded.jsonl results/training/vague.jsonl

For each source of requests, for all of them together, and for the requests that describe what they mean, it prints how
often a right reading has a higher value than a wrong one (the area under the curve, with a 95 % interval), of what
`training.robots.measure` wrote. The fitted combination is that of other robots than the one at hand.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from thinkaloud.program.words import ALL_OF, ANY_OF, THE, THE_OTHER
from thinkaloud.records import WEIGHED
from training.robots.fit import LIKELIHOODS, surer, values_unseen

FITTED, POOLED, DESCRIBED = "fitted together", "all", "described"
_ROUNDS = 4_000
_DESCRIPTION = re.compile(rf"\b(?:{'|'.join((THE, ANY_OF, ALL_OF, THE_OTHER))})\(")
Reading = Mapping[str, Any]


def sources_of(readings: Sequence[Reading]) -> dict[str, list[int]]:
    """Which readings are of which source, and of all; also those of requests that describe what they mean."""
    found: dict[str, list[int]] = {POOLED: list(range(len(readings)))}
    for at, each in enumerate(readings):
        found.setdefault(str(each["where"]), []).append(at)
        if _DESCRIPTION.search(str(each["meant"])):
            found.setdefault(DESCRIBED, []).append(at)
    return found


def signals_of(
    readings: Sequence[Reading], start: Mapping[str, float], rounds: int = _ROUNDS
) -> dict[str, list[float]]:
    """The value of every signal for every reading: the higher, the surer."""
    names = dict.fromkeys(name for each in readings for name in each["measured"])
    signs = {name: 1.0 if name in LIKELIHOODS else -1.0 for name in names}
    found = {name: [sign * float(each["measured"].get(name, 0.0)) for each in readings] for name, sign in signs.items()}
    if any(each.get("opinion") is not None for each in readings):  # measured beside the judge
        found["opinion"] = [float(each.get("opinion") or 0.0) for each in readings]
    return found | {FITTED: values_unseen(readings, start, rounds=rounds)}


def interval(area: float, right: int, wrong: int) -> float:
    """Half the width of the 95 % interval of an area under the curve (Hanley and McNeil 1982)."""
    if not right or not wrong:
        return float("nan")
    one, two = area / (2 - area), 2 * area**2 / (1 + area)
    spread = area * (1 - area) + (right - 1) * (one - area**2) + (wrong - 1) * (two - area**2)
    return 1.96 * math.sqrt(max(0.0, spread) / (right * wrong))


def render(readings: Sequence[Reading], signals: Mapping[str, Sequence[float]]) -> str:
    """The table: a line for each signal, best first, a column for each source."""
    sources = sources_of(readings)
    is_right = [bool(each["right"]) for each in readings]

    def area(name: str, source: str) -> float:
        chosen = sources[source]
        return surer([is_right[at] for at in chosen], [signals[name][at] for at in chosen])

    counts = {name: sum(is_right[at] for at in chosen) for name, chosen in sources.items()}
    lines = ["".join([f"{'':17}", *(f"{name:>16}" for name in sources)])]
    lines.append(
        "".join([f"{'right, wrong':17}", *(f"{f'{n}, {len(sources[s]) - n}':>16}" for s, n in counts.items())])
    )
    for name in sorted(signals, key=lambda each: -area(each, POOLED)):
        cells = []
        for source, chosen in sources.items():
            value = area(name, source)
            half = interval(value, counts[source], len(chosen) - counts[source])
            cells.append(f"{f'{value:.3f} ± {half:.3f}':>16}")
        lines.append(f"{name:17}" + "".join(cells))
    return "\n".join(lines)


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("readings", type=Path, nargs="+")
    given = options.parse_args()
    lines = [json.loads(line) for path in given.readings for line in path.read_text(encoding="utf-8").splitlines()]
    readings = [each for each in lines if each["got"] in WEIGHED]
    table = resources.files("thinkaloud.understand.checking").joinpath("certainty.toml").read_text(encoding="utf-8")
    print(render(readings, signals_of(readings, tomllib.loads(table)["models"]["default"])))


if __name__ == "__main__":
    main()
