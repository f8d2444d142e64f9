"""Who is asked "May I do this?" and answers with neither yes nor no gets an answer, and is asked once more."""

from __future__ import annotations

import pytest

from said import GARDEN, Talk
from thinkaloud.episode.approval_answers import MAY_I, YES_OR_NO
from thinkaloud.records import Ask, End
from thinkaloud.robots.text_file import TextFileWorld

CAREFUL = (
    GARDEN.replace("[skills.whistle]\n", "[skills.whistle]\napproval = true\n")
    .replace("[skills.fill_can]\n", "[skills.fill_can]\napproval = true\n")
    .replace('facts = ["wet(cactus)", "filled()"]', 'facts = ["wet(cactus)"]')
)
WHISTLE = MAY_I + "Whistle a tune."
WHY = 'You said: "Whistle." I do it only if you agree.'


def talk(programs: list[str], *answers: str, said: str = "Whistle.") -> Talk:
    found = Talk(programs, TextFileWorld(CAREFUL), answers=answers)
    found.say(said)
    return found


def asked(conversation: Talk) -> list[tuple[str, ...]]:
    return [ask.questions for ask in conversation.all(Ask)]


@pytest.mark.parametrize("why", ["say(why())", "say(why(whistle()))"])
def test_why_is_answered_and_then_a_yes_counts(why: str) -> None:
    done = talk(["whistle()", why], "Why?", "yes")
    assert asked(done) == [(WHISTLE,), (WHY, WHISTLE)]
    assert done.steps == ["Whistle a tune."]


def test_why_is_told_of_a_step_that_only_prepares() -> None:
    done = talk(['water("fern")', "say(why())"], "Why?", "no", said="Water the fern.")
    told = 'You said: "Water the fern." It is needed for: Water the fern. I do it only if you agree.'
    assert asked(done)[1][0] == told
    assert (done.ends, done.steps) == (["declined"], [])


def test_what_is_not_clear_is_asked_about_once_and_is_never_a_yes() -> None:
    done = talk(["whistle()", "unclear()", "unclear()"], "Hm.", "Well.")
    assert asked(done) == [(WHISTLE,), (YES_OR_NO, WHISTLE)]
    assert (done.ends, done.steps) == (["declined"], [])


def test_a_no_after_the_answer_is_a_no() -> None:
    done = talk(["whistle()", "say(why())"], "Why?", "no")
    assert (done.ends, done.steps) == (["declined"], [])


def test_naming_the_step_instead_of_an_answer_is_no_yes() -> None:
    done = talk(["whistle()", "whistle()"], "Whistle a tune?", "no")
    assert (len(asked(done)), done.steps) == (2, [])


def test_who_goes_on_asking_is_not_answered_for_ever() -> None:
    done = talk(["whistle()", *["say(why())"] * 9], *["Why?"] * 9)
    assert done.ends == ["declined"] and len(asked(done)) == 6


def test_after_the_step_the_next_one_is_asked_about_anew() -> None:
    done = talk(["whistle()\nwhistle()", "unclear()", "unclear()"], "Hm.", "yes", "Hm.", "yes")
    assert done.steps == ["Whistle a tune."] * (len(asked(done)) // 2)


def test_something_else_instead_of_an_answer_is_done_instead() -> None:
    done = talk(["whistle()", 'open("left window")'], "Open the left window instead.")
    assert done.steps == ["Open the left window."]


# Something new in place of a yes --------------------------------------------------------------------------------------


FILL = MAY_I + "Fill the can."


def test_a_correction_that_begins_with_no_is_heard_and_the_step_asked_about_anew() -> None:
    done = talk(['water("fern")', 'water("rose")'], "No, water the rose instead.", "yes", said="Water the fern.")
    assert asked(done) == [(FILL,), ("I understood: I will water the rose.", FILL)]
    assert done.steps == ["Fill the can.", "Water the rose."]


def test_corrections_are_heard_however_many_there_are() -> None:
    plants = ["rose", "fern"] * 4
    programs = ['water("fern")', *(f'water("{plant}")' for plant in plants)]
    done = talk(programs, *(f"The {plant}, please." for plant in plants), "yes", said="Water the fern.")
    assert done.steps == ["Fill the can.", "Water the fern."]


def test_what_is_asked_for_besides_is_told_and_still_done_after_a_no() -> None:
    also = 'previous()\nopen("left window")'
    done = talk(["whistle()", also], "Also open the left window.", "no")
    assert "I will open the left window." in asked(done)[1][0]
    assert done.steps == ["Open the left window."]
    assert (done.ends, "I leave this, because you did not agree: Whistle a tune." in done.all(End)[0].because) == (
        ["goal met"],
        True,
    )


def test_what_is_asked_for_besides_is_done_after_a_yes_too() -> None:
    done = talk(["whistle()", 'previous()\nopen("left window")'], "Also open the left window.", "yes")
    assert done.steps == ["Whistle a tune.", "Open the left window."]


def test_why_another_wish_cannot_be_done_is_told_before_asking_again() -> None:
    done = talk(["whistle()", 'cannot("I cannot fly.")'], "Fly to the moon instead.", "no")
    assert asked(done)[1] == ("I cannot fly.", WHISTLE)


def test_why_another_wish_cannot_be_done_is_told_beside_a_no() -> None:
    done = talk(["whistle()", 'cannot("I cannot fly.")'], "No, fly to the moon.")
    assert done.all(End)[0].because == "you did not approve: Whistle a tune. I cannot fly."


def test_a_rule_said_in_place_of_an_answer_is_noted_and_told() -> None:
    done = talk(["whistle()", 'keep(["rose"])'], "And leave the rose alone.", "no")
    assert asked(done)[1] == ("From now on I leave the rose alone.", WHISTLE)
    assert (done.kept, done.steps) == (["rose"], [])


@pytest.mark.parametrize("again", ["whistle()", "previous()"])
def test_no_and_the_same_once_more_is_a_no(again: str) -> None:
    done = talk(["whistle()", again], "No, do not whistle a tune.")
    assert (done.ends, done.steps, len(asked(done))) == (["declined"], [], 1)


def test_a_no_to_an_earlier_request_is_no_answer_to_the_next() -> None:
    again = talk(["whistle()", "whistle()"], "no", "yes")
    again.say("Whistle.")
    assert (again.ends, again.steps) == (["declined", "unconfirmed"], ["Whistle a tune."])
