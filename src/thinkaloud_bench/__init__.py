"""Benchmarks: a paper's own tasks, its own scoring, and its published table beside ours.

report = run_bench("inner-monologue-tabletop", presets=["ceiling"], model="embedded", episodes=5, seed=1000, jobs=1,
                   episodes_file=None, out=None, settings=load(), progress=lambda done, total, what: None)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thinkaloud.models import open_model as by_name
from thinkaloud.plugins import Registry
from thinkaloud.settings import Settings
from thinkaloud_bench.contract import Bench, Item, OpenModel, Played, Row
from thinkaloud_bench.report import Report
from thinkaloud_bench.running import Progress, run_benchmark

__all__ = ["BENCHES", "Bench", "Item", "Played", "Report", "Row", "run_bench"]


def _checked(name: str, found: Any) -> Bench:
    if not isinstance(found, Bench):
        raise ValueError(f"a Bench is wanted, not a {type(found).__name__}")
    if found.name != name:
        raise ValueError(f"it calls itself {found.name!r}")
    return found


BENCHES: Registry[Bench] = Registry(
    "benchmark",
    {
        name: f"thinkaloud_bench.{name.replace('-', '_')}:BENCH"
        for name in (
            "inner-monologue-tabletop",
            "statler",
            "shell-game",
            "itp",
            "multitalk",
            "hicrisp",
            "virtualhome",
            "robustness",
            "speed",
        )
    },
    _checked,
)
"""Benchmarks by name, loaded when they are asked for; other packages announce theirs under `thinkaloud.benchmarks`."""


def run_bench(
    bench: str | Bench,
    *,
    presets: Sequence[str] | None,
    model: str,
    episodes: int | None,
    seed: int,
    jobs: int,
    episodes_file: Path | None,
    out: Path | None,
    settings: Settings,
    progress: Progress,
    tasks: Sequence[str] | None = None,
    open_model: OpenModel = by_name,
) -> Report:
    """Run a benchmark, or go on with the one in `out`; None means all presets, all tasks, the paper's episodes.

    `bench` is the name of one, or one of your own.
    """
    return run_benchmark(
        BENCHES.find(bench) if isinstance(bench, str) else bench,
        presets=presets,
        model=model,
        episodes=episodes,
        seed=seed,
        jobs=jobs,
        out=out,
        settings=settings,
        progress=progress,
        tasks=tasks,
        open_model=open_model,
        episodes_file=episodes_file,
    )
