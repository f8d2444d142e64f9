"""Alternatives: if something is not here, the robot says what similar things are."""

from __future__ import annotations

import re
from collections.abc import Collection

from thinkaloud.language.words import singular
from thinkaloud.records import Observation

_MISSING = re.compile(r"There is no (.+?) here\.")
_MOST = 4
"""How many alternatives to offer."""


def propose_instead(why: str, scene: Observation | None, kept: Collection[str] = ()) -> str:
    """Return a sentence that offers things of the same kind as a missing one, except those to be left alone."""
    missing = _MISSING.match(why)
    if missing is None or scene is None:
        return ""
    noun = _noun(missing[1])
    others = [name for name in scene.objects if name not in kept and name != missing[1]]
    alike = [name for name in others if _noun(name) == noun][:_MOST]
    if not alike:
        return ""
    *first, last = (f"the {name}" for name in alike)
    return f" I could do that with {', '.join(first)}{' or ' if first else ''}{last} instead."


def _noun(name: str) -> str:
    return singular(name.lower().split()[-1])
