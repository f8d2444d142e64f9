"""A time of day is the one that was said: in the right half of the day, or the robot asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from said import Talk, garden
from thinkaloud.clock import ManualClock
from thinkaloud.episode.told_rules import standing_of
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Ask, Noted, Question
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.worlds.full_world import FullWorld

MORNING, EVENING = (datetime(2026, 11, 18, hour) for hour in (6, 18))
HALF_PAST_SEVEN = (
    "At half past seven, water the fern.",
    "Gieß den Farn um halb acht.",
    "Riega el helecho a las siete y media.",
    "Arrose la fougère à sept heures et demie.",
    "七点半浇蕨。",
    "At 7:30, water the fern.",
)


def once(time: str, said: str, now: datetime) -> tuple[str, ...]:
    """When something is done once, in words: one time, or those that the robot offers."""
    world = FullWorld(garden())
    scene = world.observe()

    def run(program: str, *, picked: bool = False) -> tuple[str, ...]:
        lexicon = lexicon_of(world, scene)
        at = Circumstances(world, scene, lexicon, request=said, words=said, now=now, picked=picked)
        meaning = run_program(program, at)
        if not isinstance(meaning.content, Question):
            assert isinstance(meaning.content, Noted) and len(meaning.standing) == 1
            return (meaning.words.removesuffix(": Water the fern."),)
        if not meaning.readings:
            return (meaning.words,)
        assert meaning.content.options == (*(each.words for each in meaning.readings), "None of these.")
        chosen = [run(each.program, picked=True) for each in meaning.readings]
        assert [f"{words}: Water the fern." for (words,) in chosen] == [each.words for each in meaning.readings]
        return tuple(words for (words,) in chosen)

    return run(f'once(clock("{time}"), water("fern"))')


@pytest.mark.parametrize("said", HALF_PAST_SEVEN)
def test_the_next_of_the_two_times_is_taken_if_the_program_says_it_too(said: str) -> None:
    assert once("19:30", said, EVENING) == ("Today at 19:30",)
    assert once("7:30", said, MORNING) == ("Today at 7:30",)


@pytest.mark.parametrize("said", HALF_PAST_SEVEN)
def test_which_half_of_the_day_is_asked_if_the_program_says_the_later_one(said: str) -> None:
    assert once("7:30", said, EVENING) == ("Today at 19:30", "Tomorrow at 7:30")
    assert once("19:30", said, MORNING) == ("Today at 7:30", "Today at 19:30")


@pytest.mark.parametrize("said", HALF_PAST_SEVEN)
@pytest.mark.parametrize("time", ["17:30", "12:00", "0:00", "9:30"])
def test_an_hour_that_nobody_said_is_asked_for(time: str, said: str) -> None:
    assert once(time, said, EVENING) == ("At what time?",)


@pytest.mark.parametrize(
    ("said", "hour"),
    [
        ("At half past seven in the evening, water the fern.", "Today at 19:30"),
        ("Gieß den Farn abends um halb acht.", "Today at 19:30"),
        ("Riega el helecho a las siete y media de la tarde.", "Today at 19:30"),
        ("Arrose la fougère à sept heures et demie du soir.", "Today at 19:30"),
        ("晚上七点半浇蕨。", "Today at 19:30"),
        ("At half past seven in the morning, water the fern.", "Tomorrow at 7:30"),
        ("Gieß den Farn morgens um halb acht.", "Tomorrow at 7:30"),
        ("Arrose la fougère à sept heures et demie du matin.", "Tomorrow at 7:30"),
        ("早上七点半浇蕨。", "Tomorrow at 7:30"),
        ("At 7.30 pm, water the fern.", "Today at 19:30"),
    ],
)
def test_a_word_for_the_half_of_the_day_counts_more_than_the_program(said: str, hour: str) -> None:
    assert once("7:30", said, EVENING) == once("19:30", said, EVENING) == (hour,)


@pytest.mark.parametrize(
    ("time", "said", "told"),
    [
        ("7:30", "Tomorrow at half past seven", "Today at 19:30"),
        ("19:30", "At 19:30", "Today at 19:30"),
        ("19:30", "At nineteen thirty", "Today at 19:30"),
        ("16:30", "At 16:30", "Tomorrow at 16:30"),
        ("0:30", "At half past twelve at night", "Tomorrow at 0:30"),
        ("0:00", "At midnight", "Tomorrow at 0:00"),
        ("12:00", "At noon tomorrow", "Tomorrow at 12:00"),
        ("8", "At eight", "Today at 20:00"),
        ("8", "At eight in the morning", "Tomorrow at 8:00"),
    ],
)
def test_a_time_that_is_definite_is_taken_as_it_is(time: str, said: str, told: str) -> None:
    day = ', "tomorrow"' if said.startswith("Tomorrow") else ""
    world = FullWorld(garden())
    at = Circumstances(
        world, world.observe(), lexicon_of(world, world.observe()), request=said, words=said, now=EVENING
    )
    words = run_program(f'once(clock("{time}"{day}), water("fern"))', at).words
    assert words == f"{'Tomorrow at 7:30' if day else told}: Water the fern."


def test_the_half_of_the_day_of_something_daily_is_not_asked_for() -> None:
    world = FullWorld(garden())
    said = "Water the fern every day at half past seven."
    at = Circumstances(
        world, world.observe(), lexicon_of(world, world.observe()), request=said, words=said, now=EVENING
    )
    words = run_program('whenever(clock("7:30"), water("fern"))', at).words
    assert words == "From now on, every day at 7:30: Water the fern."


def test_the_time_that_a_person_picks_is_taken() -> None:
    wall = ManualClock(18 * 3600, datetime(2026, 11, 18))
    talk = Talk(['once(clock("7:30"), water("fern"))'], wall=wall, answers=("2",))
    talk.agent.monologue.goes_on = True
    end = talk.say("Water the fern at half past seven.")
    question = "What do you mean? 1. Today at 19:30 … 2. Tomorrow at 7:30 … 3. None of these."
    assert [each.questions for each in talk.all(Ask)] == [(question,)]
    assert end.because == "Tomorrow at 7:30: Water the fern."
    (rule,) = standing_of(talk.agent.monologue)
    assert rule.due == "2026-11-19T07:30:00"


def test_a_time_that_was_said_before_counts() -> None:
    """ "Remind me at 20:30." "Of the bins." """
    world = FullWorld(garden())
    lexicon = lexicon_of(world, world.observe())
    at = Circumstances(world, world.observe(), lexicon, request="The fern.", words="The fern.", now=EVENING)
    program = 'once(clock("20:30"), water("fern"))'
    assert run_program(program, at).words == "At what time?"
    later = replace(at, earlier=("Water something at 20:30.",))
    assert run_program(program, later).words == "Today at 20:30: Water the fern."
