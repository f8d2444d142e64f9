"""MultiTalk in few words, as trained models speak it: points have names, deeds are whole, and code looks things up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from multitalk_dialogue import R, figure
from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.errors import Unparseable
from thinkaloud.methods.multitalk.short_answers import NO_WAY, read_short_answer
from thinkaloud.methods.multitalk.short_dialogue import Points
from thinkaloud.models import Completion, Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.records import Ask, Critique, Look, Plan, Refusal, Rehearsal, Started
from thinkaloud.worlds import World, open_world
from thinkaloud.worlds.contract import TaskSpeaking, find_ability

OFF = "multitalk:analyzer=off"
LATE = """
late = ["mug"]
object = [{name = "lime", x = 0.3, y = 0.4}, {name = "mug", x = 0.3, y = -0.4}, {name = "tray", x = 0.1, y = 0.4}]
"""
WALL = """
object = [{name = "lime", x = 0.35, y = -0.45}, {name = "vase", x = 0.38, y = 0.0}, {name = "mug", x = 0.0, y = 0.5}]
"""


class Trained(Scripted):
    """Says what it is told, in the form of a trained model, and is held to the grammar."""

    trained = True

    async def complete(self, prompt: str, *, grammar: str | None = None, **more: Any) -> Completion:
        said = await super().complete(prompt, grammar=grammar, **{**more, "stop": ()})
        assert grammar is not None
        assert accepts(grammar, said.text), f"{said.text!r} is not in\n{grammar}"
        return said


class Talk:
    """One request; each question gets the next of the answers."""

    def __init__(self, world: World, said: Sequence[str], answers: Iterable[str] = (), preset: str = OFF) -> None:
        self.world, self.model, left = world, Trained(said), iter(answers)
        self.agent = Agent(world, self.model, preset, person=Inbox(present=True))
        self.agent.monologue.listeners.append(
            lambda event: self.agent.say(next(left)) if isinstance(event.record, Ask) else None
        )

    def says(self, request: str) -> str:
        return asyncio.run(self.agent.run(request)).result

    def all(self, kind: type[R]) -> list[R]:
        return self.agent.monologue.since(None, kind)

    def place(self, name: str) -> object:
        return pytest.approx(self.world.position(name)[:2], abs=0.02)  # type: ignore[attr-defined]


def test_a_plan_is_a_deed_and_its_steps_are_the_world_s() -> None:
    talk = Talk(figure(1), [" soup can\nPlan: Put the soup can at P1.\n"])
    assert talk.says("Put the soup can at x = 0.40, y = 0.2.") == "goal met"
    assert talk.place("soup can") == (0.40, 0.20)
    assert talk.model.prompts == ["Things: soup can, mustard bottle\nHuman: Put the soup can at P1.\nMeant:"]
    plan = talk.all(Plan)[0]
    assert [step.reason for step in plan.steps] == ["Grasp the soup can", "Put the soup can at (0.40, 0.20)", "Go home"]
    assert plan.thought == "soup can: Put the soup can at (0.40, 0.20)."
    assert plan.verbatim == "soup can\nPlan: Put the soup can at P1."


def test_questions_offer_what_may_be_meant_and_the_dialogue_goes_on_where_it_was() -> None:
    asked = " soup can 1 or soup can 2\nAsk: Which soup can do you mean? Where should I put it?\n"
    plan = " soup can 2\nPlan: Put the soup can 2 at P2.\n"
    talk = Talk(figure(2), [asked, plan], ["1: The one at (0.40, 0.51). 2: At (0.2, 0.3)"])
    assert talk.says("Give me a soup can.") == "goal met"
    assert talk.place("soup can 2") == (0.20, 0.30)
    assert talk.all(Ask)[0].questions[0] == "Which soup can do you mean, soup can 1 or soup can 2?"
    first, second = talk.model.prompts
    assert second.startswith(first + asked)
    assert "Human: 1: The one at P1. 2: At P2\nNote: P1 is where the soup can 2 is.\nMeant:" in second


def test_what_is_not_in_view_is_looked_for_without_a_word() -> None:
    plan = " mug\nPlan: Put the mug next to the lime.\n"
    talk = Talk(open_world("franka", scene=LATE), [plan])
    assert talk.says("Put the mug next to the lime.") == "goal met"
    assert len(talk.all(Look)) == 1
    assert talk.model.prompts[0].endswith("Meant: mug, not here\nLook again\nNow:\nThings: lime, mug\nOn: tray\nMeant:")


def test_what_is_not_there_at_all_is_told() -> None:
    asked = " cup, not here\nAsk: There is no cup here. What should I do instead?\n"
    talk = Talk(open_world("franka", scene=LATE), [asked, " lime\nPlan: Put the lime on the tray.\n"], ["The lime."])
    assert talk.says("Put the cup on the tray.") == "goal met"
    assert talk.model.prompts[0].endswith("No cup here.\nMeant:")


@pytest.mark.parametrize(
    ("where", "note"),
    [
        ("(0.60, 0.10)", "P1 is outside the table"),
        ("(0.02, 0.03)", "P1 is where the arm itself stands"),
        ("(0.30, 0.41)", "P1 is where the lime is"),
        ("(0.10, 0.36)", "P1 is on the tray"),
        ("(-0.08, 0.21)", "P1 is out of reach"),
    ],
)
def test_points_are_looked_up(where: str, note: str) -> None:
    asked, then = f" lime\nAsk: {NO_WAY} What should I do instead?\n", " lime\nPlan: Put the lime aside.\n"
    talk = Talk(open_world("franka", scene=LATE), [asked, then], ["Anything."])
    assert talk.says(f"Put the lime at {where}.") == "goal met"
    assert f"\nNote: {note}.\nMeant:" in talk.model.prompts[0]


def test_what_the_simulator_runs_into_is_gone_round() -> None:
    said = [" lime\nPlan: Put the lime at P1.\n", " lime\nPlan: Put the lime at P1, round the vase.\n"]
    talk = Talk(open_world("franka", scene=WALL), said)
    assert talk.says("Put the lime at (0.35, 0.40).") == "goal met"
    assert [each.feasible for each in talk.all(Rehearsal)] == [False, True]
    assert talk.model.prompts[1].endswith("Simulator: Collision detected between the hand and vase.\nMeant:")
    assert len(talk.all(Started)) == 5
    assert talk.world.collisions == ()  # type: ignore[attr-defined]


def test_critics_are_heard_without_the_places_that_they_propose() -> None:
    said = [" soup can\nPlan: Put the soup can at P1.\n"]
    said += [" soup can\nPlan: Put the mustard bottle aside. Put the soup can at P1.\n"]
    talk = Talk(figure(1), said, preset="multitalk:analyzer=rules")
    assert talk.says("Put the soup can at (0.32, -0.29).") == "goal met"
    assert talk.model.prompts[1].endswith("Critic: P1 is not free: mustard bottle stands there.\nMeant:")


def test_the_analyzer_reads_what_the_planner_said() -> None:
    said = [" soup can\nPlan: Put the soup can aside.\n", " The human did not say where: ask.\n"]
    said += [" soup can\nAsk: Where should I put it?\n", " soup can\nPlan: Put the soup can at P1.\n", " ok\n"]
    talk = Talk(figure(1), said, ["(0.4, 0.2)"], preset="multitalk")
    assert talk.says("I need the soup can.") == "goal met"
    assert [bool(each.violations) for each in talk.all(Critique)] == [True, False]
    assert talk.model.prompts[1].endswith("Plan: Put the soup can aside.\nCheck:")
    assert talk.model.prompts[2].endswith("Critic: The human did not say where: ask.\nMeant:")


def test_a_deed_that_does_not_go_is_refused_with_the_reason() -> None:
    said = [" soup can, mustard bottle\nPlan: Line up along x in any order: soup can, soup can.\n"]
    said += [" soup can, mustard bottle\nPlan: Line up along y in any order: soup can, mustard bottle.\n"]
    talk = Talk(figure(1), said)
    assert talk.says("Line them up along y in any order.") == "goal met"
    assert [each.why for each in talk.all(Refusal)] == ["A line is of two things at least."]
    assert talk.model.prompts[1].endswith("Not possible: A line is of two things at least.\nMeant:")


def test_what_is_no_answer_is_refused() -> None:
    world = figure(1)
    speaking = find_ability(world, TaskSpeaking)
    assert speaking is not None
    with pytest.raises(Unparseable, match="no plan, no question"):
        read_short_answer(" soup can\nWell.\n", "", world.observe(), Points(), world, speaking.task_language)
