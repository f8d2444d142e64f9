"""Log-likelihoods of many continuations of one prompt, evaluating each shared prefix once.

Each option is tokenised together with the prompt, as the model would have seen it in training, and added to a tree of
tokens. In a depth-first walk every inner node costs one evaluated token, because the model's cache always holds the
path from the root. If an option's first letters merge with the prompt's last token, all options are measured from
before that token, so that they stay comparable.
"""

from __future__ import annotations

import heapq
import itertools
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
"""Yields questions and receives llama.cpp's answers (a token with `logprob` and `top_logprobs`), so that it works with
and without asyncio."""

_LIKELIEST = 64
"""How many alternatives to read from one answer; a rarer one needs a question of its own."""

_Tree = dict[int, "_Tree"]
_Path = tuple[int, ...]
"""The tokens of an option, or a prefix of them."""


def score_tree(
    prompt: Sequence[int], sequences: Sequence[Sequence[int]], worth: Sequence[float] = ()
) -> _Question[list[float]]:
    """For each token sequence (prompt plus option), return how likely the part after the prompt is.

    With `worth`, find the best option by likelihood times worth. The others are followed only until they are known not
    to be the best; they get an upper bound.
    """
    start = shared_length([prompt, *sequences])
    context, paths = list(prompt[:start]), [tuple(tokens[start:]) for tokens in sequences]
    if worth:
        return (yield from _best_first(context, paths, worth))
    tree: _Tree = {}
    for path in paths:
        node = tree
        for token in path:
            node = node.setdefault(token, {})
    known: dict[_Path, float] = {(): 0.0}
    yield from _walk(tree, context, (), known)
    return [known[path] for path in paths]


def _best_first(context: list[int], paths: Sequence[_Path], worth: Sequence[float]) -> _Question[list[float]]:
    """Always extend the likeliest prefix next: a continuation can only be less likely than its prefix."""
    bonus: dict[_Path, float] = {}
    for path, factor in zip(paths, worth, strict=True):
        value = math.log(factor) if factor > 0 else -math.inf
        for end in range(len(path) + 1):
            bonus[path[:end]] = max(bonus.get(path[:end], -math.inf), value)
    ends = {path: math.log(factor) if factor > 0 else -math.inf for path, factor in zip(paths, worth, strict=True)}
    bound: dict[_Path, float] = {(): 0.0}
    exact: set[_Path] = {()}
    count = itertools.count()
    queue: list[tuple[float, int, _Path, bool]] = [(-bonus[()], next(count), (), False)]
    while queue:
        _, _, path, is_end = heapq.heappop(queue)
        if is_end:
            break
        if path not in exact:  # so far only an upper bound is known: the likelihood of the rarest listed token
            answer = yield Asked([*context, *path[:-1]], path[-1], 1)
            bound[path] = bound[path[:-1]] + float(answer["logprob"])
            exact.add(path)
            heapq.heappush(queue, (-bound[path] - bonus[path], next(count), path, False))
            continue
        if path in ends:
            heapq.heappush(queue, (-bound[path] - ends[path], next(count), path, True))
        following = [each for each in bonus if len(each) == len(path) + 1 and each[:-1] == path]
        if not following:
            continue
        answer = yield Asked([*context, *path], following[0][-1], _LIKELIEST if len(following) > 1 else 1)
        listed = {entry["id"]: float(entry["logprob"]) for entry in (*answer["top_logprobs"], answer)}
        rarest = min((float(entry["logprob"]) for entry in answer["top_logprobs"]), default=0.0)
        for each in following:
            if each[-1] in listed:
                exact.add(each)
            bound[each] = bound[path] + listed.get(each[-1], rarest)
            heapq.heappush(queue, (-bound[each] - bonus[each], next(count), each, False))
    return [next(bound[path[:end]] for end in range(len(path), -1, -1) if path[:end] in bound) for path in paths]


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
    """Return the log-likelihood of each of these as the next token."""
    answer = yield Asked(context, tokens[0], 1 if len(tokens) == 1 else _LIKELIEST)
    listed = {entry["id"]: float(entry["logprob"]) for entry in (*answer["top_logprobs"], answer)}
    for token in tokens:
        if token not in listed:
            alone = yield Asked(context, token, 1)
            listed[token] = float(alone["logprob"])
    return {token: listed[token] for token in tokens}


def echoed_score(logprobs: Mapping[str, Any], prompt: str, option: str) -> float:
    """Sum over the option's tokens, from a completion that echoed prompt and option with log-probabilities."""
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


def shared_length(sequences: Sequence[Sequence[int]]) -> int:
    """Return how many tokens at the beginning all sequences share."""
    shortest = min(len(tokens) for tokens in sequences)
    first = sequences[0]
    for at in range(shortest):
        if any(tokens[at] != first[at] for tokens in sequences):
            return at
    return shortest


def read_token(said: Mapping[str, Any]) -> Token:
    """Read a token from llama.cpp's answer, with its likelihood and those of the alternatives."""
    likely = {_key(each): (each["token"], math.exp(each["logprob"])) for each in said.get("top_logprobs") or ()}
    # Its own text may be held back if a stop text could begin with it; the list has the full text.
    text, likelihood = likely.pop(_key(said), (said["token"], math.exp(said["logprob"])))
    return Token(text, likelihood, tuple(likely.values()))


def _key(token: Mapping[str, Any]) -> Any:
    return token.get("id", token["token"])


def read_tokens(said: object) -> list[Token]:
    """Read the tokens of an answer, or of a piece of one, in either log-probability format; none if in neither.

    The formats are `{"content": [{"token": …, "logprob": …, "top_logprobs": […]}]}`, or parallel lists `tokens`,
    `token_logprobs` and `top_logprobs`, whose entries are tables.
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
