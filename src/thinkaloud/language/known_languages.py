"""Whether a request is in a language that the models were trained to read.

Letters come first: nothing is written in Cyrillic, Arabic, kana or hangul in any of the five. Of Latin letters a small
table of letter sequences tells the language (py3langid). What consists mostly of the robot's own words passes, and so
does a single word, which is too short to be told from its neighbours.
"""

from __future__ import annotations

import importlib
import math
import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any

KNOWN = ("en", "de", "es", "fr", "zh")
ONLY_THESE = "I only understand English, German, Spanish, French and Chinese."
_TOLD_APART = (*KNOWN, *["it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "hr", "ro", "hu", "tr", "id", "vi"])
"""The known ones and the largest others with Latin letters: among all that there are, a short text is anything."""
_SCRIPTS = frozenset({"LATIN", "CJK", "FULLWIDTH", "IDEOGRAPHIC"})
"""How the names of letters begin that occur in the known languages."""
_LEAST = 0.002
"""A request passes if it is at least so likely to be in one of the known languages."""
_FEWEST_WORDS = 2
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def is_known_language(request: str, own_words: Iterable[str] = ()) -> bool:
    """Whether a request is in one of the known languages, as far as its letters and words can tell.

    `own_words` are texts of the robot's own: names of things, sentences of skills.
    """
    words = _WORD.findall(request.lower())
    letters = [letter for word in words for letter in word]
    scripts = [_script(letter) for letter in letters]
    if {"HIRAGANA", "KATAKANA"} & {*scripts} or 2 * sum(each not in _SCRIPTS for each in scripts) > len(scripts):
        return False
    own = {word for text in own_words for word in _WORD.findall(text.lower().replace("_", " "))}
    if len(words) < _FEWEST_WORDS or "CJK" in scripts or 2 * sum(word in own for word in words) >= len(words):
        return True
    return likelihood_of_known(" ".join(words)) >= _LEAST


def likelihood_of_known(text: str) -> float:
    """How likely a text is to be in one of the known languages; 1 where nothing is installed that could tell."""
    identifier = _identifier()
    if identifier is None:
        return 1.0
    scores = {language: float(score) for language, score in identifier.rank(text) if language in _TOLD_APART}
    best = max(scores.values())
    weights = {language: math.exp(score - best) for language, score in scores.items()}
    return sum(weights[language] for language in KNOWN if language in weights) / sum(weights.values())


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]


@cache
def _identifier() -> Any:
    """Open the table of letter sequences; None if the package is not installed."""
    try:
        langid = importlib.import_module("py3langid.langid")
    except ModuleNotFoundError:
        return None
    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE)
