"""The kitchen: what the robot sees and remembers, what its skills come to, people in its way, a twin that supposes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from thinkaloud.episode.ticks import Pace, pacing
from thinkaloud.errors import BadScene, SkillError, UnknownName
from thinkaloud.records import Condition, Observation, Request
from thinkaloud.worlds.contract import Extendable, find_ability
from thinkaloud_worlds.kitchen import (
    DRAWERS,
    ITEMS,
    LOCATIONS,
    Disturbs,
    Kitchen,
    KitchenScene,
    PlacedItem,
    draw_kitchen,
    read_kitchen_scene,
)
from thinkaloud_worlds.kitchen.declared_effects import NEEDLESS, UNLIKELY
from thinkaloud_worlds.kitchen.true_state import GONE, HAND

SCENE = KitchenScene(
    (PlacedItem("coke", "counter"), PlacedItem("apple", "table"), PlacedItem("tea", "top drawer")), "table"
)


def kitchen(scene: KitchenScene = SCENE, **other: object) -> Kitchen:
    world = Kitchen(msgspec.structs.replace(scene, **other))
    world.reset(1)
    return world


def do(world: Kitchen, *calls: tuple[str, ...]) -> list[str]:
    async def run() -> list[str]:
        found = []
        for name, *values in calls:
            skill = world.skills[name]
            given = dict(zip((p.name for p in skill.signature.parameters), values, strict=True))
            found.append(await skill.run(skill.refuse(given, world.observe())))
        return found

    return asyncio.run(run())


def is_so(world: Kitchen, relation: str, **arguments: str) -> bool:
    return world.holds(Condition(relation, arguments, ""))


FETCH = (("find", "coke"), ("pick_up", "coke"))


def test_there_are_five_locations_and_fifteen_items() -> None:
    assert len(LOCATIONS) == 5 and len(ITEMS) == 15 and len(DRAWERS) == 2
    assert {"find", "go_to", "pick_up", "put_down", "put_in", "bring_it_to_you", "open_drawer", "close_drawer"} == {
        *Kitchen().skills
    }


def test_the_robot_sees_what_lies_where_it_stands_and_remembers_the_rest() -> None:
    world = kitchen()
    assert world.observe().objects == ("apple",)
    assert not is_so(world, "item_at", item="coke", location="counter")  # nobody has told it
    do(world, ("find", "coke"))
    seen = world.observe()
    assert seen.objects == ("coke",) and seen.hidden == ("apple",)
    assert is_so(world, "item_at", item="coke", location="counter")
    assert is_so(world, "item_at", item="apple", location="table") and not is_so(world, "in_view", item="apple")


def test_what_is_in_a_drawer_is_seen_when_it_is_open() -> None:
    world = kitchen()
    with pytest.raises(SkillError, match="The tea is nowhere to be seen: not at the table, not at the"):
        do(world, ("find", "tea"))
    do(world, ("go_to", "drawer cabinet"), ("open_drawer", "top drawer"))
    assert world.observe().objects == ("tea", *DRAWERS)
    do(world, ("pick_up", "tea"), ("put_down", "tea"), ("close_drawer", "top drawer"))
    assert world.room.places["tea"] == "drawer cabinet" and is_so(world, "closed", drawer="top drawer")


def test_things_are_fetched_and_carried_and_it_takes_time() -> None:
    world = kitchen()
    do(world, *FETCH, ("bring_it_to_you",))
    assert world.room.held == "coke" and is_so(world, "at", location="user")
    assert world.observe().objects == ("coke",) and world.clock.now() > 20
    do(world, ("put_down", "coke"))
    assert world.room.places["coke"] == "user" and is_so(world, "hand_empty")


def test_a_thing_gets_into_a_drawer_only_by_an_empty_hand_that_opened_it() -> None:
    world = kitchen()
    do(world, *FETCH, ("go_to", "drawer cabinet"))
    with pytest.raises(SkillError, match="The top drawer is not open"):
        do(world, ("put_in", "coke", "top drawer"))
    with pytest.raises(SkillError, match="The hand is not empty: the robot holds the coke"):
        do(world, ("open_drawer", "top drawer"))
    do(
        world,
        ("put_down", "coke"),
        ("open_drawer", "top drawer"),
        ("pick_up", "coke"),
        ("put_in", "coke", "top drawer"),
    )
    assert world.room.places["coke"] == "top drawer" and is_so(world, "inside", item="coke", drawer="top drawer")


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (("pick_up", "coke"), "The coke is not in view"),
        (("put_down", "coke"), "does not hold the coke; it holds nothing"),
        (("bring_it_to_you",), "holds nothing"),
        (("open_drawer", "top drawer"), "out of reach; it is at the drawer cabinet"),
    ],
)
def test_what_cannot_be_begun_is_refused_with_the_reason_and_nothing_moves(call: tuple[str, ...], why: str) -> None:
    world = kitchen()
    before = world.snapshot()
    with pytest.raises(SkillError, match=why):
        do(world, call)
    assert world.snapshot() == before
    names = (p.name for p in world.skills[call[0]].signature.parameters)
    with pytest.raises(SkillError, match=why):  # also where nobody has asked before
        asyncio.run(world.skills[call[0]].run(dict(zip(names, call[1:], strict=True))))


@pytest.mark.parametrize(
    ("skill", "value", "kind"),
    [("find", "hammer", "item"), ("go_to", "moon", "location"), ("open_drawer", "third drawer", "drawer")],
)
def test_what_is_unknown_is_named_and_the_robot_holds_still(skill: str, value: str, kind: str) -> None:
    world = kitchen()
    before = world.snapshot()
    with pytest.raises(SkillError, match=f"There is no {kind} '{value}' here; there is: "):
        do(world, (skill, value))
    with pytest.raises(UnknownName, match=f"There is no {kind} '{value}'"):
        asyncio.run(world.skills[skill].run({world.skills[skill].signature.parameters[0].name: value}))
    assert world.snapshot() == before


# Failing --------------------------------------------------------------------------------------------------------------


def test_skills_come_to_nothing_at_the_rate_of_the_scene_and_do_not_notice() -> None:
    world = kitchen(rates={"pick_up": 0.3})
    do(world, ("find", "coke"))
    start, held, said = world.snapshot(), 0, set[str]()
    for seed in range(200):
        world.restore(start)
        world.room.seed = seed
        said |= {*do(world, ("pick_up", "coke"))}
        held += world.room.held == "coke"
    assert 0.6 < held / 200 < 0.8
    assert len(said) == 1


@pytest.mark.parametrize(
    ("before", "call", "relation"),
    [
        ((), ("find", "coke"), ("in_view", {"item": "coke"})),
        ((), ("go_to", "counter"), ("at", {"location": "counter"})),
        ((("go_to", "drawer cabinet"),), ("open_drawer", "top drawer"), ("opened", {"drawer": "top drawer"})),
        (FETCH, ("put_down", "coke"), ("hand_empty", {})),
        (FETCH, ("bring_it_to_you",), ("at", {"location": "user"})),
    ],
)
def test_each_skill_can_come_to_nothing(
    before: tuple[tuple[str, ...], ...], call: tuple[str, ...], relation: tuple[str, dict[str, str]]
) -> None:
    for rate in (0.0, 1.0):
        world = kitchen()
        do(world, *before)
        world.room.scene = msgspec.structs.replace(SCENE, rates={call[0]: rate})
        do(world, call)
        assert is_so(world, relation[0], **relation[1]) is (rate == 0.0)


# People ---------------------------------------------------------------------------------------------------------------


def test_a_person_takes_away_what_is_being_picked_up_once() -> None:
    world = kitchen(people=(Disturbs("takes", during="pick_up"),))
    do(world, *FETCH)
    assert world.room.places["coke"] == GONE and not world.room.held
    assert "coke" not in world.observe().objects and not is_so(world, "item_at", item="coke", location="counter")
    do(world, ("go_to", "table"), ("pick_up", "apple"))
    assert world.room.places["apple"] == HAND


def test_a_person_moves_a_thing_and_the_robot_finds_it_again() -> None:
    world = kitchen(people=(Disturbs("moves", during="pick_up", to="table"),))
    do(world, *FETCH, *FETCH)
    assert world.room.held == "coke" and world.room.place == "table"


def test_a_person_closes_the_drawer_that_is_being_opened() -> None:
    world = kitchen(people=(Disturbs("closes", during="open_drawer"),))
    do(world, ("go_to", "drawer cabinet"), ("open_drawer", "top drawer"))
    assert is_so(world, "closed", drawer="top drawer")
    do(world, ("open_drawer", "top drawer"))
    assert is_so(world, "opened", drawer="top drawer")


def test_a_person_knocks_a_thing_out_of_the_hand_and_comes_when_it_is_time() -> None:
    world = kitchen(people=(Disturbs("knocks", item="coke", after=0.0), Disturbs("takes", item="apple", after=3.0)))
    do(world, *FETCH)
    world.room.come.clear()
    asyncio.run(world.clock.sleep(1.0))
    assert world.room.places == {"coke": "counter", "apple": GONE, "tea": "top drawer"}


def test_a_person_who_knocks_against_the_hand_spoils_the_grasp() -> None:
    world = kitchen(people=(Disturbs("knocks", during="pick_up"), Disturbs("knocks", during="go_to")))
    do(world, *FETCH)
    assert world.room.held == "" and world.room.places["coke"] == "counter"
    do(world, ("pick_up", "coke"), ("go_to", "trash"))
    assert world.room.places["coke"] == "trash"
    assert is_so(world, "hand_empty")


def test_a_stop_on_the_way_leaves_the_robot_there() -> None:
    world = kitchen()
    do(world, *FETCH)
    heard = iter([None] * 3 + [Request("no, come back")])

    async def run() -> None:
        with pacing(Pace(hear=lambda: next(heard, None))):
            await world.skills["go_to"].run({"location": "user"})

    with pytest.raises(BaseException, match="come back"):
        asyncio.run(run())
    assert world.room.place == "" and world.room.held == "coke"
    do(world, ("go_to", "table"), ("put_down", "coke"))
    assert world.room.places["coke"] == "table"


# Value functions ------------------------------------------------------------------------------------------------------


def value(world: Kitchen, name: str, *given: str, seen: Observation | None = None) -> float:
    skill = world.skills[name]
    assert skill.affordance is not None
    values = dict(zip((p.name for p in skill.signature.parameters), given, strict=True))
    return skill.affordance(seen or world.observe(), **values)


def test_values_depend_on_what_the_robot_sees() -> None:
    world = kitchen(rates={"pick_up": 0.25})
    assert (value(world, "pick_up", "coke"), value(world, "find", "coke")) == (UNLIKELY, 1.0)
    assert value(world, "go_to", "table") == NEEDLESS and value(world, "go_to", "trash") == 1.0
    do(world, ("find", "coke"))
    assert (value(world, "pick_up", "coke"), value(world, "find", "coke")) == (0.75, NEEDLESS)
    overlooked = world.observe()
    assert (
        value(world, "pick_up", "coke", seen=Observation((), overlooked.vocabulary, state=overlooked.state)) == UNLIKELY
    )
    assert value(world, "put_down", "coke") == value(world, "bring_it_to_you") == 0.0
    world.room.scene = SCENE
    do(world, ("pick_up", "coke"))
    assert value(world, "pick_up", "coke") == value(world, "find", "coke") == 0.0
    assert value(world, "put_down", "coke") == value(world, "bring_it_to_you") == 1.0
    assert value(world, "put_in", "coke", "top drawer") == value(world, "open_drawer", "top drawer") == 0.0


def test_a_drawer_is_worth_opening_where_it_is_closed_and_the_hand_empty() -> None:
    world = kitchen()
    assert value(world, "open_drawer", "top drawer") == 0.0
    do(world, ("go_to", "drawer cabinet"))
    assert (value(world, "open_drawer", "top drawer"), value(world, "close_drawer", "top drawer")) == (1.0, NEEDLESS)


# Twins and the extended world -----------------------------------------------------------------------------------------


def test_a_twin_knows_what_the_robot_has_seen_and_supposes_the_rest() -> None:
    world = kitchen(rates={"pick_up": 1.0}, people=(Disturbs("takes", during="find", item="coke"),))
    twin = world.twin()
    do(twin, ("find", "redbull"), ("pick_up", "redbull"))  # there is none, but who knows
    assert twin.room.held == "redbull" and world.room.places == {
        "coke": "counter",
        "apple": "table",
        "tea": "top drawer",
    }
    other = world.twin()
    do(other, *FETCH)
    assert other.room.held == "coke", "nobody knows beforehand what will fail, or who will come"
    with pytest.raises(SkillError):
        do(world, *FETCH)


def test_what_is_put_down_can_be_said_with_where() -> None:
    world = kitchen()
    extendable = find_ability(world, Extendable)
    assert extendable is not None
    extended = extendable.extended()
    do(world, *FETCH, ("go_to", "trash"))
    with pytest.raises(SkillError, match="not at the table"):
        asyncio.run(extended.skills["place"].run({"item": "coke", "location": "table"}))
    asyncio.run(extended.skills["place"].run({"item": "coke", "location": "trash"}))
    assert world.room.places["coke"] == "trash"


# Scenes ---------------------------------------------------------------------------------------------------------------


def test_a_scene_is_read_and_written_and_the_example_is_one() -> None:
    path = Path(__file__).parents[2] / "examples" / "scenes" / "office_kitchen.toml"
    scene = read_kitchen_scene(path.read_text(), str(path))
    assert read_kitchen_scene(scene.to_json()) == scene
    assert scene.rates["pick_up"] == 0.2 and scene.people[0].does == "moves"
    assert Kitchen(scene).observe().objects == ("coke",)


def test_every_seed_draws_another_kitchen() -> None:
    assert len({draw_kitchen(seed).to_json() for seed in range(20)}) == 20
    assert all(len(draw_kitchen(seed).items) == 9 for seed in range(5))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('start = "tabel"', r"k.toml:1: .*'tabel' \(did you mean 'table'\?\); a location is one of: counter"),
        ('start = "table"\n[[item]]\nname = "coke"\nat = "moon"', r"k.toml:2: The coke cannot be at 'moon'"),
        ('[[item]]\nname = "coke"\nat = "table"\n[[item]]\nname = "Coke"\nat = "user"', r"k.toml:4: Two items"),
        ('[[item]]\nname = "coke, apple"\nat = "table"', r"k.toml:1: .* is no usable name"),
        ('[[item]]\nname = "table"\nat = "table"', r"k.toml:1: An item cannot be called 'table'"),
        ('[[item]]\nname = "coke"', r"k.toml:1: item 1: the field `at` is missing; an entry of 'item' has name, at"),
        (
            '[[item]]\nname = "coke"\nat = "table"\ncolour = "red"',
            r"k.toml:1: item 1: it contains unknown field `colour`",
        ),
        ("\nrates = {pick_up = 2.0}", r"k.toml:2: pick_up has a failure rate of 2; rates must be 0"),
        ("rates = {pick_up = nan}", r"k.toml:1: pick_up has a failure rate of nan"),
        ('rates = {pick_up = "often"}', r"k.toml:1: Expected `float`, got `str`"),
        ("rates = {jump = 0.1}", r"k.toml:1: rates names an unknown skill: 'jump'; a skill is one of"),
        ('open = ["left drawer"]', r"k.toml:1: open names an unknown drawer: 'left drawer'"),
        ('\n\n[[person]]\ndoes = "takes"', r"k.toml:3: A person comes either"),
        ('[[person]]\ndoes = "eats"\nduring = "find"', r"k.toml:1: person 1: Invalid enum value 'eats'"),
        (
            '[[person]]\ndoes = "moves"\nduring = "find"\nto = "roof"',
            r"k.toml:1: A person moves something to an unknown place: 'roof'",
        ),
        ('[[person]]\ndoes = "takes"\nafter = 5', r"k.toml:1: A person who takes something after some seconds"),
        ('[[person]]\ndoes = "takes"\nafter = -5\nitem = "coke"', r"k.toml:1: A person comes after -5 s"),
        ('[[person]]\ndoes = "takes"\nduring = "fnid"', r"did you mean 'find'"),
        ("cookers = 3", r"k.toml:1: it contains unknown field `cookers`; a scene has start"),
        ("start = ", r"k.toml:1: is not TOML"),
        ('{"item": [{"name": "coke",\n"at": 3}]}', r"k.toml:1:"),
    ],
)
def test_what_is_wrong_with_a_scene_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(BadScene, match=told) as refused:
        read_kitchen_scene(text, "k.toml")
    assert "\n" not in str(refused.value)


def test_a_damaged_snapshot_is_refused() -> None:
    world = kitchen()
    saved = msgspec.msgpack.decode(world.snapshot())
    for index, wrong in ((6, {"coke": "the moon"}), (5, [float("nan"), 0.0]), (6, {"coke": HAND, "apple": HAND})):
        damaged = [*saved]
        damaged[index] = wrong
        with pytest.raises(ValueError, match="snapshot"):
            world.restore(msgspec.msgpack.encode(damaged))
    with pytest.raises(ValueError, match="another kitchen"):
        world.restore(Kitchen(KitchenScene()).snapshot())
