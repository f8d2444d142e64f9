"""Rules about deeds: what was forbidden is not done, whoever asks for it, until it is allowed again."""

from __future__ import annotations

import pytest

from said import Talk, garden, meaning_of
from thinkaloud.models.gbnf import accepts
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import End, Rule
from thinkaloud.skills.rules import add_rules, find_broken
from thinkaloud.understand.prompting.grammar import program_grammar


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('never(water("fern"))', "never to water the fern."),
        ("never(water(plants))", "never to water."),
        ('never(prune("rose"), above=5)', "never to prune the rose by more than 5 centimetres."),
        ('never(prune("rose"), above=amount(1, "metre"))', "never to prune the rose by more than 100 centimetres."),
        ('never(switch(state="on"), until=wet("fern"))', "not to switch any lamp on until fern is wet."),
        ('never(water("fern"))\nnever(whistle())', "never to water the fern and never to whistle a tune."),
        ('allow(water("fern"))', "I may water the fern again."),
    ],
)
def test_a_rule_alone_lasts_and_is_said(program: str, words: str) -> None:
    meaning = meaning_of(program)
    assert (meaning.sort, meaning.deeds) == ("note", ())
    assert meaning.words in (words, f"From now on I am {words}")


def test_beside_deeds_a_rule_holds_for_them() -> None:
    meaning = meaning_of('never(water("fern"))\nwater(plants)')
    assert [step.words for step in meaning.deeds] == ["Water the rose."]
    assert "For this I am never to water the fern." in meaning.words
    assert meaning_of('never(water("fern"))\nwater("fern")').sort == "refusal"


@pytest.mark.parametrize("program", ['never(water("fern"), above=6)', "never(whistle(), above=2)"])
def test_a_limit_for_a_deed_without_a_number_is_no_rule(program: str) -> None:
    meaning = meaning_of(program)
    assert meaning.rules == () and "no number" in meaning.words and meaning.sort != "note"


def test_a_deed_that_the_robot_cannot_do_needs_no_rule() -> None:
    assert meaning_of('never(sing("fern"))').words == "I have no skill for that: sing."


def test_a_rule_is_kept_until_it_is_lifted() -> None:
    programs = ['never(water("rose"))', 'water("rose")', "water(plants)", 'allow(water("rose"))', 'water("rose")']
    talk = Talk(programs, garden("filled()"))
    talk.say("Never water the rose.")
    declined = talk.say("Water the rose.")
    assert declined == End("declined", "You told me never to water the rose. Tell me if that no longer holds.")
    talk.say("Water the plants.", "You may water the rose again.", "Water the rose.")
    assert talk.steps == ["Water the fern.", "Water the cactus.", "Water the rose."]


def test_a_step_that_only_helps_is_forbidden_too() -> None:
    talk = Talk(["never(fill_can())", 'water("rose")', "give_up()"], garden(""))
    end = talk.say("Don't fill the can.", "Water the rose.")
    assert (end.result, talk.steps) == ("declined", [])
    assert end.because == "For that I would have to do this, and you told me never to fill the can: Fill the can."


def test_a_rule_ends_when_what_it_waits_for_is_so() -> None:
    programs = ['never(whistle(), until=wet("fern"))', "whistle()", 'water("fern")', "whistle()"]
    talk = Talk(programs, garden("filled()"))
    talk.say("Don't whistle until the fern is wet.", "Whistle.", "Water the fern.", "Whistle.")
    assert talk.ends[1] == "declined"
    assert talk.steps == ["Water the fern.", "Whistle a tune."]


def test_the_latest_rule_counts() -> None:
    nobody, tom = Rule("wake", {}, words="never to wake"), Rule("wake", {"person": "Tom"}, allowed=True)
    rules = add_rules((), [nobody, tom])
    assert find_broken(rules, "wake", {"person": "Tom"}) is None
    assert find_broken(rules, "wake", {"person": "Ida"}) is nobody
    assert add_rules(rules, [nobody]) == (nobody,)
    assert add_rules(rules, [Rule("wake", {}, allowed=True)]) == ()


def test_only_more_than_so_much_is_forbidden() -> None:
    rules = [Rule("pour", {"cup": "mug"}, above=200)]
    assert find_broken(rules, "pour", {"amount": 250, "cup": "mug"}) is rules[0]
    assert find_broken(rules, "pour", {"amount": 200, "cup": "mug"}) is None


def test_the_grammar_has_rules() -> None:
    world = garden()
    grammar = program_grammar(lexicon_of(world, world.observe()))
    for program in ('never(water("fern"))', "never(whistle(), until=wet(plants[0]))", "allow(whistle())"):
        assert accepts(grammar, f"{program}\n\n"), program
