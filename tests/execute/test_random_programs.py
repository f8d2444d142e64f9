"""Whatever a program is: it runs, or it is refused."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sandboxed import run
from thinkaloud.errors import CodeRefused
from thinkaloud.execute.program_language import METHODS
from thinkaloud.execute.sandbox import Bounds
from thinkaloud.language.calls import BUILTINS


def programs(names: list[str], constants: list[str], calls: list[str], methods: list[str], more: list[str]) -> Any:
    """Random programs of these words."""
    name, call, method = st.sampled_from(names), st.sampled_from(calls), st.sampled_from(methods)
    operator = st.sampled_from(["+", "-", "*", "/", "**", "%", "//", "and", "or", "in", "<", "is", "=="])
    value = st.recursive(
        st.one_of(name, st.sampled_from(constants)),
        lambda inner: st.one_of(
            st.builds("({} {} {})".format, inner, operator, inner),
            st.builds("{}({})".format, call, inner),
            st.builds("{}.{}({})".format, inner, method, inner),
            st.builds("[{} for x in {} if {}]".format, inner, inner, inner),
            st.builds("({}, {})[{}:]".format, inner, inner, inner),
            st.builds("{{{}: {}}}".format, inner, inner),
            st.builds("({} if {} else {})".format, inner, inner, inner),
            st.builds("f'{{{}}}'".format, name),
            st.builds("{}({}, key=lambda x: {})".format, st.sampled_from(["sorted", "min", "max"]), inner, inner),
        ),
        max_leaves=6,
    )
    line = st.one_of(
        value,
        st.builds("{} = {}".format, name, value),
        st.builds("{} += {}".format, name, value),
        st.builds("for {} in {}: show({})".format, name, value, value),
        st.builds("while {}: x = {}".format, value, value),
        st.builds("def f({}): return {}".format, name, value),
        st.sampled_from(more),
    )
    return st.lists(line, min_size=1, max_size=8).map(lambda lines: "\n".join(["x = y = [2, 1]", "z = 'ab'", *lines]))


CONSTANTS = [
    "(0)",
    "(3)",
    "(-1)",
    "(9 ** 9)",
    "'a'",
    "''",
    "None",
    "True",
    "2.5",
    "[]",
    "{}",
    "()",
    "[[1], [0]]",
    "range(9)",
]
SOUND = programs(
    ["x", "y", "z"],
    CONSTANTS,
    ["show", "blocks", "weight", *sorted(BUILTINS)],
    sorted(METHODS),
    ["x.append(x)", "pass"],
)
WILD = programs(
    ["x", "f", "show", "len", "_", "__class__", "undefined"],
    [*CONSTANTS, "b''", "...", "1j", "'", "("],
    ["show", "f", "x", "eval", "getattr", "type"],
    ["append", "format", "__len__"],
    ["import os", "break", "return", "class A: pass", "(", "\t", "del x", "global x", "raise x"],
)


@settings(max_examples=100)
@given(st.one_of(SOUND, SOUND, WILD, st.text(max_size=60)))
def test_whatever_a_program_is_it_runs_or_is_refused(code: str) -> None:
    try:
        run(code, Bounds(seconds=0.02, memory=4 * 2**20, depth=20, calls=10))
    except CodeRefused as refused:
        assert refused.words == code
