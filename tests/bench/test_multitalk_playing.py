"""Episodes of MultiTalk, played by the expert and by models that say what they are told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from thinkaloud.models import Scripted
from thinkaloud.settings import Settings
from thinkaloud_bench import BENCHES, run_bench
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.multitalk.episodes import At, AtRest, InRegion, Lined, Near, Swapped, TalkEpisode, Topic, Within
from thinkaloud_bench.multitalk.generating import draw_request
from thinkaloud_bench.running import items_of

BENCH = BENCHES["multitalk"]
FREE = "multitalk:analyzer=off"
RULES = "multitalk:analyzer=rules"
SCENE = {
    "object": [
        {"name": "soup can", "kind": "soup can", "x": 0.3, "y": 0.4},
        {"name": "mug", "kind": "mug", "x": 0.3, "y": -0.2},
        {"name": "plate", "kind": "plate", "x": 0.1, "y": -0.45},
    ]
}
PLACE: dict[Topic, str] = {"place": "At (0.10, 0.40)."}
EPISODE = TalkEpisode(
    "mine",
    "file",
    "Give me the soup can.",
    SCENE,
    preferences=PLACE,
    needed=("place",),
    goal=(At(("soup can",), 0.1, 0.4), AtRest()),
)
IMPOSSIBLE = msgspec.structs.replace(
    EPISODE, request="Put the mug at (0.90, 0.10).", preferences={}, needed=(), goal=(), feasible=False, why="too far"
)


def played(episode: TalkEpisode, answers: Sequence[str] = (), preset: str = FREE) -> Played:
    model = Scripted(answers)
    return asyncio.run(BENCHES["multitalk"].play(Item(preset, "file", 0, 7, episode), lambda: model))


def changed(**changes: Any) -> TalkEpisode:
    return msgspec.structs.replace(EPISODE, **changes)


def plan(*lines: str) -> str:
    return "Step-by-step Instructions:\n" + "".join(f"{n}: {line}\n" for n, line in enumerate((*lines, "home()"), 1))


def ask(*questions: str) -> str:
    return "Questions:\n" + "".join(f"{n}: {question}\n" for n, question in enumerate(questions, 1))


RIGHT = plan("grasp((0.30, 0.40)) # the can", "move((0.10, 0.40)) # there")


# The judge ------------------------------------------------------------------------------------------------------------


def test_what_is_asked_planned_and_done_is_a_success() -> None:
    found = played(EPISODE, [ask("Where should I put the can?"), RIGHT])
    assert found.success and found.result == "goal met"
    assert found.scores["carried_out"] == found.scores["needed_asked"] == found.scores["needed_topics"] == 1
    assert (found.scores["questions"], found.scores["needless"], found.scores["collisions"]) == (1, 0, 0)
    assert found.scores["rehearsals"] == 1 and found.steps == 3


def test_a_wrong_place_is_no_success_although_the_plan_was_carried_out() -> None:
    found = played(EPISODE, [plan("grasp((0.30, 0.40))", "move((0.10, 0.30))")])
    assert not found.success and found.because == "not so: soup can at (0.10, 0.40)"
    assert found.scores["carried_out"] == 1
    assert found.scores["needed_asked"] == 0


def test_a_needless_question_is_counted() -> None:
    found = played(EPISODE, [ask("Where should it go?", "Which can do you mean?"), RIGHT])
    assert found.success
    assert (found.scores["questions"], found.scores["needless"]) == (2, 1)
    assert {"answer": "1: At (0.10, 0.40). 2: I don't mind."} in found.details


def test_what_else_was_moved_spoils_it() -> None:
    lines = ("grasp((0.30, 0.40))", "move((0.10, 0.40))", "grasp((0.30, -0.20))", "move((0.40, -0.20))")
    found = played(EPISODE, [plan(*lines)])
    assert found.because == "mug was moved by 0.10 m"


def test_a_plan_that_the_twin_refuses_is_revised_and_what_it_saved_is_counted() -> None:
    found = played(EPISODE, [plan("grasp((0.30, 0.40))", "move((0.30, -0.20))"), RIGHT])
    assert found.success
    assert found.scores["revisions"] == 1 and found.scores["saved"] > 1.0
    assert found.scores["collisions"] == 0
    refused = next(each for each in found.details if "rehearsal" in each)
    assert refused["rehearsal"].startswith("2: ") and "mug" in refused["rehearsal"]


def test_without_a_twin_the_real_arm_collides() -> None:
    bad = plan("grasp((0.30, 0.40))", "move((0.30, -0.20))")
    found = played(EPISODE, [bad], "multitalk:analyzer=off;simulator=off")
    assert not found.success and found.scores["carried_out"] == 0
    assert found.scores["collisions"] == 1 and found.scores["saved"] == 0
    assert any("collisions" in each for each in found.details)


def test_rules_criticise_before_anything_is_tried() -> None:
    found = played(EPISODE, [plan("grasp((0.20, 0.20))", "move((0.10, 0.40))"), RIGHT], RULES)
    assert found.success and found.scores["revisions"] == 1 and found.scores["rehearsals"] == 1
    assert [each["by"] for each in found.details if "critique" in each] == ["rules"]


def test_what_cannot_be_done_is_told_by_a_question() -> None:
    found = played(IMPOSSIBLE, [ask("(0.90, 0.10) lies outside the table. Where should I put the mug?")])
    assert found.success and found.result == "stopped"
    assert found.scores["needless"] == 0 and found.scores["feasible"] == 0


def test_what_cannot_be_done_is_not_done_halfway() -> None:
    told = ask("(0.90, 0.10) lies outside the table. Where should I put the mug?")
    elsewhere = plan("grasp((0.30, -0.20))", "move((0.40, 0.10))")
    found = played(IMPOSSIBLE, [elsewhere, told])
    assert not found.success and found.because.startswith("although it cannot be done: mug was moved")


def test_who_says_nothing_about_it_fails() -> None:
    found = played(IMPOSSIBLE, [plan("grasp((0.30, -0.20))", "move((0.90, 0.10))")] * 7)
    assert not found.success and found.because == "it was not said that this cannot be done"


def test_nobody_answers_where_nobody_is() -> None:
    preset = "multitalk:analyzer=off;simulator=off;human=off"
    found = played(EPISODE, [ask("Where should I put it?"), RIGHT], preset)
    assert found.success and found.scores["questions"] == 0
    assert not any("answer" in each for each in found.details)


def test_the_details_tell_what_happened() -> None:
    found = played(EPISODE, [ask("Where to?"), RIGHT])
    assert found.details[0] == {"request": "Give me the soup can.", "id": "mine"}
    assert {"asked": [{"question": "Where to?", "topics": ["place"], "needed": True}]} in found.details
    steps = next(each["plan"] for each in found.details if "plan" in each)
    assert len(steps) == 3 and steps[0].endswith("# the can")
    assert found.details[-1]["end"].startswith("goal met")


# The expert -----------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize("task", ["not_there_at_first", "ambiguous", "hidden", "infeasible"])
def test_the_expert_knows_what_to_do(task: str) -> None:
    found = asyncio.run(BENCHES["multitalk"].play(Item(CEILING, task, 1, 11), lambda: Scripted()))
    assert found.success, (found.request, found.because)
    assert found.scores["needless"] == found.scores["collisions"] == found.scores["revisions"] == 0
    assert found.scores["needed_asked"] == found.scores["needed_topics"]


CROWD = [
    {"name": "soup can", "kind": "soup can", "x": 0.3, "y": 0.4},
    {"name": "mug", "kind": "mug", "x": 0.3, "y": -0.2},
    {"name": "vase", "kind": "vase", "x": 0.36, "y": 0.1},
]
WISHES = {
    "round a vase": (CROWD, (At(("soup can",), 0.4, -0.4), AtRest())),
    "two change places": (SCENE["object"], (Swapped("soup can", "mug"), AtRest())),
    "a taken place": (CROWD, (At(("soup can",), 0.3, -0.2), AtRest(("mug",)))),
    "beside another": (SCENE["object"], (Near(("soup can",), "mug"), AtRest())),
    "on a plate": (SCENE["object"], (Within(("mug",), "plate"), AtRest())),
    "somewhere": (SCENE["object"], (InRegion(("soup can",), (-0.15, -0.62), (0.45, -0.15)), AtRest())),
    "a line": (SCENE["object"][:2], (Lined(("mug", "soup can"), "x", ordered=True), AtRest())),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("wish", WISHES)
def test_the_expert_finds_a_way(wish: str) -> None:
    things, goal = WISHES[wish]
    found = played(changed(scene={"object": things}, goal=goal, needed=()), preset=CEILING)
    assert found.success, found.because
    assert found.scores["revisions"] == 0


# The bench ------------------------------------------------------------------------------------------------------------


def test_the_episodes_of_the_bench() -> None:
    items = items_of(BENCH, [CEILING], None, None, 0)
    count = {task: sum(item.task == task for item in items) for task in BENCH.tasks}
    assert sum(count.values()) == 80
    assert count["soup_can"] == 5 and count["blocked"] == 10 and count["file"] == 0
    assert BENCH.paper == {}


def test_the_rows_of_the_expert(tmp_path: Path) -> None:
    report = run_bench(
        "multitalk",
        presets=[CEILING],
        model="embedded",
        episodes=1,
        seed=1000,
        jobs=1,
        episodes_file=None,
        out=None,
        settings=Settings(home=tmp_path),
        progress=lambda done, total, what: None,
        tasks=["soup_can", "infeasible"],
        open_model=lambda name, settings: Scripted(),
    )
    rows = {(row.task, row.metric): row for row in report.rows}
    assert rows["mean", "success"].value == 1.0
    assert rows["soup_can", "exec"].value == 1.0
    assert ("infeasible", "exec") not in rows
    assert rows["mean", "needed"].value == 1.0 and rows["mean", "needless"].value == 0.0
    assert rows["mean paper", "success"].n == 1
    assert rows["mean", "rehearsal_seconds"].value > 0


def test_a_file_of_episodes_is_played(tmp_path: Path) -> None:
    path = tmp_path / "episodes.json"
    path.write_bytes(msgspec.json.encode([draw_request("soup_can", 3, 0)]))
    assert BENCH.read is not None
    episode = BENCH.read(path.read_bytes(), str(path))["file"][0]
    assert played(episode, preset=CEILING).success


ONE, OTHER = {"plan": ["Take it. # first"]}, {"plan": ["Take that. # first"]}
WORDED = {"plan": ["Take it. # for another reason"]}
HIT, SENT_BACK, ASKED = {"rehearsal": "1: hit"}, {"refused": "as before"}, {"asked": ["Where?"]}


@pytest.mark.parametrize(
    ("told", "share"),
    [
        ([ONE, HIT, OTHER], 1.0),
        ([ONE, HIT, WORDED, HIT, OTHER], 0.5),
        ([ONE, HIT, SENT_BACK, OTHER, HIT], 1.0),
        ([ONE, HIT, SENT_BACK, SENT_BACK], 0.0),
        ([ONE, HIT, SENT_BACK, ASKED, ONE], None),
        ([ONE, OTHER], None),
    ],
)
def test_a_repair_counts_if_its_actions_are_others(told: list[dict[str, Any]], share: float | None) -> None:
    one = msgspec.structs.replace(played(EPISODE, ["No Action Required"]), preset=FREE, task="clear", details=told)
    rows = {row.metric: row.value for row in BENCH.rows(BENCH, [FREE], [one]) if row.task == "clear"}
    assert rows.get("changed") == share
