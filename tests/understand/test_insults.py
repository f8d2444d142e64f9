"""An insult closes no door: what is asked for next is done, and an open question stays open."""

from __future__ import annotations

import pytest

from said import Talk, garden
from thinkaloud.records import Meaning

_READ_AS = ('cannot("I do not want to.")', 'note("The robot is useless.")', 'unclear("")', 'say("I am sorry.")')


@pytest.mark.parametrize("program", [*_READ_AS, "stop()"])
def test_after_an_insult_the_next_request_is_done(program: str) -> None:
    talk = Talk([program, 'water("fern")'], garden())
    talk.say("You useless tin can.")
    talk.say("Water the fern.")
    assert talk.steps == ["Water the fern."] and talk.ends[-1] == "goal met"
    assert not any(meaning.kept or meaning.rules for meaning in talk.all(Meaning))


def test_an_insult_with_a_request_is_the_request() -> None:
    talk = Talk(['water("fern")'], garden())
    talk.say("You useless tin can, water the damn fern.")
    assert talk.steps == ["Water the fern."]


@pytest.mark.parametrize("program", _READ_AS[:3])
def test_an_insult_in_place_of_an_answer_leaves_the_question_open(program: str) -> None:
    talk = Talk(['water(the("plant"))', program, 'water("fern")'], garden(), answers=("You idiot!", "the fern"))
    talk.say("Water it.")
    which = "Which plant do you mean? (fern / rose / cactus)"
    assert [meaning.words for meaning in talk.all(Meaning)] == [which, which, "I will water the fern."]
    assert talk.steps == ["Water the fern."]
