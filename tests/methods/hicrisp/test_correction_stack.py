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
from thinkaloud.methods.hicrisp.correction_examples import HOPELESS, NOTHING_NEEDED
from thinkaloud.methods.hicrisp.correction_stack import CorrectionStack
from thinkaloud.methods.hicrisp.expected_states import IntermediateStates
from thinkaloud.methods.hicrisp.failure_history import cases, under_way
from thinkaloud.methods.inner_monologue.planner import InnerMonologue
from thinkaloud.methods.open_loop.planner import OpenLoop
from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.perceive.when_to_look import LookOnce
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
from thinkaloud.verify.failure_levels import TwoLevels
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


def undoing(*knots: str) -> list[str]:
    """Corrections: for each knot that it is needed undone, and that it is undone first."""
    return [words for knot in knots for words in (f"The {knot} is undone.", f"Undo the {knot}.")]


def test_what_is_in_the_way_is_undone_and_the_step_is_tried_again() -> None:
    run = trial(Knots({"bow": ["hitch"]}), saying(*undoing("hitch")), "bow")
    assert run.run().result == "goal met"
    assert run.started == ["Undo the bow.", "Undo the hitch.", "Undo the bow."]
    assert [started.correcting for started in run.monologue.since(None, Started)] == [False, True, True]


def test_a_correction_that_fails_is_put_right_first_and_all_is_tried_again_from_the_top() -> None:
    world = Knots({"bow": ["hitch"], "hitch": ["loop"]})
    run = trial(world, saying(*undoing("hitch", "loop")), "bow")
    assert run.run().result == "goal met"
    names = ["bow", "hitch", "loop", "hitch", "bow"]
    assert run.started == [f"Undo the {name}." for name in names]


def test_the_model_is_told_what_failed_and_why_and_what_worked_before() -> None:
    model = saying(*undoing("hitch", "loop"))
    trial(Knots({"bow": ["hitch"], "hitch": ["loop"]}), model, "sling", "bow").run()
    first, _, second, _ = (prompt.rsplit("\n\n", 1)[-1] for prompt in model.prompts)
    assert first == (
        "Can: pull, undo.\n"
        f"Task: {ASKED}\nDone: Undo the sling.\nFailed: Undo the bow.\nWhy: The hitch is in the way.\nNeeded:"
    )
    assert "Failed: Undo the hitch.\nExpected: The hitch is undone.\nWhy: The loop is in the way." in second
    assert "Done: Undo the sling.\n" in second, "what failed was not done"
    assert all(prompt.startswith(model.prompts[0][:200]) for prompt in model.prompts)


def test_any_state_and_any_step_may_be_said_whatever_is_so_and_whatever_was_tried() -> None:
    """A grammar keeps to the form and to the names; what helps is for the model to say."""
    said = {"Needed:": "The sling is undone.", "Do first:": "Undo the bow."}
    world, model = Knots({"bow": ["hitch"]}), Chooser(lambda prompt, _: said[prompt.rsplit("\n", 1)[-1]])
    world.open = ["sling"]
    run = trial(world, model, "bow", threshold=2)
    run.run()
    states = {f"The {name} is undone." for name in NAMES}
    steps = {"Pull at everything.", *(f"Undo the {name}." for name in NAMES)}
    assert [{*each} for each in model.offered] == [{*states, NOTHING_NEEDED, HOPELESS}, steps] * 2
    assert run.started == ["Undo the bow."] * 3


def test_the_model_is_told_what_was_tried_for_the_very_same_failure() -> None:
    model = saying(NOTHING_NEEDED, "Pull at everything.", *undoing("hitch"))
    trial(Knots({"bow": ["hitch"]}), model, "bow").run()
    assert model.prompts[0].endswith("\nWhy: The hitch is in the way.\nNeeded:")
    assert model.prompts[2].endswith("\nTried: Pull at everything.\nNeeded:")


def test_the_model_is_told_the_state_that_the_plan_had_in_mind() -> None:
    world, model = Knots(slips=[1]), saying(*undoing("bow"))
    step = replace(world.step("bow"), reason="The bow is undone.")
    parts: dict[str, Any] = {"verify": IntermediateStates(world), "correct": CorrectionStack(model, world)}
    run = Trial(Plan("Undo.", (), (step,)), Done("done"), world=world, request=ASKED, **parts)
    run.run()
    told = "Failed: Undo the bow.\nExpected: The bow is undone.\nWhy: The bow was pulled. Not so: The bow is undone."
    assert told in model.prompts[0]
    assert run.started == ["Undo the bow."] * 3 and world.open == ["bow"]


def test_what_is_needed_is_the_state_that_the_correction_is_held_against() -> None:
    model = saying(*undoing("hitch"))
    run = trial(Knots({"bow": ["hitch"]}), model, "bow")
    run.run()
    assert len(model.prompts) == 2, "what is needed, and what is done first"
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
    run = trial(world, saying(*undoing("hitch", "loop", "noose")), "bow", "sling", threshold=3)
    end = run.run()
    assert end.result == "failed" and "Undo the bow." in end.because and "sling" not in end.because
    assert world.open == ["sling"], "the rest of the plan was carried out"
    thoughts = [plan.thought for plan in run.monologue.since(None, Plan) if plan.thought]
    assert thoughts == ["I could not put this right: Undo the bow. (The hitch is in the way.) I go on with the rest."]
    assert [len(case.tries) for case in cases(run.monologue)] == [3]


def test_what_is_not_usable_is_told_to_the_model_and_said_to_be_the_correctors() -> None:
    world = Knots({"bow": ["hitch"]})
    model = saying(NOTHING_NEEDED, "Cut the rope.", *undoing("hitch"))
    run = trial(world, model, "bow", limits=Limits(steps=20, refusals=4))
    assert run.run().result == "goal met"
    [refused] = run.monologue.since(None, Refusal)
    assert refused.role == "corrector" and "none of the robot's skills" in refused.why
    assert f"Not usable: {refused.why}\nTask: " in model.prompts[2]
    assert "Not usable" not in model.prompts[0]


def test_words_that_are_of_no_use_end_the_run_by_the_limit_of_refusals() -> None:
    run = trial(Knots({"bow": ["hitch"]}), Scripted(lambda _: " Kumquat."), "bow")
    end = run.run()
    assert end.result == "limit" and "no usable answer 3 times" in end.because
    assert run.started == ["Undo the bow."]


def test_where_there_is_much_a_correction_is_about_what_the_task_the_plan_and_the_failures_name() -> None:
    model = Chooser(lambda prompt, _: NOTHING_NEEDED if prompt.endswith("Needed:") else "Pull at everything.")
    many = [f"tangle{number}" for number in range(30)]
    world = Knots({"bow": ["hitch"]}, names=(*NAMES, *many))
    run = trial(world, model, "bow", "loop", threshold=1)
    run.person.heard()
    run.person.say(Request("Undo the noose."))
    run.run()
    named = ("bow", "hitch", "loop", "noose")
    assert {*model.offered[1]} == {"Pull at everything.", *(f"Undo the {name}." for name in named)}


@pytest.mark.parametrize("part", ["effects", "holds"])
def test_a_fault_in_the_builders_own_code_does_not_end_the_run(part: str) -> None:
    def broken(*given: Any, **more: Any) -> Any:
        raise KeyError("oops")

    world = Knots({"bow": ["hitch"]})
    if part == "effects":
        world.skills = {**world.skills, "pull": replace(world.skills["pull"], effects=broken)}
        model = saying(*undoing("hitch"))
    else:
        hold = world.holds
        model = saying(*undoing("hitch"))
        world.holds = lambda condition: broken() if "noose" in condition.words else hold(condition)  # type: ignore[method-assign]
    run = trial(world, model, "bow")
    assert run.run().result == "goal met"


def test_a_stop_and_a_new_request_end_it_at_once() -> None:
    model = saying(*undoing("hitch"))
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
    needed, first = (f" {words}" for words in undoing("hitch"))
    run = trial(world, Scripted(lambda prompt: needed if prompt.endswith("Needed:") else first), "bow")
    run.answers(*[Answer("yes")] * 3)
    assert run.run().result == "goal met"
    assert [ask.questions[0] for ask in run.monologue.since(None, Ask)] == [f"May I do this? {s}" for s in run.started]
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
    model = saying(*undoing("bow"), *undoing("bow"))
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
    step = asyncio.run(CorrectionStack(saying(*undoing("hitch")), world).correct(failed, monologue))
    assert step is not None and step.words == "Undo the hitch."
    assert {*NAMES} == {*world.observe().objects}


def test_words_that_were_not_usable_no_longer_count_once_others_were() -> None:
    world = Knots({"bow": ["hitch"], "loop": ["noose"]})
    model = saying(*[NOTHING_NEEDED, "Fly."] * 2, *undoing("hitch"), *[NOTHING_NEEDED, "Fly."] * 2, *undoing("noose"))
    run = trial(world, model, "bow", "loop", limits=Limits(steps=20, refusals=3))
    assert run.run().result == "goal met"
    assert len(run.monologue.since(None, Refusal)) == 4


def test_a_correction_may_take_numbers_where_a_robot_is_moved_by_coordinates() -> None:
    world = Board()
    move, grasp = (world.skills[name] for name in ("move", "grasp"))
    too_early, first = move.step({"x": 0.3, "y": 0.3}), grasp.step({"x": 0.1, "y": 0.1})
    corrected = CorrectionStack(saying(NOTHING_NEEDED, first.words), world)
    plan = Plan("Put the pawn at (0.3, 0.3).", (), (too_early,))
    run = Trial(plan, Done("done"), world=world, request=plan.goal, verify=TwoLevels(world), correct=corrected)
    run.run()
    assert run.started == [too_early.words, first.words, too_early.words]
    assert world.where["pawn"] == (0.3, 0.3)


# One prompt for every model -------------------------------------------------------------------------------------------


class Trained(Scripted):
    """Needs no introduction."""

    trained = True


def test_a_trained_model_reads_the_same_without_the_introduction() -> None:
    prompts = []
    for kind in (Trained, Scripted):
        model = kind([f" {words}" for words in undoing("hitch")])
        assert trial(Knots({"bow": ["hitch"]}), model, "bow").run().result == "goal met"
        prompts.append(model.prompts)
    for trained, other in zip(*prompts, strict=True):
        assert other.endswith(f"\n\n{trained}") and trained.startswith("Can: pull, undo.\nTask: ")


@pytest.mark.parametrize("hopeless", [HOPELESS, "nothing helps"])
def test_the_model_may_say_that_nothing_helps(hopeless: str) -> None:
    model = saying(hopeless)
    run = trial(Knots({"bow": ["hitch"]}), model, "bow")
    assert run.run().result == "failed"
    assert len(model.prompts) == 1 and not cases(run.monologue)[0].fixed
