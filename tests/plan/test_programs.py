"""Programs that a model writes: what they make the robot do, and what the model gets to see."""

from __future__ import annotations

import asyncio

import pytest

from program_conversation import Conversation, table
from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.plan.programs.lessons import lesson_of
from thinkaloud.plan.programs.program import render_answer
from thinkaloud.state.edit import supports
from thinkaloud.worlds.tabletop.rules import DOMAINS
from toyworld import ToyWorld

QUERY = "statler:reader=query"


def test_a_program_with_a_loop_and_a_condition_becomes_steps_that_are_carried_out_and_checked() -> None:
    code = """\
def away(block):
    put_first_on_second(block, "white bowl")

for block in ["red block", "blue block", "green block"]:
    if block != "blue block":
        away(block)
say("two blocks are in the bowl")"""
    talk = Conversation("code_as_policies", [code])
    end = talk.says("Put all but the blue block in the white bowl.")
    assert end.result == "goal met"
    assert talk.moves == [("red block", "white bowl"), ("green block", "white bowl")]
    assert talk.said == ["two blocks are in the bowl"]
    assert supports(talk.world.truth()) == {"red block": "white bowl", "green block": "white bowl"}


def test_a_question_is_answered_and_nothing_moves() -> None:
    talk = Conversation("code_as_policies", ['say("no")'])
    end = talk.says("Is the red block in the white bowl?")
    assert (end.result, end.because, talk.moves) == ("answered", "no", [])


def test_a_program_that_does_nothing_is_no_failure() -> None:
    end = Conversation("code_as_policies", ["noop()"]).says("The red block is mine.")
    assert (end.result, "nothing to do" in end.because) == ("unconfirmed", True)


@pytest.mark.parametrize(("slips", "result"), [(0, "goal met"), (1, "goal met"), (99, "failed")])
def test_what_worked_when_it_was_tried_again_has_worked(slips: int, result: str) -> None:
    world = ToyWorld()
    world.slips = slips
    agent = Agent(world, Scripted(['move("ball", "shelf")']), "code_as_policies")
    assert asyncio.run(agent.run("Put the ball on the shelf.")).result == result


def test_a_goal_that_a_later_move_of_the_program_undoes_is_not_waited_for() -> None:
    code = 'put_first_on_second("red block", "white bowl")\nput_first_on_second("red block", "black bowl")'
    talk = Conversation("code_as_policies", [code])
    assert talk.says("Show me both bowls.").result == "goal met"
    assert [c.arguments["target"] for c in talk.plans[-1].conditions] == ["black bowl"]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os", "line 1"),
        ("put_first_on_second('red block')", "target"),
        ('put_first_on_second("pink block", "white bowl")', "pink block"),
        ('put_first_on_second("red block", "red block")', "cannot both be"),
        ('put_first_on_second(["red block", "blue block"], "white bowl")', "single value"),
        ('say(blocks(is_="dirty"))', "blocks"),  # plain programs cannot ask the state
        ("put_first_on_second(", "line 1"),
    ],
)
def test_what_cannot_be_run_goes_back_to_the_model_which_may_mend_it(code: str, why: str) -> None:
    talk = Conversation("code_as_policies", [code, 'put_first_on_second("red block", "white bowl")'])
    assert talk.says("Put the red block away.").result == "goal met"
    (refusal,) = talk.refusals
    assert why.lower() in refusal.why.lower()
    assert refusal.words == code
    assert refusal.why in talk.model.prompts[-1]
    assert talk.moves == [("red block", "white bowl")]


def test_a_model_that_only_writes_nonsense_comes_to_a_limit_and_moves_nothing() -> None:
    talk = Conversation("statler", lambda prompt: "open('/etc/passwd')")
    end = talk.says("Put the red block away.")
    assert (end.result, talk.moves) == ("limit", [])


def test_a_fence_round_the_program_and_a_conversation_after_it_are_left_out() -> None:
    fenced = '```python\nput_first_on_second("red block", "white bowl")\n```\nThis moves the block.'
    assert Conversation("code_as_policies", [fenced]).says("Put it away.").result == "goal met"
    talkative = 'say("yes")\n# query: And now?\nput_first_on_second("red block", "white bowl")'
    talk = Conversation("code_as_policies", [talkative])
    talk.says("Is it there?")
    assert (talk.said, talk.moves) == (["yes"], [])


def test_code_as_policies_sees_earlier_queries_and_programs_and_no_state() -> None:
    talk = Conversation("code_as_policies", ['put_first_on_second("red block", "white bowl")', 'say("1")'])
    talk.says("Put the red block in the white bowl.", "How many blocks are in it?")
    now = talk.model.prompts[-1].rsplit("# ===", 1)[1]
    assert "# state" not in talk.model.prompts[-1]
    assert now.splitlines()[1:] == [
        '# objects = ["red block", "blue block", "green block", "white bowl", "black bowl"]',
        "# query: Put the red block in the white bowl.",
        'put_first_on_second("red block", "white bowl")',
        "# query: How many blocks are in it?",
    ]


def test_with_chain_of_thought_the_states_so_far_are_thought_through_and_not_carried_over() -> None:
    second = '# 1. red block is in white bowl\nsay("1")'
    talk = Conversation(
        "code_as_policies_cot", ['put_first_on_second("red block", "white bowl")', second, 'say("black")']
    )
    talk.says("Put the red block in the white bowl.", "How many blocks are in it?")
    assert talk.said == ["1"]
    assert "# 2. lime block is on navy block" in talk.model.prompts[0]
    talk.says("Which bowl is empty?")
    assert "# 1. red block" not in talk.model.prompts[-1].rsplit("# ===", 1)[1]


def test_every_preset_is_shown_the_same_queries() -> None:
    seen = []
    for preset in ("statler", QUERY, "statler_unified", "statler_auto", "code_as_policies", "code_as_policies_cot"):
        talk = Conversation(preset, lambda prompt: 'say("yes")' if prompt.endswith("there?\n") else "")
        talk.says("Is it there?")
        seen.append([line for line in talk.model.prompts[0].splitlines() if line.startswith("# query")])
    assert len(seen[0]) > 8
    assert all(queries == seen[0] for queries in seen)


# Programs that ask the state ------------------------------------------------------------------------------------------


def test_a_program_may_ask_the_state_and_moves_everything_it_finds() -> None:
    talk = Conversation(
        QUERY,
        [
            'mark(["red block", "blue block"], "dirty")',
            'mark(blocks(is_="unknown"), "clean")',
            'for b in blocks(is_="dirty"):\n    put_first_on_second(b, bowls(is_="empty")[0])',
            'put_first_on_second(blocks(is_="dirty"), "disinfector")',
            'say(len(blocks(is_="dirty")))',
        ],
        table("disinfection", "red block", "blue block", "green block", "white bowl", "black bowl", "disinfector"),
    )
    talk.says("The red and the blue block are dirty.", "The others are clean.")
    assert ("green block is clean", "The others are clean.") in talk.changes
    assert talk.says("Put each dirty block in an empty bowl.").result == "goal met"
    assert talk.moves == [("red block", "white bowl"), ("blue block", "black bowl")]
    talk.says("Disinfect what is dirty.")
    assert talk.moves == [("red block", "disinfector"), ("blue block", "disinfector")]
    talk.says("How many blocks are dirty?")
    assert talk.said == ["0"]


def test_in_the_cups_domain_what_is_in_the_way_goes_first() -> None:
    talk = Conversation(
        QUERY,
        ['put_first_on_second("white cup", "toy car")', 'put_first_on_second("red block", "toy car")'],
        table("cups", "toy car", "red block", "white cup", "black cup"),
    )
    talk.says("Cover the toy car with the white cup.")
    assert talk.says("Put the red block on the toy car.").result == "goal met"
    assert talk.moves == [("white cup", "empty space"), ("red block", "toy car")]


def test_weights_that_were_told_are_added_up_by_code() -> None:
    talk = Conversation(
        QUERY,
        [
            'weighs("red block", 2, "blue block")',
            'weighs("blue block", 1, "green block")',
            'put_first_on_second("red block", "white bowl")',
            'put_first_on_second(balance("black bowl", "white bowl"), "black bowl")',
        ],
        table("weight"),
    )
    talk.says("The red block is twice as heavy as the blue one.", "The blue and the green block weigh the same.")
    talk.says("Put the red block in the white bowl.", "Make the black bowl as heavy as the white bowl.")
    assert sorted(talk.moves) == [("blue block", "black bowl"), ("green block", "black bowl")]


def test_a_tie_is_answered_as_one() -> None:
    talk = Conversation(
        QUERY,
        ['weighs("red block", 1, "blue block")', "say(heaviest(blocks()))"],
        table("weight", "red block", "blue block", "white bowl"),
    )
    talk.says("The red and the blue block weigh the same.", "Which block is the heaviest?")
    assert talk.said == ["red block and blue block"]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("put_first_on_second(blocks(), bowls())", "several"),
        ('mark("pink block", "dirty")', "pink block"),
        ('say(under("pink block"))', "pink block"),
        ('put_first_on_second("red block", "white bowl", "fast")', "takes 2 arguments"),
        ('say(weight("red block"))', "not known"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_with_a_reason(code: str, why: str) -> None:
    talk = Conversation(QUERY, [code, "noop()"])
    talk.says("Well?")
    assert why in talk.refusals[0].why


def test_what_is_not_there_is_not_moved() -> None:
    talk = Conversation(QUERY, ['put_first_on_second(blocks(is_="dirty"), "white bowl")'])
    assert talk.says("Put the dirty blocks in the white bowl.").result == "answered"
    assert talk.moves == []


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "yes"),
        (False, "no"),
        (None, "nothing"),
        (2.0, "2"),
        (1.5, "1.5"),
        ([], "none"),
        (["a"], "a"),
        (["a", "b", "c"], "a, b and c"),
        ("hello", "hello"),
    ],
)
def test_values_are_said_as_people_say_them(value: object, words: str) -> None:
    assert render_answer(value) == words


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_two_ways_to_write_a_lessons_programs_do_the_same(domain: str) -> None:
    """The moves and answers of the lessons are what their programs compute, and the changes are what comes of them."""
    lesson = lesson_of(table(domain))
    talk = Conversation(QUERY, [turn.program for turn in lesson.turns], table(domain, *lesson.objects))
    for _, turn, after in lesson.with_states():
        talk.says(turn.query)
        assert not talk.refusals, turn.query
        assert sorted(talk.moves) == sorted(turn.moves), turn.query
        assert talk.said == ([turn.say] if turn.say else []), turn.query
        assert supports(talk.state) == supports(after), turn.query
        assert {k: v for k, v in talk.state.attributes.items() if v} == dict(after.attributes), turn.query
        assert talk.state.facts == after.facts, turn.query
        if turn.program.startswith("placed"):  # a person did that, so it has to happen here, too
            talk.world.happens(moves=[("navy block", "table")])
        assert supports(talk.world.truth()) == supports(after), turn.query
