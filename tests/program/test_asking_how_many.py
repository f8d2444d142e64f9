"""The question for a number fits what is counted."""

from __future__ import annotations

import pytest

from thinkaloud.program.units import ask_how_many


@pytest.mark.parametrize(
    ("unit", "question"),
    [
        ("ml", "How many ml?"),
        ("gram", "How many grams?"),
        ("scoops", "How many scoops?"),
        ("of them", "How many of them?"),
        ("strength", "Which number should the strength be?"),
        ("", "How much should it be?"),
    ],
)
def test_what_nobody_counts_is_not_asked_for_with_how_many(unit: str, question: str) -> None:
    assert ask_how_many(unit) == question
