"""Errors, corrections, motions and cues, counted off a monologue."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knotworld import NAMES, Chooser, Given, Knots
from minds import Trial
from thinkaloud.clock import ManualClock
from thinkaloud.loop import Limits
from thinkaloud.methods.hicrisp.correction_stack import CorrectionStack
from thinkaloud.monologue import Monologue
from thinkaloud.records import Begin, Ending, Fix, ModelCall, Outcome, Plan, Record, Request, Started, Step, Verdict
from thinkaloud.skills.self_repair import NOTHING_TO_DO, SO_ALREADY
from thinkaloud.verify.failure_levels import TwoLevels
from thinkaloud_bench.hicrisp.scoring import scores_of

SIT, FIND, GRAB = (Step(name, {}, f"{name.capitalize()}.") for name in ("sit", "find", "grab"))


def did(
    step: Step, ok: bool = True, *fixes: Fix, correcting: bool = False, ending: Ending | None = None
) -> list[Record]:
    how: Ending = ending or ("completed" if ok else "failed")
    return [
        Started(step, correcting),
        Outcome(step, how, "", fixes),
        Verdict(step, ok, "action", why="" if ok else "No."),
    ]


def said(*records: list[Record], preset: str = "hicrisp:low=on;high=on") -> Monologue:
    monologue = Monologue(ManualClock())
    start: list[Record] = [Begin("household", preset, "scripted", 0), Request("Sit."), Plan("Sit.", (), (SIT,))]
    for record in (record for some in (start, *records) for record in some):
        monologue.append(record)
    return monologue


def scored(*records: list[Record], preset: str = "hicrisp:low=on;high=on", **more: Any) -> dict[str, float]:
    return scores_of(said(*records, preset=preset), **more)


def some(scores: dict[str, float], *names: str) -> list[float]:
    return [scores[name] for name in names]


def test_a_run_without_errors() -> None:
    scores = scored(did(FIND), did(SIT))
    assert some(scores, "planned", "executed", "attempts", "completed", "motions") == [2, 2, 2, 2, 2]
    assert some(scores, "errors", "fixed_low", "fixed_high", "given_up", "fixes", "corrections") == [0] * 6


def test_nothing_at_all() -> None:
    scores = scores_of(Monologue(ManualClock()))
    assert scores.pop("cues") == 1
    assert set(scores.values()) == {0}


def test_what_the_stack_puts_right_is_fixed_on_the_high_level() -> None:
    calls: list[Record] = [ModelCall("corrector", "m", 1, 1), ModelCall("planner", "m", 1, 1)]
    scores = scored(did(SIT, False), calls, did(FIND, correcting=True), did(SIT, correcting=True), did(GRAB))
    assert some(scores, "planned", "executed", "attempts", "completed", "motions") == [2, 2, 4, 3, 4]
    assert some(scores, "errors", "fixed_high", "given_up", "corrections", "corrector_calls") == [1, 1, 0, 1, 1]


def test_what_is_left_on_the_stack_was_given_up() -> None:
    scores = scored(did(SIT, False), did(FIND, False, correcting=True), did(GRAB))
    assert some(scores, "planned", "executed", "errors", "fixed_high", "given_up") == [2, 1, 1, 0, 1]
    assert scores["completed"] == 1


def test_what_was_carried_out_and_did_not_help_is_an_error_but_was_completed() -> None:
    scores = scored(did(SIT, False, ending="completed"))
    assert some(scores, "completed", "executed", "errors", "given_up") == [1, 0, 1, 1]


def test_what_a_skill_puts_right_counts_where_the_step_then_worked() -> None:
    slipped, looked = Fix("It slipped.", "Grasp it again."), Fix("It is gone.", "Look for it.", looked=True)
    scores = scored(did(GRAB, True, slipped, looked), did(SIT, False, slipped))
    assert some(scores, "fixes", "fixed_low", "errors", "given_up") == [3, 2, 3, 1]
    assert scores["cues"] == 1 + 2 + 1


def test_what_was_so_already_was_no_error() -> None:
    scores = scored(did(GRAB, True, Fix(SO_ALREADY, NOTHING_TO_DO)))
    assert some(scores, "fixes", "fixed_low", "errors") == [0, 0, 0]


@pytest.mark.parametrize(
    ("preset", "each"), [("hicrisp:low=on;high=on", 1), ("hicrisp:low=off;high=on", 2), ("progprompt", 2)]
)
def test_without_low_level_feedback_every_step_takes_a_second_look(preset: str, each: int) -> None:
    assert scored(did(FIND), did(SIT), did(GRAB), preset=preset)["cues"] == 1 + 3 * each


@pytest.mark.parametrize(("low", "each"), [(True, 1), (False, 2)])
def test_whether_there_was_any_can_be_said(low: bool, each: int) -> None:
    assert scored(did(FIND), low=low)["cues"] == 1 + each


def test_where_nothing_is_checked_what_the_skills_report_counts() -> None:
    unchecked: list[Record] = [record for record in (*did(FIND), *did(SIT, False)) if not isinstance(record, Verdict)]
    scores = scored(unchecked)
    assert some(scores, "planned", "executed", "errors", "given_up", "fixed_high") == [2, 1, 1, 1, 0]


@settings(max_examples=60)
@given(
    st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=2), max_size=4),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True),
    st.lists(st.integers(1, 12), max_size=4),
    st.integers(0, 10),
)
def test_the_numbers_of_any_run_add_up(
    needs: dict[str, list[str]], plan: list[str], slips: list[int], pick: int
) -> None:
    world = Knots(needs, slips=slips)
    model = Chooser(lambda prompt, options: options[(len(prompt) + pick) % len(options)])
    run = Trial(
        world=world,
        request=f"Undo {', '.join(NAMES)}.",
        limits=Limits(steps=300),
        plan=Given(world, tuple(map(world.step, plan))),
        verify=TwoLevels(world),
        correct=CorrectionStack(model, world, 3),
    )
    asyncio.run(run.loop.run())
    scores = scores_of(run.monologue)
    assert scores["errors"] == scores["fixed_low"] + scores["fixed_high"] + scores["given_up"]
    assert scores["executed"] + scores["given_up"] == scores["planned"] == len(plan)
    assert 0 <= scores["executed"] <= scores["planned"] <= scores["motions"] == scores["attempts"]
    assert scores["completed"] <= scores["attempts"] and min(scores.values()) >= 0
    again = scores["motions"] - scores["planned"] - scores["corrections"]
    assert scores["fixed_high"] <= again, "what is fixed was tried again"
