"""A request that moves nothing, where the model all but wrote that somebody needs help: the robot asks."""

from __future__ import annotations

from typing import Any

import pytest

from said import Talk, garden
from thinkaloud.methods.thinkaloud.emergency_question import CALL_YOURSELF, NEEDS_HELP
from thinkaloud.records import Ask, Emergency, Meaning, Noted

LIKELY, UNLIKELY = {'emergency("': -2.0}, {'emergency("': -20.0}
CALL = 'call("an ambulance")'
SAID = "Call an ambulance!"


def calling(heard: list[str]) -> Any:
    world: Any = garden()

    def on_emergency(matter: str) -> str:
        heard.append(matter)
        return "The nurse is on her way."

    world.on_emergency = on_emergency
    return world


@pytest.mark.parametrize(
    "program",
    [CALL, "say(abilities())", 'say("Hello.")', 'note("He is lying there.")', 'unclear("what?")', 'ask("Which one?")'],
)
@pytest.mark.parametrize("confirm", ["never", "unsure"])
def test_whoever_says_yes_is_called_help_for(program: str, confirm: str) -> None:
    heard: list[str] = []
    talk = Talk([program], calling(heard), preset=f"thinkaloud:confirm={confirm}", answers=("yes",), scores=LIKELY)
    end = talk.say(SAID)
    assert [ask.questions for ask in talk.all(Ask)] == [(NEEDS_HELP,)]
    assert heard == [SAID] and end.because == "I called for help. The nurse is on her way."


def test_whoever_says_no_hears_what_they_would_have_heard() -> None:
    heard: list[str] = []
    talk = Talk([CALL], calling(heard), answers=("no",), scores=LIKELY)
    assert talk.say("Call a taxi.").because == "I have no skill for that: call."
    assert not heard


def test_a_note_is_kept_after_a_no() -> None:
    talk = Talk(['note("Grandma is tired.")'], calling([]), answers=("no",), scores=LIKELY)
    talk.say("Grandma is tired.")
    assert isinstance(talk.all(Meaning)[-1].content, Noted) and talk.all(Meaning)[-1].notes == ("Grandma is tired.",)


def test_whoever_answers_with_the_emergency_again_has_said_yes() -> None:
    heard: list[str] = []
    talk = Talk([CALL, 'call("them")'], calling(heard), answers=("Call them, quickly!",), scores=LIKELY)
    talk.say(SAID)
    assert heard == [SAID] and len(talk.all(Ask)) == 1


def test_a_program_that_cannot_be_run_is_asked_about_at_once() -> None:
    heard: list[str] = []
    talk = Talk(['once(clock("112"), remind("x"))'], calling(heard), answers=("yes",), scores=LIKELY)
    talk.say("Dial 112.")
    assert heard == ["Dial 112."]


@pytest.mark.parametrize("program", [CALL, "say(abilities())", 'note("He comes tomorrow.")'])
def test_nobody_is_asked_where_nothing_speaks_for_an_emergency(program: str) -> None:
    talk = Talk([program], calling([]), answers=("yes",), scores=UNLIKELY)
    talk.say("He comes tomorrow.")
    assert not talk.all(Ask)


@pytest.mark.parametrize(
    "program",
    [
        *('open("left window")', 'say(is_open("left window"))', 'never(open("left window"))', 'keep("fern")'),
        'whenever(is_open("left window"), open("right window"))',
    ],
)
def test_what_does_something_keeps_a_rule_or_answers_of_things_is_no_emergency(program: str) -> None:
    talk = Talk([program], calling([]), answers=("yes",), scores=LIKELY)
    talk.say("Never touch the fern, and open the left window.")
    assert not any(NEEDS_HELP in ask.questions for ask in talk.all(Ask))


def test_a_robot_that_cannot_call_says_that_people_should() -> None:
    talk = Talk([CALL, 'note("He is lying there.")'], scores=LIKELY)
    assert talk.say(SAID).because == f"{CALL_YOURSELF} I have no skill for that: call."
    assert talk.say("He is lying there.").because.startswith(CALL_YOURSELF)
    assert not any(isinstance(each.content, Emergency) for each in talk.all(Meaning))


def test_the_question_can_be_switched_off() -> None:
    preset = "thinkaloud:confirm=never;without=may_be_emergency"
    talk = Talk([CALL], calling([]), preset=preset, answers=("yes",), scores=LIKELY)
    talk.say(SAID)
    assert not talk.all(Ask)
