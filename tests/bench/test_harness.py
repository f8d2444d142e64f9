"""The harness with a benchmark that is not of its own making: several queries, an episodes file, other columns."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.errors import BadInput, ModelUnreachable, UnknownName
from thinkaloud.remember.lock import lock, unlock
from thinkaloud.settings import Settings
from thinkaloud_bench import Report, run_bench
from thinkaloud_bench.contract import Shown
from thinkaloud_bench.episode_log import LOCK_FILE
from toy_bench import TOY, open_adder, open_unreachable, play_bravely

EPISODES = {
    "sums": [[[1, 2, False], [2, 3, True]], [[3, 4, False], [7, 8, True], [8, 9, False]], [[7, 8, False]]],
    "differences": [[[5, 6, True]]],
}
KEPT = ("preset", "task", "index", "seed", "success", "scores", "details")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "episodes.json"
    path.write_text(json.dumps(EPISODES))
    return path


def bench(tmp_path: Path, toy: Any = TOY, **changes: Any) -> Report:
    usual: dict[str, Any] = {
        "presets": None,
        "model": "adder",
        "episodes": None,
        "seed": 1000,
        "jobs": 1,
        "episodes_file": None,
        "out": None,
        "settings": Settings(home=tmp_path),
        "progress": lambda done, total, what: None,
        "open_model": open_adder,
    }
    return run_bench(toy, **(usual | changes))


def played(out: Path) -> list[tuple[Any, ...]]:
    lines = [json.loads(line) for line in (out / "episodes.jsonl").read_text().splitlines()[1:]]
    return sorted(tuple(json.dumps(line[name]) for name in KEPT) for line in lines)


def values(report: Report) -> dict[tuple[str, str, str], tuple[float, int]]:
    return {(r.preset, r.task, r.metric): (r.value, r.n) for r in report.rows if r.metric not in ("seconds", "tokens")}


def test_a_file_gives_tasks_and_episodes(tmp_path: Path, file: Path) -> None:
    report = bench(tmp_path, episodes_file=file, out=tmp_path / "out")
    found = values(report)
    assert (report.played, report.planned) == (8, 8)
    assert found["open_loop", "sums", "episode_success"] == (round(1 / 3, 6), 3)
    assert found["open_loop", "sums", "step_rate"] == (0.5, 6)
    assert found["open_loop", "sums", "temporal_success"] == (0.5, 2)
    assert found["open_loop", "differences", "temporal_success"] == (1.0, 1)
    seconds = next(r for r in report.rows if (r.task, r.metric) == ("sums", "seconds"))
    assert seconds.n == 5, "queries that were asked"
    with (tmp_path / "out" / "episodes.jsonl").open() as lines:
        details = [json.loads(line)["details"] for line in list(lines)[1:]]
    assert {"query": 7, "answer": "0", "right": False} in [each for episode in details for each in episode]


@pytest.mark.draws
def test_papers_figures_stand_beside_each_metric(tmp_path: Path, file: Path) -> None:
    report = bench(tmp_path, episodes_file=file, out=tmp_path / "out")
    papers = {(r.preset, r.task, r.metric): r.paper for r in report.rows}
    assert papers["open_loop", "sums", "episode_success"] == 0.5
    assert papers["open_loop", "mean", "episode_success"] == 0.375
    assert papers["open_loop", "sums", "step_rate"] == 0.9
    assert papers["open_loop", "mean", "step_rate"] is None, "the paper has not all the tasks"
    assert papers["inner_monologue", "sums", "step_rate"] is None
    head, sums, differences, mean = report.grid(Shown("episode_success"))
    assert head == ["task", "other people's (paper)", "open_loop", "inner_monologue"]
    assert [sums[1], differences[1], mean[1]] == ["75", "–", "–"]
    assert "(50)" in sums[2] and "(38)" in mean[2]
    text = (tmp_path / "out" / "table.txt").read_text()
    assert text.count("toy, adder, seed 1000: ") == 3
    assert text.count("8 episodes of a toy") == 1
    assert (tmp_path / "out" / "table.md").read_text().count("| task |") == 3
    assert {path.name for path in (tmp_path / "out").glob("*.png")} == {"episode_success.png", "step_rate.png"}


def test_without_a_file_episodes_come_from_the_seed(tmp_path: Path) -> None:
    assert bench(tmp_path).planned == 8
    assert bench(tmp_path, episodes=3, tasks=["sums"], presets=["open_loop"]).planned == 3


def test_a_group_stands_for_its_tasks(tmp_path: Path) -> None:
    tasks = {name: replace(task, group="arithmetic") for name, task in TOY.tasks.items()}
    first, *_ = tasks
    grouped = replace(TOY, tasks={**tasks, first: replace(tasks[first], group="sums")})
    assert bench(tmp_path, grouped, tasks=["arithmetic"]).planned == bench(tmp_path, tasks=list(tasks)[1:]).planned
    assert bench(tmp_path, grouped, tasks=["arithmetic", *tasks]).planned == bench(tmp_path).planned
    with pytest.raises(UnknownName, match=r"Did you mean 'arithmetic'\? Known: arithmetic, differences, sums"):
        bench(tmp_path, grouped, tasks=["arithmetics"])


def test_of_a_file_some_episodes_and_some_tasks_can_be_chosen(tmp_path: Path, file: Path) -> None:
    assert bench(tmp_path, episodes_file=file, episodes=2).planned == 2 * (2 + 1)
    assert bench(tmp_path, episodes_file=file, tasks=["differences"]).planned == 2
    file.write_text(json.dumps({"sums": EPISODES["sums"], "differences": []}))
    assert bench(tmp_path, episodes_file=file).planned == 6
    with pytest.raises(UnknownName, match="in the episodes file 'differences'"):
        bench(tmp_path, episodes_file=file, tasks=["differences"])


@pytest.mark.sampled(0)
def test_two_processes_play_the_same_episodes_of_a_file(tmp_path: Path, file: Path) -> None:
    one = bench(tmp_path, out=tmp_path / "one", episodes_file=file)
    two = bench(tmp_path, out=tmp_path / "two", jobs=2, episodes_file=file)
    assert values(one) == values(two)
    assert played(tmp_path / "one") == played(tmp_path / "two")


def test_an_interrupted_run_goes_on(tmp_path: Path, file: Path) -> None:
    """In one process; of two that are interrupted, `test_run.py` tells."""

    def progress(done: int, total: int, what: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    out = tmp_path / "out"
    report = bench(tmp_path, episodes_file=file, out=out, progress=progress)
    assert (report.played, report.planned) == (3, 8)
    kept = played(out)
    again = bench(tmp_path, episodes_file=file, out=out)
    assert again.complete and set(kept) < set(played(out))
    assert values(again) == values(bench(tmp_path, episodes_file=file))


def test_two_runs_do_not_write_to_the_same_folder(tmp_path: Path) -> None:
    held = lock(tmp_path / LOCK_FILE, wait=False)
    assert held is not None
    with pytest.raises(BadInput, match="Another run is writing to"):
        bench(tmp_path, out=tmp_path)
    unlock(held)
    assert bench(tmp_path, out=tmp_path).complete
    assert not (tmp_path / LOCK_FILE).exists()


def test_going_on_with_another_file_is_refused(tmp_path: Path, file: Path) -> None:
    out = tmp_path / "out"
    bench(tmp_path, episodes_file=file, out=out)
    before = (out / "episodes.jsonl").read_bytes()
    moved = file.rename(tmp_path / "moved.json")
    assert bench(tmp_path, episodes_file=moved, out=out).complete, "its content counts, not its name"
    moved.write_text(json.dumps({"sums": [[[1, 2, False]]]}))
    with pytest.raises(BadInput, match=r"holds other episodes \(of a file .*, now of a file .*same --episodes-file"):
        bench(tmp_path, episodes_file=moved, out=out)
    with pytest.raises(BadInput, match="now drawn from the seed"):
        bench(tmp_path, out=out)
    assert (out / "episodes.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read: No such file"),
        ("[", "episodes.json is not JSON"),
        ('{"sum": [[]]}', "Did you mean 'sums'"),
        ('{"sums": []}', "has no episodes in it"),
    ],
)
def test_a_bad_file_is_refused_before_anything_is_played(tmp_path: Path, content: str | None, says: str) -> None:
    path = tmp_path / "episodes.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BadInput, match=says):
        bench(tmp_path, episodes_file=path, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("only_own", "preset", "says"),
    [
        (False, "ceiling", "There is no preset 'ceiling'"),
        (True, "inner_monologue:feedback=object", "no column of toy 'inner_monologue:feedback=object'"),
    ],
)
def test_a_benchmark_says_which_columns_it_has(tmp_path: Path, only_own: bool, preset: str, says: str) -> None:
    with pytest.raises(UnknownName, match=says):
        bench(tmp_path, replace(TOY, only_own=only_own), presets=[preset])


def test_an_episode_whose_model_was_out_of_reach_does_not_count(tmp_path: Path) -> None:
    with pytest.raises(ModelUnreachable, match="gone"):
        bench(tmp_path, replace(TOY, play=play_bravely), open_model=open_unreachable, out=tmp_path / "out")
    assert played(tmp_path / "out") == []
