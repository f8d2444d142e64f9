"""The same request in twenty phrasings, for each kind of request. Test data: none of it may be in anybody's training.

Where something in braces stands, the scene decides what it is. The first phrasing of a kind is the one that is said
where it is not the phrasing that varies.
"""

from __future__ import annotations

import re
from functools import cache

from thinkaloud_bench.phrases import load_phrases

PHRASINGS = 20

REQUEST_KINDS = load_phrases("thinkaloud_bench.robustness", "phrasings")
"""The phrasings by kind of request."""
FRAMES: tuple[str, ...] = tuple(frame for frames in REQUEST_KINDS.values() for frame in frames)
"""All of them: what must not be learnt from."""
_SLOT = "zzz"  # what stands for a name while a phrasing is made into a form


def frame_of(sentence: str) -> str | None:
    """The phrasing that a whole sentence is; None if it is none of these.

    What is in braces may be anything of up to three words; case and punctuation make no difference.
    """
    said = _bare(sentence)
    return next((frame for frame, form in _forms() if form.fullmatch(said)), None)


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    name = r"[\w-]+(?: [\w-]+){0,2}"
    return tuple(
        (frame, re.compile(name.join(map(re.escape, _bare(re.sub(r"\{\w+\}", _SLOT, frame)).split(_SLOT)))))
        for frame in FRAMES
    )


def _bare(sentence: str) -> str:
    return " ".join(re.sub(r"[^\w' ]", " ", sentence.lower()).split())
