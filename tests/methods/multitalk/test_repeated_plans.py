"""A plan that was refused is not sent again: the model's next best answer is taken, or it reads why it must change."""

from __future__ import annotations

import asyncio
from typing import Any

from multitalk_dialogue import CAN, THINKS, Held, Talk, asks, carry, figure, plan
from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.models import Completion
from thinkaloud.models.contract import Token
from thinkaloud.models.gbnf import accepts
from thinkaloud.records import Plan, Refusal, Rehearsal

OFF = "multitalk:analyzer=off"
ONTO = plan(*carry("the soup can", CAN, (0.32, -0.32), "at (0.32, -0.32)"))
"""Where the mustard bottle stands."""
REQUEST = "Put the soup can next to the mustard bottle."


def beside(y: float) -> str:
    return plan(*carry("the soup can", CAN, (0.32, y), f"at (0.32, {y:.2f})"))


class Doubtful(Held):
    """Always writes this plan first, and is nearly as sure of other places."""

    def __init__(self, first: str, *others: str) -> None:
        super().__init__(lambda _: first)
        self._first, self._others = first, others

    async def complete_weighed(self, prompt: str, *, grammar: str, **more: Any) -> Completion:
        begun = prompt.rpartition("Thought:")[2]
        if not begun:
            said = await self.complete(prompt, grammar=grammar, **more)
            others = tuple((other, 0.3 - 0.1 * at) for at, other in enumerate(self._others))
            return Completion(said.text, tokens=(Token("-0.32", 0.5, others),))
        rest = self._first.replace("-0.32", begun[-5:])[len(begun) :]
        assert accepts(grammar, rest), "it goes on where the other answer begins"
        return Completion(rest)


def test_a_plan_that_the_simulator_refused_is_refused_at_once_and_the_model_reads_why() -> None:
    talk = Talk(figure(1), OFF, [ONTO, ONTO, beside(-0.10)])
    assert talk.says(REQUEST).startswith("goal met")
    assert [rehearsal.feasible for rehearsal in talk.all(Rehearsal)] == [False, True], "it was not tried twice"
    (refusal,) = talk.all(Refusal)
    assert refusal.why.startswith("These first 2 actions are what the simulator refused (Collision detected between")
    assert f"Not usable: {refusal.why}\nOutput:\nThought:" in talk.model.prompts[2]


def test_another_ending_of_the_same_beginning_is_no_change() -> None:
    longer = ONTO.replace("3: Go home: home()", "3: Take it again: grasp((0.32, -0.32))\n4: Go home: home()")
    talk = Talk(figure(1), OFF, [ONTO, longer, beside(-0.10)])
    assert talk.says(REQUEST).startswith("goal met")
    assert len(talk.all(Refusal)) == 1


def test_what_was_refused_two_plans_ago_is_not_sent_again_either() -> None:
    talk = Talk(figure(1), OFF, [ONTO, beside(-0.30), ONTO, beside(-0.10)])
    assert talk.says(REQUEST).startswith("goal met")
    assert (len(talk.all(Rehearsal)), len(talk.all(Refusal))) == (3, 1)


def test_a_model_that_would_repeat_itself_goes_on_from_where_it_was_least_sure() -> None:
    model = Doubtful(f" What: the soup can. Where: (0.32, -0.32).\n{ONTO.removeprefix(THINKS)}", "-0.30", "-0.10")
    agent = Agent(figure(1), model, OFF, person=Inbox(present=True))
    assert asyncio.run(agent.run(REQUEST)).result == "goal met"
    plans = [each for each in agent.monologue.since(None, Plan) if each.steps]
    assert [each.steps[1].arguments["y"] for each in plans] == [-0.32, -0.30, -0.10]
    assert not agent.monologue.since(None, Refusal)
    assert len(model.prompts) == 3, "it is asked first what it would say by itself"


def test_after_an_answer_the_same_plan_may_be_right() -> None:
    talk = Talk(
        figure(1), OFF, [ONTO, asks("It is taken. Where should I put it instead?"), ONTO, beside(-0.1)], ["There."]
    )
    assert talk.says(REQUEST).startswith("goal met")
    assert len(talk.all(Rehearsal)) == 3
    assert not talk.all(Refusal)
