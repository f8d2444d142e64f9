"""The planner's answers: what the grammar lets through, and how they are read when no grammar held the model."""

from __future__ import annotations

from typing import Annotated

import pytest

from multitalk_dialogue import at_once
from thinkaloud.errors import Unparseable
from thinkaloud.methods.multitalk.dialogue_examples import DialogueExample
from thinkaloud.methods.multitalk.planner_answers import (
    MOST_ANSWER_STEPS,
    MOST_QUESTIONS,
    dialogue_answer_grammar,
    is_nothing,
    is_rerun,
    read_instructions,
    read_line,
    read_questions,
    read_thought,
    split_answer,
)
from thinkaloud.methods.multitalk.planner_examples import COORDINATES
from thinkaloud.methods.multitalk.prompt import render_dialogue
from thinkaloud.models.gbnf import accepts
from thinkaloud.records import Step
from thinkaloud.robots import open_world
from thinkaloud.skills import Kind, Skill, skill
from toyworld import ToyWorld

FRANKA = open_world("franka").skills
TOY = ToyWorld()
SCENE = TOY.observe().vocabulary
ANY = dialogue_answer_grammar(FRANKA, {}, asks=True, looks=True)
GRASP, MOVE, HOME = "Take it: grasp((0.30, -0.40, 0.05))", "Put it down: move((0.10, 0.20))", "That is it: home()"


def fits(grammar: str, text: str) -> bool:
    """Whether an answer is in a grammar, after a thought."""
    return accepts(grammar, f" What: it. Where: there, at (0.10, 0.20).\n{text}")


# Grammar --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        at_once(GRASP, MOVE, HOME),
        at_once(HOME),
        at_once(*[GRASP, MOVE] * (MOST_ANSWER_STEPS // 2)),
        at_once("Without a height: grasp((0.30, -0.40))"),
        at_once("As a person says it: grasp((0.3, -0.4))"),
        "Questions:\n1: Where should it go then?\n\n",
        "Questions:\n1: Where should it go then?\n2: (0.30, 0.10) is taken. What else would do?\n\n",
        "Questions:\n1: The can is round! Shall I lay it down? It may roll away.\n\n",
        "Perception Rerun Required\n\n",
        "No Action Required\n\n",
    ],
)
def test_the_grammar_takes_all_the_answers(text: str) -> None:
    assert fits(ANY, text)


@pytest.mark.parametrize(
    "text",
    [
        at_once(HOME, GRASP),
        at_once(GRASP, "home()"),
        at_once(*[GRASP, MOVE] * (MOST_ANSWER_STEPS // 2), HOME),
        at_once("No point: grasp(0.30, -0.40)"),
        at_once("Finer than a centimetre: grasp((0.301, -0.4))"),
        at_once("Nobody can: fly((0.30, -0.40))"),
        at_once(GRASP).replace("1:", "2:"),
        "Step-by-step Instructions:\n\n",
        "Questions:\n\n",
        "Questions:\n" + "".join(f"{n}: Where should it go then?\n" for n in range(1, MOST_QUESTIONS + 2)) + "\n",
        "Perception Rerun Required\nQuestions:\n1: Where should it go then?\n\n",
    ],
)
def test_the_grammar_takes_nothing_else(text: str) -> None:
    assert not fits(ANY, text)


def test_what_may_not_be_answered_is_not_in_the_grammar() -> None:
    assert not accepts(ANY, at_once(GRASP))  # without a thought
    ask, look = "Questions:\n1: Where should it go then?\n\n", "Perception Rerun Required\n\n"
    assert not fits(dialogue_answer_grammar(FRANKA, {}, asks=False, looks=True), ask)
    assert not fits(dialogue_answer_grammar(FRANKA, {}, asks=True, looks=False), look)


def test_by_name_only_what_is_there_can_be_named_and_where_nothing_ends_a_plan_it_ends_anywhere() -> None:
    grammar = dialogue_answer_grammar(TOY.skills, SCENE, asks=True, looks=True)
    assert fits(grammar, at_once('It belongs there: move("ball", "shelf")', 'More colour: paint("cup")'))
    assert not fits(grammar, at_once('It belongs there: move("moon", "shelf")'))
    assert not fits(grammar, at_once('Anywhere: move("ball")'))


def test_in_an_empty_scene_nothing_is_planned() -> None:
    grammar = dialogue_answer_grammar(TOY.skills, {}, asks=True, looks=True)
    assert fits(grammar, "Perception Rerun Required\n\n")
    assert not fits(grammar, at_once('It belongs there: move("ball", "shelf")'))
    assert fits(dialogue_answer_grammar(TOY.skills, {}, asks=False, looks=False), "No Action Required\n\n")
    alone = dialogue_answer_grammar({"home": FRANKA["home"]}, {}, asks=False, looks=False)
    assert fits(alone, at_once(HOME))
    assert not fits(alone, at_once(HOME, HOME))


@skill("Wind the {thing}.")
async def wind(thing: Annotated[str, Kind("object")], times: int, slowly: bool, note: str = "") -> None:
    """Wind something."""


@skill("Turn by {angle}.")
async def turn(angle: float) -> None:
    """Turn."""


OTHERS: dict[str, Skill] = {name: vars(each)["__skill__"] for name, each in (("wind", wind), ("turn", turn))}


@pytest.mark.parametrize("name", ["clock", 'the "good" clock', "Öl-Uhr nº 2", "clock #2", "a\\b", "it's"])
def test_names_flags_and_numbers_come_back_as_they_were_said(name: str) -> None:
    vocabulary = {"object": (name, "other")}
    grammar = dialogue_answer_grammar(OTHERS, vocabulary, asks=False, looks=False)
    quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    text = at_once(f'Once more: wind({quoted}, 3, true, "gently")', "Half a turn: turn((0.50,))")
    assert fits(grammar, text)
    one, two = read_instructions(text, OTHERS, vocabulary)
    assert one.arguments == {"thing": name, "times": 3, "slowly": True, "note": "gently"}
    assert (two.arguments, two.reason) == ({"angle": 0.5}, "Half a turn")


def answers_in(example: DialogueExample) -> list[str]:
    """What the planner says in an example, without `Thought:`."""
    told = render_dialogue(example.monologue())
    return [f"{part.partition('Thought:')[2].partition(chr(10) * 2)[0]}\n\n" for part in told.split("Output:\n")[1:]]


@pytest.mark.parametrize("example", COORDINATES, ids=lambda example: example.request)
def test_what_is_said_in_the_examples_can_be_said(example: DialogueExample) -> None:
    said = [answer for answer in answers_in(example) if answer.strip()]
    assert said
    assert all(accepts(ANY, answer) for answer in said), said


# Reading --------------------------------------------------------------------------------------------------------------

STEPS = (
    Step("grasp", {"x": 0.3, "y": -0.4, "z": 0.05}, "Grasp the object at (0.3, -0.4, 0.05).", "Take it"),
    Step("move", {"x": 0.1, "y": 0.2, "z": 0.0}, "Move it to (0.1, 0.2, 0.0).", "Put it down"),
    Step("home", {}, "Go home.", "That is it"),
)


@pytest.mark.parametrize(
    "text",
    [
        at_once(GRASP, MOVE, HOME),
        f"Sure, here you are.\n{at_once(GRASP, MOVE, HOME)}",
        f"```\n{at_once(GRASP, MOVE, HOME)}```",
        f"**Step-by-step instructions:**\n1. {GRASP}\n2) {MOVE}\n - 3: {HOME}",
        f"1: {GRASP}\n2: {MOVE}\n3: {HOME}",
        "1: grasp((0.30, -0.40, 0.05)) # Take it\n2: move((0.10, 0.20)) # Put it down\n3: home() # That is it",
        "1: `grasp([0.3, -0.4, 0.05])` # Take it\n2: move(x=0.1, y=.2) #Put it down\n3: home()# That is it",
        "Step-by-step Instructions:\n1: Take it: grasp((0.3, -0.4, 0.05))\n2: Put it down: move((0.1, 0.2))\n"
        "3: That is it: home()",
        f"1: We may not ask.\n2: So we plan.\nStep-by-step Instructions:\n1: {GRASP}\n(the can)\n2: {MOVE}\n3: {HOME}",
        f"{at_once(GRASP, MOVE, HOME).strip()}\nQuestions:\n1: Is this fine?",
    ],
)
def test_a_plan_is_read_however_it_is_dressed(text: str) -> None:
    assert read_instructions(text, FRANKA, {}) == STEPS
    assert not is_rerun(text)
    assert read_questions(text) == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "This is no plan, no question and no order to look again"),
        ("I would grasp it and then see.", "Actions: grasp, home, move"),
        ("1: take the can\n2: put it down", "This is no plan"),
        (at_once("fly((0.1, 0.2)) # Up"), "There is no function 'fly'"),
        (at_once("grasp((0.1)) # Half a point"), "needs the argument 'y'"),
        (at_once("grasp((0.1, 0.2, 0.3, 0.4)) # Too much"), "takes 3 arguments"),
        (at_once('grasp(("a", 0.2)) # A name'), "x has to be a number, not 'a'"),
        (at_once("grasp((1e999, 0.2)) # Far"), "x has to be a number, not 'inf'"),
        (at_once("grasp(((0.1, 0.2), 0.3)) # Nested"), "x has to be a single value"),
        (at_once("grasp((x, y)) # Somewhere"), "is no function call"),
        (at_once("grasp((0.1, 0.2) # Not closed"), "is no function call"),
        (at_once(*[GRASP] * (MOST_ANSWER_STEPS + 1)), "21 steps are too many; 20 at most"),
    ],
)
def test_what_is_no_plan_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(Unparseable) as error:
        read_instructions(text, FRANKA, {})
    assert why in str(error.value)


def test_a_line_that_is_no_action_is_not_passed_over() -> None:
    with pytest.raises(Unparseable, match="'put it on the shelf' is no function call"):
        read_instructions(at_once(GRASP, "put it on the shelf", HOME), FRANKA, {})


def test_a_reason_may_contain_anything() -> None:
    assert (
        read_line("home() # Go home: it is done (really) # now", FRANKA, {}).reason
        == "Go home: it is done (really) # now"
    )
    assert read_line("home()", FRANKA, {}).reason == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Questions:\n1: Where to?\n2: Which one?", ("Where to?", "Which one?")),
        ("I am not sure.\n**Questions:**\n1. Where to?", ("Where to?",)),
        ("questions:\nWhere to?\n", ("Where to?",)),
        ("Questions: Where to?", ("Where to?",)),
        ("Questions:\n", ()),
        ("No questions. Where to?", ()),
        ("Questions remain: 1: Where to?", ()),
        ("", ()),
    ],
)
def test_questions_are_found_under_their_heading(text: str, found: tuple[str, ...]) -> None:
    assert read_questions(text) == found


@pytest.mark.parametrize(
    "text", ["Perception Rerun Required", "perception re-run required.", "Please rerun the perception!"]
)
def test_the_order_to_look_again_is_heard(text: str) -> None:
    assert is_rerun(text)
    assert not is_rerun("Questions:\n1: Shall I look again?")


def test_that_nothing_is_to_be_done_is_heard() -> None:
    assert is_nothing("It is there already.\nNo Action Required")
    assert is_nothing("no action is required.")
    assert not is_nothing(at_once(GRASP))
    assert not is_nothing("Questions:\n1: Is no action required?")


def test_the_parts_of_an_answer() -> None:
    assert split_answer("Hm.\nQuestions:\n1: Where?") == ("Hm.\n", "Questions:", "\n1: Where?")
    assert split_answer("## Step-by-Step Instructions:\n1: x")[1:] == ("Step-by-step Instructions:", "\n1: x")
    assert split_answer("PERCEPTION RERUN REQUIRED")[1] == "Perception Rerun Required"
    assert split_answer("What: it. Questions: none.") == ("What: it. Questions: none.", "", "")
    assert read_thought("Thought: What: it.\nWhere: there.\nQuestions:\n1: Where?") == "What: it. Where: there."
    assert read_thought("1: grasp((0.1, 0.2))") == ""
