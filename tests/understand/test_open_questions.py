"""Answers, corrections and taking back, while a question is open or after nothing was done."""

from __future__ import annotations

import pytest

from said import Talk, garden
from stable import stable
from stable import sure as sure
from thinkaloud.records import Ask
from thinkaloud.robots.text_file import TextFileWorld

pytestmark = pytest.mark.usefixtures("sure")
UNSURE = "thinkaloud:confirm=unsure"


def talked(programs: list[str], *said: str, answers: tuple[str, ...] = ("no",), preset: str = UNSURE) -> Talk:
    talk = Talk(programs, stable(), preset=preset, answers=answers)
    talk.say(*said)
    return talk


@pytest.mark.parametrize("thanks", ["Thanks!", "Thank you very much.", "danke"])
def test_thanks_answer_nothing(thanks: str) -> None:
    talk = talked(['hang("saddle")'], "Hang up the saddle.", answers=(thanks, "the old one"))
    assert [len(ask.questions) for ask in talk.all(Ask)] == [1, 1]
    assert talk.all(Ask)[0] == talk.all(Ask)[1]
    assert (talk.steps, len(talk.model.prompts)) == (["Hang up the old saddle."], 1)


def test_who_only_gives_thanks_is_not_asked_for_ever() -> None:
    talk = talked(['hang("saddle")'], "Hang up the saddle.", answers=("thanks",) * 9)
    assert talk.ends == ["declined"]
    assert 1 < len(talk.all(Ask)) < 6


@pytest.mark.parametrize("answer", ["hang it up by its strap", "the old one, and groom Star too", "no, groom Star"])
def test_what_refers_to_a_question_is_read_with_it(answer: str) -> None:
    talk = talked(['hang("saddle")', 'groom("Star")'], "Hang up the saddle.", answers=(answer,))
    assert talk.model.prompts[1].count('# "Hang up the saddle."') == 1


def test_a_correction_of_what_was_not_done_takes_nothing_else_back() -> None:
    programs = ['hang("old saddle")', 'groom("unicorn")', 'undo()\ngroom("Star")']
    talk = talked(programs, "Hang up the old saddle.", "Groom the unicorn.", "No, I meant Star.")
    assert talk.steps == ["Hang up the old saddle.", "Groom Star."]


def test_a_correction_after_an_answer_takes_back_what_was_done_before_it() -> None:
    programs = ['hang("old saddle")', 'say(hung("old saddle"))', 'undo()\nhang("pony saddle")']
    talk = talked(programs, "Hang up the old saddle.", "Does it hang?", "No, the pony saddle I meant.")
    assert {*talk.steps[1:]} == {"Take down the old saddle.", "Hang up the pony saddle."}


def test_to_take_back_after_something_that_was_declined_is_asked_about() -> None:
    programs = ['hang("old saddle")', 'groom("unicorn")', "undo()"]
    talk = talked(programs, "Hang up the old saddle.", "Groom the unicorn.", "Take that back.")
    assert talk.all(Ask)[-1].questions == ("I understood: I will take back what I did last. Is that right?",)
    assert talk.steps == ["Hang up the old saddle."]


def test_why_is_told_of_the_latest_request_alone() -> None:
    programs = ['groom("Star")', 'say(groomed("Star"))', "say(why())"]
    why = talked(programs, "Groom Star.", "Is Star groomed?", "Why did you do that?").all(object)[-1]
    assert 'You said: "Groom Star."' in why.because and "Yes." not in why.because


def test_why_is_told_of_a_refusal_where_that_came_last() -> None:
    programs = ['groom("Star")', 'groom("unicorn")', "say(why())"]
    why = talked(programs, "Groom Star.", "Groom the unicorn.", "Why?").all(object)[-1]
    assert 'You said: "Groom the unicorn."' in why.because and "There is no unicorn here." in why.because
    assert "Groom Star" not in why.because


def test_why_names_the_request_beside_the_answer_to_a_question() -> None:
    talk = talked(['hang("saddle")', "say(why())"], "Hang up the saddle.", "Why?", answers=("the old one",))
    assert 'You said: "Hang up the saddle." "The old one."' in talk.all(object)[-1].because


def test_kinds_within_a_kind_can_be_spoken_of() -> None:
    talk = talked(["groom(goats)"], "Groom the goats.")
    assert 'goats = ["Pepper", "Olive"]' in talk.model.prompts[0]
    assert talk.steps == ["Groom Pepper.", "Groom Olive."]


# In the skill's own words ---------------------------------------------------------------------------------------------


def test_what_is_missing_is_asked_for_and_the_answer_needs_no_model() -> None:
    talk = talked(['lead("Star")'], "Lead Star out.", answers=("the hill",))
    assert talk.all(Ask)[0].questions == ("Which place do you mean? (paddock / stall / hill)",)
    assert (talk.steps, len(talk.model.prompts)) == (["Lead Star to the hill."], 1)


def test_what_is_missing_first_is_asked_for_in_its_place() -> None:
    talk = talked(['pour("water")'], "Pour some water.", answers=("the tin one",))
    assert talk.all(Ask)[0].questions == ("Which bucket do you mean? (tin bucket / wooden bucket)",)
    assert talk.steps == ["Pour water into the tin bucket."]


@pytest.mark.parametrize(
    ("request_", "program", "question"),
    [
        ("Lead Star to the place.", 'lead("Star", "place")', "Which place do you mean?"),  # it was spoken of
        ("Lead them.", 'ask("To which place?", places)', "To which place?"),  # nobody knows whom
        ("Take Blaze somewhere.", 'ask("To which place?", places)', "To which place?"),  # it may be another skill
    ],
)
def test_where_more_is_open_the_question_stays_as_it_is(request_: str, program: str, question: str) -> None:
    talk = talked([program], request_)
    assert talk.all(Ask)[0].questions[0].startswith(question)


# Something new while a question is open -------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ['open("window")', 'water(the("plant"))', 'prune("fern", 3)'])
@pytest.mark.parametrize(
    ("program", "came_of_it"),
    [('open("left window")', "goal met"), ('say(wet("fern"))', "answered"), ('sweep("floor")', "declined")],
)
def test_a_new_request_while_a_question_is_open_is_read_as_new(first: str, program: str, came_of_it: str) -> None:
    talk = Talk([first, program], garden(), answers=("Something new.",))
    assert talk.say("The first.").result == came_of_it and len(talk.all(Ask)) == 1


def test_what_cannot_be_done_is_told_before_the_open_question_is_put_again() -> None:
    talk = Talk(['open("window")', 'cannot("I cannot make tea.")', 'open("left window")'], answers=("Tea!", "left"))
    assert talk.say("Open the window.").result == "goal met"
    which = "Which window do you mean? (left window / right window)"
    assert [each.questions for each in talk.all(Ask)] == [(which,), (f"I cannot make tea. {which}",)]


def careful() -> TextFileWorld:
    """The garden, in which whistling needs a yes."""
    return garden(**{"[skills.whistle]\n": "[skills.whistle]\napproval = true\n"})


def test_a_new_request_in_place_of_an_approval_is_done_instead() -> None:
    talk = Talk(["whistle()", 'open("left window")'], careful(), answers=("Open the left window.",))
    assert talk.say("Whistle.").result == "goal met" and talk.steps == ["Open the left window."]


@pytest.mark.parametrize("program", ["whistle()", 'unclear("")', 'say(wet("fern"))', 'note("It is loud.")'])
def test_nothing_but_a_yes_approves(program: str) -> None:
    talk = Talk(["whistle()", *[program] * 7], careful(), answers=("Hm, yes and no, what do you think?",) * 8)
    assert talk.say("Whistle.").result == "declined" and not talk.steps


# A yes to nothing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("yes", ["Yes.", "Ja, bitte.", "Sí", "Oui !", "好的", "okay"])
@pytest.mark.parametrize("before", [(), ('water("fern")',), ('say(wet("cactus"))',), ("never(whistle())",)])
def test_a_yes_to_nothing_that_was_asked_is_not_acted_on(before: tuple[str, ...], yes: str) -> None:
    talk = Talk([*before, 'open("left window")'], garden())
    for program in before:
        talk.say(program)
    assert talk.say(yes).because == "I did not ask anything. Please say what I should do."
    assert "Open the left window." not in talk.steps


def test_a_yes_after_something_that_was_not_finished_is_read() -> None:
    talk = Talk(['open("window")', 'open("left window")'], garden())
    assert talk.say("Open the window.").result == "failed"
    assert talk.say("Yes").result == "goal met"
