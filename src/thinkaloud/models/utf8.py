"""Make text valid UTF-8: a lone surrogate, for example from a badly decoded file name, becomes a question mark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thinkaloud.records import writable


def make_writable(value: Any) -> Any:
    """Return text, or data that contains text, in a form that can be sent and written."""
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, Mapping):
        return {make_writable(name): make_writable(each) for name, each in value.items()}
    return [make_writable(each) for each in value] if isinstance(value, list | tuple) else value
