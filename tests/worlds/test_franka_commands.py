"""What can be said to the arm: every sentence means a call that works as the sentence says."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from thinkaloud.errors import SkillError
from thinkaloud.records import Observation, WorldState
from thinkaloud.state.foresight import foresee
from thinkaloud.worlds import open_world
from thinkaloud.worlds.contract import Command, Commandable, find_ability
from thinkaloud.worlds.franka import Franka, FrankaScene, Item
from toyworld import ToyWorld

SCENE = FrankaScene(
    (
        *(Item("mug", x=0.3, y=-0.4), Item("soup can 1", x=0.3, y=0.35), Item("soup can 2", x=0.1, y=0.4)),
        *(Item("tray", x=0.0, y=-0.42), Item("bowl", x=0.34, y=0.0)),
    )
)


@pytest.fixture(scope="module")
def world() -> Franka:
    return Franka(SCENE)


def state_of(world: Franka) -> WorldState:
    state = world.observe().state
    assert state is not None
    return state


def said(world: Franka, state: WorldState, first: WorldState | None = None) -> dict[str, Command]:
    found = world.commands(state, first or state)
    assert len({command.words for command in found}) == len(found)
    return {command.words: command for command in found}


def after(world: Franka, state: WorldState, command: Command) -> WorldState:
    skill = world.skills[command.skill]
    return foresee(skill, skill.signature.check(command.arguments, {}), state, world.relations)


def test_with_an_empty_hand_things_are_taken_and_receptacles_are_not(world: Franka) -> None:
    assert [*said(world, state_of(world))] == [
        "Grasp the mug",
        "Grasp the soup can 1",
        "Grasp the soup can 2",
        "Go home",
    ]


def test_with_a_full_hand_it_is_said_where_to_put_what_is_in_it(world: Franka) -> None:
    first = state_of(world)
    held = after(world, first, said(world, first)["Grasp the mug"])
    puts = said(world, held, first)
    assert [*puts] == [
        *("Put the mug at ({x}, {y})", "Put the mug where the soup can 1 was", "Put the mug where the soup can 2 was"),
        *("Put the mug next to the soup can 1", "Put the mug next to the soup can 2", "Put the mug on the tray"),
        *(
            "Put the mug next to the tray",
            "Put the mug in the bowl",
            "Put the mug next to the bowl",
            "Put the mug aside",
        ),
    ]
    assert {command.skill for command in puts.values()} == {"move"}
    assert puts["Put the mug at ({x}, {y})"].arguments == {}
    assert puts["Put the mug where the soup can 1 was"].arguments == {"x": 0.3, "y": 0.35}


RELATED = {
    "Put the mug next to the soup can 1": ("near", {"object": "mug", "other": "soup can 1"}),
    "Put the mug next to the soup can 2": ("near", {"object": "mug", "other": "soup can 2"}),
    "Put the mug next to the tray": ("near", {"object": "mug", "other": "tray"}),
    "Put the mug next to the bowl": ("near", {"object": "mug", "other": "bowl"}),
    "Put the mug on the tray": ("on", {"object": "mug", "target": "tray"}),
    "Put the mug in the bowl": ("inside", {"object": "mug", "target": "bowl"}),
    "Put the mug aside": ("", {}),
}


@pytest.mark.parametrize("words", RELATED)
def test_what_is_said_comes_true_in_the_physics_and_touches_nothing_else(world: Franka, words: str) -> None:
    first = state_of(world)
    grasp = said(world, first)["Grasp the mug"]
    put = said(world, after(world, first, grasp), first)[words]
    twin = world.twin()
    for command in (grasp, put):
        skill, scene = twin.skills[command.skill], twin.observe()
        careful = replace(skill, preconditions=(*skill.preconditions, *skill.cautions))
        asyncio.run(skill.run(careful.refuse(command.arguments, scene)))
    assert twin.collisions == ()
    assert twin.upright("mug")
    relation, arguments = RELATED[words]
    found = {(each.relation, *each.arguments.values()) for each in state_of(twin).relations}
    assert ((relation, *arguments.values()) in found) if relation else not found
    if relation:
        order = arguments if relation != "near" else {"object": arguments["other"], "other": arguments["object"]}
        assert twin.relations[relation].holds(**arguments) or twin.relations[relation].holds(**order)


def test_what_was_swapped_is_spoken_of_by_where_things_were_at_first(world: Franka) -> None:
    first = state_of(world)
    state = after(world, first, said(world, first)["Grasp the mug"])
    state = after(world, state, said(world, state, first)["Put the mug aside"])
    assert state.attributes["mug"]["x"] != 0.3 or state.attributes["mug"]["y"] != -0.4
    state = after(world, state, said(world, state, first)["Grasp the soup can 1"])
    assert said(world, state, first)["Put the soup can 1 where the mug was"].arguments == {"x": 0.3, "y": -0.4}


def test_aside_is_out_of_the_way_of_all_that_stood_there_at_first(world: Franka) -> None:
    first = state_of(world)
    for name in ("mug", "soup can 1", "soup can 2"):
        held = after(world, first, said(world, first)[f"Grasp the {name}"])
        place = said(world, held, first)[f"Put the {name} aside"].arguments
        for other in first.attributes.values():
            apart = abs(float(other["x"]) - float(place["x"])), abs(float(other["y"]) - float(place["y"]))
            assert max(apart) > 0.07, (name, other)


def test_what_was_known_before_is_spoken_of_and_an_empty_table_leaves_the_way_home(world: Franka) -> None:
    assert [*said(world, WorldState())] == ["Go home"]
    held = WorldState(("mug",), (world.relations["held"].condition({"object": "mug"}),))
    assert [*said(world, held)] == ["Put the mug at ({x}, {y})"]


def test_where_there_is_no_room_beside_a_thing_it_is_not_offered() -> None:
    can, row = Item("soup can", x=0.3, y=0.0), [(0.19, -0.09), (0.4, -0.1), (0.3, 0.11), (0.41, 0.02), (0.3, -0.11)]
    others = [Item(f"cup {i}", x=x, y=y) for i, (x, y) in enumerate([*row, (0.19, 0.09)])]
    crowded = Franka(FrankaScene((can, *others, Item("mug", x=0.1, y=0.45))))
    first = state_of(crowded)
    held = after(crowded, first, said(crowded, first)["Grasp the mug"])
    puts = said(crowded, held, first)
    assert "Put the mug next to the soup can" not in puts
    assert "Put the mug aside" in puts
    skill = crowded.skills["move"]
    careful = replace(skill, preconditions=(*skill.preconditions, *skill.cautions))
    for words, command in puts.items():
        if "next to" in words or "aside" in words:
            careful.refuse(command.arguments, Observation((), {}, state=held))
        elif "where" in words:
            with pytest.raises(SkillError, match="is not free"):
                careful.refuse(command.arguments, Observation((), {}, state=held))


def test_a_world_without_sentences_has_none(world: Franka) -> None:
    assert find_ability(ToyWorld(), Commandable) is None
    assert find_ability(world, Commandable) is world


def test_the_scenes_of_the_paper_can_be_spoken_of() -> None:
    for path in sorted((Path(__file__).parents[2] / "examples" / "scenes").glob("franka_*.toml")):
        world = open_world("franka", scene=path.read_text())
        state = world.observe().state or WorldState()
        speaking = find_ability(world, Commandable)
        assert speaking is not None
        found = speaking.commands(state, state)
        assert {f"Grasp the {name}" for name in state.objects} <= {command.words for command in found}
