"""The benchmark of HiCRISP: its tables as printed, who plays what, and the rows that come out."""

from __future__ import annotations

import pytest

from thinkaloud.presets import PRESETS as KNOWN
from thinkaloud.presets import read_preset
from thinkaloud_bench.contract import CEILING, Item, Played, Row
from thinkaloud_bench.hicrisp import BENCH, HICRISP_TASKS, course, fixed, household, table
from thinkaloud_bench.playing import Judged, Plays, Setup
from thinkaloud_bench.rows import shared
from toyworld import ToyWorld

SCORES = {
    "recall": 0.5,
    "planned": 4,
    "executed": 3,
    "attempts": 6,
    "completed": 4,
    "checked": 6,
    "achieved": 3.5,
    "motions": 6,
    "cues": 7,
    "errors": 2,
    "fixed_low": 0,
    "fixed_high": 1,
    "given_up": 1,
    "corrector_calls": 3,
}


def played(preset: str, task: str, *, success: bool = False, index: int = 0, **scores: float) -> Played:
    return Played(
        preset,
        task,
        index,
        index,
        request="Do.",
        success=success,
        result="failed",
        because="",
        steps=6,
        calls=3,
        evaluated=5,
        cached=10,
        generated=2,
        later_evaluated=1,
        later_cached=3,
        seconds=1.5,
        thinking=1.0,
        model="m",
        scores={**SCORES, **scores},
    )


def value(found: list[Row], preset: str, task: str, metric: str) -> Row:
    [row] = [row for row in found if (row.preset, row.task, row.metric) == (preset, task, metric)]
    return row


def test_its_tasks_are_the_papers_ten_seven_and_one_and_the_courses() -> None:
    assert (len(household.HOME_TASKS), len(table.TABLE_TASKS), len(course.COURSE_TASKS)) == (10, 8, 4)
    assert len(HICRISP_TASKS) == 22, "no name twice"
    assert {task.group for task in HICRISP_TASKS.values()} == {"household", "table", "around", "course"}


def test_its_presets_are_known() -> None:
    assert BENCH.presets[-1] == CEILING and len({*BENCH.presets}) == len(BENCH.presets)
    for preset in BENCH.presets[:-1]:
        assert read_preset(preset)[0].name in KNOWN


@pytest.mark.parametrize(
    ("metric", "preset", "task", "figure"),
    [
        ("recall", "progprompt", "eat_chips", 0.12),
        ("recall", "hicrisp", "watch_tv", 0.73),
        ("recall", "hicrisp", "make_toast", 0.15),
        ("exec", "progprompt", "light_off", 0.67),
        ("exec", "hicrisp", "microwave_salmon", 0.87),
        ("exec", "hicrisp", "one_empty", 0.70),
        ("exec", "hicrisp:low=off", "make_one_empty", 0.50),
        ("motions", "hicrisp", "cool_bowl", 16),
        ("motions", "hicrisp:low=off", "two_in_bowl", 24),
        ("cues", "hicrisp", "warm_blocks", 5),
        ("cues", "hicrisp:low=off", "each_in_each", 17),
    ],
)
def test_the_papers_figures_stand_beside_their_tasks(metric: str, preset: str, task: str, figure: float) -> None:
    assert BENCH.paper[metric][preset][task] == figure


def test_the_paper_has_a_figure_for_every_row_of_its_tables_and_no_other() -> None:
    first, second = {*household.HOME_TASKS}, {*table.TABLE_TASKS} - {"box_around_cylinder"}
    assert {*BENCH.paper["recall"]["hicrisp"]} == {*BENCH.paper["exec"]["progprompt"]} == first
    assert {*BENCH.paper["motions"]["hicrisp"]} == {*BENCH.paper["cues"]["hicrisp:low=off"]} == second
    assert {*BENCH.paper["exec"]["hicrisp"]} == first | second
    assert all({*columns} <= {*BENCH.presets} for columns in BENCH.paper.values())


def test_whose_task_it_is_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[str, str]]()
    for part in (household, table, course):

        def set_up(item: Item, part: str = part.__name__) -> Setup:
            asked.append((part.rpartition(".")[2], item.task))
            return Setup(ToyWorld(), "", lambda *_: Judged(True), "hicrisp")

        name = next(name for name in vars(part) if name.startswith("set_up_"))
        monkeypatch.setattr(part, name, set_up)
    assert isinstance(BENCH.play, Plays)
    for task in HICRISP_TASKS:
        BENCH.play.set_up(Item("hicrisp", task, 0, 0))
    wanted = [("household", task) for task in household.HOME_TASKS]
    wanted += [("table", task) for task in table.TABLE_TASKS]
    wanted += [("course", task) for task in course.COURSE_TASKS]
    assert asked == wanted


def test_rows_pool_steps_and_average_what_is_counted() -> None:
    two = [played("hicrisp", "watch_tv", success=True, recall=1.0, planned=6, executed=6, errors=0, fixed_high=0)]
    two += [played("hicrisp", "watch_tv", index=1)]
    found = BENCH.rows(BENCH, BENCH.presets, two)
    assert value(found, "hicrisp", "watch_tv", "success").value == 0.5
    recall = value(found, "hicrisp", "watch_tv", "recall")
    assert (recall.value, recall.paper) == (0.75, 0.73) and 0 <= recall.low <= recall.high <= 1
    exec_ = value(found, "hicrisp", "watch_tv", "exec")
    assert exec_.value == pytest.approx(7 / 12, abs=1e-6) and exec_.paper == 1.0, "of all actions attempted"
    said = value(found, "hicrisp", "watch_tv", "exec_reported")
    assert said.value == pytest.approx(8 / 12, abs=1e-6) and said.paper is None
    ours = value(found, "hicrisp", "watch_tv", "exec_steps")
    assert (ours.value, ours.paper) == (0.9, None), "of the steps of the plan, in the end"
    assert value(found, "hicrisp", "watch_tv", "fixed").value == 0.5
    assert value(found, "hicrisp", "watch_tv", "cues").value == 7
    assert value(found, "hicrisp", "watch_tv", "tokens").value == 17
    assert value(found, "hicrisp", "mean household", "motions").value == 6
    assert {row.metric for row in found} >= {shown.metric for shown in BENCH.shown} - {"collisions"}


def test_what_only_some_parts_count_has_rows_for_these_only() -> None:
    episodes = [played("hicrisp", "watch_tv"), played("hicrisp", "course", collisions=2, astray=1)]
    found = BENCH.rows(BENCH, BENCH.presets, episodes)
    assert {row.task for row in found if row.metric == "collisions"} == {"course", "mean course"}
    assert value(found, "hicrisp", "course", "collisions").value == 2


def test_counts_are_not_averaged_over_homes_and_tables() -> None:
    found = BENCH.rows(BENCH, BENCH.presets, [played("hicrisp", "watch_tv"), played("hicrisp", "cool_bowl", cues=17)])
    assert {row.task for row in found if row.metric == "cues"} == {
        "watch_tv",
        "cool_bowl",
        "mean household",
        "mean table",
    }
    assert value(found, "hicrisp", "cool_bowl", "cues").paper == 17


def test_the_expert_costs_no_tokens() -> None:
    found = BENCH.rows(BENCH, BENCH.presets, [played(CEILING, "watch_tv")])
    assert not [row for row in found if row.metric == "tokens"]
    assert [row for row in found if row.metric == "seconds"]


def test_where_there_were_no_errors_none_were_fixed() -> None:
    assert fixed([played("hicrisp", "watch_tv", errors=0, fixed_high=0)]) is None
    share = fixed([played("hicrisp", "watch_tv", errors=4, fixed_low=2, fixed_high=1)])
    assert share is not None and share.value == 0.75


def test_a_recall_is_a_share() -> None:
    found = shared("recall")([played("hicrisp", "watch_tv", recall=recall) for recall in (1.0, 1.0, 0.0)])
    assert found is not None and 0 <= found.low < found.value < found.high <= 1
    single = shared("recall")([played("hicrisp", "watch_tv", recall=0.5)])
    assert single is not None and single.low < 0.1 and single.high > 0.9, "of one episode little is known"


def test_the_notes_say_what_the_papers_success_rate_is() -> None:
    assert any("SR" in note and "recall" in note for note in BENCH.notes([]))
