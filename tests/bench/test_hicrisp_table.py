"""HiCRISP's tasks at the table: how they begin, what they want, and that they can be done."""

from __future__ import annotations

import asyncio
import math

import pytest

from thinkaloud.models import Model, Scripted
from thinkaloud_bench import BENCHES
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.hicrisp.table import COOL_COLOURS, TABLE_TASKS, WARM_COLOURS
from thinkaloud_bench.hicrisp.table_goals import AllIn, OneEach, OneEmpty, TableGoal, TwoTogether, blocks_in
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from thinkaloud_worlds.tabletop.sensor_noise import Disturbed

RED, BLUE, PINK = (f"{colour} block" for colour in ("red", "blue", "pink"))
GREEN, GRAY, CYAN = (f"{colour} bowl" for colour in ("green", "gray", "cyan"))


def table(**inside: str) -> Tabletop:
    """Three bowls and three blocks; such as `red="green"` puts a block into a bowl."""
    bowls = (
        Thing(f"{name} bowl", "bowl", -0.2 + 0.2 * i, -0.35, name) for i, name in enumerate(("green", "gray", "cyan"))
    )
    blocks = (
        Thing(f"{name} block", "block", on=f"{inside[name]} bowl", colour=name)
        if name in inside
        else Thing(f"{name} block", "block", -0.2 + 0.2 * i, -0.65, name)
        for i, name in enumerate(("red", "blue", "pink"))
    )
    return Tabletop(Scene((*bowls, *blocks)))


def settle(world: Tabletop) -> None:
    asyncio.run(world.clock.sleep(0.2))


def no_model() -> Model:
    return Scripted(name="none")


def ceiling(task: str, seed: int) -> Played:
    return asyncio.run(BENCHES["hicrisp"].play(Item(CEILING, task, 0, seed), no_model))


@pytest.mark.parametrize("task", TABLE_TASKS)
def test_episodes_begin_with_something_to_do_and_differ(task: str) -> None:
    scenes = set()
    for seed in range(3):
        episode = TABLE_TASKS[task].set_up(seed)
        assert not episode.met()
        assert episode.share() < 1
        assert episode.request == f"{TABLE_TASKS[task].title}."
        assert isinstance(episode.world, Disturbed)
        scenes.add(episode.world.scene.to_json())
    assert TABLE_TASKS[task].set_up(seed).world.snapshot() == episode.world.snapshot()
    assert len(scenes) == 3


@pytest.mark.sampled(8)
@pytest.mark.parametrize("task", TABLE_TASKS)
def test_the_expert_does_it_with_the_same_arm_and_the_same_noise(task: str) -> None:
    played = ceiling(task, 2)
    assert played.success
    assert played.scores["recall"] == 1.0
    assert played.scores["robot_seconds"] > 2
    assert played.model == CEILING


def test_the_same_seed_is_the_same_episode() -> None:
    first, second = (ceiling("two_in_bowl", 5) for _ in range(2))
    assert (first.scores, first.steps, first.request) == (second.scores, second.steps, second.request)


def test_what_a_task_speaks_of_is_there() -> None:
    for seed in range(3):
        cool = TABLE_TASKS["cool_bowl"].set_up(seed).world
        assert isinstance(cool, Disturbed)
        assert len([bowl for bowl in cool.bowls if bowl.split()[0] in COOL_COLOURS]) == 1
        warm = TABLE_TASKS["warm_blocks"].set_up(seed).world
        assert isinstance(warm, Disturbed)
        assert "green bowl" in warm.bowls
        assert {block.split()[0] in WARM_COLOURS for block in warm.blocks} == {True, False}


def test_bowls_are_filled_in_different_ways_where_one_has_to_be_emptied() -> None:
    begin = set()
    for seed in range(12):
        world = TABLE_TASKS["make_one_empty"].set_up(seed).world
        assert isinstance(world, Disturbed) and isinstance(world.world, Tabletop)
        counts = [len(blocks_in(world.world, bowl)) for bowl in world.bowls]
        begin.add(counts.count(0))
        assert counts.count(0) != 1
        assert len(world.blocks) >= len(world.bowls) - 1
    assert {0, 2} <= begin


@pytest.mark.parametrize(
    ("goal", "inside", "share"),
    [
        (TwoTogether((GREEN,)), {}, 0.0),
        (TwoTogether((GREEN,)), {"red": "green", "blue": "gray", "pink": "gray"}, 0.5),
        (TwoTogether((GREEN,)), {"red": "green", "blue": "green"}, 1.0),
        (TwoTogether((GREEN, GRAY)), {"red": "gray", "blue": "gray"}, 1.0),
        (OneEach(), {"red": "green", "blue": "gray"}, 2 / 3),
        (OneEach(), {"red": "green", "blue": "gray", "pink": "cyan"}, 1.0),
        (OneEach(), {"red": "green", "blue": "green", "pink": "cyan"}, 1 / 3),
        (AllIn((RED, PINK), GREEN), {"red": "green"}, 0.5),
        (AllIn((RED, PINK), GREEN), {"red": "green", "blue": "green"}, 0.0),
        (AllIn((RED, PINK), GREEN), {"red": "green", "pink": "green", "blue": "gray"}, 1.0),
        (OneEmpty(), {}, 0.0),
        (OneEmpty(), {"red": "gray"}, 0.5),
        (OneEmpty(), {"red": "gray", "blue": "cyan"}, 1.0),
        (OneEmpty(), {"red": "gray", "blue": "cyan", "pink": "green"}, 0.5),
    ],
)
def test_goals_are_judged_by_what_is_in_which_bowl(goal: TableGoal, inside: dict[str, str], share: float) -> None:
    world = table(**inside)
    settle(world)
    assert goal.share(world) == pytest.approx(share)
    assert goal.met(world) == (share == 1.0)


@pytest.mark.parametrize(
    ("goal", "inside", "moves"),
    [
        (TwoTogether((GREEN,)), {"red": "green"}, {(BLUE, GREEN)}),
        (OneEach(), {"red": "green", "blue": "green", "pink": "cyan"}, {(RED, GRAY), (BLUE, GRAY)}),
        (AllIn((RED,), GREEN), {"blue": "gray"}, {(RED, GREEN)}),
        (OneEmpty(), {"red": "green", "blue": "gray", "pink": "cyan"}, {(RED, GRAY)}),
        (OneEmpty(), {"red": "green"}, {(BLUE, GRAY)}),
    ],
)
def test_the_next_move_leads_towards_the_goal(
    goal: TableGoal, inside: dict[str, str], moves: set[tuple[str, str]]
) -> None:
    world = table(**inside)
    settle(world)
    assert goal.move(world) in moves


def test_a_block_that_does_not_belong_in_a_bowl_is_taken_out() -> None:
    world = table(red="green", blue="green")
    settle(world)
    move = AllIn((RED,), GREEN).move(world)
    assert move is not None
    assert move[0] == BLUE
    assert move[1] in world.places
    asyncio.run(world.pick_and_place(*move))
    assert AllIn((RED,), GREEN).met(world)


def test_a_block_under_another_is_uncovered_first() -> None:
    world = table()
    asyncio.run(world.pick_and_place(BLUE, RED))
    move = AllIn((RED,), GREEN).move(world)
    assert move is not None
    assert move[0] == BLUE


def test_what_fell_off_the_table_is_given_up() -> None:
    world = table()
    for name in (RED, BLUE, PINK):
        world.physics.put(name, (1.0, -0.5, -0.58))
    assert OneEmpty().move(world) is None
    assert not math.isnan(OneEmpty().share(world))


def test_without_fixes_the_arm_needs_more_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    mended = [ceiling("each_in_each", seed).steps for seed in (3, 4)]
    monkeypatch.setattr("thinkaloud_bench.hicrisp.table.FIXING", "hicrisp:low=off;high=off")
    assert sum(ceiling("each_in_each", seed).steps for seed in (3, 4)) > sum(mended)
