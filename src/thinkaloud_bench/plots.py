"""A bar plot by task and preset, with the intervals and the paper's figures; needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thinkaloud_bench.contract import Bench, Row

INSTALL_PLOTS = "No plot: matplotlib is not installed. Install it with: pip install 'thinkaloud[plots]'"


def bars(bench: Bench, found: Sequence[Row], title: str, folder: Path) -> list[str]:
    """Write METRIC.png for every fraction that has a table; return what the user should know if that fails."""
    for shown in bench.shown:
        rows = [row for row in found if row.metric == shown.metric]
        if rows and shown.percent:
            tasks = len({row.task for row in rows})
            figure = new_figure(max(7.0, 1.6 * tasks), 4.5)
            if figure is None:
                return [INSTALL_PLOTS]
            _bars(figure.add_subplot(), rows, title, shown.title)
            figure.savefig(folder / f"{shown.metric}.png", dpi=150)
    return []


def new_figure(width: float, height: float) -> Any:
    """An empty figure, or None without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    return Figure(figsize=(width, height), layout="constrained")


def _bars(axes: Any, rows: list[Row], title: str, metric: str) -> None:
    presets, tasks = (list(dict.fromkeys(names)) for names in ((r.preset for r in rows), (r.task for r in rows)))
    width = 0.8 / len(presets)
    for at, preset in enumerate(presets):
        own = [row for row in rows if row.preset == preset]
        x = [tasks.index(row.task) + (at - (len(presets) - 1) / 2) * width for row in own]
        reach = [[row.value - row.low for row in own], [row.high - row.value for row in own]]
        axes.bar(x, [row.value for row in own], width, yerr=reach, label=preset, capsize=2, error_kw={"linewidth": 0.8})
        published = [(place, row.paper) for place, row in zip(x, own, strict=True) if row.paper is not None]
        if published:
            label = "the paper" if preset == next((r.preset for r in rows if r.paper is not None), "") else None
            axes.plot(*zip(*published, strict=True), "k_", markersize=width * 60, markeredgewidth=2, label=label)
    axes.set_xticks(range(len(tasks)), [task.replace("-", " ") for task in tasks], rotation=20, ha="right")
    axes.set_ylim(0, 1)
    axes.set_ylabel(metric)
    axes.set_title(title)
    axes.legend(fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.25), ncols=3)
