from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
