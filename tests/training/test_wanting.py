"""What requests want in short: said, read, and worked out."""

from __future__ import annotations

import pytest

from thinkaloud.errors import Unparseable
from thinkaloud.guidelines import Guidelines, load_guidelines, read_guidelines
from thinkaloud.guidelines.order_form import (
    Want,
    all_things,
    default_material,
    read_order,
    shared_material,
    things_of,
    work_out,
)

DRINKS, DISHES = load_guidelines("drinks"), load_guidelines("dishwashing")
SIGNS = read_guidelines(
    "Options: A + B, A & C\nInstructions:\nA + B\nMaterial: a\nSteps:\n0) add a\nA & C\nMaterial: c\nSteps:\n0) add c\n"
)


def want(said: str, guidelines: Guidelines = DRINKS, *before: str) -> Want:
    """What is wanted in the end."""
    wants: list[Want] = []
    for each in (*before, said):
        wants = work_out(read_order(each, guidelines), guidelines, wants)
    (found,) = wants
    return found


def test_recipes_count_things_and_drinks_are_none() -> None:
    assert [things_of(recipe) for recipe in DISHES.recipes] == [{"plate": 1}, {"plate": 2}, {"plate": 1, "fork": 1}]
    assert not any(things_of(recipe) for recipe in DRINKS.recipes)
    assert all_things(DRINKS) == []


def test_what_all_options_need_everything_needs_and_the_rest_has_a_usual_choice() -> None:
    assert shared_material(DRINKS) == ["milk"]
    assert shared_material(DISHES) == []
    assert default_material(DISHES) == ["original detergent"]


@pytest.mark.parametrize(
    ("said", "material"),
    [
        ("Boba milk", {"boba", "milk"}),
        ("+ taro, boba", {"taro", "boba", "milk"}),
        ("+ strawberry", {"strawberry jam", "milk"}),
        ("Boba milk + taro - milk", {"boba", "taro"}),
        ("Boba milk & Strawberry milk", {"boba", "strawberry jam", "milk"}),
        ("+ passion fruit", {"passion fruit", "milk"}),
        ("Pure milk - taro", {"milk"}),
        ("+ taro, boba - taro", {"taro", "boba", "milk"}),
    ],
)
def test_material_follows_from_the_short_form(said: str, material: set[str]) -> None:
    assert {*want(said).material} == material


def test_a_change_keeps_what_it_does_not_name() -> None:
    assert {*want("same + boba - taro", DRINKS, "+ taro, blueberry").material} == {"boba", "blueberry", "milk"}
    assert {*want("Pure milk", DRINKS, "+ taro").material} == {"milk"}
    assert want("same", DRINKS, "Boba milk").material == ("boba", "milk")


def test_things_are_counted_and_treated_with_one_material() -> None:
    assert want("+ 2 plates, 1 knife", DISHES) == Want("", ("original detergent",), (("plate", 2), ("knife", 1)))
    assert want("+ 1 plate, rose", DISHES).material == ("rose detergent",)
    assert want("same + 1 plate", DISHES, "+ 2 plate").things == (("plate", 3),)
    assert want("same = 1 plate", DISHES, "+ 2 plate, 1 fork").things == (("plate", 1), ("fork", 1))
    assert want("same - fork", DISHES, "+ 2 plate, 1 fork").things == (("plate", 2),)
    assert want("same + rose detergent", DISHES, "+ 2 plate").material == ("rose detergent",)
    assert want("Wash one plate and one fork", DISHES).things == (("plate", 1), ("fork", 1))


def test_several_orders_are_several_wants() -> None:
    wants = work_out(read_order("2 Boba milk; Pure milk", DRINKS), DRINKS)
    assert [each.recipe for each in wants] == ["Boba milk", "Boba milk", "Pure milk"]
    assert read_order("none", DRINKS) == []


def test_options_may_have_signs_in_their_names() -> None:
    (order,) = read_order("A & C + a", SIGNS)
    assert order.options == ("A & C",)
    assert order.plus == ((0, "a"),)
    assert read_order("A + B & A & C", SIGNS)[0].options == ("A + B", "A & C")


def test_what_is_no_option_is_told() -> None:
    with pytest.raises(Unparseable, match="'Coffee' is none of the options"):
        read_order("Coffee", DRINKS)
