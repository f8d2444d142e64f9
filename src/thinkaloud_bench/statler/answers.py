"""Whether an answer agrees with the right one, however it is worded: yes and no, numbers, colours, names of things."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from thinkaloud.state.edits import TABLE
from thinkaloud_bench.statler.spelling import plain_name
from thinkaloud_bench.statler.vocabulary import COLOUR_WORDS, NUMBER_VALUES, SAME_COLOUR, THING_KINDS

_YES = re.compile(r"^(yes|yeah|yep|yup|true|correct|affirmative|indeed|sure|certainly)\b")
_NO = re.compile(
    r"^(no|nope|nah|false|incorrect|negative|not so|not really)\b"
    r"(?! (one|thing|block|bowl|cup|object|cube|item|other)s?\b)"
)
_NEVER = re.compile(r"\b(not|no|never|cannot|neither)\b|n't\b")
_SURE = re.compile(r"\b(yes|yeah|true|correct)\b")
_NOTHING = re.compile(
    r"\b(none|nothing|nobody|nowhere|empty|neither)\b|\bno (one|thing|block|bowl|cup|object|cube|item)s?\b|"
    r"\b(not|n't) (any|anything|contain any\w*|hold any\w*)\b|^\[\]$|^$"
)
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_HEAD = re.compile(r" than | because | since |[;(]|\. | while | but | as [a-z]+ as |, (which|and it|so) ")
_ABOVE, _BELOW = re.compile(r"\b(on|over|above|top)\b"), re.compile(r"\b(under|below|beneath|underneath)\b")
_COMMON = set(
    re.findall(r"\w+", "the a an is are was it that this there of in on at to and does do be now still has so")
)
_VERB = re.compile(r"\b(is|are|was|does|do|did|has|have|lies|contains|holds)\b|n't\b")
_ASKS = re.compile(r"\b(?:(is|are|was|were|does|do|did|has|have|can|could)|how|which|what|where|who|count|name|list)\b")
_ONE_OF = {*COLOUR_WORDS, "the", "that", "this", "which", "no", "each", "every", "other"}
_MEANS_NOT = {"clean": "dirty", "dirty": "clean", "empty": "full", "lighter": "heavier", "heavier": "lighter"}


def agrees(gold: str, said: str, question: str = "", things: Iterable[str] = ()) -> bool:
    """Whether what was said means the same as the right answer; `things` are the names of what there is."""
    known = tuple(things)
    gold, said, question = _tidy(_ASIDE.sub(" ", gold)) or _tidy(gold), _tidy(said), _tidy(question)
    if not said:
        return False
    if gold == said:
        return True
    right = _verdict(gold, question)
    if right is not None:
        return right == _verdict(said, question)
    amounts = numbers(gold)
    if len(amounts) == 1 and not _is_list(gold, known):
        told = numbers(said)
        if not told or told[0] != amounts[0]:
            return False
        return told[0] != 0 or not _fresh(_mentions(said, known), question, known)
    wanted = _mentions(gold, known)
    if not wanted:
        return bool(re.search(rf"\b{re.escape(plain_name(gold))}\b", said))
    if _BELOW.search(gold) and _ABOVE.search(said) and not _BELOW.search(said):
        return False
    if _ABOVE.search(gold) and _BELOW.search(said) and not _ABOVE.search(said):
        return False
    return _same_things(wanted, said, question, known)


def yes_or_no(text: str) -> bool | None:
    """What an answer says to a question that is answered with yes or no, or None."""
    text = _tidy(text)
    if _YES.search(text):
        return True
    if _NO.search(text):
        return False
    return None


def numbers(text: str) -> list[Fraction]:
    """The numbers in a text, in digits or words, in order; `no block` and `empty` are 0, `twice` is 2."""
    text = _tidy(text)
    found: list[tuple[int, Fraction]] = []
    for match in re.finditer(r"\d+/\d+|\d+(\.\d+)?|[a-z]+", text):
        word = match[0]
        if word[0].isdigit():
            found.append((match.start(), Fraction(word) if not word.endswith("/0") else Fraction(0)))
        elif word == "one" and (text[: match.start()].split() or [""])[-1] in _ONE_OF:
            continue
        elif word in NUMBER_VALUES:
            found.append((match.start(), NUMBER_VALUES[word]))
    if not found and _NOTHING.search(text):
        return [Fraction(0)]
    return [number for _, number in sorted(found)]


@dataclass(frozen=True)
class _Mention:
    """A thing in a text; the kind is empty where only the colour is said. `loose`: neither listed nor coordinated."""

    colour: str
    kind: str
    loose: bool = True

    def meets(self, other: _Mention) -> bool:
        return self.colour == other.colour and (self.kind == other.kind or not self.kind or not other.kind)


def _tidy(text: str) -> str:
    text = re.sub(r"[\"“”*`]", "", text.replace("’", "'").lower())
    return re.sub(r"[\s_]+", " ", text).strip().rstrip(".!?").strip()


def _is_list(text: str, known: tuple[str, ...]) -> bool:
    """Whether a text with a number in it is about things after all: `the red one`, not `two are in the red bowl`."""
    rest = re.sub(r"[^a-z ]", " ", text).split()
    return (
        bool(_mentions(text, known))
        and not any(word in NUMBER_VALUES and word != "one" for word in rest)
        and "one" in rest
    )


def _verdict(text: str, question: str) -> bool | None:
    """Yes or no, as a word or as a whole sentence says it: `the red block is dirty` to `is the red block dirty`."""
    plainly = yes_or_no(text)
    kind = _ASKS.search(question)
    if plainly is not None or not kind or not kind[1]:
        return plainly
    if _NOTHING.search(text) and not re.search(r"(not|n't) empty", text):
        return bool(_NOTHING.search(question))
    if _SURE.search(text):
        return True
    if not _VERB.search(text):
        return None
    asked, told = (set(re.findall(r"[a-z]+", re.sub(r"n't\b", " not", t))) - _COMMON for t in (question, text))
    denied = bool(_NEVER.search(text)) and not _NEVER.search(question)
    told -= {"not", "never", "no", "isn", "aren", "doesn"}
    if told <= asked:
        return not denied
    if {_MEANS_NOT.get(word, word) for word in told} <= asked:
        return denied
    return False if denied else None


def _mentions(text: str, known: tuple[str, ...]) -> list[_Mention]:
    """The things that a text speaks of; names of what there is first, then colours with or without a kind."""
    found = []
    for match in _names(known).finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        loose = not re.search(r"(,|&|\band|\bor)( the| a)? ?$", before) and not re.match(r" ?(,|&|and\b|or\b)", after)
        if match["name"]:
            found.append(_Mention(match["name"], "", loose))
        else:
            kind = "" if match["kind"] == "one" else match["kind"] or ""
            found.append(_Mention(SAME_COLOUR.get(match["hue"], match["hue"]), kind, loose))
    return found


@lru_cache(maxsize=64)
def _names(known: tuple[str, ...]) -> re.Pattern[str]:
    """What finds the names of things in a text, and colours with or without a kind."""
    whole = {plain_name(name): name for name in known}
    hues = {
        *COLOUR_WORDS,
        *(name.rpartition(" ")[0] for name in whole if name.endswith((" block", " bowl", " cup"))),
    } - {""}
    kinds = "|".join(sorted((*THING_KINDS, "one"), key=len, reverse=True))
    shades = "|".join(re.escape(hue) for hue in sorted(hues, key=len, reverse=True))
    others = [
        re.escape(name) for name in sorted(whole, key=len, reverse=True) if " " not in name or not _coloured(name)
    ]
    return re.compile(
        rf"\b(?:(?P<name>{'|'.join([*others, TABLE])})|(?P<hue>{shades})(?:-colou?red)?(?: (?P<kind>{kinds})s?)?)\b"
    )


def _coloured(name: str) -> bool:
    hue, _, kind = name.rpartition(" ")
    return hue in COLOUR_WORDS or kind in ("block", "bowl", "cup")


def _same_things(wanted: list[_Mention], said: str, question: str, known: tuple[str, ...]) -> bool:
    """Whether the same things are named; those that the question speaks of may be said again besides."""
    for text in (said, *({_HEAD.split(said)[0]} - {said})):
        told = _mentions(text, known)
        fresh = _fresh(told, question, known)
        grounded = [m for m in told if m.colour != TABLE]
        if any(_match(wanted, each) for each in (told, fresh, grounded, [m for m in fresh if m in grounded])):
            return True
    return False


def _fresh(told: list[_Mention], question: str, known: tuple[str, ...]) -> list[_Mention]:
    """What is named besides what the question speaks of; in a list of things everything counts."""
    asked = {(each.colour, each.kind) for each in _mentions(question, known)}
    return [m for m in told if not (m.loose and (m.colour, m.kind) in asked and (m.kind or " " in m.colour))]


def _match(wanted: list[_Mention], told: list[_Mention]) -> bool:
    if not told:
        return False
    return all(any(m.meets(w) for w in wanted) for m in told) and all(any(m.meets(w) for m in told) for w in wanted)
