"""How things were before the first query: what was told of that counts, and it is there once."""

from __future__ import annotations

from program_conversation import Conversation
from thinkaloud.records import WorldState
from thinkaloud.state.edits import lies_on, supports
from thinkaloud.state.json_text import render_opening, render_state
from thinkaloud.state.state_history import all_states, first_state
from thinkaloud_worlds.tabletop.statler_worlds import DomainWorld, scene_of

THINGS = ("red block", "blue block", "green block", "white bowl", "black bowl")


def test_a_state_that_was_told_first_is_there_once() -> None:
    told = WorldState(THINGS, (lies_on("red block", "white bowl"),))
    after = WorldState(THINGS, (lies_on("red block", "black bowl"),))
    world = DomainWorld("pick_and_place", scene_of(told, 0, "pick_and_place"))
    world.reset(0)
    program = 'put_first_on_second("red block", "black bowl")\nupdate_wm("Put the red block in the black bowl")'
    talk = Conversation(
        "statler", [program, render_state(after).removeprefix(render_opening(after, objects=True))], world
    )
    talk.agent.monologue.append(told)
    talk.says("Put the red block in the black bowl.")
    states = all_states(talk.agent.monologue)
    assert states[0] is told is first_state(talk.agent.monologue)
    assert [supports(state).get("red block") for state in states] == ["white bowl", "black bowl"]
