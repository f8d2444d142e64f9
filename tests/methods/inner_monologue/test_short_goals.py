"""Goals in a few words: what they may say, what they mean, and which steps they lead to from where things are."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from thinkaloud.agent import Agent
from thinkaloud.errors import Unparseable
from thinkaloud.loop import Limits
from thinkaloud.methods.inner_monologue.next_steps import NextSteps, StepFinder
from thinkaloud.methods.inner_monologue.short_goals import read_missing, read_subgoals, short_goal_grammar
from thinkaloud.models import Scripted
from thinkaloud.models.gbnf import Grammar
from thinkaloud.perceive.looking import relations_in
from thinkaloud.records import Decline, Done, Started
from thinkaloud.worlds.tabletop import Scene, Tabletop, Thing
from toyworld import ToyWorld


def table(*more: Thing, on: dict[str, str] | None = None) -> Tabletop:
    """Three blocks and two bowls, well away from the edges, and perhaps more; some blocks are then put on something."""
    spots = {"red": (-0.14, -0.45), "blue": (0.13, -0.38), "pink": (0.13, -0.52)}
    blocks = [Thing(f"{colour} block", "block", x, y, colour) for colour, (x, y) in spots.items()]
    bowls = [Thing("red bowl", "bowl", -0.1, -0.66, "red"), Thing("blue bowl", "bowl", 0.08, -0.66, "blue")]
    world = Tabletop(Scene((*blocks, *bowls, *more)))
    for object, target in (on or {}).items():
        asyncio.run(world.skills["pick_and_place"].run({"object": object, "target": target}))
    return world


@pytest.fixture(scope="module")
def flat() -> Tabletop:
    return table()


def next_steps(world: Tabletop | ToyWorld, *sentences: str, taken: int = 0) -> NextSteps:
    scene = world.observe()
    scene = replace(scene, state=relations_in(world, scene))
    subgoals = read_subgoals(goal(*sentences), world.relations, scene.vocabulary)
    return StepFinder(world, scene, subgoals, taken).next_steps()


def goal(*sentences: str) -> str:
    return "Goal state is [" + ", ".join(f'"{sentence}"' for sentence in sentences) + "]."


def moves(found: NextSteps) -> set[tuple[str, str]]:
    return {(str(step.arguments["object"]), str(step.arguments["target"])) for step in found.steps}


# What can be said -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sentences",
    [
        ("Red block is on the blue bowl.",),
        ("Red block is on the blue bowl.", "Pink block stays where it is."),
        ("Every block is on the top left corner.",),
        ("Every block is on a different corner.",),
        ("Every block is on a bowl.",),
        ("Every block is on a matching bowl.",),
        ("Every block is on a mismatched bowl.",),
        ("Every block is on one stack.",),
        ("Every block is on one stack on the right side.",),
        ("Red block is on the middle.", "Every other block is on the red bowl."),
        ("Every thing is on the middle.",),
    ],
)
def test_the_grammar_has_what_can_be_read(flat: Tabletop, sentences: tuple[str, ...]) -> None:
    vocabulary = flat.observe().vocabulary
    assert Grammar.parse(short_goal_grammar(flat.relations, vocabulary)).accepts(f" {goal(*sentences)}")
    assert read_subgoals(goal(*sentences), flat.relations, vocabulary)


@pytest.mark.parametrize(
    "words",
    ["Every cup is on the middle.", "Green block is on the middle.", "Every block is on a matching corner.", "Hello."],
)
def test_it_has_nothing_that_is_not_there(flat: Tabletop, words: str) -> None:
    vocabulary = flat.observe().vocabulary
    assert not Grammar.parse(short_goal_grammar(flat.relations, vocabulary)).accepts(f" {goal(words)}")


@pytest.mark.parametrize(
    "words",
    [
        goal(),
        goal("Every cup is on the middle."),
        goal("Red block is on the moon."),
        goal("Red block is on a different cup."),
        goal("Fly."),
        goal("Red block stays where it is."),
        "I do not know.",
    ],
)
def test_what_is_no_goal_here_is_refused(flat: Tabletop, words: str) -> None:
    with pytest.raises(Unparseable):
        read_subgoals(words, flat.relations, flat.observe().vocabulary)


def test_what_is_missing_can_be_said_unless_it_is_there(flat: Tabletop) -> None:
    vocabulary = flat.observe().vocabulary
    assert Grammar.parse(short_goal_grammar(flat.relations, vocabulary)).accepts(" There is no tea pot here.")
    assert read_missing(" There is no tea pot here.", vocabulary) == "tea pot"
    assert read_missing(goal("Every block is on one stack."), vocabulary) is None
    with pytest.raises(Unparseable, match="red block"):
        read_missing("There is no red block here.", vocabulary)


def test_other_robots_say_it_in_their_own_words() -> None:
    world = ToyWorld()
    vocabulary = world.observe().vocabulary
    assert Grammar.parse(short_goal_grammar(world.relations, vocabulary)).accepts(
        ' Goal state is ["Every thing is on the bin."].'
    )
    assert [
        subgoal.thing for subgoal in read_subgoals(goal("Every thing is on the bin."), world.relations, vocabulary)
    ] == [
        "ball",
        "cup",
        "box",
    ]


# What it leads to -----------------------------------------------------------------------------------------------------


def test_each_thing_goes_where_it_is_wanted(flat: Tabletop) -> None:
    assert moves(next_steps(flat, "Every block is on the red bowl.")) == {
        (f"{colour} block", "red bowl") for colour in ("red", "blue", "pink")
    }
    assert moves(next_steps(flat, "Pink block stays where it is.", "Every other block is on the middle.")) == {
        ("red block", "middle"),
        ("blue block", "middle"),
    }


def test_looks_are_compared(flat: Tabletop) -> None:
    assert moves(next_steps(flat, "Every block is on a matching bowl.")) == {
        ("red block", "red bowl"),
        ("blue block", "blue bowl"),
    }
    assert moves(next_steps(flat, "Every block is on a mismatched bowl.")) == {
        ("red block", "blue bowl"),
        ("blue block", "red bowl"),
        ("pink block", "red bowl"),
        ("pink block", "blue bowl"),
    }


def test_different_targets_are_shared_out(flat: Tabletop) -> None:
    found = next_steps(flat, "Every block is on a different corner.")
    assert len(moves(found)) == 3
    assert len({target for _, target in moves(found)}) == 3
    assert {target for _, target in moves(found)} == {str(c.arguments["target"]) for c in found.conditions}


def test_a_target_that_one_has_is_not_offered_to_another() -> None:
    world = table(on={"pink block": "blue bowl"})
    found = next_steps(world, "Red block is on a different bowl.", "Pink block is on a different bowl.")
    assert moves(found) == {("red block", "red bowl")}


def test_a_stack_grows_where_it_stands() -> None:
    world = table(on={"pink block": "blue block"})
    found = next_steps(world, "Every block is on one stack.")
    assert moves(found) == {("red block", "pink block")}
    assert [c.words for c in found.open] == ["Red block is on the pink block."]


def test_a_stack_somewhere_begins_with_one_block_there() -> None:
    world = table()
    assert moves(next_steps(world, "Every block is on one stack on the middle.")) == {
        (f"{colour} block", "middle") for colour in ("red", "blue", "pink")
    }
    there = table(on={"red block": "blue bowl"})
    found = next_steps(there, "Every block is on one stack on the blue bowl.")
    assert moves(found) == {("blue block", "red block"), ("pink block", "red block")}


def test_nothing_is_put_on_what_has_to_be_moved_itself(flat: Tabletop) -> None:
    found = next_steps(flat, "Red block is on the blue block.", "Blue block is on the middle.")
    assert moves(found) == {("blue block", "middle")}


def test_what_lies_on_a_thing_is_taken_away_first() -> None:
    world = table(on={"pink block": "blue block"})
    found = next_steps(world, "Blue block is on the red bowl.")
    assert {object for object, _ in moves(found)} == {"pink block"}
    assert all(target in world.places for _, target in moves(found))


def test_a_base_at_the_edge_is_not_built_on_while_there_is_time() -> None:
    near = Thing("gray block", "block", -0.26, -0.76, "gray")
    world = table(near)
    spoken = (
        "Red block is on one stack on the bottom left corner.",
        "Gray block is on one stack on the bottom left corner.",
    )
    assert moves(next_steps(world, *spoken)) == {("red block", "bottom left corner")}
    assert moves(next_steps(world, *spoken, taken=10)) == {("red block", "gray block")}


def test_a_thing_goes_on_another_where_only_the_edge_is_free() -> None:
    inside = Thing("gray block", "block", -0.21, -0.70, "gray")
    world = table(inside)
    assert world.on("gray block", "bottom left corner")
    found = next_steps(world, "Red block is on the bottom left corner.")
    assert moves(found) <= {("red block", "bottom left corner"), ("red block", "gray block")}
    assert len(found.steps) == 1


def test_what_is_met_needs_nothing() -> None:
    world = table(on={"pink block": "blue block"})
    found = next_steps(world, "Blue block is on one stack.", "Pink block is on one stack.")
    assert not found.open
    assert not found.steps


# In the loop ----------------------------------------------------------------------------------------------------------


class Trained(Scripted):
    trained = True


def test_a_trained_model_states_the_goal_and_then_only_acts() -> None:
    world = ToyWorld()
    world.slips = 1
    move = " Move the ball to the shelf."
    model = Trained([f" {goal('Ball is on the shelf.')}", move, move])
    end = asyncio.run(Agent(world, model, "inner_monologue").run("The ball on the shelf, please."))
    assert end.result == "goal met"
    assert model.prompts[-1] == (
        "Scene: There is a ball, and a cup, and a box.\n"
        "Human: The ball on the shelf, please.\n"
        'Robot thought: Goal state is ["Ball is on the shelf."].\n'
        "Robot action: Move the ball to the shelf.\n"
        "Robot thought: Open: ball.\n"
        "Robot action:"
    )
    assert all(later.startswith(earlier) for earlier, later in zip(model.prompts, model.prompts[1:], strict=False))


@pytest.mark.parametrize("preset", ["open_loop", "inner_monologue:feedback=object"])
def test_a_trained_model_is_shown_no_demonstrations(preset: str) -> None:
    said = " Move the ball to the shelf.\nRobot action: Done." if preset == "open_loop" else " Done."
    model = Trained([said])
    asyncio.run(Agent(ToyWorld(), model, preset).run("The ball on the shelf, please."))
    assert model.prompts == [
        "Scene: There is a ball, and a cup, and a box.\nHuman: The ball on the shelf, please.\nRobot action:"
    ]


def test_what_is_missing_is_declined() -> None:
    agent = Agent(ToyWorld(), Trained([" There is no kettle here."]), "inner_monologue")
    assert asyncio.run(agent.run("Put the ball in the kettle.")).result == "declined"
    assert agent.monologue.since(None, Decline)[0].why == "There is no kettle here. There is: ball, cup, box."


def test_what_cannot_be_done_is_given_up() -> None:
    both = goal("Red block is on the blue block.", "Blue block is on the red block.")
    agent = Agent(table(), Trained([f" {both}"]), "inner_monologue", limits=Limits(steps=3))
    end = asyncio.run(agent.run("Put the red block on the blue one and the blue one on the red one."))
    assert end.result == "failed"
    assert "nothing can be done about the red block, blue block" in end.because
    assert agent.monologue.since(None, Done)[0].how == "gave up"
    assert not agent.monologue.since(None, Started)
