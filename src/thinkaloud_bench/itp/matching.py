"""From a line of a plan to the step that it means: the closest sentence of the guidelines, with its nouns in the line.

A line may be said in other words ("scoop some boba into the cup") but has to name the right things: the material, the
utensil, and whatever else tells one sentence from its siblings (the third rack, not the first).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

_CLOSE = 0.5
_IDLE_WORDS = (
    "a an the to into in on onto at of from for with and or it its this that is are be then until when after before "
    "some few please now there your our we i you by as so up all everything"
)
_IDLE = frozenset(_IDLE_WORDS.split())
_LIKE = {
    word: group[0]
    for group in (
        ("put", "place", "move", "bring", "carry", "transfer", "set", "deliver", "take", "load", "insert", "lay"),
        ("grasp", "grab", "pick", "fetch", "get", "hold", "retrieve"),
        ("add", "pour", "scoop", "sprinkle", "drop", "dispense", "drizzle", "tip"),
        ("throw", "discard", "dump", "dispose", "toss", "trash", "bin"),
        ("finished", "final", "finish", "done", "completed"),
        ("check", "verify", "ensure", "inspect", "sure"),
        ("start", "run", "begin", "switch", "turn"),
        ("close", "shut"),
        ("racks", "rack"),
    )
    for word in group
}
_INSTEAD = {"add": {"add", "put"}, "put": {"put", "grasp", "add"}, "grasp": {"grasp"}}
"""Which verbs of a line may stand for a verb of the guidelines."""
_NUMBERS = "first second third fourth fifth sixth seventh eighth ninth tenth one two three four five"
_ORDINALS = frozenset(_NUMBERS.split())


def tokens(text: str, things: Collection[str] = ()) -> list[str]:
    """The words of a text without their endings, and its commas; verbs that mean the same become one.

    `things` are words that are no verbs here: a spoon, a drop.
    """
    plain = re.sub(r"^\s*(?:step\s*)?\d+\s*[).:]\s*", "", text.lower())
    return [_word(each, things) for each in re.findall(r"[^\W_]+|,|&", plain)]


def _word(word: str, things: Collection[str]) -> str:
    one = _singular(word)
    stem = _stem(one)
    if one in things or stem in things:  # a dressing room has no dress in it
        return one
    return _LIKE.get(word, _LIKE.get(one, _LIKE.get(stem, stem)))


def _singular(word: str) -> str:
    for ending, instead in (("ves", "fe"), ("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + instead
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _stem(word: str) -> str:
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word.removesuffix(ending)
    return word


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A noun in a line: which, and where."""

    noun: str
    start: int
    end: int


class Matcher:
    """Knows the sentences of the guidelines by their keys, and the nouns that a line has to share with them."""

    def __init__(self, says: Mapping[str, str], nouns: Collection[str]) -> None:
        if not says:
            raise ValueError("there are no sentences to compare a line with")
        self._things = {_singular(word) for noun in nouns for word in noun.lower().split()}
        parts = {noun: self._tokens(noun) for noun in sorted(nouns)}
        self._nouns = dict(sorted(parts.items(), key=lambda each: -len(each[1])))
        self._short = self._shortened()
        self._says = {key: self._tokens(sentence) for key, sentence in says.items()}
        self._named = {key: {each.noun for each in self.named(words)} for key, words in self._says.items()}
        counts = Counter(word for words in self._says.values() for word in {*words} - _IDLE)
        self._weights = {word: math.log(1 + len(self._says) / count) for word, count in counts.items()}
        self._unknown = math.log(2 + len(self._says)) / 2
        self._verbs = {key: self._verbs_of(words) for key, words in self._says.items()}
        self._telling = {key: self._tells(key) for key in self._says}

    def keys(self, line: str, about: str = "") -> list[str | None]:
        """What a line means; [None] if nothing known. `about` is the noun that a line without any is about."""
        words = self._tokens(line)
        same = [key for key, sentence in self._says.items() if sentence == words]
        if same:
            return [same[0]]
        names = list(self.named(words))
        nouns = [_listed(words, names[at:]) for at in range(len(names))]
        for listed in nouns or [[about] if {"it", "them"} & {*words} else []]:
            best, key = max((self._closeness(words, key, listed[:1]), key) for key in self._says)
            if best >= _CLOSE:
                return [key, *(self._listed_too(words, key, listed[1:]))]
        return [None]

    def _listed_too(self, words: Sequence[str], key: str, nouns: Sequence[str]) -> list[str]:
        """The same step for other nouns that the line lists."""
        found = []
        for noun in nouns if self._named[key] else ():
            alike = [(self._closeness(words, key, [noun]), key) for key in self._says if self._named[key] == {noun}]
            if alike and max(alike)[0] >= _CLOSE:
                found.append(max(alike)[1])
        return found

    def lines(self, lines: Sequence[str]) -> list[str | None]:
        """What several lines mean; one without a noun may be about that of the line before."""
        found, about = list[str | None](), ""
        for line in lines:
            found += self.keys(line, about)
            about = next(iter(self.nouns(line)), about)
        return found

    def nouns(self, line: str) -> list[str]:
        """The nouns that a line names, from left to right."""
        return [each.noun for each in self.named(self._tokens(line))]

    def named(self, words: Sequence[str]) -> Iterator[NamedThing]:
        """The nouns in a line, from left to right; longer ones first, no word twice."""
        taken: set[int] = set()
        found = []
        for noun, parts in [*self._nouns.items(), *self._short]:
            for at in range(len(words) - len(parts) + 1):
                span = range(at, at + len(parts))
                if list(words[at : at + len(parts)]) == parts and not taken & {*span}:
                    taken |= {*span}
                    found.append(NamedThing(noun, at, at + len(parts)))
        return iter(sorted(found, key=lambda each: each.start))

    def _shortened(self) -> list[tuple[str, list[str]]]:
        """Nouns of several words without the last, where that can mean nothing else: matcha for matcha powder."""
        shorts = Counter(tuple(parts[:-1]) for parts in self._nouns.values() if len(parts) > 1)
        whole = {tuple(parts) for parts in self._nouns.values()}
        return [
            (noun, parts[:-1])
            for noun, parts in self._nouns.items()
            if len(parts) > 1 and shorts[tuple(parts[:-1])] == 1 and tuple(parts[:-1]) not in whole
        ]

    def _tokens(self, text: str) -> list[str]:
        return tokens(text, self._things)

    def _verbs_of(self, words: Sequence[str]) -> set[str]:
        """The words of which a line has to have one; none where a sentence does not begin with its verb."""
        if not words or words[0] in _IDLE:
            return set()
        verbs = {words[0], *({*words} & {*_LIKE.values()} - {"finished"})}
        return {instead for verb in verbs for instead in _INSTEAD.get(verb, {verb})}

    def _tells(self, key: str) -> set[str]:
        """The words of a sentence, besides nouns and verb, that tell it from siblings that are otherwise the same."""
        own = self._bare(key)
        telling: set[str] = set()
        for other in self._says:
            rest = self._bare(other)
            if other != key and own != rest and len(own) == len(rest) and len(own - rest) == 1:
                telling |= own - rest
        return telling - self._verbs[key]

    def _bare(self, key: str) -> set[str]:
        names = {word for noun in self._named[key] for word in self._nouns[noun]}
        return {*self._says[key]} - names - _IDLE

    def _closeness(self, words: Sequence[str], key: str, nouns: Sequence[str]) -> float:
        """Between 0 and 1; 0 where a noun, or a word that tells the sentence from its siblings, is not there."""
        wanted = self._named[key]
        if (wanted and not wanted <= {*nouns}) or not self._telling[key] <= {*words}:
            return 0.0
        if self._verbs[key] and not self._verbs[key] & {*words}:
            return 0.0
        own = {word: self._weights[word] for word in {*self._says[key]} - _IDLE}
        words = [_meant(word, own) for word in words]
        line = {
            word: self._weights.get(word, self._unknown) for word in {*words} - _IDLE - {",", "&"} if not word.isdigit()
        }
        line = {word: weight for word, weight in line.items() if word in own or word not in _ORDINALS}
        if wanted:
            own |= {f"<{noun}>": 2 * self._unknown for noun in wanted}
            line |= {f"<{noun}>": 2 * self._unknown for noun in wanted}
        common = sum(own[word] for word in own.keys() & line.keys())
        return 0.6 * common / sum(own.values()) + 0.4 * common / sum(line.values()) if own and line else 0.0


def _meant(word: str, own: Collection[str]) -> str:
    """A verb as the guidelines say it, where it is another that may stand for it."""
    return word if word in own else next((verb for verb in own if word in _INSTEAD.get(verb, ())), word)


def _listed(words: Sequence[str], names: Sequence[NamedThing]) -> list[str]:
    """The first noun of a line, and those listed with it: the boba and the jam, but not the milk they go in."""
    found = list(names[:1])
    for each in names[1:]:
        between = words[found[-1].end : each.start]
        if not between or not {*between} <= {",", "&", "and", "the", "some", "then"}:
            break
        found.append(each)
    return [each.noun for each in found]
