"""What was understood is told back so that a person notices if it is less or more than they meant."""

from __future__ import annotations

import pytest

from said import Talk, garden, meaning_of
from thinkaloud.records import Meaning, Request, Speaker
from thinkaloud.understand.deciding import WHOEVER_ASKS


def test_a_condition_that_is_looked_at_once_is_told_before_anything_is_done() -> None:
    talk = Talk(['if is_open("left window"):\n    whistle()'], garden("is_open(left window)"))
    talk.say("Whistle while the left window is open.")
    (meaning,) = talk.all(Meaning)
    assert meaning.spoken == "If left window is open, I whistle a tune. As things are, I will whistle a tune."
    assert meaning.words == "I will whistle a tune."


def test_a_deed_without_a_condition_is_told_as_before() -> None:
    talk = Talk(["whistle()"])
    talk.say("Whistle.")
    assert talk.all(Meaning)[0].spoken == "I will whistle a tune."


@pytest.mark.parametrize(
    ("until", "told"),
    [
        ('wet("fern")', "until fern is wet."),
        (
            "len([p for p in plants if wet(p)]) in [2, 3]",
            "until this is so: len([p for p in plants if wet(p)]) in [2, 3].",
        ),
    ],
)
def test_a_rule_with_an_end_is_never_told_as_one_without(until: str, told: str) -> None:
    words = meaning_of(f"never(whistle(), until={until})").words
    assert words == f"From now on I am not to whistle a tune {told}"


def test_where_several_people_speak_a_rule_is_told_to_hold_for_all() -> None:
    talk = Talk(["never(whistle())", "never(whistle())"])
    assert talk.say("Nobody but Anna may whistle.").because == "From now on I am never to whistle a tune."
    talk.agent.monologue.append(Request("Hello.", by=Speaker("Anna")))
    assert talk.say("Nobody but Anna may whistle.").because.endswith(WHOEVER_ASKS)
