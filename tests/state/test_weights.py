from __future__ import annotations

import time
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkaloud.records import WorldState
from thinkaloud.state.weights import KnownWeights, comparison_fact, read_weight, read_weight_fact, weight_fact

THINGS = ("black", "orange", "green", "red", "blue", "white")


def told(*facts: str, things: tuple[str, ...] = THINGS, **numbers: float) -> KnownWeights:
    return KnownWeights.of(WorldState(things, facts=facts, attributes={t: {"weight": n} for t, n in numbers.items()}))


def test_the_canonical_texts() -> None:
    assert weight_fact("red block", 2, "bronze block") == "red block weighs 2 * bronze block"
    assert weight_fact("a", Fraction(1, 2), ["b", "c"]) == "a weighs 1/2 * b + 1/2 * c"
    assert weight_fact("a", 0.5, "b") == "a weighs 1/2 * b"
    assert weight_fact("a", 3) == "a weighs 3"
    assert comparison_fact("a", "more", "b") == "a weighs more than b"


@pytest.mark.parametrize(
    "text",
    ["a weighs 2 * b", "a weighs 1 * b + 1/3 * c", "a weighs 3", "a weighs more than b", "a weighs less than c"],
)
def test_a_canonical_fact_reads_back_as_itself(text: str) -> None:
    said = read_weight_fact(text, ("a", "b", "c"))
    assert said is not None
    assert said.fact() == text


@pytest.mark.parametrize(
    "text",
    [
        "a weighs 2 * x",
        "x weighs 3",
        "a weighs 1/0 * b",
        "a weighs 0",
        "a weighs",
        "a is dirty",
        "a weighs -1",
        "a weighs ",
        "a weighs 2 * ",
    ],
)
def test_what_is_no_fact_about_known_weights_is_none(text: str) -> None:
    assert read_weight_fact(text, ("a", "b", "c")) is None


def test_the_short_forms_of_a_state() -> None:
    more = read_weight("a", "> b", ["a", "b"])
    alike = read_weight("a", "b", ["a", "b"])
    assert more is not None and more.fact() == "a weighs more than b"
    twice = read_weight("a", "2 * b + 1/2 * b", ["a", "b"])
    assert twice is not None and twice.fact() == "a weighs 5/2 * b"
    assert alike is not None and alike.fact() == "a weighs 1 * b"


def test_the_papers_episode() -> None:
    weights = told(weight_fact("black", 2, "green"), weight_fact("red", 2, "orange"), weight_fact("red", 1, "black"))
    assert weights.equal(["red", "orange"], ["black", "green"])
    assert [weights.value(each) for each in ("black", "green", "red", "orange", "blue")] == [2, 1, 2, 1, None]
    assert weights.subset(["black", "green", "blue"], [], ["orange", "red"]) == ("black", "green")
    assert weights.compare("red", "green") == 1
    assert weights.ratio("green", "red") == Fraction(1, 2)


def test_two_scales_are_not_compared() -> None:
    weights = told(weight_fact("black", 2, "green"), weight_fact("red", 3, "orange"))
    assert weights.value("red") == 3
    assert weights.compare("red", "black") is None
    assert weights.total(["red", "black"]) is None
    assert weights.compare(["red", "black"], ["orange", "green"]) == 1


def test_a_sum_is_heavier_than_its_parts_without_any_number() -> None:
    weights = told(weight_fact("red", 1, ["blue", "green"]))
    assert weights.compare("red", "blue") == 1
    assert weights.compare("green", "red") == -1
    assert weights.compare("blue", "green") is None
    assert weights.value("red") is None
    assert weights.equal("red", ["green", "blue"])


def test_more_and_less_go_on_through_others() -> None:
    weights = told("red weighs more than blue", "green weighs less than blue", weight_fact("white", 2, "red"))
    assert weights.compare("red", "green") == 1
    assert weights.compare("white", "green") == 1
    assert weights.compare(["green", "blue"], "white") == -1
    assert weights.compare("red", "black") is None
    assert weights.subset(["green", "black", "red"], [], ["blue"], how=">") == ("red",)
    assert weights.subset(["green", "black"], [], ["blue"], how=">") is None


def test_numbers_are_absolute() -> None:
    weights = told(weight_fact("red", 2, "blue"), "blue weighs 3", green=1.5)
    assert weights.value("red") == 6
    assert weights.total(["red", "green"]) == Fraction(15, 2)
    assert weights.compare("green", "blue") == -1
    assert weights.equal("red", "green", times=4)


def test_nothing_known_is_not_known() -> None:
    weights = told()
    assert weights.value("red") is None
    assert weights.compare("red", "blue") is None
    assert weights.compare("red", "red") == 0
    assert weights.compare(["red", "blue"], "red") == 1
    assert weights.total([]) == 0
    assert weights.subset(["red"], [], ["blue"]) is None


def test_what_is_there_already_counts() -> None:
    weights = told(weight_fact("black", 3, "green"), weight_fact("red", 2, "green"), weight_fact("white", 1, "green"))
    assert weights.subset(["red", "white"], ["green"], ["black"]) == ("red",)
    assert weights.subset(["red", "white"], ["green", "red"], ["black"]) == ()
    assert weights.subset(["white", "red"], [], ["green"], times=3) == ("white", "red")
    assert weights.subset(["white", "red"], [], ["green"], how=">=") == ("white",)
    assert weights.subset(["white", "red"], [], ["green"], how=">") == ("red",)


@pytest.mark.parametrize(
    "facts",
    [
        (weight_fact("red", 2, "blue"), weight_fact("red", 3, "blue")),
        (weight_fact("red", 2, "blue"), weight_fact("blue", 2, "green"), weight_fact("green", 2, "red")),
        ("red weighs 3", "red weighs 4"),
        (weight_fact("red", 2, "blue"), comparison_fact("red", "less", "blue")),
        (
            comparison_fact("red", "more", "blue"),
            comparison_fact("blue", "more", "green"),
            comparison_fact("green", "more", "red"),
        ),
        (weight_fact("red", 1, ["red", "blue"]),),
        (weight_fact("red", 1, ["blue", "green"]), weight_fact("blue", 1, ["red", "white"])),
    ],
)
def test_what_cannot_be_is_reported_once_and_left_out(facts: tuple[str, ...]) -> None:
    weights = told(*facts)
    assert len(weights.problems) == 1
    assert facts[-1] in weights.problems[0]
    assert told(*facts[:-1]).problems == []


@settings(max_examples=60)
@given(st.lists(st.integers(1, 6), min_size=3, max_size=7), st.data())
def test_against_counting(numbers: list[int], data: st.DataObject) -> None:
    names = tuple(f"b{index}" for index in range(len(numbers)))
    facts = [
        weight_fact(name, Fraction(n, numbers[0]), names[0]) for name, n in zip(names[1:], numbers[1:], strict=True)
    ]
    weights = told(*data.draw(st.permutations(facts)), things=names)
    heavy = dict(zip(names, numbers, strict=True))
    assert weights.problems == []
    for a, b in combinations(names, 2):
        assert weights.compare(a, b) == (heavy[a] > heavy[b]) - (heavy[a] < heavy[b])
    goal, candidates = names[:1], names[1:]
    right = (c for size in range(len(names)) for c in combinations(candidates, size))
    expected = next((c for c in right if sum(map(heavy.__getitem__, c)) == heavy[goal[0]]), None)
    assert weights.subset(candidates, [], goal) == expected
    over = (c for size in range(len(names)) for c in combinations(candidates, size))
    expected = next((c for c in over if sum(map(heavy.__getitem__, c)) > heavy[goal[0]]), None)
    assert weights.subset(candidates, [], goal, how=">") == expected


def test_a_dozen_things_are_no_work() -> None:
    names = tuple(f"b{index}" for index in range(14))
    chain = [weight_fact(b, Fraction(index + 2, index + 1), a) for index, (a, b) in enumerate(pairwise(names))]
    began = time.process_time()
    weights = told(*chain, comparison_fact(names[3], "more", names[1]), things=names)
    assert weights.subset(names[2:], [], names[:2], times=20) is not None
    assert weights.subset(names[2:], [], [*names[2:], names[0]]) is None
    assert time.process_time() - began < 3.0
