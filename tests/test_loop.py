"""The loop: how runs end, what a failed or doubted plan leads to, and what is read off the monologue after a crash."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from minds import Corrected, Criticised, Planned, Rehearsed, Remembered, Trial
from thinkaloud.errors import ModelUnreachable, Unparseable
from thinkaloud.loop import Limits, Loop
from thinkaloud.monologue import Event, Monologue
from thinkaloud.perceive.when_to_look import LookAfterEachStep
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Decline,
    Done,
    Look,
    Observation,
    Outcome,
    Plan,
    Refusal,
    Rehearsal,
    Request,
    Resumed,
    Started,
    Step,
    Verdict,
    Violation,
    WorldState,
)
from toyworld import ToyWorld

TOY = ToyWorld()
BALL_UP, CUP_UP = TOY.condition("ball", "shelf"), TOY.condition("cup", "shelf")
MOVE_BALL, MOVE_CUP = TOY.step("move", "ball", "shelf"), TOY.step("move", "cup", "shelf")
BALL = Plan("Tidy up.", (BALL_UP,), (MOVE_BALL,))
BOTH = Plan("Tidy up.", (BALL_UP, CUP_UP), (MOVE_BALL, MOVE_CUP))
DONE = Done("it looks tidy")


# How a run ends -------------------------------------------------------------------------------------------------------


def test_the_goal_is_met_when_every_condition_was_checked_in_the_world() -> None:
    trial = Trial(BOTH)
    end = trial.run()
    assert end.result == "goal met"
    assert trial.started == [MOVE_BALL.words, MOVE_CUP.words]
    assert trial.world.where == {"ball": "shelf", "cup": "shelf", "box": "floor"}
    assert trial.kinds[-2:] == ["Observation", "End"]


def test_a_planner_that_says_done_is_not_believed() -> None:
    assert Trial(DONE).run().result == "unconfirmed"


def test_done_is_unconfirmed_even_after_a_step_that_worked() -> None:
    assert Trial(Plan("Tidy up.", (), (MOVE_BALL,)), DONE).run().result == "unconfirmed"


def test_a_goal_without_a_check_is_never_met() -> None:
    trial = Trial(BALL, DONE, perceive=LookAfterEachStep(TOY))
    assert trial.run().result == "unconfirmed"


def test_a_skill_that_reports_success_without_effect_does_not_meet_the_goal() -> None:
    trial = Trial(BALL, BALL)
    trial.world.slips = 1
    assert trial.run().result == "goal met"
    assert [verdict.ok for verdict in trial.monologue.since(None, Verdict)] == [False, True]


@pytest.mark.parametrize("steps", [(), (MOVE_BALL,)])
def test_a_goal_that_is_met_already_ends_the_run_before_anything_moves(steps: tuple[Step, ...]) -> None:
    trial = Trial(Plan("Tidy up.", (BALL_UP,), steps))
    trial.world.where["ball"] = "shelf"
    assert trial.run().result == "goal met"
    assert trial.started == []


def test_a_run_ends_early_when_the_goal_is_met_before_the_plan_is_over() -> None:
    trial = Trial(Plan("Tidy up.", (BALL_UP,), (MOVE_BALL, MOVE_CUP)))
    assert trial.run().result == "goal met"
    assert trial.started == [MOVE_BALL.words]


def test_a_declined_request_says_why() -> None:
    end = Trial(Decline("that would break the cup")).run()
    assert (end.result, end.because) == ("declined", "that would break the cup")


def test_a_model_that_cannot_be_reached_is_a_failure_and_not_a_crash() -> None:
    end = Trial(ModelUnreachable("the endpoint is down")).run()
    assert (end.result, end.because) == ("failed", "the endpoint is down")


@pytest.mark.parametrize("part", ["critique", "rehearse", "correct", "verify", "remember"])
@pytest.mark.parametrize("error", [ModelUnreachable("the endpoint is down"), Unparseable("no list", "blah")])
def test_a_model_error_in_any_stage_is_no_crash(part: str, error: Exception) -> None:
    class Broken:
        async def critique(self, *_: object) -> None:
            raise error

        rehearse = correct = verify = remember = critique

    parts: dict[str, Any] = {part: Broken()}
    trial = Trial(BALL, BALL, **parts)
    trial.world.slips = 1
    again = {"remember": "goal met", "correct": "limit"} if isinstance(error, Unparseable) else {}
    assert trial.run().result == again.get(part, "failed")


def test_a_memory_that_cannot_be_understood_is_asked_for_again_before_the_robot_moves_on() -> None:
    class Confused(Remembered):
        calls = 0

        async def remember(self, monologue: Monologue) -> WorldState | None:
            self.calls += 1
            if self.calls == 1:
                raise Unparseable("it loses the ball", "{}")
            return await super().remember(monologue)

    memory = Confused()
    trial = Trial(BALL, remember=memory)
    assert trial.run().result == "goal met"
    assert [(r.role, r.why) for r in trial.monologue.since(None, Refusal)] == [("memory", "it loses the ball")]
    assert memory.calls == 2
    assert trial.kinds.index("Refusal") < trial.kinds.index("WorldState")
    assert len(trial.started) == 1


def test_an_answer_is_no_goal_that_was_met_and_no_failure() -> None:
    end = Trial(Done("the ball is red", "answered")).run()
    assert (end.result, end.because) == ("answered", "the ball is red")


def test_two_requests_in_a_row_are_two_runs_of_one_monologue() -> None:
    trial = Trial(BALL, Plan("Cup.", (CUP_UP,), (MOVE_CUP,)))
    assert trial.run().result == "goal met"
    trial.person.say(Request("Now the cup."))
    assert trial.run().result == "goal met"
    assert trial.kinds.count("End") == 2


# Limits ---------------------------------------------------------------------------------------------------------------


def test_steps_are_limited() -> None:
    trial = Trial(*[BALL] * 9, limits=Limits(steps=3))
    trial.world.slips = 9
    assert trial.run().result == "limit"
    assert len(trial.started) == 3


def test_corrections_count_as_steps() -> None:
    trial = Trial(BALL, limits=Limits(steps=4), correct=Corrected([MOVE_BALL] * 9))
    trial.world.slips = 9
    assert trial.run().result == "limit"
    assert len(trial.started) == 4


def test_the_last_step_allowed_may_still_meet_the_goal() -> None:
    assert Trial(BOTH, limits=Limits(steps=2)).run().result == "goal met"


def test_unusable_words_are_limited() -> None:
    trial = Trial(*[Unparseable("no skill", "fly away")] * 9, limits=Limits(refusals=3))
    end = trial.run()
    assert end.result == "limit"
    assert "no skill" in end.because
    assert trial.monologue.since(None, Refusal) == [Refusal("planner", "fly away", "no skill")] * 3


def test_a_usable_answer_forgives_earlier_unusable_ones() -> None:
    bad = Unparseable("no skill", "fly away")
    goal = Plan("Tidy up.", (BALL_UP, CUP_UP), ())
    assert Trial(bad, bad, goal, bad, bad, BOTH, limits=Limits(refusals=3)).run().result == "goal met"


def test_revisions_are_limited() -> None:
    bad = Critique((Violation(0, "the ball is glued to the floor"),))
    trial = Trial(*[BALL] * 9, critique=Criticised([bad] * 9), limits=Limits(revisions=2))
    end = trial.run()
    assert (end.result, trial.planner.asked) == ("limit", 3)
    assert trial.started == []


def test_questions_are_limited() -> None:
    trial = Trial(*[Ask(("Which one?",))] * 9, limits=Limits(questions=2))
    trial.answers(*[Answer("That one.")] * 9)
    assert trial.run().result == "limit"
    assert trial.kinds.count("Ask") == 3


def test_plans_are_limited() -> None:
    trial = Trial(*[Plan("Tidy up.", (), ())] * 9, limits=Limits(plans=4))
    assert trial.run().result == "limit"
    assert trial.planner.asked == 5


def test_looks_are_limited() -> None:
    trial = Trial(*[Look("I am not sure")] * 9, limits=Limits(looks=2))
    assert trial.run().result == "limit"
    assert trial.kinds.count("Observation") == trial.kinds.count("Look") + 1


# When something goes wrong --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "report"),
    [
        (TOY.step("lift", "box"), "The box is too heavy."),
        (TOY.step("open", "box"), "open raised ZeroDivisionError: division by zero"),
        (Step("fly", {}, "Fly."), "There is no skill 'fly'"),
        (Step("move", {"thing": "moon", "place": "shelf"}, "Move the moon."), "There is no object 'moon' here"),
        (Step("move", {"speed": 3}, "Move fast."), "move has no argument 'speed'"),
    ],
)
def test_a_step_that_cannot_be_done_is_an_outcome_in_words_and_the_planner_goes_on(step: Step, report: str) -> None:
    trial = Trial(Plan("Tidy up.", (BALL_UP,), (step, MOVE_BALL)), BALL)
    assert trial.run().result == "goal met"
    outcome = trial.monologue.since(None, Outcome)[0]
    assert outcome.ending == "failed"
    assert report in outcome.report
    assert trial.started == [step.words, MOVE_BALL.words]
    assert trial.planner.asked == 2


def test_the_rest_of_a_plan_is_dropped_when_a_step_did_not_work() -> None:
    trial = Trial(BOTH, Plan("Tidy up.", (BALL_UP, CUP_UP), (MOVE_CUP, MOVE_BALL)))
    trial.world.slips = 1
    assert trial.run().result == "goal met"
    assert trial.started == [MOVE_BALL.words, MOVE_CUP.words, MOVE_BALL.words]


def test_without_verification_a_plan_goes_on_whatever_happens() -> None:
    trial = Trial(BOTH, DONE, verify=None)
    trial.world.slips = 1
    assert trial.run().result == "unconfirmed"
    assert trial.started == [MOVE_BALL.words, MOVE_CUP.words]


def test_a_rejected_plan_is_revised_and_not_carried_out() -> None:
    bad = Critique((Violation(1, "the cup is full"),))
    trial = Trial(BOTH, BALL, critique=Criticised([bad, Critique()]))
    assert trial.run().result == "goal met"
    assert trial.started == [MOVE_BALL.words]


def test_a_plan_that_fails_in_rehearsal_is_revised_and_not_carried_out() -> None:
    trial = Trial(BOTH, BALL, rehearse=Rehearsed([Rehearsal(False, 1, "the cup tips over"), Rehearsal(True)]))
    assert trial.run().result == "goal met"
    assert trial.started == [MOVE_BALL.words]


def test_a_plan_is_rehearsed_only_after_the_critic_found_nothing() -> None:
    findings = [Critique((Violation(None, "too long"),)), Critique()]
    trial = Trial(BOTH, BALL, critique=Criticised(findings), rehearse=Rehearsed([Rehearsal(True)]))
    assert trial.run().result == "goal met"
    doubts = [kind for kind in trial.kinds if kind in ("Plan", "Critique", "Rehearsal", "Started")]
    assert doubts == ["Plan", "Critique", "Plan", "Critique", "Rehearsal", "Started"]


def test_each_plan_is_criticised_once_however_many_steps_it_has() -> None:
    trial = Trial(BOTH, critique=Criticised([Critique()]), rehearse=Rehearsed([Rehearsal(True)]))
    assert trial.run().result == "goal met"


def test_a_failed_step_is_corrected_before_the_plan_goes_on() -> None:
    correct = Corrected([MOVE_BALL, None])
    trial = Trial(BOTH, correct=correct)
    trial.world.slips = 1
    assert trial.run().result == "goal met"
    assert trial.started == [MOVE_BALL.words, MOVE_BALL.words, MOVE_CUP.words]
    assert [started.correcting for started in trial.monologue.since(None, Started)] == [False, True, False]
    assert [(verdict.step, verdict.ok) for verdict in correct.seen] == [(MOVE_BALL, False), (MOVE_BALL, True)]
    assert trial.planner.asked == 1


def test_a_correction_that_worked_may_be_followed_by_what_failed() -> None:
    trial = Trial(BOTH, correct=Corrected([MOVE_CUP, MOVE_BALL, None]))
    trial.world.slips = 1
    assert trial.run().result == "goal met"
    assert trial.started == [MOVE_BALL.words, MOVE_CUP.words, MOVE_BALL.words]


def test_what_cannot_be_corrected_goes_back_to_the_planner() -> None:
    trial = Trial(BALL, BALL, correct=Corrected([MOVE_BALL, None]))
    trial.world.slips = 2
    assert trial.run().result == "goal met"
    assert trial.planner.asked == 2


def test_what_is_remembered_is_said_after_each_step() -> None:
    trial = Trial(BOTH, remember=Remembered())
    assert trial.run().result == "goal met"
    assert [s.attributes["steps"]["taken"] for s in trial.monologue.since(None, WorldState)] == [1, 2]


# After a crash --------------------------------------------------------------------------------------------------------


def resumed(trial: Trial, until: int, *decisions: Plan | Done) -> Trial:
    """The same run again, from its first events on, as if the process had ended there."""
    again = Trial(*decisions, world=trial.world)
    again.person.heard()
    again.monologue = Monologue(
        again.world.clock, [Event(e.index, e.at, e.record) for e in list(trial.monologue)[:until]]
    )
    mind = replace(trial.loop.mind, plan=Planned(decisions))
    again.loop = Loop(mind, again.monologue, again.person, trial.loop.limits)
    again.monologue.append(Resumed("test"))
    return again


def index(trial: Trial, kind: type[object], number: int = 0) -> int:
    return [event.index for event in trial.monologue if isinstance(event.record, kind)][number]


def test_what_was_under_way_is_checked_before_anything_moves() -> None:
    trial = Trial(BOTH)
    trial.run()
    again = resumed(trial, index(trial, Started, 1) + 1)
    again.world.where["cup"] = "shelf"
    assert again.run().result == "goal met"
    after = [type(e.record).__name__ for e in list(again.monologue)[index(again, Resumed) :]]
    assert after == ["Resumed", "Outcome", "Verdict", "Observation", "End"]


def test_a_plan_that_was_not_yet_criticised_is_so_after_a_crash() -> None:
    bad = Critique((Violation(0, "no"),))
    trial = Trial(BALL, DONE, critique=Criticised([bad, bad]))
    trial.run()
    again = resumed(trial, index(trial, Plan) + 1, DONE)
    assert again.run().result == "unconfirmed"
    assert again.started == []
    assert again.kinds.count("Critique") == 1


def test_without_verification_a_step_cut_short_is_taken_again_and_none_is_lost() -> None:
    trial = Trial(BOTH, DONE, verify=None, perceive=LookAfterEachStep(TOY))
    trial.run()
    again = resumed(trial, index(trial, Started, 0) + 1, DONE)
    assert again.run().result == "unconfirmed"
    assert again.started == [MOVE_BALL.words, MOVE_BALL.words, MOVE_CUP.words]


def test_what_was_not_yet_remembered_is_so_after_a_crash() -> None:
    trial = Trial(BALL, remember=Remembered())
    trial.run()
    again = resumed(trial, index(trial, Verdict) + 1)
    again.run()
    assert again.kinds.count("WorldState") == 1


@pytest.mark.parametrize("until", range(2, 14))
def test_a_run_goes_on_from_any_event_and_repeats_nothing(until: int) -> None:
    trial = Trial(BOTH)
    trial.run()
    again = resumed(trial, until, BOTH, BOTH)
    assert again.run().result == "goal met"
    assert [e.index for e in again.monologue] == list(range(len(again.monologue)))
    if until > index(trial, Plan):
        assert again.started == trial.started[: len(again.started)]


def test_a_run_that_is_cancelled_leaves_no_task_behind() -> None:
    async def cancelled() -> int:
        thinking = asyncio.Event()

        async def thinks_for_ever(_: Monologue) -> None:
            thinking.set()
            await asyncio.Event().wait()

        run = asyncio.ensure_future(Trial(thinks_for_ever).loop.run())
        await thinking.wait()
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
        return len(asyncio.all_tasks()) - 1

    assert asyncio.run(cancelled()) == 0


def test_the_scene_is_looked_at_after_each_step_and_not_oftener() -> None:
    trial = Trial(BOTH)
    trial.run()
    assert trial.kinds.count("Observation") == 4  # the request, the goal, two steps
    assert all(isinstance(o, Observation) for o in trial.monologue.since(None, Observation))
