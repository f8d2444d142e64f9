"""A Gymnasium environment as a robot: its policies, its episodes, its snapshots, and what policies may do wrong."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import gymnasium
import numpy as np
import pytest

from thinkaloud import Agent, Kind, Scripted, relation
from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import BadInput, DidNotWork, SkillError
from thinkaloud.records import Stop
from thinkaloud.robots.gymnasium import GymnasiumWorld, Policy, policy
from thinkaloud.robots.gymnasium.saved_state import Unsavable, find_unsaved, from_plain, to_plain
from thinkaloud.worlds.contract import Twinned, find_ability

Field = Annotated[str, Kind("field")]
LEFT, DOWN, RIGHT = 0, 1, 2


class Lake(GymnasiumWorld):
    """Gymnasium's frozen lake: a step into a hole or onto the goal ends the episode."""

    name = "lake"
    environment = "FrozenLake-v1"
    options = {"is_slippery": False, "max_episode_steps": 20}  # noqa: RUF012
    kinds = {"field": ("start", "right side", "goal")}  # noqa: RUF012
    plain_state = True
    moves: Iterator[Any]

    @policy("Go to the {field}.", effects=lambda field: (("at", {"field": field}),), most=8)
    def go(self, field: Field) -> Policy:
        """Walk over the ice."""
        return lambda seen: next(self.moves)

    @relation("The walker is at the {field}.", single=True)
    def at(self, field: Field) -> bool:
        """Where the walker is."""
        return int(self.seen) == {"start": 0, "right side": 2, "goal": 15}[field]


def lake(*moves: Any) -> Lake:
    found = Lake()
    found.moves = iter(moves)
    return found


def go(world: GymnasiumWorld, field: str) -> str:
    return asyncio.run(world.skills["go"].run({"field": field}))


def test_a_policy_runs_until_its_effects_hold() -> None:
    world = lake(RIGHT, RIGHT, RIGHT)
    assert go(world, "right side") == "Done in 2 steps."
    assert world.holds(world.relations["at"].condition({"field": "right side"}))
    assert [each.words for each in world.observe().state.relations] == ["The walker is at the right side."]  # type: ignore[union-attr]
    assert world.steps == 2 and world.clock.now() == pytest.approx(2 * world.period)


def test_a_policy_that_is_at_its_goal_takes_no_step() -> None:
    world = lake()
    assert go(world, "start") == "Done in 0 steps." and world.steps == 0


def test_a_policy_that_needs_too_long_has_not_worked() -> None:
    world = lake(*[LEFT] * 8)
    with pytest.raises(DidNotWork, match=r"8 steps were not enough. Not so: The walker is at the goal"):
        go(world, "goal")
    assert not world.ended


def test_a_policy_may_give_up() -> None:
    with pytest.raises(DidNotWork, match="gave up after 1 steps"):
        go(lake(RIGHT, None), "goal")


@pytest.mark.parametrize(("moves", "why"), [([DOWN, RIGHT], "terminated"), ([LEFT] * 20, "truncated")])
def test_an_episode_that_ends_under_a_skill_is_told_and_nothing_follows(moves: list[int], why: str) -> None:
    world = lake(*moves)
    with pytest.raises(SkillError, match=f"ended the episode after {len(moves)} steps.*{why}") as told:
        for _ in range(3):
            try:
                go(world, "goal")
            except DidNotWork:
                continue
    assert not isinstance(told.value, DidNotWork)
    with pytest.raises(SkillError, match="has to be reset"):
        world.skills["go"].refuse({"field": "start"}, world.observe())
    with pytest.raises(SkillError, match="has to be reset"):
        world.step(LEFT)
    world.reset(1)
    assert not world.ended and world.steps == 0


def test_an_episode_that_ends_with_the_goal_has_worked() -> None:
    world = lake(DOWN, DOWN, RIGHT, RIGHT, DOWN, RIGHT)
    assert go(world, "goal") == "Done in 6 steps." and world.ended == "terminated"


@pytest.mark.parametrize("action", [7, "left", np.array([1.0, 2.0])])
def test_an_action_that_does_not_fit_is_refused_before_it_is_taken(action: Any) -> None:
    world = lake(action)
    with pytest.raises(SkillError, match="action"):
        go(world, "goal")
    assert world.steps == 0


@pytest.mark.parametrize("after", [1, 3])
def test_a_stop_is_heard_after_the_step_at_hand(after: int) -> None:
    world, pace = lake(*[LEFT] * 8), Pace()

    def stop_at() -> Stop | None:
        return Stop() if world.steps == after else None

    pace.hear = stop_at
    with pytest.raises(Interrupted), pacing(pace):
        go(world, "goal")
    assert world.steps == after


def test_going_on_from_a_snapshot_is_going_on() -> None:
    slippery = {"is_slippery": True}
    world, other = lake(*[RIGHT] * 8), lake(*[RIGHT] * 8)
    for each in (world, other):
        each.env = gymnasium.make("FrozenLake-v1", **slippery)
    world.reset(5)
    world.step(RIGHT)
    other.reset(9)
    other.restore(world.snapshot())
    assert other.snapshot() == world.snapshot()
    paths: list[list[int]] = [[], []]
    for each, path in zip((world, other), paths, strict=True):
        for _ in range(6):
            if not each.ended:
                each.step(DOWN)
            path.append(int(each.seen))
    assert paths[0] == paths[1] and world.snapshot() == other.snapshot()


def test_an_environment_without_physics_has_a_twin_where_mujoco_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    world = lake(RIGHT, RIGHT)
    before = world.snapshot()
    assert go(world, "right side") == "Done in 2 steps."
    twin = world.twin()
    world.restore(before)
    assert (int(twin.seen), int(world.seen)) == (2, 0)


def test_without_physics_and_without_your_word_there_is_no_snapshot_and_no_twin() -> None:
    class Unknown(Lake):
        plain_state = False

    world = Unknown()
    assert find_ability(world, Twinned) is None and find_ability(Lake(), Twinned) is not None
    with pytest.raises(NotImplementedError, match="plain_state"):
        world.snapshot()


def test_a_robot_without_snapshots_carries_out_a_request() -> None:
    class Unknown(Lake):
        plain_state = False

    world = Unknown()
    world.moves = iter([RIGHT, RIGHT])
    end = asyncio.run(Agent(world, Scripted(['go("right side")']), "thinkaloud:confirm=never").run("Go right."))
    assert end.result == "goal met" and world.steps == 2


def test_the_attributes_of_ones_own_that_it_names_are_in_a_snapshot() -> None:
    class Counting(Lake):
        kept = ("tries",)
        tries: tuple[str, ...] = ("first",)

    world = Counting()
    before = world.snapshot()
    world.tries = ("first", "second")
    assert world.twin().tries == ("first", "second")
    world.restore(before)
    assert len(world.tries) == 1


def test_a_snapshot_of_another_world_or_with_other_numbers_changes_nothing() -> None:
    world = lake(RIGHT)
    world.step(RIGHT)
    before = world.snapshot()
    for garbage in (b"", b"\x00", before[:-3], before.replace(b"lake", b"sea!"), before.replace(b"array", b"arrow")):
        if garbage != before:
            with pytest.raises(ValueError, match="snapshot"):
                world.restore(garbage)
        assert world.snapshot() == before


def test_plain_values_come_back_as_they_were() -> None:
    rng = np.random.default_rng(3)
    values: list[Any] = [None, True, 2**100, 0.5, "text", [1, (2, "b")], {"a", "b"}, {1: {"x": [None]}}, np.float32(2)]
    assert [from_plain(to_plain(each)) for each in values] == values
    again = from_plain(to_plain(rng))
    assert again.random() == rng.random()
    array = np.arange(6, dtype=np.int16).reshape(2, 3)
    back = from_plain(to_plain(array))
    assert back.dtype == array.dtype and np.array_equal(back, array)
    with pytest.raises(Unsavable):
        to_plain(object())
    for wrong in (3, b"x", {"array": ["O", [1], b""]}, {"generator": "{}"}, {"no": 1}, {"list": 3}):
        with pytest.raises(ValueError, match="snapshot"):
            from_plain(wrong)


def test_what_no_snapshot_has_is_named() -> None:
    world = lake()
    world.env.unwrapped.camera = object()
    assert next(each for each in find_unsaved(world.env) if "camera" in each).endswith(".camera (object)")


def test_an_environment_that_cannot_be_made_is_told_in_a_line() -> None:
    class Nowhere(Lake):
        environment = "NoSuchLake-v0"

    class Unsaid(Lake):
        environment = ""

    with pytest.raises(BadInput, match="NoSuchLake-v0"):
        Nowhere()
    with pytest.raises(BadInput, match="environment = "):
        Unsaid()


def test_a_policy_has_to_say_when_it_is_done() -> None:
    with pytest.raises(TypeError, match="until"):
        policy("Go.")
    with pytest.raises(TypeError, match="at least 1"):
        policy("Go.", until=lambda self: True, most=0)


def test_until_takes_the_place_of_the_effects() -> None:
    class Two(Lake):
        @policy("Take {steps} steps.", until=lambda self, steps: self.steps >= steps, most=9)
        def wander(self, steps: int) -> Policy:
            """Walk about."""
            return lambda seen: LEFT

    world = Two()
    assert asyncio.run(world.skills["wander"].run({"steps": 3})) == "Done in 3 steps."
