"""What the guidelines require for an order, against the steps that were listed."""

from __future__ import annotations

import pytest

from counterworld import BRING, GUIDELINES, POUR, SERVE, Counter, steps_for
from thinkaloud.guidelines import load_guidelines, read_guidelines
from thinkaloud.guidelines.fulfilment import find_objections, find_other_calls
from thinkaloud.guidelines.order_form import Want, all_material, find_material
from thinkaloud.guidelines.remaining_steps import Composer, PlanRules
from thinkaloud.records import Step
from thinkaloud.skills import skills_of
from thinkaloud_worlds.drinks import Drinks

TEA, SWEET = Want("Plain tea", ("tea",)), Want("Sweet tea", ("honey", "tea"))
COUNTER, DISHES = Composer(read_guidelines(GUIDELINES)), Composer(load_guidelines("dishwashing"))


@pytest.mark.parametrize(
    ("want", "lines"),
    [
        (TEA, steps_for("tea")),
        (Want("", ("lemon", "honey", "tea")), steps_for("lemon", "honey", "tea")),
        (Want("", ("lemon", "honey", "tea")), steps_for("honey", "lemon", "tea")),
        (TEA, [BRING, "pour the tea into the cup", SERVE]),
        (TEA, ["bring a clean cup to the counter", POUR["tea"], "stir the tea slowly", SERVE][::1]),
        (TEA, [BRING, POUR["honey"], "throw away the cup", *steps_for("tea")]),
    ],
)
def test_what_is_done_as_the_guidelines_say_has_no_objection(want: Want, lines: list[str]) -> None:
    lines = [line.replace("stir the tea slowly", "stir slowly") for line in lines]
    assert find_objections([want], lines, COUNTER) == []


@pytest.mark.parametrize(
    ("lines", "objection"),
    [
        (steps_for("honey"), "no step says: pour tea into the cup"),
        (steps_for("tea", "honey"), "this comes later: pour tea into the cup"),
        (steps_for("honey", "lemon", "tea"), "nobody ordered this: pour lemon into the cup"),
        ([BRING, "dust honey over the cup", POUR["tea"], SERVE], "no step says: pour honey into the cup"),
        ([POUR["honey"], POUR["tea"], SERVE], f"no step says: {BRING}"),
        ([*steps_for("honey", "tea"), "put the cup in the bin"], f"this is the last step: {SERVE}"),
        ([*steps_for("tea"), *steps_for("honey", "tea")], "more is made than was ordered"),
    ],
)
def test_what_is_not_done_as_the_guidelines_say_is_named(lines: list[str], objection: str) -> None:
    assert objection in find_objections([SWEET], lines, COUNTER)


def test_two_of_the_same_are_two() -> None:
    twice = [*steps_for("tea"), *steps_for("tea")]
    assert find_objections([TEA, TEA], twice, COUNTER) == []
    assert find_objections([TEA, TEA], steps_for("tea"), COUNTER) != []


def test_things_are_counted_and_each_goes_to_its_own_place() -> None:
    want = Want("", ("original detergent",), (("fork", 2),))
    lines = DISHES.steps([want])
    assert find_objections([want], lines, DISHES) == []
    third = [line.replace("first rack", "third rack") for line in lines]
    assert [each for each in find_objections([want], third, DISHES) if "first rack" in each]
    once = [line for at, line in enumerate(lines) if line not in lines[:at] and "second" not in line]
    assert find_objections([want], once, DISHES) != []


def test_a_rule_of_the_guidelines_is_required_like_a_step() -> None:
    rules = PlanRules(after=(("tea", "wipe the counter"),))
    composer = Composer(read_guidelines(GUIDELINES), rules)
    assert "no step says: wipe the counter" in find_objections([TEA], steps_for("tea"), composer)
    wiped = [*steps_for("tea")[:2], "wipe the counter", SERVE]
    assert find_objections([TEA], wiped, composer) == []


def test_what_was_taken_out_again_by_a_rule_is_not_in_it() -> None:
    composer = Composer(read_guidelines(GUIDELINES), PlanRules(undo="pick the honey out"))
    lines = [BRING, POUR["lemon"], "pick the lemon out", POUR["tea"], SERVE]
    assert find_objections([TEA], lines, composer) == []
    assert find_objections([TEA], lines[:2] + lines[3:], composer) == [f"nobody ordered this: {POUR['lemon']}"]


def test_a_line_whose_calls_are_about_something_else_is_named() -> None:
    skills = skills_of(Counter())

    def poured(name: str) -> Step:
        return Step("pour", {"ingredient": name}, f"Pour {name} into the cup.", POUR["tea"])

    assert find_other_calls([poured("tea")], skills, ["tea", "honey"]) == []
    assert find_other_calls([poured("honey")], skills, ["tea", "honey"]) == [
        "pour tea into the cup (Pour honey into the cup.)"
    ]


@pytest.mark.parametrize(
    ("line", "used", "same"),
    [
        ("pour milk into the working cup", "milk", True),
        ("pour milk into the working cup", "taro", False),  # the function's documentation speaks of milk
        ("add strawberry jam to the working cup", "strawberry jam", True),
        ("add strawberry jam to the working cup", "mango jam", False),
    ],
)
def test_a_call_is_about_the_material_that_it_is_given(line: str, used: str, same: bool) -> None:
    step = Step("pour", {"location": "working area", "ingredient": used}, f"Pour {used}.", line)
    found = find_other_calls([step], Drinks().skills, all_material(load_guidelines("drinks")))
    assert found == ([] if same else [f"{line} (Pour {used}.)"])


def test_material_is_found_by_its_name_or_by_a_word_that_only_it_has() -> None:
    drinks = load_guidelines("drinks")
    assert find_material("matcha and strawberry milk", drinks) == ["milk", "matcha powder", "strawberry jam"]
    assert find_material("some jam", drinks) == []  # there are two


def test_steps_around_the_things_may_name_them_in_other_words() -> None:
    want = Want("", ("original detergent",), (("fork", 2), ("bowl", 1)))
    lines = [line.replace("the plates are", "the forks and the bowl are") for line in DISHES.steps([want])]
    assert any("the forks and the bowl" in line for line in lines)
    assert find_objections([want], lines, DISHES) == []


def test_the_wording_of_a_step_can_be_left_out_of_account() -> None:
    lines = [BRING, "add the tea to the cup", SERVE]
    assert find_objections([TEA], lines, COUNTER) != []
    assert find_objections([TEA], lines, COUNTER, worded=False) == []
    assert find_objections([SWEET], lines, COUNTER, worded=False) == ["no step says: pour honey into the cup"]
