"""The household world: what the robot can do in a home, what stops it, and what it sees."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import msgspec
import pytest

from thinkaloud.cli.doctor import _home
from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import MissingExtra, SkillError, UnknownName
from thinkaloud.records import Condition, Request, Stop
from thinkaloud.robots import open_world
from thinkaloud.settings import load
from thinkaloud.skills.self_repair import allowing_repairs
from thinkaloud_worlds.household import (
    HomeGraph,
    Household,
    draw_home,
)
from thinkaloud_worlds.household import home_graph as home_module
from thinkaloud_worlds.household import (
    random_homes as drawing,
)
from thinkaloud_worlds.household import (
    virtualhome_package as package,
)
from thinkaloud_worlds.household.actions import ACTIONS, BY_VERB
from thinkaloud_worlds.household.engine import RELATION_NUMBERS, perform
from thinkaloud_worlds.household.home_graph import PROPERTIES, STATES

FLAT = Path(__file__).parents[2] / "examples" / "scenes" / "flat.json"


@pytest.fixture
def world() -> Household:
    return Household(HomeGraph.from_json(FLAT.read_text()))


def do(world: Household, *steps: str) -> list[str]:
    """Carry out `skill thing/target`; what fails is told with a cross."""

    async def run() -> list[str]:
        reports = []
        for step in steps:
            name, _, rest = step.partition(" ")
            skill = world.skills[name]
            names = [p.name for p in skill.signature.parameters]
            try:
                reports.append(await skill.run(dict(zip(names, rest.split("/"), strict=False)) if rest else {}))
            except SkillError as error:
                reports.append(f"✗ {error}")
        return reports

    return asyncio.run(run())


def test_a_thing_is_found_grabbed_carried_and_put_down(world: Household) -> None:
    reports = do(world, "find apple", "grab apple", "walk kitchen", "find kitchen counter")
    assert not any(report.startswith("✗") for report in reports)
    assert world.holding("apple") and world.in_room("kitchen") and world.close_to("kitchen counter")
    do(world, "put_back apple/kitchen counter")
    assert world.on_top("apple", "kitchen counter") and not world.holding("apple")
    assert world.state.room_of(world.ids["apple"]) == world.ids["kitchen"], "it came along"
    assert world.script == (
        "[FIND] <apple> (30)",
        "[GRAB] <apple> (30)",
        "[WALK] <kitchen> (1)",
        "[FIND] <kitchen_counter> (10)",
        "[PUTBACK] <apple> (30) <kitchen_counter> (10)",
    )
    assert world.errors == ()


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (["grab apple"], "The robot is not close to the apple."),
        (["find fridge", "grab salmon"], "✗ The salmon is inside another thing, which is closed."),
        (["find sofa", "sit sofa", "walk kitchen"], "The robot is sitting."),
        (["find sofa", "lie sofa", "walk kitchen"], "The robot is lying."),
        (["find apple", "grab apple", "grab apple"], "The robot holds the apple already."),
        (
            ["find apple", "grab apple", "find book", "grab book", "find cup", "grab cup"],
            "does not have a free hand: it",
        ),
        (["find apple", "grab apple", "find fridge", "put_in apple/fridge"], "The fridge is not open."),
        (["find cup", "put_back cup/sofa"], "The robot does not hold the cup."),
        (["find tv", "switch_on tv", "switch_on tv"], "The tv is not off."),
        (["watch tv"], "The robot does not face the tv."),
        (["walk kitchen", "turn_to tv", "watch tv"], "The robot is in the kitchen, not in the living room."),
        (["find plate", "wipe plate"], "The robot holds nothing."),
        (["stand_up"], "The robot is not sitting."),
        (["sleep"], "The robot is not lying or sitting."),
        (["find apple", "cut apple"], "The robot does not hold a knife."),
        (["put_obj_back apple"], "The robot does not hold the apple."),
    ],
)
def test_what_cannot_be_done_is_told_in_words_and_changes_nothing(
    world: Household, steps: list[str], said: str
) -> None:
    *before, last = steps
    reports = do(world, *before)
    assert not any(report.startswith("✗") for report in reports)
    state, script, now = world.observe().state, world.script, world.now
    (report,) = do(world, last)
    assert report.startswith("✗") and said in report
    assert (world.observe().state, world.script) == (state, script)
    assert world.now > now
    assert len(world.errors) == 1 and 'when executing "[' in world.errors[0]


def test_an_error_keeps_the_words_of_virtualhome(world: Household) -> None:
    do(world, "grab apple")
    assert world.errors == ('<character> (3) is not close to <apple> (30) when executing "[GRAB] <apple> (30) [0]"',)


def test_what_is_on_a_plate_in_a_closed_box_cannot_be_taken(world: Household) -> None:
    home = world.home.with_at("apple", "ON", "plate").with_at("plate", "INSIDE", "microwave")
    world = Household(home)
    assert do(world, "find microwave", "grab apple")[-1] == "✗ The apple is inside another thing, which is closed."
    assert "apple" not in world.observe().objects
    assert do(world, "open microwave", "find apple", "grab apple")[-1] == "Done: [GRAB] <apple> (30)"


def test_what_is_on_a_plate_comes_along_with_it() -> None:
    world = Household(HomeGraph.from_json(FLAT.read_text()).with_at("apple", "ON", "plate"))
    do(world, "find plate", "grab plate", "find sofa", "put_back plate/sofa")
    assert world.on_top("apple", "plate") and world.on_top("plate", "sofa")
    assert world.state.room_of(world.ids["apple"]) == world.ids["living room"]
    assert "apple" in world.observe().objects


def test_what_was_poured_stays_poured(world: Household) -> None:
    do(world, "find fridge", "open fridge", "grab milk", "find cup", "pour milk/cup", "walk living room")
    assert world.inside("milk", "cup") and world.holding("milk")


def test_who_stood_up_can_sit_down_again(world: Household) -> None:
    do(world, "find sofa", "sit sofa")
    assert world.sitting_on("sofa") and not world.standing()
    do(world, "stand_up")
    assert world.standing() and not world.sitting_on("sofa")
    assert not do(world, "sit sofa")[0].startswith("✗")


def test_a_thing_can_be_dropped_put_back_and_grabbed_again(world: Household) -> None:
    reports = do(world, "find apple", "grab apple", "drop apple", "grab apple", "walk kitchen", "drop apple")
    reports += do(world, "walk living room", "find apple", "grab apple")
    assert not any(report.startswith("✗") for report in reports)
    assert world.in_room("kitchen") and world.holding("apple")


def test_clothes_are_put_on_and_taken_off_and_can_be_grabbed_again() -> None:
    data = msgspec.json.decode(FLAT.read_bytes())
    data["nodes"].append({"id": 40, "class_name": "clothes_hat", "properties": ["GRABBABLE", "CLOTHES"]})
    data["edges"].append({"from_id": 40, "relation_type": "ON", "to_id": 20})
    world = Household(HomeGraph.from_json(msgspec.json.encode(data).decode()))
    reports = do(world, "find hat", "grab hat", "put_on hat", "walk kitchen")
    assert world.wearing("hat") and not world.holding("hat")
    assert "The robot wears the hat." in {r.words for r in (world.observe().state or pytest.fail()).relations}
    reports += do(world, "put_off hat", "find hat", "grab hat")
    assert not any(report.startswith("✗") for report in reports)
    assert world.in_room("kitchen") and world.holding("hat")


def test_every_declared_effect_holds_after_its_skill(world: Household) -> None:
    done = [
        *("walk kitchen", "find fridge", "open fridge", "grab milk", "find cup", "pour milk/cup", "find plate"),
        *("put_back milk/kitchen counter", "grab plate"),
        *("find fridge", "put_in plate/fridge", "close fridge", "run living room", "find tv", "switch_on tv"),
        *("switch_off tv", "plug_out tv", "plug_in tv", "turn_to tv", "find sofa", "sit sofa", "lie sofa", "stand_up"),
    ]
    for step in done:
        name, _, rest = step.partition(" ")
        skill = world.skills[name]
        arguments = dict(zip((p.name for p in skill.signature.parameters), rest.split("/"), strict=False))
        (report,) = do(world, step)
        assert not report.startswith("✗"), report
        promised = skill.promises(arguments, world.relations)
        assert promised, step
        assert all(world.holds(condition) for condition in promised), step


def test_skills_that_leave_no_trace_run_all_the_same(world: Household) -> None:
    todo = ["find tv", "turn_to tv", "watch tv", "look_at tv", "point_at tv", "touch tv", "type tv"]
    todo += ["find apple", "push apple", "pull apple", "move apple", "eat apple", "find book", "grab book", "read book"]
    todo += ["find sofa", "sit sofa", "sleep", "wake_up"]
    assert not any(report.startswith("✗") for report in do(world, *todo))
    assert len(world.script) == len(todo)


def test_all_actions_of_virtualhome_are_skills() -> None:
    actions = {action.name for action in package.simulator("execution").ScriptExecutor._action_executors}
    assert actions - {"RELEASE"} == {*BY_VERB}
    assert {action.effect for action in ACTIONS.values()} - {""} <= {*Household().relations}
    assert not {*ACTIONS} & {*Household().relations}


def test_states_relations_and_properties_are_those_of_virtualhome() -> None:
    theirs = package.simulator("environment")
    assert {each.name: each.value for each in theirs.Relation} == RELATION_NUMBERS
    assert {each.name for each in theirs.State} == {*STATES}
    assert {each.name for each in theirs.Property} == {*PROPERTIES}


def test_the_robot_sees_its_room_and_what_is_open_and_remembers_what_it_saw(world: Household) -> None:
    first = world.observe()
    assert {"apple", "tv", "sofa"} <= {*first.objects} and "fridge" not in first.objects
    assert first.hidden == ()
    do(world, "find fridge")
    second = world.observe()
    assert "salmon" not in second.objects and "tv" in second.hidden
    assert second.state is not None and second.state.attributes["fridge"] == {"closed": True}
    do(world, "open fridge", "grab salmon")
    third = world.observe()
    assert third.state is not None and "milk" in third.objects
    said = {relation.words for relation in third.state.relations}
    assert {"The robot is in the kitchen.", "The robot holds the salmon.", "The milk is in the fridge."} <= said
    assert {"The robot is close to the fridge."} <= said
    assert third.state.attributes["plate"] == {"dirty": True}
    do(world, "find plate", "wash plate")
    fourth = world.observe()
    assert fourth.state is not None and fourth.state.attributes["plate"] == {"clean": True}


def test_only_what_makes_sense_can_be_said(world: Household) -> None:
    words = world.observe().vocabulary
    assert "fridge" in words["openable"] and "apple" not in words["openable"]
    assert {"tv", "light", "faucet"} <= {*words["device"]} and "sofa" not in words["device"]
    assert words["seat"] == ("sofa",)
    assert "kitchen" in words["place"] and "kitchen" not in words["thing"]
    assert "salmon" in words["thing"], "also what cannot be seen may be looked for"
    assert not any("robot" in names for names in words.values())


def test_names_that_are_none_are_told(world: Household) -> None:
    with pytest.raises(UnknownName, match="sofa"):
        world.close_to("sofe")
    with pytest.raises(UnknownName):
        asyncio.run(world.skills["grab"].run({"thing": "elephant"}))
    with pytest.raises(UnknownName):
        world.holds(Condition("near", {}, "near"))
    with pytest.raises(UnknownName):
        world.step_of("[FLY] <apple> (30)")
    with pytest.raises(UnknownName):
        world.step_of("[GRAB] <apple> (99)")


def test_lines_of_scripts_and_skills_are_the_same_thing(world: Household) -> None:
    line = world.line_of("put_in", "apple", "fridge")
    assert line == "[PUTIN] <apple> (30) <fridge> (11)"
    assert world.step_of(line) == ("put_in", {"thing": "apple", "target": "fridge"})
    assert world.step_of("[Grab] <apple> (1.30)") == ("grab", {"thing": "apple"}), "as programs number instances"


def test_a_stop_in_the_middle_leaves_everything_as_it_was(world: Household) -> None:
    heard = iter([None, Stop()])
    before = world.state
    with pytest.raises(Interrupted), pacing(Pace(hear=lambda: next(heard, None))):
        asyncio.run(world.skills["walk"].run({"thing": "kitchen"}))
    assert world.state is before and world.script == ()
    assert 0 < world.now < 4


def test_a_new_request_is_heard_at_a_safe_point(world: Household) -> None:
    heard = iter([Request("Never mind.")])
    with pytest.raises(Interrupted, match="Never mind"), pacing(Pace(hear=lambda: next(heard, None))):
        asyncio.run(world.skills["find"].run({"thing": "fridge"}))
    assert world.script == ()


def test_the_way_to_another_room_takes_longer(world: Household) -> None:
    do(world, "find tv")
    near = world.now
    do(world, "find fridge")
    assert world.now - near == 2 * near


def test_a_snapshot_has_all_of_it_and_nothing_else_fits(world: Household) -> None:
    do(world, "find fridge", "open fridge", "grab milk", "grab sofa", "find plate", "wash plate")
    kept = world.snapshot()
    twin = world.twin()
    assert twin.snapshot() == kept and twin.observe() == world.observe()
    assert (twin.script, twin.errors, twin.now) == (world.script, world.errors, world.now)
    assert do(twin, "put_obj_back milk") == do(world, "put_obj_back milk"), "it knows where it took the milk from"
    assert twin.snapshot() == world.snapshot() != kept
    with pytest.raises(ValueError, match="another home"):
        Household(world.home.with_states({"tv": "ON"})).restore(kept)
    with pytest.raises(ValueError, match="another home"):
        Household().restore(kept)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, "franka"),
        (3, -1.0),
        (3, float("nan")),
        (6, [99999]),
        (7, [[30, "ON", 99999]]),
        (7, [[30, "NEAR", 10]]),
        (8, [[30, "ON", 10]]),
        (8, [[3, "INSIDE", 2]]),
        (9, {30: ["SHINY"]}),
        (9, {99999: ["CLEAN"]}),
        (10, [[30, 99999, "ON"]]),
    ],
)
def test_a_snapshot_that_cannot_be_is_refused(world: Household, field: int, value: object) -> None:
    do(world, "find apple", "grab apple")
    before = world.snapshot()
    data = msgspec.msgpack.decode(before, strict=False)
    data[field] = value
    with pytest.raises(ValueError, match="snapshot"):
        world.restore(msgspec.msgpack.encode(data))
    assert world.snapshot() == before


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = (drawing.draw_home, drawing._base)
    kept = (package.folder, package.program_files, package.resource, home_module._program_home, *drawn)
    for each in kept:
        each.cache_clear()
    monkeypatch.setattr(package, "_MODULE", "virtualhome_that_is_not_there")
    try:
        world = open_world("household")
        assert "grab" in world.skills, "what it can do can be listed all the same"
        with pytest.raises(MissingExtra, match=r"thinkaloud\[virtualhome\]"):
            world.reset(12345)
        with pytest.raises(MissingExtra, match="eai-eval"):
            HomeGraph.of_program("27_2")
        seen = _home(load())
        assert "only the household world needs it" in seen.found and "eai-eval" in seen.found and not seen.todo
    finally:
        for each in kept:
            each.cache_clear()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
def test_a_home_stays_a_home_whatever_is_done_in_it(seed: int) -> None:
    rng, world = random.Random(seed), Household(draw_home(seed))
    rooms = {node.id for node in world.home.nodes if node.category == "Rooms"}
    words, names, worked = world.observe().vocabulary, [*ACTIONS], 0
    for number in range(200):
        action = ACTIONS[rng.choice(names)]
        things = [world.ids[rng.choice(words[p.kind or ""])] for p in action.signature.parameters]
        if len({*things}) < len(things):
            continue
        first = ["[STANDUP]"] if rng.random() < 0.5 and not world.standing() else []
        first += [f"[DROP] <thing> ({world.state.held()[0]})"] if len(world.state.held()) == 2 else []
        first += [f"[FIND] <thing> ({thing})" for thing in things if thing not in rooms]
        if action.verb in ("PUTBACK", "PUTIN", "POUR", "PUTON", "READ", "DRINK"):
            first.insert(-1 if len(things) == 2 else len(first), f"[GRAB] <thing> ({things[0]})")
        for line in (*first, world._line(action, things)):
            after, said = perform(world.state, line)
            assert (after is None) == bool(said), line
            world._state, worked = (after, worked + 1) if after is not None else (world.state, worked)
        state = world.state
        held, seat = state.held(), state.targets(state.character, "ON")
        assert len(held) <= 2 and not any(state.targets(thing, "ON") for thing in held), action.verb
        assert len(seat) == bool(state.states(state.character) & {"SITTING", "LYING"}), action.verb
        for node in world.home.nodes:
            inside = {*state.targets(node.id, "INSIDE")}
            assert len(inside & rooms) == (node.id not in rooms), (action.verb, world.names[node.id])
        if number % 30 == 0:
            assert world.twin().observe() == world.observe()
    assert worked > 150


def test_what_is_eaten_is_taken_along(world: Household) -> None:
    needs = world.skills["eat"].needs
    assert needs is not None
    facts = list(needs(thing="apple"))
    assert ("holding", {"thing": "apple"}) in facts
    assert ("close_to", {"thing": "apple"}) not in facts, "it is eaten wherever one sits by then"


# What is predefined ---------------------------------------------------------------------------------------------------


def test_what_an_action_always_needs_is_done_first_where_low_level_feedback_is_allowed(world: Household) -> None:
    do(world, "find sofa", "sit sofa")
    assert do(world, "find tv") == ["✗ The robot is sitting."]
    with allowing_repairs(3) as mended:
        assert not any(report.startswith("✗") for report in do(world, "find tv", "plug_out tv", "switch_on tv"))
        assert not any(report.startswith("✗") for report in do(world, "watch tv"))
    assert [fix.remedy for fix in mended.fixes] == ["Stand up.", "Plug in the tv.", "Turn to the tv."]
    assert world.standing() and world.switched_on("tv") and world.facing("tv")
    verbs = [line.partition(" ")[0] for line in world.script]
    assert verbs[2:] == ["[STANDUP]", "[FIND]", "[PLUGOUT]", "[PLUGIN]", "[SWITCHON]", "[TURNTO]", "[WATCH]"]


def test_where_to_go_and_what_to_open_is_not_predefined(world: Household) -> None:
    with allowing_repairs(3) as mended:
        for step in ("grab apple", "grab milk", "sit sofa"):
            assert do(world, step)[0].startswith("✗")
    assert mended.fixes == []


def test_a_remedy_that_cannot_be_carried_out_is_not_begun(world: Household) -> None:
    do(world, "find tv", "plug_out tv", "find apple", "grab apple", "find plate", "grab plate", "find tv")
    assert len(world.state.held()) == 2, "no hand is free"
    with allowing_repairs(3) as mended:
        assert do(world, "switch_on tv") == ["✗ The tv is unplugged."]
    assert mended.fixes == []
