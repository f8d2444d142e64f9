"""Homes: VirtualHome's format, homes that a seed draws, programs, and goals."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from thinkaloud.errors import BadInput, BadScene, UnknownName
from thinkaloud_worlds.household import AnyOf, Goal, GoalSet, HomeGraph, Household, draw_home
from thinkaloud_worlds.household.catalogue import FURNITURE, HOUSEHOLD_THINGS
from thinkaloud_worlds.household.engine import perform
from thinkaloud_worlds.household.home_graph import LARGEST_HOME
from thinkaloud_worlds.household.random_homes import properties_of
from thinkaloud_worlds.household.spoken_names import names_of, spoken_kind
from thinkaloud_worlds.household.virtualhome_package import program_files, program_text

FLAT = Path(__file__).parents[2] / "examples" / "scenes" / "flat.json"
WANTED = (
    *("chips", "sofa", "salmon", "fridge", "tv", "plate", "sink", "faucet", "dish soap", "sponge", "coffee pot"),
    *("cupcake", "coffee table", "microwave", "light", "toothbrush", "toothpaste", "apple", "garbage can"),
    *("bread slice", "toaster", "cup", "glass", "water", "milk", "book", "phone", "towel", "shirt"),
)


def flat() -> dict[str, Any]:
    data: dict[str, Any] = msgspec.json.decode(FLAT.read_bytes())
    return data


def read(data: object) -> HomeGraph:
    return HomeGraph.from_json(msgspec.json.encode(data).decode())


def _change(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        where: Any = data
        *keys, last = (int(key) if key.isdigit() else key for key in path.split("."))
        for key in keys:
            where = where[key]
        where[last] = value

    return change


def _nobody(data: dict[str, Any]) -> None:
    data["nodes"] = [node for node in data["nodes"] if node["id"] != 3]
    data["edges"] = [edge for edge in data["edges"] if 3 not in edge.values()]


def _roofless(data: dict[str, Any]) -> None:
    for node in data["nodes"]:
        node["category"] = "Props"


def _grown(data: dict[str, Any]) -> None:
    data["nodes"] += [{"id": 10_000 + i, "class_name": "chair"} for i in range(LARGEST_HOME)]


def _edge(one: int, relation: str, other: int) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["edges"].append({"from_id": one, "relation_type": relation, "to_id": other})


def _both(*changes: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        for each in changes:
            each(data)

    return change


def _adrift(data: dict[str, Any]) -> None:
    data["edges"] = [edge for edge in data["edges"] if edge["from_id"] != 30]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_change("edges.0.to_id", 999), "edges[0].to_id: there is no node 999"),
        (_change("edges.1.from_id", 999), "edges[1].from_id: there is no node 999"),
        (_change("edges.0.relation_type", "NEAR"), "edges[0].relation_type: 'NEAR' is none of ON"),
        (_change("nodes.3.states", ["AJAR"]), "nodes[3].states: 'AJAR' is none of CLOSED"),
        (_change("nodes.3.properties", ["HEAVY"]), "nodes[3].properties: 'HEAVY' is none of"),
        (_change("nodes.4.id", 1), "nodes[4]: the id 1 is already used by nodes[0]"),
        (_change("nodes.4.class_name", " "), "nodes[4]: needs a class_name"),
        (_change("nodes.4.id", "four"), "$.nodes[4].id"),
        (_change("nodes.4.id", -4), "nodes[4].id: -4 is not an id"),
        (_change("nodes.4.id", 10**18), "nodes[4].id: 1000000000000000000 is not an id"),
        (_change("nodes.3.states", ["OPEN", "CLOSED"]), "is both OPEN and CLOSED"),
        (_change("nodes", 4), "$.nodes"),
        (_grown, f"a home has at most {LARGEST_HOME}"),
        (_both(_edge(30, "INSIDE", 1), _edge(30, "INSIDE", 2)), "node 30 is in the rooms 1 and 2"),
        (_both(_edge(3, "HOLDS_RH", 30), _edge(3, "HOLDS_RH", 31)), "nodes 30 and 31 are in the same hand"),
        (_nobody, "there is no character"),
        (_roofless, "there is no room"),
        (_adrift, "apple (30) is in no room"),
    ],
)
def test_a_broken_home_is_refused_with_the_place(change: Callable[[dict[str, Any]], None], said: str) -> None:
    data = flat()
    change(data)
    with pytest.raises(BadScene, match=re.escape(said)):
        read(data)


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", "nodes", '{"nodes": []}', '{"init_graph": 3}', "[" * 5000])
def test_what_is_no_home_is_refused(text: str) -> None:
    with pytest.raises(BadScene, match="scene"):
        HomeGraph.from_json(text)


def test_a_home_is_written_as_it_was_read() -> None:
    home = read(flat())
    assert HomeGraph.from_json(home.to_json()) == home
    assert read({"init_graph": flat(), "final_graph": None}) == home
    assert home.names[home.character] == "robot"
    assert home.rooms[home.ids["apple"]] == home.ids["living room"], "by the table that it is on"
    drawn = draw_home(3)
    assert HomeGraph.from_json(drawn.to_json()) == drawn


def test_things_may_be_nested_as_deep_as_anybody_likes() -> None:
    data, deep = flat(), 1500
    apple = next(node for node in data["nodes"] if node["id"] == 30)
    data["nodes"] += [{**apple, "id": 5000 - i} for i in range(deep)]
    chain = [30, *(5000 - i for i in reversed(range(deep)))]
    data["edges"] += [
        {"from_id": one, "relation_type": "INSIDE", "to_id": other} for other, one in itertools.pairwise(chain)
    ]
    home = read(data)
    assert home.rooms[chain[-1]] == home.ids["living room"]
    world = Household(home.with_robot_in("kitchen"))
    for line in ("[FIND] <apple> (30)", "[GRAB] <apple> (30)", f"[WALK] <kitchen> ({home.ids['kitchen']})"):
        after, said = perform(world.state, line)
        assert after is not None, said
        world._state = after
    assert world.state.room_of(chain[-1]) == home.ids["kitchen"], "all that is in it comes along"


def test_people_have_names_for_things() -> None:
    kinds = {
        "freezer": "fridge",
        "couch": "sofa",
        "television": "tv",
        "trashcan": "garbage can",
        "tooth_paste": "toothpaste",
    }
    kinds |= {"food_apple": "apple", "clothes_shirt": "shirt", "coffee_table": "coffee table", "food_food": "food"}
    assert {kind: spoken_kind(kind) for kind in kinds} == kinds
    nodes = [(7, "chair"), (2, "chair"), (4, "chair_2"), (9, "chair"), (1, "character"), (3, "character")]
    assert names_of(nodes, 1) == {1: "robot", 2: "chair", 3: "person", 4: "chair 2", 7: "chair 3", 9: "chair 4"}


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_home_has_everything_and_everything_has_a_place(seed: int) -> None:
    home = draw_home(seed)
    home.check()
    assert len(home.nodes) > 300
    assert {*WANTED} <= {*home.ids}
    assert len({node.class_name for node in home.nodes if "GRABBABLE" in node.properties}) > 100
    places: dict[int, list[str]] = {}
    for edge in home.edges:
        if edge.relation_type in ("ON", "INSIDE"):
            places.setdefault(edge.from_id, []).append(edge.relation_type)
    for node in home.nodes:
        if node.category != "Rooms":
            assert places[node.id].count("INSIDE") >= 1, home.names[node.id]
    state = Household(home).state
    assert {home.names[state.room_of(node.id)] for node in home.nodes} == {
        *("bathroom", "bedroom", "dining room", "home office")
    }


@pytest.mark.parametrize("seed", range(4))
def test_there_is_room_on_the_seats_of_a_drawn_home(seed: int) -> None:
    world = Household(draw_home(seed))
    words, start = world.observe().vocabulary, world.state
    for action, kind in (("SIT", "seat"), ("LIE", "lieable")):
        for name in words[kind]:
            number = world.ids[name]
            at, said = perform(start, f"[FIND] <seat> ({number})")
            after, said = perform(at or pytest.fail(said), f"[{action}] <seat> ({number})")
            if world.home.by_id[number].class_name != "mat":  # they lie under beds and tables
                assert after is not None, said


def test_seeds_move_things_and_the_robot() -> None:
    homes = [draw_home(seed) for seed in range(8)]
    assert len({home.digest for home in homes}) == 8
    assert len({home.names[home.rooms[home.character]] for home in homes}) > 1
    kept = {tuple(e.to_id for e in home.edges if e.from_id == home.ids["chips"]) for home in homes}
    assert len(kept) > 2
    assert draw_home(-5).digest == draw_home(-5).digest


def test_every_kind_that_is_drawn_has_properties() -> None:
    assert len(HOUSEHOLD_THINGS) > 100
    for kind in (*HOUSEHOLD_THINGS, *(kind for kind, _ in FURNITURE)):
        assert properties_of(kind), kind


def test_a_home_can_be_had_otherwise() -> None:
    home = read(flat()).with_states({"light": "OFF", "fridge": ("OPEN", "DIRTY")}).with_robot_in("kitchen")
    world = Household(home.with_at("apple", "INSIDE", "fridge"))
    assert world.switched_off("light") and not world.switched_on("light")
    assert world.opened("fridge") and not world.closed("fridge") and world.dirty("fridge")
    assert world.in_room("kitchen") and world.inside("apple", "fridge") and not world.on_top("apple", "coffee table")
    with pytest.raises(UnknownName, match="lite"):
        home.with_states({"lite": "OFF"})
    with pytest.raises(BadScene, match="BRIGHT"):
        home.with_states({"light": "BRIGHT"})
    with pytest.raises(BadScene, match="UNDER"):
        home.with_at("apple", "UNDER", "sofa")


def test_programs_of_virtualhome_begin_in_homes_of_their_own() -> None:
    assert len(program_files()) == 518
    home = HomeGraph.of_program("27_2")
    assert len(home.nodes) > 270 and home.by_id[1001].class_name == "washing_machine"
    assert program_text("27_2").startswith("Wash clothes\n")
    with pytest.raises(UnknownName, match="27_3000"):
        HomeGraph.of_program("27_3000")


@pytest.mark.parametrize("program", ["27_2", "11_1", "850_2", "430_2", "1003_2"])
def test_a_program_is_carried_out_line_by_line(program: str) -> None:
    world = Household(HomeGraph.of_program(program))
    lines = [line for line in program_text(program).splitlines() if line.startswith("[")]
    words, state = world.observe().vocabulary, world.state
    for line in lines:
        skill, arguments = world.step_of(line)
        world.skills[skill].signature.check(arguments, words)
        after, said = perform(state, world.line_of(skill, *arguments.values()))
        assert after is not None, said
        state = after
    assert lines


# Goals ----------------------------------------------------------------------------------------------------------------


def test_a_goal_is_met_when_all_of_it_holds() -> None:
    world = Household(read(flat()))
    goal = GoalSet((Goal("apple", "INSIDE", "garbage can"), Goal("light", "ON"), Goal("robot", "HOLDS", AnyOf("cup"))))
    assert goal.recall(world) == pytest.approx(1 / 3) and not goal.met(world)
    assert [each.words(world.home) for each in goal.unmet(world)] == [
        "The apple is in the garbage can.",
        "The robot holds a cup.",
    ]
    other = Household(world.home.with_at("apple", "INSIDE", "garbage can"))
    assert goal.recall(other) == pytest.approx(2 / 3)
    state, said = perform(other.state, "[FIND] <cup> (35)")
    state, said = perform(state or pytest.fail(said), "[GRAB] <cup> (35)")
    other._state = state or pytest.fail(said)
    assert goal.met(other) and goal.recall(other) == 1.0


def test_goals_name_nodes_by_id_too() -> None:
    goal = GoalSet((Goal(30, "ON", 21), Goal(11, "CLOSED")))
    assert goal.words() == ["Node 30 is on node 21.", "Node 11 is closed."]
    world = Household(read(flat()))
    assert goal.words(world.home) == ["The apple is on the coffee table.", "The fridge is closed."]
    assert goal.met(world)


def test_goals_that_are_none_are_refused() -> None:
    world = Household(read(flat()))
    with pytest.raises(BadInput, match="at least one condition"):
        GoalSet(())
    with pytest.raises(BadInput, match="already met: The light is switched on"):
        GoalSet((Goal("light", "ON"),)).check(world)
    with pytest.raises(UnknownName, match="elephant"):
        GoalSet((Goal("elephant", "ON", "sofa"),)).check(world)
    with pytest.raises(UnknownName, match="unicorn"):
        GoalSet((Goal(AnyOf("unicorn"), "CLEAN"),)).check(world)
    with pytest.raises(UnknownName, match="state"):
        Goal("light", "BRIGHT")
    with pytest.raises(UnknownName, match="relation"):
        Goal("light", "OFF", "sofa")
    GoalSet((Goal("light", "OFF"),)).check(world)
