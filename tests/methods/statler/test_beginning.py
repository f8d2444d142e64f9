"""How things were before the first move: that is remembered, too, and things can be put back there."""

from __future__ import annotations

import pytest

from program_conversation import Conversation
from thinkaloud.records import WorldState
from thinkaloud.state.edit import lies_on, supports
from thinkaloud.state.memory import all_states, first_state
from thinkaloud.worlds.tabletop.domains import DomainWorld, scene_of

THINGS = ("red block", "blue block", "green block", "white bowl", "black bowl")
PUT = 'put_first_on_second("red block", "black bowl")'


@pytest.fixture
def world() -> DomainWorld:
    """The red block is in the white bowl from the beginning, the green one on the blue one."""
    beginning = (lies_on("red block", "white bowl"), lies_on("green block", "blue block"))
    world = DomainWorld("pick_and_place", scene_of(WorldState(THINGS, beginning), 0, "pick_and_place"))
    world.reset(0)
    return world


def test_where_a_thing_was_before_its_first_move_is_known(world: DomainWorld) -> None:
    talk = Conversation("statler:reader=query", [PUT, 'say(was("red block"))'], world)
    talk.says("Put the red block in the black bowl.", "Where was it before?")
    assert talk.said == ["white bowl"]


def test_what_is_put_back_goes_where_it_was_at_the_beginning(world: DomainWorld) -> None:
    talk = Conversation("statler:reader=query", [PUT, 'put_first_on_second("red block", was("red block"))'], world)
    talk.says("Put the red block in the black bowl.")
    assert talk.says("Put it back.").result == "goal met"
    assert talk.moves == [("red block", "white bowl")]
    assert supports(talk.world.truth()) == {"red block": "white bowl", "green block": "blue block"}


def test_short_programs_know_the_beginning(world: DomainWorld) -> None:
    programs = ['put("red block", "black bowl")', 'say(started("red block"))', 'say(was_in("white bowl"))']
    talk = Conversation("statler:reader=query", programs, world, trained=True)
    talk.says("Put the red block in the black bowl.", "Where was the red block at the beginning?")
    assert talk.said == ["white bowl"]
    talk.says("What was in the white bowl?")
    assert talk.said == ["red block"]


def test_the_first_move_is_undone(world: DomainWorld) -> None:
    talk = Conversation("statler:reader=query", ['put("red block", "black bowl")', "undo()"], world, trained=True)
    talk.says("Put the red block in the black bowl.", "Undo that.")
    assert talk.moves == [("red block", "white bowl")]


def test_a_question_in_between_takes_nothing_from_what_can_be_undone(world: DomainWorld) -> None:
    programs = ['put("red block", "black bowl")', 'say(started("red block"))', "undo()"]
    talk = Conversation("statler:reader=query", programs, world, trained=True)
    talk.says("Put the red block in the black bowl.", "Where was it at the beginning?")
    assert talk.says("Put it back.").result == "goal met"
    assert talk.moves == [("red block", "white bowl")]


def test_a_state_that_was_told_first_is_there_once(world: DomainWorld) -> None:
    talk = Conversation("statler:reader=query", [PUT], world)
    told = WorldState(THINGS, (lies_on("red block", "white bowl"),))
    talk.agent.monologue.append(told)
    talk.says("Put the red block in the black bowl.")
    states = all_states(talk.agent.monologue)
    assert states[0] is told is first_state(talk.agent.monologue)
    assert [supports(state).get("red block") for state in states] == ["white bowl", "black bowl"]
