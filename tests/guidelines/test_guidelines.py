"""Guidelines: what their form allows, what is wrong with a text and where, and what is read off them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterworld import GUIDELINES, Counter
from thinkaloud.errors import BadInput
from thinkaloud.guidelines import (
    LONGEST_GUIDELINES,
    Guidelines,
    Recipe,
    load_guidelines,
    read_guidelines,
    shipped,
    shipped_text,
)
from thinkaloud.language.words import stem
from thinkaloud.robots import open_world
from thinkaloud.skills import Skill
from thinkaloud.worlds.by_hand import ByHand
from thinkaloud.worlds.contract import briefing_of
from toyworld import ToyWorld

SMALL = """\
Options: Tea, Toast
Instructions:
Tea
Material: tea, water
Steps:
0) boil water
1) add tea
Toast
Material: bread
Steps:
0) cut bread
1) toast bread
Rules:
* Never burn anything.
Available location we have now:
* shelf for bread
Available material we have now: tea, water, bread
"""
TEA = Recipe("Tea", ("tea", "water"), ("boil water", "add tea"))
TOAST = Recipe("Toast", ("bread",), ("cut bread", "toast bread"))


def swapped(old: str, new: str, text: str = SMALL) -> str:
    assert old in text
    return text.replace(old, new, 1)


# The form -------------------------------------------------------------------------------------------------------------


def test_everything_is_read_and_the_text_stays_as_it_was_written() -> None:
    read = read_guidelines(SMALL, "breakfast")
    assert read == Guidelines(
        "breakfast",
        SMALL,
        ("Tea", "Toast"),
        (TEA, TOAST),
        ("tea", "water", "bread"),
        ("shelf for bread",),
        ("Never burn anything.",),
    )


@pytest.mark.parametrize(
    "text",
    [
        SMALL.replace("\n", "\r\n"),
        SMALL.replace("\n", "\r"),
        "\ufeff" + SMALL,
        SMALL.replace("\n", "\n\n"),
        SMALL.rstrip("\n"),
        "\n\n" + SMALL,
        "\n".join(f"  {line}\t" for line in SMALL.splitlines()),
        swapped("Options", "OPTION"),
        swapped("Tea\nMaterial", "TEA:\nMaterials"),
        swapped("Material: bread\nSteps:\n", ""),  # the material is read off nothing then
        swapped("0) boil water\n1) add tea", "1. boil water\n2. add tea"),
        swapped("0) boil water\n1) add tea", "0: boil water\n1 ) add tea"),
        swapped("Options: Tea, Toast", "Options:\n* Tea\n* Toast"),
        swapped("Options: Tea, Toast", "Options:\n- Tea\n- Toast"),
        swapped("Options: Tea, Toast", "Options: Tea; Toast."),
        swapped("Instructions:", "Instruction:"),
        swapped("Available location we have now:", "Available locations:"),
        swapped("Available material we have now: tea, water, bread", "Available materials:\n* tea\n• water\n- bread"),
    ],
)
def test_what_people_write_differently_is_read_the_same(text: str) -> None:
    read = read_guidelines(text)
    assert read.options == ("Tea", "Toast")
    assert [recipe.steps for recipe in read.recipes] == [TEA.steps, TOAST.steps]
    assert read.recipes[0] == TEA
    assert read.available == ("tea", "water", "bread")
    assert read.locations == ("shelf for bread",)
    assert read.rules == ("Never burn anything.",)


def test_steps_may_be_numbered_from_one_right_below_the_name() -> None:
    read = read_guidelines("Options: Tea\nInstructions:\nTea\n1) boil water\n2) add tea\n")
    assert read.recipes == (Recipe("Tea", (), ("boil water", "add tea")),)


def test_a_long_step_goes_on_in_a_deeper_line() -> None:
    read = read_guidelines(swapped("0) boil water\n", "0) boil\n   water\n"))
    assert read.recipes[0].steps == ("boil water", "add tea")


def test_numbered_rules_and_places_are_no_steps() -> None:
    text = swapped("* Never burn anything.", "1) Never burn anything.\n2. Be quick.")
    read = read_guidelines(text.replace("* shelf for bread", "1) shelf for bread"))
    assert read.recipes == (TEA, TOAST)
    assert read.rules == ("Never burn anything.", "Be quick.")
    assert read.locations == ("shelf for bread",)


def test_an_option_with_a_comma_is_listed_by_a_bullet() -> None:
    text = "Options:\n* Tea, black\nInstructions:\nTea, black\nSteps:\n0) boil water\n"
    assert read_guidelines(text).options == ("Tea, black",)


def test_what_is_about_anything_in_any_language_is_read() -> None:
    text = (
        "Options: Grüner Tee, お茶\nInstructions:\nGRÜNER TEE\nMaterial: grüner Tee\nSteps:\n0) Wasser kochen\n"
        "お茶\nMaterial: お茶, 水\nSteps:\n0) 水を沸かす\nAvailable material we have now: grüner Tee, お茶, 水\n"
    )
    read = read_guidelines(text)
    assert [recipe.name for recipe in read.recipes] == ["Grüner Tee", "お茶"]
    assert read.missing(["お茶", "GRÜNER TEE", "Öl"]) == ["Öl"]


def test_further_text_does_no_harm() -> None:
    read = read_guidelines("How we work\n===========\n\n" + swapped("Rules:", "Enjoy!\n\nRules:"))
    assert read.recipes == (TEA, TOAST)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", r"g: it has no options; begin with a line such as 'Options: Pure milk, Boba milk'\."),
        ("Options:\n", "g: it has no options"),
        (swapped("Options: Tea, Toast\n", ""), "g: it has no options"),
        (swapped("Options: Tea, Toast", "Optionen: Tea, Toast"), "g: it has no options"),
        (swapped("Tea, Toast", "Tea, Toast, Soup"), r"g, line 1: nothing says how 'Soup' is done; write its material"),
        (swapped("Tea\nMaterial", "Tee\nMaterial"), r"g, line 3: 'Tee' is not one of the options \(did you mean 'Tea'"),
        (swapped("Tea\nMaterial", "Kumquat\nMaterial"), r"g, line 3: 'Kumquat' is not one of the options\."),
        (swapped("Toast\nMaterial", "Tea\nMaterial"), "g, line 8: 'Tea' is explained twice"),
        (swapped("0) cut bread\n1) toast bread\n", ""), r"g, line 8: 'Toast' has no steps; write them as 0\) …, 1\) …"),
        (swapped("1) add tea", "1)"), "g, line 7: a step has no words"),
        (swapped("Tea\nMaterial: tea", "Material: tea"), "g, line 3: 'Material' comes before the name of an option"),
        ("Options: Tea\nSteps:\n0) boil", "g, line 2: 'Steps' comes before the name of an option"),
        ("Options: Tea", "g, line 1: nothing says how 'Tea' is done"),
        ("x" * (LONGEST_GUIDELINES + 1), f"g: has {LONGEST_GUIDELINES + 1} characters; a planner can be given"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=f"^{why}"):
        read_guidelines(text, "g")


@given(st.text(max_size=200))
def test_any_text_is_guidelines_or_bad_input(text: str) -> None:
    for each in (text, f"Options: a\nInstructions:\na\nSteps:\n0) b\n{text}"):
        try:
            read = read_guidelines(each)
        except BadInput as error:
            assert str(error)
        else:
            assert read.options
            assert all(recipe.steps for recipe in read.recipes)


# Files ----------------------------------------------------------------------------------------------------------------


def test_a_file_is_read_with_its_path_in_every_complaint(tmp_path: Path) -> None:
    path = tmp_path / "tea.txt"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert load_guidelines(path).recipes == (TEA, TOAST)
    assert load_guidelines(str(path)).name == str(path)
    path.write_text("Options: Tea")
    with pytest.raises(BadInput, match=r"tea\.txt, line 1: nothing says how 'Tea' is done"):
        load_guidelines(path)


def test_what_cannot_be_read_is_said_with_what_there_is_instead(tmp_path: Path) -> None:
    with pytest.raises(
        BadInput, match=r"nosuch: cannot be read: .*; the shipped guidelines are: dishwashing, drinks\."
    ):
        load_guidelines("nosuch")
    with pytest.raises(BadInput, match="cannot be read"):
        load_guidelines(tmp_path)
    (tmp_path / "picture.txt").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(BadInput, match=r"is not a text file .*; guidelines must be plain text"):
        load_guidelines(tmp_path / "picture.txt")


@pytest.mark.parametrize("name", shipped())
def test_shipped_guidelines_are_found_by_name_and_are_what_their_world_has(name: str) -> None:
    read = load_guidelines(name)
    assert read.text == shipped_text(name)
    world = open_world({"drinks": "drinks", "dishwashing": "dishwasher"}[name])
    assert briefing_of(world).guidelines == read.text
    assert read.undocumented(world.skills) == []
    assert read.missing(material for recipe in read.recipes for material in recipe.material) == []
    assert len(read.recipes) == len(read.options) == 3


def test_a_file_of_the_same_name_comes_before_the_shipped_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("drinks").write_text(SMALL)
    assert load_guidelines("drinks").options == ("Tea", "Toast")


# What is available ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("material", "missing"),
    [
        (["strawberry jam", "milk"], []),
        (["strawberry"], []),
        (["Strawberries", "MILK"], []),
        (["passion fruit", "milk", "lemon flavour"], ["passion fruit", "lemon flavour"]),
        (["oat milk"], ["oat milk"]),
        (["blueberries"], []),
        (["none"], []),
        ([], []),
    ],
)
def test_what_is_missing_has_a_word_that_nothing_available_has(material: list[str], missing: list[str]) -> None:
    assert load_guidelines("drinks").missing(material) == missing


def test_where_nothing_is_listed_nothing_is_missing() -> None:
    assert read_guidelines(SMALL.partition("Available material")[0]).missing(["dragon"]) == []


# What skills are documented for ---------------------------------------------------------------------------------------


def only(skills: dict[str, Skill]) -> list[str]:
    return [*skills]


def test_the_skills_that_have_a_word_of_the_step_are_those_it_is_about() -> None:
    guidelines, skills = read_guidelines(GUIDELINES), Counter().skills
    assert only(guidelines.documented("pour tea into the cup", skills)) == ["pour"]
    assert only(guidelines.documented("Serving it", skills)) == ["grab_cup", "put_cup"]
    assert guidelines.doable("pouring", skills)
    assert guidelines.undocumented(skills) == []


def test_the_names_of_things_alone_do_not_make_a_step_doable() -> None:
    guidelines, skills = read_guidelines(GUIDELINES), Counter().skills
    for step in ("juggle the cup", "sing to the tea at the counter", "", "...", "the of and"):
        assert not guidelines.doable(step, skills), step


def test_steps_without_a_skill_are_named_once_each() -> None:
    text = GUIDELINES.replace("0) bring a cup to the counter", "0) dance around\n1) bring a cup to the counter")
    assert read_guidelines(text).undocumented(Counter().skills) == ["dance around"]


def test_a_skill_that_takes_any_words_can_do_anything() -> None:
    guidelines = read_guidelines(GUIDELINES)
    assert guidelines.doable("xyzzy", ByHand().skills)
    assert guidelines.undocumented(ByHand().skills) == []
    assert len(guidelines.undocumented(ToyWorld().skills)) == 4


@pytest.mark.parametrize(
    ("one", "other"),
    [("berries", "berry"), ("plates", "plate"), ("pouring", "pour"), ("placed", "place"), ("dishes", "dish")],
)
def test_words_are_the_same_whatever_their_ending(one: str, other: str) -> None:
    assert stem(one) == stem(other)
