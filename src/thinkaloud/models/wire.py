"""What a model server and its robots say to each other: OpenAI's form, and what it has no words for.

The server (`web.model_server`) and the client (`served`) both use these, so that nothing is lost between them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from thinkaloud.errors import BadInput, ContextOverflow, ModelError, ModelMissing, ModelRefused, ThinkaloudError
from thinkaloud.models.contract import (
    JUDGE,
    Model,
    Token,
    Usage,
    find_reading_progress,
    in_role,
    is_fluent,
    is_judge,
    is_trained,
)

OURS = "thinkaloud"
"""The key of what OpenAI's form has no words for."""
ROBOT_HEADER = "x-thinkaloud-robot"
"""Who asks: turns are fair between robots."""
ROLES = ("", "listener", "proposer", JUDGE)
"""Roles in which a model may be another one."""
_ERRORS: Mapping[str, type[ThinkaloudError]] = {
    kind.__name__: kind for kind in (BadInput, ContextOverflow, ModelError, ModelMissing, ModelRefused)
}


def tell_traits(model: Model) -> dict[str, dict[str, bool]]:
    """Say what a model was trained for, in each role; blocks while adapters load."""
    every = {role: in_role(model, role) if role else model for role in ROLES}
    return {
        role: {"trained": is_trained(each), "fluent": is_fluent(each), "judges": is_judge(each)}
        for role, each in every.items()
    }


def write_usage(usage: Usage) -> dict[str, Any]:
    """Write a cost as OpenAI does."""
    read = usage.evaluated + usage.cached
    details = {"cached_tokens": usage.cached}
    return {"prompt_tokens": read, "completion_tokens": usage.generated, "prompt_tokens_details": details}


def write_tokens(tokens: tuple[Token, ...]) -> dict[str, Any]:
    """Write tokens with their likelihoods as OpenAI does."""
    return {
        "content": [
            {
                "token": token.text,
                "logprob": _logarithm(token.likelihood),
                "top_logprobs": [
                    {"token": text, "logprob": _logarithm(likelihood)}
                    for text, likelihood in ((token.text, token.likelihood), *token.others)
                ],
            }
            for token in tokens
        ]
    }


def write_read(read: int, total: int) -> dict[str, Any]:
    """Write how far a model has read a prompt."""
    return {OURS: {"read": [read, total]}}


def tell_read(chunk: Mapping[str, Any]) -> None:
    """Tell who wants to know how far the model has read, if a part of an answer says so."""
    told, ours = find_reading_progress(), chunk.get(OURS)
    if told is not None and isinstance(ours, dict) and "read" in ours:
        read, total = ours["read"]
        told(int(read), int(total))


def write_error(error: ThinkaloudError) -> dict[str, Any]:
    """Write an error so that the robot's side raises the same."""
    kind = next((kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _ERRORS), "ModelError")
    return {"error": {"message": str(error), "type": f"{OURS}.{kind}"}}


def read_error(message: str, code: str) -> ThinkaloudError | None:
    """Read an error that the server has written; None if it is another's."""
    _, ours, kind = code.rpartition(f"{OURS}.")
    return _ERRORS[kind](message) if ours and kind in _ERRORS else None


def _logarithm(likelihood: float) -> float:
    return math.log(max(likelihood, 1e-300))
