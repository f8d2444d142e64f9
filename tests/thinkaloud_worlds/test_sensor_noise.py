"""Noise as a wrapper."""

import asyncio

import numpy as np
import pytest

from thinkaloud.errors import BadSettings
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.sensor_noise import (
    NO_DISTURBANCE,
    PAPER_DISTURBANCE,
    Disturbance,
    Disturbed,
    parse_disturbance,
)


def put(world: Disturbed, thing: str, target: str) -> str:
    return asyncio.run(world.skills["pick_and_place"].run({"object": thing, "target": target}))


def test_the_papers_noise_makes_some_actions_fail_and_others_not() -> None:
    world = Disturbed(Tabletop(blocks=3, bowls=2), PAPER_DISTURBANCE)
    seen = set[bool]()
    for seed in range(12):
        world.reset(seed)
        put(world, world.blocks[0], world.blocks[1])
        seen.add(world.on(world.blocks[0], world.blocks[1]))
        if len(seen) == 2:
            return
    raise AssertionError(f"always the same: {seen}")


def test_without_noise_it_is_the_same_world() -> None:
    bare, wrapped = Tabletop(), Disturbed(Tabletop(), NO_DISTURBANCE)
    bare.reset(2)
    wrapped.reset(2)
    asyncio.run(bare.pick_and_place(bare.blocks[0], bare.bowls[0]))
    put(wrapped, wrapped.blocks[0], wrapped.bowls[0])
    assert wrapped.world.snapshot() == bare.snapshot()


def test_noise_depends_on_the_seed_and_the_number_of_calls_only() -> None:
    first, second = Disturbed(Tabletop(blocks=2)), Disturbed(Tabletop(blocks=2))
    first.reset(1)
    second.reset(1)
    second.observe()
    second.senses.picture()
    assert put(first, first.blocks[0], "middle") == put(second, second.blocks[0], "middle")
    assert put(first, first.blocks[1], "left side") == put(second, second.blocks[1], "left side")


def test_every_call_meets_new_noise() -> None:
    world = Disturbed(Tabletop(blocks=2), Disturbance(place=0.02))
    world.reset(1)
    start = world.world.snapshot()
    first = put(world, world.blocks[0], "middle")
    world.world.restore(start)
    assert put(world, world.blocks[0], "middle") != first


@pytest.mark.parametrize("seed", [-5, 2**70])
def test_any_whole_number_is_a_seed_that_a_snapshot_keeps(seed: int) -> None:
    first, second = Disturbed(Tabletop(blocks=2)), Disturbed(Tabletop(blocks=2))
    first.reset(seed)
    second.restore(first.snapshot())
    assert put(first, first.blocks[0], "middle") == put(second, second.blocks[0], "middle")
    assert first.snapshot() == second.snapshot()


def test_noise_is_as_strong_as_it_says() -> None:
    world = Disturbed(Tabletop(), PAPER_DISTURBANCE)
    plain = Tabletop().senses
    clean, noisy = plain.picture(), world.senses.picture()
    assert np.std(noisy.rgb - clean.rgb) == pytest.approx(3.0, rel=0.02)
    aims = np.array([world.senses.aim((0.0, 0.0, 0.0)) for _ in range(2000)])
    assert aims.std(axis=0) == pytest.approx((0.02, 0.02, 0.0), rel=0.1)
    pixels = np.array([world.senses.pixel(clean, world.blocks[0]) for _ in range(200)])
    assert pixels.std(axis=0) == pytest.approx((2.5, 2.5), rel=0.25)


def test_disturbances_are_read_from_text() -> None:
    assert parse_disturbance("none") == NO_DISTURBANCE
    assert parse_disturbance("paper") == PAPER_DISTURBANCE == Disturbance(3.0, 2.5, 0.02)
    assert parse_disturbance("pixel=1, place=0.01") == Disturbance(0.0, 1.0, 0.01)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("strong", "say none, paper, or values of pixel_value, pixel, place"),
        ("pixels=1", "Unknown disturbance 'pixels=1'"),
        ("pixel=a lot", "pixel has to be a number from 0 up, not 'a lot'"),
        ("place=-1", "number from 0 up"),
        ("place=nan", "number from 0 up"),
        ("place", "number from 0 up"),
    ],
)
def test_bad_disturbances_are_refused_with_what_would_be_right(text: str, says: str) -> None:
    with pytest.raises(BadSettings, match=says):
        parse_disturbance(text)


def test_a_twin_knows_the_state_and_not_the_noise() -> None:
    world, bare = Disturbed(Tabletop(blocks=3, bowls=2), PAPER_DISTURBANCE), Tabletop(blocks=3, bowls=2)
    world.reset(4)
    bare.reset(4)
    put(world, world.blocks[0], world.blocks[1])
    before, twin = world.snapshot(), world.twin()
    assert twin.snapshot() == world.world.snapshot()
    bare.restore(twin.snapshot())
    step = {"object": world.blocks[2], "target": world.bowls[0]}
    asyncio.run(twin.skills["pick_and_place"].run(step))
    asyncio.run(bare.skills["pick_and_place"].run(step))
    assert twin.snapshot() == bare.snapshot()
    assert world.snapshot() == before


def test_what_has_no_twin_has_none_when_disturbed() -> None:
    class Real(Tabletop):
        twin = None  # type: ignore[assignment]

    world = Disturbed(Real(), PAPER_DISTURBANCE)
    with pytest.raises(NotImplementedError, match="'tabletop' has no twin"):
        world.twin()
