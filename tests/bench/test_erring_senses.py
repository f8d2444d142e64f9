"""The curve of erring senses: what each task is, that lies are met and told from the truth, and what is drawn."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from thinkaloud.models import Model, ModelSettings, Scripted
from thinkaloud.settings import Settings
from thinkaloud.worlds.disturbance import Disturbance
from thinkaloud.worlds.faulty_detectors import FaultyDetectors
from thinkaloud_bench import BENCHES, run_bench
from thinkaloud_bench.contract import CEILING, Item, Played, Row
from thinkaloud_bench.erring_senses import BENCH, ERRING_TASKS, errors_of, set_up_erring, told

OURS = "thinkaloud:confirm=never;rehearse=off"


def play(preset: str, task: str, seed: int) -> Played:
    return asyncio.run(BENCH.play(Item(preset, task, 0, seed), lambda: Scripted()))


@pytest.mark.parametrize(
    ("task", "errors"),
    [
        ("steps_0", Disturbance()),
        ("steps_30", Disturbance(false_yes=0.3, false_no=0.3)),
        ("things_20", Disturbance(missed=0.2, ghosts=0.2, misnamed=0.1)),
        ("stubborn_20", Disturbance(false_yes=0.2, false_no=0.2, stubborn=1.0)),
    ],
)
def test_a_task_is_a_rate_of_errors(task: str, errors: Disturbance) -> None:
    assert errors_of(task) == errors
    assert isinstance(set_up_erring(Item(CEILING, task, 0, 1)).world, FaultyDetectors)


def test_whoever_knows_the_truth_is_not_misled() -> None:
    assert all(play(CEILING, "steps_40", seed).success for seed in range(2))


def test_what_was_meant_is_told_and_lies_are_looked_through() -> None:
    played = [play(told(OURS), "steps_20", seed) for seed in (1,)]
    assert all(each.success for each in played), [(each.result, each.because) for each in played]
    assert all(each.preset == told(OURS) for each in played)
    exact = play(told(OURS), "steps_0", 1)
    assert exact.scores["looks"] < played[0].scores["looks"]  # second looks have their price


def test_who_calls_done_what_was_dropped_errs_in_silence() -> None:
    played = play(told(f"{OURS};again=off"), "steps_40", 0)
    assert (played.result, played.success, played.scores["silent"]) == ("goal met", False, 1.0)


def open_babbler(name: str, settings: ModelSettings) -> Model:
    return Scripted(lambda prompt: "la la", scores=lambda prompt, option: -1.0, name=name)


@pytest.mark.draws
def test_the_curve_is_drawn_and_what_is_kept_is_told(tmp_path: Path) -> None:
    assert BENCHES.find("erring-senses") is BENCH
    report = run_bench(
        BENCH,
        presets=["open_loop"],
        model="babbler",
        episodes=1,
        seed=0,
        jobs=1,
        episodes_file=None,
        out=tmp_path,
        settings=Settings(home=tmp_path),
        progress=lambda *_: None,
        tasks=["steps_0", "steps_20"],
        open_model=open_babbler,
    )
    assert report.complete and (tmp_path / "curve.png").is_file()
    assert {row.metric for row in report.rows} >= {"success", "silent", "looks", "motions"}
    assert {*ERRING_TASKS} == {*BENCH.tasks}


def test_what_is_kept_is_success_by_what_it_is_without_errors() -> None:
    def played(task: str, won: int) -> list[Played]:
        one = play(CEILING, "steps_0", 1)
        return [
            msgspec.structs.replace(one, task=task, index=n, success=n < won, scores={**one.scores, "silent": 0.0})
            for n in range(10)
        ]

    rows = BENCH.rows(BENCH, [CEILING], [*played("steps_0", 8), *played("steps_20", 6)])
    kept: list[Row] = [row for row in rows if row.metric == "kept"]
    assert [(row.task, row.value) for row in kept] == [("steps_20", 0.75)]
