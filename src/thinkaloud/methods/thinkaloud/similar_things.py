"""Alternatives: if something is not here, the robot says what similar things are."""

from __future__ import annotations

from collections.abc import Collection

from thinkaloud.language.words import singular
from thinkaloud.records import Observation

_MOST = 4
"""How many alternatives to offer."""


def propose_instead(missing: str, scene: Observation | None, kept: Collection[str] = ()) -> str:
    """Return a sentence that offers things of the same kind as a missing one, except those to be left alone."""
    if not missing or scene is None:
        return ""
    noun = _noun(missing)
    others = [name for name in scene.objects if name not in kept and name != missing]
    alike = [name for name in others if _noun(name) == noun][:_MOST]
    if not alike:
        return ""
    *first, last = (f"the {name}" for name in alike)
    return f" I could do that with {', '.join(first)}{' or ' if first else ''}{last} instead."


def _noun(name: str) -> str:
    return singular(name.lower().split()[-1])
