"""HiCRISP's correction stack at work: what it asks the model, what it does with the answer, and when it gives up."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from boardworld import Board
from knotworld import NAMES, Chooser, Given, Knots
from minds import Trial
from thinkaloud.loop import Limits
from thinkaloud.methods.hicrisp.cases import cases, under_way
from thinkaloud.methods.hicrisp.correction_examples import HOPELESS, NOTHING_NEEDED
from thinkaloud.methods.hicrisp.correction_stack import CorrectionStack
from thinkaloud.methods.inner_monologue.planner import InnerMonologue
from thinkaloud.methods.open_loop.planner import OpenLoop
from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.perceive.looking import LookOnce
from thinkaloud.records import (
    Answer,
    Ask,
    Done,
    Observation,
    Outcome,
    Plan,
    Record,
    Refusal,
    Request,
    Started,
    Stop,
    Verdict,
)
from thinkaloud.verify.levels import TwoLevels
from toyworld import ToyWorld

ASKED = "Undo the bow, please, and mind the hitch, the loop, the noose and the sling."


def trial(world: Any, model: Scripted, *steps: str, threshold: int = 5, **more: Any) -> Trial:
    """A given plan in a world of knots, with corrections."""
    parts = {
        "plan": Given(world, tuple(world.step(name) for name in steps)),
        "verify": TwoLevels(world),
        "correct": CorrectionStack(model, world, threshold),
    }
    limits = more.pop("limits", None) or Limits(steps=200)
    return Trial(world=world, request=ASKED, limits=limits, **parts | more)


def saying(*answers: str) -> Scripted:
    return Scripted([f" {answer}" for answer in answers])


def test_what_is_in_the_way_is_undone_and_the_step_is_tried_again() -> None:
    run = trial(Knots({"bow": ["hitch"]}), saying("The hitch is undone."), "bow")
    assert run.run().result == "goal met"
    assert run.started == ["Undo the bow.", "Undo the hitch.", "Undo the bow."]
    assert [started.correcting for started in run.monologue.since(None, Started)] == [False, True, True]


def test_a_correction_that_fails_is_put_right_first_and_all_is_tried_again_from_the_top() -> None:
    world = Knots({"bow": ["hitch"], "hitch": ["loop"]})
    run = trial(world, saying("The hitch is undone.", "The loop is undone."), "bow")
    assert run.run().result == "goal met"
    names = ["bow", "hitch", "loop", "hitch", "bow"]
    assert run.started == [f"Undo the {name}." for name in names]


def test_the_model_is_told_what_failed_and_why_and_what_worked_before() -> None:
    model = saying("The hitch is undone.", "The loop is undone.")
    trial(Knots({"bow": ["hitch"], "hitch": ["loop"]}), model, "sling", "bow").run()
    first, second = (prompt.rsplit("\n\n", 1)[-1] for prompt in model.prompts)
    assert first == (
        f"Task: {ASKED}\nDone: Undo the sling.\nFailed: Undo the bow.\nWhy: The hitch is in the way.\nNeeded:"
    )
    assert "Failed: Undo the hitch.\nWhy: The loop is in the way." in second
    assert "Done: Undo the sling.\n" in second, "what failed was not done"
    assert all(prompt.startswith(model.prompts[0][:200]) for prompt in model.prompts)


def test_what_is_needed_is_among_what_is_not_so_and_could_be_brought_about() -> None:
    world, model = Knots({"bow": ["hitch"]}), Chooser(lambda _, options: options[0])
    world.open = ["sling"]
    trial(world, model, "bow", threshold=1).run()
    wanted = model.offered[0]
    assert "The hitch is undone." in wanted and "The sling is undone." not in wanted and NOTHING_NEEDED in wanted
    assert "The bow is undone." not in wanted, "it has been tried, and changed nothing"


def test_where_what_is_needed_comes_about_in_one_way_the_model_is_not_asked_for_it() -> None:
    model = saying("The hitch is undone.")
    run = trial(Knots({"bow": ["hitch"]}), model, "bow")
    run.run()
    assert len(model.prompts) == 1
    correction = next(started.step for started in run.monologue.since(None, Started) if started.correcting)
    assert correction.reason == "The hitch is undone."


def test_where_nothing_that_can_be_said_is_needed_any_step_may_be_first() -> None:
    model = Chooser(lambda prompt, options: NOTHING_NEEDED if prompt.endswith("Needed:") else "Pull at everything.")
    run = trial(Knots({"bow": ["hitch"]}), model, "bow", threshold=1)
    run.run()
    assert model.prompts[1] == f"{model.prompts[0]} {NOTHING_NEEDED}\nDo first:"
    assert "Pull at everything." in model.offered[1] and "Undo the hitch." in model.offered[1]
    assert run.started == ["Undo the bow.", "Pull at everything.", "Undo the bow."]


def test_it_gives_up_at_the_threshold_and_says_so() -> None:
    world = Knots({"bow": ["hitch"], "hitch": ["loop"], "loop": ["noose"], "noose": ["bow"]})
    wanted = iter(["hitch", "loop", "noose"])
    run = trial(world, Scripted(lambda _: f" The {next(wanted)} is undone."), "bow", "sling", threshold=3)
    end = run.run()
    assert end.result == "failed" and "Undo the bow." in end.because and "sling" not in end.because
    assert world.open == ["sling"], "the rest of the plan was carried out"
    thoughts = [plan.thought for plan in run.monologue.since(None, Plan) if plan.thought]
    assert thoughts == ["I could not put this right: Undo the bow. (The hitch is in the way.) I go on with the rest."]
    assert [len(case.tries) for case in cases(run.monologue)] == [3]


def test_it_gives_up_when_nothing_is_left_to_try() -> None:
    world = Knots({"bow": ["hitch"]}, names=("bow",))
    del world.skills["pull"]  # type: ignore[attr-defined]
    model = Scripted()
    run = trial(world, model, "bow")
    assert run.run().result == "failed"
    assert model.prompts == [] and run.started == ["Undo the bow."]


def test_what_is_not_usable_is_told_to_the_model_and_said_to_be_the_correctors() -> None:
    world = Knots({"bow": ["hitch"]})
    model = saying(NOTHING_NEEDED, "Cut the rope.", NOTHING_NEEDED, "Undo the bow.", "The hitch is undone.")
    run = trial(world, model, "bow", limits=Limits(steps=20, refusals=4))
    assert run.run().result == "goal met"
    refused = run.monologue.since(None, Refusal)
    assert [each.role for each in refused] == ["corrector", "corrector"]
    assert "none of the robot's skills" in refused[0].why and "in vain" in refused[1].why
    notes = [f"Not usable: {each.why}\nTask: " in model.prompts[at] for at, each in zip((2, 4), refused, strict=True)]
    assert notes == [True, True]
    assert "Not usable" not in model.prompts[0]


def test_words_that_are_of_no_use_end_the_run_by_the_limit_of_refusals() -> None:
    run = trial(Knots({"bow": ["hitch"]}), Scripted(lambda _: " Kumquat."), "bow")
    end = run.run()
    assert end.result == "limit" and "no usable answer 3 times" in end.because
    assert run.started == ["Undo the bow."]


def test_only_what_the_task_the_failures_and_the_view_of_them_name_can_be_done_about_it() -> None:
    model = Chooser(lambda prompt, options: NOTHING_NEEDED if prompt.endswith("Needed:") else options[-1])
    world = Knots({"bow": ["hitch"]})
    run = trial(world, model, "bow", threshold=1)
    run.person.heard()
    run.person.say(Request("Undo the bow."))
    run.run()
    assert {*model.offered[1]} == {"Undo the hitch.", "Pull at everything."}


@pytest.mark.parametrize("part", ["effects", "holds"])
def test_a_fault_in_the_builders_own_code_does_not_end_the_run(part: str) -> None:
    def broken(*given: Any, **more: Any) -> Any:
        raise KeyError("oops")

    world = Knots({"bow": ["hitch"]})
    if part == "effects":
        world.skills = {**world.skills, "pull": replace(world.skills["pull"], effects=broken)}
        model = saying("The hitch is undone.")
    else:
        hold = world.holds
        model = Chooser(lambda prompt, options: "The hitch is undone.")
        world.holds = lambda condition: broken() if "noose" in condition.words else hold(condition)  # type: ignore[method-assign]
    run = trial(world, model, "bow")
    assert run.run().result == "goal met"


def test_a_stop_and_a_new_request_end_it_at_once() -> None:
    model = saying("The hitch is undone.")
    run = trial(Knots({"bow": ["hitch"]}), model, "bow")

    def speak(event: Any) -> None:
        if isinstance(event.record, Started) and event.record.correcting:
            run.person.say(Stop())

    run.monologue.listeners.append(speak)
    assert run.run().result == "stopped"
    assert under_way(run.monologue) is None


def test_a_correction_that_needs_approval_is_asked_for_once_and_is_part_of_the_same_case() -> None:
    world = Knots({"bow": ["hitch"]})
    world.skills = {**world.skills, "undo": replace(world.skills["undo"], approval=True)}
    run = trial(world, Scripted(lambda _: " The hitch is undone."), "bow")
    run.answers(*[Answer("yes")] * 3)
    assert run.run().result == "goal met"
    assert [ask.questions[0] for ask in run.monologue.since(None, Ask)] == [f"May I do this: {s}" for s in run.started]
    assert [case.fixed for case in cases(run.monologue)] == [True]


# Under other planners -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("planner", ["inner monologue", "open loop"])
def test_it_works_under_a_planner_that_thinks_one_step_ahead_and_in_the_open_loop(planner: str) -> None:
    world = ToyWorld()
    world.slips = 1
    parts: dict[str, Any] = {"plan": InnerMonologue(Scripted(one_step), world, "object+success")}
    if planner == "open loop":
        whole = f"{MOVE}\nRobot action: Move the cup to the bin.\nRobot action: Done."
        parts = {"plan": OpenLoop(Scripted([whole]), world), "perceive": LookOnce(world)}
    parts |= {"verify": TwoLevels(world), "correct": CorrectionStack(saying(NOTHING_NEEDED, MOVE.strip()), world)}
    run = Trial(world=world, request="Put the ball on the shelf and the cup in the bin.", **parts)
    assert run.run().result == "unconfirmed"
    assert run.started[:3] == [MOVE.strip()] * 3
    assert [case.fixed for case in cases(run.monologue)] == [True]
    assert world.where["ball"] == "shelf" and world.where["cup"] == ("bin" if planner == "open loop" else "floor")


MOVE = " Move the ball to the shelf."


def one_step(prompt: str) -> str:
    """Moves the ball, and says that this is all."""
    return " Done." if MOVE in prompt.rsplit("Human:", 1)[-1] else MOVE


def test_a_step_of_an_unknown_skill_is_corrected_like_any_other() -> None:
    world = Knots()
    unknown = replace(world.step("bow"), skill="untie", words="Untie the bow.")
    model = Chooser(lambda prompt, options: "The bow is undone." if "The bow is undone." in options else options[0])
    parts: dict[str, Any] = {"verify": TwoLevels(world), "correct": CorrectionStack(model, world, 2)}
    run = Trial(Plan("Undo.", (), (unknown,)), Done("x", "gave up"), world=world, request=ASKED, **parts)
    assert run.run().result == "failed"
    assert run.started[:3] == ["Untie the bow.", "Undo the bow.", "Untie the bow."]
    assert "There is no skill 'untie'" in run.monologue.since(None, Verdict)[0].why


def test_nothing_is_proposed_where_nothing_failed() -> None:
    world = Knots()
    stack, monologue = CorrectionStack(Scripted(), world), Monologue(world.clock)
    ok = Verdict(world.step("bow"), True, "action")
    records: list[Record] = [Request("Undo."), Started(ok.step), Outcome(ok.step, "completed"), ok]
    for record in records:
        monologue.append(record)
    assert asyncio.run(stack.correct(ok, monologue)) is None


def test_without_a_look_the_world_itself_is_looked_at() -> None:
    world = Knots({"bow": ["hitch"]})
    failed = Verdict(world.step("bow"), False, "action", why="The hitch is in the way.")
    monologue = Monologue(world.clock)
    records: list[Record] = [Request("Undo."), Started(failed.step), Outcome(failed.step, "failed"), failed]
    for record in records:
        monologue.append(record)
    assert monologue.last(Observation) is None
    step = asyncio.run(CorrectionStack(saying("The hitch is undone."), world).correct(failed, monologue))
    assert step is not None and step.words == "Undo the hitch."
    assert {*NAMES} == {*world.observe().objects}


def test_words_that_were_not_usable_no_longer_count_once_others_were() -> None:
    world = Knots({"bow": ["hitch"], "loop": ["noose"]})
    model = saying(
        *[NOTHING_NEEDED, "Fly."] * 2, "The hitch is undone.", *[NOTHING_NEEDED, "Fly."] * 2, "The noose is undone."
    )
    run = trial(world, model, "bow", "loop", limits=Limits(steps=20, refusals=3))
    assert run.run().result == "goal met"
    assert len(run.monologue.since(None, Refusal)) == 4


def test_a_correction_may_take_numbers_where_a_robot_is_moved_by_coordinates() -> None:
    world = Board()
    move, grasp = (world.skills[name] for name in ("move", "grasp"))
    too_early, first = move.step({"x": 0.3, "y": 0.3}), grasp.step({"x": 0.1, "y": 0.1})
    corrected = CorrectionStack(saying(first.words), world)
    plan = Plan("Put the pawn at (0.3, 0.3).", (), (too_early,))
    run = Trial(plan, Done("done"), world=world, request=plan.goal, verify=TwoLevels(world), correct=corrected)
    run.run()
    assert run.started == [too_early.words, first.words, too_early.words]
    assert world.where["pawn"] == (0.3, 0.3)


# A trained model ------------------------------------------------------------------------------------------------------


class Trained(Scripted):
    """Needs no examples."""

    trained = True


def test_a_trained_model_reads_the_failure_alone_and_may_say_that_nothing_helps() -> None:
    model = Trained([f" {HOPELESS}"])
    run = trial(Knots({"bow": ["hitch"]}), model, "bow")
    run.run()
    assert model.prompts[0].startswith(f"Task: {ASKED}\n") and model.prompts[0].endswith("\nNeeded:")
    assert len(model.prompts) == 1 and not cases(run.monologue)[0].fixed
