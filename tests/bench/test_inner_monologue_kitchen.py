"""Inner Monologue's kitchen: its errands and their judge, its expert, and why an episode failed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.models import Model, Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Observation, Outcome, Request, Started, Step, Verdict, WorldState
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.inner_monologue_kitchen import BENCH, KITCHEN_TASKS, _set_up
from thinkaloud_bench.inner_monologue_kitchen.causes import find_cause, read_attempts
from thinkaloud_bench.inner_monologue_kitchen.errands import FAMILIES, RATES, Errand
from thinkaloud_worlds.kitchen import Kitchen
from thinkaloud_worlds.kitchen.true_state import HAND
from thinkaloud_worlds.seeds import generator

INSTRUCTIONS = [each for family in FAMILIES.values() for each in family]


def play(preset: str, task: str, index: int = 0, seed: int = 5, model: Model | None = None) -> Played:
    return asyncio.run(BENCH.play(Item(preset, task, index, seed), lambda: model or Scripted()))


def test_the_detector_of_the_paper_errs_only_where_eyes_or_senses_do_not_judge() -> None:
    rates = [
        _set_up(Item(CEILING, "drawers", 0, 5, eyes=eyes, senses=senses)).world.error_rates  # type: ignore[attr-defined]
        for eyes, senses in (("", ""), ("camera", ""), ("", "learned"))
    ]
    assert [each.false_yes for each in rates] == [each.false_no for each in rates] == [0.1, 0.0, 0.0]


# Errands --------------------------------------------------------------------------------------------------------------


def test_the_instructions_are_those_of_the_paper() -> None:
    assert [len(family) for family in FAMILIES.values()] == [4, 2, 2] and len(KITCHEN_TASKS) == 6
    assert BENCH.episodes * len(KITCHEN_TASKS) == 120


@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=lambda each: each.text)
def test_every_episode_can_be_done_and_is_not_done_from_the_start(instruction: object) -> None:
    for seed in range(15):
        for disturbed in (False, True):
            scene, errand = instruction.draw(generator(seed, 1), disturbed)  # type: ignore[attr-defined]
            world = Kitchen(scene)
            assert not errand.met(world.room) and bool(scene.people) is disturbed and scene.rates == RATES
            takes = any(person.does == "takes" for person in scene.people)
            there = [item for item in errand.items if item in world.room.places]
            assert errand.wants == "drawer open" or len(there) > takes, "one is left when one is taken away"


def test_what_is_wanted_is_judged_by_how_things_are() -> None:
    world = Kitchen()
    world.reset(1)
    room = world.room
    soda = Errand("in hand", frozenset({"coke", "7up"}))
    assert not soda.met(room)
    room.places["coke"] = HAND
    assert soda.met(room) and not Errand("with the user", frozenset({"coke"})).met(room)
    room.xy = (4.2, 3.6)
    assert Errand("with the user", frozenset({"coke"})).met(room)
    room.places["coke"] = "trash"
    assert Errand("at the trash", frozenset({"coke"})).met(room) and not soda.met(room)
    room.places["coke"] = "top drawer"
    assert Errand("in the drawer", frozenset({"coke"})).met(room) and not Errand("drawer open").met(room)
    room.open.add("top drawer")
    assert Errand("drawer open").met(room)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("task", KITCHEN_TASKS)
def test_the_expert_does_it(task: str) -> None:
    played = [play(CEILING, task, index, seed) for index, seed in enumerate(range(40, 48))]
    assert sum(each.success for each in played) >= 7
    assert all(each.scores["disturbed"] for each in played) or not task.endswith("disturbed")


def test_all_presets_meet_the_same_kitchen() -> None:
    one, other = play(CEILING, "mobile-disturbed"), play(CEILING, "mobile-disturbed")
    assert (one.scores, one.steps, one.request) == (other.scores, other.steps, other.request)


def test_a_planner_that_says_done_at_once_has_failed_by_its_plan() -> None:
    model = Scripted(scores=lambda prompt, option: -1.0 if option == " done" else -50.0)
    for preset in ("saycan", "saycan:feedback=object+success"):
        played = play(preset, "manipulation", model=model)
        assert not played.success and played.details == [{"cause": "planning"}] and played.scores["planning"] == 1


# Causes ---------------------------------------------------------------------------------------------------------------

WORLD = Kitchen()
PICK = WORLD.skills["pick_up"].step({"item": "coke"})
GO = WORLD.skills["go_to"].step({"location": "trash"})
HOLDS = WORLD.relations["holding"].condition({"item": "coke"})
THERE = WORLD.relations["at"].condition({"location": "trash"})


def monologue(*attempts: tuple[Step, Condition | None, bool | None]) -> Monologue:
    """Steps, each with what was seen after it, and what the detector said."""
    said = Monologue(ManualClock())
    said.append(Request("pick up a soda"))
    for step, seen, called_good in attempts:
        said.append(Started(step))
        said.append(Outcome(step, "completed"))
        if called_good is not None:
            said.append(Verdict(step, called_good, "action"))
        said.append(Observation((), {}, state=WorldState(relations=(seen,) if seen else ())))
    return said


@pytest.mark.parametrize(
    ("attempts", "cause"),
    [
        ([], "planning"),
        ([(GO, THERE, True)], "planning"),
        ([(PICK, None, False)], "planning"),  # told, and not tried again
        ([(PICK, None, False), (GO, THERE, True)], "planning"),
        ([(PICK, None, False), (PICK, HOLDS, True)], "planning"),  # put right, and then something else was amiss
        ([(PICK, None, None)], "control"),  # nobody told
        ([(PICK, None, None), (PICK, HOLDS, None)], "planning"),
        ([(PICK, None, False), (PICK, None, False)], "control"),  # tried to the end
        ([(PICK, None, True)], "detection"),  # it was called good
        ([(PICK, None, True), (GO, THERE, True)], "detection"),
        ([(PICK, None, True), (PICK, HOLDS, True), (GO, THERE, True)], "planning"),
        ([(PICK, HOLDS, False)], "detection"),  # given up over what had worked
        ([(PICK, HOLDS, False), (GO, THERE, True)], "planning"),
    ],
)
def test_why_it_failed_is_read_off_the_monologue(
    attempts: list[tuple[Step, Condition | None, bool | None]], cause: str
) -> None:
    assert find_cause(monologue(*attempts), WORLD) == cause


def test_attempts_are_what_was_seen_and_what_was_said() -> None:
    found = read_attempts(monologue((PICK, HOLDS, False), (GO, None, True), (GO, THERE, None)), WORLD)
    assert [(each.worked, each.called_good) for each in found] == [(True, False), (False, True), (True, None)]


# Tables ---------------------------------------------------------------------------------------------------------------


@pytest.mark.draws
def test_the_table_has_the_papers_figures_and_its_total_and_the_causes_are_drawn(tmp_path: Path) -> None:
    model = Scripted(scores=lambda prompt, option: -1.0 if option == " done" else -50.0)
    presets = ["saycan:feedback=success", CEILING]
    played = [play(preset, task, model=model) for preset in presets for task in KITCHEN_TASKS]
    rows = BENCH.rows(BENCH, presets, played)
    cells = {(row.preset, row.task, row.metric): row for row in rows}
    assert cells["saycan:feedback=success", "drawers-disturbed", "success"].paper == 0.444
    assert cells["saycan:feedback=success", "mean", "success"].paper == 0.487
    assert cells["saycan:feedback=success", "mean", "planning"].value == 1 and cells[CEILING, "mean", "success"].n == 6
    pytest.importorskip("matplotlib")
    assert BENCH.draw(BENCH, rows, "title", tmp_path) == []
    assert (tmp_path / "causes.png").stat().st_size > 5000 and (tmp_path / "success.png").exists()
