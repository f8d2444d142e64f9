from __future__ import annotations

import asyncio
from typing import Any

import pytest

from thinkaloud.models import Model
from thinkaloud.models import forced_answers as forcing
from thinkaloud.models.contract import Usage
from thinkaloud.models.forced_answers import Guided, careful, smollm
from thinkaloud.models.gbnf import Grammar
from thinkaloud.models.grammar import LINE, grammar, literal, one_of, separated, sequence
from thinkaloud.models.llama import Exchange, Llama
from thinkaloud.models.slot_choice import Slot

SCENE = (
    "Scene: red block, green block, blue bowl, grey bowl.\nHuman: put the green block in the blue bowl.\nRobot action:"
)
THINGS = one_of(["red block", "green block", "blue bowl", "grey bowl"])
MOVE = grammar(sequence(literal(" pick up the "), THINGS, literal(" and place it in the "), THINGS, literal(".\n")))


def guided(source: str, stop: tuple[str, ...] = (), borders: forcing.Borders = smollm) -> Guided:
    return Guided(Grammar.parse(source).start, stop, borders)


def test_only_the_choices_are_left_to_the_model() -> None:
    answer = guided(MOVE)
    assert answer.go_on() == " pick up the"  # the space belongs to the next word
    assert not answer.hear(" gre")  # green or grey
    assert answer.hear("en")
    assert answer.go_on().endswith("and place it in the")
    assert not answer.ended
    assert answer.hear(" red")
    assert answer.go_on() == " block.\n"
    assert answer.ended
    assert answer.said == " pick up the green block and place it in the red block.\n"


def test_a_grammar_of_one_sentence_needs_no_model() -> None:
    answer = guided(grammar(literal(" go home\n")))
    assert answer.go_on() == " go home\n"
    assert answer.ended


@pytest.mark.parametrize(
    ("first", "options", "said"),
    [
        (" put the bl", ["ue", "ack"], " put the"),
        (" open(", ["tin", "jar"], " open("),
        (' open("', ["tin", "jar"], ' open("'),
        (" at ", ["1", "2"], " at "),
        (" at x", [".", ", y"], " at x"),
        ("\n", ["a", "b"], "\n"),
        (" it", ["'s", " is"], ""),
        (" so..", [".", "!"], " so"),
    ],
)
def test_what_is_put_there_ends_where_a_token_ends(first: str, options: list[str], said: str) -> None:
    source = grammar(sequence(literal(first), one_of(options)))
    assert guided(source).go_on() == said
    assert first.startswith(guided(source, borders=careful).go_on())


def test_where_the_answer_may_end_the_model_decides() -> None:
    answer = guided(grammar(sequence(literal(" yes"), '" please"?')))
    assert answer.go_on() == " yes"
    assert not answer.ended
    assert answer.grammar() == 'root ::= (" please" )?\n'


def test_a_stop_text_ends_what_is_forced_too() -> None:
    answer = guided(grammar(literal(" one\n two\n")), stop=("\n",))
    assert answer.go_on() == " one"
    assert answer.ended


def test_what_the_grammar_does_not_know_is_left_to_llama() -> None:
    answer = guided(MOVE)
    assert not answer.hear("something else")
    assert answer.grammar() is None
    assert answer.go_on() == ""


class Plain(Llama):
    """The same model, with every token generated."""

    def __init__(self, model: Llama) -> None:
        self.__dict__.update(model.__dict__)

    def _guided(self, body: Any) -> Guided:
        return Guided(None, body["stop"], smollm)


GRAMMARS = [
    MOVE,
    grammar(sequence(literal(" "), one_of(["pick", "place", "stop"]), literal("("), THINGS, literal(")\n"))),
    grammar(sequence(literal(" put the "), separated(THINGS, " in the ", most=2), literal("\n"))),
    grammar(
        sequence(literal(" I move to ("), "number", literal(", "), "number", literal(").")), {"number": '"0." [0-9]'}
    ),
    grammar(sequence(LINE, literal("\n"))),
    grammar(literal(" the only thing to say.\n")),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("source", GRAMMARS)
def test_the_answer_is_that_of_generating_everything(embedded_base: Model, source: str) -> None:
    assert isinstance(embedded_base, Llama)
    heard: list[str] = []
    ask = {"grammar": source, "most": 24}
    plain = asyncio.run(Plain(embedded_base).complete(SCENE, **ask))  # type: ignore[arg-type]
    answer = asyncio.run(embedded_base.complete(SCENE, **ask, listener=heard.append))  # type: ignore[arg-type]
    assert answer.text == plain.text
    assert answer.usage.generated <= plain.usage.generated
    assert "".join(heard) == answer.text


def test_what_is_forced_at_the_end_costs_nothing_now_and_is_read_with_the_next_prompt(embedded_base: Model) -> None:
    async def twice() -> tuple[int, int, int]:
        first = await embedded_base.complete(SCENE, grammar=MOVE, most=40)
        after = await embedded_base.complete(f"{SCENE}{first.text}Robot", most=2)
        return first.usage.generated, after.usage.cached, after.usage.evaluated

    generated, cached, evaluated = asyncio.run(twice())
    assert 2 <= generated <= 6
    assert cached > 30
    assert 2 <= evaluated <= 12


@pytest.mark.parametrize("held", [41, 42, 43])
def test_what_an_answer_cost_does_not_depend_on_when_llama_was_stopped(held: int) -> None:
    """The cache may hold a token or two more than was heard before generating was broken off."""
    exchange = Exchange("", {}, Slot(0), lambda: True, lambda piece: None)
    exchange.add(Usage(evaluated=30, cached=10, generated=1))
    exchange.add(Usage(evaluated=46 - held, cached=held, generated=2))
    assert exchange.spent == Usage(evaluated=35, cached=10, generated=3)
