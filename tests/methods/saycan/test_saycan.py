"""SayCan: the model's score times the robot's value decides; what the planner reads depends on the feedback."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from typing import Any

import pytest

from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.loop import Limits
from thinkaloud.methods.saycan.dialogue import phrase
from thinkaloud.methods.saycan.planner import ASKING as ASKS
from thinkaloud.methods.saycan.planner import PLANNER, PROMPTS
from thinkaloud.models import Scores, Scripted
from thinkaloud.monologue import Event
from thinkaloud.records import Answer, Ask, Done, End, Plan, Request, Started, Verdict
from thinkaloud_worlds.kitchen import Disturbs, Kitchen, KitchenScene, PlacedItem
from toyworld import ToyWorld

SCENE = KitchenScene(
    (PlacedItem("coke", "counter"), PlacedItem("lime soda", "counter"), PlacedItem("apple", "table")), "counter"
)


def likes(*wanted: str, otherwise: float = -20.0) -> Any:
    """A model that finds these likely, each for a step further on; and what is not next of them hardly."""

    def score(prompt: str, option: str) -> float:
        now = prompt.rpartition("Human: bring")[2] or prompt
        step = int(now.rpartition("\n")[2].removeprefix("Robot: ").partition(".")[0]) - 1
        following = wanted[step] if step < len(wanted) else "done"
        return -1.0 if option.strip() == following else otherwise

    return score


def run(
    *wanted: str,
    preset: str = "saycan:feedback=object+success",
    scene: KitchenScene = SCENE,
    scores: Any = None,
    request: str = "bring me a soda",
    **more: Any,
) -> tuple[End, Agent, Kitchen]:
    world = Kitchen(scene)
    world.reset(1)
    agent = Agent(world, Scripted(scores=scores or likes(*wanted)), preset, **more)
    return asyncio.run(agent.run(request)), agent, world


def steps(agent: Agent) -> list[str]:
    return [phrase(started.step) for started in agent.monologue.since(None, Started)]


# Choosing -------------------------------------------------------------------------------------------------------------


def test_what_is_useful_and_possible_is_done_until_it_is_done() -> None:
    end, agent, world = run("pick up the coke", "bring it to you", "put down the coke")
    assert steps(agent) == ["pick up the coke", "bring it to you", "put down the coke"]
    assert world.room.places["coke"] == "user"
    assert end.result == "unconfirmed" and isinstance(agent.monologue.last(Done), Done)
    assert "useful 0.37 x possible 1.00" in agent.monologue.since(None, Plan)[0].thought


def test_where_nothing_has_any_likelihood_nothing_is_done() -> None:
    end, agent, _ = run(scores=lambda prompt, option: -math.inf)
    assert (end.result, steps(agent)) == ("failed", [])
    assert "nothing that can be done here" in end.because


def test_the_product_decides_and_neither_factor_alone() -> None:
    """The apple is what the model wants most, but it is not in view; the coke is, and nearly as welcome."""
    wish = {"pick up the apple": -1.0, "pick up the coke": -2.0, "find the apple": -9.0}
    _, agent, _ = run(scores=lambda prompt, option: wish.get(option.strip(), -30.0), limits=Limits(steps=1))
    assert steps(agent) == ["pick up the coke"]  # 0.14 x 1.00 against 0.37 x 0.05
    wish["pick up the coke"] = -5.0
    _, agent, _ = run(scores=lambda prompt, option: wish.get(option.strip(), -30.0), limits=Limits(steps=1))
    assert steps(agent) == ["pick up the apple"]  # 0.007 x 1.00 against 0.37 x 0.05


def test_what_is_worth_nothing_is_not_even_offered() -> None:
    offered: list[str] = []

    def score(prompt: str, option: str) -> float:
        offered.append(option)
        return -1.0

    run(scores=score, limits=Limits(steps=1))
    assert " put down the coke" not in offered and " open the top drawer" not in offered
    assert {" find the redbull", " pick up the coke", " go to the trash", " done", " tell you I'm done"} <= {*offered}


@pytest.mark.parametrize("ending", ["done", "tell you I'm done"])
def test_two_phrases_end_it(ending: str) -> None:
    end, agent, _ = run(ending)
    assert steps(agent) == [] and end.result == "unconfirmed"


def test_it_works_for_robots_without_value_functions() -> None:
    agent = Agent(ToyWorld(), Scripted(scores=likes("move the ball to the shelf")), "saycan:feedback=success")
    asyncio.run(agent.run("bring the ball away"))
    assert steps(agent) == ["move the ball to the shelf"]


# Feedback -------------------------------------------------------------------------------------------------------------


def read(preset: str) -> str:
    """What the planner reads of a run in which a person takes the coke away while it is picked up."""
    scene = KitchenScene(SCENE.items, "counter", people=(Disturbs("takes", during="pick_up"),))
    _, agent, _ = run("pick up the coke", "pick up the lime soda", preset=preset, scene=scene)
    prompt: str = agent.model.prompts[-1]  # type: ignore[attr-defined]
    return prompt.rpartition("Human: ")[2]


def test_saycan_is_told_nothing() -> None:
    assert read("saycan") == "bring me a soda\nRobot: 1. pick up the coke\n2. pick up the lime soda\n3."


def test_success_is_told_where_it_is_lacking() -> None:
    told = read("saycan:feedback=success")
    assert told == "bring me a soda\nRobot: 1. pick up the coke[success: no]\n2. pick up the lime soda\n3."


def test_objects_are_told_as_they_are_seen() -> None:
    assert read("saycan:feedback=object+success") == (
        "bring me a soda\nRobot: 1. pick up the coke[success: no][scene: lime soda]\n"
        "2. pick up the lime soda[scene: lime soda]\n3."
    )


def test_saycan_checks_nothing_and_inner_monologue_does() -> None:
    assert run("pick up the coke", preset="saycan")[1].monologue.last(Verdict) is None
    assert run("pick up the coke")[1].monologue.last(Verdict) is not None


def test_examples_are_shown_as_each_variant_would_have_lived_through_them() -> None:
    prompts = PROMPTS.open()
    plain, success, both = (prompts.text(PLANNER, (f,)) for f in ("none", "success", "object+success"))
    asked = prompts.text(ASKS)
    assert "[" not in plain and "[success: no]" in success and "[scene: " not in success and "[scene: pear]" in both
    assert "and ask" not in plain and "and ask: What would you like to drink? Human: " in asked
    assert plain.count("Human: ") == success.count("Human: ") == both.count("Human: ") >= 8
    assert asked.count("\nRobot: 1.") >= 5


def test_no_request_of_the_paper_is_among_the_examples() -> None:
    prompts = PROMPTS.open()
    shown = prompts.text(PLANNER, ("object+success",)) + prompts.text(ASKS)
    assert not any(word in shown for word in ("soda", "chips", "snack", "caffein", "coke", "spill", "top drawer"))


def test_a_second_request_goes_on_in_the_same_dialogue() -> None:
    _, agent, _ = run("pick up the coke")
    asyncio.run(agent.run("bring it here"))
    prompt: str = agent.model.prompts[-1]  # type: ignore[attr-defined]
    assert "1. pick up the coke[scene: coke, lime soda]\n2. done.\nHuman: bring it here\nRobot: 1." in prompt


def test_a_request_in_the_middle_is_heard_where_it_was_said() -> None:
    person = Inbox()

    def interrupt(event: Event) -> None:
        if isinstance(event.record, Verdict) and event.record.step.skill == "pick_up":
            person.say(Request("No, just put it down"))

    _, agent, _ = run("pick up the coke", "put down the coke", person=person, listeners=[interrupt])
    prompt: str = agent.model.prompts[-1]  # type: ignore[attr-defined]
    assert "1. pick up the coke[scene: coke, lime soda], Human: No, just put it down\n2. put down" in prompt


# What is wrong --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["high", None, math.nan, -0.1, 1.5, True])
def test_an_affordance_that_is_no_number_is_named_and_the_robot_holds_still(value: Any) -> None:
    world = Kitchen(SCENE)
    world.skills = {**world.skills, "find": replace(world.skills["find"], affordance=lambda *_, **__: value)}
    before = world.snapshot()
    end = asyncio.run(Agent(world, Scripted(scores=likes("find the coke")), "saycan").run("bring me a coke"))
    assert end.result == "failed" and world.snapshot() == before
    assert f"The affordance of find for 'Find the 7up.' is {value!r}; it must be a number from 0 to 1" in end.because


def test_an_affordance_that_raises_is_named_and_the_robot_holds_still() -> None:
    def broken(*_: Any, **__: Any) -> float:
        raise ZeroDivisionError("division by zero")

    world = Kitchen(SCENE)
    world.skills = {**world.skills, "find": replace(world.skills["find"], affordance=broken)}
    end = asyncio.run(Agent(world, Scripted(scores=likes("find the coke")), "saycan").run("bring me a coke"))
    assert end.result == "failed" and "The affordance of find failed for" in end.because and "ZeroDiv" in end.because


def test_a_model_that_cannot_score_is_said_to() -> None:
    end = asyncio.run(Agent(Kitchen(SCENE), Scripted(["find the coke"]), "saycan").run("bring me a coke"))
    assert end.result == "failed" and "has no scores" in end.because


@pytest.mark.parametrize("values", [(math.nan,), (3.0,), ()])
def test_scores_that_are_none_are_refused(values: tuple[float, ...]) -> None:
    class Wrong(Scripted):
        async def score(self, prompt: str, options: Any, *, worth: Any = ()) -> Scores:
            return Scores(values * len(options))

    end = asyncio.run(Agent(Kitchen(SCENE), Wrong(), "saycan").run("bring me a coke"))
    assert end.result == "failed" and "no log-likelihoods" in end.because


# Asking ---------------------------------------------------------------------------------------------------------------

ASKING = "saycan:feedback=object+success;ask=person"


def asks(*wanted: str, always: bool = True, question: str = " Which one would you like? Human: x") -> Scripted:
    """A model that asks after each step; or that never does."""
    plain = likes(*wanted)

    def score(prompt: str, option: str) -> float:
        if option in (" and continue", " and ask:"):
            return -1.0 if (option == " and ask:") is always else -2.0
        return float(plain(prompt, option))

    return Scripted(lambda prompt: question, scores=score)


def talk(model: Scripted, preset: str = ASKING, **more: Any) -> tuple[End, Agent]:
    person = Inbox(present=True)

    def answer(event: Event) -> None:
        if isinstance(event.record, Ask):
            person.say(Answer("The lime one, please"))

    agent = Agent(Kitchen(SCENE), model, preset, person=person, listeners=[answer], **more)
    return asyncio.run(agent.run("bring me a soda")), agent


def test_a_question_and_its_answer_stand_after_the_step() -> None:
    _, agent = talk(asks("go to the counter", "pick up the lime soda"), f"{ASKING};questions=1")
    assert agent.monologue.since(None, Ask) == [Ask(("Which one would you like?",))]
    prompt: str = agent.model.prompts[-1]  # type: ignore[attr-defined]
    assert prompt.rpartition("Human: bring")[2] == (
        " me a soda\nRobot: 1. go to the counter[scene: coke, lime soda] and ask: Which one would you like? "
        "Human: The lime one, please\n2. pick up the lime soda[scene: coke, lime soda] and continue\n3."
    )


def test_questions_have_a_budget_and_none_is_asked_twice() -> None:
    questions = iter(f" Is it number {number}?" for number in range(9))
    wanted = ("go to the table", "go to the counter", "go to the table", "go to the counter")
    model = asks(*wanted)
    model._answer = lambda prompt: next(questions)
    assert len(talk(model, f"{ASKING};questions=3")[1].monologue.since(None, Ask)) == 3
    assert len(talk(asks(*wanted), f"{ASKING};questions=3")[1].monologue.since(None, Ask)) == 1


def test_who_would_rather_go_on_asks_nothing() -> None:
    _, agent = talk(asks("go to the table", always=False))
    assert agent.monologue.since(None, Ask) == []
    assert "1. go to the table[scene: apple] and continue\n2." in agent.model.prompts[-1]  # type: ignore[attr-defined]


def test_what_is_no_question_goes_back_and_then_it_ends() -> None:
    end, agent = talk(asks("go to the table", question=" Hm."))
    assert end.result == "limit" and "is no question; end it with a question mark" in end.because
    assert steps(agent) == ["go to the table"]


def test_something_that_looks_can_answer_in_place_of_a_person() -> None:
    model = asks("go to the table")
    agent = Agent(Kitchen(SCENE), model, "saycan:ask=scene;questions=1")
    asyncio.run(agent.run("bring me a soda"))
    answer = agent.monologue.last(Answer)
    assert answer is not None
    assert answer.text.startswith("In view - apple." if " - " in answer.text else "In view: apple.")
    assert "The hand of the robot is empty." in answer.text and "Apple is at the table." in answer.text


def test_a_person_who_never_answers_is_not_waited_for_for_ever() -> None:
    world = Kitchen(SCENE)
    limits = Limits(patience=0.02)
    agent = Agent(world, asks("go to the table"), ASKING, person=Inbox(present=True), limits=limits)
    end = asyncio.run(agent.run("bring me a soda"))
    assert end.result == "failed"
    assert end.because == "I asked (Which one would you like?) and nobody answered for 0.02 s, so I stopped"
    assert steps(agent) == ["go to the table"]


def test_where_nobody_is_there_a_question_ends_it() -> None:
    agent = Agent(Kitchen(SCENE), asks("go to the table"), ASKING)
    end = asyncio.run(agent.run("bring me a soda"))
    assert end.result == "failed" and "nobody is there to answer" in end.because
