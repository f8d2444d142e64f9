"""The last line of a run says what the run was: done, answered, noted, or a call for help."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from said import GARDEN, Talk
from thinkaloud.cli.run_summary import Tally
from thinkaloud.cli.terminal import Terminal
from thinkaloud.episode.event_text import Narrator
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


BAR = """
name = "bar"
about = "A robot pours."
[kinds]
cup = ["mug", "glass"]
[skills.pour]
says = "Pour {amount} ml into the {cup}."
doc = "Pour."
parameters = { cup = "cup", amount = "number ml 10..350" }
changes = ["level({cup}) += {amount}"]
[skills.refresh]
says = "Refresh the {cup}."
doc = "Refresh."
parameters = { cup = "cup" }
makes = ["fresh({cup})"]
changes = ["level({cup}) = 200"]
[relations.fresh]
says = "{cup} is fresh."
doc = "Whether it is fresh."
parameters = { cup = "cup" }
[values.level]
says = "the level of the {cup}"
doc = "How much is in it."
parameters = { cup = "cup" }
unit = "ml"
[start]
facts = ["fresh(mug)"]
values = ["level(mug) = 10", "level(glass) = 0"]
"""


@pytest.mark.parametrize(
    ("said", "program", "done"),
    [
        (
            "Refresh the glass.",
            'refresh("glass")',
            "the glass is fresh and the level of the glass is 200 ml (checked).",
        ),
        (
            "Pour 50 ml into the mug.",
            'pour("mug", 50)',
            "the level of the mug is 60 ml (checked).",
        ),
        (
            "Refresh the glass, and pour 20 ml into the mug.",
            'refresh("glass")\npour("mug", 20)',
            "the glass is fresh, the level of the glass is 200 ml and the level of the mug is 30 ml (checked).",
        ),
    ],
)
def test_what_was_done_includes_the_values_that_were_changed(said: str, program: str, done: str) -> None:
    assert f"\nDone: {done} " in last_line(said, program, BAR)


def test_the_values_of_an_earlier_request_are_not_told_again() -> None:
    talk, tally = Talk(['pour("mug", 50)', 'refresh("glass")'], TextFileWorld(BAR)), Tally()
    talk.say("Pour 50 ml into the mug.", "Refresh the glass.")
    for event in talk.agent.monologue:
        tally.count(event.record)
    assert "mug" not in tally.sentence()


def test_what_nothing_was_there_to_check_by_is_not_shown_as_checked() -> None:
    talk, screen, file = Talk(["whistle()"]), [], StringIO()
    terminal, narrator = Terminal(Console(file=file, width=120)), Narrator()
    talk.say("Whistle.")
    for event in talk.agent.monologue:
        terminal(event)
        screen += narrator.hear(event)
    terminal.conclude()
    assert "✓ yes" not in file.getvalue() and "+ yes" not in file.getvalue()
    assert "Success        not checked" in file.getvalue() and "I could not check the result." in file.getvalue()
    assert [row.ok for row in screen if row.who == "Check"] == [None]


@pytest.mark.parametrize("why", ["say(why())", "say(why(whistle()))"])
def test_a_reason_in_quotation_marks_ends_with_one_stop(why: str) -> None:
    talk, tally = Talk(["whistle()", why]), Tally()
    talk.say("Whistle.", "Why?")
    for event in talk.agent.monologue:
        tally.count(event.record)
    assert "You said: " in tally.sentence() and '".' not in tally.sentence()
