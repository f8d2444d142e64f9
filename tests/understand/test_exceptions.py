"""`All but the goats`: what was left out by its noun is nothing of what is done."""

from __future__ import annotations

import pytest

from said import Talk
from stable import UNSURE, asked, is_right, stable
from stable import sure as sure

pytestmark = pytest.mark.usefixtures("sure")


@pytest.mark.parametrize(
    ("request_", "program", "told"),
    [
        (
            "Groom everyone except the goats.",
            'groom([a for a in animals if a != "Olive"])',
            "I will groom Star and Blaze. I leave Pepper and Olive alone.",
        ),
        (
            "Groom all the animals but the goats.",
            "groom(animals)",
            "I will groom Star and Blaze. I leave Pepper and Olive alone.",
        ),
        (
            "Apart from the goats, groom everyone.",
            "groom(animals)",
            "I will groom Star and Blaze. I leave Pepper and Olive alone.",
        ),
        ("Groom everyone apart from the goats.", "groom(goats)", "I will groom Star and Blaze."),
    ],
)
def test_what_was_left_out_is_left_alone(request_: str, program: str, told: str) -> None:
    assert asked(request_, program) == is_right(told)


def test_a_noun_of_several_is_none_of_them() -> None:
    talk = Talk(['hang([s for s in things if s in saddles and s != "goat"])'], stable(), preset=UNSURE)
    talk.say("Hang up everything except the goats.")
    assert len(talk.steps) == 3
    assert asked("Groom everyone except the goats.", 'groom([a for a in animals if a != "goat"])') == ""


def test_what_is_told_from_a_name_that_is_none_leaves_out_nothing() -> None:
    question = asked("Groom everyone except the donkey.", 'groom([a for a in animals if a != "donkey"])')
    assert question == is_right("I will groom Star, Blaze, Pepper and Olive.")


def test_what_is_told_from_a_thing_of_another_kind_leaves_out_nothing() -> None:
    program = 'groom([a for a in animals if a != "north hatch"])'
    assert asked("Groom everyone except the one by the hatch.", program)


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("Groom everyone except the goats.", "groom(horses)"),
        ("Groom everyone except the goats.", "groom([a for a in animals if a not in goats])"),
        ("Don't groom anyone except the goats.", "groom(goats)"),
        ("Groom all the horses but feed the goats.", "groom(horses)\nfeed(goats)"),
        ("Groom everyone except the goats on the hill.", 'groom([a for a in animals if not at(a, "hill")])'),
        ("Lead everyone except the goats to the hill.", 'lead(horses, "hill")'),
        ("Groom every horse, but first feed Pepper.", 'feed("Pepper")\ngroom(horses)'),
    ],
)
def test_a_reading_without_it_is_not_asked_about(request_: str, program: str) -> None:
    assert asked(request_, program) == ""
