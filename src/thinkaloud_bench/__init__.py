"""Benchmarks: a paper's own tasks, its own scoring, and its published table beside ours.

report = run_bench("inner-monologue-tabletop", presets=["ceiling"], model="embedded", episodes=5, seed=1000, jobs=1,
                   episodes_file=None, out=None, settings=load(), progress=lambda done, total, what: None)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from thinkaloud.errors import UnknownName
from thinkaloud.models import open_model as by_name
from thinkaloud.settings import Settings
from thinkaloud_bench import (
    hicrisp,
    inner_monologue_tabletop,
    itp,
    multitalk,
    robustness,
    shell_game,
    speed,
    statler,
    virtualhome,
)
from thinkaloud_bench.contract import Bench, Item, OpenModel, Played, Row
from thinkaloud_bench.report import Report
from thinkaloud_bench.running import Progress, run

__all__ = ["BENCHES", "Bench", "Item", "Played", "Report", "Row", "run_bench"]

BENCHES: dict[str, Bench] = {
    bench.name: bench
    for bench in (
        inner_monologue_tabletop.BENCH,
        statler.BENCH,
        shell_game.BENCH,
        itp.BENCH,
        multitalk.BENCH,
        hicrisp.BENCH,
        virtualhome.BENCH,
        robustness.BENCH,
        speed.BENCH,
    )
}


def run_bench(
    name: str,
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
    """Run a benchmark, or go on with the one in `out`; None means all presets, all tasks, the paper's episodes."""
    if name not in BENCHES:
        raise UnknownName("benchmark", name, BENCHES)
    return run(
        BENCHES[name],
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
