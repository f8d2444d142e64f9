"""The text of a scene, TOML or JSON, as data; what is neither is refused with its line."""

from __future__ import annotations

from typing import Any

from thinkaloud.errors import BadScene
from thinkaloud.foreign import Malformed, read_json, read_toml


def is_json(text: str, source: str) -> bool:
    """Whether a text is to be read as JSON: its file is called so, or it begins as JSON does."""
    name = source.lower()
    return name.endswith(".json") or (not name.endswith(".toml") and text.lstrip()[:1] == "{")


def read_scene_data(text: str, source: str, shape: str) -> Any:
    """The data; BadScene with the line. `shape` says what a scene of this kind is made of."""
    form, read = ("JSON", read_json) if is_json(text, source) else ("TOML", read_toml)
    try:
        return read(text)
    except Malformed as error:
        place, usual = (f"{source}:{error.line}", "") if error.line else (f"{source}:1", f"; {shape}")
        raise BadScene(f"{place}: is not {form}: {error}{usual}.") from None
