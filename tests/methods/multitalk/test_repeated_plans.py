"""A plan that was refused is not sent again: the model's next best answer is taken, or it reads why it must change."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
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
    """Always writes this answer first; `doubts` says with which pieces else, and how likely, it might have gone on."""

    def __init__(self, first: str, doubts: dict[tuple[str, str], dict[str, float]]) -> None:
        """`doubts` are found by what stands before them and by the piece that was taken."""
        super().__init__(lambda _: first)
        self._first = first
        self._places = {first.index(before) + len(before): (own, others) for (before, own), others in doubts.items()}
        self.began: list[str] = []
        """How it was made to begin other answers."""
        self.written: list[str] = []
        """How it went on."""

    async def complete_weighed(self, prompt: str, *, grammar: str, stop: Sequence[str] = (), **more: Any) -> Completion:
        begun = prompt.rpartition("Thought:")[2]
        if not begun:
            said = await self.complete(prompt, grammar=grammar, stop=stop, **more)
            return Completion(said.text, tokens=tuple(self._pieces()))
        if not self.began or not begun.startswith(self.began[-1]):
            self.began.append(begun)
        rest = self._first[self._from(begun) :]
        assert accepts(grammar, rest), "it goes on where the other answer begins"
        cut = min([at for each in stop if (at := rest.find(each)) >= 0], default=len(rest))
        self.written.append(rest[:cut])
        return Completion(rest[:cut])

    def _pieces(self) -> Iterator[Token]:
        """The whole answer in pieces, with doubts at some places."""
        done = 0
        for at, (own, others) in sorted(self._places.items()):
            assert self._first[at:].startswith(own)
            yield from ([Token(self._first[done:at], 1.0)] if done < at else [])
            yield Token(own, 0.5, tuple(others.items()))
            done = at + len(own)
        yield Token(self._first[done:], 1.0)

    def _from(self, begun: str) -> int:
        """Where in its usual answer it goes on after a beginning."""
        for at, (own, others) in self._places.items():
            for other in others:
                if begun.startswith(self._first[:at] + other):
                    return len(begun) + (0 if own.startswith(other) else len(own) - len(other))
        raise AssertionError(begun)


def doubtful(doubts: dict[tuple[str, str], dict[str, float]]) -> tuple[Agent, Doubtful]:
    """A robot that would put the soup can where the mustard bottle stands, again and again."""
    answer = f" What: the soup can. Where: (0.32, -0.32).\n{ONTO.removeprefix(THINKS)}"
    model = Doubtful(answer, doubts)
    return Agent(figure(1), model, OFF, person=Inbox(present=True)), model


def plans_of(agent: Agent) -> list[Plan]:
    return [each for each in agent.monologue.since(None, Plan) if each.steps]


PLACE = ("move((0.32, ", "-0.32")


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


def test_a_model_that_would_repeat_itself_goes_on_with_another_place_that_was_nearly_as_likely() -> None:
    agent, model = doubtful({PLACE: {"-0.30": 0.3, "-0.10": 0.2}})
    assert asyncio.run(agent.run(REQUEST)).result == "goal met"
    assert [each.steps[1].arguments["y"] for each in plans_of(agent)] == [-0.32, -0.30, -0.10]
    assert not agent.monologue.since(None, Refusal)
    assert len(model.prompts) == 3, "it is asked first what it would say by itself"


def test_words_and_what_was_begun_later_are_left_as_they_are() -> None:
    agent, model = doubtful(
        {
            ("Where: (", "0.32"): {"0.12": 0.9},
            ("1: ", "Grasp"): {"Take": 0.9},
            ("3: ", "Go"): {"Drive": 0.9},
            PLACE: {"-0.10": 0.02},
        }
    )
    assert asyncio.run(agent.run(REQUEST)).result == "goal met"
    assert [each.rpartition("(")[2] for each in model.began] == ["0.32, -0.10"]


def test_the_refused_step_is_changed_before_another_one_that_was_less_sure() -> None:
    agent, model = doubtful({("grasp((", "0."): {"1.": 0.5}, PLACE: {"-0.10": 0.02}})
    assert asyncio.run(agent.run(REQUEST)).result == "goal met"
    assert [each.rpartition("(")[2] for each in model.began] == ["0.32, -0.10"]


def test_an_answer_is_written_only_as_far_as_it_has_been_refused_and_not_tried_again() -> None:
    """The other piece comes to the same place, so the rest of that answer cannot matter."""
    agent, model = doubtful({PLACE: {"-0.3": 0.4}})
    end = asyncio.run(agent.run(REQUEST))
    assert end.result == "limit" and len(plans_of(agent)) == 1
    refusals = agent.monologue.since(None, Refusal)
    assert len(refusals) == 3, "it was asked again, and answered the same"
    (written,) = model.written
    assert written == "2))"


def test_after_an_answer_the_same_plan_may_be_right() -> None:
    talk = Talk(
        figure(1), OFF, [ONTO, asks("It is taken. Where should I put it instead?"), ONTO, beside(-0.1)], ["There."]
    )
    assert talk.says(REQUEST).startswith("goal met")
    assert len(talk.all(Rehearsal)) == 3
    assert not talk.all(Refusal)
