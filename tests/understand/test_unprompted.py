"""What nobody spoke of is asked about: what is forbidden, what was never forbidden and is allowed, a way back."""

from __future__ import annotations

import pytest

from said import Talk, meaning_of
from stable import UNSURE, asked, is_right, stable
from stable import sure as sure
from thinkaloud.records import Ask

pytestmark = pytest.mark.usefixtures("sure")


def test_what_was_not_named_is_not_forbidden_in_silence() -> None:
    for request in ("Make sure nothing goes astray tonight.", "The roof has to stay dry."):
        assert asked(request, 'keep("Star")').startswith("From now on I leave Star alone.")


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("Nobody goes near Star.", 'keep("Star")'),
        ("Hands off the horses.", 'keep(["Star", "Blaze"])'),
        ("Leave it alone.", 'keep("Star")'),
        ("Never touch what hangs.", 'keep(["old saddle", "pony saddle"])'),
        ("Nothing that is hungry may be touched.", "keep([a for a in animals if hungry(a)])"),
        ("No toques a Star, por favor.", 'keep("Star")'),
    ],
)
def test_what_was_named_or_worked_out_is(request_: str, program: str) -> None:
    assert asked(request_, program) == ""


def test_leave_for_what_was_never_forbidden_is_asked_about() -> None:
    assert asked("Actually, leave Star in.", 'allow("Star")').endswith("Is that right?")
    talk = Talk(['keep("Star")', 'allow("Star")'], stable(), preset=UNSURE)
    talk.say("Leave Star alone.")
    talk.say("Star may be groomed again.")
    assert not talk.all(Ask)


def test_nothing_is_taken_back_that_nobody_spoke_of() -> None:
    for request, asks in (("Tell me about the weather.", True), ("Undo that.", False), ("It was fine before.", False)):
        talk = Talk(['groom("Star")', "undo()"], stable(), preset=UNSURE, answers=("no",))
        talk.say("Groom Star.")
        talk.say(request)
        assert bool(talk.all(Ask)) is asks, request


def test_a_prohibition_of_one_deed_says_that_it_is_one_of_all() -> None:
    talk = Talk(['keep("Star")', 'keep("Olive")'], stable())
    assert (
        talk.say("Never feed Star again.").because
        == "From now on I leave Star alone, in everything and not only in that."
    )
    assert talk.say("Leave Olive alone.").because == "From now on I leave Olive alone."


# Two things, each to where the other one is ---------------------------------------------------------------------------

SWAPPED = ["Lead Star to the hill.", "Lead Pepper to the stall."]


def test_two_things_are_exchanged_by_two_deeds_where_it_has_no_skill_for_that() -> None:
    talk = Talk(['swap("Star", "Pepper")'], stable())
    assert talk.say("Swap Star and Pepper.").result == "goal met" and talk.steps == SWAPPED


@pytest.mark.parametrize("program", ['swap("Star", "Olive")', 'swap("Star", "Blaze")', 'swap("Star")', "swap(horses)"])
def test_what_has_no_place_or_the_same_one_is_not_exchanged(program: str) -> None:
    assert meaning_of(program, stable()).words == "I have no skill for that: swap."


def test_another_reading_of_an_exchange_is_asked_about_with_what_was_meant() -> None:
    told = is_right("I will lead Star to the hill, then lead Pepper to the stall.")
    for program in ('lead("Star", "hill")', 'undo()\nlead("Star", "hill")', 'lead(["Star", "Pepper"], "hill")'):
        assert asked("Please swap Star and Pepper.", program) == told
    assert asked("Swap Star and Pepper.", 'lead("Star", "hill")\nlead("Pepper", "stall")') == ""


# Complaints -----------------------------------------------------------------------------------------------------------


def test_a_complaint_is_not_met_by_doing_nothing() -> None:
    asks = asked("It is too windy in here.", 'unbolt("south hatch")')
    assert asks.endswith("Is that right?") and "anyway" in asks
    assert asked("Unbolt the south hatch too.", 'unbolt("south hatch")') == ""
