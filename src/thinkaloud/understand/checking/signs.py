"""All signs of doubt of a reading, by the names that the tables of coefficients have for them."""

from __future__ import annotations

from collections.abc import Callable

from thinkaloud.understand.checking.covering import COVERING
from thinkaloud.understand.checking.doubts import LISTED
from thinkaloud.understand.checking.said import Said, is_foreign
from thinkaloud.understand.switches import SWITCHES, is_off, report

SIGNS: dict[str, Callable[[Said], float]] = {**LISTED, **COVERING}
SWITCHES += SIGNS
_WORDLESS = ("changes_nothing", "noted", "foreign", "repeated", "vacuous")
"""Those that hold for a request in any language."""


def find_doubts(said: Said) -> dict[str, float]:
    """Every sign, from 0 (nothing to be seen) to 1; of those that compare English words none in another language."""
    signs = _WORDLESS if is_foreign(said) else SIGNS
    found = {name: float(sign(said)) if name in signs and not is_off(name) else 0.0 for name, sign in SIGNS.items()}
    for name in (name for name, value in found.items() if value):
        report(name)
    return found
