"""The lines that a plan by guidelines may consist of."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterworld import GUIDELINES, Counter
from thinkaloud.guidelines import Guidelines, load_guidelines, read_guidelines
from thinkaloud.methods.itp.line_templates import line_rules, places, slots_for, templates
from thinkaloud.models import grammar as gbnf
from thinkaloud.models.gbnf import accepts
from thinkaloud.skills import Skill
from thinkaloud.words import phrases
from thinkaloud.worlds import open_world
from thinkaloud.worlds.by_hand import ByHand

DRINKS = load_guidelines("drinks")
DISHES = load_guidelines("dishwashing")
BAR, MACHINE = open_world("drinks").skills, open_world("dishwasher").skills


def may_say(guidelines: Guidelines, request: str, line: str) -> bool:
    skills = MACHINE if guidelines is DISHES else BAR
    return accepts(gbnf.grammar("line", line_rules(guidelines, slots_for(guidelines, request), skills)), line)


@pytest.mark.parametrize("guidelines", [DRINKS, DISHES], ids=lambda each: each.name)
def test_every_step_of_every_recipe_may_be_said(guidelines: Guidelines) -> None:
    for recipe in guidelines.recipes:
        for step in recipe.steps:
            assert may_say(guidelines, recipe.name, step), step


@pytest.mark.parametrize(
    "line",
    [
        "add taro to the working cup",
        "add matcha powder to the working cup",
        "throw the working cup into the waste bin",
        "add passion fruit to the working cup",  # that it is not available is for the material to say
    ],
)
def test_other_things_may_be_put_into_the_sentences(line: str) -> None:
    assert may_say(DRINKS, "Taro with matcha and passion fruit.", line)


@pytest.mark.parametrize(
    "line",
    ["dance around", "add gravel to the working cup", "pour milk", "nothing has to be stirred", "Milk comes last", ""],
)
def test_other_sentences_may_not_be_said(line: str) -> None:
    assert not may_say(DRINKS, "A taro milk.", line)


@pytest.mark.parametrize(
    ("request_", "line"),
    [
        ("Wash two bowls.", "grasp the second dirty bowl"),
        ("Wash all forks.", "put the fork on the first rack"),
        ("Wash a bread knife.", "remove large particles from the bread knife"),
        ("Wash my knives.", "grasp the fourth dirty knife"),
        ("Wash the glasses.", "put the glass on the second rack"),
        ("A cup with rose flavour.", "add rose detergent to the dispenser"),
    ],
)
def test_what_the_request_names_may_be_put_in_in_the_singular(request_: str, line: str) -> None:
    assert may_say(DISHES, request_, line)


def test_only_the_material_that_was_said_to_be_needed_may_occur() -> None:
    rules = line_rules(DRINKS, slots_for(DRINKS, "Taro milk.") | {"material": ["taro"]}, BAR)
    grammar = gbnf.grammar("line", rules)
    assert accepts(grammar, "add taro to the working cup")
    assert not accepts(grammar, "add boba to the working cup")


def test_slots_stand_where_material_places_things_and_numbers_stood() -> None:
    found = templates(DISHES, MACHINE)
    assert ("grasp the ", "ordinal", " dirty ", "thing", "") in found
    assert ("add ", "material", " to the dispenser") in found
    assert ("put the ", "thing", " on the ", "location", "") in found
    assert len(found) == len({*found})


def test_a_step_that_only_a_rule_names_is_a_sentence_of_its_own() -> None:
    assert any("throw the" in "".join(each) for each in templates(DRINKS, BAR))


@pytest.mark.parametrize(
    "rule",
    [
        "If it is spoilt, throw the cup into the bin.",
        "When something wrong is in it, first throw the cup into the bin, then begin again with a clean cup.",
        "If it is spoilt, the first step is to throw the cup into the bin; then begin again.",
        "Nothing can be taken out again: throw the cup into the bin and start over with a clean cup.",
        "Something wrong in it? Then throw the cup into the bin and make the tea anew.",
        "Please throw the cup into the bin!",
    ],
)
def test_of_a_rule_only_what_is_to_be_done_may_be_said(rule: str) -> None:
    guidelines = read_guidelines(f"{GUIDELINES}\nRules:\n* {rule}\n* It is no fun to throw the cup anywhere.\n")
    with_bin = {**Counter().skills, "throw_cup": replace_name(Counter().skills["put_cup"])}
    own = templates(read_guidelines(GUIDELINES), with_bin)
    added = [each for each in templates(guidelines, with_bin) if each not in own]
    assert ("throw the cup into the ", "location", "") in added
    assert not any("begin" in part or "start" in part or "step is" in part for each in added for part in each)


def replace_name(skill: Skill) -> Skill:
    return replace(skill, signature=replace(skill.signature, name="throw_cup", about="Throw the cup away."))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("cup stack for empty cups", "cup stack"),
        ("tray: where it goes", "tray"),
        ("shelf (left)", "shelf"),
        ("bin", "bin"),
        ("table, next to the door", "table"),
    ],
)
def test_a_place_is_called_what_stands_before_its_purpose(line: str, name: str) -> None:
    assert places(read_guidelines(GUIDELINES.replace("rack for clean cups", line)))[0] == name


def test_a_place_without_a_name_is_none() -> None:
    guidelines = read_guidelines(GUIDELINES.replace("rack for clean cups", "(upstairs)"))
    assert places(guidelines) == ["counter", "tray", "bin"]
    assert ("pour ", "material", " into the cup") in templates(guidelines, Counter().skills)


def test_a_longer_name_is_one_thing() -> None:
    text = GUIDELINES.replace("tea, honey, lemon", "tea, green tea").replace("1) pour tea", "1) pour green tea")
    assert ("pour ", "material", " into the cup") in templates(read_guidelines(text), Counter().skills)


def test_guidelines_without_lists_have_only_their_own_sentences() -> None:
    guidelines = read_guidelines("Options: Chores\nInstructions:\nChores\nSteps:\n0) water the plants\n")
    rules = line_rules(guidelines, slots_for(guidelines, "Everything."), ByHand().skills)
    assert accepts(gbnf.grammar("line", rules), "water the plants")
    assert not accepts(gbnf.grammar("line", rules), "feed the cat")


@pytest.mark.parametrize(
    ("request_", "found"),
    [
        ("Please, a boba milk.", ["boba milk", "boba", "milk"]),
        ("I'd like crème-brûlée!", ["i'd", "crème-brûlée"]),
        ("2 plates & 3 forks", ["plates", "forks"]),
        ("", []),
        ("the of and with", []),
    ],
)
def test_what_a_request_may_name(request_: str, found: list[str]) -> None:
    assert phrases(request_) == found


@settings(max_examples=40)
@given(st.text(max_size=80))
def test_a_request_of_any_words_makes_a_grammar(request_: str) -> None:
    rules = line_rules(DRINKS, slots_for(DRINKS, request_), BAR)
    assert accepts(gbnf.grammar("line", rules), "add boba to the working cup")
