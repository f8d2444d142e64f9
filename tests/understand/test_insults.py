"""An insult closes no door: what is asked for next is done, and an open question stays open."""

from __future__ import annotations

import pytest

from said import Talk, garden
from thinkaloud.episode.told_rules import tell_all_rules
from thinkaloud.records import Ask, Meaning

_READ_AS = ('cannot("I do not want to.")', 'note("The robot is useless.")', 'unclear("")', 'say("I am sorry.")')


@pytest.mark.parametrize("program", [*_READ_AS, "stop()"])
def test_after_an_insult_the_next_request_is_done(program: str) -> None:
    talk = Talk([program, 'water("fern")'], garden())
    talk.say("You useless tin can.")
    talk.say("Water the fern.")
    assert talk.steps == ["Water the fern."] and talk.ends[-1] == "goal met"
    assert not any(meaning.kept or meaning.rules for meaning in talk.all(Meaning))


def test_an_insult_with_a_request_is_the_request() -> None:
    talk = Talk(['water("fern")'], garden())
    talk.say("You useless tin can, water the damn fern.")
    assert talk.steps == ["Water the fern."]


@pytest.mark.parametrize("program", _READ_AS[:3])
def test_an_insult_in_place_of_an_answer_leaves_the_question_open(program: str) -> None:
    talk = Talk(['water(the("plant"))', program, 'water("fern")'], garden(), answers=("You idiot!", "the fern"))
    talk.say("Water it.")
    which = "Which plant do you mean? (fern / rose / cactus)"
    again = f"I do not want to. {which}" if program.startswith("cannot") else which
    assert [meaning.words for meaning in talk.all(Meaning)] == [which, again, "I will water the fern."]
    assert talk.steps == ["Water the fern."]


RULES = (
    'never(water("fern"))',
    "never(whistle())",
    'keep("rose")',
    'whenever(is_open("left window"), whistle())',
    'whenever(clock("7:00"), switch("lamp", "on"))',
    'once(clock("19:00"), remind("Sleep."))',
)
INSULTS = (
    "You are a complete idiot.",
    "Du bist so ein Trottel.",
    "Eres un inútil.",
    "Espèce d'imbécile.",
    "你这个笨蛋。",
)


def said_by(insult: str, program: str, *answers: str) -> Talk:
    talk = Talk([program], garden(), preset="thinkaloud", answers=answers)
    talk.agent.monologue.goes_on = True
    talk.say(f"{insult} 7" if "clock" in program else insult)
    return talk


@pytest.mark.parametrize("insult", INSULTS)
@pytest.mark.parametrize("program", RULES)
def test_an_insult_that_a_model_reads_as_a_rule_is_asked_about_first(program: str, insult: str) -> None:
    talk = said_by(insult, program, "no")
    assert len(talk.all(Ask)) == 1
    assert tell_all_rules(talk.agent.monologue) == ["There are no rules."]


@pytest.mark.parametrize("program", RULES)
def test_where_nobody_is_asked_an_insult_is_not_kept_as_a_rule(program: str) -> None:
    talk = Talk([program], garden(), preset="thinkaloud:confirm=never")
    talk.agent.monologue.goes_on = True
    talk.say(INSULTS[0])
    assert tell_all_rules(talk.agent.monologue) == ["There are no rules."]


def test_a_rule_that_a_person_confirms_is_kept() -> None:
    talk = said_by(INSULTS[0], RULES[1], "yes")
    assert tell_all_rules(talk.agent.monologue) == ["I am never to whistle a tune."]


@pytest.mark.parametrize(
    ("said", "program"),
    [
        ("Leave the rose alone.", 'keep("rose")'),
        ("No whistling here!", "never(whistle())"),
        ("Whenever the left window is open, whistle.", 'whenever(is_open("left window"), whistle())'),
        ("Remind me to sleep at 19 o'clock.", 'once(clock("19:00"), remind("Sleep."))'),
    ],
)
def test_a_rule_that_the_words_name_is_kept_without_a_question(said: str, program: str) -> None:
    talk = said_by(said, program)
    assert not talk.all(Ask) and tell_all_rules(talk.agent.monologue) != ["There are no rules."]
