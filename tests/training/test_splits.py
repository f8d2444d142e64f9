"""What the benchmarks measure with is never learnt from."""

from __future__ import annotations

import re

import numpy as np
import pytest

from training import generate, heldout
from training.demonstrators import demonstrators, held_out
from training.samples import Demonstrator, Sample
from training.words import COLOURS, HELD_OUT_COLOURS, HELD_OUT_OBJECTS, OBJECTS

NAMES = sorted(demonstrators())


LONG = ("itp.plan", "itp.code")
"""These take more words, as a robot does with what is said to it: all their guidelines are in every sample."""


@pytest.mark.parametrize("name", NAMES)
def test_samples_have_nothing_that_is_held_out(name: str) -> None:
    long = 20_000 if generate.work_of(name) == "reading" or name in LONG else 6_000
    samples = list(generate.drawn(name, seed=77, part=0, characters=long))  # raises where anything is
    assert len(samples) > 2
    assert not heldout.violations(samples[-1].text)  # the others were looked through as they were drawn


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


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_samples(name: str) -> None:
    first, second, other = (list(generate.drawn(name, seed=5, part=part, characters=1500)) for part in (1, 1, 2))
    assert first == second != other
