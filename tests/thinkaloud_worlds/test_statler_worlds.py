"""The worlds of the four domains: what moves lead to, what is hidden, and what is really so."""

import asyncio
import math
import time
from contextlib import suppress

import numpy as np
import pytest

from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import BadScene, SkillError, UnknownName
from thinkaloud.records import Observation, Stop, WorldState
from thinkaloud.robots import open_world
from thinkaloud.state.edits import lies_on, supports
from thinkaloud.worlds.contract import Pictured, find_ability
from thinkaloud_worlds.tabletop import DomainWorld, Scene, Thing, scene_of
from thinkaloud_worlds.tabletop.layout import MORE_COLOURS
from thinkaloud_worlds.tabletop.sensor_noise import Disturbance, Disturbed
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS, after_put, must_go_first

BLOCKS = ("white block", "teal block", "golden block", "tan block", "black block")
SHELVES = (*BLOCKS, "pink bowl", "tan bowl", "disinfector")
TOYS = ("rubiks cube", "toy wheel", "yellow block", "blue cup", "black cup", "red cup")


def made(domain: str, *pairs: tuple[str, str], names: tuple[str, ...] = SHELVES) -> DomainWorld:
    state = WorldState(TOYS if domain == "cups" else names, tuple(lies_on(*pair) for pair in pairs))
    return DomainWorld(domain, scene_of(state, 3, domain))


def put(world: DomainWorld, *moves: tuple[str, str]) -> list[str]:
    async def run() -> list[str]:
        return [await world.pick_and_place(thing, target) for thing, target in moves]

    return asyncio.run(run())


def dirty(world: DomainWorld) -> set[str]:
    return {name for name, words in world.truth().attributes.items() if words.get("dirty")}


def known(state: WorldState) -> tuple[object, object]:
    return supports(state), {name: dict(words) for name, words in state.attributes.items() if words}


# Moves ----------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", DOMAINS)
def test_what_really_happens_is_what_the_rules_say(name: str) -> None:
    world, rng = DomainWorld(name), np.random.default_rng(11)
    for move in range(8):
        if move % 4 == 0:
            world.reset(move)
        before, vocabulary = world.truth(), world.observe().vocabulary
        while True:
            thing, target = str(rng.choice(vocabulary["object"])), str(rng.choice(vocabulary["target"]))
            if thing != target and not must_go_first(world.domain, before, thing, target):
                break
        put(world, (thing, target))
        assert known(world.truth()) == known(after_put(world.domain, before, thing, target)), (move, thing, target)
        assert world.on(thing, target)


def test_a_move_takes_less_than_a_quarter_of_a_second_of_computing() -> None:
    world = made("disinfection")
    start = time.process_time()
    put(world, *((name, "pink bowl") for name in BLOCKS))
    assert (time.process_time() - start) / len(BLOCKS) < 0.25


def test_seven_blocks_lie_side_by_side_in_a_bowl_and_the_next_on_top() -> None:
    blocks = tuple(f"{colour} block" for colour in ("red", "tan", "teal", "gray", "pink", "lime", "navy", "olive"))
    world = made("pick_and_place", names=(*blocks, "pink bowl"))
    put(world, *((block, "pink bowl") for block in blocks))
    assert [supports(world.truth())[block] for block in blocks[:7]] == ["pink bowl"] * 7
    assert supports(world.truth())["olive block"] in blocks
    assert all(world.on(block, "pink bowl") for block in blocks)


def test_a_covered_block_is_freed_first_and_a_covered_target_is_built_on() -> None:
    world = made("pick_and_place", ("teal block", "white block"), ("golden block", "teal block"))
    (report,) = put(world, ("tan block", "white block"))
    assert supports(world.truth())["tan block"] == "golden block"
    (report,) = put(world, ("white block", "pink bowl"))
    assert report.startswith("Set the tan block aside. Set the golden block aside. Set the teal block aside. Picked up")
    assert supports(world.truth()) == {"white block": "pink bowl"}
    for name in BLOCKS[1:4]:
        x, y, z = world.position(name)
        assert z == pytest.approx(0.015, abs=2e-3)
        assert world.on(name, "table")
        assert abs(x) < 0.26
        assert -0.76 < y < -0.24


def test_a_thing_that_is_there_already_stays() -> None:
    world = made("pick_and_place", ("teal block", "white block"), ("golden block", "teal block"))
    before = world.physics.state()
    assert put(world, ("golden block", "white block")) == ["The golden block is on the white block already."]
    assert world.physics.state() == before


def test_on_the_table_is_where_there_is_room() -> None:
    world = made("pick_and_place", *((name, "pink bowl") for name in BLOCKS))
    for name in BLOCKS:
        put(world, (name, "table"))
        assert world.on(name, "table")
        assert world.on(name, "empty space")
        assert not world.on(name, "pink bowl")
    spots = [world.position(name)[:2] for name in BLOCKS]
    assert min(math.dist(a, b) for i, a in enumerate(spots) for b in spots[:i]) > 0.05


def test_things_that_are_not_there_are_named() -> None:
    world = made("pick_and_place")
    with pytest.raises(UnknownName, match="Did you mean 'white block'"):
        put(world, ("whit block", "pink bowl"))
    with pytest.raises(UnknownName):
        put(world, ("pink bowl", "table"))
    with pytest.raises(UnknownName, match="Did you mean 'cups'"):
        DomainWorld("cup")


# Cups -----------------------------------------------------------------------------------------------------------------


def test_a_cup_hides_what_is_under_it_and_shows_it_again() -> None:
    world = made("cups")
    assert "rubiks cube" in world.observe().objects
    put(world, ("blue cup", "rubiks cube"))
    seen = world.observe()
    assert seen.hidden == ("rubiks cube",)
    assert "rubiks cube" in seen.vocabulary["object"]
    assert "rubiks cube" in seen.vocabulary["target"]
    assert "rubiks cube" not in seen.vocabulary["object in view"]
    assert supports(world.truth()) == {"blue cup": "rubiks cube"}
    assert world.position("blue cup")[2] == pytest.approx(0.0, abs=2e-3)
    put(world, ("blue cup", "toy wheel"))
    assert world.observe().hidden == ("toy wheel",)
    assert supports(world.truth()) == {"blue cup": "toy wheel"}


def test_what_is_covered_is_refused_with_what_has_to_go_first() -> None:
    world = made("cups", ("blue cup", "rubiks cube"))
    before = world.snapshot()
    for move in (("rubiks cube", "table"), ("black cup", "rubiks cube")):
        with pytest.raises(
            SkillError, match=r"^The blue cup is over the rubiks cube: put it on an empty space first\.$"
        ):
            put(world, move)
    assert world.snapshot() == before
    put(world, ("blue cup", "empty space"), ("rubiks cube", "table"), ("yellow block", "rubiks cube"))
    with pytest.raises(SkillError, match="The yellow block is on the rubiks cube"):
        put(world, ("rubiks cube", "table"))


def test_a_cup_bears_a_cup_and_covers_a_stack() -> None:
    world = made("cups")
    put(world, ("blue cup", "toy wheel"), ("black cup", "blue cup"), ("rubiks cube", "black cup"))
    want = {"blue cup": "toy wheel", "black cup": "blue cup", "rubiks cube": "black cup"}
    assert supports(world.truth()) == want
    put(world, ("rubiks cube", "table"), ("yellow block", "rubiks cube"), ("red cup", "yellow block"))
    assert supports(world.truth())["red cup"] == "yellow block"
    assert {"rubiks cube", "yellow block"} <= {*world.observe().hidden}


def test_things_on_the_table_leave_room_for_cups_over_all_of_them() -> None:
    world = made("cups", ("yellow block", "rubiks cube"), ("toy wheel", "yellow block"))
    put(world, ("toy wheel", "table"), ("yellow block", "empty space"))
    covers = [("blue cup", "rubiks cube"), ("black cup", "yellow block"), ("red cup", "toy wheel")]
    put(world, *covers)
    assert supports(world.truth()) == dict(covers)


def test_a_cup_can_lie_in_a_bowl() -> None:
    world = DomainWorld("cups", scene_of(WorldState((*TOYS, "tan bowl")), 1, "cups"))
    put(world, ("red cup", "tan bowl"))
    assert supports(world.truth()) == {"red cup": "tan bowl"}
    world.happens(moves=[("red cup", "table"), ("blue cup", "tan bowl")])
    assert supports(world.truth()) == {"blue cup": "tan bowl"}


def test_the_skill_says_what_it_leads_to_and_what_has_to_come_first() -> None:
    world = made("cups", ("blue cup", "rubiks cube"))
    skill, state = world.skills["pick_and_place"], world.observe().state
    assert state is not None
    assert skill.first is not None
    assert skill.remembers is not None
    assert skill.first(state, object="rubiks cube", target="table") == (
        {"object": "blue cup", "target": "empty space"},
    )
    after = skill.remembers(state, object="blue cup", target="toy wheel")
    assert supports(after) == {"blue cup": "toy wheel"}


# Dirt and weight ------------------------------------------------------------------------------------------------------


def test_dirt_goes_through_a_stack_and_the_disinfector_cleans() -> None:
    world = made("disinfection", ("teal block", "white block"))
    world.set_truth(dirty=["golden block"])
    assert dirty(world) == {"golden block"}
    put(world, ("golden block", "teal block"))
    assert dirty(world) == {"golden block", "teal block", "white block"}
    put(world, ("golden block", "disinfector"), ("tan block", "disinfector"))
    assert dirty(world) == {"teal block", "white block"}
    put(world, ("teal block", "golden block"))
    assert dirty(world) == {"white block"}


def test_blocks_side_by_side_stay_as_they_are() -> None:
    world = made("disinfection")
    world.set_truth(dirty=["white block"])
    put(world, *((name, "pink bowl") for name in BLOCKS))
    assert dirty(world) == {"white block"}


def test_dirt_is_not_seen_and_only_blocks_can_be_dirty() -> None:
    world = made("disinfection")
    before = world.observe()
    world.set_truth(dirty=BLOCKS)
    assert world.observe() == before
    assert before.state is not None
    assert before.state.attributes == {}
    with pytest.raises(UnknownName):
        world.set_truth(dirty=["pink bowl"])


def test_what_somebody_else_does_is_so() -> None:
    world = made("disinfection", ("teal block", "white block"))
    moves = [("white block", "tan block"), ("black block", "pink bowl"), ("golden block", "disinfector")]
    world.happens(dirty=["tan block"], moves=moves)
    want = {"white block": "tan block", "black block": "pink bowl", "golden block": "disinfector"}
    assert supports(world.truth()) == want
    assert dirty(world) == {"white block", "tan block"}
    world.happens(clean=["tan block", "white block"])
    assert dirty(world) == set()


def test_somebody_else_can_move_cups() -> None:
    world = made("cups")
    world.happens(moves=[("red cup", "rubiks cube"), ("yellow block", "red cup"), ("red cup", "toy wheel")])
    assert supports(world.truth()) == {"red cup": "toy wheel"}
    assert world.observe().hidden == ("toy wheel",)


def test_weights_are_real() -> None:
    scene = scene_of(WorldState(BLOCKS), 1, "weight", {"white block": 3, "teal block": 1.5})
    world = DomainWorld("weight", scene)
    masses = {n: float(world.physics.model.body_mass[world.physics.bodies[n]]) for n in ("white block", "teal block")}
    assert masses["white block"] == pytest.approx(2 * masses["teal block"])
    assert world.truth().attributes == {"white block": {"weight": 3}, "teal block": {"weight": 1.5}}
    assert world.observe().state == WorldState(BLOCKS)


# Scenes and states ----------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", DOMAINS)
def test_drawn_scenes_fit_their_domain(name: str) -> None:
    world, kinds, colours = DomainWorld(name), set(), set()
    for seed in range(12):
        world.reset(seed)
        kinds |= {thing.kind for thing in world.scene.objects}
        colours |= {thing.name.split()[0] for thing in world.scene.objects if " " in thing.name}
        assert 6 <= len(world.scene.objects) <= 9
        assert supports(world.truth()) == {t.name: t.on for t in world.scene.objects if t.on}
    more = {"disinfection": {"bowl", "disinfector"}, "cups": {"cup", "toy"}}.get(name, {"bowl"})
    assert kinds == {"block"} | more
    assert len(colours) > 15
    assert find_ability(world, Pictured) is not None
    assert world.briefing.rules == DOMAINS[name].rules


def test_a_full_table_of_any_relations_becomes_a_scene() -> None:
    blocks = tuple(f"{colour} block" for colour in [*MORE_COLOURS][:11])
    names = (*blocks, "red bowl", "tan bowl", "pink bowl", "gray bowl", "disinfector")
    pairs = [(blocks[1], blocks[0]), (blocks[2], blocks[1]), (blocks[3], "red bowl"), (blocks[4], "red bowl")]
    pairs += [(blocks[5], "disinfector"), (blocks[6], blocks[5]), (blocks[0], "tan bowl")]
    for seed in range(4):
        scene = scene_of(WorldState(names, tuple(lies_on(*pair) for pair in pairs)), seed, "disinfection")
        assert len(scene.objects) == 16
        world = DomainWorld("disinfection", Scene.from_json(scene.to_json()))
        assert supports(world.truth()) == dict(pairs)


@pytest.mark.parametrize(
    ("names", "pairs", "says"),
    [
        (("red block",), [("red block", "moon")], "there is no object 'moon'"),
        (("a block", "b block"), [("a block", "b block"), ("b block", "a block")], "in a circle"),
        (("a block", "b block", "c block"), [("a block", "c block"), ("b block", "c block")], "carries one block"),
        (("red bowl", "a block"), [("red bowl", "a block")], "a bowl stands on the table"),
        (tuple(f"b{i} block" for i in range(33)), [], "There are 33 objects"),
        ((), [], "There are no objects"),
    ],
)
def test_what_cannot_be_laid_out_is_refused(names: tuple[str, ...], pairs: list[tuple[str, str]], says: str) -> None:
    with pytest.raises(BadScene, match=says):
        scene_of(WorldState(names, tuple(lies_on(*pair) for pair in pairs)), 0, "pick_and_place")


def test_the_table_is_no_thing_even_where_it_is_named() -> None:
    state = WorldState(("table", "red block"), (lies_on("red block", "table"),))
    assert [thing.name for thing in scene_of(state, 0, "pick_and_place").objects] == ["red block"]


def test_a_scene_file_opens_every_domain() -> None:
    toml = '[[objects]]\nname = "red block"\nkind = "block"\nx = 0.0\ny = -0.5\n'
    for name in DOMAINS:
        assert open_world(name, scene=toml).observe().objects == ("red block",)
        with pytest.raises(BadScene, match=r"scene:1: .* no kind"):
            open_world(name, scene=toml.replace('"block"', '"brick"'))


def test_names_have_to_say_what_a_thing_is() -> None:
    plate = Scene((Thing("plate", "bowl", 0.0, -0.5),))
    with pytest.raises(BadScene, match=r"plate is a bowl, .* means a toy"):
        DomainWorld("pick_and_place", plate)
    with pytest.raises(BadScene, match="the weight is -1"):
        scene_of(WorldState(("red block",)), 0, "weight", {"red block": -1})


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["disinfection", "cups"])
def test_a_snapshot_holds_what_is_hidden(name: str) -> None:
    world, twin = DomainWorld(name), DomainWorld(name)
    world.reset(2)
    thing, other = world.blocks[:2]
    with suppress(SkillError):
        put(world, (thing, other))
    world.happens(dirty=[other])
    twin.reset(5)
    twin.restore(world.snapshot())
    assert twin.snapshot() == world.snapshot()
    assert twin.truth() == world.truth()
    assert twin.observe() == world.observe()
    for each in (world, twin):
        with suppress(SkillError):
            put(each, (world.blocks[2], other), (thing, "table"))
    assert twin.snapshot() == world.snapshot()
    assert twin.truth() == world.truth()
    with pytest.raises(ValueError, match="snapshot"):
        twin.restore(open_world("weight").snapshot())


def test_asking_for_the_truth_changes_nothing() -> None:
    world = made("disinfection", ("teal block", "white block"))
    before = world.snapshot()
    assert world.truth() == world.truth()
    assert world.on("teal block", "white block")
    assert world.snapshot() == before


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", DOMAINS)
def test_whatever_is_asked_and_whenever_it_is_stopped_the_next_call_copes(name: str) -> None:
    world = Disturbed(DomainWorld(name), Disturbance(pixel=2.0, place=0.02))
    rng = np.random.default_rng(2)
    for call in range(6):
        seen: Observation = world.observe()
        thing, target = str(rng.choice(seen.vocabulary["object"])), str(rng.choice(seen.vocabulary["target"]))
        if thing == target:
            continue
        pace, at = Pace(), int(rng.integers(1, 250))
        pace.hear = lambda pace=pace, at=at: Stop() if pace.ticks == at else None  # type: ignore[misc]
        with pacing(pace), suppress(Interrupted, SkillError):
            asyncio.run(world.skills["pick_and_place"].run({"object": thing, "target": target}))
        assert np.abs(world.physics.data.qvel[:6]).max() < 0.02, call
        assert {*supports(world.truth())} <= {*world.blocks}
