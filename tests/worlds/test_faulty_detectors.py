"""Detectors that err: as often as it is said, about what was tried, one answer a picture; and no way round them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from thinkaloud.errors import BadSettings, SkillError
from thinkaloud.records import Condition
from thinkaloud.robots import open_world
from thinkaloud.worlds import WORLDS
from thinkaloud.worlds.contract import ABILITIES, Fallible, Twinned, find_ability
from thinkaloud.worlds.disturbance import PAPER_DISTURBANCE, Disturbance, parse_disturbance
from thinkaloud.worlds.faulty_detectors import FaultyDetectors
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.tabletop.sensor_noise import Disturbed
from toyworld import THINGS, ToyWorld

LOOKS = 600
LIES = Disturbance(false_yes=0.2, false_no=0.2)


def erring(by: Disturbance = LIES, seed: int = 0) -> FaultyDetectors:
    world = FaultyDetectors(ToyWorld(), by)
    world.reset(seed)
    return world


def inside(world: FaultyDetectors) -> ToyWorld:
    assert isinstance(world.world, ToyWorld)
    return world.world


def there(world: FaultyDetectors, thing: str = "ball") -> Condition:
    return world.relations["at"].condition({"thing": thing, "place": "shelf"})


def move(world: FaultyDetectors, *, works: bool, thing: str = "ball") -> None:
    inside(world).slips = 0 if works else 1
    asyncio.run(world.skills["move"].run({"thing": thing, "place": "shelf"}))


def answers_of(world: FaultyDetectors, looks: int) -> list[bool]:
    """What is said of the ball, a look after another."""
    found = []
    for _ in range(looks):
        world.observe()
        found.append(world.holds(there(world)))
    return found


@pytest.mark.parametrize(
    ("by", "works", "yes"),
    [
        (LIES, True, 0.8),
        (LIES, False, 0.2),
        (Disturbance(false_yes=0.3), False, 0.3),
        (Disturbance(false_yes=0.3), True, 1.0),
        (Disturbance(false_no=0.1), True, 0.9),
        (Disturbance(false_no=0.1), False, 0.0),
    ],
)
def test_a_step_is_misjudged_as_often_as_it_is_said(by: Disturbance, works: bool, yes: float) -> None:
    world = erring(by)
    move(world, works=works)
    assert sum(answers_of(world, LOOKS)) / LOOKS == pytest.approx(yes, abs=0.05 if 0 < yes < 1 else 0.0)


def test_of_what_nobody_tried_nothing_wrong_is_said() -> None:
    world = erring(Disturbance(false_yes=1.0, false_no=1.0))
    assert not world.holds(there(world)) and not world.tell_doubt([there(world)])
    move(world, works=True)
    assert not world.holds(there(world))  # always wrong, about this
    assert not world.holds(there(world, "cup"))
    assert world.tell_doubt([there(world)]) == "10 in ten such readings is wrong"


def test_one_picture_has_one_answer() -> None:
    world = erring(Disturbance(false_yes=0.5, false_no=0.5))
    move(world, works=True)
    for _ in range(50):
        world.observe()
        assert len({world.holds(there(world)) for _ in range(5)}) == 1
        assert world.relations["at"].holds(thing="ball", place="shelf") == world.holds(there(world))


def test_a_stubborn_detector_says_the_same_until_something_is_done() -> None:
    world = erring(Disturbance(false_yes=0.5, false_no=0.5, stubborn=1.0))
    answers = []
    for _ in range(40):
        move(world, works=True)
        answers.append({*answers_of(world, 20)})
    assert all(len(each) == 1 for each in answers)
    assert {answer for each in answers for answer in each} == {True, False}


def test_the_same_seed_errs_in_the_same_way_and_another_differently() -> None:
    def story(seed: int) -> list[bool]:
        world = erring(LIES, seed)
        move(world, works=True)
        return answers_of(world, 60)

    assert story(3) == story(3) != story(4)


def test_it_goes_on_as_it_was_after_a_snapshot() -> None:
    world, other = erring(), erring(seed=9)
    move(world, works=False)
    world.observe()
    other.restore(world.snapshot())
    assert answers_of(world, 40) == answers_of(other, 40)
    with pytest.raises(ValueError, match="not a snapshot"):
        world.restore(b"nonsense")


def test_opposites_and_extended_skills_are_misjudged_as_well() -> None:
    whole = FullWorld(FaultyDetectors(open_world("tabletop"), Disturbance(false_yes=1.0, false_no=1.0)))
    whole.reset(5)
    block, bowl = whole.blocks[0], whole.bowls[0]
    asyncio.run(whole.skills["pick_and_place"].run({"object": block, "target": bowl}))
    on = whole.relations["on"].condition({"object": block, "target": bowl})
    assert not whole.holds(on)
    assert whole.holds(Condition("not on", on.arguments, ""))
    assert find_ability(whole, Twinned) is None  # a twin would know


# Things ---------------------------------------------------------------------------------------------------------------


def seen(by: Disturbance, looks: int = LOOKS) -> list[tuple[str, ...]]:
    world = erring(by)
    return [world.observe().objects for _ in range(looks)]


def test_things_are_missed_as_often_as_it_is_said_and_stay_known_once_seen() -> None:
    assert sum(map(len, seen(Disturbance(missed=0.2)))) / LOOKS == pytest.approx(0.8 * len(THINGS), abs=0.15)
    world = erring(Disturbance(missed=0.9))
    first = world.observe()
    assert {*first.vocabulary["object"]} == {*first.objects}
    later = [world.observe() for _ in range(200)][-1]
    assert {*later.objects, *later.hidden} == {*THINGS} == {*later.vocabulary["object"]}


def test_ghosts_are_seen_and_cannot_be_moved() -> None:
    world = erring(Disturbance(ghosts=1.0))
    strange = {*world.observe().objects} - {*THINGS}
    assert strange == {"other ball", "other cup", "other box"}
    assert strange <= {*world.observe().vocabulary["object"]}
    with pytest.raises(SkillError, match="There is no other ball where one seemed to be"):
        asyncio.run(world.skills["move"].run({"thing": "other ball", "place": "shelf"}))


def test_what_is_misnamed_is_there_under_another_name() -> None:
    world = erring(Disturbance(misnamed=1.0))
    assert {*world.observe().objects} == {"other ball", "other cup", "other box"}
    table = FaultyDetectors(open_world("tabletop"), Disturbance(misnamed=1.0))
    table.reset(0)
    real = {*table.world.observe().objects}
    assert not real & {*table.observe().objects}
    assert {name.split()[-1] for name in table.observe().objects} == {"block", "bowl"}


# Any world ------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", WORLDS)
def test_any_world_can_err_and_offers_what_it_offered_but_for_a_twin(name: str) -> None:
    world, bare = open_world(name, disturbance="lies=0.2,missed=0.1"), open_world(name)
    assert isinstance(world, FaultyDetectors)
    world.reset(3)
    bare.reset(3)
    for ability in ABILITIES:
        if Twinned not in ability.__mro__ and ability is not Fallible:
            assert (find_ability(world, ability) is None) == (find_ability(bare, ability) is None), ability
    assert find_ability(world, Twinned) is None
    assert {*world.observe().objects} <= {*bare.observe().objects}
    assert {*world.skills} == {*bare.skills}


def test_rates_are_read_with_the_noise_and_are_wrapped_round_it() -> None:
    assert parse_disturbance("lies=0.2") == LIES
    assert parse_disturbance("paper, lies=0.2, ghosts=0.1") == Disturbance(
        PAPER_DISTURBANCE.pixel_value,
        PAPER_DISTURBANCE.pixel,
        PAPER_DISTURBANCE.place,
        false_yes=0.2,
        false_no=0.2,
        ghosts=0.1,
    )
    world = open_world("tabletop", disturbance="paper,false_no=0.1")
    assert isinstance(world, FaultyDetectors) and isinstance(world.world, Disturbed)
    assert not isinstance(open_world("tabletop", disturbance="paper"), FaultyDetectors)


@pytest.mark.parametrize("text", ["lies=2", "missed=-0.1", "false_yes=often", "ghosts"])
def test_a_rate_is_a_share(text: str) -> None:
    with pytest.raises(BadSettings, match="has to be a share from 0 to 1"):
        parse_disturbance(text)


LAMPS = """
name = "lamps"
about = "A robot with a lamp."

[kinds]
lamp = ["lamp"]

[skills.light]
says = "Light the {lamp}."
doc = "Light it."
parameters = { lamp = "lamp" }
makes = ["lit({lamp})"]

[relations.lit]
says = "The {lamp} is on."
doc = "Whether it is on."
parameters = { lamp = "lamp" }
"""


def test_a_robot_in_a_file_may_err_too(tmp_path: Path) -> None:
    file = tmp_path / "robot.toml"
    file.write_text(LAMPS)
    world = open_world(str(file), disturbance="false_no=1")
    asyncio.run(world.skills["light"].run({"lamp": "lamp"}))
    assert not world.holds(world.relations["lit"].condition({"lamp": "lamp"}))
