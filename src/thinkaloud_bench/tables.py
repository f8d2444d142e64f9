"""Put the figures of finished benchmarks into Markdown pages, between `<!-- table:NAME -->` and `<!-- end -->`.

    python -m thinkaloud_bench.tables README.md docs/benchmarks/*.md [--results bench]

For every region it reads bench/NAME/embedded/results.json; a region without results stays as it is.
`<!-- table:NAME:METRIC -->` shows another metric than `success`, and `<!-- table:NAME@MODEL -->` (or
`NAME:METRIC@MODEL`) the results in bench/NAME/MODEL. With `+means` at the end, tasks that belong to a group are shown
by the group's mean alone. `<!-- models:NAME:METRIC,METRIC@TASK -->` lists all models and presets that have results,
with these metrics of one task or of a mean. `<!-- papers:NAME:METRIC@PRESET -->` compares the paper's figure for its
preset, the same preset and `thinkaloud` with each model that has results, and the ceiling; with `+means` as above.
`<!-- accepting:understanding -->` shows the effect of the shipped confidence thresholds.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thinkaloud_bench.benches import BENCHES
from thinkaloud_bench.rows import groups_of, mean_paper, paper_of
from thinkaloud_bench.understanding.accepting import render_accepting

_MODEL = "embedded"
"""The default model, also for a region that names none."""
_METRIC = "success"
_PLAIN = (
    *("motions", "extra", "seconds", "tokens", "money", "questions", "needless", "revisions", "collisions", "saved"),
    *("median", "p90", "read_per", "written_per", "ratio", "looks"),
    *("rehearsal_seconds", "cues", "errors", "fixed_low", "fixed_high", "given_up", "corrector_calls", "astray"),
)  # prefixes of metrics that are not fractions
_QUARTILES = ("median_seconds", "ratio")
_REGION = re.compile(
    r"(?P<begin><!-- table:(?P<name>[\w-]+)(:(?P<metric>\w+))?(@(?P<model>[\w.-]+))?"
    r"(?P<means>\+means)? -->\n).*?(?P<end><!-- end -->)",
    re.DOTALL,
)

_MODELS = re.compile(
    r"(?P<begin><!-- models:(?P<name>[\w-]+):(?P<metrics>[\w,]+)@(?P<task>[\w ]+) -->\n).*?(?P<end><!-- end -->)",
    re.DOTALL,
)

_PAPERS = re.compile(
    r"(?P<begin><!-- papers:(?P<name>[\w-]+):(?P<metric>\w+)@(?P<preset>[\w:=+,;]+?)(?P<means>\+means)? -->\n)"
    r".*?(?P<end><!-- end -->)",
    re.DOTALL,
)
_UNTRAINED_FIRST = ("embedded-base", "qwen2.5-coder-1.5b", "embedded", "embedded-large")
"""The order of models, as far as they have one."""
_OURS, _CEILING = "thinkaloud", "ceiling"

_ACCEPTING = re.compile(r"(?P<begin><!-- accepting:(?P<name>[\w-]+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)


def render_models(found: Mapping[str, Mapping[str, Any]], metrics: Sequence[str], task: str) -> str:
    """Render models and presets as rows, and metrics of one task or of a mean as columns."""
    lines = [["model", "preset", *metrics, "n"], ["---", "---", *("---:" for _ in metrics), "---:"]]
    for model, results in found.items():
        rows = {(row["preset"], row["metric"]): row for row in results["rows"] if row["task"] == task}
        for preset in dict.fromkeys(preset for preset, _ in rows):
            cells = [rows.get((preset, metric)) for metric in metrics]
            count = str(next((row["n"] for row in cells if row is not None), 0))
            lines.append([f"`{model}`", f"`{preset}`", *map(_cell, cells), count])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n\nIn % [95 % interval], seed 0.\n"


def render_papers(
    found: Mapping[str, Mapping[str, Any]],
    metric: str,
    preset: str,
    *,
    means: Mapping[str, str] | None = None,
    printed: Mapping[str, float] | None = None,
) -> str:
    """Tasks down; across the paper's figure, its preset and ours with each model, and the ceiling.

    `printed` is the paper's own column, for what its preset has not played. The paper's mean is over the tasks of the
    fullest column.
    """
    ranked = sorted(found, key=lambda name: (*_UNTRAINED_FIRST, name).index(name))
    columns: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for wanted in (preset, _OURS, _CEILING):
        for model in ranked:
            for row in found[model]["rows"]:
                name = row["preset"]
                fits = name == wanted or (wanted == _OURS and name.partition(":")[0] == _OURS)
                if fits and row["metric"] == metric and (means is None or row["task"] not in means):
                    key = (wanted, "" if wanted == _CEILING else model)
                    columns.setdefault(key, {}).setdefault(row["task"], row)
    tasks = list(dict.fromkeys(task for column in columns.values() for task in column))
    tasks.sort(key=lambda task: task.startswith("mean") if means is None else not task.startswith("mean"))
    heads = [f"`{name}`, {model}" if model else f"`{name}`" for name, model in columns]
    lines = [["task", "the paper", *heads], ["---", "---:", *("---:" for _ in heads)]]
    for task in tasks:
        rows = [column.get(task) for column in columns.values()]
        papers = [(len(column), column[task]["paper"]) for column in columns.values() if task in column]
        said = max(((count, paper) for count, paper in papers if paper is not None), default=(0, None))[1]
        said = (printed or {}).get(task) if said is None else said
        cells = [_cell(None if row is None else {**row, "paper": None}) for row in rows]
        lines.append([task, "–" if said is None else _number(metric, said), *cells])
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    counts = {row["n"] for column in columns.values() for row in column.values()}
    unit = "" if metric.startswith(_PLAIN) else " in %"
    name = metric.replace("_", " ").capitalize()
    return f"{body}\n\n{name}{unit} [95 % interval], n from {min(counts, default=0)} to {max(counts, default=0)}.\n"


def render_table(results: Mapping[str, Any], metric: str = _METRIC, *, means: Mapping[str, str] | None = None) -> str:
    """A metric as Markdown: tasks down, presets across, `ours [95 % interval] (the paper's)`.

    `means` says which task belongs to which group; a group is then shown by its mean.
    """
    cells = {(row["task"], row["preset"]): row for row in results["rows"] if row["metric"] == metric}
    if means is not None:
        cells = {key: row for key, row in cells.items() if key[0] not in means}
    tasks, presets = (list(dict.fromkeys(key[at] for key in cells)) for at in (0, 1))
    tasks.sort(key=lambda task: task.startswith("mean") if means is None else not task.startswith("mean"))
    lines = [["task", *(f"`{preset}`" for preset in presets)], ["---", *("---:" for _ in presets)]]
    lines += [[task, *(_cell(cells.get((task, preset))) for preset in presets)] for task in tasks]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    name = metric.replace("_", " ").capitalize() + ("" if metric.startswith(_PLAIN) else " in %")
    beside = " (the paper's figure)" if any(row["paper"] is not None for row in cells.values()) else ""
    between = "quartiles" if metric.startswith(_QUARTILES) else "95 % interval"
    note = f"{name} [{between}]{beside}; {results['model']}, seed {results['seed']}"
    return f"{body}\n\n{note}, {_episodes(cells, by_group=means is not None)}.\n"


def _episodes(cells: Mapping[tuple[str, str], Mapping[str, Any]], *, by_group: bool) -> str:
    """Return how many episodes (or steps, for step rates and the like) are behind each figure."""
    counts = {row["n"] for (task, _), row in cells.items() if not task.startswith("mean")}
    metric = next((row["metric"] for row in cells.values()), _METRIC)
    if metric in ("success", "episode_success", "relative") and len(counts) == 1 and not by_group:
        return f"{counts.pop()} episodes per task"
    counts |= {row["n"] for row in cells.values()}
    least, most = min(counts, default=0), max(counts, default=0)
    return f"n = {most}" if least == most else f"n from {least} to {most}"


def _cell(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return "–"
    value, low, high = (_number(row["metric"], row[name]) for name in ("value", "low", "high"))
    paper = "" if row["paper"] is None else f" ({_number(row['metric'], row['paper'])})"
    return f"{value} [{low}–{high}]{paper}"


def _number(metric: str, value: float) -> str:
    if metric.startswith(_PLAIN):
        return f"{value:.2f}" if value < 10 else f"{value:.0f}"
    return f"{100 * value:.0f}"


def fill_tables(text: str, results: Path) -> str:
    """Return the text with every region rewritten that has results."""

    def rewrite(region: re.Match[str]) -> str:
        file = results / region["name"] / (region["model"] or _MODEL) / "results.json"
        if not file.is_file():
            return region[0]
        groups = _groups_of(region["name"]) if region["means"] else None
        shown = render_table(json.loads(file.read_text(encoding="utf-8")), region["metric"] or _METRIC, means=groups)
        return region["begin"] + shown + region["end"]

    def side_by_side(region: re.Match[str]) -> str:
        found = _results_in(results / region["name"])
        if not found:
            return region[0]
        return region["begin"] + render_models(found, region["metrics"].split(","), region["task"]) + region["end"]

    def with_the_paper(region: re.Match[str]) -> str:
        found = _results_in(results / region["name"])
        if not found:
            return region[0]
        groups = _groups_of(region["name"]) if region["means"] else None
        printed = _printed(region["name"], region["metric"], region["preset"])
        shown = render_papers(found, region["metric"], region["preset"], means=groups, printed=printed)
        return region["begin"] + shown + region["end"]

    def accepting(region: re.Match[str]) -> str:
        folder = results / region["name"]
        return region["begin"] + render_accepting(folder) + region["end"] if folder.is_dir() else region[0]

    for pattern, filled in (
        (_REGION, rewrite),
        (_MODELS, side_by_side),
        (_PAPERS, with_the_paper),
        (_ACCEPTING, accepting),
    ):
        text = pattern.sub(filled, text)
    return text


def _results_in(folder: Path) -> dict[str, Mapping[str, Any]]:
    """The results of a benchmark, by the name of the model's folder."""
    files = sorted(folder.glob("*/results.json"))
    return {file.parent.name: json.loads(file.read_text(encoding="utf-8")) for file in files}


def _printed(name: str, metric: str, preset: str) -> dict[str, float]:
    """The paper's column for a preset, and its mean of every group that the paper has whole."""
    bench = BENCHES.get(name)
    if bench is None:
        return {}
    column = paper_of(bench, metric, preset)
    groups = {group: mean_paper(column, tasks) for group, tasks in groups_of(bench, bench.tasks).items()}
    return {**column, **{group: mean for group, mean in groups.items() if mean is not None}}


def _groups_of(name: str) -> dict[str, str]:
    """The tasks of a benchmark that belong to a group."""
    return {task: each.group for task, each in BENCHES[name].tasks.items() if each.group}


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pages", type=Path, nargs="+", metavar="PAGE")
    options.add_argument("--results", type=Path, default=Path("bench"), metavar="FOLDER")
    given = options.parse_args()
    for page in given.pages:
        page.write_text(fill_tables(page.read_text(encoding="utf-8"), given.results), encoding="utf-8")


if __name__ == "__main__":
    main()
