from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from thinkaloud.errors import Unparseable
from thinkaloud.language.sentences import action_grammar, condition_grammar, read_goal, read_missing
from thinkaloud.methods.inner_monologue.planner import InnerMonologue
from thinkaloud.models import Completion, Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.plan.transcript import Feedback, Transcript, render_in_view
from thinkaloud.records import Ask, Condition, Observation, Plan, Record, Refusal, Request, Started, Step, Verdict
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing

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


def on(table: Tabletop, thing: str, target: str) -> Condition:
    return table.relations["on"].condition({"object": thing, "target": target})


def pick(table: Tabletop, thing: str, target: str) -> Step:
    return table.skills["pick_and_place"].step({"object": thing, "target": target})


def test_a_condition_is_any_sentence_about_what_is_there(table: Tabletop) -> None:
    condition = f"root ::= {condition_grammar(table.relations, table.observe().vocabulary)}"
    assert accepts(condition, '"Red block is on the green bowl."')
    assert accepts(condition, '"Blue block is on the top left corner."')
    assert not accepts(condition, '"Red block is on the red block."')
    assert not accepts(condition, '"Red block is on the moon."')


def test_what_stays_is_no_condition_of_the_goal(table: Tabletop) -> None:
    stated = 'Goal state is ["Red block is on the green bowl.", "Blue block stays where it is."].'
    read = read_goal(stated, table.relations, table.observe().vocabulary)
    assert read == (on(table, "red block", "green bowl"),)


def test_a_goal_in_which_everything_stays_is_refused(table: Tabletop) -> None:
    stated = '["Red block stays where it is.", "Blue block stays where it is."]'
    with pytest.raises(Unparseable, match="everything stays"):
        read_goal(stated, table.relations, table.observe().vocabulary)


def test_what_is_said_to_be_missing_must_not_be_there(table: Tabletop) -> None:
    vocabulary = table.observe().vocabulary
    assert read_missing(" There is no teapot here.", vocabulary) == "teapot"
    assert read_missing(" Goal state is [].", vocabulary) is None
    with pytest.raises(Unparseable, match="There is: red block"):
        read_missing(" There is no red block here.", vocabulary)


def test_a_needless_step_is_not_offered(table: Tabletop) -> None:
    vocabulary = table.observe().vocabulary
    done = pick(table, "red block", "green bowl")
    offered = f"root ::= {action_grammar(table.skills, vocabulary, [done])}"
    assert not accepts(offered, "Pick the red block and place it on the green bowl.")
    assert accepts(offered, "Pick the red block and place it on the middle.")
    assert accepts(offered, "Pick the blue block and place it on the green bowl.")


def offered(table: Tabletop, feedback: Feedback, events: Sequence[Record]) -> str:
    """The grammar that a planner is constrained by after these events."""
    said = Monologue(table.clock)
    for record in events:
        said.append(record)
    model = Listening([" None." if feedback == "object+scene" else " Done."])
    asyncio.run(InnerMonologue(model, table, feedback).plan(said))
    return model.grammar


@pytest.mark.parametrize("feedback", ["object", "object+success", "object+scene"])
def test_anything_that_can_be_done_may_be_said_and_that_it_is_over(table: Tabletop, feedback: Feedback) -> None:
    goal = (on(table, "red block", "green bowl"), on(table, "blue block", "green bowl"))
    step, seen = pick(table, "red block", "green bowl"), table.observe()
    told = Observation(seen.objects, seen.vocabulary, achieved=goal[:1]) if feedback == "object+scene" else seen
    conditions = goal if feedback == "object+scene" else ()
    events: list[Record] = [
        Request("…"),
        seen,
        Plan("…", conditions, ()),
        Plan("…", conditions, (step,)),
        Started(step),
    ]
    grammar = offered(table, feedback, [*events, Verdict(step, True, "action"), told])
    thought = " Anything.\nRobot action:" if feedback == "object+scene" else ""
    for thing, target in (("red block", "green bowl"), ("blue block", "green bowl"), ("blue block", "middle")):
        assert accepts(grammar, f"{thought} {pick(table, thing, target).words}")
    assert accepts(grammar, f"{thought} Done.")
    assert accepts(grammar, " None.") is (feedback == "object+scene")
    assert not accepts(grammar, f"{thought} Pick the red block and place it on the moon.")


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
