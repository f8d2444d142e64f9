"""Errors in the words of the page: what the command line calls `--scene`, the page calls “Scene”."""

from __future__ import annotations

import re

_LABELS = {
    "scene": "Scene",
    "guidelines": "Guidelines",
    "world": "World",
    "preset": "Way of thinking",
    "model": "Model",
    "disturb": "Noise",
    "eyes": "Eyes",
    "confirm": "Asks before it acts",
}
_FLAG = re.compile(rf"--({'|'.join(_LABELS)})\b(?: [A-Z]+(?:\|[A-Z]+)*\b)?")
_SETTINGS = (
    (re.compile(r"\b(?:THINKALOUD_API_KEY|api_key)\b"), "the key"),
    (re.compile(r"\bbase_url\b"), "the address"),
)


def on_page(text: str) -> str:
    """An error as the page tells it: by the labels of its fields."""
    told = _FLAG.sub(lambda found: f"“{_LABELS[found[1]]}”", text)
    for setting, words in _SETTINGS:
        told = setting.sub(words, told)
    return told
