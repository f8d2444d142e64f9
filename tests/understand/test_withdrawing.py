"""Who takes back what they asked for has forbidden nothing, even if a model writes that down as a rule."""

from __future__ import annotations

import pytest

from said import Talk, when_begun
from thinkaloud.records import Ask, End, Stop
from thinkaloud.understand.withdrawing import ONLY_NOW

ALONE, UNSURE = "thinkaloud:confirm=never", "thinkaloud:confirm=unsure"
WHICH = 'water(the("plant"))'
RULES = ['never(water("fern"))', "never(water(plants))", "keep(plants)"]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("words", ["Ach, lass mal gut sein.", "Laissons ça.", "It is not worth it."])
def test_in_answer_to_a_question_it_ends_the_request(rule: str, words: str) -> None:
    talk = Talk([WHICH, rule, 'water("fern")'], preset=ALONE, answers=(words,))
    assert talk.say("Water the plant.") == End("stopped", ONLY_NOW)
    assert talk.say("Water the fern.").result == "goal met"


@pytest.mark.parametrize("rule", RULES)
def test_amid_the_work_it_ends_the_request(rule: str) -> None:
    during = when_begun("Water the fern.", "Ach, lass mal gut sein.")
    talk = Talk(['water(["fern", "rose"])', rule, 'water("rose")'], preset=ALONE, during=during)
    assert talk.say("Water them.") == End("stopped", ONLY_NOW)
    assert talk.say("Water the rose.").result == "goal met"


def test_who_can_be_asked_is_asked_which_of_the_two_was_meant() -> None:
    programs = [WHICH, RULES[0], 'water("fern")']
    left = Talk(programs, preset=UNSURE, answers=("Ach, lass mal gut sein.", "1"))
    left.say("Water the plant.")
    offered = "What do you mean? 1. I leave off. 2. From now on I am never to water the fern. 3. None of these."
    assert (left.all(Ask)[-1].questions, left.ends) == ((offered,), ["stopped"])
    ruled = Talk(programs, preset=UNSURE, answers=("Ach, lass mal gut sein.", "2"))
    ruled.say("Water the plant.")
    assert ruled.say("Water the fern.").result == "declined"


def test_a_rule_that_is_named_is_a_rule_in_answer_to_a_question_too() -> None:
    talk = Talk([WHICH, RULES[0], 'water("fern")'], preset=ALONE, answers=("Never water the fern!",))
    assert talk.say("Water the plant.").because == "From now on I am never to water the fern."
    assert talk.say("Water the fern.").result == "declined"


def test_an_answer_about_a_rule_counts_with_the_words_of_the_request() -> None:
    programs = ['never(water(the("plant")))', RULES[0], 'water("fern")']
    talk = Talk(programs, preset=ALONE, answers=("The green one over there.",))
    assert talk.say("Never water the plant.").because == "From now on I am never to water the fern."
    assert talk.say("Water the fern.").result == "declined"


@pytest.mark.parametrize("words", ["Never mind.", "Forget it."])
def test_read_as_leaving_off_or_said_as_a_stop_it_ends_the_request(words: str) -> None:
    asked = Talk([WHICH, "stop()"], preset=ALONE, answers=(words,))
    assert asked.say("Water the plant.").result in ("stopped", "declined")
    stopped = Talk(['water(["fern", "rose"])'], during=when_begun("Water the fern.", Stop(words)))
    assert stopped.say("Water them.").result == "stopped"
