"""Does a request speak of things that are here? Checked before anything is planned, so that nothing else is moved.

Only what can be told for sure is refused: a colour with the name of a kind of thing in the scene, in a combination that
is not there ("the mauve block"). Everything else is for the planner to understand, or to ask about.
"""

from __future__ import annotations

from importlib import resources

from thinkaloud.language.name_matching import missing_pairs
from thinkaloud.records import Observation

_COLOURS = frozenset(resources.files(__package__).joinpath("colours.txt").read_text(encoding="utf-8").split())
"""All the names that CSS has for colours, and some that people use besides."""


def find_absent(text: str, scene: Observation) -> list[str]:
    """The things that a request names and the scene has not."""
    things = [_plain(name) for name in (*scene.objects, *scene.hidden)]
    known = [*things, *(_plain(name) for names in scene.vocabulary.values() for name in names)]
    looks = _COLOURS | {name.split()[0] for name in things if " " in name}
    return missing_pairs(_plain(text), looks, known)


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("grey", "gray").split())
