"""Errands in the worlds that people talk to: a deed, and what has to come first, carried out for real."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import cast

import pytest

from thinkaloud.plan.search import Found, NotFound, Sought, find_steps
from thinkaloud.records import Condition, Step
from thinkaloud.robots import open_world
from thinkaloud.worlds import World
from thinkaloud.worlds.full_world import FullWorld, is_opposite
from thinkaloud_worlds.household import Household

Deed = tuple[str, ...]


class Errand:
    """A world in which deeds are searched for and done."""

    def __init__(self, name: str, seed: int = 3, world: World | None = None) -> None:
        inner = world or open_world(name)
        inner.reset(seed)
        self.world = cast(World, FullWorld(inner))

    def step(self, skill: str, *values: str) -> Step:
        found = self.world.skills[skill]
        return found.step(dict(zip((p.name for p in found.signature.parameters), values, strict=True)))

    def wishes(self, deeds: tuple[Step, ...]) -> tuple[Condition, ...]:
        found = (c for d in deeds for c in self.world.skills[d.skill].promises(d.arguments, self.world.relations))
        return tuple(condition for condition in found if not is_opposite(condition.relation))

    def find(self, *said: Deed, kept: tuple[str, ...] = (), in_order: bool = False) -> Found | NotFound:
        deeds = tuple(self.step(*each) for each in said)
        sought = Sought(deeds, self.wishes(deeds), frozenset(kept), in_order)
        return find_steps(self.world, self.world.observe(), sought)

    def do(self, steps: tuple[Step, ...]) -> None:
        async def all_of_it() -> None:
            for step in steps:
                await self.world.skills[step.skill].run(step.arguments)

        asyncio.run(all_of_it())

    def run(self, *said: Deed) -> list[str]:
        """The steps in words; all of them can be done, and what was wished holds in the end."""
        found = self.find(*said)
        assert isinstance(found, Found), found
        self.do(found.steps)
        wishes = self.wishes(tuple(self.step(*each) for each in said))
        assert all(self.world.holds(wish) for wish in wishes if wish not in found.lost)
        return [step.words for step in found.steps]


# A home ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def home() -> Iterator[Errand]:
    pytest.importorskip("virtualhome_eval")
    yield Errand("household", 3, Household())


def test_the_apple_goes_into_the_fridge_which_is_opened_first(home: Errand) -> None:
    words = home.run(("put_in", "apple", "fridge"))
    assert sorted(words) == sorted(
        [
            "Walk to the apple.",
            "Grab the apple.",
            "Walk to the fridge.",
            "Open the fridge.",
            "Walk to the fridge.",
            "Put the apple in the fridge.",
        ]
    )
    assert words[-1] == "Put the apple in the fridge."


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "said",
    [
        (("put_in", "apple", "fridge"), ("close", "fridge")),
        (("close", "fridge"), ("put_in", "apple", "fridge")),
        (("put_back", "cup", "table"), ("put_back", "plate", "table"), ("put_back", "fork", "table")),
        (("put_in", "shirt", "washing machine"), ("put_in", "pants", "washing machine"), ("close", "washing machine")),
        (("pour", "milk", "cup"), ("drink", "cup")),
        (("wipe", "table"),),
        (("cut", "apple"),),
        (("sit", "sofa"), ("stand_up",)),
        (("read", "book"),),
        (("switch_on", "tv"), ("turn_to", "tv"), ("watch", "tv")),
        (("sleep",),),
    ],
)
def test_errands_in_a_home_are_done(home: Errand, said: tuple[Deed, ...]) -> None:
    assert home.run(*said)


def test_who_sits_stands_up_before_walking(home: Errand) -> None:
    home.run(("sit", "sofa"))
    assert home.run(("grab", "book"))[0] == "Stand up."


def test_two_full_hands_are_emptied_first(home: Errand) -> None:
    home.run(("grab", "apple"))
    home.run(("grab", "cup"))
    words = home.run(("put_back", "plate", "table"))
    assert any(word.startswith(("Put the", "Drop the")) for word in words[:3])


def test_what_is_to_be_left_alone_is_named(home: Errand) -> None:
    found = home.find(("put_in", "apple", "fridge"), kept=("fridge",))
    assert isinstance(found, NotFound)
    assert "I am to leave the fridge alone" in found.why


def test_what_is_not_there_is_said(home: Errand) -> None:
    found = home.find(("put_in", "apple", "spaceship"))
    assert isinstance(found, NotFound) and "There is no container 'spaceship' here" in found.why


# Other worlds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        (("put_on_rack", "plate", "first rack"),),
        (("put_on_rack", "plate", "first rack"), ("add_detergent", "rose detergent"), ("close_dishwasher",)),
        (("remove_particles",),),
        (("close_dishwasher",), ("put_on_rack", "cup", "second rack")),
    ],
)
def test_a_machine_is_loaded(said: tuple[Deed, ...]) -> None:
    assert len(Errand("dishwasher").run(*said)) > len(said)


def test_an_empty_machine_is_not_started() -> None:
    found = Errand("dishwasher").find(("start_dishwasher",))
    assert isinstance(found, NotFound) and found.why.startswith("There is nothing in the dishwasher; put something in")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            (("pour", "working area", "milk"),),
            [
                "Grasp the cup at the cup stack.",
                "Place the cup at the working area.",
                "Pour milk into the cup at the working area.",
            ],
        ),
        (
            (("stir", "working area"), ("grasp_cup", "working area")),
            [
                "Grasp the cup at the cup stack.",
                "Place the cup at the working area.",
                "Stir the cup at the working area.",
                "Grasp the cup at the working area.",
            ],
        ),
    ],
)
def test_a_drink_begins_with_a_cup(said: tuple[Deed, ...], words: list[str]) -> None:
    found = Errand("drinks").find(*said)
    assert isinstance(found, Found) and [step.words for step in found.steps] == words


def test_a_drink_is_really_made() -> None:
    assert len(Errand("drinks").run(("pour", "working area", "milk"))) == 3


@pytest.mark.parametrize(
    "said",
    [
        (("place_around", "orange box", "red cylinder"),),
        (("pick_up", "pink box"), ("place_around", "pink box", "red cylinder")),
        (("pick_up", "pink box"), ("put_down",), ("pick_up", "orange box")),
    ],
)
def test_things_are_located_and_picked_up_before_they_are_placed(said: tuple[Deed, ...]) -> None:
    assert Errand("around").run(*said)[0].startswith("Locate the ")


def test_stacks_on_a_table_are_built_from_below_and_taken_down_from_above() -> None:
    table = Errand("tabletop")
    assert table.run(
        ("pick_and_place", "red block", "gray block"), ("pick_and_place", "gray block", "brown block")
    ) == [
        "Pick the gray block and place it on the brown block.",
        "Pick the red block and place it on the gray block.",
    ]
    words = table.run(("pick_and_place", "brown block", "purple bowl"))
    assert [word.split(" block")[0] for word in words] == ["Pick the red", "Pick the gray", "Pick the brown"]


def test_a_hall_is_driven_through_in_the_order_that_was_said() -> None:
    found = Errand("warehouse").find(("drive_to", "gate"), ("drive_to", "saw"))
    assert isinstance(found, Found)
    assert [step.words for step in found.steps] == ["Drive to the gate.", "Drive to the saw."]
    assert [wish.words for wish in found.lost] == ["The robot is at the gate."]


@pytest.mark.parametrize("name", ["pick_and_place", "disinfection", "weight", "cups"])
def test_a_stack_is_built_from_below_in_every_domain(name: str) -> None:
    errand = Errand(name)
    first, second, third = errand.world.observe().vocabulary["object"][:3]
    words = errand.run(("pick_and_place", first, second), ("pick_and_place", second, third))
    assert [word.split(" and place")[0] for word in words] == [f"Pick the {second}", f"Pick the {first}"]
