"""Text as UTF-8 can hold it: half of a surrogate pair, from a badly decoded file name, say, is a question mark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinkaloud.records import writable


def make_writable(value: Any) -> Any:
    """Text, or data with text in it, that can be sent and written down."""
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, Mapping):
        return {make_writable(name): make_writable(each) for name, each in value.items()}
    return [make_writable(each) for each in value] if isinstance(value, list | tuple) else value
