"""Does a request speak of things that are here? Checked before anything is planned, so that nothing else is moved.

Only what can be told for sure is refused: a colour with the name of a kind of thing in the scene, in a combination that
is not there ("the mauve block"). Everything else is for the planner to understand, or to ask about.
"""

from __future__ import annotations

import re
from importlib import resources

from thinkaloud.records import Observation

_COLOURS = frozenset((resources.files("thinkaloud.converse") / "colours.txt").read_text(encoding="utf-8").split())
"""All the names that CSS has for colours, and some that people use besides."""


def absent(text: str, scene: Observation) -> list[str]:
    """The things that a request names and the scene has not."""
    listed = [*scene.objects, *scene.hidden, *(name for known in scene.vocabulary.values() for name in known)]
    names = [_words(name) for name in listed]
    nouns = {words[-1] for words in names if words}
    colours = _COLOURS | {_words(name)[0] for name in (*scene.objects, *scene.hidden) if len(_words(name)) > 1}
    pairs = re.findall(r"\b(?=([a-z]+) ([a-z]+?)s?\b)", " ".join(_words(text)))
    mentioned = dict.fromkeys(pair for pair in pairs if pair[0] in colours and pair[1] in nouns)
    return [" ".join(pair) for pair in mentioned if not any({*pair} <= {*words} for words in names)]


def _words(text: str) -> list[str]:
    return text.lower().replace("grey", "gray").split()
