"""From what is wanted to what is left to do, and what rules mean for that."""

from __future__ import annotations

import re

import pytest

from thinkaloud.guidelines import load_guidelines, read_guidelines, shipped_text
from thinkaloud.guidelines.order_form import Want, read_order, work_out
from thinkaloud.guidelines.remaining_steps import Composer, PlanRules, shown_order

DRINKS = load_guidelines("drinks")
DISHES = read_guidelines(  # where only the lines about single things name them
    re.sub(r"make sure that .*|return .*", "look after everything", shipped_text("dishwashing"))
)
GET, SERVE, MILK = (
    "take an empty cup to the working area",
    "move the working cup to the finished location",
    "pour milk into the working cup",
)
THROW = "throw the working cup into the waste bin"
MILK_LAST = PlanRules((((("others",)), ("milk",)),), undo=THROW)
FIT = read_guidelines(
    "Options: Plain, Full\nInstructions:\n"
    "Plain\nMaterial: bell\nSteps:\n0) clamp it\n1) fit the bell\n2) hand it over\n"
    "Full\nMaterial: bell, lamp\nSteps:\n0) clamp it\n1) fit the bell\n2) fit the lamp\n3) hand it over\n"
    "Rules:\n* When a part is not work_out any more: unscrew the bell.\n"
    "Available material we have now: bell, lamp, basket\n"
)


def add(name: str) -> str:
    return f"add {name} to the working cup"


def left(said: str, *done: str, facts: PlanRules = MILK_LAST) -> list[str]:
    """What is left to do for a drink."""
    return Composer(DRINKS, facts).steps(work_out(read_order(said, DRINKS), DRINKS), done)


def test_an_option_is_made_as_the_guidelines_say() -> None:
    for guidelines in (DRINKS, FIT):
        for recipe in guidelines.recipes:
            wants = work_out(read_order(recipe.name, guidelines), guidelines)
            assert Composer(guidelines).steps(wants) == [*recipe.steps]


def test_what_no_recipe_has_is_added_in_the_words_of_another_and_where_it_belongs() -> None:
    assert left("+ taro, boba") == [GET, add("boba"), add("taro"), MILK, SERVE]
    assert left("Pure milk - milk + taro") == [GET, add("taro"), SERVE]
    assert left("Boba milk - boba + matcha powder") == [GET, add("matcha powder"), MILK, SERVE]
    assert left("Boba milk; Pure milk")[-3:] == [GET, MILK, SERVE]


def test_finished_steps_are_not_repeated() -> None:
    assert left("+ boba", GET) == [add("boba"), MILK, SERVE]
    assert left("+ boba, taro", GET, add("boba")) == [add("taro"), MILK, SERVE]
    assert left("Pure milk", GET, MILK, SERVE) == []


@pytest.mark.parametrize(
    "done",
    [(GET, add("taro")), (GET, MILK), (GET, MILK, SERVE), (GET, add("taro"), THROW, GET, MILK)],
)
def test_what_cannot_be_saved_is_thrown_away_first(done: tuple[str, ...]) -> None:
    assert left("+ boba", *done) == [THROW, GET, add("boba"), MILK, SERVE]


def test_without_a_rule_nothing_is_thrown_away() -> None:
    assert left("+ boba", GET, MILK, facts=PlanRules()) == [add("boba"), SERVE]


def test_what_was_thrown_away_is_not_done() -> None:
    assert left("+ boba", GET, add("taro"), THROW) == [GET, add("boba"), MILK, SERVE]


def test_a_rule_about_one_part_undoes_that_part() -> None:
    facts = PlanRules(undo="unscrew the bell")
    wants = work_out(read_order("Plain + basket - bell", FIT), FIT)
    steps = Composer(FIT, facts).steps(wants, ["clamp it", "fit the bell", "fit the lamp"])
    assert steps == ["unscrew the bell", "unscrew the lamp", "fit the basket", "hand it over"]


def washed(said: str, *done: str, belongs: dict[str, str] | None = None) -> list[str]:
    return Composer(DISHES, belongs=belongs or {}).steps(work_out(read_order(said, DISHES), DISHES), done)


def test_things_are_dealt_with_one_by_one_each_at_its_place() -> None:
    steps = washed("+ 2 bowl, 1 fork, rose detergent")
    assert steps[:5] == [
        "grasp the first dirty bowl",
        "remove large particles from the bowl",
        "open the dishwasher",
        "pull out the racks",
        "put the bowl on the second rack",
    ]
    assert steps[5:11] == [
        "grasp the second dirty bowl",
        "remove large particles from the bowl",
        "put the bowl on the second rack",
        "grasp the dirty fork",
        "remove large particles from the fork",
        "put the fork on the first rack",
    ]
    assert steps[11] == "add rose detergent to the dispenser"


def test_what_is_in_the_hand_comes_first_when_more_is_wanted() -> None:
    done = ("grasp the dirty plate", "remove large particles from the plate", "open the dishwasher")
    steps = washed("+ 1 fork, 2 plate", *done)
    assert steps[:3] == ["pull out the racks", "put the plate on the third rack", "grasp the second dirty plate"]


def test_where_a_thing_belongs_is_asked_if_nothing_says_so() -> None:
    wants = [Want(things=(("knife", 1), ("bowl", 1)))]
    composer = Composer(DISHES)
    assert composer.homeless(wants) == ["knife"]
    assert composer.sorting == ["first rack", "second rack", "third rack"]
    assert "put the knife on the first rack" in washed("+ 1 knife", belongs={"knife": "first rack"})
    assert Composer(DRINKS).homeless([Want(material=("milk",))]) == []


def test_the_order_of_things_follows_from_groups_and_others() -> None:
    facts = PlanRules(((("boba",), ("others",), ("milk",)),))
    assert facts.before("boba", "milk")
    assert facts.before("taro", "milk")
    assert not facts.before("milk", "taro")
    assert not PlanRules(((("boba",), ("milk",)),)).before("boba", "taro")


def test_what_all_recipes_end_with_comes_last_although_nothing_says_so() -> None:
    shown = shown_order(DRINKS)
    assert shown.before("taro", "milk") and not shown.before("milk", "taro")
    assert left("+ taro", facts=PlanRules()) == [GET, add("taro"), MILK, SERVE]
    assert shown_order(DISHES) == PlanRules()
