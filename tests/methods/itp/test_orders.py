"""What requests want in short: said, read, and worked out."""

from __future__ import annotations

import pytest

from thinkaloud.errors import Unparseable
from thinkaloud.guidelines import Guidelines, load_guidelines, read_guidelines
from thinkaloud.methods.itp.orders import (
    Want,
    all_things,
    default_material,
    order_grammar,
    order_prompt,
    read_order,
    render_material,
    shared_material,
    things_of,
    work_out,
)
from thinkaloud.models.gbnf import accepts
from thinkaloud.names import names_suggested, resolve_name

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


def test_the_prompt_tells_what_there_is_once_and_in_few_words() -> None:
    assert order_prompt(DRINKS) == (
        "Options: Pure milk, Strawberry milk, Boba milk\n"
        "Material: boba, strawberry jam, mango jam, matcha powder, taro, milk, blueberry\n"
    )
    assert "Things: plate, fork, small kitchen utensil, bowl, cup, big kitchen utensil\n" in order_prompt(DISHES)


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
    assert render_material(wants) == "boba, milk"
    assert read_order("none", DRINKS) == []


def test_options_may_have_signs_in_their_names() -> None:
    (order,) = read_order("A & C + a", SIGNS)
    assert order.options == ("A & C",)
    assert order.plus == ((0, "a"),)
    assert read_order("A + B & A & C", SIGNS)[0].options == ("A + B", "A & C")


def test_what_is_no_option_is_told() -> None:
    with pytest.raises(Unparseable, match="'Coffee' is none of the options"):
        read_order("Coffee", DRINKS)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("I want taro milk with boba.", " + taro, boba\n"),
        ("A boba milk.", " Boba milk\n"),
        ("two boba milks", " 2 Boba milk\n"),
        ("Blubery milk", " + blueberry\n"),
        ("A passion fruit milk", " + passion fruit\n"),
        ("How are you?", " none\n"),
    ],
)
def test_the_grammar_has_what_is_mentioned_and_what_nobody_knows(request_: str, said: str) -> None:
    assert accepts(order_grammar(DRINKS, request_, changes=False), said)


@pytest.mark.parametrize(
    "said", [" + taro\n", " same + boba\n", " Strawberry milk - jam\n", " + please\n", " + 0 cup\n"]
)
def test_the_grammar_has_nothing_that_was_not_mentioned(said: str) -> None:
    assert not accepts(order_grammar(DRINKS, "A boba milk, please.", changes=False), said)


def test_a_change_may_name_what_was_ordered_before() -> None:
    grammar = order_grammar(DISHES, "+ 2 plate\nCan you wash another?", changes=True)
    assert accepts(grammar, " same + 1 plate\n")
    assert accepts(grammar, " same = 3 plate\n")


def test_names_are_heard_with_slips_and_endings_and_all_are_meant_where_none_is() -> None:
    assert names_suggested("with chery", ["cherry syrup", "lime syrup"]) == ["cherry syrup"]
    assert names_suggested("one fork", ["forks", "plate"]) == ["forks"]
    assert names_suggested("the usual", ["taro", "boba"]) == ["taro", "boba"]
    assert resolve_name("Strawberry", DRINKS.available) == "strawberry jam"
    assert resolve_name("jam", DRINKS.available) == "jam"  # there are two
