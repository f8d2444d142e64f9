from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkaloud.errors import SkillError
from thinkaloud.records import WorldState
from thinkaloud.state.edits import with_causes, with_fact, with_marked, with_placed
from thinkaloud.state.weights import comparison_fact, weight_fact
from training.demonstrators.statler.queries import ASKED, StateQueries, render_query_functions
from world_states import CUPS, DISINFECTION, covered, papers, states

KINDS = ("block", "bowl", "cup")


def asked(state: WorldState, history: Sequence[WorldState] = ()) -> dict[str, Callable[..., Any]]:
    return StateQueries(lambda: state, history, KINDS).functions()


def stacked() -> WorldState:
    """purple on brown in the green bowl, cyan on yellow on the table."""
    return with_placed(with_placed(papers(), "brown block", "green bowl"), "purple block", "brown block")


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("blocks()", ["cyan block", "yellow block", "brown block", "purple block"]),
        ("blocks(is_='dirty')", ["cyan block", "yellow block", "purple block"]),
        ("blocks('clean')", ["brown block"]),
        ("blocks('not dirty')", ["brown block"]),
        ("blocks('clear')", ["cyan block", "purple block"]),
        ("blocks('covered')", ["yellow block", "brown block"]),
        ("blocks('stacked')", ["cyan block", "yellow block", "brown block", "purple block"]),
        ("blocks('on the table')", ["yellow block"]),
        ("blocks(colour='cyan')", ["cyan block"]),
        ("bowls('empty')", ["red bowl"]),
        ("bowls('full')", ["green bowl"]),
        ("bowls(colour='red')", ["red bowl"]),
        ("things('bowls')", ["green bowl", "red bowl"]),
        ("things('disinfector')", ["disinfector"]),
        ("cups()", []),
        ("on('yellow block')", ["cyan block"]),
        ("on('the table')", ["yellow block", "green bowl", "red bowl", "disinfector"]),
        ("under('Cyan Block')", "yellow block"),
        ("under('the yellow block')", "table"),
        ("inside('green bowl')", ["brown block", "purple block"]),
        ("inside('disinfector')", []),
        ("inside('table')", ["cyan block", "yellow block"]),
        ("above('brown block')", ["purple block"]),
        ("below('purple block')", ["brown block", "green bowl"]),
        ("top('brown block')", "purple block"),
        ("top('green bowl')", "purple block"),
        ("top('cyan block')", "cyan block"),
        ("bottom('purple block')", "brown block"),
        ("bottom(['cyan block'])", "yellow block"),
        ("container('purple block')", "green bowl"),
        ("container('cyan block')", None),
        ("where('purple block')", "on the brown block"),
        ("where('brown block')", "in the green bowl"),
        ("where('yellow block')", "on the table"),
        ("level('brown block')", 0),
        ("level('purple block')", 1),
        ("higher('cyan block', 'brown block')", True),
        ("higher('cyan block', 'purple block')", False),
        ("is_('brown block', 'clean')", True),
        ("is_('red bowl', 'unknown')", True),
        ("attribute('cyan block')", "dirty"),
        ("attribute('red bowl')", "unknown"),
        ("empty('green bowl')", False),
        ("empty(['red bowl'])", True),
        ("colour('red bowl')", "red"),
        ("colour('disinfector')", ""),
        ("colours(blocks('dirty'))", ["cyan", "yellow", "purple"]),
    ],
)
def test_a_table_with_stacks(call: str, answer: Any) -> None:
    assert ask(call, asked(stacked())) == answer


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("objects()", list(CUPS.objects)),
        ("cups()", ["red cup", "green cup", "blue cup"]),
        ("cups('empty')", ["red cup", "green cup"]),
        ("cups('full')", ["blue cup"]),
        ("cover('rubiks cube')", "blue cup"),
        ("cover('toy duckie')", None),
        ("inside('blue cup')", ["rubiks cube"]),
        ("inside('red cup')", []),
        ("where('rubiks cube')", "under the blue cup"),
        ("where('blue cup')", "over the rubiks cube"),
        ("where('toy wheel')", "on the yellow block"),
        ("is_('rubiks cube', 'hidden')", True),
        ("is_('toy wheel', 'hidden')", False),
        ("colour('toy wheel')", ""),
        ("colour('blue cup')", "blue"),
    ],
)
def test_cups(call: str, answer: Any) -> None:
    assert ask(call, asked(covered())) == answer


def weighing() -> WorldState:
    state = WorldState(
        ("black block", "orange block", "green block", "red block", "pink block", "gray bowl", "blue bowl")
    )
    for each in (weight_fact("black block", 2, "green block"), weight_fact("red block", 2, "orange block")):
        state = with_fact(state, each)
    state = with_fact(state, weight_fact("red block", 1, "black block"))
    state = with_fact(state, comparison_fact("pink block", "more", "red block"))
    return with_placed(with_placed(state, "orange block", "gray bowl"), "red block", "gray bowl")


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("weight('black block')", 2),
        ("total('gray bowl')", 3),
        ("total(['green block', 'black block'])", 3),
        ("total('blue bowl')", 0),
        ("heavier('red block', 'green block')", True),
        ("heavier('pink block', 'green block')", True),
        ("lighter('red block', 'black block')", False),
        ("same_weight('red block', 'black block')", True),
        ("same_weight('gray bowl', ['green block', 'black block'])", True),
        ("heaviest(objects()[:5])", "pink block"),
        ("lightest('gray bowl')", "orange block"),
        ("heaviest(['red block', 'orange block', 'black block'])", ["red block", "black block"]),
        ("lightest(['red block', 'black block'])", ["red block", "black block"]),
        ("lightest(['orange block', 'red block', 'green block'])", ["orange block", "green block"]),
        ("colours(heaviest(['red block', 'black block']))", ["red", "black"]),
        ("ratio('green block', 'black block')", 0.5),
        ("ratio('gray bowl', 'green block')", 3),
        ("balance('blue bowl', 'gray bowl')", ["black block", "green block"]),
        ("balance('blue bowl', 'orange block', times=2)", ["black block"]),
        ("balance('blue bowl', 'green block', more=True)", ["black block"]),
        ("balance('blue bowl', ['green block'], among=['red block', 'orange block'])", ["orange block"]),
    ],
)
def test_weights(call: str, answer: Any) -> None:
    assert ask(call, asked(weighing())) == answer


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("on('gren block')", "did you mean the green block?"),
        ("on('zebra')", "There is no 'zebra' here; there are black block"),
        ("on([])", "One thing is needed here, but there are none"),
        ("on(['green block', 'red block'])", "there are 2: green block, red block"),
        ("on(3)", "A name is needed here"),
        ("blocks(3)", "A word is needed here"),
        ("inside('red block')", "nothing that things can be in"),
        ("top('gray bowl')", "several things on the gray bowl"),
        ("weight('pink block')", "How much the pink block weighs is not known."),
        ("total(['pink block', 'red block'])", "is not known"),
        (
            "heavier('gray bowl', 'pink block')",
            "Whether orange block and red block or pink block is heavier is not known.",
        ),
        ("ratio('pink block', 'red block')", "compare is not known"),
        ("balance('blue bowl', 'gray bowl', times=9)", "is known to weigh that much"),
        ("balance('blue bowl', 'gray bowl', times='two')", "no number of times"),
        ("heaviest([])", "of no things at all"),
        ("colour(heaviest(['red block', 'black block']))", "there are 2: red block, black block"),
        ("last_moved()", "Nothing has been moved yet."),
        ("was('red block')", "The red block has not been moved."),
    ],
)
def test_what_cannot_be_answered_says_why(call: str, why: str) -> None:
    with pytest.raises(SkillError) as refused:
        ask(call, asked(weighing()))
    assert why in str(refused.value)


def a_day() -> list[WorldState]:
    """cyan onto yellow, brown into the bowl, brown dirtied, then yellow into the bowl, for which cyan was set aside."""
    days = [DISINFECTION]
    happened: list[tuple[str, Callable[[WorldState], WorldState]]] = [
        ("Put the cyan block on the yellow block.", lambda s: with_placed(s, "cyan block", "yellow block")),
        ("Put the brown block in the green bowl.", lambda s: with_placed(s, "brown block", "green bowl")),
        ("Woops, the brown block fell into dirt.", lambda s: with_marked(s, ["brown block"], "dirty")),
        (
            "Put the yellow block in the green bowl.",
            lambda s: with_placed(with_placed(s, "cyan block", "table"), "yellow block", "green bowl"),
        ),
        ("Wash the brown block.", lambda s: with_marked(s, ["brown block"], "clean")),
    ]
    for cause, change in happened:
        days.append(with_causes(days[-1], change(days[-1]), cause))
    return days


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("moved()", ["cyan block", "brown block", "yellow block"]),
        ("last_moved()", "yellow block"),
        ("first_moved()", "cyan block"),
        ("moves('cyan block')", 2),
        ("moves('purple block')", 0),
        ("was('cyan block')", "yellow block"),
        ("was('yellow block')", "table"),
        ("never_moved()", ["purple block"]),
        ("was_ever('brown block', 'dirty')", True),
        ("was_ever('cyan block', 'dirty')", False),
        ("was_ever('yellow block', 'covered')", True),
    ],
)
@pytest.mark.parametrize("kept", [5, 6], ids=["without the present", "with the present"])
def test_the_past(call: str, answer: Any, kept: int) -> None:
    days = a_day()
    assert ask(call, asked(days[-1], days[:kept])) == answer


def test_in_one_change_the_thing_that_its_cause_names_is_moved_last() -> None:
    after = with_placed(with_placed(papers(), "cyan block", "table"), "purple block", "green bowl")
    for named in ("cyan block", "purple block"):
        state = with_causes(papers(), after, f"Move the {named}.")
        assert asked(state, [papers()])["last_moved"]() == named


def test_the_state_is_read_when_the_question_is_asked() -> None:
    state = [DISINFECTION]
    on = StateQueries(lambda: state[-1]).functions()["on"]
    assert on("yellow block") == []
    state.append(papers())
    assert on("yellow block") == ["cyan block"]


def test_how_the_functions_are_called_is_for_prompts() -> None:
    lines = render_query_functions(KINDS)
    assert sorted(line.partition("(")[0] for line in lines) == sorted(asked(CUPS))
    assert lines[:5] == ["objects()", "blocks(is_=None, colour=None)", "bowls(is_=None, colour=None)",
                         "cups(is_=None)", "things(kind)"]  # fmt: skip
    assert all(getattr(StateQueries, name).__doc__ for group in ASKED.values() for name in group.split())


def test_kinds_are_a_worlds_own() -> None:
    state = WorldState(("old hammer", "new hammer", "red block"))
    functions = StateQueries(lambda: state, (), ("hammer",)).functions()
    assert functions["hammers"]() == ["old hammer", "new hammer"] and "blocks" not in functions
    assert "hammers(is_=None, colour=None)" in render_query_functions(("hammer",))


JUNK = st.one_of(
    st.none(),
    st.integers(),
    st.text(max_size=5),
    st.lists(st.text(max_size=3)),
    st.just({"a": 1}),
    st.just(float("nan")),
)


@settings(max_examples=40)
@given(states(), st.data())
def test_whatever_code_asks_it_gets_a_plain_value_or_a_skill_error(state: WorldState, data: st.DataObject) -> None:
    argument = st.one_of(JUNK, st.sampled_from([*state.objects, "table", "dirty", "empty", "block"]))
    for function in asked(state, [state, state]).values():
        given_ = [data.draw(argument) for _ in inspect.signature(function).parameters]
        try:
            answer = function(*given_)
        except SkillError as refused:
            assert str(refused)
        else:
            assert answer is None or isinstance(answer, (str, int, float, list))


def ask(call: str, functions: dict[str, Callable[..., Any]]) -> Any:
    return eval(call, {"__builtins__": {}}, dict(functions))
