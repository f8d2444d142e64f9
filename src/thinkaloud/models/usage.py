"""What a served model's answer costs: tokens as the server reports them, and money by the prices in the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from thinkaloud.models.contract import Usage

_MOST_TOKENS = 2**31
_A_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """The price of a million tokens: read, read from the server's cache, and written; in whatever currency."""

    read: float = 0.0
    cached: float = 0.0
    written: float = 0.0

    def priced(self, usage: Usage) -> Usage:
        """Return a cost with its money."""
        spent = usage.evaluated * self.read + usage.cached * self.cached + usage.generated * self.written
        return replace(usage, money=spent / _A_MILLION)


def read_usage(said: Mapping[str, Any], seconds: float = 0.0) -> Usage:
    """Read the cost that an endpoint reports; anything that is not a token count is read as 0."""
    details = said.get("prompt_tokens_details")
    cached = read_count(details.get("cached_tokens")) if isinstance(details, Mapping) else 0
    prompt = max(cached, read_count(said.get("prompt_tokens")))
    return Usage(prompt - cached, cached, read_count(said.get("completion_tokens")), seconds)


def read_count(count: object) -> int:
    """A number of tokens that an endpoint reports; anything else is 0."""
    return int(count) if isinstance(count, int | float) and 0 <= count < _MOST_TOKENS else 0
