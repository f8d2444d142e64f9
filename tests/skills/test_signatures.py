from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robot_skills import POUR, PUT, SAY, SCENE, Thing
from thinkaloud.errors import SkillError, UnknownName, Unparseable
from thinkaloud.models.gbnf import accepts
from thinkaloud.records import Value
from thinkaloud.skills import Amount, skill
from thinkaloud.skills.signatures import Signature, signature_of

# What is read off a function ------------------------------------------------------------------------------------------


def test_the_text_signature_shows_defaults_and_the_first_line() -> None:
    assert PUT.text() == "put(thing, target)  Put one thing on another."
    assert POUR.text() == "pour(drink, amount=0.5, cups=1, warm=False)  Pour a drink."


def test_the_schema_names_what_is_in_the_scene() -> None:
    schema = PUT.schema({"thing": ["cup"]})
    assert schema["description"] == "Put one thing on another.\n\nThe thing must be within reach."
    assert schema["parameters"]["properties"]["thing"] == {
        "type": "string",
        "description": "what to pick up, by its full name.",
        "enum": ["cup"],
    }
    assert schema["parameters"]["required"] == ["thing", "target"]


def test_the_schema_has_a_type_for_every_argument() -> None:
    properties = POUR.schema({})["parameters"]["properties"]
    assert {name: data["type"] for name, data in properties.items()} == {
        "drink": "string",
        "amount": "number",
        "cups": "integer",
        "warm": "boolean",
    }
    assert properties["drink"]["enum"] == ["tea", "coffee"]
    assert POUR.schema({})["parameters"]["required"] == ["drink"]


def undocumented(thing: str) -> None: ...


def untyped(thing) -> None:  # type: ignore[no-untyped-def]
    """Do."""


def of_a_list(thing: list[str]) -> None:
    """Do."""


def maybe(thing: str | None = None) -> None:
    """Do."""


def of_mixed_choices(level: Literal[1, "high"]) -> None:
    """Do."""


def of_an_unknown_type(thing: "Gadget") -> None:  # type: ignore[name-defined]  # noqa: F821, UP037
    """Do."""


def of_levels(level: Literal[1, 2], gently: bool, words: str = "now") -> None:
    """Do."""


def of_three(one: Thing, other: Thing, third: Thing) -> None:
    """Do."""


def of_many(*things: str) -> None:
    """Do."""


def fine(thing: str, other: str) -> None:
    """Do."""


@pytest.mark.parametrize(
    ("function", "says", "distinct", "complaint"),
    [
        (undocumented, None, (), "needs a docstring"),
        (untyped, None, (), "'thing' needs a type"),
        (of_a_list, None, (), "a skill takes str, int"),
        (maybe, None, (), "a skill takes str, int"),
        (of_many, None, (), "must not be"),
        (of_mixed_choices, None, (), "Literal of texts or of whole numbers"),
        (of_an_unknown_type, None, (), "the type Gadget is not known"),
        (fine, "Do {it}.", (), r"names \['it'\]"),
        (fine, "Do {thing!r}.", (), r"names \['thing!r'\]"),
        (fine, "Do {thing} to {thing}.", (), "twice"),
        (fine, "Do {thing}.", ("thing", "it"), r"names \['it'\]"),
    ],
)
def test_a_function_that_cannot_serve_is_refused_at_once(
    function: Callable[..., Any], says: str | None, distinct: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(TypeError, match=complaint):
        skill(says, distinct=distinct)(function)


# Sentences ------------------------------------------------------------------------------------------------------------


def test_a_sentence_says_the_arguments_and_the_defaults() -> None:
    assert PUT.render({"thing": "cup", "target": "tray"}) == "Put the cup on the tray."
    assert POUR.render({"drink": "tea", "warm": True}) == "Pour(tea, 0.5, 1, true)"


@given(thing=st.sampled_from(SCENE["thing"]), target=st.sampled_from(SCENE["thing"]))
def test_every_sentence_is_understood_even_when_one_name_contains_another(thing: str, target: str) -> None:
    arguments = {"thing": thing, "target": target}
    assert PUT.parse(PUT.render(arguments), SCENE) == arguments


WORD = st.text("abcXYZ éß红.-'()?*\\", min_size=1, max_size=8).filter(
    lambda word: word == word.strip() and word.strip(".")
)


@given(names=st.lists(WORD, min_size=2, max_size=5, unique_by=str.lower), data=st.data())
def test_names_with_odd_letters_are_understood_too(names: list[str], data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(names))
    signature = signature_of(fine_things, "Take {thing}.")
    assert signature.parse(signature.render({"thing": one}), {"thing": names}) == {"thing": one}


def fine_things(thing: Thing) -> None:
    """Take it."""


@given(
    drink=st.sampled_from(["tea", "coffee"]),
    amount=st.floats(allow_nan=False, allow_infinity=False),
    cups=st.integers(-(10**9), 10**9),
    warm=st.booleans(),
)
def test_numbers_flags_and_choices_are_understood(drink: str, amount: float, cups: int, warm: bool) -> None:
    arguments: dict[str, Value] = {"drink": drink, "amount": amount, "cups": cups, "warm": warm}
    parsed = POUR.parse(POUR.render(arguments), {})
    assert parsed == arguments
    assert [type(value) for value in parsed.values()] == [str, float, int, bool]


@given(st.text())
def test_whatever_a_model_says_is_understood_or_refused(text: str) -> None:
    for signature in (PUT, POUR, SAY):
        try:
            signature.parse(text, SCENE)
        except (Unparseable, SkillError):
            continue


@pytest.mark.parametrize(
    "text",
    [
        "put the RED block on the green bowl",
        "  Put the red block on the green bowl.  ",
        "Put the the red block on the a green bowl.",
        "Put the 'red block' on the \"green bowl\".",
    ],
)
def test_small_differences_do_not_matter(text: str) -> None:
    assert PUT.parse(text, SCENE) == {"thing": "red block", "target": "green bowl"}


def test_a_name_that_is_there_literally_comes_first() -> None:
    signature = signature_of(fine_things, "Take {thing}.")
    scene = {"thing": ["bowl", "the bowl", "a", "A"]}
    assert [signature.parse(f"Take {name}.", scene)["thing"] for name in scene["thing"]] == scene["thing"]


def test_another_sentence_is_unparseable() -> None:
    with pytest.raises(Unparseable, match=r"not of the form 'Put the \{thing\} on the \{target\}\.'"):
        PUT.parse("Throw the cup at the tray.", SCENE)


def test_of_a_home_full_of_names_only_the_closest_are_told() -> None:
    names = [f"drawer {i}" for i in range(1, 251)]
    with pytest.raises(SkillError, match=r"there is: drawer 250, .* … and 238 more\.$") as refused:
        PUT.check({"thing": "drawer 2500", "target": "drawer 1"}, {"thing": names})
    assert str(refused.value).count("drawer ") == 1 + 12
    with pytest.raises(UnknownName, match=r"'teh sofa'.*Did you mean 'the sofa'\? Known: the sofa, .* and 239 more\.$"):
        raise UnknownName("thing", "teh sofa", [*names, "the sofa"])
    few = [f"place {i}" for i in range(30)]
    assert str(UnknownName("place", "x", few)).endswith(f"Known: {', '.join(sorted(few))}.")
    assert str(UnknownName("place", "x", [])) == "There is no place 'x'. Known: none."


def test_what_is_not_there_is_refused_and_what_is_there_is_named() -> None:
    with pytest.raises(SkillError, match="There is no thing 'blue block' here; there is: cup, tray"):
        PUT.parse("Put the blue block on the tray.", {"thing": ["cup", "tray"]})
    with pytest.raises(SkillError, match="there is: nothing"):
        PUT.parse("Put the blue block on the tray.", {})


def test_a_full_stop_inside_a_sentence_is_a_part_of_it() -> None:
    signature = signature_of(fine, "Dial {thing}.{other}.")
    assert signature.parse("Dial 12.7.", {}) == {"thing": "12", "other": "7"}
    with pytest.raises(Unparseable):
        signature.parse("Dial 127.", {})


def test_the_full_stop_of_a_sentence_is_not_taken_for_one_of_a_name() -> None:
    signature = signature_of(fine_things, "Take {thing}.")
    scene = {"thing": ["box.", "box"]}
    assert [signature.parse(f"Take {name}.", scene)["thing"] for name in scene["thing"]] == scene["thing"]


# Arguments as data ----------------------------------------------------------------------------------------------------


def test_arguments_are_completed_with_defaults() -> None:
    assert POUR.check({"drink": "tea"}, {}) == {"drink": "tea", "amount": 0.5, "cups": 1, "warm": False}


@pytest.mark.parametrize(
    ("given_", "expected"),
    [({"cups": 2.0}, 2), ({"cups": "2"}, 2), ({"cups": 10**20}, 10**20)],
)
def test_whole_numbers_may_come_in_other_clothes(given_: dict[str, Any], expected: int) -> None:
    cups = POUR.check({"drink": "tea", **given_}, {})["cups"]
    assert cups == expected
    assert type(cups) is int


@pytest.mark.parametrize(
    ("signature", "arguments", "complaint"),
    [
        (PUT, {"thing": "cup"}, "put needs the argument 'target': where it goes."),
        (PUT, {"thing": "cup", "target": "tray", "speed": 3}, "no argument 'speed'; it takes: thing, target"),
        (PUT, {"thing": "cup", "target": "CUP"}, "thing and target cannot both be 'cup'"),
        (PUT, {"thing": "cup", "target": "moon"}, "There is no thing 'moon' here"),
        (PUT, {"thing": ["cup"], "target": "tray"}, "thing has to be a single value"),
        (PUT, {"thing": None, "target": "tray"}, "thing has to be a single value"),
        (SAY, {"words": {"text": "hello"}}, "words has to be a single value"),
        (POUR, {"drink": "beer"}, "There is no drink 'beer' here; there is: tea, coffee"),
        (POUR, {"drink": "tea", "amount": "much"}, "amount has to be a number, not 'much'"),
        (POUR, {"drink": "tea", "amount": float("nan")}, "amount has to be a number, not 'nan'"),
        (POUR, {"drink": "tea", "amount": "1e999"}, "amount has to be a number, not '1e999'"),
        (POUR, {"drink": "tea", "cups": 1.5}, "cups has to be a whole number, not '1.5'"),
        (POUR, {"drink": "tea", "cups": True}, "cups has to be a whole number, not 'true'"),
        (POUR, {"drink": "tea", "warm": "lukewarm"}, "There is no warm 'lukewarm' here; there is: true, false"),
    ],
)
def test_arguments_that_cannot_be_used_are_refused(
    signature: Signature, arguments: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(SkillError, match=re.escape(complaint)):
        signature.check(arguments, SCENE)


def test_a_refusal_of_endless_text_is_short() -> None:
    with pytest.raises(SkillError) as caught:
        POUR.check({"drink": "tea", "cups": "9" * 10_000}, {})
    assert len(str(caught.value)) < 200


def test_a_choice_of_numbers_is_a_number_for_the_skill() -> None:
    signature = signature_of(of_levels, "Level {level}.")
    assert signature.parse("Level 2.", {}) == {"level": 2}
    assert signature.check({"level": 2, "gently": True}, {}) == {"level": 2, "gently": True, "words": "now"}
    assert signature.schema({})["parameters"]["properties"]["level"] == {
        "type": "integer",
        "description": "level",
        "enum": [1, 2],
    }
    with pytest.raises(SkillError, match="there is: 1, 2"):
        signature.check({"level": 3, "gently": True}, {})


def test_no_two_of_three_distinct_arguments_may_be_the_same() -> None:
    signature = signature_of(of_three, distinct=("one", "other", "third"))
    with pytest.raises(SkillError, match="one and third"):
        signature.check({"one": "cup", "other": "tray", "third": "cup"}, SCENE)


def test_every_call_has_all_its_arguments_as_the_skill_takes_them() -> None:
    calls = signature_of(of_levels).calls({})
    assert calls == [{"level": level, "gently": gently, "words": "now"} for level in (1, 2) for gently in (True, False)]


# Grammars -------------------------------------------------------------------------------------------------------------


@given(thing=st.sampled_from(SCENE["thing"]), target=st.sampled_from(SCENE["thing"]))
def test_the_grammar_has_every_sentence_but_those_that_name_a_thing_twice(thing: str, target: str) -> None:
    expression = PUT.expression(SCENE)
    assert expression is not None
    assert accepts(f"root ::= {expression}", PUT.render({"thing": thing, "target": target})) == (thing != target)


def test_the_grammar_has_the_numbers_and_flags_as_they_are_said() -> None:
    expression = POUR.expression({})
    assert expression is not None
    assert accepts(f"root ::= {expression}", POUR.render({"drink": "tea", "amount": -2.25, "cups": 12, "warm": True}))
    assert not accepts(f"root ::= {expression}", "Pour(beer, 1, 1, true)")


@pytest.mark.parametrize("scene", [{}, {"thing": []}, {"thing": ["cup"]}])
def test_there_is_no_grammar_where_nothing_in_the_scene_fits(scene: dict[str, list[str]]) -> None:
    assert PUT.expression(scene) is None


def test_a_sentence_that_begins_with_a_name_begins_with_a_capital() -> None:
    signature = signature_of(fine_things, "{thing}, please.")
    assert signature.expression({"thing": ["cup"]}) == '"Cup" ", please."'
    assert signature.parse(signature.render({"thing": "cup"}), {"thing": ["cup"]}) == {"thing": "cup"}


def test_the_grammar_of_a_sentence_about_one_thing_is_told_apart_by_it() -> None:
    signature = signature_of(fine_things, "{thing} is lit.")
    assert signature.expressions({"thing": ["lamp", "spot"]}) == {
        "lamp": '"Lamp" " is lit."',
        "spot": '"Spot" " is lit."',
    }
    assert list(signature.expressions({"thing": ["lamp", "spot"]}, [{"thing": "lamp"}])) == ["spot"]


# Amounts --------------------------------------------------------------------------------------------------------------


def drip(amount: Annotated[float, Amount("ml", 10, 350, step=5)]) -> None:
    """Let some of it drip."""


def test_an_amount_has_a_unit_a_range_and_a_step() -> None:
    signature = signature_of(drip)
    assert signature.check({"amount": 300}, {}) == {"amount": 300}
    assert signature.check({"amount": 100.04}, {}) == {"amount": 100}
    for number, wrong in ((355, "355 ml"), (5, "5 ml"), (12, "12 ml")):
        with pytest.raises(
            SkillError, match=f"{wrong} is not possible here: it has to be 10 to 350 ml, in steps of 5."
        ):
            signature.check({"amount": number}, {})


def test_only_numbers_are_amounts() -> None:
    def drip(amount: Annotated[str, Amount("ml")]) -> None:
        """Let some of it drip."""

    with pytest.raises(TypeError, match="only int and float are amounts"):
        signature_of(drip)


@pytest.mark.parametrize(
    ("amount", "told"),
    [
        (Amount("ml", 10), "at least 10 ml"),
        (Amount("ml", most=0), "at most 0 ml"),
        (Amount("", 1, 3), "1 to 3"),
        (Amount("ml", step=0.5), "ml, in steps of 0.5"),
    ],
)
def test_a_range_is_told_in_words(amount: Amount, told: str) -> None:
    assert amount.range == told
