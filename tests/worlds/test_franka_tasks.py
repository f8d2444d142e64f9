"""Whole deeds on the Franka's table: what they stand for, tried in the world itself."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.errors import Unparseable
from thinkaloud.models import grammar as gbnf
from thinkaloud.models.gbnf import accepts
from thinkaloud.records import WorldState
from thinkaloud.state.foresight import foresee
from thinkaloud.worlds.franka import Franka, open_franka

SCENE = """
object = [
  {name = "lime", x = 0.30, y = 0.40}, {name = "mug", x = 0.30, y = -0.40}, {name = "cup", x = 0.05, y = 0.45},
  {name = "tray", x = 0.02, y = -0.42}, {name = "plum", x = 0.40, y = 0.0}
]
"""


def table() -> Franka:
    world = open_franka(SCENE)
    assert isinstance(world, Franka)
    return world


def done(*deeds: str) -> Franka:
    world = table()
    first = state = world.observe().state or WorldState()
    for deed in deeds:
        assert accepts(gbnf.grammar(world.task_language.task_grammar(state, ["(0.20, 0.30)"])), deed)
        for command in world.task_language.read_task(deed, state, first):
            skill = world.skills[command.skill]
            arguments = skill.signature.check(command.arguments, {})
            state = foresee(skill, arguments, state, world.relations)
            asyncio.run(skill.run(arguments))
    assert world.collisions == ()
    return world


def near(world: Franka, name: str, x: float, y: float) -> bool:
    at = world.position(name)
    return abs(at[0] - x) < 0.025 and abs(at[1] - y) < 0.025


def test_things_are_exchanged_by_way_of_a_free_place() -> None:
    world = done("Exchange the lime and the mug.")
    assert near(world, "lime", 0.30, -0.40)
    assert near(world, "mug", 0.30, 0.40)


def test_one_place_after_another_on_a_tray() -> None:
    world = done("Put the lime on the tray.", "Put the plum on the tray.")
    for name in ("lime", "plum"):
        assert world.holds(world.relations["on"].condition({"object": name, "target": "tray"}))


@pytest.mark.parametrize("axis", ["x", "y"])
def test_a_line_in_an_order(axis: str) -> None:
    world = done(f"Line up along {axis}: mug, cup, lime, plum.")
    along, across = (0, 1) if axis == "x" else (1, 0)
    places = [world.position(name) for name in ("mug", "cup", "lime", "plum")]
    assert [place[along] for place in places] == sorted(place[along] for place in places)
    assert max(place[across] for place in places) - min(place[across] for place in places) < 0.04


def test_a_part_of_the_table_and_where_another_was() -> None:
    world = done("Put the lime where x > 0.10 and y < -0.10.", "Put the cup where the lime was.", "Put the mug aside.")
    x, y, _ = world.position("lime")
    assert x > 0.10
    assert y < -0.10
    assert near(world, "cup", 0.30, 0.40)


def test_back_and_next_to() -> None:
    world = done("Put the plum aside.", "Put the mug next to the cup.", "Put the plum back.")
    assert near(world, "plum", 0.40, 0.0)
    assert world.holds(world.relations["near"].condition({"object": "mug", "other": "cup"}))


@pytest.mark.parametrize(
    ("deed", "why"),
    [
        ("Put the tray at (0.20, 0.30).", "too wide"),
        ("Exchange the lime and the lime.", "itself"),
        ("Put the lime under the mug.", "no place"),
        ("Throw the lime.", "cannot be said"),
        ("Put the lime where x > 0.44.", "no room there"),
        ("Put the lime next to the lime.", "no room next to"),
    ],
)
def test_what_does_not_go(deed: str, why: str) -> None:
    world = table()
    state = world.observe().state or WorldState()
    with pytest.raises(Unparseable, match=why):
        world.task_language.read_task(deed, state, state)


def test_what_is_in_the_hand_is_put_aside_first() -> None:
    world = table()
    asyncio.run(world.skills["grasp"].run({"x": 0.3, "y": 0.4, "z": 0.0}))
    state = world.observe().state or WorldState()
    words = [command.words for command in world.task_language.read_task("Put the mug at (0.20, 0.30).", state, state)]
    assert words == ["Put the lime aside", "Grasp the mug", "Put the mug at (0.20, 0.30)"]
    words = [command.words for command in world.task_language.read_task("Put the lime at (0.20, 0.30).", state, state)]
    assert words == ["Put the lime at (0.20, 0.30)"]
    assert world.task_language.render_scene(state)[-1] == "In the hand: lime"
