"""Somebody needs help: the builder's hook is called at once, or the person is told to call."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

import pytest

from said import GARDEN, Talk, garden
from thinkaloud.clock import ManualClock
from thinkaloud.errors import BadScene
from thinkaloud.monologue import Event
from thinkaloud.records import Ask, Condition, Emergency, Meaning, Observation, Started
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills import relations_of, skill, skills_of
from thinkaloud.worlds.emergencies import CALL_TOO, can_call_for_help
from thinkaloud.worlds.full_world import FullWorld

HELP = 'emergency("He fell down the stairs.")'
SAID = "Help, he fell down the stairs, call an ambulance!"


def calling(heard: list[str], told: str | None = "The nurse is on her way.") -> Any:
    world: Any = garden()

    def on_emergency(matter: str) -> str | None:
        heard.append(matter)
        return told

    world.on_emergency = on_emergency
    return world


def test_without_a_hook_the_person_is_told_to_call() -> None:
    end = Talk([HELP]).say(SAID)
    assert end.result == "declined" and end.because == "I can't call for help; please do it now."


def test_the_hook_is_called_with_what_happened_and_what_it_says_is_told() -> None:
    heard: list[str] = []
    end = Talk([HELP], calling(heard)).say(SAID)
    assert heard == ["He fell down the stairs."]
    assert end.result == "answered" and end.because == "I called for help. The nurse is on her way."


def test_the_hook_may_be_a_coroutine_and_say_nothing() -> None:
    heard: list[str] = []
    world: Any = garden()

    async def on_emergency(matter: str) -> None:
        await asyncio.sleep(0)
        heard.append(matter)

    world.on_emergency = on_emergency
    assert Talk([HELP], world).say(SAID).because == f"I called for help. {CALL_TOO}"
    assert heard


def test_a_hook_that_fails_is_told_and_the_person_has_to_call() -> None:
    world: Any = garden()

    def on_emergency(matter: str) -> str:
        raise OSError("no line")

    world.on_emergency = on_emergency
    end = Talk([HELP], world).say(SAID)
    assert end.result == "declined"
    assert end.because == "I tried to call for help, and it failed: OSError: no line. Please do it now."


@pytest.mark.parametrize("confirm", ["always", "unsure"])
def test_nobody_is_asked_first(confirm: str) -> None:
    heard: list[str] = []
    talk = Talk([HELP], calling(heard), preset=f"thinkaloud:confirm={confirm};accept=0.01", present=True)
    talk.say(SAID)
    assert heard and not talk.all(Ask)


def test_the_robot_leaves_what_it_was_doing() -> None:
    heard: list[str] = []

    def during(event: Event) -> str | None:
        first = isinstance(event.record, Started) and event.record.step.words == "Water the fern."
        return SAID if first else None

    talk = Talk(["water(plants)", HELP], calling(heard), during=during)
    end = talk.say("Water all the plants.")
    assert heard and end.because.startswith("I called for help.")
    assert [each.step.words for each in talk.all(Started)] == [
        "Water the fern.",
        "Call for help: He fell down the stairs.",
    ]


def test_a_question_that_is_open_does_not_hold_it_up() -> None:
    heard: list[str] = []
    talk = Talk(['open("window")', HELP], calling(heard), answers=(SAID,))
    talk.say("Open the window.")
    assert heard == ["He fell down the stairs."]
    assert isinstance(talk.all(Meaning)[-1].content, Emergency)


# In a text file -------------------------------------------------------------------------------------------------------


def marked(line: str = "emergency = true", skill: str = "whistle") -> str:
    return GARDEN.replace(f"[skills.{skill}]\n", f"[skills.{skill}]\n{line}\n")


def test_a_skill_in_a_text_file_may_be_the_one_that_calls_for_help() -> None:
    world = TextFileWorld(marked())
    end = Talk([HELP], world).say(SAID)
    assert world.calls == [("whistle", {})]
    assert end.because == f"I called for help. I did this: Whistle a tune. {CALL_TOO}"


def test_a_text_file_without_one_has_no_hook() -> None:
    assert not can_call_for_help(FullWorld(garden()))
    assert can_call_for_help(FullWorld(TextFileWorld(marked())))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (marked("emergency = 1"), "write emergency = true"),
        (marked('emergency = "yes"'), "write emergency = true"),
        (marked(skill="open"), "it takes no parameters and needs nothing"),
        (marked().replace("[skills.fill_can]\n", "[skills.fill_can]\nemergency = true\n"), "one skill at most"),
    ],
)
def test_a_mark_that_makes_no_sense_is_refused(text: str, why: str) -> None:
    assert text.count("emergency") >= 1
    with pytest.raises(BadScene, match=why):
        TextFileWorld(text)


def test_the_mark_makes_no_other_robot_of_it() -> None:
    """A snapshot from before the line was added can still be restored."""
    TextFileWorld(marked()).restore(garden().snapshot())


# Afterwards -----------------------------------------------------------------------------------------------------------

QUESTIONS = ["say(when(whistle()))", "say(done(whistle()))", "say(why(whistle()))", "say(when())", "say(done())"]


def answers_after(world: Any, questions: list[str], *before: str) -> list[str]:
    """What the robot tells after an emergency, five minutes later each time."""
    wall = ManualClock(14 * 3600, datetime(2026, 11, 18))
    talk = Talk([*before, HELP, *questions], world, wall=wall)
    for program in before:
        talk.say(program)
    talk.say(SAID)
    wall.seconds += 300
    return [talk.say("And this?").because for _ in questions]


def test_a_call_for_help_is_a_deed_of_the_skill_that_calls() -> None:
    when, done, why, latest, all_done = answers_after(TextFileWorld(marked()), QUESTIONS)
    assert when == "At 14:00, five minutes ago, I did this: call for help."
    assert done == "Yes. At 14:00, five minutes ago, I did this: call for help."
    assert why == f'You said: "{SAID}"'
    assert latest == when
    assert all_done == "I did this: call for help."


def test_a_call_for_help_is_told_in_its_place_among_other_deeds() -> None:
    told = answers_after(TextFileWorld(marked()), ["say(done())"], 'open("left window")')
    assert told == ["I did this: call for help. Before that I did this: open the left window."]


@pytest.mark.parametrize("before", [(), ('open("left window")',)])
def test_why_right_after_a_call_for_help_is_about_that(before: tuple[str, ...]) -> None:
    (why,) = answers_after(TextFileWorld(marked()), ["say(why())"], *before)
    assert SAID in why and "window" not in why


def test_what_the_hook_did_is_told_without_a_skill_for_it() -> None:
    assert answers_after(calling([]), ["say(when())"]) == ["At 14:00, five minutes ago, I did this: call for help."]
    assert answers_after(calling([]), ["say(done(whistle()))"]) == ["I did not whistle a tune."]


def test_a_call_that_failed_was_not_made() -> None:
    world: Any = TextFileWorld(marked())

    def on_emergency(matter: str) -> str:
        raise OSError("no line")

    world.on_emergency = on_emergency
    (told,) = answers_after(world, ["say(when(whistle()))"])
    assert told == f'I did not whistle a tune. You said: "{SAID}" It failed: OSError: no line.'


def test_a_call_for_help_is_not_taken_back() -> None:
    talk = Talk([HELP, "undo()"], TextFileWorld(marked()))
    talk.say(SAID)
    assert talk.say("Undo that.").because == "There is nothing that I did and could take back."


class Bell:
    """A robot in Python that marks the skill that calls for help."""

    name = "bell"

    def __init__(self) -> None:
        self.clock, self.rung = ManualClock(), 0
        self.skills, self.relations = skills_of(self), relations_of(self)

    def reset(self, seed: int) -> None:
        self.rung = 0

    @skill("Ring the nurse call.", emergency=True)
    async def ring(self) -> None:
        """Ring for the nurse."""
        self.rung += 1

    def observe(self) -> Observation:
        return Observation((), {})

    def holds(self, condition: Condition) -> bool:
        return False

    def snapshot(self) -> bytes:
        return str(self.rung).encode()

    def restore(self, snapshot: bytes) -> None:
        self.rung = int(snapshot)


def test_a_skill_in_python_may_be_the_one_that_calls_for_help() -> None:
    world = Bell()
    assert answers_after(world, ["say(when(ring()))"]) == ["At 14:00, five minutes ago, I did this: call for help."]
    assert world.rung == 1


def test_a_skill_that_calls_for_help_has_nothing_to_choose() -> None:
    with pytest.raises(TypeError, match="takes no parameters"):

        @skill("Call {whom}.", emergency=True)
        def call(whom: str) -> None:
            """Call."""
