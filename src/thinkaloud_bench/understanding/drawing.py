"""What is drawn and written besides the tables: outcomes, kinds of requests, and the curve of silent errors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thinkaloud_bench.contract import Bench, Row
from thinkaloud_bench.plots import INSTALL_PLOTS, new_figure
from thinkaloud_bench.rows import MEAN
from thinkaloud_bench.understanding.judging import OUTCOMES
from thinkaloud_bench.understanding.scoring import SURE, TAG

_COLOURS = {"right": "#3a8f5c", "asked": "#7fb3d5", "declined": "#c9c9c9", "failed": "#e2b34d", "silent": "#b8433c"}


def draw_understanding(bench: Bench, found: Sequence[Row], title: str, folder: Path) -> list[str]:
    """Write tags.md, curve.md and, with matplotlib, outcomes.png and curve.png."""
    (folder / "tags.md").write_text(_tags(found), encoding="utf-8")
    curve = [row for row in found if row.metric.startswith(SURE)]
    if curve:
        (folder / "curve.md").write_text(_curve(curve), encoding="utf-8")
    means = [row for row in found if row.task == MEAN and row.metric in OUTCOMES]
    figure = new_figure(7.0, 4.0)
    if figure is None:
        return [INSTALL_PLOTS]
    _draw_outcomes(figure.add_subplot(), means, title)
    figure.savefig(folder / "outcomes.png", dpi=150)
    if curve:
        figure = new_figure(6.0, 4.5)
        _draw_curve(figure.add_subplot(), curve, title)
        figure.savefig(folder / "curve.png", dpi=150)
    return []


def _presets(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row.preset for row in rows))


def _tags(found: Sequence[Row]) -> str:
    """A table for each preset: kinds of requests down, outcomes across."""
    rows = [row for row in found if row.metric.startswith(TAG)]
    parts = []
    for preset in _presets(rows):
        cells = {(row.task, row.metric): row for row in rows if row.preset == preset}
        lines = [f"**{preset}**, in % of the requests", "", _line("kind of request", *OUTCOMES, "requests")]
        lines.append(_line("---", *["---:"] * (len(OUTCOMES) + 1)))
        for task in dict.fromkeys(task for task, _ in cells):
            values = [f"{100 * cells[task, f'{TAG}{outcome}'].value:.0f}" for outcome in OUTCOMES]
            lines.append(_line(task, *values, str(cells[task, f"{TAG}right"].n)))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _curve(rows: Sequence[Row]) -> str:
    """A table for each preset: how sure it has to be, and what comes of that."""
    parts = []
    for preset in _presets(rows):
        cells = {(row.task, row.metric): row.value for row in rows if row.preset == preset}
        lines = [f"**{preset}**, in % of the requests", ""]
        lines += [_line("sure from", "silent", "asks", "right"), _line(*["---:"] * 4)]
        for task in dict.fromkeys(task for task, _ in cells):
            values = [f"{100 * cells[task, f'{SURE}{metric}']:.1f}" for metric in ("silent", "help_rate", "right")]
            lines.append(_line(task, *values))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _draw_outcomes(axes: Any, means: Sequence[Row], title: str) -> None:
    presets = _presets(means)
    left = dict.fromkeys(presets, 0.0)
    for outcome, colour in _COLOURS.items():
        values = {row.preset: row.value for row in means if row.metric == outcome}
        widths = [values.get(preset, 0.0) for preset in presets]
        axes.barh(range(len(presets)), widths, left=[left[p] for p in presets], color=colour, label=outcome)
        left = {preset: left[preset] + values.get(preset, 0.0) for preset in presets}
    axes.set_yticks(range(len(presets)), [preset.replace(":", "\n", 1) for preset in presets], fontsize="small")
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_title(title)
    axes.legend(fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=len(_COLOURS))


def _draw_curve(axes: Any, curve: Sequence[Row], title: str) -> None:
    for preset in _presets(curve):
        asks = {row.task: row.value for row in curve if row.preset == preset and row.metric == f"{SURE}help_rate"}
        silent = [row for row in curve if row.preset == preset and row.metric == f"{SURE}silent"]
        x = [asks[row.task] for row in silent]
        (line,) = axes.plot(x, [row.value for row in silent], marker=".", label=preset)
        axes.fill_between(x, [r.low for r in silent], [r.high for r in silent], color=line.get_color(), alpha=0.15)
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("share of requests that are asked about")
    axes.set_ylabel("share of silent errors")
    axes.set_title(title)
    axes.legend(fontsize="small")
