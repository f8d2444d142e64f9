"""The tables of the README: which metric, of which model."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from thinkaloud_bench.tables import fill_tables, render_table

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "hicrisp.md", *sorted((ROOT / "docs" / "benchmarks").glob("*.md"))]


def test_a_region_may_name_a_metric_and_a_model(tmp_path: Path) -> None:
    for model, value in (("embedded", 0.5), ("other-0.5b", 0.75)):
        row = {"preset": "p", "task": "t", "value": value, "low": 0.25, "high": 1.0, "paper": 0.9}
        rows = [{**row, "metric": "step_rate", "n": 12}, {**row, "metric": "seconds", "paper": None, "n": 12}]
        rows += [{**row, "metric": "episode_success", "n": 4}]
        (tmp_path / "b" / model).mkdir(parents=True)
        (tmp_path / "b" / model / "results.json").write_text(json.dumps({"model": model, "seed": 0, "rows": rows}))
    names = ("b:step_rate", "b:step_rate@other-0.5b", "b:seconds", "b:episode_success", "b@nobody")
    page = "".join(f"<!-- table:{name} -->\nold {name}\n<!-- end -->\n" for name in names)
    first, second, third, fourth, fifth = fill_tables(page, tmp_path).split("<!-- end -->")[:5]
    assert "| t | 50 [25–100] (90) |" in first and "Step rate in % [" in first and "n = 12." in first
    assert "| t | 75 [25–100] (90) |" in second and "other-0.5b, seed 0" in second
    assert "| t | 0.50 [0.25–1.00] |" in third and "Seconds [95 % interval];" in third
    assert "4 episodes per task" in fourth
    assert "old b@nobody" in fifth


def test_a_group_may_be_shown_by_its_mean_alone(tmp_path: Path) -> None:
    row = {"preset": "p", "value": 1.5, "low": 1.0, "high": 2.0, "paper": None, "metric": "extra"}
    rows = [{**row, "task": "milk", "n": 1}, {**row, "task": "random", "n": 7}, {**row, "task": "mean Table I", "n": 9}]
    (tmp_path / "itp" / "embedded").mkdir(parents=True)
    (tmp_path / "itp" / "embedded" / "results.json").write_text(
        json.dumps({"model": "embedded", "seed": 0, "rows": rows})
    )
    page = fill_tables("<!-- table:itp:extra+means -->\nold\n<!-- end -->\n", tmp_path)
    assert "milk" not in page and "old" not in page
    assert page.index("| mean Table I | 1.50 [1.00–2.00] |") < page.index("| random | 1.50")
    assert "n from 7 to 9" in page and "Extra [" in page


@pytest.mark.parametrize(
    "metric",
    [
        *("motions", "cues", "errors", "fixed_low", "fixed_high", "given_up", "corrector_calls"),
        *("collisions", "astray", "seconds", "tokens"),
    ],
)
def test_what_is_counted_is_not_shown_in_percent(metric: str) -> None:
    row = {"preset": "hicrisp", "task": "t", "value": 2.5, "low": 2.0, "high": 12.0, "paper": 10, "n": 4}
    shown = render_table({"model": "m", "seed": 0, "rows": [{**row, "metric": metric}]}, metric)
    assert "| t | 2.50 [2.00–12] (10) |" in shown and "in %" not in shown


def test_the_share_of_errors_that_were_put_right_is_shown_in_percent() -> None:
    row = {"preset": "hicrisp", "task": "t", "value": 0.5, "low": 0.25, "high": 0.75, "paper": None, "n": 4}
    shown = render_table({"model": "m", "seed": 0, "rows": [{**row, "metric": "fixed"}]}, "fixed")
    assert "| t | 50 [25–75] |" in shown and "Fixed in %" in shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_shows_the_committed_results(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert fill_tables(text, ROOT / "bench") == text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_keeps_the_figures_of_results_that_are_gone(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    emptied = re.sub(r"(<!-- \w+:[^\n]* -->\n).*?(<!-- end -->)", r"\1stale\n\2", text, flags=re.DOTALL)
    assert "stale\n<!-- end -->" not in fill_tables(emptied, ROOT / "bench")


def test_there_is_something_to_fill() -> None:
    assert len([page for page in PAGES if "<!-- table:" in page.read_text(encoding="utf-8")]) > 3


def test_models_and_presets_below_each_other(tmp_path: Path) -> None:
    for model, value in (("small", 0.5), ("large", 0.75)):
        row = {"preset": "p", "task": "mean", "value": value, "low": 0.25, "high": 1.0, "paper": None, "n": 40}
        rows = [
            {**row, "metric": "right"},
            {**row, "metric": "silent", "value": 0.1},
            {**row, "metric": "x", "task": "t"},
        ]
        (tmp_path / "b" / model).mkdir(parents=True)
        (tmp_path / "b" / model / "results.json").write_text(json.dumps({"model": model, "seed": 0, "rows": rows}))
    page = "<!-- models:b:right,asked,silent@mean -->\nold\n<!-- end -->\n"
    page += "<!-- models:c:right@mean -->\nkept\n<!-- end -->\n"
    filled = fill_tables(page, tmp_path)
    assert "| model | preset | right | asked | silent | n |" in filled
    assert "| `large` | `p` | 75 [25–100] | – | 10 [25–100] | 40 |" in filled
    assert "| `small` | `p` | 50 [25–100] | – | 10 [25–100] | 40 |" in filled
    assert "old" not in filled and "kept" in filled


def test_the_papers_figure_stands_beside_its_preset_ours_and_the_ceiling(tmp_path: Path) -> None:
    row = {"task": "t", "metric": "success", "low": 0.0, "high": 1.0, "n": 50, "paper": None}
    found = {
        "embedded": [{**row, "preset": "p", "value": 0.6, "paper": 0.9}, {**row, "preset": "ceiling", "value": 1.0}],
        "embedded-base": [{**row, "preset": "p", "value": 0.1, "paper": 0.9}, {**row, "preset": "q", "value": 0.2}],
        "another": [{**row, "preset": "thinkaloud:confirm=never", "value": 0.8}],
    }
    found["embedded"] += [{**row, "task": task, "preset": "p", "value": 0.6, "paper": 0.7} for task in ("u", "mean")]
    found["embedded-base"].append({**row, "task": "mean", "preset": "p", "value": 0.1, "paper": 0.9})  # of t alone
    for model, rows in found.items():
        (tmp_path / "b" / model).mkdir(parents=True)
        (tmp_path / "b" / model / "results.json").write_text(json.dumps({"model": model, "seed": 0, "rows": rows}))
    filled = fill_tables("<!-- papers:b:success@p -->\nold\n<!-- end -->\n", tmp_path)
    assert "| mean | 70 | 10 [0–100] | 60 [0–100] |" in filled
    assert "| task | the paper | `p`, embedded-base | `p`, embedded | `thinkaloud`, another | `ceiling` |" in filled
    assert "| t | 90 | 10 [0–100] | 60 [0–100] | 80 [0–100] | 100 [0–100] |" in filled
    assert "old" not in filled


def test_the_papers_figure_is_shown_even_if_its_preset_has_not_been_played(tmp_path: Path) -> None:
    row = {"metric": "exec", "preset": "ceiling", "value": 1.0, "low": 0.5, "high": 1.0, "n": 5, "paper": None}
    tasks = ("eat_chips", "make_toast", "mean household", "course", "mean")
    (tmp_path / "hicrisp" / "ceiling").mkdir(parents=True)
    (tmp_path / "hicrisp" / "ceiling" / "results.json").write_text(
        json.dumps({"model": "no model", "seed": 0, "rows": [{**row, "task": task} for task in tasks]})
    )
    page = "".join(
        f"<!-- papers:hicrisp:exec@{preset} -->\nold\n<!-- end -->\n" for preset in ("hicrisp", "progprompt")
    )
    ours, baseline = fill_tables(page, tmp_path).split("<!-- end -->")[:2]
    assert "| eat_chips | 71 | 100 [50–100] |" in ours and "| eat_chips | 71 |" in baseline
    assert "| mean household | 88 |" in ours and "| mean household | 81 |" in baseline  # of the ten rows as printed
    assert "| course | – |" in ours and "| mean | – |" in ours  # the paper has no Exec for these
