"""A benchmark from its episodes to its files: the same episodes whoever plays them, and none is lost."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from thinkaloud.errors import BadInput, ModelMissing, UnknownName
from thinkaloud.loop import Limits
from thinkaloud.models import ModelSettings
from thinkaloud.monologue import Monologue
from thinkaloud.records import End
from thinkaloud.settings import Settings
from thinkaloud_bench import BENCHES, Played, Report, plots, run_bench, running
from thinkaloud_bench.inner_monologue_tabletop import TABLETOP_TASKS
from thinkaloud_bench.running import items_of
from thinkaloud_bench.worker_processes import Player
from worker_models import open_nothing, open_scripted

NAME = "inner-monologue-tabletop"
BENCH = BENCHES[NAME]
OBJECT = "inner_monologue:feedback=object"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


def bench(settings: Settings, **changes: Any) -> Report:
    usual: dict[str, Any] = {
        "presets": [OBJECT, "ceiling"],
        "model": "scripted",
        "episodes": 2,
        "seed": 1000,
        "jobs": 1,
        "episodes_file": None,
        "out": None,
        "settings": settings,
        "progress": lambda done, total, what: None,
        "tasks": ["pick-and-place", "matching-bowls"],
        "open_model": open_scripted,
    }
    return run_bench(changes.pop("name", NAME), **(usual | changes))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    """All the episodes, played one after another, and the folder with the files."""
    folder = tmp_path_factory.mktemp("whole")
    return bench(Settings(home=folder), out=folder / "out"), folder / "out"


def results(report: Report) -> list[tuple[object, ...]]:
    return [(r.preset, r.task, r.metric, r.value, r.n) for r in report.rows if r.metric in ("success", "motions")]


def lines(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / "episodes.jsonl").read_text().splitlines()]


def test_one_process_or_two_play_the_same_episodes(
    settings: Settings, tmp_path: Path, whole: tuple[Report, Path]
) -> None:
    alone, folder = whole
    together = bench(settings, out=tmp_path, jobs=2)
    assert results(alone) == results(together)
    told = [{(e["preset"], e["seed"]): (e["steps"], e["because"]) for e in lines(n)[1:]} for n in (folder, tmp_path)]
    assert told[0] == told[1]
    assert len(told[0]) == 8


def test_every_preset_meets_the_same_episodes_and_every_task_other_ones() -> None:
    items = items_of(BENCH, ["open_loop", "ceiling"], list(BENCH.tasks), 50, 0)
    assert [i.seed for i in items if i.preset == "open_loop"] == [i.seed for i in items if i.preset == "ceiling"]
    assert len({item.seed for item in items}) == 400
    few = items_of(BENCH, ["ceiling"], ["stack"], 3, 0)
    assert [i.seed for i in few] == [i.seed for i in items if i.preset == "ceiling" and i.task == "stack"][:3]


def test_the_same_item_twice_gives_the_same_episode() -> None:
    player = Player(BENCH, open_scripted, "scripted", ModelSettings())
    item = items_of(BENCH, ["ceiling"], ["stack"], 1, 1000)[0]
    first, second = (replace(player.play(item), seconds=0.0, thinking=0.0) for _ in range(2))
    player.close()
    assert first == second


def test_no_request_is_met_from_the_start() -> None:
    for task in TABLETOP_TASKS.values():
        setup = task.set_up(3)
        assert not setup.judge(Monologue(setup.world.clock), End("unconfirmed", "")).success
        assert setup.limits == Limits(steps=15)


def test_in_colour_tasks_every_block_has_a_bowl_of_its_colour_and_another_one() -> None:
    for seed in range(8):
        objects = TABLETOP_TASKS["matching-bowls"].set_up(seed).world.observe().objects
        bowls = {name.split()[0] for name in objects if name.endswith("bowl")}
        blocks = {name.split()[0] for name in objects if name.endswith("block")}
        assert blocks <= bowls
        assert 2 <= len(blocks) <= len(bowls) <= 3


def test_the_expert_comes_near_to_perfect_where_the_noise_allows(settings: Settings) -> None:
    report = bench(settings, presets=["ceiling"], tasks=["pick-and-place", "mismatched-bowls"], episodes=4)
    mean = next(row for row in report.rows if (row.task, row.metric) == ("mean", "success"))
    assert mean.value >= 0.75


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.draws
def test_the_files_hold_what_the_design_says(whole: tuple[Report, Path]) -> None:
    report, folder = whole
    data = json.loads((folder / "results.json").read_text())
    assert list(data) == ["bench", "model", "seed", "seconds", "rows"]
    assert (data["bench"], data["model"], data["seed"]) == (NAME, "scripted", 1000)
    assert all(list(row) == ["preset", "task", "metric", "value", "low", "high", "n", "paper"] for row in data["rows"])
    rows = {(r["preset"], r["task"], r["metric"]): r for r in data["rows"]}
    assert rows[OBJECT, "pick-and-place", "success"]["paper"] == 0.8
    assert rows[OBJECT, "mean", "success"]["paper"] == pytest.approx((0.8 + 0.56) / 2)
    assert rows["ceiling", "mean unseen", "success"]["paper"] is None
    assert rows["ceiling", "mean", "success"]["n"] == 4
    assert all(r["low"] <= r["value"] <= r["high"] for r in data["rows"])
    assert {r["metric"] for r in data["rows"]} == {"success", "false_success", "motions", "seconds", "tokens", "cached"}
    with (folder / "results.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(data["rows"])
    assert (folder / "success.png").read_bytes().startswith(b"\x89PNG")
    table = (folder / "table.txt").read_text()
    assert "(80)" in table
    assert "CLIPort + oracle (paper)" in table
    assert report.complete
    assert len(lines(folder)) == 9


def test_titles_with_brackets_are_shown_as_they_are(settings: Settings, tmp_path: Path) -> None:
    bench(settings, presets=["ceiling"], tasks=["bowl"], episodes=1, out=tmp_path)
    assert "in the [x] bowl" in (tmp_path / "table.txt").read_text()


@pytest.mark.draws
def test_without_matplotlib_there_is_a_hint_instead_of_a_plot(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    report = bench(settings, presets=["ceiling"], episodes=1, out=tmp_path)
    assert report.notes == [plots.INSTALL_PLOTS]
    assert not (tmp_path / "success.png").exists()


def test_the_paper_is_found_however_a_preset_is_spelled() -> None:
    played = Played("inner_monologue", "stack", 0, 0, "", True, "", "", 1, 1, 1, 1, 1, 0, 0, 1.0, 1.0, "m")
    assert BENCH.rows(BENCH, ["inner_monologue"], [played])[0].paper == 0.26


# Ending early, and going on -------------------------------------------------------------------------------------------


def interrupted(settings: Settings, out: Path, after: int, **changes: Any) -> Report:
    def progress(done: int, total: int, what: str) -> None:
        if done == after:
            raise KeyboardInterrupt

    return bench(settings, out=out, progress=progress, **changes)


def test_an_interrupted_run_keeps_what_it_has_and_goes_on(
    settings: Settings, tmp_path: Path, whole: tuple[Report, Path]
) -> None:
    """Here two processes are interrupted, and one goes on."""
    report = interrupted(settings, tmp_path, 3, jobs=2)
    assert not report.complete
    assert "Only 3 of 8" in report.remarks()[0]
    assert "goes on" in report.remarks()[-1]
    kept = lines(tmp_path)[1:]
    assert len(kept) == 3
    assert json.loads((tmp_path / "results.json").read_text())["rows"]
    again = bench(settings, out=tmp_path)
    assert again.complete
    assert lines(tmp_path)[1:4] == kept
    assert results(again) == results(whole[0])


def test_a_line_that_a_crash_cut_short_is_played_again(settings: Settings, tmp_path: Path) -> None:
    bench(settings, presets=["ceiling"], out=tmp_path)
    file = tmp_path / "episodes.jsonl"
    file.write_text(file.read_text()[:-40])
    assert bench(settings, presets=["ceiling"], out=tmp_path).complete
    assert len(lines(tmp_path)) == 5


def test_more_episodes_and_presets_can_be_added_to_a_run(settings: Settings, tmp_path: Path) -> None:
    bench(settings, presets=["ceiling"], episodes=1, out=tmp_path)
    assert bench(settings, episodes=2, out=tmp_path).played == 8


def test_a_column_that_two_versions_of_the_program_played_says_so(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = bench(settings, presets=["ceiling"], episodes=1, out=tmp_path)
    assert not any("versions" in remark for remark in first.remarks())
    monkeypatch.setattr(running, "digest_code", lambda: "0123456789abcdef")
    report = bench(settings, presets=["ceiling"], episodes=2, out=tmp_path)
    assert "ceiling: 2 versions of the program played its episodes" in report.remarks()
    codes = [line["code"] for line in lines(tmp_path)[1:]]
    assert set(codes[-2:]) == {"0123456789ab"} and "0123456789ab" not in codes[:2]


@pytest.mark.parametrize("change", [{"seed": 1001}, {"model": "other"}])
def test_another_run_in_the_same_folder_is_refused(settings: Settings, tmp_path: Path, change: dict[str, Any]) -> None:
    bench(settings, presets=["ceiling"], episodes=1, out=tmp_path)
    with pytest.raises(BadInput, match="holds another run"):
        bench(settings, presets=["ceiling"], episodes=1, out=tmp_path, **change)


def test_a_folder_with_something_else_in_it_is_refused(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "episodes.jsonl").write_text("hello\n")
    with pytest.raises(BadInput, match="not a record of a benchmark"):
        bench(settings, out=tmp_path)
    assert (tmp_path / "episodes.jsonl").read_text() == "hello\n"


# What is refused ------------------------------------------------------------------------------------------------------


def refusals() -> Iterator[tuple[dict[str, Any], type[BadInput], str]]:
    yield {"name": "nonesuch"}, UnknownName, "benchmark"
    yield {"tasks": ["stak"]}, UnknownName, "Did you mean 'stack'"
    yield {"presets": ["ceilin"]}, UnknownName, "Did you mean 'ceiling'"
    yield {"presets": ["inner_monologue:feedback=none"]}, BadInput, "feedback can be"
    yield {"episodes_file": Path("x.json")}, BadInput, "--episodes-file"
    yield {"seed": -1}, BadInput, "0 or more"


@pytest.mark.parametrize(("change", "kind", "words"), [*refusals()])
def test_bad_input_is_refused_before_anything_is_played(
    settings: Settings, tmp_path: Path, change: dict[str, Any], kind: type[BadInput], words: str
) -> None:
    with pytest.raises(kind, match=words):
        bench(settings, out=tmp_path / "out", **change)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("jobs", "kind"), [(1, ModelMissing), (2, BadInput)])
def test_a_model_that_is_not_there_ends_the_run(settings: Settings, jobs: int, kind: type[BadInput]) -> None:
    with pytest.raises(kind, match="no such model"):
        bench(settings, jobs=jobs, open_model=open_nothing)
