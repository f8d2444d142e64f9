"""Once more, and all of it back: what was done is known, and no model has to find it again."""

from __future__ import annotations

import pytest

from said import Talk, garden, when_begun
from stable import UNSURE, stable
from stable import sure as sure
from thinkaloud.language.words import says_again
from thinkaloud.records import Ask

pytestmark = pytest.mark.usefixtures("sure")


# Once more ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["Again.", "Once more, please!", "Do it again", "Can you do that one more time?", "Repeat that."]
)
def test_nothing_is_said_but_that_the_same_is_wanted(text: str) -> None:
    assert says_again(text)


@pytest.mark.parametrize(
    "text", ["Water it again.", "Not again!", "Again, but the rose", "One more", "Do it.", "More."]
)
def test_something_else_is_said_as_well(text: str) -> None:
    assert not says_again(text)


def test_what_was_done_last_is_done_again_without_a_model() -> None:
    talk = Talk(["whistle()", 'water("rose")'], preset=UNSURE)
    end = talk.say("Whistle.", "Once more, please.", "Water the rose.", "Again.")
    assert talk.steps == ["Whistle a tune.", "Whistle a tune.", "Water the rose."]  # what is so is not done again
    assert len(talk.model.prompts) == 2 and "Rose is wet already." in end.because


def test_an_answer_is_given_again_as_things_are_then() -> None:
    talk = Talk(['say(wet("cactus"))'], preset=UNSURE)
    assert talk.say("Is the cactus wet?", "Again, please.").because == "Yes. Cactus is wet."


def test_again_after_something_was_taken_back_is_for_a_model_to_read() -> None:
    talk = Talk(['open("left window")', "undo()", 'open("left window")'], preset=UNSURE)
    talk.say("Open the left window.", "Undo that.", "Again.")
    assert talk.steps[-1] == "Open the left window." and len(talk.model.prompts) == 3


# Going on -------------------------------------------------------------------------------------------------------------


def test_who_speaks_of_finishing_where_nothing_moves_means_what_was_left() -> None:
    programs = ['water("fern")\nopen("left window")', "whistle()", 'stop("after this")']
    talk = Talk(programs, during=when_begun("Water the fern.", "First whistle."))
    talk.say("Water the fern and open the left window.")
    assert talk.steps[-1] == "Whistle a tune."
    end = talk.say("Now finish the task before that.")
    assert (end.result, talk.steps[-1]) == ("goal met", "Open the left window.")


def test_where_something_moves_a_stop_is_a_stop() -> None:
    programs = ['water("fern")\nopen("left window")', 'stop("after this")']
    talk = Talk(programs, during=when_begun("Water the fern.", "Finish this one, and then leave it."))
    talk.say("Water the fern and open the left window.")
    assert {*talk.steps} == {"Water the fern."}  # cut short, and then finished


# All of it back -------------------------------------------------------------------------------------------------------


def test_all_that_was_done_with_a_thing_is_taken_back_and_nothing_else() -> None:
    talk = Talk(['bolt("south hatch")', 'hang("old saddle")', 'swing("south hatch", "up")'], stable(), preset=UNSURE)
    talk.say("Bolt the south hatch.", "Hang up the old saddle.", "Swing the south hatch up.")
    assert talk.say("Undo everything you did to the south hatch.").result == "goal met"
    assert {*talk.steps[3:]} == {"Unbolt the south hatch.", "Swing the south hatch down."}


@pytest.mark.parametrize(
    "words", ["Undo everything.", "Please undo all of it.", "Take it all back.", "Revert everything you did."]
)
def test_everything_is_what_was_done_for_all_requests(words: str) -> None:
    talk = Talk(['bolt("south hatch")', 'hang("old saddle")'], stable(), preset=UNSURE)
    talk.say("Bolt the south hatch.", "Hang up the old saddle.", words)
    assert {*talk.steps[2:]} == {"Unbolt the south hatch.", "Take down the old saddle."}


def test_all_of_it_may_be_all_of_the_latest_request() -> None:
    programs = ['bolt("south hatch")', 'hang(["old saddle", "pony saddle"])']
    talk = Talk(programs, stable(), preset=UNSURE, answers=("the second one",))
    talk.say("Bolt the south hatch.", "Hang up the old and the pony saddle.", "Undo all of it.")
    (question,) = talk.all(Ask)[0].questions
    assert "1. I will take back what I did for the last 2 requests. 2. I will take back what I did last." in question
    assert {*talk.steps[3:]} == {"Take down the old saddle.", "Take down the pony saddle."}


def test_all_but_something_stays() -> None:
    talk = Talk(['bolt("south hatch")', 'hang("old saddle")'], stable(), preset=UNSURE)
    talk.say("Bolt the south hatch.", "Hang up the old saddle.", "Undo everything except the saddle.")
    assert talk.steps[2:] == ["Unbolt the south hatch."]


def test_of_what_nothing_was_done_with_nothing_is_taken_back() -> None:
    talk = Talk(['bolt("south hatch")'], stable(), preset=UNSURE)
    end = talk.say("Bolt the south hatch.", "Undo everything you did to the jug.")
    assert (end.result, len(talk.steps)) == ("declined", 1)


# What need not be done ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "You don't need to water the rose.",
        "No need to water the rose.",
        "You needn't water the rose, I did it.",
        "You don't have to bother with the rose.",
        "Don't bother watering the rose.",
    ],
)
def test_what_need_not_be_done_is_not_forbidden(words: str) -> None:
    talk = Talk(['keep("rose")', 'water("rose")'], preset=UNSURE)
    assert talk.say(words).because == "All right, then I do not do that now."
    assert talk.kept == []
    assert talk.say("Water the rose.").result == "goal met"


def test_what_must_not_be_done_still_is() -> None:
    talk = Talk(['keep("rose")'], preset=UNSURE)
    talk.say("Don't touch the rose.")
    assert talk.kept == ["rose"]


def test_what_need_not_be_done_is_not_done_without_asking() -> None:
    talk = Talk(['water("rose")'], preset=UNSURE, answers=("no",))
    talk.say("You don't have to water the rose.")
    assert talk.steps == [] and talk.all(Ask)


def test_amid_the_work_what_need_not_be_done_is_left_out_of_it_and_not_forbidden() -> None:
    said = when_begun("Water the fern.", "You don't need to water the rose.")
    talk = Talk(['water(["fern", "rose"])', 'keep("rose")'], garden("filled()"), preset=UNSURE, during=said)
    talk.say("Water the fern and the rose.")
    assert ({*talk.steps}, talk.kept, talk.ends) == ({"Water the fern."}, [], ["goal met"])


def test_an_order_beside_it_is_read_alone() -> None:
    talk = Talk(['keep("rose")', 'water("fern")'], preset=UNSURE, answers=("yes",))
    talk.say("No need to water the rose, just water the fern.")
    assert (talk.steps, talk.kept) == (["Water the fern."], [])


def test_a_ban_is_not_all_where_something_is_wanted_beside_it() -> None:
    talk = Talk(['keep("rose")'], preset=UNSURE, answers=("no",))
    talk.say("Nothing new for the rose, please. I only want you to water it.")
    assert talk.all(Ask) and talk.kept == []


# So far ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("What did you just do?", ["Whistle a tune."]),
        ("What have you done so far?", ["Water the fern.", "Whistle a tune."]),
    ],
)
def test_what_was_done_is_told_of_the_latest_request_or_of_all(request_: str, told: list[str]) -> None:
    talk = Talk(['water("fern")', "whistle()", "say(done())"])
    end = talk.say("Water the fern.", "Whistle.", request_)
    assert end.because == " ".join(f"I did this: {each}" for each in told)
