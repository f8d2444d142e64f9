from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

import pytest

from thinkaloud.errors import UnknownName, Unparseable
from thinkaloud.methods.inner_monologue.planner import InnerMonologue
from thinkaloud.models import Completion, Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.plan.transcript import Feedback, Transcript, render_in_view
from thinkaloud.records import Ask, Condition, Observation, Plan, Refusal, Request, Started, Verdict
from thinkaloud.sentences import action_grammar, goal_list_grammar, read_goal, steps_towards
from thinkaloud.skills import Kind, relation, skill
from thinkaloud.worlds.tabletop import Scene, Tabletop, Thing
from toyworld import ToyWorld

SCENE = Scene(
    (
        Thing("red block", "block", -0.2, -0.3, "red"),
        Thing("blue block", "block", 0.0, -0.3, "blue"),
        Thing("green bowl", "bowl", 0.0, -0.6, "green"),
    )
)


@pytest.fixture(scope="module")
def table() -> Tabletop:
    return Tabletop(SCENE)


class Listening(Scripted):
    """Keeps the grammar it was constrained by."""

    grammar = ""

    async def complete(self, prompt: str, *, grammar: str | None = None, **more: Any) -> Completion:
        self.grammar = grammar or ""
        return await super().complete(prompt, grammar=grammar, **more)


def _cracked(observation: Observation, cup: str, **_: Any) -> str | None:
    return "The mug is cracked." if cup == "mug" else None


class Waiter(ToyWorld):
    """Fills cups, but not the cracked mug."""

    def observe(self) -> Observation:
        return Observation(("small cup", "mug"), {"cup": ("small cup", "mug")})

    @skill("Fill the {cup}.", preconditions=(_cracked,), effects=lambda cup, spoons: (("full", {"cup": cup}),))
    async def fill(self, cup: Annotated[str, Kind("cup")], spoons: int = 2) -> None:
        """Fill a cup."""

    @relation("{cup} is full.")
    def full(self, cup: Annotated[str, Kind("cup")]) -> bool:
        """Whether a cup is full."""
        return False


def on(table: Tabletop, thing: str, target: str) -> Condition:
    return table.relations["on"].condition({"object": thing, "target": target})


def test_a_goal_speaks_of_every_thing_once_in_the_order_of_the_scene(table: Tabletop) -> None:
    goal = f"root ::= {goal_list_grammar(table.relations, table.observe().vocabulary)}"
    assert accepts(goal, '"Red block is on the green bowl.", "Blue block stays where it is."')
    assert accepts(goal, '"Red block is on the blue block.", "Blue block is on the top left corner."')
    assert not accepts(goal, '"Red block is on the green bowl."')
    assert not accepts(goal, '"Red block is on the green bowl.", "Red block is on the middle."')
    assert not accepts(goal, '"Red block is on the red block.", "Blue block stays where it is."')
    assert not accepts(goal, '"Red block is on the moon.", "Blue block stays where it is."')
    assert accepts(goal, '"Red block stays where it is.", "Blue block is on the middle."')
    assert not accepts(goal, '"Red block stays where it is.", "Blue block stays where it is."')


def test_what_stays_is_no_condition_of_the_goal(table: Tabletop) -> None:
    stated = 'Goal state is ["Red block is on the green bowl.", "Blue block stays where it is."].'
    read = read_goal(stated, table.relations, table.observe().vocabulary)
    assert read == (on(table, "red block", "green bowl"),)


def test_a_goal_in_which_everything_stays_is_refused(table: Tabletop) -> None:
    stated = '["Red block stays where it is.", "Blue block stays where it is."]'
    with pytest.raises(Unparseable, match="everything stays"):
        read_goal(stated, table.relations, table.observe().vocabulary)


def test_steps_serve_a_condition_by_their_declared_effects(table: Tabletop) -> None:
    wanted = [on(table, "red block", "green bowl"), on(table, "blue block", "red block")]
    steps = steps_towards(table, table.observe(), wanted)
    assert [step.words for step in steps] == [
        "Pick the red block and place it on the green bowl.",
        "Pick the blue block and place it on the red block.",
    ]


def test_defaults_and_preconditions_count_when_steps_are_sought() -> None:
    robot = Waiter()
    wanted = [
        robot.relations["full"].condition({"cup": "small cup"}),
        robot.relations["full"].condition({"cup": "mug"}),
    ]
    [step] = steps_towards(robot, robot.observe(), wanted)
    assert step.skill == "fill"
    assert step.arguments == {"cup": "small cup", "spoons": 2}


def test_an_effect_that_names_no_relation_is_said_to() -> None:
    robot = Waiter()
    robot.relations = {}
    with pytest.raises(UnknownName, match="no relation 'full'"):
        steps_towards(robot, robot.observe(), [Condition("full", {"cup": "small cup"}, "Small cup is full.")])


def test_a_needless_step_is_not_offered(table: Tabletop) -> None:
    vocabulary = table.observe().vocabulary
    [done] = steps_towards(table, table.observe(), [on(table, "red block", "green bowl")])
    offered = f"root ::= {action_grammar(table.skills, vocabulary, [done])}"
    assert not accepts(offered, "Pick the red block and place it on the green bowl.")
    assert accepts(offered, "Pick the red block and place it on the middle.")
    assert accepts(offered, "Pick the blue block and place it on the green bowl.")


def offered(table: Tabletop, feedback: Feedback, events: Sequence[Any], answer: str) -> str:
    """The grammar that a planner is constrained by after these events."""
    said = Monologue(table.clock)
    for record in events:
        said.append(record)
    model = Listening([answer])
    asyncio.run(InnerMonologue(model, table, feedback).plan(said))
    return model.grammar


def test_with_scene_feedback_an_action_serves_what_is_open_of_the_goal(table: Tabletop) -> None:
    goal = (on(table, "red block", "green bowl"), on(table, "blue block", "green bowl"))
    first, second = steps_towards(table, table.observe(), goal)
    seen = table.observe()
    progress = Observation(seen.objects, seen.vocabulary, achieved=goal[:1])
    events = [Request("…"), seen, Plan("…", goal, ()), Plan("…", goal, (first,)), Started(first), progress]
    grammar = offered(table, "object+scene", events, f" The blue block.\nRobot action: {second.words}")
    assert accepts(grammar, f" Anything.\nRobot action: {second.words}")
    assert not accepts(grammar, f" Anything.\nRobot action: {first.words}")
    assert not accepts(grammar, " Anything.\nRobot action: Pick the blue block and place it on the middle.")


def test_after_a_success_the_same_step_is_not_offered_again_until_the_thing_has_moved(table: Tabletop) -> None:
    step, other = steps_towards(
        table, table.observe(), [on(table, "red block", "green bowl"), on(table, "red block", "middle")]
    )
    seen = table.observe()
    worked = [Request("…"), seen, Plan("…", (), (step,)), Started(step), Verdict(step, True, "action")]
    assert not accepts(offered(table, "object+success", worked, " Done."), f" {step.words}")
    moved = [*worked, Plan("…", (), (other,)), Started(other), Verdict(other, False, "action")]
    assert accepts(offered(table, "object+success", moved, " Done."), f" {step.words}")


def test_the_scene_line_groups_things_by_their_last_word() -> None:
    assert render_in_view(("red block", "blue block", "tin cup")) == "Scene: There is a red, blue block, and a tin cup."
    assert render_in_view(("lamp",)) == "Scene: There is a lamp."
    assert render_in_view(()) == "Scene: There is nothing."


def test_questions_and_refused_words_are_part_of_the_transcript(table: Tabletop) -> None:
    said = Monologue(table.clock)
    said.append(Request("Tidy up."))
    said.append(Ask(("Which block?",)))
    said.append(Refusal("planner", "Robot action: Fly to the moon.", "There is no such skill."))
    assert Transcript("object").lines(said) == [
        "Human: Tidy up.",
        "Robot ask: Which block?",
        "Robot action: Fly to the moon.",
        "Scene: That is not possible. There is no such skill.",
    ]
