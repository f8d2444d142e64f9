"""Planning by guidelines with a model that was trained in the short forms: few words are asked and few are said."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from counterworld import BRING, POUR, SERVE, Counter
from thinkaloud.agent import Agent
from thinkaloud.methods.itp.executor import PUT_DOWN, replacing_calls
from thinkaloud.models import Completion, Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Event
from thinkaloud.outline import completed_lines
from thinkaloud.records import End, ModelCall, Plan, Verdict
from thinkaloud.state.foresight import foresee
from thinkaloud.worlds import open_world

CALLS = {
    BRING: 'grab_cup("rack")\nput_cup("counter")\n#',
    SERVE: 'grab_cup("counter")\nput_cup("tray")\n#',
    "bring the cup to the bin": 'grab_cup("counter")\nput_cup("bin")\n#',
    PUT_DOWN: 'put_cup("counter")\n#',
} | {line: f'pour("{name}")\n#' for name, line in POUR.items()}
RULES = """
Rules:
* Tea comes last.
* When the wrong thing is in: bring the cup to the bin, and start again.
"""


class Trained(Scripted):
    """Answers in short, and notes what it was asked; what the grammar would not let it say is a mistake of the test."""

    trained = True

    def __init__(self, **orders: str) -> None:
        super().__init__()
        self.orders, self.asked = orders, list[str]()

    async def complete(self, prompt: str, *, grammar: str | None = None, **given: object) -> Completion:
        self.asked.append(prompt)
        answer = self._answered(prompt)
        assert grammar is not None
        assert accepts(grammar, answer), (prompt, answer)
        return Completion(answer.split("\n#")[0])

    def _answered(self, prompt: str) -> str:
        if prompt.startswith("Rule:"):
            return " order others > tea\n" if "Tea comes last" in prompt else " undo bring the cup to the bin\n"
        if prompt.endswith("Order:"):
            request = prompt.splitlines()[-2].split(": ", 1)[1]
            return next(f" {order}\n" for words, order in self.orders.items() if words in request)
        line = prompt.rsplit("Step: ", 1)[1].splitlines()[0]
        return CALLS[line]


class Bar:
    """A counter at which orders are made, and minds are changed after so many finished steps."""

    def __init__(self, model: Trained, *, rules: str = RULES, say: str = "", after: int = 1) -> None:
        self.world = Counter()
        self.world.guidelines += rules
        self.model, self.agent = model, Agent(self.world, model, "itp")
        self._say, self._after = say, after
        self.agent.monologue.listeners.append(self._hear)

    def _hear(self, event: Event) -> None:
        if (
            self._say
            and isinstance(event.record, Verdict)
            and len(completed_lines(self.agent.monologue)) == self._after
        ):
            said, self._say = self._say, ""
            self.agent.say(said)

    def order(self, request: str) -> End:
        return asyncio.run(self.agent.run(request))

    @property
    def outlines(self) -> list[list[str]]:
        plans = self.agent.monologue.since(None, Plan)
        return [[*plan.outline.lines] for plan in plans if plan.outline and plan.outline.at is None]


def test_an_order_is_translated_worked_out_and_made() -> None:
    bar = Bar(Trained(sweet="Sweet tea"))
    assert bar.order("A sweet tea, please.").result == "goal met"
    assert bar.world.inside == ["honey", "tea"]
    assert bar.outlines == [[BRING, POUR["honey"], POUR["tea"], SERVE]]
    (plan, *_) = bar.agent.monologue.since(None, Plan)
    assert plan.thought == "Order: Sweet tea\nMaterial: honey, tea"
    assert bar.model.asked[0] == (
        "Options: Plain tea, Sweet tea\nMaterial: tea, honey, lemon\nRequest: A sweet tea, please.\nOrder:"
    )
    assert bar.model.asked[1].startswith("Rule: Tea comes last.")
    functions = (
        "Functions: grab_cup(location), pour(ingredient), put_cup(location)\n* rack for clean cups\n"
        "* counter for the cup at work\n* tray for what is ready\n* bin for what nobody wants\n"
    )
    assert bar.model.asked[4] == f"{functions}Step: {POUR['honey']}\n"
    assert bar.model.asked[6] == f"{functions}Now: cup is at the counter\nStep: {SERVE}\n"
    assert {call.role for call in bar.agent.monologue.since(None, ModelCall)} == {"planner", "executor"}


def test_a_change_of_mind_goes_on_from_what_is_done() -> None:
    bar = Bar(Trained(lemon="same + lemon", plain="Plain tea"), say="With lemon, too.")
    assert bar.order("A plain tea.").result == "goal met"
    assert bar.world.inside == ["lemon", "tea"]
    assert bar.outlines[-1] == [POUR["lemon"], POUR["tea"], SERVE]
    assert any(
        asked.endswith("Request: A plain tea.\nOrder: Plain tea\nNew request: With lemon, too.\nOrder:")
        for asked in bar.model.asked
    )
    assert sum(asked.startswith("Rule:") for asked in bar.model.asked) == 2  # they are read once


def test_what_can_no_longer_be_had_from_it_is_begun_again() -> None:
    bar = Bar(Trained(lemon="same + lemon", plain="Plain tea"), say="With lemon, too.", after=2)
    bar.order("A plain tea.")  # there is only one cup here
    assert bar.outlines[-1] == ["bring the cup to the bin", BRING, POUR["lemon"], POUR["tea"], SERVE]


def test_what_is_not_there_is_declined_before_anything_moves() -> None:
    bar = Bar(Trained(ginger="+ ginger"))
    end = bar.order("A tea with ginger.")
    assert (end.result, end.because) == ("declined", "ginger is not available; there is: tea, honey, lemon")
    assert bar.world.ticks == 0


def test_what_cannot_be_had_in_the_middle_changes_nothing() -> None:
    model = Trained(ginger="same + ginger", lemon="same + lemon", plain="Plain tea")
    bar = Bar(model, say="And some ginger.")
    assert bar.order("A plain tea.").result == "goal met"
    assert bar.world.inside == ["tea"]


def test_what_the_guidelines_are_not_about_is_declined() -> None:
    bar = Bar(Trained(weather="none"))
    end = bar.order("How is the weather?")
    assert (end.result, end.because) == ("declined", "that is none of what can be had here: Plain tea, Sweet tea")


def test_what_did_not_work_is_told_and_tried_again() -> None:
    bar = Bar(Trained(plain="Plain tea"))
    bar.world.broken = 1
    assert bar.order("A plain tea.").result == "goal met"
    assert any(
        asked.endswith(f'Step: {POUR["tea"]}\n# pour("tea") failed: The tap is stuck.\n') for asked in bar.model.asked
    )


@pytest.mark.parametrize(
    ("line", "left_out"),
    [
        ("take the working cup to the finished location", True),
        ("put the cup that is full down at the finished location", True),
        ("bring a cup to the working area", False),
        ("get the next empty cup", False),
        ("stir", False),
    ],
)
def test_the_cup_is_the_one_that_is_there_and_a_cup_is_any(line: str, left_out: bool) -> None:
    world = open_world("drinks")
    scene = world.observe()
    for name, place in (("grasp_cup", "cup stack"), ("place_cup", "working area")):
        skill = world.skills[name]
        assert scene.state is not None
        state = foresee(skill, {"location": place}, scene.state, world.relations)
        scene = replace(scene, state=state)
    assert ('grasp_cup("cup stack")' in replacing_calls(world, scene, line)) is left_out
    assert 'grasp_cup("working area")' not in replacing_calls(world, scene, line)


def test_while_there_is_no_cup_any_may_be_taken() -> None:
    world = open_world("drinks")
    assert replacing_calls(world, world.observe(), "take the cup to the working area") == []
