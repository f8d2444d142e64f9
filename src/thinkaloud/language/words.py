"""Words as people write them: stems, singular and plural, misspellings, and words that name nothing."""

from __future__ import annotations

import difflib
import re
import tomllib
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache
from importlib import resources
from itertools import pairwise

_LISTS = tomllib.loads(resources.files("thinkaloud.language").joinpath("words.toml").read_text(encoding="utf-8"))
IDLE, _POLITE = (frozenset(_LISTS[name].split()) for name in ("idle", "polite"))
"""Words that say nothing about an action, and words of a request that name nothing."""
_YES, _NO, _BESIDE_YES, PICKING = (frozenset(_LISTS[name].split()) for name in ("yes", "no", "beside_yes", "picking"))
"""The words of answers, and words that accompany the number of an option."""
_NUMBERED = {word: n for n, words in enumerate(_LISTS["numbers"], 1) for word in words.split()}
_LAST = frozenset(_LISTS["last"].split())
_THANKING, _BESIDE_THANKING = (frozenset(_LISTS[name].split()) for name in ("thanking", "beside_thanking"))
_ANY, _BESIDE_ANY = (frozenset(_LISTS[name].split()) for name in ("any", "beside_any"))
_DENYING, _DENYING_ALL = (frozenset(_LISTS[name].split()) for name in ("denying", "denying_all"))
"""Words that leave a choice open, and their companions; words that negate what follows, or everything."""
_STOP, _BESIDE_STOP, _NOT_TO = (frozenset(_LISTS[name].split()) for name in ("stop", "beside_stop", "not_to"))
_STOP_PHRASES = sorted(_LISTS["stop_phrases"], key=len, reverse=True)
"""Words that stop the robot, their companions, and words that reverse their meaning."""
_UNSPACED = re.compile("|".join(word for word in sorted(_BESIDE_STOP) if "\u4e00" <= word[0] <= "\u9fff"))
"""The Chinese ones among them, which no space separates from the next word."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_IN_VES = re.compile(r"((?:^|[^a-z])(?:el|hal|hoo|kni|lea|li|loa|cal|scar|shea|thie|wi|wol)|shel)(f|fe|ves)$")
"""Nouns with an irregular plural."""
_ODD = {
    "person": "people",
    "man": "men",
    "mouse": "mice",
    "foot": "feet",
    "tooth": "teeth",
    "child": "children",
    "goose": "geese",
}
_BEFORE_ODD = r"(?:^|[\W_]|\b(?:wo|post|police|fire|snow|milk|fisher|crafts|door|grand|eye|sales|watch))"
_ONE_ODD = re.compile(rf"{_BEFORE_ODD}({'|'.join(_ODD)})$")
_SEVERAL_ODD = re.compile(rf"{_BEFORE_ODD}({'|'.join(_ODD.values())})$")
_VOWEL_SOUND = re.compile(r"(?!uni|use|usu|ute|uti|eu|one\b|once)[aeiou]|hour|honest|heir", re.IGNORECASE)
"""How a noun begins that takes `an`."""
_ALIKE, _SOMEWHAT_ALIKE = 0.74, 0.65
"""How similar two words must be for one to count as a misspelling of the other, and to be offered as a possible one."""


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return re.findall(r"[^\W\d_]+", text.lower())


def is_blank(text: str) -> bool:
    """Whether a text has no letter and no digit."""
    return not any(letter.isalnum() for letter in text)


def stem(word: str) -> str:
    """A word without its ending."""
    for ending in ("ing", "ies", "es", "ed", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def stems(text: str) -> set[str]:
    """The stems of the meaningful words."""
    return {*_stems(text)}


@lru_cache(maxsize=4096)  # the names of a scene, and the lines of guidelines, are compared again and again
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words_of(text) if word not in IDLE)


@lru_cache(maxsize=4096)  # the same few words of a scene and of a request, again and again
def singular(text: str) -> str:
    """The singular."""
    if found := _IN_VES.search(text):
        stays = text[: found.end(1)]
        return stays + ("fe" if found[1].endswith("i") and not found[1].endswith("thi") else "f")
    if found := _SEVERAL_ODD.search(text):
        return text[: found.start(1)] + next(one for one, several in _ODD.items() if several == found[1])
    if text.endswith(("ches", "shes", "sses", "xes")):
        return text[:-2]
    return text[:-1] if text.endswith("s") and not text.endswith("ss") else text


@lru_cache(maxsize=4096)
def plural(noun: str) -> str:
    """The plural, by one rule for all; what is plural already (`keys`, `clothes`) stays the same."""
    if (re.search(r"[^aious]s$", noun) and not noun.endswith("lens")) or _SEVERAL_ODD.search(noun):
        return noun
    if found := _IN_VES.search(noun):
        return f"{noun[: found.end(1)]}ves"
    if found := _ONE_ODD.search(noun):
        return noun[: found.start(1)] + _ODD[found[1]]
    if re.search(r"(s|x|z|ch|sh)$", noun):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if re.search(r"[^aeiou]y$", noun) else f"{noun}s"


def with_article(noun: str) -> str:
    """`a cup`, `an egg`, `an hour`; a plural has no article."""
    if plural(noun) == noun:
        return noun
    return f"{'an' if takes_an(noun) else 'a'} {noun}"


def takes_an(noun: str) -> bool:
    """Whether a noun begins with the sound of a vowel: an apple, an hour, and a unit."""
    return _VOWEL_SOUND.match(noun) is not None


def in_a_row(names: Sequence[str], word: str = "and") -> str:
    """`fern, rose and cactus`."""
    return f" {word} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def read_number(word: str) -> int:
    """`two`, `2`; one for anything else."""
    return int(word) if word.isdigit() else NUMBERS.index(word.lower()) + 1 if word.lower() in NUMBERS else 1


def is_slip(heard: str, word: str, *, generous: bool = False) -> bool:
    """Whether what was heard is a misspelling of the word; never in its first letter, nor in a short word.

    `generous`: for callers that cannot mention a name at all if it is not found, so that one too many does less harm.
    """
    if min(len(heard), len(word)) <= 3 or (heard[0] != word[0] and not (generous and heard[-1] == word[-1])):
        return False
    if not generous and abs(len(heard) - len(word)) > 2:
        return False
    return difflib.SequenceMatcher(a=word, b=heard).ratio() >= (_SOMEWHAT_ALIKE if generous else _ALIKE)


def answer_words(text: str) -> list[str]:
    """The words and numbers of an answer, in lower case: `don't` is one."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return re.findall(r"[^\W_]+(?:'[^\W_]+)?", plain.replace("’", "'"))


def says_stop(text: str) -> bool:
    """Whether a text only asks the robot to hold still or to drop what it is doing.

    "Stop!", "no, stop it now", "stoooop" and "never mind" do; "don't stop" and "stop at the door" do not.
    """
    drawn_in = re.sub(r"([^\W\d_])\1{2,}", r"\1", " ".join(answer_words(text)))
    said = _UNSPACED.sub(r" \g<0> ", f" {drawn_in} ")
    for phrase in _STOP_PHRASES:
        said = said.replace(f" {phrase} ", " stop ")
    words = said.split()
    if any(before in _NOT_TO for before, word in pairwise(words) if word in _STOP):
        return False
    return bool({*words} & _STOP) and {*words} <= _STOP | _BESIDE_STOP


def says_no(text: str) -> bool:
    """Whether an answer says no, and nothing else."""
    words = {*answer_words(text)}
    return bool(words & _NO) and words <= _NO | _YES | _BESIDE_YES


def says_thanks(text: str) -> bool:
    """Whether a text only says thanks, which answers nothing."""
    words = {*answer_words(text)}
    return bool(words & _THANKING) and words <= _THANKING | _BESIDE_THANKING


def says_any(text: str, about: Collection[str] = ()) -> bool:
    """Whether an answer only leaves the choice to the robot; `about` are the stems of words it may also contain.

    "Either", "I don't mind" and "you choose" do; "any but the left one" does not.
    """
    said = f" {' '.join(answer_words(text))} "
    for phrase in _LISTS["any_phrases"]:
        said = said.replace(f" {phrase} ", " any ")
    words = {*said.split()}
    rest = words - _ANY - _BESIDE_ANY
    return "?" not in text and bool(words & _ANY) and {stem(word) for word in rest} <= {*about}


def denies(text: str) -> bool:
    """Whether an answer negates some of its own words, or all options: "not the left one", "none of these"."""
    return denies_all(text) or bool({*answer_words(text)} & _DENYING)


def denies_all(text: str) -> bool:
    """Whether an answer rejects everything offered: "neither, the rose"."""
    return bool({*answer_words(text)} & _DENYING_ALL)


def without_no(text: str) -> str:
    """The words of an answer without those that say no."""
    return " ".join(word for word in answer_words(text) if word not in _NO)


def begins_with_no(text: str) -> bool:
    """Whether an answer begins with no, whatever follows: "No, the rose." """
    return says_no(text) or answer_words(text)[:1] in [[word] for word in _NO]


def says_yes(text: str) -> bool:
    """Whether an answer says yes, and nothing else: "right" does, "the right window" and "is it right" do not."""
    words = answer_words(text)
    if "?" in text or words[:1] == ["is"] or {"go", "right"} <= {*words}:
        return False
    return bool({*words} & _YES) and {*words} <= _YES | _BESIDE_YES


def picked_number(text: str, about: Collection[str] = ()) -> int | None:
    """The number by which an answer picks one of several: `2`, "the second one", "la segunda"; else None.

    `about` are the stems of words that may stand beside it: "plant 2".
    """
    words = [word for word in answer_words(text) if word in _NUMBERED or stem(word) not in about]
    which = [word for word in words if word not in PICKING] or [word for word in words if word in _NUMBERED]
    if len(which) != 1:
        return None
    return int(which[0]) if which[0].isdecimal() else _NUMBERED.get(which[0])


def says_last(text: str, about: Collection[str] = ()) -> bool:
    """Whether an answer picks the last of several: "the last one", "la última"."""
    words = [word for word in answer_words(text) if word in _LAST or stem(word) not in about]
    which = [word for word in words if word not in PICKING]
    return len(which) == 1 and which[0] in _LAST


def phrases(text: str) -> list[str]:
    """The phrases a request may name: its meaningful words, alone and up to three in a row."""
    rows: list[list[str]] = [[]]
    for word in re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[.,;:!?]", text.lower()):
        if word in IDLE or word in _POLITE or not word[0].isalpha():
            rows.append([])
        else:
            rows[-1].append(word)
    found = [" ".join(row[i : i + n]) for n in (3, 2, 1) for row in rows for i in range(len(row) - n + 1)]
    return list(dict.fromkeys(found))


def sentence_of(text: str) -> str:
    """A text that begins with a capital and ends as sentences do."""
    stripped = text.strip()
    ended = stripped if is_ended(stripped) else f"{stripped}."
    return ended[:1].upper() + ended[1:]


def is_ended(text: str) -> bool:
    """Whether a text ends as sentences do, also within quotation marks or parentheses: `You said: "Whistle."`"""
    return text.rstrip('"”»)').endswith((".", "!", "?", "。", "！", "？", "…"))
