"""A person changes the plan before it runs: what they wrote is checked, is what they mean, and can be kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from said import Talk, garden
from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.episode.plan_edits import BadEdit, WantedStep
from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.records import Ask, End, Meaning, Plan, PlanEdit, Request, Speaker, Started, Step, Taught
from toyworld import ToyWorld

WATER = "Water the plants."
ANNA = Speaker("Anna")


def _gardener(*programs: str) -> Agent:
    answers = list(programs)
    model = Scripted(lambda prompt: answers.pop(0) if len(answers) > 1 else answers[0])
    agent = Agent(garden(), model, "thinkaloud:confirm=never", person=Inbox(present=True))
    agent.loop.mind = replace(agent.loop.mind, approved=True)
    return agent


async def _asked(agent: Agent) -> asyncio.Task[End]:
    """The robot at work, once it asks whether it may carry out its plan."""
    agent.person.say(Request(WATER))
    work = asyncio.ensure_future(agent.loop.run())
    while not agent.asks():
        assert not work.done(), work.result()
        await asyncio.sleep(0)
    return work


def _steps(agent: Agent) -> list[str]:
    return [started.step.words for started in agent.monologue.since(None, Started)]


def test_a_struck_out_step_is_not_done_and_the_rest_is_checked() -> None:
    agent = _gardener("water(plants)")

    async def story() -> End:
        work = await _asked(agent)
        assert [step.words for step in agent.plan_ahead()] == ["Water the fern.", "Water the rose."]
        await agent.edit_plan([WantedStep("water", {"plant": "rose"})], approved=True, by=ANNA)
        return await work

    end = asyncio.run(story())
    assert (end.result, _steps(agent)) == ("goal met", ["Water the rose."])
    edit = agent.monologue.last(PlanEdit)
    assert edit is not None and edit.by == ANNA
    assert [step.words for step in edit.left] == ["Water the fern.", "Water the rose."]
    assert agent.monologue.last(Meaning) is not None and agent.monologue.last(Meaning).program == 'water("rose")'  # type: ignore[union-attr]


def test_steps_are_done_in_the_order_in_which_the_person_put_them() -> None:
    agent = _gardener("water(plants)")

    async def story() -> End:
        work = await _asked(agent)
        await agent.edit_plan([WantedStep("whistle", {}), *_turned(agent)], approved=True)
        return await work

    asyncio.run(story())
    assert _steps(agent) == ["Whistle a tune.", "Water the rose.", "Water the fern."]


def _turned(agent: Agent) -> list[WantedStep]:
    return [WantedStep(step.skill, step.arguments) for step in reversed(agent.plan_ahead())]


def test_without_approval_the_new_plan_is_asked_about() -> None:
    agent = _gardener("water(plants)")

    async def story() -> End:
        work = await _asked(agent)
        await agent.edit_plan([WantedStep("water", {"plant": "rose"})])
        while len(agent.monologue.since(None, Ask)) < 2:
            assert not work.done(), work.result()
            await asyncio.sleep(0)
        agent.say("yes")
        return await work

    assert asyncio.run(story()).result == "goal met"
    assert agent.monologue.since(None, Ask)[-1].questions == ("May I do this? 1. Water the rose.",)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ([WantedStep("dance", {})], "Step 1: There is no skill 'dance'"),
        ([WantedStep("whistle", {}), WantedStep("water", {"plant": "tiger"})], "Step 2: There is no plant 'tiger'"),
        ([], "No step is left."),
    ],
)
def test_a_change_that_is_not_possible_is_refused_with_its_step(wanted: list[WantedStep], why: str) -> None:
    agent = _gardener("water(plants)")

    async def story() -> None:
        work = await _asked(agent)
        with pytest.raises(BadEdit, match=why):
            await agent.edit_plan(wanted)
        agent.stop()
        await work

    asyncio.run(story())
    assert not agent.monologue.since(None, PlanEdit)


def test_what_was_changed_is_meant_by_the_same_words_next_time() -> None:
    agent = _gardener("water(plants)")

    async def story() -> None:
        work = await _asked(agent)
        await agent.edit_plan([WantedStep("water", {"plant": "rose"})], approved=True)
        await work

    asyncio.run(story())
    lesson = agent.latest_lesson(ANNA)
    assert (lesson.said, lesson.program) == (WATER, 'water("rose")')
    talk = Talk(["whistle()"])
    talk.agent.teach([lesson])
    assert talk.say("water the plants").result == "goal met"  # without a capital and the full stop
    assert talk.steps == ["Water the rose."]


def test_a_lesson_in_other_words_is_read_in_their_place() -> None:
    prompts: list[str] = []

    def listen(prompt: str) -> str:
        prompts.append(prompt)
        return 'water("rose")'

    agent = Agent(garden(), Scripted(listen), "thinkaloud:confirm=never")
    agent.teach([Taught("鼓掌", means="Water the rose.")])
    assert asyncio.run(agent.run("鼓掌！")).result == "goal met"
    assert '# "Water the rose."' in prompts[0] and "鼓掌" not in prompts[0]


def test_a_lesson_for_similar_words_is_shown_to_the_model_as_said_before() -> None:
    prompts: list[str] = []

    def listen(prompt: str) -> str:
        prompts.append(prompt)
        return 'water("rose")'

    agent = Agent(garden(), Scripted(listen), "thinkaloud:confirm=never")
    agent.teach([Taught("Do the usual round.", program='water("rose")', words="I will water the rose.")])
    asyncio.run(agent.run("Do the usual round once more."))
    assert '# "Do the usual round."\nwater("rose")' in prompts[0]
    asyncio.run(agent.run("Whistle."))
    assert '"Do the usual round."\n' not in prompts[-1].replace('"Do the usual round once more."', "")


def test_a_removed_lesson_no_longer_holds() -> None:
    talk = Talk(["whistle()"])
    talk.agent.teach([Taught("Now!", program='water("rose")', words="I will water the rose.")])
    talk.agent.teach([])
    talk.say("Now!")
    assert talk.steps == ["Whistle a tune."]
    assert [lesson.forgotten for lesson in talk.all(Taught)] == [False, True]


def test_while_the_robot_is_held_before_a_step_its_plan_can_be_changed() -> None:
    """The step that it was about to take is not taken, even though it is let go on only after the change."""
    agent = _gardener("water(plants)")
    agent.loop.mind = replace(agent.loop.mind, approved=False)

    async def story() -> End:
        held, free = asyncio.Event(), asyncio.Event()

        async def hold() -> None:
            held.set()
            await free.wait()

        agent.loop.hold = hold
        agent.person.say(Request(WATER))
        work = asyncio.ensure_future(agent.loop.run())
        await asyncio.wait_for(held.wait(), 20)
        await agent.edit_plan([WantedStep("water", {"plant": "rose"})])
        held.clear()
        await asyncio.wait_for(held.wait(), 20)
        free.set()
        return await asyncio.wait_for(work, 20)

    assert asyncio.run(story()).result == "goal met"
    assert _steps(agent) == ["Water the rose."]


class PlansOnce:
    """Plans to put the ball on the shelf, and is asked for nothing else."""

    def __init__(self) -> None:
        self.asked = 0

    async def plan(self, monologue: Monologue) -> Plan:
        """The only plan."""
        self.asked += 1
        step = Step("move", {"thing": "ball", "place": "shelf"}, "Move the ball to the shelf.")
        return Plan("the ball is on the shelf", (), (step,))


def test_a_mind_that_reads_no_meaning_does_the_edited_steps_and_its_planner_is_not_asked_again() -> None:
    agent, planner = Agent(ToyWorld(), Scripted(), "open_loop", person=Inbox(present=True)), PlansOnce()
    agent.loop.mind = replace(agent.loop.mind, approved=True, plan=planner)

    async def story() -> End:
        work = await _asked(agent)
        await agent.edit_plan([WantedStep("move", {"thing": "ball", "place": "bin"})], approved=True)
        return await work

    end = asyncio.run(story())
    assert _steps(agent) == ["Move the ball to the bin."]
    assert (end.result, planner.asked) == ("unconfirmed", 1)
