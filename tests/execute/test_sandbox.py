"""The sandbox: what a program can do, what it is told when it is wrong, and what gets through to the host."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from sandboxed import BLOCKS, refusal, run
from thinkaloud.episode.ticks import Interrupted
from thinkaloud.errors import CodeRefused, SkillError, StateRefused, UnknownName
from thinkaloud.execute.program_language import read_program
from thinkaloud.execute.sandbox import Bounds
from thinkaloud.records import Stop

PROGRAMS: list[tuple[str, list[Any]]] = [
    ("", []),
    ("# only a comment", []),
    ("show(1)\nshow('two')\nshow(3.5)\nshow(True)\nshow(None)", [1, "two", 3.5, True, None]),
    ("put_first_on_second('red block', second='bowl')", [("red block", "bowl")]),
    ("for b in blocks():\n    put_first_on_second(b, 'bowl')", [(b, "bowl") for b in BLOCKS]),
    ("for _ in range(2): show('again')", ["again", "again"]),
    ("for i in range(5):\n    if i == 1: continue\n    if i == 3: break\n    show(i)\nelse:\n    show('end')", [0, 2]),
    ("i = 0\nwhile i < 2:\n    i += 1\n    show(i)\nelse:\n    show('end')", [1, 2, "end"]),
    ("if 0: show(1)\nelif not 1: show(2)\nelse: show(3)", [3]),
    ("show([b for b in blocks() if 'e' in b][1:])", [["blue block", "green block"]]),
    ("show({b: weight(b) for b in blocks()})", [{b: len(b) for b in BLOCKS}]),
    ("show(any(weight(b) > 10 for b in blocks()))", [True]),
    ("show(' and '.join(b.split()[0] for b in blocks()))", ["red and blue and green"]),
    ("def add(a, b=2):\n    return a + b\nshow(add(1))\nshow(add(1, b=5))", [3, 6]),
    ("def up(n):\n    if n == 0: return []\n    return up(n - 1) + [n]\nshow(up(4))", [[1, 2, 3, 4]]),
    ("show(f'{1 + 1} {blocks()[0]}s')", ["2 red blocks"]),
    ("a, b = 1, 2\na, b = b, a\nshow((a, b))", [(2, 1)]),
    ("for i, (a, b) in enumerate(zip([1, 2], 'xy')): show([i, a, b])", [[0, 1, "x"], [1, 2, "y"]]),
    ("show(sorted(blocks(), key=weight, reverse=True))", [["green block", "blue block", "red block"]]),
    ("show(sorted(blocks()))", [sorted(BLOCKS)]),
    ("show(sorted([3, 1, 2], key=lambda n: -n))", [[3, 2, 1]]),
    ("show(sorted(['bb', 'a', 'cc'], key=len, reverse=True))", [["bb", "cc", "a"]]),
    ("def last(b):\n    return weight(b) % 10\nshow(min(blocks(), key=last))", ["blue block"]),
    ("show(max(blocks(), key=lambda b: weight(b)))", ["green block"]),
    ("show(max([], key=weight, default='none'))", ["none"]),
    ("show([max(1, 2), min([3, 4]), sum([1, 2]), abs(-1), round(2.6), int('7'), len('ab')])", [[2, 3, 3, 1, 3, 7, 2]]),
    (
        "show([7 // 2, 7 % 2, 2 ** 3, 7 / 2, -1, 1 < 2 <= 2, 1 is not None, 1 not in [2]])",
        [[3, 1, 8, 3.5, -1, True, True, True]],
    ),
    ("show(range(3))", [[0, 1, 2]]),
    (
        "d = {'a': 1}\nshow(d.items())\nshow(d.keys())\nshow(d.values())\nshow(d.get('b'))",
        [[("a", 1)], ["a"], [1], None],
    ),
    ("show({'b', 'c', 'a'})", [["a", "b", "c"]]),
    ("show({'a', 'b'} & {'b'} | {'c'})", [["b", "c"]]),
    ("x = [2]\nx.append(1)\nx.extend([3])\nx.sort()\nx[0] += 5\nx.remove(2)\nshow(x)", [[6, 3]]),
    ("show(1 if blocks(is_='dirty') else 2)", [2]),
    ("blocks = blocks()\nshow(blocks[0])\nshow(len(blocks))", ["red block", 3]),
    ("weight = weight('abc')\nshow(weight)\nshow(weight('ab'))", [3, 2]),
    ("sum = 0\nfor i in [1, 2]: sum += i\nshow(sum)", [3]),
    ("list = [1]\nshow({'a': 1}.keys())", [["a"]]),
    ("show('größer → ü')", ["größer → ü"]),
    ('x = """two\nlines"""\nshow(x)', ["two\nlines"]),
    ("show('a\\d')", ["a\\d"]),
]


@pytest.mark.parametrize(("code", "shown"), PROGRAMS, ids=[ascii(code[:50]) for code, _ in PROGRAMS])
def test_a_program_does_what_it_says(code: str, shown: list[Any]) -> None:
    assert run(code) == shown


def test_results_that_are_tuples_or_sets_arrive_as_lists() -> None:
    assert run("x = two()\nx.append(3)\nshow(x)", two=lambda: (1, (2, 2))) == [[1, [2, 2], 3]]
    assert run("show(two()['a'])", two=lambda: {"a": frozenset({"y", "x"})}) == [["x", "y"]]


def test_a_program_cannot_change_what_it_was_given() -> None:
    kept = {"a": [1, 2]}
    run("x = look()\nx['a'].append(3)\nx['b'] = 1", look=lambda: kept)
    assert kept == {"a": [1, 2]}


def test_nothing_is_left_for_the_next_program() -> None:
    run("x = 1\ndef f():\n    return 1")
    assert "not defined" in refusal("y = x\nx = 2")
    assert "no function 'f'" in refusal("f()")


def test_the_sandbox_works_on_after_every_kind_of_end() -> None:
    for code in ("while True: pass", "x = 'a'\nwhile True: x = x + x", "x = 7\nwhile True: x = x * x", "x = 1 / 0"):
        refusal(code)
        assert run("show('still here')") == ["still here"]


MISTAKES = [
    (
        "x = 1\nput_first_on_secnd('a', 'b')",
        "Line 2: There is no function 'put_first_on_secnd'. Did you mean 'put_first_on_second'?",
    ),
    ("pick('a')", "Known: blocks, put_first_on_second, show, weight."),
    (
        "\nput_first_on_second('a')",
        "Line 2: put_first_on_second(first, second) is called wrongly: missing a required argument",
    ),
    ("show(sorted([1], key=put_first_on_second))", "Line 1: put_first_on_second(first, second) is called wrongly"),
    ("bowl = 'bowl'\nput_first_on_second('a', bwl)", "Line 2: There is no variable 'bwl'. Did you mean 'bowl'?"),
    ("show(\n  red_block\n)", "Line 2: There is no variable 'red_block'. Known: none. A text needs quotes."),
    ("# one\n\nimport os", "Line 3: import cannot be used here. Use variables, if, for"),
    ("x = 'a'\nx.format(1)", "Line 2: there is no method .format(). Known: add, append"),
    ("x = 1\n\n\ny = [\n 1,\n 1 / 0]", "Line 4: division by zero (ZeroDivisionError)."),
    ("x = '''a\nb\nc'''\n\n\nshow([1][3])", "Line 6: list index out of range"),
    ("def f(x):\n    # why\n    return 1 / x\n\nshow(sorted([0], key=f))", "Line 3: division by zero"),
    (
        "if 1:\n    pass\nelif 2:\n    pass\nelse:\n    pass\nx = 'ä'; y = {}['nowhere']",
        "Line 7: there is no entry 'nowhere'.",
    ),
    ("show(max([], key=len))", "Line 1: min() or max() of an empty list"),
    ("x = (1,", "Line 1: '(' was never closed."),
    ("if 1:\nx = 1", "Line 2: expected an indented block"),
    ("def f():\n    return f()\nf()", "Line 2: Functions call each other more than 30 deep; use a loop."),
    ("while True: pass", "The program ran for more than 0.5 seconds; a loop that never ends?"),
    ("\nx = 'a' * 10 ** 9", "Line 2: The program used more than 8 MiB of memory"),
    ("\nfor i in range(30): show(i)", "Line 2: more than 20 calls; do fewer things at once."),
    ("show('a' * 3000)", "Line 1: show cannot take a text of 3000 characters, more than 2000."),
    ("x = 1\nx(2)", "Line 2: x is a variable and cannot be called."),
    ("return 1", "Line 1: return belongs inside a function."),
    ("pass\n" * 2000, "The program has 10000 characters, more than 8000"),
]


@pytest.mark.parametrize(("code", "said"), MISTAKES, ids=[ascii(code[:40]) for code, _ in MISTAKES])
def test_a_refusal_says_what_is_wrong_and_where(code: str, said: str) -> None:
    assert said in refusal(code)


@pytest.mark.parametrize(
    ("code", "fault"),
    [("show([1][3])", "IndexError"), ("x = 1 / 0", "ZeroDivisionError"), ("pick('a')", ""), ("x = (1,", "")],
)
def test_a_refusal_has_the_kind_of_error_that_the_program_raised_if_it_did(code: str, fault: str) -> None:
    with pytest.raises(CodeRefused) as caught:
        run(code)
    assert caught.value.fault == fault


def test_mistakes_in_calls_are_found_before_anything_is_done() -> None:
    done: list[str] = []
    for wrong in ("grab('b')", "move()", "move('a', 'b')", "move(b)", "move(to='b')", "move(move)"):
        refusal(f"move('a')\n{wrong}", move=lambda what: done.append(what))
    assert done == []


@pytest.mark.parametrize(
    "error", [SkillError("It is too far."), StateRefused("It is lost."), UnknownName("object", "x", ["y"])]
)
def test_what_a_function_refuses_goes_to_the_model_with_its_line(error: Exception) -> None:
    def fail(what: str) -> None:
        raise error

    assert refusal("x = 1\n\nfail(\n  'it')\nshow(x)", fail=fail) == f"Line 3: {error}"


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), Interrupted(Stop()), asyncio.CancelledError(), ValueError("bug"), OSError()]
)
def test_everything_else_that_a_function_raises_comes_out_as_it_is(error: BaseException) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        run("fail()\nshow(1)", fail=fail)
    assert caught.value is error
    assert run("show('and on')") == ["and on"]


@pytest.mark.parametrize("wrong", ["3", "['a', 'b']", "None", "{'a': 1}", "('a',)"])
def test_an_argument_that_is_declared_a_text_is_one(wrong: str) -> None:
    done: list[str] = []

    def move(what: str, times: int = 1) -> None:
        done.append(what)

    assert refusal(f"x = {wrong}\nmove(x)", move=move).startswith("Line 2: move cannot take ")
    assert refusal(f"move(times=2, what={wrong})", move=move).endswith(" as its what, which is a text.")
    assert done == []
    run("move('a', 2)", move=move)
    assert done == ["a"]


def test_a_result_that_is_not_plain_is_our_mistake() -> None:
    with pytest.raises(TypeError, match="no plain value"):
        run("look()", look=object)


def test_python_s_own_names_are_not_given() -> None:
    with pytest.raises(ValueError, match="Python's own: len"):
        run("", len=lambda: 1)


def test_given_functions_go_before_the_interpreter_s_own() -> None:
    assert run("print('a')\nopen('b')", print=lambda t: None, open=lambda t: None) == []


@pytest.mark.parametrize("bounds", [Bounds(length=3), Bounds(calls=0), Bounds(seconds=0.0)])
def test_bounds_hold(bounds: Bounds) -> None:
    refusal("show(1)\nwhile True: pass", bounds)
    assert run("show(1)", Bounds()) == [1]


def test_time_inside_functions_does_not_count() -> None:
    bounds, pause = Bounds(seconds=1.0), threading.Event()
    assert run("rest()\nshow('awake')", bounds, rest=lambda: pause.wait(1.1)) == ["awake"]


def test_what_runs_is_what_was_checked() -> None:
    program = read_program("# /// script\nx = len ( 'a' )  # why\nshow(x)", {"show": print}, 100)
    assert program.source == "x = len('a')\n_given_show(x)"
    assert [program.line(n) for n in (1, 2)] == [2, 3]
