"""ProgPrompt: a program with assertions, written once, carried out line by line; what fails is passed over."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from knotworld import Knots
from thinkaloud.agent import Agent
from thinkaloud.errors import Unparseable
from thinkaloud.methods.progprompt.examples import EXAMPLE_PROGRAMS
from thinkaloud.methods.progprompt.planner import LONGEST_PROGRAM, ProgPrompt
from thinkaloud.models import Completion, Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.records import Done, Observation, Outcome, Outline, Plan, Refusal, Request, Started
from toyworld import ToyWorld

REQUEST = "Put the ball on the shelf."
CALL = "move('ball', 'shelf')"
ASSERTED = f"assert at('ball', 'shelf') else: {CALL}"


def program(*lines: str) -> list[str]:
    return [".", *(f" {line}" for line in lines), " # done"]


def agent_of(world: ToyWorld, *lines: str) -> Agent:
    agent = Agent(world, Scripted(program(*lines)), "progprompt")
    asyncio.run(agent.run(REQUEST))
    return agent


def started(agent: Agent) -> list[str]:
    return [each.step.words for each in agent.monologue.since(None, Started)]


def plan_of(*lines: str, world: ToyWorld | None = None) -> Plan:
    world = world or ToyWorld()
    monologue = Monologue(world.clock)
    monologue.append(Request(REQUEST))
    monologue.append(world.observe())
    plan = asyncio.run(ProgPrompt(Scripted(program(*lines)), world).plan(monologue))
    assert isinstance(plan, Plan)
    return plan


def test_a_program_is_the_outline_of_its_plans_and_each_line_is_a_plan() -> None:
    plan = plan_of(CALL, "move('cup', 'bin')")
    assert plan.outline == Outline((CALL, "move('cup', 'bin')"), 0)
    assert [step.words for step in plan.steps] == ["Move the ball to the shelf."]


def test_it_is_written_once_and_held_against_what_it_was_to_come_to() -> None:
    world = ToyWorld()
    agent = agent_of(world, CALL, "move('cup', 'bin')")
    end = agent.ended()
    assert end is not None and end.result == "goal met"
    assert started(agent) == [
        "Move the ball to the shelf.",
        "Move the cup to the bin.",
    ]
    assert {plan.outline.lines for plan in agent.monologue.since(None, Plan) if plan.outline} == {
        (CALL, "move('cup', 'bin')")
    }


def test_an_assertion_that_holds_is_skipped() -> None:
    assert started(agent_of(ToyWorld(), CALL, ASSERTED)) == ["Move the ball to the shelf."]


def test_where_an_assertion_does_not_hold_what_follows_else_is_done() -> None:
    world = ToyWorld()
    world.slips = 1
    agent = agent_of(world, CALL, ASSERTED, ASSERTED)
    assert started(agent) == ["Move the ball to the shelf."] * 2
    assert world.where["ball"] == "shelf"


def test_what_fails_is_passed_over_and_nothing_is_corrected() -> None:
    world = ToyWorld()
    agent = agent_of(world, "lift('ball')", "open('box')", "move('cup', 'bin')")
    assert started(agent) == ["Lift the ball.", "Open the box.", "Move the cup to the bin."]
    assert not any(each.correcting for each in agent.monologue.since(None, Started))
    end = agent.ended()
    assert end is not None and end.result != "goal met"


def test_an_assertion_is_held_against_the_world_when_its_line_comes_up() -> None:
    world = ToyWorld()
    model = Scripted(program("move('cup', 'bin')", "assert at('cup', 'floor') else: move('cup', 'floor')"))
    asyncio.run(Agent(world, model, "progprompt").run(REQUEST))
    assert world.where["cup"] == "floor"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("fly('moon')", r"There is no function 'fly'. Known: .*move"),
        ("move('moon', 'shelf')", "There is no object 'moon' here; there is: ball, cup, box"),
        ("move('ball')", "move needs the argument 'place'"),
        ("move('ball', 'shelf', 'bin')", r"move takes 2 arguments \(.*\), not 3"),
        ("assert near('ball') else: move('ball', 'shelf')", "'near' is nothing that can be asserted: at"),
        ("assert at('moon', 'shelf') else: move('ball', 'shelf')", "There is no object 'moon'"),
        ("assert at('ball', 'shelf')", "no call such as"),
        ("import os", "no call such as"),
        ("__import__('os').system('rm')", "no call such as|no function"),
        ("", "no call such as"),
    ],
)
def test_what_is_no_line_of_a_program_is_refused_with_the_reason(line: str, why: str) -> None:
    with pytest.raises(Unparseable, match=why):
        plan_of(CALL, line)


def test_an_empty_program_is_refused() -> None:
    with pytest.raises(Unparseable, match="no lines"):
        plan_of()


def test_the_reason_goes_back_to_the_model() -> None:
    world, model = ToyWorld(), Scripted([*program("fly('moon')"), *program(CALL)])
    agent = Agent(world, model, "progprompt")
    assert asyncio.run(agent.run(REQUEST)).result == "goal met"
    [refused] = agent.monologue.since(None, Refusal)
    assert f"# Task: {REQUEST}\n# Not usable: {refused.why}\ndef put_the_ball_on_the_shelf():\n" in model.prompts[3]
    assert "Not usable" not in model.prompts[0]


def test_a_program_without_end_is_cut_off() -> None:
    model = Scripted(lambda prompt: " ball." if prompt.endswith("takes:") else f" {ASSERTED}")
    world = ToyWorld()
    monologue = Monologue(world.clock)
    monologue.append(Request(REQUEST))
    monologue.append(world.observe())
    plan = asyncio.run(ProgPrompt(model, world).plan(monologue))
    assert isinstance(plan, Plan) and plan.outline and len(plan.outline.lines) == LONGEST_PROGRAM


class Vanishing(ToyWorld):
    """The cup is gone once the ball has been moved."""

    def observe(self) -> Observation:
        things = ("ball", "box") if self.where["ball"] == "shelf" else ("ball", "cup", "box")
        return Observation(things, {"object": things, "place": ("shelf", "bin", "floor")})


def test_what_is_no_longer_there_fails_and_the_program_goes_on() -> None:
    world = Vanishing()
    agent = agent_of(
        world, CALL, "move('cup', 'bin')", "assert at('cup', 'bin') else: lift('cup')", "move('box', 'bin')"
    )
    assert started(agent) == [
        "Move the ball to the shelf.",
        "Move the cup to the bin.",
        "Lift the cup.",
        "Move the box to the bin.",
    ]
    assert "There is no object 'cup' here" in agent.monologue.since(None, Outcome)[1].report
    assert agent.monologue.since(None, Refusal) == []


@pytest.mark.parametrize("error", [KeyError("oops"), Unparseable("no")])
def test_an_assertion_that_nobody_can_check_is_no_reason_to_act(error: Exception) -> None:
    class Unsure(ToyWorld):
        def holds(self, condition: object) -> bool:
            raise error

    agent = agent_of(Unsure(), ASSERTED)
    end = agent.ended()
    assert end is not None and end.because.startswith("I cannot tell just now: Ball is on the shelf.")
    assert (end.result, started(agent)) == ("failed", [])


def test_a_program_all_of_whose_assertions_hold_has_nothing_to_do() -> None:
    world = ToyWorld()
    world.where["ball"] = "shelf"
    monologue = Monologue(world.clock)
    monologue.append(Request(REQUEST))
    monologue.append(world.observe())
    assert isinstance(asyncio.run(ProgPrompt(Scripted(program(ASSERTED)), world).plan(monologue)), Done)


def test_the_prompt_has_the_functions_the_programs_and_what_is_seen() -> None:
    model = Scripted(program("undo('bow')"))
    asyncio.run(Agent(Knots(), model, "progprompt").run("Undo the bow!"))
    assert model.prompts[0].startswith("# A robot can do: pull(), undo(knot)\n# It can assert: undone(knot)\n\n")
    shown = re.findall(r"^# Task: (.*)$", model.prompts[0], re.MULTILINE)
    assert shown == [*(each.task for each in EXAMPLE_PROGRAMS), "Undo the bow!"], (
        "none is about knots, so all are shown"
    )
    assert model.prompts[0].endswith("def undo_the_bow():\n    # takes:")
    assert all(prompt.startswith(model.prompts[0]) for prompt in model.prompts)


class Held(Scripted):
    """Keeps the grammars it was held to, and needs no introduction."""

    trained = True

    def __init__(self, answers: list[str]) -> None:
        super().__init__(answers)
        self.grammars = list[str]()

    async def complete(self, prompt: str, *, grammar: str | None = None, **more: Any) -> Completion:
        self.grammars.append(grammar or "")
        return await super().complete(prompt, grammar=grammar, **more)


def test_a_trained_model_reads_the_same_without_the_introduction_and_nothing_of_how_things_are() -> None:
    prompts = []
    for kind in (Held, Scripted):
        model, world = kind(program("undo('bow')")), Knots()
        world.open = ["hitch"]
        asyncio.run(Agent(world, model, "progprompt").run("Undo the bow!"))
        prompts.append(model.prompts)
    for trained, other in zip(*prompts, strict=True):
        assert other.endswith(f"\n\n{trained}")
    assert prompts[0][0] == (
        "from actions import pull, undo\n# Seen: bow, hitch, loop, noose, sling.\n# Task: Undo the bow!\n"
        "def undo_the_bow():\n    # takes:"
    )


def test_any_call_and_any_assertion_may_be_written_at_any_line() -> None:
    model = Held(program("undo('bow')", "undo('bow')"))
    asyncio.run(Agent(Knots(), model, "progprompt").run("Undo the bow!"))
    lines = model.grammars[1:]
    assert len(lines) == 3
    for grammar in lines:
        for line in ("undo('bow')", "pull()", "assert undone('loop') else: undo('sling')", "# done"):
            assert accepts(grammar, f" {line}\n")
        for line in ("fly()", "undo('moon')", "assert undone('loop')", "import os"):
            assert not accepts(grammar, f" {line}\n")
