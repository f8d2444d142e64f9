"""Log-likelihoods of many continuations of one prompt, with each shared beginning evaluated once.

The options are tokenised together with the prompt, as the model would have seen them in training, and laid into a tree
of tokens. Walking it depth first, every inner node costs one evaluated token, because the model's cache always holds
the path from the root. Where an option's first letters melt into the prompt's last token, all options are measured from
before that token, so that they stay comparable.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from thinkaloud.models.contract import Token

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a model: how likely is `force` after the context, and which are the likeliest next tokens?"""

    context: list[int]
    force: int
    likeliest: int


_Question = Generator[Asked, Mapping[str, Any], _T]
"""Yields questions and is sent llama.cpp's answers (a token with `logprob` and `top_logprobs`), so that it can be
driven with and without asyncio."""

_LIKELIEST = 64
"""How many alternatives are read from one answer; a rarer one is asked for by itself."""

_Tree = dict[int, "_Tree"]


def score_tree(prompt: Sequence[int], sequences: Sequence[Sequence[int]]) -> _Question[list[float]]:
    """For each token sequence (prompt and option together): how likely what follows the prompt is."""
    start = _shared_length([prompt, *sequences])
    tree: _Tree = {}
    for tokens in sequences:
        node = tree
        for token in tokens[start:]:
            node = node.setdefault(token, {})
    known: dict[tuple[int, ...], float] = {(): 0.0}
    yield from _walk(tree, list(prompt[:start]), (), known)
    return [known[tuple(tokens[start:])] for tokens in sequences]


def _walk(
    tree: _Tree, context: list[int], path: tuple[int, ...], known: dict[tuple[int, ...], float]
) -> _Question[None]:
    if not tree:
        return
    following = yield from _following(list(tree), [*context, *path])
    for token, value in following.items():
        known[(*path, token)] = known[path] + value
    for token, child in tree.items():
        yield from _walk(child, context, (*path, token), known)


def _following(tokens: list[int], context: list[int]) -> _Question[dict[int, float]]:
    """The log-likelihood of each of these as the next token."""
    answer = yield Asked(context, tokens[0], 1 if len(tokens) == 1 else _LIKELIEST)
    listed = {entry["id"]: float(entry["logprob"]) for entry in (*answer["top_logprobs"], answer)}
    for token in tokens:
        if token not in listed:
            alone = yield Asked(context, token, 1)
            listed[token] = float(alone["logprob"])
    return {token: listed[token] for token in tokens}


def echoed_score(logprobs: Mapping[str, Any], prompt: str, option: str) -> float:
    """The sum over the option's tokens, from a completion that echoed prompt and option with log-probabilities."""
    offsets, values = logprobs["text_offset"], logprobs["token_logprobs"]
    ends = [*offsets[1:], len(prompt) + len(option)]
    inside = [
        value for value, end, start in zip(values, ends, offsets, strict=True) if _overlaps(start, end, prompt, option)
    ]
    if option and not inside:
        raise ValueError("the prompt was not echoed")
    return float(sum(inside))


def _overlaps(start: int, end: int, prompt: str, option: str) -> bool:
    return end > len(prompt) and start < len(prompt) + len(option)


def _shared_length(sequences: Sequence[Sequence[int]]) -> int:
    shortest = min(len(tokens) for tokens in sequences)
    first = sequences[0]
    for at in range(shortest):
        if any(tokens[at] != first[at] for tokens in sequences):
            return at
    return shortest


def read_token(said: Mapping[str, Any]) -> Token:
    """A token as llama.cpp tells it, with how likely it and the others were."""
    likely = {_key(each): (each["token"], math.exp(each["logprob"])) for each in said.get("top_logprobs") or ()}
    # Its own text may have been held back, because a stop text could have begun with it; the list has it as it is.
    text, likelihood = likely.pop(_key(said), (said["token"], math.exp(said["logprob"])))
    return Token(text, likelihood, tuple(likely.values()))


def _key(token: Mapping[str, Any]) -> Any:
    return token.get("id", token["token"])


def read_tokens(said: object) -> list[Token]:
    """The tokens of an answer or a piece of one, in either form that there is for log-probabilities; none if neither.

    `{"content": [{"token": …, "logprob": …, "top_logprobs": […]}]}`, or lists beside each other: `tokens`,
    `token_logprobs` and `top_logprobs`, each of these a table.
    """
    if not isinstance(said, Mapping):
        return []
    try:
        if isinstance(content := said.get("content"), list):
            return [read_token(each) for each in content]
        others = said.get("top_logprobs") or [{}] * len(said["tokens"])
        rows = zip(said["tokens"], said["token_logprobs"], others, strict=True)
        return [_beside(token, float(logprob), other or {}) for token, logprob, other in rows if logprob is not None]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return []


def _beside(token: str, logprob: float, others: Mapping[str, float]) -> Token:
    rest = tuple((text, math.exp(value)) for text, value in others.items() if text != token)
    return Token(token, math.exp(logprob), rest)
