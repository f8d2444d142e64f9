"""What exported parts reach on scenes that nothing was trained or calibrated on: a few columns of the benchmarks.

    python -m training.vision.measure results/vision eyes --jobs 8
    python -m training.vision.measure results/vision --table

Seeds begin at 5000, so the tests of the benchmarks, at 0, stay unseen.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.vision.plan import PARTS

SEED = 5000


@dataclass(frozen=True)
class Measured:
    """The benchmark of a part, its column, its tasks, how many episodes of each, and the metrics of the table."""

    bench: str
    column: str
    tasks: tuple[str, ...]
    episodes: int
    metrics: tuple[str, ...]


_BENCHES = {
    "eyes": Measured(
        "random-tables",
        "learned:{}",
        ("plain", "clutter", "kept_back", "fallen", "kitchen", "kitchen_kept_back", "dishes", "dishes_kept_back"),
        40,
        ("precision", "recall", "accuracy"),
    ),
    "hands": Measured("single-steps", "learned:{}", ("seen", "unseen", "wording"), 60, ("success",)),
    "senses": Measured("success-senses", "both:{}", ("seen", "unseen"), 60, ("precision", "recall", "accuracy")),
    "kitchen_senses": Measured(
        "success-senses", "both:{}", ("kitchen", "kitchen_unseen"), 120, ("precision", "recall", "accuracy")
    ),
    "tasks": Measured(
        "inner-monologue-tabletop",
        "policy_until_done:{}",
        ("pick-and-place", "stack", "corner-or-side", "bowl"),
        8,  # each is up to fifteen steps
        ("success",),
    ),
}


def measure(out: Path, part: str, scale: float, jobs: int) -> None:
    """Play episodes with an exported part; what was played before is kept only if it was with the same file."""
    from thinkaloud.settings import load
    from thinkaloud_bench.running import run_bench

    of = _BENCHES[part]
    file = exported(out, part)
    run_bench(
        bench=of.bench,
        presets=[of.column.format(file)],
        model="embedded",  # no episode asks it
        episodes=max(round(of.episodes * min(scale, 1.0)), 1),
        seed=SEED,
        jobs=jobs,
        episodes_file=None,
        out=out / "measured" / part / str(file.stat().st_mtime_ns),
        settings=load(),
        progress=lambda done, all_of, what: print(f"{of.bench}: {done} of {all_of}", flush=True),
        tasks=of.tasks,
    )


def exported(out: Path, part: str) -> Path:
    """Return the path of an exported part."""
    return (out / "export" / f"{part}.onnx").resolve()


def table(out: Path, parts: Collection[str] = PARTS) -> str:
    """Return what was measured of these parts as a table."""
    lines = ["| part | benchmark | task | metric | value | 95 % | n |", "|---|---|---|---|---:|---:|---:|"]
    for part in filter(_BENCHES.__contains__, parts):
        bench, metrics = _BENCHES[part].bench, _BENCHES[part].metrics
        results = sorted((out / "measured" / part).glob("*/results.json"), key=lambda path: path.stat().st_mtime)
        if not results:
            lines.append(f"| {part} | {bench} | | not measured | | | |")
            continue
        for row in json.loads(results[-1].read_text(encoding="utf-8"))["rows"]:
            if row["metric"] in metrics and row["value"] is not None:
                between = f"{row['low']:.2f}–{row['high']:.2f}" if row["low"] is not None else ""
                told = row["task"], row["metric"], f"{row['value']:.3f}", between, str(row["n"])
                lines.append(f"| {' | '.join((part, bench, *told))} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("part", nargs="?", choices=PARTS)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0, help="how many episodes, as a share of the usual number")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    if given.part:
        measure(given.out, given.part, given.scale, given.jobs)
    if given.table:
        print(table(given.out))


if __name__ == "__main__":
    main()
