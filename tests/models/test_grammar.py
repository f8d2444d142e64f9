from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkaloud.models.grammar import INTEGER, LINE, NUMBER, choice, grammar, literal, one_of, separated, sequence

ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n", "\\r": "\r", "\\t": "\t"}


def meaning(expression: str) -> str:
    """The text a literal stands for, read as llama.cpp reads it."""
    assert expression[0] == expression[-1] == '"'
    inside = expression[1:-1]
    assert re.fullmatch(r'(?:[^"\\\n]|\\["\\nrt])*', inside), f"{inside!r} ends early or has an unknown escape"
    return re.sub(r"\\.", lambda found: ESCAPES[found[0]], inside)


@given(st.text())
def test_a_literal_means_exactly_its_text(text: str) -> None:
    assert meaning(literal(text)) == text


@given(st.text())
def test_a_literal_stays_on_one_line(text: str) -> None:
    assert "\n" not in literal(text)


def test_a_choice_of_one_needs_no_brackets() -> None:
    assert one_of(["cup"]) == '"cup"'


def test_a_choice_keeps_the_order_and_drops_repetitions() -> None:
    assert one_of(["cup", "bowl", "cup"]) == '("cup" | "bowl")'


def test_a_choice_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        choice([])


def test_a_sequence_leaves_out_what_is_empty() -> None:
    assert sequence(literal("a"), "", literal("b")) == '"a" "b"'


@pytest.mark.parametrize(
    ("most", "expected"),
    [(1, '"x"'), (2, '"x" (", " "x"){0,1}'), (5, '"x" (", " "x"){0,4}')],
)
def test_separated_counts_the_first_one_too(most: int, expected: str) -> None:
    assert separated(literal("x"), ", ", most=most) == expected


def test_a_choice_can_be_repeated_as_a_whole() -> None:
    assert separated(one_of(["x", "y"]), ",", most=2) == '("x" | "y") ("," ("x" | "y")){0,1}'


def test_a_grammar_has_a_root_and_ends_with_a_line_break() -> None:
    assert grammar(sequence(literal("go "), INTEGER)) == 'root ::= "go " "-"? [0-9]{1,6}\n'


@pytest.mark.parametrize("expression", [INTEGER, NUMBER, LINE])
def test_the_ready_made_pieces_fit_on_a_line_and_end(expression: str) -> None:
    assert "\n" not in expression
    assert "*" not in expression  # nothing a model could go on with for ever
    assert "+" not in expression
