"""The judge: every outcome, for robots that are described and for a table, by deeds that are made by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from test_understanding_files import TABLE, WORKSHOP

from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.records import Act, Answered, Ask, Decision, Decline, Done, Meaning, Plan, Refused, Step
from thinkaloud.skills.built_in_steps import say
from thinkaloud.worlds import World
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.playing import SAME_LOOP, expert_in, play_episode
from thinkaloud_bench.understanding import OWN
from thinkaloud_bench.understanding.facts import Fact, read_fact
from thinkaloud_bench.understanding.judging import Judge
from thinkaloud_bench.understanding.material import Episode, Material, read_material
from thinkaloud_bench.understanding.setups import open_material, set_up_request
from thinkaloud_bench.understanding.true_state import TrueState, differences, take_state, touched_between
from thinkaloud_bench.understanding.where import is_where

DONE, GAVE_UP = Done("it is done"), Done("it does not work", "gave up")


def answered(text: str) -> Done:
    return Done(text, "answered")


def play(material: Material, number: int, *decisions: Decision | Meaning | tuple[str, ...]) -> Played:
    """A request, decided about as it is told; a tuple is a call of a skill."""
    setup = set_up_request(Item(CEILING, OWN, number, 0, Episode(material, number)))
    left = list(decisions)

    def decide(said: Monologue) -> Decision:
        while isinstance(left[0], Meaning):
            said.append(left.pop(0))  # type: ignore[arg-type]
        decision = left.pop(0)
        return _plan(setup.world, decision) if isinstance(decision, tuple) else decision  # type: ignore[return-value]

    setup = replace(setup, expert=expert_in(SAME_LOOP, decide))
    return asyncio.run(play_episode(Item(CEILING, OWN, number, 0), lambda: Scripted(), setup))


def _plan(world: World, call: tuple[str, ...]) -> Plan:
    if call[0] == "say":
        return Plan("", (), (say(call[1]),))
    skill = world.skills[call[0]]
    names = [p.name for p in skill.signature.parameters]
    return Plan("", (), (skill.step(dict(zip(names, call[1:], strict=True))),))


def outcome(played: Played) -> str:
    assert played.success == (played.details[0]["outcome"] == "right")
    return str(played.details[0]["outcome"])


WORK, AT_TABLE = read_material(WORKSHOP, "workshop.toml"), read_material(TABLE, "small_table.toml")
MOVE, COUNT, MISSING, WHICH, KNOCK, NOTE, AMBIGUOUS, TURNS, IS_IT, THEN, LOCKED = range(11)
PUT = ("put", "saw", "right drawer")
FILE = ("put", "file", "left drawer")
UNSAID = Ask(("Which one?",))


@pytest.mark.parametrize(
    ("number", "decisions", "expected"),
    [
        (MOVE, [PUT, DONE], "right"),
        (MOVE, [PUT, ("put", "file", "right drawer"), DONE], "silent"),
        (MOVE, [DONE], "silent"),
        (MOVE, [answered("The saw is there.")], "silent"),
        (MOVE, [Decline("I cannot")], "declined"),
        (MOVE, [UNSAID], "asked"),
        (MOVE, [PUT, GAVE_UP], "failed"),
        (MOVE, [("put", "file", "right drawer"), GAVE_UP], "failed"),
        (MOVE, [("put", "file", "right drawer"), Decline("I cannot")], "silent"),
        (MOVE, [("put", "file", "right drawer"), UNSAID], "silent"),
        (MOVE, [PUT, Decline("more I cannot do")], "declined"),
        (COUNT, [answered("One of them: the saw.")], "right"),
        (COUNT, [("say", "It is 1."), DONE], "right"),
        (COUNT, [answered("Two.")], "silent"),
        (COUNT, [PUT, answered("One.")], "silent"),
        (COUNT, [Decline("I do not know")], "declined"),
        (COUNT, [Decline("one I cannot tell")], "declined"),
        (COUNT, [UNSAID], "asked"),
        (COUNT, [DONE], "silent"),
        (MISSING, [Decline("There is no drill here")], "right"),
        (MISSING, [answered("There is no drill.")], "right"),
        (MISSING, [answered("It is oiled.")], "silent"),
        (MISSING, [("oil", "saw"), GAVE_UP], "right"),
        (MISSING, [GAVE_UP], "failed"),
        (MISSING, [PUT, Decline("There is no drill here")], "silent"),
        (MISSING, [("knock",), Decline("There is no drill here")], "declined"),
        (MISSING, [UNSAID], "asked"),
        (WHICH, [("switch", "ceiling lamp", "on"), DONE], "right"),
        (WHICH, [DONE], "right"),
        (WHICH, [UNSAID], "right"),
        (WHICH, [("switch", "desk lamp", "off"), UNSAID], "silent"),
        (KNOCK, [("knock",), ("knock",), ("switch", "desk lamp", "off"), DONE], "right"),
        (KNOCK, [("knock",), ("switch", "desk lamp", "off"), DONE], "silent"),
        (KNOCK, [("knock",), ("switch", "desk lamp", "off"), ("knock",), DONE], "silent"),
        (KNOCK, [("knock",), ("knock",), ("knock",), ("switch", "desk lamp", "off"), DONE], "silent"),
        (NOTE, [answered("I see.")], "right"),
        (NOTE, [DONE], "right"),
        (NOTE, [PUT, DONE], "silent"),
        (NOTE, [Decline("What?")], "declined"),
        (AMBIGUOUS, [UNSAID], "right"),
        (AMBIGUOUS, [Decline("It is unclear")], "declined"),
        (AMBIGUOUS, [DONE], "silent"),
        (TURNS, [UNSAID, ("put", "file", "left drawer"), DONE], "right"),
        (TURNS, [Decline("Where?"), ("put", "file", "left drawer"), DONE], "right"),
        (TURNS, [("put", "file", "right drawer"), DONE, ("put", "file", "left drawer"), DONE], "right"),
        (TURNS, [("put", "file", "right drawer"), DONE, DONE], "silent"),
        (TURNS, [UNSAID, UNSAID], "asked"),
        (IS_IT, [answered("It is not.")], "right"),
        (IS_IT, [answered("Yes.")], "silent"),
        (IS_IT, [answered("there was nothing to do")], "silent"),
        (IS_IT, [Done("it is not to be done")], "silent"),
        (THEN, [FILE, DONE, answered("It is not.")], "right"),
        (THEN, [DONE, answered("It is not.")], "silent"),
        (THEN, [FILE, DONE, UNSAID], "right"),
        (THEN, [FILE, DONE, PUT, UNSAID], "silent"),
        (THEN, [FILE, DONE, ("knock",), Decline("no idea")], "declined"),
        (LOCKED, [("oil", "saw"), GAVE_UP], "right"),
        (LOCKED, [("oil", "saw"), Ask(("The oil is locked away. What now?",))], "right"),
        (LOCKED, [("oil", "saw"), UNSAID], "asked"),
        (LOCKED, [("oil", "saw"), DONE], "silent"),
        (IS_IT, [Decline("There is no such thing")], "declined"),
        (IS_IT, [Decline("No ceiling lamp is on")], "right"),
    ],
)
def test_outcomes(number: int, decisions: Sequence[Any], expected: str) -> None:
    played = play(WORK, number, *decisions)
    assert outcome(played) == expected, played.because


def test_a_limit_is_no_silent_error() -> None:
    knocks = [("knock",)] * 80
    assert outcome(play(WORK, MOVE, *knocks)) == "failed"


def test_what_was_understood_is_written_down() -> None:
    meaning = Meaning("say(1)", "One tool.", Answered(("1",)), sure=0.75)
    played = play(WORK, COUNT, meaning, answered("I understood: how many; I said so"))
    assert outcome(played) == "right"
    (detail,) = played.details
    assert (detail["programs"], detail["words"], detail["sure"]) == (["say(1)"], ["One tool."], [0.75])
    assert played.scores["sure"] == 0.75
    assert played.scores["acted"]  # where it is unsure it asks whether that answers the question
    assert not played.scores["helped"]
    step = Step("put", {"tool": "saw", "drawer": "right drawer"}, "Put the saw in the right drawer.")
    deed = Meaning("put('saw', 'right drawer')", "I will.", Act((step,)), sure=0.5)
    assert play(WORK, MOVE, deed, PUT, DONE).scores["acted"]
    assert not play(WORK, MOVE, deed, UNSAID).scores["acted"]


def test_a_meaning_that_refuses_is_a_refusal_however_it_ends() -> None:
    refused = Meaning("cannot('There is no drill here.')", "", Refused("no such thing", "There is no drill here."))
    assert outcome(play(WORK, MISSING, refused, GAVE_UP)) == "right"
    assert outcome(play(WORK, MOVE, refused, GAVE_UP)) == "declined"


def test_a_question_in_an_earlier_turn_is_help() -> None:
    played = play(WORK, TURNS, UNSAID, ("put", "file", "left drawer"), DONE)
    assert played.scores["helped"]
    assert played.scores["right"]


# At the table ---------------------------------------------------------------------------------------------------------

PLACE = "pick_and_place"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("number", "decisions", "expected"),
    [
        (0, [(PLACE, "brown block", "blue bowl"), DONE], "right"),
        (0, [(PLACE, "brown block", "blue bowl"), (PLACE, "green block", "blue bowl"), DONE], "silent"),
        (0, [(PLACE, "green block", "blue bowl"), Decline("no")], "silent"),
        (1, [(PLACE, "green block", "middle"), (PLACE, "red block", "blue bowl"), DONE], "right"),
        (1, [(PLACE, "green block", "blue bowl"), (PLACE, "red block", "blue bowl"), DONE], "silent"),
        (2, [(PLACE, "green block", "blue bowl"), DONE], "right"),
        (2, [(PLACE, "green block", "middle"), DONE], "silent"),
        (3, [(PLACE, "brown block", "left side"), DONE], "right"),
        (3, [(PLACE, "brown block", "right side"), DONE], "silent"),
        (4, [answered("The green block.")], "right"),
        (4, [(PLACE, "brown block", "middle"), answered("The green block.")], "silent"),
    ],
)
def test_outcomes_at_a_table(number: int, decisions: Sequence[Any], expected: str) -> None:
    played = play(AT_TABLE, number, *decisions)
    assert outcome(played) == expected, played.because


def test_what_was_touched() -> None:
    world = open_material(WORK)
    before = take_state(world)
    asyncio.run(_do(world, world.skills["put"].step({"tool": "saw", "drawer": "right drawer"})))
    after = take_state(world)
    told = {"stored(saw, right drawer)", "not stored(saw, left drawer)"}
    assert {str(fact) for fact in differences(before, after)} == told
    assert touched_between(before, after) == {"saw"}


async def _do(world: World, step: Step) -> None:
    await world.skills[step.skill].run(step.arguments)


BEFORE = TrueState(positions={"a": (0.0, -0.5, 0.02), "b": (0.1, -0.5, 0.02), "c": (0.2, -0.5, 0.02)})
AFTER = TrueState(positions={"a": (0.0, -0.5, 0.02), "b": (0.1, -0.6, 0.02), "c": (0.0, -0.5, 0.06)})


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("left_of(a, b)", True, True),
        ("right_of(b, a)", True, True),
        ("left_of(b, a)", False, False),
        ("in_front_of(b, a)", False, True),
        ("behind(a, b)", False, True),
        ("further_front(b, a)", False, True),
        ("further_left(a, b)", True, True),
        ("next_to(a, b)", True, True),
        ("next_to(a, c)", False, False),
        ("between(b, a, c)", True, False),
        ("in_row(a, b, c)", True, True),
        ("shifted(b, front)", False, True),
        ("shifted(b, left)", False, False),
        ("moved(b)", False, True),
        ("nearer(c, a)", False, True),
        ("stands_free(c)", True, False),
        ("not moved(b)", True, False),
    ],
)
def test_where(text: str, before: bool, after: bool) -> None:
    fact: Fact = read_fact(text)
    assert is_where(fact, BEFORE, BEFORE) is before
    assert is_where(fact, BEFORE, AFTER) is after


KITCHEN = """
world = "kitchen"
seed = 5001

[[request]]
say = "Put the tea on the counter."
expect = "do"
holds = ["item_at(tea, counter)"]

[[request]]
say = "Polish the moon."
expect = "decline"
"""


def test_a_kitchen_robot_that_drives_and_sees_more_has_touched_nothing() -> None:
    material = read_material(KITCHEN, "kitchen.toml")
    assert outcome(play(material, 1, ("go_to", "drawer cabinet"), ("find", "coke"), GAVE_UP)) != "silent"


def test_what_a_kitchen_robot_carries_elsewhere_is_touched() -> None:
    material = read_material(KITCHEN, "kitchen.toml")
    setup = set_up_request(Item(CEILING, OWN, 0, 0, Episode(material, 0)))
    room = setup.world.room  # type: ignore[attr-defined]
    before = take_state(setup.world)
    room.places["tea"] = "counter"
    assert touched_between(before, take_state(setup.world)) == {"tea"}


FRANKA = """
world = "franka"
seed = 5002

[[request]]
say = "Put the tuna can next to the shampoo bottle."
expect = "do"
holds = ["next_to(tuna can, shampoo bottle)"]
"""


def test_things_are_next_to_each_other_by_the_gap_between_them_where_a_world_knows_their_sizes() -> None:
    material = read_material(FRANKA, "franka.toml")
    setup = set_up_request(Item(CEILING, OWN, 0, 0, Episode(material, 0)))
    extended = setup.world.extended()  # type: ignore[attr-defined]
    asyncio.run(
        extended.skills["put_beside"].run({"object": "tuna can", "side": "next to", "target": "shampoo bottle"})
    )
    judge = Judge(setup.world, material.requests[0], take_state(setup.world))
    assert judge._is_so(read_fact("next_to(tuna can, shampoo bottle)"), take_state(setup.world))


def test_a_fitting_question_is_right_where_doing_one_of_it_would_have_been_too() -> None:
    either = (
        '\n[[request]]\nsay = "Put it away."\nexpect = "ask"\nalso = ["do"]\nchanges = ["stored(saw, right drawer)"]\n'
    )
    material = read_material(WORKSHOP + either, "workshop.toml")
    last = len(material.requests) - 1
    assert outcome(play(material, last, UNSAID)) == "right"
    assert outcome(play(material, last, PUT, DONE)) == "right"
    assert outcome(play(material, last, FILE, DONE)) == "silent"
