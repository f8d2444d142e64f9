"""Check whether a request names things that are here, before planning, so that the robot moves nothing else.

Only certain cases are refused: a colour with the name of a kind of thing in the scene, in a combination that does not
exist ("the mauve block"). The planner understands everything else, or asks.
"""

from __future__ import annotations

from importlib import resources

from thinkaloud.language.name_matching import missing_pairs
from thinkaloud.records import Observation

_COLOURS = frozenset(resources.files(__package__).joinpath("colours.txt").read_text(encoding="utf-8").split())
"""All CSS colour names, and some more that people use."""


def find_absent(text: str, scene: Observation) -> list[str]:
    """The things that a request names and the scene does not have."""
    things = [_plain(name) for name in (*scene.objects, *scene.hidden)]
    known = [*things, *(_plain(name) for names in scene.vocabulary.values() for name in names)]
    looks = _COLOURS | {name.split()[0] for name in things if " " in name}
    return missing_pairs(_plain(text), looks, known)


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("grey", "gray").split())
