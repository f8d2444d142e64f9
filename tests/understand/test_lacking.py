"""What a program calls that the robot does not have."""

from __future__ import annotations

import pytest

from said import GARDEN, meaning_of


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ('sweep("floor")', "I have no skill for that: sweep."),
        ('wrap_up("panel")', "I have no skill for that: wrap up."),
        ('say(frozen("fern"))', "I cannot tell this of anything here: frozen."),
        ("water([p for p in plants if dirty(p)])", "I cannot tell this of anything here: dirty."),
        ('filter("lid")', "I have no skill for that: filter."),
    ],
)
def test_a_deed_or_a_property_that_is_not_there_is_named(program: str, why: str) -> None:
    meaning = meaning_of(program)
    assert (meaning.sort, meaning.words) == ("refusal", why)


def test_a_program_may_ask_whether_a_thing_is_of_a_kind_but_a_kind_is_no_deed() -> None:
    assert [each.arguments for each in meaning_of("water([t for t in things if plant(t)])").deeds] == [
        {"plant": "fern"},
        {"plant": "rose"},
    ]
    assert meaning_of('say(window("fern"))').said == ("No.",)
    assert meaning_of('plant("fern")').words == "I have no skill for that: plant."


def test_a_kind_that_is_called_like_a_function_of_python_takes_nothing_from_it() -> None:
    robot = GARDEN.replace("lamp = [", 'set = ["tea set"]\nlamp = [', 1)
    assert meaning_of("say(len(set(plants)))", robot).said == ("3",)
