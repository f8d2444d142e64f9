"""Mending: a skill may put right what it notices, so often and no oftener, and only where a mind lets it."""

from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkaloud.records import Fix
from thinkaloud.skills.self_repair import NOTHING_TO_DO, SO_ALREADY, allowing_repairs, may_fix, may_repair


def test_outside_a_step_nothing_may_be_fixed() -> None:
    assert not may_repair()
    assert not may_fix("It slipped.", "Grasp it again.")


def test_where_none_are_allowed_nothing_is_noted() -> None:
    with allowing_repairs(0) as mended:
        assert not may_repair()
        assert not may_fix("It slipped.", "Grasp it again.")
    assert mended.fixes == []


@given(most=st.integers(0, 5), asked=st.lists(st.booleans(), max_size=9))
def test_so_many_are_allowed_and_each_of_these_is_noted(most: int, asked: list[bool]) -> None:
    with allowing_repairs(most) as mended:
        answers = [may_fix(f"Problem {n}.", f"Remedy {n}.", looked=looked) for n, looked in enumerate(asked)]
        assert may_repair() == (len(asked) < most)
    assert answers == [n < most for n in range(len(asked))]
    assert mended.fixes == [Fix(f"Problem {n}.", f"Remedy {n}.", looked) for n, looked in enumerate(asked[:most])]


def test_a_step_within_a_step_counts_for_itself() -> None:
    with allowing_repairs(2) as outer:
        assert may_fix("One.", "Do.")
        with allowing_repairs(1) as inner:
            assert may_fix("Two.", "Do.")
            assert not may_fix("Three.", "Do.")
        assert may_fix("Four.", "Do.")
    assert [fix.problem for fix in outer.fixes] == ["One.", "Four."]
    assert [fix.problem for fix in inner.fixes] == ["Two."]
    assert not may_repair()


def test_it_ends_with_the_step_also_if_that_breaks_off() -> None:
    with pytest.raises(ZeroDivisionError), allowing_repairs(3):
        raise ZeroDivisionError
    assert not may_fix("It slipped.", "Grasp it again.")


def test_a_skill_that_runs_in_a_thread_is_asked_the_same() -> None:
    async def step() -> list[Fix]:
        with allowing_repairs(1) as mended:
            assert await asyncio.to_thread(may_fix, "It slipped.", "Grasp it again.")
            assert not await asyncio.to_thread(may_repair)
        return mended.fixes

    assert asyncio.run(step()) == [Fix("It slipped.", "Grasp it again.")]


def test_what_runs_beside_a_step_has_no_part_in_it() -> None:
    found = list[bool]()
    with allowing_repairs(3):
        other = threading.Thread(target=lambda: found.append(may_fix("Elsewhere.", "Do.")))
        other.start()
        other.join()
    assert found == [False]


def test_the_words_for_what_would_change_nothing_are_sentences() -> None:
    assert SO_ALREADY.endswith(".") and NOTHING_TO_DO.endswith(".")
