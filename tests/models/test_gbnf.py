from __future__ import annotations

import asyncio
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkaloud.errors import ModelError
from thinkaloud.models import Model, grammar
from thinkaloud.models.gbnf import Grammar, accepts
from thinkaloud.models.gbnf_rules import BadGrammar

PICK = 'root ::= " pick up the " ("red" | "green") " block.\\n"\n'
NESTED = 'root ::= ("a" x | "b" x | [0-9]{1,6} ("." [0-9]{1,6})?) "!"?\nx ::= "(" y? ")" # a comment\ny ::= x | "-"+\n'


def test_what_must_follow_and_what_may() -> None:
    pick = Grammar.parse(PICK)
    assert pick.forced("") == " pick up the "
    assert pick.forced(" pick up the ") == ""
    assert pick.forced(" pick up the r") == "ed block.\n"
    assert pick.forced(" pick up the red block.\n") == ""
    assert pick.residual(" pick up the red") == 'root ::= " block.\\n"\n'
    assert accepts(pick.residual(" pick"), " up the green block.\n")
    assert not accepts(pick.residual(" pick"), " pick up the green block.\n")


@pytest.mark.parametrize("text", ["a()", "b((--))!", "123456", "12.5", "12.5!", "a(((())))"])
def test_rules_classes_and_repetitions(text: str) -> None:
    nested = Grammar.parse(NESTED)
    assert nested.accepts(text)
    assert not nested.accepts(f"{text}?")
    for cut in range(len(text)):
        rest = Grammar.parse(nested.residual(text[:cut]))
        assert rest.accepts(text[cut:])
        assert text[cut:].startswith(nested.forced(text[:cut]))
        assert rest.forced("") == nested.forced(text[:cut])


@pytest.mark.parametrize("text", ["", "a", "1234567", "1.", "a(-", "c"])
def test_what_does_not_fit(text: str) -> None:
    assert not accepts(NESTED, text)


def test_an_end_that_is_possible_is_a_choice() -> None:
    maybe = Grammar.parse('root ::= "yes" " please"?\n')
    assert maybe.forced("") == "yes"
    assert maybe.forced("yes") == ""
    assert accepts(maybe.residual("yes"), "")
    assert accepts(maybe.residual("yes"), " please")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r'root ::= "\"\\\n\t\x41\u00e4"', '"\\\n\tAä'),
        (r"root ::= [\]\\a-c]{3}", "]\\b"),
        (r"root ::= [^\n]* .", "any thing"),
        ('root ::= ( "a" |\n "b" )+ # two lines\n', "abba"),
        (r"root ::= [-+]? [0-9a-f]{2,}", "-0f"),
        ('root ::= "" | x\nx ::= "é"{2}', "éé"),
    ],
)
def test_all_that_can_be_written(source: str, text: str) -> None:
    assert accepts(source, text)
    assert accepts(Grammar.parse(source).residual(text[:1]), text[1:])


@pytest.mark.parametrize(
    "source", ["", "root", "root ::= (", "root ::= )", 'root ::= "a', "root ::= [a", r'root ::= "\q"', 'x ::= "a"']
)
def test_what_is_no_grammar(source: str) -> None:
    with pytest.raises(BadGrammar):
        assert not Grammar.parse(source).accepts("a")


def test_a_rule_that_begins_with_itself_is_refused() -> None:
    with pytest.raises(BadGrammar, match="itself"):
        accepts('root ::= x\nx ::= x "a" | "b"', "ba")


texts = st.lists(st.text("ab c.", min_size=1, max_size=8), min_size=1, max_size=6)


@settings(max_examples=60)
@given(texts, texts)
def test_the_forced_text_is_what_all_texts_share(first: list[str], second: list[str]) -> None:
    both = Grammar.parse(grammar.grammar(grammar.sequence(grammar.one_of(first), grammar.branching(second))))
    whole = {one + other for one in first for other in second}
    assert all(both.accepts(text) for text in whole)
    for prefix in {text[:cut] for text in whole for cut in range(len(text))}:
        following = {text[len(prefix) :] for text in whole if text.startswith(prefix)}
        shared = next(
            text
            for end in range(99, -1, -1)
            if all(other.startswith(text := min(following)[:end]) for other in following)
        )
        assert both.forced(prefix) == shared
        rest = Grammar.parse(both.residual(prefix))
        assert all(rest.accepts(text) for text in following)


def test_thousands_of_alternatives_cost_milliseconds() -> None:
    names = [f"the {size} {colour} thing {number}" for size in "abcde" for colour in "fghij" for number in range(100)]
    source = grammar.grammar(grammar.sequence(grammar.literal(" put "), grammar.one_of(names), grammar.one_of(names)))
    began = time.thread_time()  # a model that is loaded has threads of its own
    large = Grammar.parse(source)
    assert large.forced("") == " put the "
    assert large.forced(" put the a g thing 12") == "the "
    assert large.forced(" put the a g thing 12the e") == " "
    large.residual(" put the a")
    assert time.thread_time() - began < 5  # 20 ms where nothing else is going on; all pairs would take minutes


@pytest.mark.sampled(2)
@pytest.mark.parametrize("prefix", ["", "a", "a(", "1", "12.", "b(()", "b(())"])
def test_llama_understands_what_is_left(embedded_base: Model, prefix: str) -> None:
    rest = Grammar.parse(NESTED).residual(prefix)
    try:
        said = asyncio.run(embedded_base.complete(f"x = {prefix}", grammar=rest, most=12)).text
    except ModelError as error:
        raise AssertionError(rest) from error
    assert Grammar.parse(NESTED).start.after(prefix + said) is not None
