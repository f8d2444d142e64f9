"""MultiTalk when things do not go on as they began: people change their minds, answer late, and processes end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from multitalk_dialogue import CAN, FINE, LATE, LOOKS, THINKS, Talk, asks, at_once, carry, figure, objects, plan
from thinkaloud.agent import Agent, restore_world
from thinkaloud.clock import ManualClock
from thinkaloud.errors import Unparseable
from thinkaloud.methods.multitalk.dialogue_examples import DialogueExample, example_plan, grasp, home, move
from thinkaloud.methods.multitalk.planner import MultiTalk
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Done,
    Look,
    Observation,
    Outcome,
    Plan,
    Record,
    Refusal,
    Request,
    Resumed,
    Started,
    Verdict,
    Violation,
)
from thinkaloud.remember.journal import Journal
from thinkaloud.robots import open_world
from thinkaloud.worlds import World
from thinkaloud_worlds.franka import Franka
from toyworld import ToyWorld

FETCH = plan(*carry("the soup can", CAN, (0.30, 0.0), "at (0.30, 0.00)"))
OFF = "multitalk:analyzer=off"


def place(world: World, name: str) -> object:
    return pytest.approx(world.position(name)[:2], abs=0.02)  # type: ignore[attr-defined]


class Changed(Talk):
    """Somebody says something as soon as the soup can is in the hand."""

    def heard(self, *messages: Record) -> None:
        left = list(messages)

        def speak() -> None:
            if left and self.world.held == "soup can":  # type: ignore[attr-defined]
                self.person.say(left.pop(0))  # type: ignore[arg-type]

        self.agent.loop.ticking.append(speak)


# A person changes their mind ------------------------------------------------------------------------------------------


def test_a_new_request_in_the_middle_is_planned_for_with_what_is_in_the_hand() -> None:
    again = plan("Put the can down: move((0.40, 0.20))", *carry("the mustard bottle", (0.32, -0.33), (0.10, -0.40)))
    talk = Changed(figure(1), OFF, [FETCH, again])
    talk.heard(Request("No: the can to (0.40, 0.20) and the mustard bottle to (0.10, -0.40)."))
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")
    assert place(talk.world, "soup can") == (0.40, 0.20)
    assert place(talk.world, "mustard bottle") == (0.10, -0.40)
    told = talk.model.prompts[1]
    assert "In the hand: soup can" in told
    assert "Task: No: the can to" in told
    assert "Task: Put the soup can at (0.30, 0.00)." not in told
    goal = talk.all(Plan)[-1]
    assert [condition.words for condition in goal.conditions] == [
        "Soup can is at (0.4, 0.2).",
        "Mustard bottle is at (0.1, -0.4).",
    ]


def test_what_comes_into_view_in_the_middle_is_part_of_the_goal() -> None:
    world = open_world("franka", scene=LATE.replace('late = ["soup can"]', 'late = ["mug"]'))
    again = plan("Put the can down: move((0.30, 0.00))", *carry("the mug", (0.30, -0.40), (0.10, -0.45)))
    talk = Changed(world, OFF, [FETCH, LOOKS, again])
    talk.heard(Request("Put the soup can at (0.30, 0.00) and the mug at (0.10, -0.45)."))
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")
    assert "Mug is at (0.1, -0.45)." in [condition.words for condition in talk.all(Plan)[-1].conditions]
    assert place(world, "mug") == (0.10, -0.45)


def test_an_answer_that_comes_late_changes_nothing_that_is_under_way() -> None:
    talk = Changed(figure(1), OFF, [FETCH])
    talk.heard(Answer("By the way, I like soup."))
    assert talk.says("Put the soup can at (0.30, 0.00).").startswith("goal met")
    assert len(talk.all(Plan)) == 2


def test_somebody_who_says_stop_has_the_arm_hold_still() -> None:
    talk = Changed(figure(1), OFF, [FETCH])
    talk.agent.loop.ticking.append(
        lambda: talk.agent.stop("enough") if talk.world.held and not talk.agent.monologue.last(Outcome) else None  # type: ignore[attr-defined]
    )
    assert talk.says("Put the soup can at (0.30, 0.00).") == "stopped: enough"


def test_to_ask_for_approval_is_no_question_of_the_planners() -> None:
    things = ("ball", "cup", "box", "ball", "cup", "box")
    said = THINKS + at_once(*(f'It is of no use: discard("{thing}")' for thing in things))
    talk = Talk(ToyWorld(), "multitalk:analyzer=off;simulator=off", [said], ["yes"] * len(things))
    assert talk.says("Throw it all away.").startswith("unconfirmed")
    assert len(talk.all(Started)) == len(things)


def test_what_is_not_there_is_asked_for_and_something_else_may_be_planned_instead() -> None:
    world = open_world("franka", scene=LATE)
    instead = plan(*carry("the lime", (0.10, 0.40), (0.30, 0.0)))
    said = [LOOKS, asks("There is no apple in view. Which thing would you like instead?"), instead]
    talk = Talk(world, OFF, said, ["Then the lime, at (0.30, 0.00)."])
    assert talk.says("Give me an apple.").startswith("goal met")


# A process ends -------------------------------------------------------------------------------------------------------


class Killed(BaseException):
    """Nobody catches this."""


SAID = [LOOKS, FETCH, FINE]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("kind", "nth", "left"),
    [
        (Look, 1, [FETCH, FINE]),
        (Observation, 2, [FETCH, FINE]),
        (Plan, 1, [FINE]),
        (Critique, 1, []),
        (Started, 1, []),  # what was cut short is done again, without a new plan
        (Outcome, 1, []),
        (Started, 2, []),
        (Started, 3, []),
        (Verdict, 3, []),
        (Plan, 2, []),
    ],
)
def test_a_run_goes_on_from_its_journal(tmp_path: Path, kind: type[Record], nth: int, left: list[str]) -> None:
    counted: list[Record] = []

    def kill(event: Event) -> None:
        counted.extend([event.record] if isinstance(event.record, kind) else [])
        if len(counted) == nth:
            raise Killed

    with Journal(tmp_path / "journal.db") as journal, journal.begin() as session:
        world = open_world("franka", scene=LATE)
        first = Agent(world, Scripted(SAID), "multitalk", session=session, listeners=[kill])
        with pytest.raises(Killed):
            asyncio.run(first.run("Put the soup can at (0.30, 0.00)."))
        world = open_world("franka", scene=LATE)
        restore_world(world, session, 0)
        second = Agent(world, Scripted(left), "multitalk", session=session)
        end = asyncio.run(second.resume())
        assert end.result == "goal met", end.because
        assert place(world, "soup can") == (0.30, 0.00)
        assert second.monologue.last(Resumed) is not None
        assert session.events()[-1][2] == end


# What is left to say at the end ---------------------------------------------------------------------------------------


def decided(world: World, *records: Record) -> object:
    said = Monologue(ManualClock())
    for record in (Request("Tidy up."), world.observe(), *records):
        said.append(record)
    return asyncio.run(MultiTalk(Scripted(lambda _: "Hm."), world).plan(said))


def done(world: ToyWorld, ending: str, ok: bool) -> tuple[Record, ...]:
    step = world.step("move", "ball", "shelf")
    outcome = Outcome(step, ending, "so it was")  # type: ignore[arg-type]
    return Plan("", (), (step,)), Started(step), outcome, Verdict(step, ok, "action", why="" if ok else "it slipped")


def test_after_a_plan_it_is_said_what_has_to_be_true_and_once_that_was_said_that_is_all() -> None:
    world = ToyWorld()
    goal = Plan("", (world.condition("ball", "shelf"),), ())
    assert decided(world, *done(world, "completed", True)) == goal
    assert decided(world, *done(world, "interrupted", True)) == goal  # it had its effect nevertheless
    assert decided(world, *done(world, "completed", True), goal) == Done("all the steps were carried out")
    nothing = world.step("show", "ball")
    shown = (
        Plan("", (), (nothing,)),
        Started(nothing),
        Outcome(nothing, "completed"),
        Verdict(nothing, True, "action"),
    )
    assert decided(world, *shown) == Done("all the steps were carried out")


def test_what_did_not_work_is_given_up_with_the_reason() -> None:
    world = ToyWorld()
    why = "this did not work: Move the ball to the shelf (it slipped)"
    assert decided(world, *done(world, "completed", False)) == Done(why, "gave up")
    assert decided(world, *done(world, "failed", False)) == Done(why, "gave up")


def test_what_was_interrupted_refused_or_asked_for_anew_is_planned_again() -> None:
    world = ToyWorld()
    plan = done(world, "completed", True)[0]
    for records in (
        done(world, "interrupted", False),
        (plan, Critique((Violation(0, "no"),), "analyzer")),
        (*done(world, "completed", True), Request("And now?"), world.observe()),
    ):
        with pytest.raises(Unparseable, match="This is no plan"):
            decided(world, *records)


def test_a_planner_needs_a_request_and_a_scene() -> None:
    planner = MultiTalk(Scripted(), ToyWorld())
    with pytest.raises(ValueError, match="needs a request and a scene"):
        asyncio.run(planner.plan(Monologue(ManualClock())))


# The prompt -----------------------------------------------------------------------------------------------------------


def test_the_prompt_only_grows_at_its_end() -> None:
    said = [
        asks("Which thing would you like to eat?"),
        plan(*carry("the soup can", CAN, (0.40, 0.20), "aside")),
        objects(s2="the person was not asked where."),
        FETCH,
        FINE,
    ]
    talk = Talk(figure(1), "multitalk", said, ["The soup can."])
    assert talk.says("Something to eat!").startswith("goal met")
    planner = [prompt for prompt in talk.model.prompts if prompt.startswith("You are in command")]
    assert len(planner) == 3
    for (earlier, answer), later in zip(zip(planner, (said[0], said[1]), strict=False), planner[1:], strict=True):
        assert later.startswith(earlier + answer)


def begun(world: World) -> Monologue:
    said = Monologue(ManualClock())
    for record in (Request("Tidy up.\nTask: Burn it."), world.observe()):
        said.append(record)
    return said


def test_the_prompt_says_what_the_robot_is_and_can_do() -> None:
    world = figure(1)
    assert isinstance(world, Franka)
    said = begun(world)
    told = MultiTalk(Scripted(), world).prompt(said)
    assert world.briefing.about in told
    assert "- grasp((x, y, [z])): Grasp the object" in told
    assert "- home(): " in told
    assert told.endswith("Task: Tidy up. Task: Burn it.\nOutput:\nThought:")
    alone, blind = MultiTalk(Scripted(), world, asks=False), MultiTalk(Scripted(), world, looks=False)
    assert "Questions:" not in alone.prompt(said)
    assert "Rerun" not in blind.prompt(said)
    assert "Actions: " in told and "move(thing, place)" in MultiTalk(Scripted(), ToyWorld()).prompt(said)


def test_a_model_that_was_trained_is_told_all_but_the_introduction() -> None:
    class Trained(Scripted):
        trained = True

    world = figure(1)
    short, long = (MultiTalk(kind(), world).prompt(begun(world)) for kind in (Trained, Scripted))
    assert long.endswith(short)
    assert short.startswith("The base of the arm is at (0, 0).")
    assert "\nActions: grasp((x, y, [z])), home(), move((x, y, [z]))\nEnvironment:\n{'soup can': (" in short
    assert len(short) < 700
    assert len(long) - len(short) < 6000  # an introduction that small models can read


def test_examples_of_ones_own_take_the_place_of_the_others() -> None:
    world = figure(1)
    own = DialogueExample(
        world.observe(), "Dance.", (example_plan(grasp((0.1, 0.2, 0.05), "Up"), move(0.3, 0.3, "Down"), home()),)
    )
    said = own.monologue()
    assert MultiTalk(Scripted(), world, examples=[own]).prompt(said).count("Task: Dance.") == 2
    assert MultiTalk(Scripted(), world, examples=[]).prompt(said).count("Task: ") == 1


def test_words_that_were_refused_are_shown_with_the_reason() -> None:
    flies = " What: it. Where: up.\n" + at_once("Up: fly((0.10, 0.20))", "Down: home()")
    talk = Talk(figure(1), "multitalk", [flies] * 3, held=False)
    assert talk.says("Tidy up.").startswith(
        "limit: the model gave no usable answer 3 times; the last: There is no function"
    )
    assert talk.model.prompts[-1].count("Not usable: There is no function 'fly'") == 2
    assert talk.all(Refusal)[0].words.startswith(
        "Thought: What: it. Where: up.\nStep-by-step Instructions:\n1: Up: fly"
    )
    assert talk.all(Ask) == []
