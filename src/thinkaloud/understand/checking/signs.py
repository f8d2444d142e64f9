"""Signs that a reading may be wrong, seen in what it comes to alone: they know no language."""

from __future__ import annotations

import re

from thinkaloud.records import Meaning
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.switches import SWITCHES, is_off, report

SIGNS = ("changes_nothing", "noted")
"""What the tables of coefficients call them."""
SWITCHES += SIGNS


def find_signs(meaning: Meaning, lexicon: Lexicon) -> dict[str, float]:
    """Every sign, 0 where nothing is to be seen, else 1."""
    found = {
        "changes_nothing": float(meaning.sort == "deeds" and not meaning.deeds),
        "noted": float(_is_noted(meaning, lexicon)),
    }
    for name in (name for name, value in found.items() if value):
        report(name)
    return {name: 0.0 if is_off(name) else value for name, value in found.items()}


def _is_noted(meaning: Meaning, lexicon: Lexicon) -> bool:
    """Something is done with a thing that people told something about: it may be what they told it for."""
    told = " ".join(lexicon.notes).lower()
    touched = {str(value).lower() for step in meaning.deeds for value in step.arguments.values()}
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", told) for name in touched)
