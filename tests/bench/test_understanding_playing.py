"""Requests as the harness plays them: with any preset, of a file of one's own or of those that are shipped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_understanding_files import DATA

from thinkaloud.models import Model, ModelSettings, Scripted
from thinkaloud.presets import PRESETS
from thinkaloud.settings import Settings
from thinkaloud_bench import BENCHES, Report, run_bench
from thinkaloud_bench.understanding import BENCH, OWN
from thinkaloud_bench.understanding.judging import OUTCOMES


def open_babbler(name: str, settings: ModelSettings) -> Model:
    return Scripted(lambda prompt: "la la", scores=lambda prompt, option: -1.0, name=name)


def run(out: Path | None, presets: list[str], *, episodes_file: Path | None, tasks: list[str] | None = None) -> Report:
    return run_bench(
        BENCH,
        presets=presets,
        model="babbler",
        episodes=2,
        seed=0,
        jobs=1,
        episodes_file=episodes_file,
        out=out,
        settings=Settings(home=Path()),
        progress=lambda *_: None,
        tasks=tasks,
        open_model=open_babbler,
    )


def test_it_is_found_by_its_name() -> None:
    assert BENCHES.find("understanding") is BENCH
    assert len(BENCH.tasks) >= 13


@pytest.mark.draws
def test_every_preset_plays_requests_to_a_robot_of_ones_own(tmp_path: Path) -> None:
    report = run(tmp_path, list(PRESETS), episodes_file=DATA / "workshop.toml")
    assert report.complete
    values = {(row.preset, row.metric): row.value for row in report.rows if row.task == OWN}
    for preset in PRESETS:
        assert sum(values[preset, outcome] for outcome in OUTCOMES) == pytest.approx(1.0)
    lines = [json.loads(line) for line in (tmp_path / "episodes.jsonl").read_text().splitlines()[1:]]
    assert {"outcome", "expect", "tags", "why"} <= {*lines[0]["details"][0]}
    assert (tmp_path / "tags.md").read_text()


def test_shipped_requests_are_played_by_their_number(tmp_path: Path) -> None:
    task = next(iter(BENCH.tasks))
    report = run(tmp_path, ["inner_monologue"], episodes_file=None, tasks=[task])
    assert (report.played, report.planned) == (2, 2)


def test_a_world_is_set_up_as_its_file_says(tmp_path: Path) -> None:
    report = run(tmp_path, ["inner_monologue"], episodes_file=DATA / "small_table.toml")
    assert report.complete
