"""What exported parts reach on scenes that nothing was trained or calibrated on: a few columns of the benchmarks.

    python -m training.vision.measure results/vision eyes --episodes 40 --jobs 8
    python -m training.vision.measure results/vision --table

Seeds begin at 5000, so the tests of the benchmarks, at 0, stay unseen.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

SEED = 5000
PARTS = ("eyes", "hands", "senses", "tasks")
_BENCHES: dict[str, tuple[str, str, tuple[str, ...], tuple[str, ...]]] = {
    "eyes": ("random-tables", "learned:{}", ("plain", "clutter", "kept_back"), ("precision", "recall")),
    "hands": ("single-steps", "learned:{}", ("seen", "unseen", "wording"), ("success",)),
    "senses": ("success-senses", "both:{}", ("seen", "unseen"), ("precision", "recall", "accuracy")),
    "tasks": ("inner-monologue-tabletop", "policy_until_done:{}", (), ("success",)),
}


def measure(out: Path, part: str, episodes: int, jobs: int) -> None:
    """Play episodes with an exported part; what was played before is kept only if it was with the same file."""
    from thinkaloud.settings import load
    from thinkaloud_bench.running import run_bench

    bench, column, tasks, _ = _BENCHES[part]
    file = exported(out, part)
    run_bench(
        bench=bench,
        presets=[column.format(file)],
        model="embedded",  # no episode asks it
        episodes=episodes,
        seed=SEED,
        jobs=jobs,
        episodes_file=None,
        out=out / "measured" / part / str(file.stat().st_mtime_ns),
        settings=load(),
        progress=lambda done, of, what: print(f"{bench}: {done} of {of}", flush=True),
        tasks=tasks or None,
    )


def exported(out: Path, part: str) -> Path:
    """Return the path of an exported part."""
    return (out / "export" / f"{part}.onnx").resolve()


def table(out: Path) -> str:
    """Return what was measured as a table."""
    lines = ["| part | benchmark | task | metric | value | 95 % | n |", "|---|---|---|---|---:|---:|---:|"]
    for part in PARTS:
        bench, _, _, metrics = _BENCHES[part]
        results = sorted((out / "measured" / part).glob("*/results.json"), key=lambda path: path.stat().st_mtime)
        if not results:
            lines.append(f"| {part} | {bench} | | not measured | | | |")
            continue
        for row in json.loads(results[-1].read_text(encoding="utf-8"))["rows"]:
            if row["metric"] in metrics and row["value"] is not None:
                between = f"{row['low']:.2f}–{row['high']:.2f}" if row["low"] is not None else ""
                told = row["task"], row["metric"], f"{row['value']:.3f}", between, str(row["n"])
                lines.append(" | ".join(["|", part, bench, *told, "|"]).replace("| |", "|").strip())
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("part", nargs="?", choices=PARTS)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    if given.part:
        measure(given.out, given.part, given.episodes, given.jobs)
    if given.table:
        print(table(given.out))


if __name__ == "__main__":
    main()
