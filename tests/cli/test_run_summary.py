"""The last line of a run says what the run was: done, answered, noted, or a call for help."""

from __future__ import annotations

from typing import Any

import pytest

from said import GARDEN, Talk
from thinkaloud.cli.run_summary import Tally
from thinkaloud.robots.text_file import TextFileWorld

CALLING = GARDEN.replace("[skills.whistle]\n", "[skills.whistle]\nemergency = true\n")


def last_line(said: str, program: str, text: str = GARDEN, **more: Any) -> str:
    """What the terminal prints at the end of a request that is understood as this program."""
    talk, tally = Talk([program], TextFileWorld(text), **more), Tally()
    talk.say(said)
    for event in talk.agent.monologue:
        tally.count(event.record)
    return tally.sentence()


@pytest.mark.parametrize(
    ("said", "program", "line"),
    [
        ("Never whistle.", "never(whistle())", "Noted: From now on I am never to whistle a tune."),
        ("Leave the fern alone from now on.", 'keep("fern")', "Noted: From now on I leave the fern alone."),
        ("The tap drips.", 'note("The tap drips.")', "Noted: I remember: The tap drips."),
        ("Is the fern wet?", 'say(wet("fern"))', "Answered, without a move: No. Fern is not wet."),
        ("Water the dry lamps.", "water([])", "As things are, there is nothing to be done."),
    ],
)
def test_what_was_only_noted_is_not_told_as_an_answer(said: str, program: str, line: str) -> None:
    assert last_line(said, program) == line


def test_a_call_for_help_is_neither_an_answer_nor_an_order() -> None:
    line = last_line("Help, he fell!", 'emergency("He fell.")', CALLING)
    assert line.startswith("I called for help. I did this: Whistle a tune. ")
    assert line.endswith("Please call for help, too.")
