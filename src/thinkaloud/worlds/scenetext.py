"""The text of a scene, TOML or JSON, as data; what is neither is refused with its line."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from thinkaloud.errors import BadScene


def is_json(text: str, source: str) -> bool:
    """Whether a text is to be read as JSON: its file is called so, or it begins as JSON does."""
    name = source.lower()
    return name.endswith(".json") or (not name.endswith(".toml") and text.lstrip()[:1] == "{")


def read_scene_data(text: str, source: str, shape: str) -> Any:
    """The data; BadScene with the line. `shape` says what a scene of this kind is made of."""
    try:
        return json.loads(text) if is_json(text, source) else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise BadScene(f"{source}:{error.lineno}: is not JSON: {error.msg}.") from None
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = found[1] if found else len(text.splitlines()) or 1
        raise BadScene(f"{source}:{line}: is not TOML: {re.sub(r' [(]at .*', '', str(error))}.") from None
    except RecursionError:
        raise BadScene(f"{source}:1: is nested too deeply; {shape}.") from None
