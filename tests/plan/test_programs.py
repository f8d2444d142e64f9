"""Programs that a model writes: what they make the robot do, and what the model gets to see."""

from __future__ import annotations

import asyncio

import pytest

from program_conversation import Conversation, table
from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.models.gbnf import accepts
from thinkaloud.plan.programs.example_choice import lesson_of
from thinkaloud.plan.programs.grammar import definition_grammar, plan_program_grammar
from thinkaloud.plan.programs.program import render_answer
from thinkaloud.records import WorldState
from thinkaloud.state.edits import supports
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS
from thinkaloud_worlds.tabletop.statler_worlds import DomainWorld, scene_of
from toyworld import ToyWorld

HUES = (
    "red",
    "blue",
    "green",
    "tan",
    "pink",
    "teal",
    "navy",
    "lime",
    "gray",
    "gold",
    "plum",
    "rose",
    "sand",
    "jade",
    "ruby",
)


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
        "# functions: put_first_on_second(first, second), say(text), noop()",
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
    for preset in (
        "statler",
        "statler:think=no",
        "statler_unified",
        "statler_auto",
        "code_as_policies",
        "code_as_policies_cot",
    ):
        talk = Conversation(preset, lambda prompt: 'say("yes")' if prompt.endswith("there?\n") else "")
        talk.says("Is it there?")
        seen.append([line for line in talk.model.prompts[0].splitlines() if line.startswith("# query")])
    assert len(seen[0]) > 8
    assert all(queries == seen[0] for queries in seen)


# Functions that there are not -----------------------------------------------------------------------------------------


ALL = 'put_all(["red block", "blue block"], "white bowl")'
PUT_ALL = "def put_all(things, place):\n    for thing in things:\n        put_first_on_second(thing, place)"


@pytest.mark.parametrize("preset", ["statler", "code_as_policies"])
@pytest.mark.parametrize("end", ["", "\n#", "\n# query: And now?"])
def test_a_function_that_a_program_calls_and_that_there_is_not_is_written_by_the_model(preset: str, end: str) -> None:
    talk = Conversation(preset, [ALL, PUT_ALL + end])
    assert talk.says("Put both in the bowl.").result == "goal met"
    assert talk.moves == [("red block", "white bowl"), ("blue block", "white bowl")]
    asked = talk.model.prompts[1]
    assert asked.endswith(f"# define function: {ALL}\n") and "# functions: put_first_on_second(first, second)" in asked
    assert (talk.plans[0].thought, talk.plans[0].verbatim) == (f"{PUT_ALL}\n{ALL}", ALL)


def test_functions_may_call_functions_that_have_to_be_written_next() -> None:
    outer = "def put_all(things, place):\n    for thing in things:\n        put_one(thing, place)"
    inner = "def put_one(thing, place):\n    put_first_on_second(thing, place)"
    talk = Conversation("code_as_policies", [ALL, outer, inner])
    assert talk.says("Put both in the bowl.").result == "goal met"
    assert len(talk.moves) == 2


def test_a_function_that_the_model_does_not_write_is_what_is_wrong_with_the_program() -> None:
    talk = Conversation("code_as_policies", [ALL, "I cannot.", 'put_first_on_second("red block", "white bowl")'])
    assert talk.says("Put both in the bowl.").result == "goal met"
    (refusal,) = talk.refusals
    assert "put_all" in refusal.why and refusal.words == ALL


def test_a_trained_model_is_asked_for_a_function_without_examples() -> None:
    talk = Conversation("code_as_policies", [ALL, PUT_ALL], trained=True)
    talk.says("Put both in the bowl.")
    assert talk.model.prompts[1].startswith("# functions: ") and talk.model.prompts[1].count("\n") == 2


def test_a_grammar_lets_a_model_write_and_call_functions() -> None:
    world = table("pick_and_place")
    written = plan_program_grammar(world, world.observe(), think=True)
    assert accepts(written, f"# THINK: on the table: red block, blue block\n{ALL}\n#")
    assert not accepts(plan_program_grammar(world, world.observe()), f"# THINK: hm\n{ALL}\n#")
    assert not accepts(written, 'put_all(["pink block"], "white bowl")\n#')
    assert accepts(definition_grammar("put_all"), PUT_ALL + "\n#")


def test_a_grammar_lets_a_model_write_loops_over_things_that_are_there() -> None:
    world = table("pick_and_place")
    written = plan_program_grammar(world, world.observe())
    loop = 'for block in ["red block", "blue block"]:\n    put_first_on_second(block, "white bowl")'
    assert accepts(written, f"{loop}\n#")
    assert accepts(written, f'{loop}\nsay("both")\n#')
    assert not accepts(written, f"{loop.replace('red', 'pink')}\n#")
    assert not accepts(written, f"{loop.replace('put_first_on_second', 'print')}\n#")
    assert not accepts(written, 'for block in ["red block"]:\n#')


def test_each_round_of_a_loop_is_a_step_that_is_carried_out_and_checked() -> None:
    loop = 'for block in ["red block", "blue block"]:\n    put_first_on_second(block, "white bowl")'
    talk = Conversation("code_as_policies", [loop])
    assert talk.says("Put both in the bowl.").result == "goal met"
    assert talk.moves == [("red block", "white bowl"), ("blue block", "white bowl")]


def test_a_program_may_move_everything_on_a_full_table() -> None:
    names = [f"{hue} block" for hue in HUES]
    state = WorldState((*names, "white bowl", "black bowl"))
    world = DomainWorld("pick_and_place", scene_of(state, 0, "pick_and_place"))
    world.reset(0)
    code = "\n".join(f'put_first_on_second("{name}", "white bowl")' for name in names)
    assert len(state.objects) > 16
    update = f'update_wm("Put {", ".join(names)} in the white bowl")'
    assert accepts(plan_program_grammar(world, world.observe(), ("say", "update_wm")), f"{code}\n{update}\n#")


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


@pytest.mark.sampled(2)
@pytest.mark.parametrize("domain", DOMAINS)
def test_the_moves_of_a_lesson_lead_where_it_says(domain: str) -> None:
    """The changes are what comes of the moves, and what has to be known for the answers is thought before them."""
    lesson = lesson_of(table(domain))
    world = table(domain, *lesson.objects)
    talk = Conversation("code_as_policies", [lesson.render_code(turn) or "noop()" for turn in lesson.turns], world)
    for _, turn, after in lesson.with_states():
        talk.says(turn.query)
        assert not talk.refusals, turn.query
        if "took the navy block out" in turn.query:  # a person did that, so it has to happen here, too
            talk.world.happens(moves=[("navy block", "table")])
        assert supports(talk.world.truth()) == supports(after), turn.query
        assert bool(turn.think) or not turn.say, turn.query
        assert lesson.render_code(turn, think=True).count("# THINK: ") == len(turn.think.splitlines())
