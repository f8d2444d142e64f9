"""What nobody spoke of is asked about: what is forbidden, what was never forbidden and is allowed, a way back."""

from __future__ import annotations

import pytest

from said import Talk
from stable import UNSURE, asked, stable
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
