"""Tables on which things are put beside, between and a little farther, and are measured."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Arguments, Step
from thinkaloud.robots import open_world
from thinkaloud.skills import skills_of
from thinkaloud.skills.self_repair import allowing_repairs
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Extendable, Measured, Twinned, briefing_of, find_ability
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from thinkaloud_worlds.tabletop.around_world import Around
from thinkaloud_worlds.tabletop.extended import ExtendedTable
from thinkaloud_worlds.tabletop.sensor_noise import PAPER_DISTURBANCE, Disturbed
from thinkaloud_worlds.tabletop.statler_worlds import Cups, DomainWorld, PickAndPlace

TABLES = ("tabletop", "pick_and_place", "disinfection", "weight", "cups", "around")
RED, BLUE, GREEN, BOWL = "red block", "blue block", "green block", "yellow bowl"
SCENE = Scene(
    (
        Thing(RED, "block", -0.20, -0.60, "red"),
        Thing(BLUE, "block", 0.15, -0.60, "blue"),
        Thing(GREEN, "block", -0.05, -0.35, "green", yaw=30),
        Thing(BOWL, "bowl", 0.15, -0.35, "yellow"),
    )
)
STACK = Scene(
    (
        Thing(RED, "block", -0.20, -0.50, "red"),
        Thing(BLUE, "block", on=RED, colour="blue"),
        Thing(GREEN, "block", on=BLUE, colour="green"),
        Thing(BOWL, "bowl", 0.10, -0.50, "yellow"),
        Thing("pink block", "block", on=BOWL, colour="pink"),
    )
)


@pytest.fixture
def world() -> ExtendedTable:
    return Tabletop(SCENE).extended()


def do(world: World, skill: str, /, fixes: int = 0, **arguments: Any) -> str:
    given: Arguments = world.skills[skill].refuse(arguments, world.observe())

    async def run() -> str:
        with allowing_repairs(fixes):
            return await world.skills[skill].run(given)

    return asyncio.run(run())


def came_true(world: World, skill: str, **arguments: Any) -> bool:
    """Whether a skill brought about what it promises, and its own check is content."""
    made = world.skills[skill]
    given = made.signature.check(arguments, world.observe().vocabulary)
    assert made.check is not None
    promised = made.promises(given, world.relations)
    return all(map(world.holds, promised)) and made.check(**given) is None


# Where things are -----------------------------------------------------------------------------------------------------


def test_sides_are_those_of_the_person_who_looks(world: ExtendedTable) -> None:
    assert world.left_of(RED, BLUE) and world.right_of(BLUE, RED)
    assert not world.left_of(BLUE, RED) and not world.left_of(BLUE, BOWL)
    assert world.in_front_of(RED, GREEN) and world.behind(GREEN, RED)
    assert not world.behind(RED, BLUE)
    picture = world.render(160, 120).astype(int)
    reddish = [(row, column) for row in range(120) for column in range(160) if _is(picture[row, column], (226, 72, 74))]
    blueish = [
        (row, column) for row in range(120) for column in range(160) if _is(picture[row, column], (58, 110, 190))
    ]
    greenish = [
        (row, column) for row in range(120) for column in range(160) if _is(picture[row, column], (89, 161, 79))
    ]
    red, blue, green = (
        tuple(sum(axis) / len(axis) for axis in zip(*each, strict=True)) for each in (reddish, blueish, greenish)
    )
    assert red[1] < blue[1]  # left in the picture
    assert red[0] > green[0]  # in front: farther down


def _is(colour: object, wanted: tuple[int, int, int]) -> bool:
    r, g, b = (int(value) for value in colour)  # type: ignore[attr-defined]
    total, whole = max(r + g + b, 1), sum(wanted)
    return total > 150 and all(abs(c / total - w / whole) < 0.06 for c, w in zip((r, g, b), wanted, strict=True))


def test_measures_say_where_things_are(world: ExtendedTable) -> None:
    assert (world.x(RED), world.y(RED), world.height(RED), world.level(RED), world.size(RED)) == (10, 20, 4, 0, 4)
    assert world.distance(RED, BLUE) == 35
    assert sorted([BLUE, GREEN, RED], key=world.x)[1] == GREEN
    assert min([RED, GREEN, BLUE], key=lambda block: world.distance(block, BOWL)) == GREEN
    assert world.distance("middle", RED) == pytest.approx(22.4)
    assert world.x("middle") == 30 and world.level("middle") == 0
    with pytest.raises(UnknownName):
        world.x("white block")
    with pytest.raises(UnknownName):
        world.left_of(RED, "white block")
    assert {*world.measures} == {"x", "y", "height", "level", "size", "distance"}


@pytest.mark.parametrize("make", [Tabletop, PickAndPlace])
def test_levels_and_heights_tell_what_is_lowest_and_in_the_middle(make: type[Tabletop]) -> None:
    world = make(STACK).extended()
    assert [world.level(name) for name in (RED, BLUE, GREEN, BOWL, "pink block")] == [0, 1, 2, 0, 1]
    assert [round(world.height(name)) for name in (RED, BLUE, GREEN)] == [4, 8, 12]
    assert world.height("pink block") < world.height(BLUE)
    assert not world.next_to(BLUE, RED) and not world.left_of("pink block", BOWL)
    assert world.left_of(BLUE, "pink block")


def test_what_stands_on_the_table_itself() -> None:
    world = Tabletop(STACK).extended()
    assert world.on_table(RED) and world.on_table(BOWL)
    assert not world.on_table(GREEN) and not world.on_table("pink block")
    assert "on_table" not in PickAndPlace(STACK).extended().relations  # there `on` says it


def test_in_the_domains_it_is_told_what_is_right_under_a_thing_and_what_is_empty() -> None:
    world: Any = PickAndPlace(STACK).extended()
    assert world.under(BLUE, GREEN) and world.under(BOWL, "pink block")
    assert not world.under(RED, GREEN) and not world.under(GREEN, BLUE)
    assert [name for name in world.physics.names if world.empty(name)] == [GREEN, "pink block"]


def test_in_the_domains_places_and_moves_are_lists_that_can_be_named() -> None:
    world: Any = PickAndPlace(STACK).extended()
    assert world.beneath(GREEN) == (BLUE,) and world.beneath(RED) == ("table",)
    assert world.atop(BLUE) == (GREEN,) and world.atop(BOWL) == ("pink block",) and world.atop(GREEN) == ()
    assert world.container("pink block") == (BOWL,) and world.container(GREEN) == ()
    assert world.loose(GREEN) and not world.loose("pink block")
    put = world.skills["pick_and_place"]
    steps = [put.step({"object": name, "target": BOWL}) for name in (RED, GREEN, GREEN, RED)]
    assert world.moved() == ()
    world.recall([*steps, Step("say", {"text": "Done."}, "Say it.")])
    assert world.moved() == (RED, GREEN, RED)


def test_what_is_held_is_nowhere_on_the_table() -> None:
    world = Around().extended()
    thing, other = world.physics.names[:2]
    asyncio.run(world.locate(thing))
    asyncio.run(world.pick_up(thing))
    assert not any(getattr(world, name)(thing, other) for name in ("left_of", "right_of", "behind", "in_front_of"))
    assert not world.next_to(thing, other) and not world.on_table(thing)


# Putting things somewhere ---------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("side", ["left of", "right of", "in front of", "behind", "next to"])
def test_a_thing_is_put_beside_another(world: ExtendedTable, side: str) -> None:
    for object, target in ((RED, GREEN), (GREEN, BLUE)):
        report = do(world, "put_beside", object=object, side=side, target=target)
        assert f", {side} the {target}" in report
        assert came_true(world, "put_beside", object=object, side=side, target=target)
        assert world.on_table(object)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for seed, kind in enumerate(TABLES)])
def test_every_table_puts_things_beside_others_or_says_why_not(kind: str, seed: int) -> None:
    found = find_ability(open_world(kind), Extendable)
    assert found is not None
    world = found.extended()
    world.reset(seed)
    vocabulary, done = world.observe().vocabulary, 0
    pairs = [(one, other) for one in vocabulary["object"] for other in vocabulary["thing"] if one != other]
    for number, side in enumerate(("left of", "behind", "next to")):
        object, target = pairs[(seed + 5 * number) % len(pairs)]
        try:
            do(world, "put_beside", object=object, side=side, target=target)
        except SkillError as error:
            assert "no room" in str(error) or "first" in str(error) or "is in the way" in str(error), error
            continue
        assert came_true(world, "put_beside", object=object, side=side, target=target)
        done += 1
    assert done >= 1


def test_a_thing_is_put_between_two(world: ExtendedTable) -> None:
    report = do(world, "put_between", object=GREEN, one=RED, other=BLUE)
    assert "between the red block and the blue block" in report
    assert world.between(GREEN, RED, BLUE) and world.between(GREEN, BLUE, RED)
    assert not world.between(RED, GREEN, BLUE)
    assert world.x(GREEN) == pytest.approx(27.5, abs=1.5)


@pytest.mark.parametrize(
    ("direction", "dx", "dy"), [("left", -4, 0), ("right", 4, 0), ("forward", 0, -4), ("back", 0, 4)]
)
def test_a_thing_is_shifted(world: ExtendedTable, direction: str, dx: float, dy: float) -> None:
    x, y = world.x(GREEN), world.y(GREEN)
    do(world, "shift", object=GREEN, direction=direction, centimetres=4)
    assert [world.x(GREEN), world.y(GREEN)] == pytest.approx([x + dx, y + dy], abs=0.7)
    assert came_true(world, "shift", object=GREEN, direction=direction, centimetres=4)


def test_what_was_in_a_bowl_or_on_a_stack_is_put_on_the_table() -> None:
    world = Tabletop(STACK).extended()
    do(world, "put_beside", object="pink block", side="right of", target=BOWL)
    do(world, "put_beside", object=GREEN, side="left of", target=BOWL)
    do(world, "put_beside", object=BLUE, side="in front of", target=GREEN)
    assert world.on_table("pink block") and world.on_table(GREEN) and world.on_table(BLUE)
    assert world.next_to(BLUE, GREEN) and world.in_front_of(BLUE, GREEN)


@pytest.mark.parametrize("make", [Tabletop, PickAndPlace])
def test_what_a_thing_was_on_it_leaves(make: type[Tabletop]) -> None:
    world = make(STACK).extended()
    beside: Arguments = {"object": GREEN, "side": "left of", "target": BOWL}
    gone = world.skills["put_beside"].revokes(beside, world.relations)
    assert [each.arguments["target"] for each in gone] == [RED, BLUE, BOWL, "pink block"]
    for target, left in ((BOWL, [RED, BLUE]), (RED, [BOWL, "pink block"])):
        onto: Arguments = {"object": GREEN, "target": target}
        ends = world.skills["pick_and_place"].revokes(onto, world.relations)
        assert [each.arguments["target"] for each in ends] == left
    assert not world.skills["shift"].effects and not world.skills["shift"].ends  # else it would be so already
    do(world, "pick_and_place", object=GREEN, target=BOWL)
    assert not any(
        map(world.holds, world.skills["pick_and_place"].revokes({"object": GREEN, "target": BOWL}, world.relations))
    )


def test_noise_is_mostly_overcome_with_remedies_and_often_without() -> None:
    right = {0: 0, 4: 0}
    for fixes in right:
        world = Disturbed(Tabletop(SCENE), PAPER_DISTURBANCE)
        assert world.extended is not None
        extended = world.extended()
        for seed in range(5):
            extended.reset(seed)
            do(extended, "put_beside", fixes, object=RED, side="right of", target=GREEN)
            right[fixes] += came_true(extended, "put_beside", object=RED, side="right of", target=GREEN)
    assert right[0] >= 3 and right[4] >= 4


def test_a_thing_in_a_stack_is_where_the_stack_is() -> None:
    world = PickAndPlace(STACK).extended()
    do(world, "put_beside", object="pink block", side="left of", target=RED)
    assert world.left_of("pink block", RED) and world.next_to("pink block", RED) and world.next_to("pink block", GREEN)


# What cannot be -------------------------------------------------------------------------------------------------------


def refused(world: World, skill: str, **arguments: Any) -> str:
    """What is said before anything moves, by the precondition and by the skill itself."""
    before = world.snapshot()
    with pytest.raises(SkillError) as said:
        do(world, skill, **arguments)
    with pytest.raises(SkillError):
        asyncio.run(world.skills[skill].run(arguments))
    assert world.snapshot() == before
    return str(said.value)


def test_no_room_is_said_with_what_is_in_the_way() -> None:
    near = Thing("pink block", "block", -0.05, -0.60, "pink")
    edge = Thing("cyan block", "block", -0.27, -0.27, "cyan")
    close = Thing("gray block", "block", 0.22, -0.60, "gray")
    world = Tabletop(Scene((*SCENE.objects, near, edge, close))).extended()
    assert refused(world, "put_beside", object=RED, side="left of", target="cyan block") == (
        "There is no room for the red block left of the cyan block: the table ends there."
    )
    said = refused(world, "put_between", object=RED, one=BLUE, other="gray block")
    assert said.endswith("between the blue block and the gray block: they are too close to each other.")
    assert refused(world, "shift", object=RED, direction="right", centimetres=15) == (
        "There is no room for the red block 15 cm to the right: the pink block is in the way."
    )
    assert "the table ends there" in refused(world, "shift", object=RED, direction="left", centimetres=9)


@pytest.mark.parametrize("centimetres", [0, -3, 100])
def test_a_shift_is_by_some_centimetres(world: ExtendedTable, centimetres: float) -> None:
    said = refused(world, "shift", object=RED, direction="left", centimetres=centimetres)
    assert said.startswith("A thing can be moved by more than 0 and at most 60 cm")


def test_what_is_not_there_or_cannot_be_moved_is_named(world: ExtendedTable) -> None:
    for wrong, target in ((BOWL, RED), ("white block", RED), (RED, RED)):
        with pytest.raises(SkillError):
            do(world, "put_beside", object=wrong, side="left of", target=target)
    with pytest.raises(SkillError, match="There is no side 'under'"):
        do(world, "put_beside", object=RED, side="under", target=BLUE)


def test_what_has_something_on_it_is_not_moved() -> None:
    world = Tabletop(STACK).extended()
    with pytest.raises(SkillError, match=r"The blue block is on the red block: put it somewhere else first\."):
        asyncio.run(world.put_beside(RED, "right of", BOWL))
    cups = Cups(
        Scene((Thing(RED, "block", 0.0, -0.5), Thing("blue cup", "cup", on=RED), Thing(BLUE, "block", 0.2, -0.5)))
    )
    with pytest.raises(SkillError, match="The blue cup is over the red block: put it on an empty space first"):
        asyncio.run(cups.extended().put_beside(RED, "right of", BLUE))


def test_what_is_covered_and_was_not_seen_is_not_there() -> None:
    world = Tabletop(STACK).extended()
    with pytest.raises(SkillError, match="There is no object 'red block' here"):
        do(world, "put_beside", object=RED, side="left of", target=BOWL)


def test_in_the_domains_what_is_on_a_thing_is_set_aside_first() -> None:
    world = PickAndPlace(STACK).extended()
    report = do(world, "put_beside", object=BLUE, side="left of", target=BOWL)
    assert report.startswith("Set the green block aside.")
    assert came_true(world, "put_beside", object=BLUE, side="left of", target=BOWL)


def test_what_fell_off_the_table_is_noticed(world: ExtendedTable) -> None:
    world.physics.put(RED, (0.0, -2.0, -0.6))
    check = world.skills["put_beside"].check
    assert check is not None
    assert check(object=RED, side="left of", target=BLUE) == "The red block is no longer on the table."
    with pytest.raises(SkillError, match="is not on the table"):
        asyncio.run(world.put_beside(BLUE, "left of", RED))


# The same world -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TABLES)
def test_it_is_the_same_world_in_the_same_live_state(kind: str) -> None:
    plain = open_world(kind)
    skills, relations = {*plain.skills}, {*plain.relations}
    extendable = find_ability(plain, Extendable)
    assert extendable is not None
    world = extendable.extended()
    assert {*world.skills} == skills | {"put_beside", "put_between", "shift"} and {*plain.skills} == skills
    assert {*world.relations} > relations and {*plain.relations} == relations == {*plain.relations}
    assert find_ability(plain, Measured) is None and find_ability(world, Measured) is not None
    plain.reset(3)
    assert world.snapshot() == plain.snapshot() and world.clock is plain.clock and world.name == plain.name
    before, now = plain.observe(), world.observe()
    assert (now.hidden, now.state) == (before.hidden, before.state) and sorted(now.objects) == sorted(before.objects)
    assert {*before.vocabulary} <= {*now.vocabulary}
    assert all(sorted(names) == sorted(now.vocabulary[kind]) for kind, names in before.vocabulary.items())
    world.reset(4)
    assert world.snapshot() == plain.snapshot()
    assert briefing_of(world).preset == briefing_of(plain).preset


def test_a_twin_can_do_as_much_and_changes_nothing_here(world: ExtendedTable) -> None:
    before = world.snapshot()
    found = find_ability(world, Twinned)
    assert found is not None
    twin = found.twin()
    assert isinstance(twin, ExtendedTable) and twin.snapshot() == before
    do(twin, "put_beside", object=RED, side="left of", target=BOWL)
    assert world.snapshot() == before and twin.snapshot() != before
    world.restore(twin.snapshot())
    assert world.left_of(RED, BOWL) and world.next_to(RED, BOWL)
    assert world.extended() is world


def test_noise_is_shared_with_the_disturbed_world() -> None:
    plain, other = Disturbed(Tabletop(SCENE), PAPER_DISTURBANCE), Disturbed(Tabletop(SCENE), PAPER_DISTURBANCE)
    assert plain.extended is not None
    extended = plain.extended()
    for world in (plain, other):
        world.reset(5)
    one: dict[str, Any] = {"object": RED, "target": BOWL}
    assert do(extended, "pick_and_place", **one) == do(other, "pick_and_place", **one)
    two: dict[str, Any] = {"object": BLUE, "target": BOWL}
    assert do(plain, "pick_and_place", **two) == do(other, "pick_and_place", **two)
    assert extended.snapshot() == plain.snapshot() == other.snapshot()
    assert isinstance(extended.twin(), ExtendedTable)
    assert Disturbed(open_world("around")).extended is not None  # type: ignore[arg-type]


def test_the_plain_worlds_have_no_more_than_before() -> None:
    assert {*skills_of(Tabletop(SCENE))} == {"pick_and_place"}
    assert {*Tabletop(SCENE).observe().vocabulary} == {"object", "target", "object in view", "target in view"}
    assert isinstance(DomainWorld("weight").extended(), ExtendedTable)
    assert math.isinf(Tabletop(SCENE).extended()._gap(RED, "middle"))


def test_what_stands_at_the_edge_comes_last_where_any_will_do() -> None:
    things = (Thing(RED, "block", 0.0, -0.24, "red"), Thing(BLUE, "block", 0.0, -0.5, "blue"))
    whole = FullWorld(Tabletop(Scene((*things, Thing(BOWL, "bowl", 0.2, -0.5, "yellow")))))
    seen = whole.observe()
    assert seen.objects == (BLUE, BOWL, RED)
    assert lexicon_of(whole, seen).kinds["blocks"] == (BLUE, RED)
