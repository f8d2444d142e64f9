"""Whether what was said is the answer: names, numbers as words or digits, yes and no in other words."""

from __future__ import annotations

import re
from collections.abc import Sequence

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_FOREIGN = {
    **dict.fromkeys(("un", "une", "ein", "eins", "eine", "einer", "uno", "una"), 1),
    **dict.fromkeys(("deux", "zwei", "dos"), 2),
    **dict.fromkeys(("trois", "drei", "tres"), 3),
    **dict.fromkeys(("quatre", "vier", "cuatro"), 4),
    **dict.fromkeys(("cinq", "fünf", "cinco"), 5),
    **dict.fromkeys(("sechs", "seis"), 6),
    **dict.fromkeys(("sept", "sieben", "siete"), 7),
    **dict.fromkeys(("huit", "acht", "ocho"), 8),
    **dict.fromkeys(("neuf", "neun", "nueve"), 9),
    **dict.fromkeys(("dix", "zehn", "diez"), 10),
    **dict.fromkeys(("zéro", "null", "cero"), 0),
}
"""What small numbers are in French, German and Spanish, for those who are answered in their own language."""
_WORD_NUMBER = re.compile(rf"\b(?:({'|'.join(_TENS)})(?:[\s-]({'|'.join(_UNITS[1:10])}))?|({'|'.join(_UNITS)}))\b")
_DIGITS = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")
_YES = re.compile(r"(true|correct|right|indeed|certainly|sure|of course)\b|.*?\b(yes|yeah|yep|yup|ja|oui|sí)\b")
_NO = re.compile(
    r"^non\b|\b(no|nope|not|none|nothing|nobody|never|neither|cannot|false|negative|without)\b|n't\b"
    r"|\b(nein|nicht|kein|keine|keiner|nichts|pas|rien|ninguno|ninguna|nada)\b"
)
_NONE = re.compile(r"\b(none|nothing|nobody|no|not|never|zero|0|empty)\b|n't\b")
_NOTHING = {"none", "nothing", "nobody", "nowhere"}


def is_answered(said: str, wanted: Sequence[str], wrong: Sequence[str] = ()) -> bool:
    """Whether every word that is wanted is in what was said, and none that would be wrong."""
    return (
        bool(said.strip())
        and all(_is_in(word, said) for word in wanted)
        and not any(_is_in(word, said) for word in wrong)
    )


def _is_in(word: str, said: str) -> bool:
    plain, text = _plain(word), _plain(said)
    if plain in ("yes", "no"):
        return says_yes(said) is (plain == "yes")
    if plain in _NOTHING:
        return _NONE.search(text) is not None
    if (number := _number(plain)) is not None:
        return _has_number(number, plain, text)
    return re.search(rf"(?<!\w){re.escape(plain)}(?:s|es)?(?!\w)", text) is not None


def says_yes(said: str) -> bool:
    """Whether a text says yes: by its first yes or no, or else by being a statement without a `not` in it."""
    text = _plain(said)
    yes, no = _YES.match(text), _NO.search(text)
    if no is None:
        return bool(text)
    return yes is not None and yes.end() <= no.start()


def _plain(text: str) -> str:
    text = text.lower().replace("’", "'").replace("_", " ").replace("grey", "gray")
    return " ".join(re.sub(r"(?<=\w)-(?=[a-z])", " ", text).split())


def _number(text: str) -> float | None:
    if (words := _WORD_NUMBER.fullmatch(text)) is not None:
        return _value(words)
    try:
        return float(text)
    except ValueError:
        return None


def _value(words: re.Match[str]) -> float:
    tens, unit, alone = words.groups()
    if alone:
        return float(_UNITS.index(alone))
    return float(_TENS[tens] + (_UNITS.index(unit) if unit else 0))


def _has_number(wanted: float, spelled: str, text: str) -> bool:
    """Whether a number is said, in digits or words; what is said more exactly than it is wanted is rounded."""
    decimals = len(spelled.partition(".")[2])
    digits = [float(found.group()) for found in _DIGITS.finditer(text)]
    said = [*digits, *(_value(found) for found in _WORD_NUMBER.finditer(text))]
    said += [float(_FOREIGN[word]) for word in re.findall(r"\w+", text) if word in _FOREIGN]
    if any(round(number, decimals) == wanted for number in said):
        return True
    return wanted == 0 and _NONE.search(text) is not None
