"""Who wants to know why the robot asks is told, and asked the same once more: the request is not lost."""

from __future__ import annotations

import pytest

from said import Talk, garden
from thinkaloud.records import Ask, Meaning

WHICH = "Which plant do you mean? (fern / rose / cactus)"
WHY = "Why did you ask?"


def test_which_things_fit_is_the_reason_and_the_question_is_put_again() -> None:
    talk = Talk(['water(the("plant"))', "say(why())"], garden(), answers=(WHY, "the fern"))
    assert talk.say("Water the plant.").result == "goal met" and talk.steps == ["Water the fern."]
    reason = 'You said: "Water the plant." Several things here may be “plant”.'
    assert [ask.questions for ask in talk.all(Ask)] == [(WHICH,), (f"{reason} {WHICH}",)]


def test_that_it_was_unsure_is_the_reason_where_it_offers_a_reading() -> None:
    talk = Talk(['water("fern")', "say(why())"], garden(), preset="thinkaloud:confirm=always", answers=(WHY, "yes"))
    assert talk.say("Das Farnding.").result == "goal met"
    first, second = (ask.questions[0] for ask in talk.all(Ask))
    assert second.startswith('You said: "Das Farnding." I am ') and second.endswith(first)


def test_that_a_rule_holds_on_is_the_reason_where_it_asks_about_one() -> None:
    talk = Talk(['never(water("fern"))', "say(why())"], garden(), preset="thinkaloud", answers=(WHY, "yes"))
    talk.say("Das Farnding nie mehr nass machen.")
    assert "A rule holds until you take it back" in talk.all(Ask)[1].questions[0]
    assert talk.all(Meaning)[-1].rules


def test_who_asks_again_and_again_is_not_answered_for_ever() -> None:
    talk = Talk(['water(the("plant"))', *["say(why())"] * 9], garden(), answers=(WHY,) * 9)
    assert talk.say("Water the plant.").result in ("answered", "declined") and 1 < len(talk.all(Ask)) < 6


@pytest.mark.parametrize("program", ['say(why(water("fern")))', 'say(wet("fern"))'])
def test_any_other_question_is_answered_as_a_new_one(program: str) -> None:
    talk = Talk(['water(the("plant"))', program], garden(), answers=("Since when?",))
    assert talk.say("Water the plant.").result == "answered" and len(talk.all(Ask)) == 1
