from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from thinkaloud.models.scoring import Asked, echoed_score, score_tree


def drive(prompt: Sequence[int], sequences: Sequence[Sequence[int]]) -> tuple[list[float], list[Asked]]:
    """Ask a pretended model for which token t costs -t, and which lists no alternatives."""
    questions, asked = score_tree(prompt, sequences), []
    answer: Mapping[str, Any] | None = None
    try:
        while True:
            asked.append(next(questions) if answer is None else questions.send(answer))
            answer = {"id": asked[-1].force, "logprob": -float(asked[-1].force), "top_logprobs": []}
    except StopIteration as end:
        return end.value, asked


def test_each_option_gets_the_sum_of_its_tokens() -> None:
    values, asked = drive([1], [[1, 2, 3], [1, 2, 4], [1, 5], [1]])
    assert values == [-5.0, -6.0, -5.0, 0.0]
    assert [question.context for question in asked] == [[1], [1], [1, 2], [1, 2]]


def test_an_option_that_changes_the_prompts_last_token_is_measured_from_before_it() -> None:
    values, asked = drive([1, 2], [[1, 2, 3], [1, 7]])
    assert values == [-5.0, -7.0]
    assert asked[0].context == [1]


def test_an_echoed_prompt_counts_only_the_option() -> None:
    logprobs = {"text_offset": [0, 3, 7, 11], "token_logprobs": [None, -1.0, -2.0, -9.0]}
    assert echoed_score(logprobs, "abc def", " ghi") == -2.0


# Only the best --------------------------------------------------------------------------------------------------------


def find_best(
    sequences: Sequence[Sequence[int]], worth: Sequence[float], likely: Mapping[tuple[int, ...], Mapping[int, float]]
) -> tuple[list[float], int]:
    """The scores by likelihood times worth, and how many questions they took; a model lists its two likeliest."""
    questions, asked = score_tree([0], sequences, worth), 0
    answer: Mapping[str, Any] | None = None
    try:
        while True:
            question = next(questions) if answer is None else questions.send(answer)
            asked += 1
            costs = likely[tuple(question.context[1:])]
            listed = sorted(costs, key=lambda token: -costs[token])[: min(question.likeliest, 2)]
            top = [{"id": token, "logprob": costs[token]} for token in listed]
            answer = {"id": question.force, "logprob": costs[question.force], "top_logprobs": top}
    except StopIteration as end:
        return end.value, asked


@pytest.mark.parametrize("seed", range(30))
def test_the_best_by_likelihood_times_worth_is_found_without_asking_for_all(seed: int) -> None:
    rng = random.Random(seed)
    paths = list(itertools.product(range(1, 6), repeat=3))
    likely: dict[tuple[int, ...], dict[int, float]] = {}
    for path in (each for length in range(3) for each in itertools.product(range(1, 6), repeat=length)):
        weights = [rng.random() ** 4 for _ in range(5)]
        likely[path] = {token: math.log(weight / sum(weights)) for token, weight in enumerate(weights, 1)}
    worth = [rng.choice([0.0, 0.05, 0.5, 1.0]) for _ in paths]
    exact = [sum(likely[path[:at]][path[at]] for at in range(3)) for path in paths]
    product = [value + math.log(factor) if factor else -math.inf for value, factor in zip(exact, worth, strict=True)]
    values, asked = find_best([[0, *path] for path in paths], worth, likely)
    found = [value + math.log(factor) if factor else -math.inf for value, factor in zip(values, worth, strict=True)]
    best = max(range(len(paths)), key=lambda at: found[at])
    assert product[best] == pytest.approx(max(product)) and values[best] == pytest.approx(exact[best])
    assert all(value >= true - 1e-9 for value, true in zip(values, exact, strict=True)), "the others are upper bounds"
    assert asked < 31 + 125
