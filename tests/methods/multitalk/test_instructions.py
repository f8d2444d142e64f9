"""The planner's three answers: what the grammar lets through, and how they are read when no grammar held the model."""

from __future__ import annotations

import itertools
import re
from typing import Annotated

import pytest

from multitalk_dialogue import at_once
from thinkaloud.errors import Unparseable
from thinkaloud.methods.multitalk.dialogue_examples import DialogueExample
from thinkaloud.methods.multitalk.instructions import (
    MOST_QUESTIONS,
    MOST_STEPS,
    answer_grammar,
    is_rerun,
    kind_grammar,
    question_grammar,
    read_instructions,
    read_line,
    read_lines,
    read_points,
    read_questions,
    split_answer,
    thought_grammar,
)
from thinkaloud.methods.multitalk.planner import everything_said as everything
from thinkaloud.methods.multitalk.planner_examples import COORDINATES
from thinkaloud.models.gbnf import accepts
from thinkaloud.records import Ask, Look, Plan, Step
from thinkaloud.skills import Kind, Skill, skill
from thinkaloud.worlds import open_world
from toyworld import ToyWorld

FRANKA = open_world("franka").skills
TOY = ToyWorld()
SCENE = TOY.observe().vocabulary
ANY = answer_grammar(FRANKA, {}, asks=True, looks=True)
GRASP, MOVE, HOME = "grasp((0.30, -0.40, 0.05)) # Take it", "move((0.10, 0.20)) # Put it down", "home() # That is it"


# Grammar --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        at_once(GRASP, MOVE, HOME),
        at_once(HOME),
        at_once(*[GRASP, MOVE] * (MOST_STEPS // 2)),
        at_once("grasp((0.30, -0.40)) # Without a height"),
        "Questions:\n1: Where should it go then?\n\n",
        "Questions:\n1: Where should it go then?\n2: (0.30, 0.10) is taken. What else would do?\n\n",
        "Perception Rerun Required\n\n",
    ],
)
def test_the_grammar_takes_all_the_answers(text: str) -> None:
    assert accepts(ANY, text)


@pytest.mark.parametrize(
    "text",
    [
        at_once(HOME, GRASP),
        at_once(GRASP, "home()"),
        at_once(*[GRASP, MOVE] * (MOST_STEPS // 2), HOME),
        at_once("grasp(0.30, -0.40) # No point"),
        at_once("grasp((0.3, -0.4)) # Not to the centimetre"),
        at_once("fly((0.30, -0.40)) # Nobody can"),
        at_once(GRASP).replace("1:", "2:"),
        "Step-by-step Instructions:\n\n",
        "Questions:\n1: Where to go with this one\n\n",
        "Questions:\n" + "".join(f"{n}: Where should it go then?\n" for n in range(1, MOST_QUESTIONS + 2)) + "\n",
        "Perception Rerun Required\nQuestions:\n1: Where should it go then?\n\n",
    ],
)
def test_the_grammar_takes_nothing_else(text: str) -> None:
    assert not accepts(ANY, text)


def test_what_may_not_be_answered_is_not_in_the_grammar() -> None:
    ask, look = "Questions:\n1: Where should it go then?\n\n", "Perception Rerun Required\n\n"
    assert not accepts(answer_grammar(FRANKA, {}, asks=False, looks=True), ask)
    assert not accepts(answer_grammar(FRANKA, {}, asks=True, looks=False), look)


def test_by_name_only_what_is_there_can_be_named_and_where_nothing_ends_a_plan_it_ends_anywhere() -> None:
    grammar = answer_grammar(TOY.skills, SCENE, asks=True, looks=True)
    assert accepts(grammar, at_once('move("ball", "shelf") # It belongs there', 'paint("cup") # More colour'))
    assert not accepts(grammar, at_once('move("moon", "shelf") # It belongs there'))
    assert not accepts(grammar, at_once('move("ball") # Anywhere'))


def test_in_an_empty_scene_nothing_is_planned() -> None:
    grammar = answer_grammar(TOY.skills, {}, asks=True, looks=True)
    assert accepts(grammar, "Perception Rerun Required\n\n")
    assert not accepts(grammar, at_once('move("ball", "shelf") # It belongs there'))
    with pytest.raises(Unparseable, match="No skill fits anything in this scene"):
        answer_grammar(TOY.skills, {}, asks=False, looks=False)
    alone = answer_grammar({"home": FRANKA["home"]}, {}, asks=False, looks=False)
    assert accepts(alone, at_once(HOME))
    assert not accepts(alone, at_once(HOME, HOME))


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
    grammar = answer_grammar(OTHERS, vocabulary, asks=False, looks=False)
    quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    text = at_once(f'wind({quoted}, 3, true, "gently") # Once more', "turn((0.50,)) # Half a turn")
    assert accepts(grammar, text)
    one, two = read_instructions(text, OTHERS, vocabulary)
    assert one.arguments == {"thing": name, "times": 3, "slowly": True, "note": "gently"}
    assert (two.arguments, two.reason) == ({"angle": 0.5}, "Half a turn")


# One thing after another ----------------------------------------------------------------------------------------------


def test_only_the_kinds_of_answers_that_are_allowed_can_be_chosen() -> None:
    texts = {"plans": "Step-by-step Instructions:\n", "asks": "Questions:\n", "looks": "Perception Rerun Required\n\n"}
    for chosen in itertools.product((True, False), repeat=3):
        allowed = dict(zip(texts, chosen, strict=True))
        if any(chosen):
            assert {name: accepts(kind_grammar(**allowed), text) for name, text in texts.items()} == allowed


def spoken(example: DialogueExample, at: int) -> str:
    """What a person and the others had said before a turn of an example."""
    return "\n".join(everything(DialogueExample(example.scene, example.request, example.turns[:at]).monologue()))


@pytest.mark.parametrize("example", COORDINATES, ids=lambda example: example.request)
def test_the_thoughts_and_questions_of_the_examples_can_be_said(example: DialogueExample) -> None:
    """Places are those that the plans of the example speak of; in a world it is the world that knows them."""
    steps = [step for turn in example.turns if isinstance(turn, Plan) for step in turn.steps]
    places = [match[0] for step in steps if (match := re.search("(?:where|next to|aside|on|in|at) ?.*", step.reason))]
    for at, turn in enumerate(example.turns):
        about = spoken(example, at)
        thought = {Plan: "verbatim", Ask: "because", Look: "because"}.get(type(turn))
        if thought is not None:
            assert accepts(thought_grammar(about, places), f"{getattr(turn, thought)}\n"), getattr(turn, thought)
        if isinstance(turn, Ask):
            asked = [f"{number}: {question}" for number, question in enumerate(turn.questions, 1)]
            about = "\n".join([about, *example.scene.objects])
            assert accepts(question_grammar(about, trouble=False), "\n".join(asked) + "\n\n"), turn.questions


ABOUT = "Put soup can 2 at (0.30, -0.10).\nmustard bottle 1"


@pytest.mark.parametrize(
    ("thought", "fits"),
    [
        ("What: soup can 2. Where: (0.30, -0.10).", True),
        ("What: soup can 2. Where: next to the mug.", True),
        ("What: the soup can. Where: not said.", True),
        ("What: the soup can. Where: (0.30, -0.10), where it is free.", True),
        ("What: all of it. Where: each where it belongs.", True),
        ("What: soup can 2. Where: next to the tray.", False),
        ("What: soup can 2. Where: (0.30, 0.10).", False),
        ("What: soup can 3. Where: not said.", False),
        ("What: soup can 2. Where: each.", False),
        ("Soup can 2, not said where.", False),
    ],
)
def test_a_thought_names_places_that_there_are_and_numbers_that_were_spoken_of(thought: str, fits: bool) -> None:
    assert accepts(thought_grammar(ABOUT, ["next to the mug", "aside"]), f"{thought}\n") is fits


PLAIN = ("Which soup can do you mean?", "Where should I put soup can 2?", "In which order should they stand?")
WITH_REASON = (
    "The soup can is not here. What should I do instead?",
    "There is no such thing. Which thing would you like?",
    "(0.30, -0.10) is not free. Where should I put the soup can?",
)


def test_in_trouble_a_question_begins_with_what_is_wrong() -> None:
    usual, trouble = (question_grammar(ABOUT, trouble=each) for each in (False, True))
    for question in PLAIN:
        assert accepts(usual, f"1: {question}\n\n"), question
        assert not accepts(trouble, f"1: {question}\n\n"), question
    for question in WITH_REASON:
        assert accepts(trouble, f"1: {question}\n\n"), question
        assert not accepts(trouble, f"1: {question}\n2: {question}\n\n"), question
    assert accepts(usual, f"1: {WITH_REASON[2]}\n2: {PLAIN[0]}\n\n")
    assert not accepts(usual, f"1: {WITH_REASON[0]}\n\n")


def test_questions_speak_of_no_number_that_nobody_has_said() -> None:
    for trouble, before in ((False, ""), (True, "The table is full of things. ")):
        grammar = question_grammar(ABOUT, trouble=trouble)
        assert accepts(grammar, f"1: {before}Which one do you mean, soup can 2 or mustard bottle 1?\n\n")
        assert not accepts(grammar, f"1: {before}Which one do you mean, soup can 3 or mustard bottle 1?\n\n")
        assert not accepts(grammar, f"1: {before}What should I do to help?\n\n")


@pytest.mark.parametrize(
    ("words", "points"),
    [
        ("to (0.30, -0.10) or (0.30, -0.10)", ["(0.30, -0.10)"]),
        ("at 0.4,0.45,0.04", ["(0.40, 0.45)"]),
        ("(.4 , -.45, .04) then (1, 2)", ["(0.40, -0.45)", "(1.00, 2.00)"]),
        ("can 1, can 2, 3 mugs; x from -0.15 to 0.45, y from 0.1", []),
        ("x = 0.4, y=-.45 and x is 1 and y is 2", ["(0.40, -0.45)", "(1.00, 2.00)"]),
        ("Free places: (0.10, 0.20), (0.20, -0.10).", ["(0.10, 0.20)", "(0.20, -0.10)"]),
        ("", []),
    ],
)
def test_points_are_found_in_words(words: str, points: list[str]) -> None:
    assert read_points(words) == points


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
        (at_once(*[GRASP] * (MOST_STEPS + 1)), "21 steps are too many; 20 at most"),
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


def test_the_parts_of_an_answer() -> None:
    assert split_answer("Hm.\nQuestions:\n1: Where?") == ("Hm.\n", "Questions:", "\n1: Where?")
    assert split_answer("## Step-by-Step Instructions:\n1: x")[1:] == ("Step-by-step Instructions:", "\n1: x")
    assert split_answer("PERCEPTION RERUN REQUIRED")[1] == "Perception Rerun Required"
    assert split_answer("What: it. Questions: none.") == ("What: it. Questions: none.", "", "")
    assert read_lines("```\n1: Grasp it\n\n 2) Go home \n**\n3 cans\n```") == ["Grasp it", "Go home", "3 cans"]
