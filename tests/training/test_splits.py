"""What the benchmarks measure with is never learnt from."""

from __future__ import annotations

import re
from itertools import islice

import numpy as np
import pytest

from training import generate, heldout
from training.demonstrators import demonstrators, held_out
from training.samples import Demonstrator, Sample
from training.words import COLOURS, HELD_OUT_COLOURS, HELD_OUT_OBJECTS, OBJECTS

NAMES = sorted(demonstrators())


LONG = 10**6
"""More characters than are drawn here."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_samples_have_nothing_that_is_held_out_and_the_same_seed_gives_the_same(name: str) -> None:
    first, second, other = (
        list(islice(generate.drawn(name, seed=77, part=part, characters=LONG), count))  # raises where anything is
        for part, count in ((1, 5), (1, 2), (2, 2))
    )
    assert len(first) == 5 and first[:2] == second != other
    assert not heldout.violations(first[-1].text)  # the others were looked through as they were drawn


@pytest.mark.parametrize(
    "request_",
    [
        "Put all the blocks in different corners.",
        "Put the blocks in their matching bowls.",
        "Put the blocks on mismatched bowls.",
        "Stack all the blocks on the top left corner.",
        "Stack all the blocks on the right side.",
    ],
)
def test_the_unseen_tasks_would_be_noticed(request_: str) -> None:
    assert heldout.violations(f"Scene: There is a red block.\nHuman: {request_}\n")


def test_held_out_words_would_be_noticed_in_any_form() -> None:
    for word in (*HELD_OUT_COLOURS, *HELD_OUT_OBJECTS):
        assert heldout.violations(f"The {word.upper()}s are here.")
    assert not set(COLOURS) & set(HELD_OUT_COLOURS)
    assert not set(OBJECTS) & set(HELD_OUT_OBJECTS)


def test_every_expression_can_be_read() -> None:
    assert held_out()
    for expression in held_out():
        re.compile(expression)


def test_a_sample_with_held_out_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def bad(rng: np.random.Generator) -> list[Sample]:
        return [Sample("bad", (("Take the cyan block.\nRobot:", " Yes."),))]

    monkeypatch.setattr(generate, "demonstrators", lambda: {"bad": Demonstrator("bad", bad, 1.0)})
    with pytest.raises(ValueError, match=r"held out.*cyan"):
        list(generate.drawn("bad", 1, 0, 1000))
