"""How sure a reading has to be: the curve of silent errors against questions, and the thresholds taken from it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from thinkaloud.models import Model, ModelSettings, Scripted
from thinkaloud_bench import run_bench
from thinkaloud_bench.contract import Item, Played
from thinkaloud_bench.episode_log import read_played
from thinkaloud_bench.intervals import wilson
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.understanding import BENCH, calibrate
from thinkaloud_bench.understanding.calibrate import (
    ALWAYS,
    IN_VAIN,
    choose_share,
    choose_threshold,
    choose_thresholds,
    describe_sources,
    describe_thresholds,
    find_hardest,
    read_shares,
    read_thresholds,
    sources_in,
    with_thresholds,
)
from thinkaloud_bench.understanding.curve import Reading, curve_of, readings_of
from thinkaloud_bench.understanding.drawing import draw_understanding
from thinkaloud_bench.understanding.material import CALIBRATION, CALIBRATION_LANGUAGES, shipped
from thinkaloud_bench.understanding.scoring import SURE, TAG, understanding_notes, understanding_rows


def read(sure: float, outcome: str = "right", *, acted: bool = True, may_ask: bool = False) -> Reading:
    return Reading(sure, acted, outcome, outcome == "asked", may_ask)


def test_a_threshold_turns_what_is_unsure_into_questions() -> None:
    readings = [read(0.9), read(0.4, "silent"), read(0.3, "silent", may_ask=True), read(0.2, "asked", acted=False)]
    points = {point.threshold: point for point in curve_of(readings)}
    assert [*points] == [0.0, 0.3, 0.4, 0.9, 0.9001]
    assert [(p.silent, p.questions, p.right) for p in points.values()] == [
        (2, 1, 1),
        (2, 1, 1),
        (1, 2, 2),
        (0, 3, 2),
        (0, 4, 1),
    ]


def test_a_long_curve_has_few_points() -> None:
    points = curve_of([read(n / 1000) for n in range(1000)])
    assert len(points) <= 26
    assert (points[0].questions, points[-1].questions) == (0, 1000)


def test_the_smallest_threshold_that_keeps_an_accepted_share() -> None:
    readings = [*(read(0.5 + n / 1000) for n in range(200)), *(read(0.4, "silent") for _ in range(20)), read(0.1)]
    assert choose_threshold(readings, 0.5) == 0.0
    assert choose_threshold(readings, 0.1) == 0.0  # (20 + 1) / (221 + 1)
    assert choose_threshold(readings, 0.09) == 0.5
    assert choose_threshold(readings, 0.01) == 0.5
    assert choose_threshold(readings, 0.001) == ALWAYS  # one in 201 cannot be told from none
    assert choose_threshold([read(0.9, "silent")] * 50, 0.2) == ALWAYS
    assert choose_threshold([read(0.9, "silent", acted=False)] * 3, 0.9) == ALWAYS  # no question can help that


def test_few_requests_prove_little() -> None:
    assert choose_threshold([read(0.9)] * 9, 0.1) == 0.0
    assert choose_threshold([read(0.9)] * 8, 0.1) == ALWAYS


def test_the_table_keeps_what_was_measured_with_other_models() -> None:
    text = with_thresholds("", "embedded", [(0.05, 0.8), (0.1, 0.6)], 0.05)
    text = with_thresholds(text, "gguf:/models/a b.gguf", [(0.05, 0.7), (0.1, ALWAYS)], 0.05)
    text = with_thresholds(text, "embedded", [(0.05, 0.75), (0.1, 0.5)], 0.1)
    assert read_thresholds(text) == {
        "default": [(0.05, 0.75), (0.1, ALWAYS)],
        "embedded": [(0.05, 0.75), (0.1, 0.5)],
        "gguf:/models/a b.gguf": [(0.05, 0.7), (0.1, ALWAYS)],
    }
    assert read_shares(text) == {"default": 0.05, "embedded": 0.1, "gguf:/models/a b.gguf": 0.05}
    assert text.startswith("#")


def test_by_default_few_questions_are_in_vain_and_no_more_errors_are_silent_than_that_costs() -> None:
    readings = [*(read(0.5 + n / 1000) for n in range(200)), *(read(0.505, "silent") for _ in range(30))]
    share = choose_share({"one": readings})
    ((_, threshold),) = (each for each in choose_thresholds({"one": readings}, share) if each[0] == share)

    asked = [each for each in readings if each.outcome == "right" and each.sure < threshold]
    assert 0 < len(asked) <= IN_VAIN * len(readings)
    assert share == 0.01  # all that is wrong lies below
    surer = [*(read(0.5 + n / 1000) for n in range(200)), *(read(0.8, "silent") for _ in range(30))]
    assert choose_share({"one": surer}) == 0.14  # (30 + 1) / (230 + 1): to see them it would have to ask about all


def test_the_threshold_is_that_of_the_hardest_source() -> None:
    easy = [*(read(0.5 + n / 1000) for n in range(200)), read(0.3, "silent")]
    hard = [*(read(0.5 + n / 1000) for n in range(200)), *(read(0.65, "silent") for _ in range(40))]
    chosen = dict(choose_thresholds({"easy": easy, "hard": hard}, 0.15))
    for accepted in (0.02, 0.05, 0.1, 0.2):
        assert chosen[accepted] == max(choose_threshold(easy, accepted), choose_threshold(hard, accepted))
        for source in (easy, hard):
            assert sum(each.outcome_at(chosen[accepted]) == "silent" for each in source) / len(source) <= accepted
    assert chosen[0.1] > 0.65 and choose_threshold([*easy, *hard], 0.1) == 0.0  # in the mean, all would be well
    assert find_hardest({"easy": easy, "hard": hard}, 0.1) == "hard"
    told = describe_sources({"easy": easy, "hard": hard}, [*chosen.items()])
    assert "easy: 201 requests\n" in told and "hard: 240 requests\n" in told and "0.1: hard" in told
    assert "16.7 % [12.5, 21.9]" in told  # forty of 240, where half of all may be silent


def test_each_folder_of_requests_is_a_source() -> None:
    one, *_ = shipped(CALIBRATION)
    other, *_ = shipped(CALIBRATION_LANGUAGES)
    found = sources_in([played(one, "right", 0.9), played(other, "silent", 0.2), played("own", "asked", 0.1)])
    assert {name: [each.outcome for each in readings] for name, readings in found.items()} == {
        CALIBRATION: ["right"],
        CALIBRATION_LANGUAGES: ["silent"],
        "others": ["asked"],
    }


def test_what_a_choice_comes_to_is_told() -> None:
    readings = [*[read(0.9)] * 30, *[read(0.2, "silent")] * 10]
    told = describe_thresholds(readings, choose_thresholds({"some": readings}, 0.15))
    assert "always asks" in told
    assert "0.9000        30       0     30     10        0" in told  # ten are asked about, none of them in vain
    assert told.endswith("a right one is surer than a wrong one: 1.000")


def test_right_readings_that_are_asked_about_are_asked_about_in_vain() -> None:
    readings = [*[read(0.9)] * 30, *[read(0.3)] * 5, *[read(0.4, "silent")] * 10]
    told = describe_thresholds(readings, [(0.05, 0.9)])
    assert "0.9000        30       0     30     15        5" in told
    assert told.endswith("0.857")


def test_a_preset_that_does_not_tell_how_sure_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def run(*args: object, **given: object) -> object:
        (tmp_path / "episodes.jsonl").write_text(
            '{"bench": "understanding", "model": "m", "seed": 0, "settings": {}}\n'
        )
        return SimpleNamespace(complete=True)

    monkeypatch.setattr(calibrate, "run_bench", run)
    said = CliRunner().invoke(calibrate.main, ["--model", "embedded", "--out", str(tmp_path)])
    assert said.exit_code == 1
    assert "does not tell how sure it is" in said.output


def open_listener(name: str, settings: ModelSettings) -> Model:
    return Scripted(lambda prompt: 'note("so it is")', scores=lambda prompt, option: -0.1, name=name)


def test_the_command_plays_and_writes_the_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(calibrate, "run_bench", partial(run_bench, open_model=open_listener))
    out, file = str(tmp_path / "out"), tmp_path / "thresholds.toml"
    given = ["--model", "embedded", "--episodes", "1", "--out", out, "--file", str(file)]
    said = CliRunner().invoke(calibrate.main, given)
    assert said.exit_code == 0, said.output
    *others, last = read_thresholds(file.read_text())["embedded"]
    assert "Accepted by default: " in said.output and set(read_shares(file.read_text())) == {"default", "embedded"}
    few = len(shipped(CALIBRATION, CALIBRATION_LANGUAGES))  # one request of each robot, which prove no more than that
    assert {at for share, at in others if share < 1 / (few + 1)} == {ALWAYS}
    assert last == (1.0, 0.0)  # who accepts everything is never asked


def test_finished_runs_are_sources_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(calibrate, "run_bench", partial(run_bench, open_model=open_listener))
    first, file = tmp_path / "first", tmp_path / "thresholds.toml"
    given = ["--model", "embedded", "--episodes", "1", "--out", str(first), "--file", str(file)]
    assert CliRunner().invoke(calibrate.main, given).exit_code == 0
    again = ["--model", "openai:x", "--name", "x", "--source", f"mine={first}", "--source", str(first)]
    said = CliRunner().invoke(calibrate.main, [*again, "--file", str(file)])
    assert said.exit_code == 0, said.output
    assert all(f"{name}: " in said.output for name in ("mine", CALIBRATION, CALIBRATION_LANGUAGES))
    found = read_thresholds(file.read_text())
    assert found["x"] == found["embedded"]
    nowhere = CliRunner().invoke(calibrate.main, ["--model", "x", "--source", str(tmp_path / "nowhere")])
    assert nowhere.exit_code == 1 and "no folder of results" in nowhere.output
    assert CliRunner().invoke(calibrate.main, ["--model", "x"]).exit_code == 2


RESULTS, MODELS = Path(__file__).parents[2] / "bench" / "understanding", ("embedded", "embedded-large")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("accepted", [0.02, 0.05, 0.1, 0.15])
def test_what_is_promised_holds_on_robots_that_took_no_part_in_it(model: str, accepted: float) -> None:
    text = calibrate.thresholds_file().read_text(encoding="utf-8")
    threshold = dict(read_thresholds(text)[model])[accepted]
    sources = sources_in(read_played(RESULTS / model))
    assert sum(map(len, sources.values())) >= 600
    for some in sources.values():
        silent = sum(each.outcome_at(threshold) == "silent" for each in some)
        # A share that is kept on average is exceeded by chance now and then, and never by more.
        assert wilson(silent, len(some)).low <= accepted


# Rows -----------------------------------------------------------------------------------------------------------------


def played(task: str, outcome: str, sure: float | None = None, *tags: str) -> Played:
    scores = {outcome: 1.0, "helped": float(outcome == "asked"), "understood_in": 0.5, "acted": 1.0}
    if sure is not None:
        scores["sure"] = sure
    detail = {"outcome": outcome, "tags": list(tags)}
    return played_as(
        Item("inner_monologue", task, 0, 0),
        [],
        success=outcome == "right",
        seconds=1.0,
        model="m",
        scores=scores,
        details=[detail],
    )


def test_rows_by_robot_by_tag_and_by_threshold(tmp_path: Path) -> None:
    one, two = list(BENCH.tasks)[:2]
    episodes = [played(one, "right", 0.9, "deed"), played(one, "silent", 0.5, "set", "deed"), played(two, "asked", 0.2)]
    rows = understanding_rows(BENCH, ["inner_monologue"], episodes)
    values = {(row.task, row.metric): row.value for row in rows}
    assert (values[one, "right"], values[one, "silent"], values[two, "asked"]) == (0.5, 0.5, 1.0)
    assert values["mean", "silent"] == 0.25
    assert values["mean", "seconds"] == 0.5
    assert values[two, "help_rate"] == 1.0
    assert values["deed", f"{TAG}silent"] == 0.5
    assert values["0.0000", f"{SURE}silent"] == pytest.approx(1 / 3, abs=1e-6)
    assert values["0.9000", f"{SURE}silent"] == 0.0
    assert understanding_notes(episodes) == ["inner_monologue: 1 of 2 that were not right were silent"]
    draw_understanding(BENCH, rows, "a title", tmp_path)
    assert "| deed | 50 | 0 | 0 | 50 | 0 | 2 |" in (tmp_path / "tags.md").read_text()
    assert "| 0.9000 | 0.0 | 66.7 | 33.3 |" in (tmp_path / "curve.md").read_text()


def test_no_curve_where_nobody_measures_how_sure_it_is() -> None:
    rows = understanding_rows(BENCH, ["inner_monologue"], [played(next(iter(BENCH.tasks)), "right")])
    assert not [row for row in rows if row.metric.startswith(SURE)]
    assert readings_of([played("a", "right")])[0].sure == 1.0


def test_a_model_that_was_not_measured_at_a_share_counts_with_the_next_smaller_one() -> None:
    one = calibrate.with_thresholds("", "measured-before", [(0.1, 0.9), (0.2, 0.5)], 0.1)
    now = calibrate.with_thresholds(one, "measured-now", [(0.1, 0.8), (0.15, 0.6), (0.2, 0.4)], 0.15)
    both = read_thresholds(now)
    assert both[calibrate.DEFAULT] == [(0.1, 0.9), (0.15, 0.9), (0.2, 0.5)]
