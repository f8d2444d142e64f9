"""The preset `thinkaloud` in every world that we have: real errands, judged by how things are in the end."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event
from thinkaloud.records import Condition, End, Plan, Verdict
from thinkaloud.robots import open_world
from thinkaloud.worlds import World
from thinkaloud.worlds.full_world import FullWorld

EXAMPLES = Path(__file__).parents[3] / "examples"
NO_QUESTIONS = "thinkaloud:confirm=never"
MILK = """grasp_cup("cup stack")
place_cup("working area")
scoop_boba_to_location("working area")
pour("working area", "milk")
grasp_cup("working area")
place_cup("finished location")"""
PLATE = """grasp_utensil("plate")
remove_particles()
open_dishwasher()
pull_out_racks()
put_on_rack("plate", "third rack")
add_detergent("rose detergent")
close_dishwasher()
start_dishwasher()
wait_minutes(5)
check_clean_and_dry()
return_utensils()"""


def opened(name: str, seed: int = 1) -> World:
    world = open_world(name)
    world.reset(seed)
    return world


def carry_out(world: World, *programs: str, help: str = "give_up()", preset: str = NO_QUESTIONS) -> tuple[End, Agent]:
    """Has a robot do what programs say, one request each; `help` is what the model proposes where it is asked."""
    written: list[str] = []

    def answer(prompt: str) -> str:
        return help if prompt.endswith("# Next: ") else written[-1]

    agent = Agent(world, Scripted(answer), preset)
    for program in programs:
        written.append(program)
        end = asyncio.run(agent.run("Do as it says."))
    return end, agent


def is_so(world: World, relation: str, **arguments: str) -> bool:
    return FullWorld(world).holds(Condition(relation, arguments, ""))


def how_often(skill: str, agent: Agent) -> int:
    return sum(verdict.ok and verdict.step.skill == skill for verdict in agent.monologue.since(0, Verdict))


def test_blocks_are_put_where_they_belong() -> None:
    world = opened("tabletop")
    end, _ = carry_out(world, 'pick_and_place([b for b in blocks if b != "brown block"], "orange bowl")')
    assert end.result == "goal met"
    assert "place them on the orange bowl" in end.because
    assert all(is_so(world, "on", object=f"{colour} block", target="orange bowl") for colour in ("green", "yellow"))
    assert not is_so(world, "on", object="brown block", target="orange bowl")


def test_what_is_buried_is_dug_out_first() -> None:
    world = opened("tabletop")
    into = 'pick_and_place(["green block", "yellow block"], "orange bowl")'
    end, agent = carry_out(world, into, 'put_beside("green block", "left of", "pink bowl")')
    assert end.result == "goal met"
    assert is_so(world, "left_of", thing="green block", other="pink bowl")
    assert len(agent.monologue.in_task(Plan)[0].steps) == 2


def test_a_stack_is_moved_from_a_bowl() -> None:
    world = opened("pick_and_place")
    first = 'pick_and_place("teal block", "blue bowl")\npick_and_place("silver block", "teal block")'
    end, _ = carry_out(world, first, 'pick_and_place("teal block", "orange bowl")')
    assert end.result == "goal met" and is_so(world, "on", object="teal block", target="orange bowl")


def test_what_a_cup_hides_stays_known() -> None:
    world = opened("cups")
    cover = 'pick_and_place("brown cup", "rubiks cube")'
    end, _ = carry_out(world, cover, 'say([c for c in cups if on(c, "rubiks cube")])')
    assert (end.result, end.because) == ("answered", "Brown cup is on the rubiks cube.")
    end, _ = carry_out(world, 'pick_and_place("rubiks cube", "gray block")')
    assert end.result == "goal met" and is_so(world, "on", object="rubiks cube", target="gray block")


@pytest.mark.parametrize(
    ("name", "block", "place"), [("disinfection", "mint", "disinfector"), ("weight", "red", "coral bowl")]
)
def test_the_other_tables(name: str, block: str, place: str) -> None:
    world = opened(name)
    end, _ = carry_out(world, f'note("It is dirty, or heavy.")\npick_and_place("{block} block", "{place}")')
    assert end.result == "goal met" and is_so(world, "on", object=f"{block} block", target=place)


def test_all_that_a_hand_needs_comes_first() -> None:
    world = opened("around")
    end, agent = carry_out(world, 'place_around("pink cylinder", "purple box")')
    assert end.result == "goal met" and is_so(world, "close", thing="pink cylinder", target="purple box")
    assert len(agent.monologue.in_task(Plan)[0].steps) == 4


def test_an_arm_puts_one_thing_beside_another() -> None:
    world = opened("franka")
    end, _ = carry_out(world, 'put_beside("strawberry", "next to", "ketchup bottle")')
    assert end.result == "goal met" and is_so(world, "next_to", thing="strawberry", other="ketchup bottle")


def test_a_place_on_the_way_is_not_where_one_ends() -> None:
    world = opened("warehouse")
    end, agent = carry_out(world, 'drive_to("office")\ndrive_to("cold store")')
    assert end.result == "goal met" and is_so(world, "at", landmark="cold store")
    assert is_so(world, "visited", landmark="office")
    assert how_often("drive_to", agent) == 2


def test_what_was_never_seen_is_found_and_thrown_away() -> None:
    world = opened("kitchen")
    assert not is_so(world, "item_at", item="lime soda", location="counter")
    end, agent = carry_out(world, 'place("lime soda", "trash")')
    assert end.result == "goal met" and is_so(world, "item_at", item="lime soda", location="trash")
    assert [step.skill for step in agent.monologue.in_task(Plan)[0].steps] == ["find", "pick_up", "go_to", "place"]


def test_a_drawer_is_opened_before_the_hand_is_full() -> None:
    world = opened("kitchen")
    end, agent = carry_out(world, 'store("lime soda", "top drawer")')
    assert end.result == "goal met" and is_so(world, "inside", item="lime soda", drawer="top drawer")
    assert how_often("open", agent) == 1


def test_a_drink_is_made_as_the_guidelines_have_it() -> None:
    world = opened("drinks")
    end, agent = carry_out(world, MILK, 'say([i for i in ingredients if contains("cup 1", i)])')
    assert (end.result, end.because) == ("answered", "There is boba and milk in cup 1.")
    assert is_so(world, "at", object="cup 1", location="finished location")
    prompt = agent.model.prompts[0]  # type: ignore[attr-defined]
    assert "def order(wanted, ..., no = [])" in prompt and '# "Boba milk: boba, milk"' in prompt


def test_an_order_is_carried_out_and_a_rule_of_ones_own_declines_another() -> None:
    world = opened("drinks")
    end, agent = carry_out(world, 'order("Boba milk")')
    assert end.result == "goal met" and is_so(world, "contains", object="cup 1", ingredient="boba")
    world = opened("drinks")
    agent = Agent(world, Scripted(['keep("milk")', 'order("Boba milk")']), "thinkaloud:confirm=never")
    assert asyncio.run(agent.run("Nothing with milk for me.")).result == "answered"
    end = asyncio.run(agent.run("A boba milk, please."))
    assert end.result == "declined" and "leave the milk alone" in end.because


def test_what_is_added_amid_an_order_does_not_end_it() -> None:
    world = opened("drinks")
    agent = Agent(world, Scripted(['order("Pure milk")', 'change("boba")']), NO_QUESTIONS)
    wishes = ["Could some boba go in, too?"]

    def customer(event: Event) -> None:
        if wishes and isinstance(event.record, Verdict) and event.record.step.skill == "place_cup":
            agent.say(wishes.pop())

    agent.monologue.listeners.append(customer)
    end = asyncio.run(agent.run("Just milk, please."))
    assert end.result == "goal met" and is_so(world, "at", object="cup 1", location="finished location")
    for name in ("boba", "milk"):
        assert is_so(world, "contains", object="cup 1", ingredient=name)


def test_what_goes_by_guidelines_is_not_asked_about() -> None:
    world = opened("drinks")
    agent = Agent(world, Scripted(['order("Boba milk")']), "thinkaloud:accept=0.2")
    end = asyncio.run(agent.run("A boba milk, please."))
    assert end.result == "goal met", end.because


def test_dishes_are_washed_and_waited_for_until_they_are_dry() -> None:
    world = opened("dishwasher")
    end, agent = carry_out(world, PLATE, help="wait_minutes(6)")
    assert end.result == "goal met"
    assert is_so(world, "at", object="plate 1", location="finished location") and is_so(
        world, "ready", object="plate 1"
    )
    assert how_often("grasp_utensil", agent) == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("program", "done"),
    [
        ('put_in("banana", "fridge")\nclose("fridge")', [("inside", "banana", "fridge"), ("closed", "fridge")]),
        (
            "switch_off([l for l in lights if switched_on(l)])",
            [("switched_off", "light 4"), ("switched_off", "light 2")],
        ),
        ('put_back(["book", "magazine"], "nightstand")', [("on_top", "magazine", "nightstand")]),
    ],
)
def test_errands_in_a_home(program: str, done: list[tuple[str, ...]]) -> None:
    world = opened("household")
    end, _ = carry_out(world, program)
    assert end.result == "goal met"
    for relation, *names in done:
        assert is_so(world, relation, **dict(zip(("thing", "target"), names, strict=False)))


def test_a_person_s_hands() -> None:
    world = opened("by_hand")
    end, _ = carry_out(world, 'carry_out("fit the bell")\ncarry_out("inflate the tyres")')
    assert end.result == "unconfirmed" and is_so(world, "done", step="inflate the tyres")
    assert "each step was told to a person, and taken as done" in end.because


def example(name: str) -> Any:
    """A robot of the examples, by the file and the class."""
    file, _, robot = name.partition(":")
    spec = importlib.util.spec_from_file_location(file, EXAMPLES / f"{file}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)[robot]()


def test_a_robot_that_says_what_it_remembers_and_nothing_else() -> None:
    world = example("own_twin:Depot")
    end, _ = carry_out(world, 'take("folder")\ndrive("mail room")\nunload()')
    assert end.result == "unconfirmed" and world.where["folder"] == "mail room"


def test_a_robot_of_ones_own() -> None:
    world = example("my_robot:Study")
    end, _ = carry_out(world, 'put([t for t in things if at(t, "desk")], "lower shelf")')
    assert end.result == "goal met"
    end, _ = carry_out(world, 'switch("lamp", "off")', "undo()")  # it was switched on, to put things away
    assert end.result == "goal met" and is_so(world, "shines", lamp="lamp", state="on")
