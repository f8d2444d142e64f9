"""The drinks world: cups are found by touch, portions land in them, and nobody is left with a tilted bottle."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Message, Request, Stop
from thinkaloud_worlds.drinks import CounterScene, Drinks, Ingredient, Places, open_drinks
from thinkaloud_worlds.drinks.layout import FINISHED, STACK, pouring_tilt
from thinkaloud_worlds.drinks.motion_sequences import Tasks
from thinkaloud_worlds.drinks.scene import DEFAULT_COUNTER

STACKED, WORK, DONE, BIN = "cup stack", "working area", "finished location", "waste bin"


@pytest.fixture(scope="module")
def shared() -> Drinks:
    return Drinks()


@pytest.fixture
def world(shared: Drinks) -> Drinks:
    shared.reset(1)
    return shared


def do(world: Drinks, *calls: tuple[str, ...]) -> list[str]:
    """Carry calls out as the loop does; what each remembers has to be what is seen afterwards."""

    async def run() -> list[str]:
        reports = []
        for name, *values in calls:
            skill = world.skills[name]
            before = world.observe()
            arguments = dict(zip((p.name for p in skill.signature.parameters), values, strict=True))
            checked = skill.refuse(arguments, before)
            reports.append(await skill.run(checked))
            assert all(world.holds(promise) for promise in skill.promises(checked, world.relations))
            assert skill.remembers and before.state
            expected = skill.remembers(before.state, **checked)
            seen = world.observe().state
            assert seen and {r.words for r in expected.relations} == {r.words for r in seen.relations}
        return reports

    return asyncio.run(run())


def paced(world: Drinks, call: Callable[[], object], when: Callable[[], bool], message: Message) -> Message | None:
    """A call during which somebody says something as soon as a condition holds; what it was interrupted by."""
    said: list[Message] = []

    def hear() -> Message | None:
        if said or not when():
            return None
        said.append(message)
        return message

    async def run() -> Message | None:
        with pacing(Pace(hear=hear)):
            try:
                await call()  # type: ignore[misc]
            except Interrupted as interrupted:
                return interrupted.message
        return None

    return asyncio.run(run())


def tilted(world: Drinks) -> bool:
    return world.counter.commanded().roll > 1.0


def test_a_drink_is_made_of_its_ingredients_in_order(world: Drinks) -> None:
    do(world, ("grasp_cup", STACKED), ("place_cup", WORK), ("scoop_boba_to_location", WORK), ("pour", WORK, "milk"))
    do(world, ("stir", WORK), ("grasp_cup", WORK), ("place_cup", DONE))
    assert world.cups_at(DONE) == ("cup 1",)
    assert [name for name, _ in world.contents("cup 1")] == ["boba", "milk"]
    amounts = dict(world.contents("cup 1"))
    assert amounts["boba"] == pytest.approx(40, rel=0.05)
    assert amounts["milk"] == pytest.approx(150, rel=0.1)
    assert world.spilled() == {}
    assert world.hand_empty()


def test_random_orders_succeed(world: Drinks) -> None:
    names = [each.name for each in DEFAULT_COUNTER.ingredients]
    for seed in range(4):
        rng = random.Random(seed)
        world.reset(100 + seed)
        taken = rng.sample(names, 2)
        calls = [("scoop_boba_to_location", WORK) if n == "boba" else ("pour", WORK, n) for n in taken]
        do(world, ("grasp_cup", STACKED), ("place_cup", WORK), *calls, ("grasp_cup", WORK), ("place_cup", DONE))
        assert [name for name, _ in world.contents(world.cups_at(DONE)[0])] == taken
        assert not world.spilled()


@pytest.mark.parametrize("off", [(0.03, 0.0), (-0.03, 0.02), (0.05, -0.02), (-0.055, -0.03)])
def test_the_gripper_centres_on_a_cup_that_was_seen_elsewhere(world: Drinks, off: tuple[float, float]) -> None:
    tasks = Tasks(world.bar)
    seen = (STACK[0] + off[0], STACK[1] + off[1])
    asyncio.run(tasks.grasp("cup 1", lambda: seen, STACKED))
    assert world.holding() == "cup 1"
    ahead, left, _ = tasks.hand.hold()
    assert abs(left) < 0.004
    assert abs(ahead) < 0.02


def test_where_nothing_is_felt_it_says_so_in_words(world: Drinks) -> None:
    tasks = Tasks(world.bar)
    with pytest.raises(SkillError, match="closed on nothing"):
        asyncio.run(tasks.run(lambda: tasks.grasp("cup 1", lambda: FINISHED[1], STACKED)))
    assert world.hand_empty()
    do(world, ("grasp_cup", STACKED))


def test_a_large_portion_is_poured_at_a_larger_tilt_than_a_small_one() -> None:
    assert pouring_tilt(10) < pouring_tilt(30) < pouring_tilt(150)


def test_a_cup_that_is_thrown_away_is_gone_with_its_contents(world: Drinks) -> None:
    do(world, ("grasp_cup", STACKED), ("place_cup", WORK), ("pour", WORK, "taro"), ("grasp_cup", WORK))
    assert world.contents("cup 1")
    do(world, ("place_cup", BIN))
    assert world.cups_at(BIN) == ("cup 1",)
    assert world.contents("cup 1") == ()
    assert world.spilled() == {}
    assert "cup 1" in world.observe().hidden
    do(world, ("grasp_cup", STACKED))
    assert world.holding() == "cup 2"


def test_finished_cups_stand_side_by_side_and_the_last_can_be_taken_again(world: Drinks) -> None:
    for _ in range(4):
        do(world, ("grasp_cup", STACKED), ("place_cup", DONE))
    assert world.cups_at(DONE) == ("cup 1", "cup 2", "cup 3", "cup 4")
    do(world, ("grasp_cup", DONE))
    assert world.holding() == "cup 4"
    do(world, ("place_cup", WORK))
    assert world.cups_at(WORK) == ("cup 4",)


def test_what_cannot_be_done_is_said_in_words(world: Drinks) -> None:
    with pytest.raises(SkillError, match="no cup in the gripper"):
        do(world, ("place_cup", WORK))
    with pytest.raises(SkillError, match="no cup at the working area"):
        do(world, ("pour", WORK, "milk"))
    with pytest.raises(SkillError, match="no cup at the working area"):
        do(world, ("grasp_cup", WORK))
    do(world, ("grasp_cup", STACKED))
    with pytest.raises(SkillError, match="holds cup 1"):
        do(world, ("grasp_cup", STACKED))
    do(world, ("place_cup", WORK), ("grasp_cup", STACKED))
    with pytest.raises(SkillError, match="occupied"):
        do(world, ("place_cup", WORK))
    with pytest.raises(SkillError, match="not empty"):
        do(world, ("pour", WORK, "milk"))
    with pytest.raises(SkillError, match="boba"):
        do(world, ("pour", WORK, "boba"))
    with pytest.raises(UnknownName):
        world.cups_at("moon")


def test_too_little_left_and_too_full_are_refused_before_anything_moves() -> None:
    scene = CounterScene((Ingredient("water", "bottle", 150.0, left=500.0), Ingredient("salt", "jar", 5.0, left=4.0)))
    world = Drinks(scene)
    do(world, ("grasp_cup", STACKED), ("place_cup", WORK))
    before = world.snapshot()
    with pytest.raises(SkillError, match="too little salt left: 4 ml"):
        do(world, ("pour", WORK, "salt"))
    assert world.snapshot() == before
    do(world, ("pour", WORK, "water"), ("pour", WORK, "water"))
    with pytest.raises(SkillError, match="too full"):
        do(world, ("pour", WORK, "water"))
    assert world.spilled() == {}


def test_a_stop_in_a_pour_turns_the_bottle_upright_and_the_next_skill_puts_it_back(world: Drinks) -> None:
    do(world, ("grasp_cup", STACKED), ("place_cup", WORK))
    stop = paced(world, lambda: world.add(WORK, "milk"), lambda: tilted(world), Stop())
    assert isinstance(stop, Stop)
    assert world.counter.held == "milk"
    assert world.counter.upright("milk") > 0.95
    assert world.spilled() == {}
    poured = world.contents("cup 1")
    asyncio.run(world.clock.sleep(1.0))
    assert world.contents("cup 1") == poured
    do(world, ("pour", WORK, "matcha powder"))
    assert world.hand_empty()
    x, y, _ = world.counter.position("milk")
    assert (x, y) == pytest.approx(world.counter.homes["milk"], abs=0.01)


def test_a_new_request_before_the_tilt_has_the_bottle_put_back_first(world: Drinks) -> None:
    do(world, ("grasp_cup", STACKED), ("place_cup", WORK))
    wish = Request("tea, please")
    said = paced(world, lambda: world.add(WORK, "milk"), lambda: world.counter.held == "milk", wish)
    assert said == wish
    assert world.hand_empty()
    assert world.contents("cup 1") == ()
    assert world.counter.position("milk")[:2] == pytest.approx(world.counter.homes["milk"], abs=0.01)


def test_a_new_request_does_not_break_off_a_pour_a_grasp_or_a_place(world: Drinks) -> None:
    wish = Request("tea, please")
    assert paced(world, lambda: world.grasp(STACKED), lambda: world.holding() is not None, wish) is None
    assert paced(world, lambda: world.place(WORK), lambda: True, wish) is None
    assert paced(world, lambda: world.add(WORK, "milk"), lambda: tilted(world), wish) is None
    assert world.has(WORK, "milk")
    assert world.hand_empty()


def test_a_snapshot_in_the_middle_of_a_pour_goes_on_the_same_way(world: Drinks) -> None:
    do(world, ("grasp_cup", STACKED), ("place_cup", WORK))
    taken: list[bytes] = []

    def watch() -> bool:
        if tilted(world) and not taken:
            taken.append(world.snapshot())
        return False

    paced(world, lambda: world.add(WORK, "milk"), watch, Stop())
    twins = Drinks(), world
    twins[0].reset(9)
    for twin in twins:
        twin.restore(taken[0])
        assert twin.snapshot() == taken[0]
        asyncio.run(twin.clock.sleep(0.1))
        assert twin.contents("cup 1")
        do(twin, ("pour", WORK, "taro"))
    assert twins[0].snapshot() == twins[1].snapshot()
    assert twins[0].observe() == twins[1].observe()


def test_the_words_of_the_scene_are_the_words_of_the_skills() -> None:
    scene = CounterScene(
        (
            Ingredient("chili oil", "bottle", 20.0),
            Ingredient("rice", "tub", 80.0),
            Ingredient("green peas", "tub", 30.0),
        ),
        vessel="soup bowl",
        vessels=2,
        places=Places("pile of bowls", "board", "pass", "compost"),
    )
    world = open_drinks(scene.to_json())
    assert world.scene == scene
    assert world.briefing.guidelines == ""
    assert {*world.skills} == {"grasp_soup_bowl", "place_soup_bowl", "pour", "scoop_to_location", "stir"}
    assert "pile of bowls" in world.skills["grasp_soup_bowl"].signature.about
    do(world, ("grasp_soup_bowl", "pile of bowls"), ("place_soup_bowl", "board"))
    do(world, ("scoop_to_location", "board", "rice"), ("pour", "board", "chili oil"))
    assert dict(world.contents("soup bowl 1"))["rice"] == pytest.approx(80, rel=0.05)
    words = [relation.words for relation in world.observe().state.relations]  # type: ignore[union-attr]
    assert words[0] == "Soup bowl 1 is at the board."


def test_the_default_counter_brings_its_guidelines_and_documents_every_step_of_them(world: Drinks) -> None:
    from thinkaloud.guidelines import read_guidelines

    guidelines = read_guidelines(world.briefing.guidelines)
    assert guidelines.undocumented(world.skills) == []
    assert {*guidelines.available} == {each.name for each in world.scene.ingredients}


def test_detections_are_rough_and_stay_the_same_all_episode(world: Drinks) -> None:
    state = world.observe().state
    assert state
    errors = [
        abs(float(state.attributes[each.name]["x"]) - world.position(each.name)[0])
        for each in DEFAULT_COUNTER.ingredients
    ]
    assert 0 < max(errors) < 0.06
    do(world, ("grasp_cup", STACKED))
    again = world.observe().state
    assert again and again.attributes["milk"] == state.attributes["milk"]


def test_a_picture_shows_what_was_poured(world: Drinks) -> None:
    do(world, ("grasp_cup", STACKED), ("place_cup", WORK))
    before, state = world.render(160, 120), world.snapshot()
    assert before.shape == (120, 160, 3)
    assert world.snapshot() == state
    do(world, ("pour", WORK, "strawberry jam"))
    assert (world.render(160, 120) != before).any()
