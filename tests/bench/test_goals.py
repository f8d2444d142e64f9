"""The judges: what counts as success on the table, and what does not."""

from __future__ import annotations

import pytest

from thinkaloud_bench.tabletop_goals import BlocksPlaced, BlockTower, find_towers
from thinkaloud_worlds.tabletop import Scene, Tabletop
from thinkaloud_worlds.tabletop.scene import Thing

CORNERS = ("top left corner", "top right corner", "bottom left corner", "bottom right corner")
CORNER = (-0.25, -0.25)  # top left


def table(*things: Thing) -> Tabletop:
    return Tabletop(Scene(things))


def block(colour: str, x: float = float("nan"), y: float = float("nan"), on: str = "") -> Thing:
    return Thing(f"{colour} block", "block", x, y, colour, on=on)


def bowl(colour: str, x: float, y: float) -> Thing:
    return Thing(f"{colour} bowl", "bowl", x, y, colour)


def drop(world: Tabletop, name: str, x: float, y: float, z: float) -> None:
    """Put a thing somewhere else, by force."""
    at = world.physics.model.joint(f"free{world.physics.names.index(name)}").qposadr[0]
    world.physics.data.qpos[at : at + 3] = x, y, z


def test_a_tower_in_any_order_counts() -> None:
    stacked = table(block("red", 0.0, -0.5), block("blue", on="red block"), block("green", on="blue block"))
    assert find_towers(stacked) == [["red block", "blue block", "green block"]]
    assert BlockTower().met(stacked)


def test_a_tower_without_one_block_does_not_count() -> None:
    assert not BlockTower().met(
        table(block("red", 0.0, -0.5), block("blue", on="red block"), block("green", 0.1, -0.5))
    )


def test_blocks_side_by_side_are_no_tower() -> None:
    assert not BlockTower().met(table(block("red", 0.0, -0.5), block("blue", 0.06, -0.5)))


def test_two_towers_are_not_one() -> None:
    two = table(
        block("red", 0.0, -0.5),
        block("blue", on="red block"),
        block("green", 0.2, -0.5),
        block("pink", on="green block"),
    )
    assert sorted(map(len, find_towers(two))) == [2, 2]
    assert not BlockTower().met(two)


@pytest.mark.parametrize(("x", "met"), [(-0.25, True), (0.0, False)])
def test_a_tower_has_to_stand_on_its_place(x: float, met: bool) -> None:
    stacked = table(block("red", x, -0.25), block("blue", on="red block"))
    assert BlockTower("top left corner").met(stacked) is met
    assert BlockTower().met(stacked)


def test_all_blocks_have_to_be_on_the_place() -> None:
    goal = BlocksPlaced(dict.fromkeys(("red block", "blue block"), ("top left corner",)))
    assert goal.met(table(block("red", *CORNER), block("blue", on="red block")))
    assert goal.met(table(block("red", *CORNER), block("blue", -0.18, -0.25)))
    assert not goal.met(table(block("red", *CORNER), block("blue", -0.1, -0.25)))


def test_two_blocks_in_the_same_corner_are_not_in_different_ones() -> None:
    goal = BlocksPlaced(dict.fromkeys(("red block", "blue block"), CORNERS), distinct=True)
    assert goal.met(table(block("red", *CORNER), block("blue", 0.25, -0.75)))
    assert not goal.met(table(block("red", *CORNER), block("blue", -0.18, -0.25)))
    assert not goal.met(table(block("red", *CORNER), block("blue", 0.0, -0.5)))


@pytest.mark.parametrize(("x", "matching"), [(-0.1, True), (0.1, False)])
def test_a_block_counts_in_the_bowl_that_is_right_for_it(x: float, matching: bool) -> None:
    world = table(block("red", 0.0, -0.3), bowl("red", -0.1, -0.6), bowl("blue", 0.1, -0.6))
    drop(world, "red block", x, -0.6, 0.03)
    assert BlocksPlaced({"red block": ("red bowl",)}).met(world) is matching
    assert BlocksPlaced({"red block": ("blue bowl",)}).met(world) is not matching


def test_what_fell_off_the_table_is_nowhere() -> None:
    world = table(block("red", 0.0, -0.5), block("blue", *CORNER))
    drop(world, "blue block", -0.31, -0.25, -0.58)
    assert not BlocksPlaced({"blue block": ("top left corner",)}).met(world)
