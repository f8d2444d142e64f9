"""The dishwasher world, and other machines in the same class."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from kiln_scene import KILN
from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.guidelines import load_guidelines
from thinkaloud.records import Condition, Message, Request, Stop, Value
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Pictured, find_ability
from thinkaloud_worlds.dishwasher import Dishwasher, open_dishwasher


def do(world: Dishwasher, skill: str, **arguments: Value) -> str:
    """Carry out a skill as the loop would, and see that it did what it promises."""
    called = world.skills[skill]
    checked = called.refuse(arguments, world.observe())
    before = world.observe().state
    report = asyncio.run(called.run(checked))
    assert all(world.holds(each) for each in called.promises(checked, world.relations))
    assert called.remembers is not None and before is not None
    assert called.remembers(before, **checked) == world.observe().state
    return report


def load(world: Dishwasher, *loads: tuple[str, str], prepared: bool = True, additive: str = "rose detergent") -> None:
    """Put things in and start the machine."""
    do(world, "open_dishwasher")
    do(world, "pull_out_racks")
    for kind, rack in loads:
        do(world, "grasp_utensil", utensil=kind)
        if prepared:
            do(world, "remove_particles")
        do(world, "put_on_rack", utensil=kind, rack=rack)
    if additive:
        do(world, "add_detergent", detergent=additive)
    do(world, "close_dishwasher")
    do(world, "start_dishwasher")


def waits(world: Dishwasher) -> int:
    """How often one has to wait until everything is clean and dry."""
    for count in range(1, 9):
        do(world, "wait_minutes")
        try:
            do(world, "check_clean_and_dry")
        except SkillError as error:
            assert "still" in str(error)
        else:
            return count
    raise AssertionError("It never becomes dry.")


@pytest.fixture
def world() -> Dishwasher:
    world = Dishwasher()
    world.reset(3)
    return world


def test_it_is_a_world_that_can_be_seen(world: Dishwasher) -> None:
    assert isinstance(world, World)
    assert find_ability(world, Pictured) is not None


def test_skills_are_named_in_the_words_of_the_scene(world: Dishwasher) -> None:
    assert {name: tuple(p.name for p in skill.signature.parameters) for name, skill in world.skills.items()} == {
        "grasp_utensil": ("utensil",),
        "remove_particles": (),
        "put_back_utensil": (),
        "open_dishwasher": (),
        "pull_out_racks": (),
        "put_on_rack": ("utensil", "rack"),
        "add_detergent": ("detergent",),
        "close_dishwasher": (),
        "start_dishwasher": (),
        "wait_minutes": ("minutes",),
        "check_clean_and_dry": (),
        "return_utensils": (),
    }
    assert set(world.deeds) == set(world.skills)


def test_every_step_of_its_own_guidelines_is_documented(world: Dishwasher) -> None:
    guidelines = load_guidelines("dishwashing")
    assert world.briefing.guidelines == guidelines.text
    assert guidelines.undocumented(world.skills) == []


def test_a_plate_and_a_fork_are_washed(world: Dishwasher) -> None:
    load(world, ("plate", "third rack"), ("fork", "first rack"))
    assert 1 <= waits(world) <= 3
    do(world, "return_utensils")
    assert world.items_at("finished location") == Counter(plate=1, fork=1)
    assert world.items_at("sink") == Counter(plate=3, bowl=3, cup=3, fork=3, knife=2, spoon=2)
    assert world.ready("plate 1")
    assert not world.ready("plate 2")
    assert world.additive_used() == "rose detergent"
    assert ("put", "fork 1", "first rack") in world.history


def test_how_long_drying_takes_is_drawn_from_the_seed() -> None:
    world = Dishwasher()
    counts = []
    for seed in range(12):
        world.reset(seed)
        load(world, ("plate", "third rack"), ("bowl", "second rack"))
        counts.append(waits(world))
    assert set(counts) == {1, 2, 3}


@pytest.mark.parametrize(
    ("rack", "prepared", "additive", "why"),
    [
        ("first rack", True, "rose detergent", "belongs on the third rack"),
        ("third rack", False, "rose detergent", "remove large particles from it"),
        ("third rack", True, "", "no detergent"),
    ],
)
def test_what_was_done_wrongly_comes_out_dirty(
    world: Dishwasher, rack: str, prepared: bool, additive: str, why: str
) -> None:
    load(world, ("plate", rack), prepared=prepared, additive=additive)
    do(world, "wait_minutes", minutes=30)
    with pytest.raises(SkillError, match=why):
        do(world, "check_clean_and_dry")
    with pytest.raises(SkillError, match="dirty"):
        do(world, "return_utensils")
    assert not world.ready("plate 1")
    assert world.items_at("finished location") == Counter()
    assert world.additive_used() == (additive or None)


def test_what_came_out_dirty_can_be_taken_out_and_washed_again(world: Dishwasher) -> None:
    load(world, ("plate", "first rack"), ("bowl", "second rack"), prepared=False)
    do(world, "wait_minutes", minutes=30)
    load(world, ("fork", "first rack"))
    do(world, "wait_minutes", minutes=30)
    do(world, "open_dishwasher")
    do(world, "pull_out_racks")
    for name in ("plate 2", "plate 3", "plate 4"):  # those at the sink come first
        assert do(world, "grasp_utensil", utensil="plate") == f"Grasped {name}."
        do(world, "remove_particles")
        do(world, "put_on_rack", utensil="plate", rack="third rack")
    load(world, ("plate", "third rack"), ("bowl", "second rack"))
    do(world, "wait_minutes", minutes=30)
    with pytest.raises(SkillError, match="bowl 1"):
        do(world, "check_clean_and_dry")
    assert world.ready("plate 1") and world.ready("fork 1") and world.ready("bowl 2")


def test_clean_things_are_returned_and_dirty_ones_stay(world: Dishwasher) -> None:
    load(world, ("plate", "third rack"), ("fork", "third rack"))
    do(world, "wait_minutes", minutes=30)
    report = asyncio.run(world.skills["return_utensils"].run({}))
    assert "fork 1 is still dirty" in report
    assert world.items_at("finished location") == Counter(plate=1)
    assert world.loaded_now() == {"fork 1": "third rack"}


def test_wet_things_are_not_returned(world: Dishwasher) -> None:
    load(world, ("plate", "third rack"))
    do(world, "wait_minutes", minutes=1)
    with pytest.raises(SkillError, match="plate 1 is still hot"):
        do(world, "return_utensils")


def test_a_running_machine_is_locked_and_goes_on_by_itself(world: Dishwasher) -> None:
    load(world, ("plate", "third rack"))
    assert world.running()
    for skill in ("open_dishwasher", "pull_out_racks", "check_clean_and_dry", "start_dishwasher", "return_utensils"):
        with pytest.raises(SkillError, match="running"):
            do(world, skill)
    do(world, "grasp_utensil", utensil="cup")  # the hand is free meanwhile
    asyncio.run(world.clock.sleep(45))
    assert world.washed("plate 1")
    assert not world.running()


@pytest.mark.parametrize(
    ("skills", "why"),
    [
        (["remove_particles"], "grasp a utensil first"),
        (["put_back_utensil"], "Nothing is in the gripper"),
        (["pull_out_racks"], "open it first"),
        (["add_detergent"], "open it to add"),
        (["put_on_rack"], "grasp a plate first"),
        (["grasp_utensil", "grasp_utensil"], "holds plate 1"),
        (["grasp_utensil", "put_on_rack"], "closed; open it first"),
        (["grasp_utensil", "open_dishwasher", "put_on_rack"], "not pulled out"),
        (["start_dishwasher"], "nothing in the dishwasher"),
        (["open_dishwasher", "start_dishwasher"], "close it first"),
        (["check_clean_and_dry"], "nothing in the dishwasher"),
        (["return_utensils"], "nothing in the dishwasher"),
    ],
)
def test_what_cannot_be_done_now_is_refused_in_words(world: Dishwasher, skills: list[str], why: str) -> None:
    given: dict[str, dict[str, Value]] = {
        "grasp_utensil": {"utensil": "plate"},
        "put_on_rack": {"utensil": "plate", "rack": "third rack"},
        "add_detergent": {"detergent": "rose detergent"},
    }
    *before, last = skills
    for skill in before:
        do(world, skill, **given.get(skill, {}))
    snapshot = world.snapshot()
    with pytest.raises(SkillError, match=why):
        do(world, last, **given.get(last, {}))
    with pytest.raises(SkillError, match=why):  # also where nobody looked before
        asyncio.run(world.skills[last].run(given.get(last, {})))
    assert world.snapshot() == snapshot


def test_the_kind_has_to_be_the_one_that_is_held(world: Dishwasher) -> None:
    do(world, "grasp_utensil", utensil="fork")
    with pytest.raises(SkillError, match="holds fork 1 and no plate"):
        do(world, "put_on_rack", utensil="plate", rack="third rack")
    do(world, "put_back_utensil")
    assert world.holding() is None
    assert world.items_at("sink")["fork"] == 4


def test_there_are_only_so_many_of_a_kind(world: Dishwasher) -> None:
    do(world, "open_dishwasher")
    do(world, "pull_out_racks")
    for _ in range(2):
        do(world, "grasp_utensil", utensil="knife")
        do(world, "remove_particles")
        do(world, "put_on_rack", utensil="knife", rack="first rack")
    with pytest.raises(SkillError, match="no dirty knife"):
        do(world, "grasp_utensil", utensil="knife")


def test_what_is_not_there_is_named_with_what_there_is(world: Dishwasher) -> None:
    with pytest.raises(SkillError, match="rose detergent"):
        do(world, "add_detergent", detergent="lemon detergent")
    with pytest.raises(UnknownName):
        asyncio.run(world.skills["grasp_utensil"].run({"utensil": "wok"}))
    with pytest.raises(UnknownName):
        world.holds(Condition("ready", {"object": "plate 9"}, "Plate 9 is ready."))
    with pytest.raises(SkillError, match="minutes"):
        do(world, "wait_minutes", minutes=0)


def test_another_detergent_replaces_the_one_in_the_dispenser(world: Dishwasher) -> None:
    do(world, "open_dishwasher")
    do(world, "add_detergent", detergent="original detergent")
    assert "Took the original detergent out" in do(world, "add_detergent", detergent="rose detergent")
    assert not world.has_additive("original detergent")


def test_opening_what_is_open_does_no_harm(world: Dishwasher) -> None:
    for skill in ("open_dishwasher", "open_dishwasher", "pull_out_racks", "pull_out_racks", "close_dishwasher"):
        do(world, skill)
    assert "already" in do(world, "close_dishwasher")
    assert not world.out()


def interrupted(world: Dishwasher, skill: str, message: Message, after: int, **arguments: Value) -> bool:
    """Whether a skill gives way to what is said after so many ticks."""
    said = iter([*[None] * after, message])
    with pacing(Pace(hear=lambda: next(said, None))):
        try:
            asyncio.run(world.skills[skill].run(arguments))
        except Interrupted:
            return True
    return False


def test_a_stop_is_heeded_at_the_next_tick_and_nothing_is_half_done(world: Dishwasher) -> None:
    before = world.observe()
    assert interrupted(world, "open_dishwasher", Stop(), 0)
    assert interrupted(world, "grasp_utensil", Stop(), 1, utensil="plate")
    assert world.observe() == before


def test_a_request_waits_until_the_hand_has_done_what_it_does(world: Dishwasher) -> None:
    assert interrupted(world, "grasp_utensil", Request("a fork"), 0, utensil="plate")
    assert world.holding() is None
    do(world, "grasp_utensil", utensil="plate")
    do(world, "open_dishwasher")
    do(world, "pull_out_racks")
    put: dict[str, Value] = {"utensil": "plate", "rack": "third rack"}
    assert not interrupted(world, "put_on_rack", Request("a fork"), 0, **put)
    assert world.loaded("plate 1", "third rack")


def test_waiting_and_returning_give_way_to_a_request_and_can_be_gone_on_with(world: Dishwasher) -> None:
    load(world, ("plate", "third rack"), ("fork", "first rack"), ("cup", "second rack"))
    assert interrupted(world, "wait_minutes", Request("one more"), 5, minutes=5)
    assert world.running()
    do(world, "wait_minutes", minutes=30)
    assert interrupted(world, "return_utensils", Request("one more"), 1)
    assert world.holding() is None
    returned = world.items_at("finished location").total()
    assert 0 < returned < 3
    do(world, "return_utensils")
    assert world.items_at("finished location").total() == 3


def test_a_snapshot_in_the_middle_of_a_cycle_goes_on_the_same(world: Dishwasher) -> None:
    load(world, ("plate", "third rack"), ("bowl", "first rack"))
    asyncio.run(world.clock.sleep(20))
    twin = Dishwasher()
    twin.restore(world.snapshot())
    for each in (world, twin):
        do(each, "wait_minutes")
    assert twin.snapshot() == world.snapshot()
    with pytest.raises(ValueError, match="another machine"):
        open_dishwasher(KILN).restore(world.snapshot())


# Other machines -------------------------------------------------------------------------------------------------------


def test_a_kiln_is_the_same_machine_in_other_words() -> None:
    kiln = open_dishwasher(KILN)
    kiln.reset(1)
    assert kiln.briefing.guidelines == ""
    do(kiln, "open_kiln")
    do(kiln, "pull_out_shelves")
    do(kiln, "grasp_pot", pot="egg cup")
    do(kiln, "prepare_pot")
    do(kiln, "put_on_shelf", pot="egg cup", shelf="upper shelf")
    do(kiln, "add_glaze", glaze="blue glaze")
    do(kiln, "close_kiln")
    do(kiln, "start_kiln")
    do(kiln, "wait_minutes", minutes=1)
    with pytest.raises(SkillError, match="egg cup 1 is still hot"):
        do(kiln, "check_fired_and_cool")
    do(kiln, "wait_minutes", minutes=15)
    do(kiln, "check_fired_and_cool")
    do(kiln, "return_pots")
    assert kiln.items_at("showroom") == Counter({"egg cup": 1})
    assert "wipe the dust off" in kiln.skills["prepare_pot"].signature.about.lower()


# Pictures -------------------------------------------------------------------------------------------------------------


def test_a_picture_shows_what_was_done(world: Dishwasher) -> None:
    before = world.render(160, 120)
    assert before.shape == (120, 160, 3)
    assert before.dtype == "uint8"
    seen = {before.tobytes()}
    for skill in ("open_dishwasher", "pull_out_racks"):
        do(world, skill)
        seen.add(world.render(160, 120).tobytes())
    do(world, "grasp_utensil", utensil="cup")
    seen.add(world.render(160, 120).tobytes())
    assert len(seen) == 4
    assert open_dishwasher(KILN).render().shape == (240, 320, 3)
    assert world.render(64, 200).shape == (200, 64, 3)
