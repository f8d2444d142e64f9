"""A bar plot of success by task and preset, with the intervals and the paper's figures; needs matplotlib."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from thinkaloud.bench.rows import Row

INSTALL = "No plot: matplotlib is not installed. Install it with: pip install 'thinkaloud[plots]'"


def draw(found: Iterable[Row], title: str, path: Path) -> list[str]:
    """Write the plot; what has to be said if that is not possible."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return [INSTALL]
    rows = [row for row in found if row.metric == "success"]
    presets, tasks = (list(dict.fromkeys(names)) for names in ((r.preset for r in rows), (r.task for r in rows)))
    if not rows:
        return []
    figure = Figure(figsize=(max(7.0, 1.6 * len(tasks)), 4.5), layout="constrained")
    axes = figure.add_subplot()
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
    axes.set_ylabel("success")
    axes.set_title(title)
    axes.legend(fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.25), ncols=3)
    figure.savefig(path, dpi=150)
    return []
