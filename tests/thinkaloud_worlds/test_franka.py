"""The franka world: what is grasped is moved to where it was meant to be, and what is in the way is hit and named."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from thinkaloud.episode.film import Film
from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Condition, Message, Request, Stop
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Pictured, find_ability
from thinkaloud_worlds.franka import Franka, FrankaScene, Item, free_place, open_franka

BOTTLES = FrankaScene((Item("mustard bottle 1", x=0.32, y=-0.33), Item("mustard bottle 2", x=0.35, y=0.35)))
EXAMPLES = Path(__file__).parents[2] / "examples" / "scenes"


def scene(*items: Item) -> Franka:
    return Franka(FrankaScene(items))


def do(world: World, *calls: tuple[str | float, ...]) -> list[str]:
    """Carry calls out as the loop does; what each remembers has to be what is seen afterwards."""

    async def run() -> list[str]:
        reports = []
        for name, *values in calls:
            skill, before = world.skills[str(name)], world.observe()
            checked = skill.refuse(dict(zip("xyz", values, strict=False)), before)
            reports.append(await skill.run(checked))
            assert skill.remembers and before.state
            expected, seen = skill.remembers(before.state, **checked), world.observe().state
            assert seen and {r.words for r in expected.relations} == {r.words for r in seen.relations}
            for thing, attributes in expected.attributes.items():
                assert attributes == pytest.approx(seen.attributes[thing], abs=0.0101)
        return reports

    return asyncio.run(run())


def fails(world: World, *call: str | float) -> str:
    with pytest.raises(SkillError) as error:
        do(world, call)
    return str(error.value)


def cautions(world: Franka, name: str, *values: float) -> str | None:
    skill, look = world.skills[name], world.observe()
    checked = skill.refuse(dict(zip("xyz", values, strict=False)), look)
    return next((said for caution in skill.cautions if (said := caution(look, **checked))), None)


def paced(world: Franka, call: tuple[str | float, ...], when: Callable[[], bool], message: Message) -> Message | None:
    """A call during which somebody says something as soon as a condition holds; what it was interrupted by."""
    said: list[Message] = []

    def hear() -> Message | None:
        if said or not when():
            return None
        said.append(message)
        return message

    async def run() -> Message | None:
        skill = world.skills[str(call[0])]
        arguments = skill.refuse(dict(zip("xyz", call[1:], strict=False)), world.observe())
        with pacing(Pace(hear=hear)):
            try:
                await skill.run(arguments)
            except Interrupted as interrupted:
                return interrupted.message
        return None

    return asyncio.run(run())


def away(world: Franka, name: str, x: float, y: float) -> float:
    return math.dist(world.position(name)[:2], (x, y))


# Grasping and moving --------------------------------------------------------------------------------------------------


def test_a_thing_is_grasped_moved_and_let_go() -> None:
    world = Franka(BOTTLES)
    assert do(world, ("grasp", 0.32, -0.33, 0.04)) == ["mustard bottle 1 is in the hand."]
    assert world.held == "mustard bottle 1"
    assert world.position("mustard bottle 1")[2] > 0.3
    do(world, ("move", 0.10, -0.40), ("home",))
    assert world.held is None
    assert away(world, "mustard bottle 1", 0.10, -0.40) < 0.003
    assert world.upright("mustard bottle 1")
    assert world.start("mustard bottle 1")[:2] == pytest.approx((0.32, -0.33), abs=0.002)
    assert world.collisions == ()


def test_random_moves_to_free_places_succeed_and_disturb_nothing() -> None:
    for seed in range(6):
        world, rng = Franka(), random.Random(seed)
        world.reset(300 + seed)
        for _ in range(2):
            state = world.observe().state
            assert state
            name = rng.choice(state.objects)
            known = state.attributes[name]
            size = (float(known["length"]), float(known["width"]), float(known["height"]))
            place = free_place(state, size, (rng.uniform(-0.1, 0.4), rng.uniform(-0.5, 0.5)))
            assert place
            rest = {other: world.position(other) for other in world.table.names if other != name}
            do(world, ("grasp", known["x"], known["y"]), ("move", *place))
            assert away(world, name, *place) < 0.01
            assert all(math.dist(world.position(other), was) < 0.003 for other, was in rest.items())
        assert world.collisions == ()


def test_what_was_seen_a_little_off_is_centred_on() -> None:
    world = Franka(BOTTLES)
    do(world, ("grasp", 0.34, -0.345), ("move", 0.2, -0.45))
    assert away(world, "mustard bottle 1", 0.2, -0.45) < 0.003


def test_boxes_are_taken_across_their_narrow_side_and_keep_their_direction() -> None:
    world = scene(Item("cracker box", x=0.3, y=0.3, yaw=90), Item("cereal box", x=0.2, y=-0.4))
    do(world, ("grasp", 0.3, 0.3), ("move", -0.05, 0.45), ("grasp", 0.2, -0.4), ("move", 0.4, 0.3))
    state = world.observe().state
    assert state
    assert (state.attributes["cracker box"]["length"], state.attributes["cracker box"]["width"]) == (0.16, 0.06)
    assert (state.attributes["cereal box"]["length"], state.attributes["cereal box"]["width"]) == (0.06, 0.15)


def test_the_way_from_one_side_to_the_other_goes_round_the_base() -> None:
    world = scene(Item("apple", x=-0.05, y=0.45))
    do(world, ("grasp", -0.05, 0.45), ("move", -0.05, -0.45), ("home",))
    assert away(world, "apple", -0.05, -0.45) < 0.003


def test_the_plans_of_the_paper_can_be_carried_out() -> None:
    world = open_franka((EXAMPLES / "franka_figure2.toml").read_text())
    places = {"mustard bottle 1": (0.10, -0.33), "mustard bottle 2": (0.20, -0.33), "soup can 1": (0.30, -0.33)}
    assert isinstance(world, Franka)
    for name, place in places.items():
        x, y, _ = world.position(name)
        do(world, ("grasp", round(x, 2), round(y, 2), 0.04), ("move", *place))
    assert all(away(world, name, *place) < 0.005 for name, place in places.items())
    assert open_franka((EXAMPLES / "franka_figure1.toml").read_text()).observe().objects == (
        "soup can",
        "mustard bottle",
    )


def test_things_go_onto_and_into_receptacles() -> None:
    world = scene(
        Item("tray", x=0.3, y=0.4),
        Item("basket", x=0.3, y=-0.42),
        Item("lemon", x=0.36, y=0.05),
        Item("mug", x=0, y=0.4),
    )
    do(world, ("grasp", 0.36, 0.05), ("move", 0.3, -0.42), ("grasp", 0, 0.4), ("move", 0.27, 0.38))
    assert world.holds(world.relations["inside"].condition({"object": "lemon", "target": "basket"}))
    assert world.holds(world.relations["on"].condition({"object": "mug", "target": "tray"}))
    do(world, ("grasp", 0.3, -0.42), ("move", 0.33, 0.5))
    assert world.holds(world.relations["on"].condition({"object": "lemon", "target": "tray"}))
    assert not world.holds(world.relations["inside"].condition({"object": "lemon", "target": "basket"}))


def test_a_thing_goes_onto_another_where_its_height_says_so() -> None:
    world = scene(Item("wooden block", x=0.1, y=-0.4), Item("letter block", x=0.35, y=0.3))
    do(world, ("grasp", 0.35, 0.3), ("move", 0.1, -0.4, 0.08))
    on = world.relations["on"].condition({"object": "letter block", "target": "wooden block"})
    assert world.holds(on)
    assert cautions(world, "grasp", 0.1, -0.4) is None  # the topmost is what is taken there
    do(world, ("grasp", 0.1, -0.4))
    assert world.held == "letter block"


# Collisions -----------------------------------------------------------------------------------------------------------


def test_what_is_carried_across_something_tall_collides_and_stays_in_the_hand() -> None:
    world = scene(Item("mustard bottle 1", x=0.32, y=-0.33), Item("wine bottle", x=0.35, y=0.0))
    do(world, ("grasp", 0.32, -0.33))
    said = "Collision detected between mustard bottle 1 and wine bottle."
    assert fails(world, "move", 0.35, 0.3) == said
    assert world.collisions == (said,)
    assert world.held == "mustard bottle 1"
    assert world.upright("wine bottle")
    do(world, ("move", 0.30, -0.45), ("home",))
    world.reset(1)
    assert not world.collisions


def test_ordinary_things_are_passed_over() -> None:
    world = scene(Item("soup can", x=0.32, y=-0.33), Item("cereal box", x=0.35, y=0.0))
    do(world, ("grasp", 0.32, -0.33), ("move", 0.35, 0.25), ("grasp", 0.35, 0.25), ("move", 0.3, -0.4))
    assert world.collisions == ()


def test_the_empty_hand_passes_over_tall_things_too() -> None:
    world = scene(Item("soup can", x=0.3, y=-0.4), Item("apple", x=0.3, y=0.4), Item("champagne bottle", x=0.3, y=0.0))
    do(world, ("grasp", 0.3, -0.4), ("move", 0.2, -0.45), ("grasp", 0.3, 0.4), ("move", 0.2, 0.45), ("home",))
    assert world.collisions == ()


@pytest.mark.parametrize("y", [0.35, 0.30])
def test_what_is_put_where_something_stands_collides(y: float) -> None:
    world = Franka(BOTTLES)
    do(world, ("grasp", 0.32, -0.33))
    assert fails(world, "move", 0.35, y) == "Collision detected between mustard bottle 1 and mustard bottle 2."
    assert world.held == "mustard bottle 1"
    assert world.upright("mustard bottle 2")


def test_the_hand_itself_collides_with_what_it_comes_down_on() -> None:
    world = scene(Item("cracker box", x=0.35, y=0.3))
    assert fails(world, "grasp", 0.35, 0.37) == "Collision detected between the hand and cracker box."
    assert world.held is None


# Refusals and cautions ------------------------------------------------------------------------------------------------


def test_what_cannot_be_done_is_said_in_words() -> None:
    world = Franka(BOTTLES)
    assert fails(world, "move", 0.2, 0.4) == "There is nothing in the hand: grasp something first."
    assert fails(world, "grasp", 0.50, 0.10) == (
        "(0.50, 0.10) lies outside the table: x goes from -0.15 to 0.45, y from -0.62 to 0.62."
    )
    assert fails(world, "grasp", 0.30, 0.10) == "Nothing to grasp at (0.30, 0.10)."
    now = world.clock.now()
    assert fails(world, "grasp", 0.05, 0.10).startswith("The arm does not reach (0.05, 0.10)")
    assert world.clock.now() == now  # it says so before anything moves
    do(world, ("grasp", 0.32, -0.33))
    assert fails(world, "grasp", 0.35, 0.35).startswith("The hand is not empty: it holds mustard bottle 1.")
    assert fails(world, "home") == "The hand still holds mustard bottle 1: put it down first."
    assert fails(world, "move", 0.2, 0.7).startswith("(0.20, 0.70) lies outside the table")
    assert "below the table" in fails(world, "move", 0.2, 0.4, -0.1)
    assert fails(world, "move", 0.1, 0.0).startswith("The arm does not reach (0.10, 0.00)")
    assert world.held == "mustard bottle 1"
    with pytest.raises(UnknownName):
        world.holds(Condition("at", {"object": "teapot", "x": 0.0, "y": 0.0}, ""))


def test_a_receptacle_is_too_wide() -> None:
    world = scene(Item("tray", x=0.25, y=0.4))
    assert fails(world, "grasp", 0.25, 0.4).startswith("tray is too wide to be grasped")
    assert str(cautions(world, "grasp", 0.25, 0.4)).startswith("tray is too wide to be grasped")


def test_cautions_say_what_a_careful_critic_would() -> None:
    world = scene(
        Item("mustard bottle 1", x=0.32, y=-0.33),
        Item("mustard bottle 2", x=0.35, y=0.35),
        Item("wooden block", x=0.1, y=0.45),
        Item("letter block", on="wooden block", x=0.1, y=0.49),
    )
    assert cautions(world, "grasp", 0.31, -0.34) is None
    assert cautions(world, "grasp", 0.10, -0.34) == (
        "There is nothing to grasp at (0.10, -0.34): mustard bottle 1 is at (0.32, -0.33), "
        "mustard bottle 2 is at (0.35, 0.35)."
    )
    assert "while letter block stands on it" in str(cautions(world, "grasp", 0.10, 0.44))
    do(world, ("grasp", 0.32, -0.33))
    said = str(cautions(world, "move", 0.35, 0.35))
    assert said.startswith("(0.35, 0.35) is not free: mustard bottle 2 stands there. Free places: (")
    assert "the arm itself stands there" in str(cautions(world, "move", 0.0, 0.1))
    assert "does not reach (0.26, 0.00): it is too near to its base" in str(cautions(world, "move", 0.26, 0.0))
    assert "over the edge" in str(cautions(world, "move", 0.449, 0.1))
    assert cautions(world, "move", 0.2, -0.45) is None
    assert cautions(world, "move", 0.32, -0.33) is None  # where it came from is free


def test_home_is_the_last_step() -> None:
    skills = Franka(BOTTLES).skills
    assert skills["home"].last
    assert not skills["move"].last


# Interruption, state, pictures ----------------------------------------------------------------------------------------


def test_a_stop_holds_still_and_what_is_held_stays_so() -> None:
    world = Franka(BOTTLES)
    do(world, ("grasp", 0.32, -0.33))
    began = world.clock.now()
    stopped = paced(world, ("move", 0.1, 0.45), lambda: world.clock.now() > began + 0.8, Stop())
    assert stopped == Stop()
    assert world.held == "mustard bottle 1"
    asyncio.run(world.clock.sleep(0.3))
    before = world.position("mustard bottle 1")
    asyncio.run(world.clock.sleep(0.3))
    assert math.dist(before, world.position("mustard bottle 1")) < 0.001
    do(world, ("move", 0.1, 0.45))
    assert away(world, "mustard bottle 1", 0.1, 0.45) < 0.005


@pytest.mark.parametrize("low", [0.2, 0.165])
def test_a_stop_beside_a_thing_can_be_followed_by_anything(low: float) -> None:
    world = Franka(BOTTLES)
    paced(world, ("grasp", 0.32, -0.33), lambda: world.table.actual().z < low, Stop())
    assert world.held is None
    do(world, ("grasp", 0.35, 0.35), ("move", 0.2, 0.45), ("home",))
    assert world.collisions == ()
    assert away(world, "mustard bottle 1", 0.32, -0.33) < 0.01


def test_a_new_request_waits_for_a_safe_point() -> None:
    world = Franka(BOTTLES)
    assert paced(world, ("grasp", 0.32, -0.33), lambda: True, Request("no, the other one")) is not None
    assert world.held is None
    do(world, ("grasp", 0.32, -0.33))
    assert paced(world, ("move", 0.2, -0.45), lambda: True, Request("later")) is None
    assert world.held is None


def test_a_twin_goes_the_same_way_and_changes_nothing_here() -> None:
    world = Franka(BOTTLES)
    do(world, ("grasp", 0.32, -0.33))
    before, twin = world.snapshot(), world.twin()
    assert twin.snapshot() == before
    fails(twin, "move", 0.35, 0.35)
    assert world.snapshot() == before
    assert world.collisions == ()
    fails(world, "move", 0.35, 0.35)
    assert world.snapshot() == twin.snapshot()


def test_a_state_in_the_middle_of_a_motion_is_complete() -> None:
    world, taken = Franka(BOTTLES), list[bytes]()

    def look() -> bool:
        if len(taken) < 4 and world.clock.now() > 0.9 * (len(taken) + 1):
            taken.append(world.snapshot())
        return False

    paced(world, ("grasp", 0.32, -0.33), look, Stop())
    for snapshot in taken:
        first, second = Franka(), Franka(BOTTLES)
        first.restore(snapshot)
        second.restore(snapshot)
        assert first.snapshot() == snapshot
        assert first.observe() == second.observe()
        do(first, ("home",)) if first.held is None else do(first, ("move", 0.2, 0.45))
        do(second, ("home",)) if second.held is None else do(second, ("move", 0.2, 0.45))
        assert first.snapshot() == second.snapshot()


def test_it_can_be_filmed(tmp_path: Path) -> None:
    world = Franka(BOTTLES)
    assert find_ability(world, Pictured) is not None
    empty = world.render(64, 48)
    assert empty.shape == (48, 64, 3)
    film = Film(world, most=4)
    film.tick()
    do(world, ("grasp", 0.32, -0.33))
    film.tick()
    assert (world.render(64, 48) != empty).any()
    assert film.save(tmp_path / "film.gif").frames == 2
