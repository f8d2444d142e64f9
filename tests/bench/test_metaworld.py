"""Meta-World's episodes, by its own criteria: a ceiling, a pushed arm, and a robot that does too much."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Sequence

import pytest

from thinkaloud.models import Scripted
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.metaworld import BENCH

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pytest.importorskip("metaworld", reason="Meta-World is not installed: pip install 'thinkaloud[metaworld]'")
THINKALOUD = "thinkaloud:confirm=never"


def played(task: str, index: int, preset: str = CEILING, answers: Sequence[str] = ()) -> Played:
    return asyncio.run(BENCH.play(Item(preset, task, index, 7), lambda: Scripted(answers)))


def test_the_ceiling_does_what_is_asked() -> None:
    found = played("drawer", 0)
    assert (found.success, found.scores) == (True, {"disturbed": 0.0, "silent": 0.0})


def test_where_somebody_pushes_the_arm_the_first_attempt_fails_and_a_second_one_works() -> None:
    found = played("drawer", 1)
    assert (found.success, found.steps, found.scores["disturbed"]) == (True, 2, 1.0)


def test_a_robot_that_also_does_something_else_is_silently_wrong() -> None:
    found = played("drawer", 0, THINKALOUD, ['open("drawer")\npress("table button")'])
    assert (found.success, found.result, found.scores["silent"]) == (False, "goal met", 1.0)
