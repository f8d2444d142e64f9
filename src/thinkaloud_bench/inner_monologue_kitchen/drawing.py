"""The causes of failures as stacked bars, without disturbances and with them beside each other (the paper's Fig. 4)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from thinkaloud_bench.contract import Row
from thinkaloud_bench.inner_monologue_kitchen.causes import CAUSES
from thinkaloud_bench.plots import INSTALL_PLOTS, new_figure

_COLOURS = {"planning": "#4c72b0", "control": "#dd8452", "detection": "#8172b3"}
_WIDTH = 0.38


def draw_causes(found: Sequence[Row], title: str, folder: Path) -> list[str]:
    """Write causes.png; return what the user should know if that fails."""
    rows = [row for row in found if row.metric in CAUSES and not row.task.startswith("mean")]
    if not rows:
        return []
    figure = new_figure(max(7.0, 1.6 * len({row.preset for row in rows})), 4.5)
    if figure is None:
        return [INSTALL_PLOTS]
    axes, presets = figure.add_subplot(), list(dict.fromkeys(row.preset for row in rows))
    for side, disturbed in enumerate((False, True)):
        own = [row for row in rows if row.task.endswith("-disturbed") is disturbed]
        places = [at + (side - 0.5) * (_WIDTH + 0.04) for at in range(len(presets))]
        heights = [0.0] * len(presets)
        for cause in CAUSES:
            shares = [_share(own, preset, cause) for preset in presets]
            label = cause if not disturbed else None
            edge = {"edgecolor": "crimson", "linewidth": 1.4} if disturbed else {}
            axes.bar(places, shares, _WIDTH, bottom=heights, color=_COLOURS[cause], label=label, **edge)
            heights = [low + more for low, more in zip(heights, shares, strict=True)]
    axes.set_xticks(range(len(presets)), presets, rotation=15, ha="right", fontsize="small")
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of episodes that failed")
    axes.set_title(f"{title}\nleft: no disturbances, right (red): with disturbances", fontsize="medium")
    axes.legend(fontsize="small")
    figure.savefig(folder / "causes.png", dpi=150)
    return []


def _share(rows: Sequence[Row], preset: str, cause: str) -> float:
    """The share over all episodes of a preset on one side."""
    own = [row for row in rows if row.preset == preset and row.metric == cause]
    count = sum(row.n for row in own)
    return sum(row.value * row.n for row in own) / count if count else 0.0
