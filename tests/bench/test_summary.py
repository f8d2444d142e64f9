"""One table of all targets, from results that are made up."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from thinkaloud_bench import summary

BENCH = Path(__file__).parents[2] / "bench"
SCENE = "inner_monologue:feedback=object+scene"


def row(preset: str, task: str, value: float, metric: str = "success", paper: float | None = None) -> dict[str, Any]:
    own = {"preset": preset, "task": task, "metric": metric, "value": value, "paper": paper}
    return {**own, "low": value / 2, "high": (1 + value) / 2, "n": 20}


def write(folder: Path, bench: str, model: str, *rows: dict[str, Any]) -> None:
    (folder / bench / model).mkdir(parents=True)
    (folder / bench / model / "results.json").write_text(json.dumps({"model": model, "seed": 0, "rows": rows}))


def cells(table: str, what: str) -> list[str]:
    """The one line of the table that is about something, without what stands before it."""
    (line,) = [line for line in table.splitlines() if line.startswith(f"| {what}")]
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    im = "inner-monologue-tabletop"
    ceiling = [row("ceiling", "bowl", 0.9), row("ceiling", "stack", 0.9)]
    write(tmp_path, im, "embedded", row(SCENE, "bowl", 0.86), row(SCENE, "stack", 0.5), *ceiling)
    write(tmp_path, im, "embedded-base", row(SCENE, "bowl", 0.2), *ceiling)
    home = [row("hicrisp", "watch_tv", 0.8, "recall", 0.7), row("hicrisp", "eat", 0.7, "recall", 0.7)]
    write(tmp_path, "hicrisp", "embedded", *home)
    write(tmp_path, "shell-game", "embedded-base", row("state", "20", 0.25))
    write(
        tmp_path, "speed", "embedded", row("short", "mean", 0.41, "median_seconds"), row("short", "mean", 1.3, "ratio")
    )
    write(tmp_path, "multitalk", "a-model-with-one-bench", row("multitalk", "mean", 1.0))
    return tmp_path


def test_a_figure_has_its_interval_and_how_many_episodes_are_behind_it(results: Path) -> None:
    table = summary.render_summary(summary.read_results(results))
    assert cells(table, "target") == ["target", "wanted", "`embedded`", "`embedded-base`"]
    bowl = cells(table, "Inner Monologue, all in a bowl")
    assert bowl[1:] == ["≥ 86 %", "86 % [43–93], 20", "20 % [10–60], 20"]
    assert cells(table, "Median decision, seconds")[1:] == ["≤ 0.60", "0.41", "–"]


def test_what_was_not_measured_is_a_dash(results: Path) -> None:
    table = summary.render_summary(summary.read_results(results))
    assert cells(table, "ITP, random guidelines")[1:] == ["≥ 90 %", "–", "–"]
    assert cells(table, "MultiTalk, all tasks")[1:] == ["≥ 85 %", "–", "–"]
    assert cells(table, "Shell game, 20 swaps")[2:] == ["–", "25 % [12–62], 20"]
    assert cells(table, "Inner Monologue, matching bowls (unseen)")[1:] == ["", "–", "–"]  # no ceiling: nothing wanted


def test_a_star_marks_what_the_first_model_misses(results: Path) -> None:
    table = summary.render_summary(summary.read_results(results))
    starred = {line.split("|")[1].strip() for line in table.splitlines() if line.split("|")[1:2] and " * |" in line}
    assert starred == {
        "Inner Monologue, stack all the blocks: 95 % of the ceiling *",
        "HiCRISP, Table I, recall, eat: above the paper *",  # as good as the paper is not above it
        "Time over what the engine needs *",
    }
    assert table.endswith("`*`: missed by `embedded`.\n")


def test_the_command_writes_the_table_beside_the_results(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["summary.py", str(results)])
    summary.main()
    written = (results / "summary.md").read_text(encoding="utf-8")
    assert written == summary.render_summary(summary.read_results(results))
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(sys, "argv", ["summary.py", str(tmp_path / "empty"), "--out", str(tmp_path / "none.md")])
    summary.main()
    assert (tmp_path / "none.md").read_text() == "No results.\n"


def test_the_committed_results_can_be_read() -> None:
    table = summary.render_summary(summary.read_results(BENCH))
    assert "`embedded-base`" in cells(table, "target")
    assert len({len(line.split("|")) for line in table.splitlines() if line.startswith("|")}) == 1


def test_the_committed_summary_is_that_of_the_committed_results() -> None:
    assert summary.render_summary(summary.read_results(BENCH)) == (BENCH / "summary.md").read_text(encoding="utf-8")
