"""A robot's own sentences, found again in a text and said as a person would: built from what they say, not patched.

    own = OwnSentences(relations, skills_and_measures)
    own.see(vocabulary)
    own("Done: ice skates lies on rack and it is not so that Rex may eat hay.")
    # "Done: the ice skates lie on the rack and Rex may not eat hay."

A relation's sentence is found as it is, denied by `not`, and behind "It is not so that". Its parts (which things, in
which place, denied or not) are read off, and it is said anew: with articles, with a verb that fits one thing or
several, and with the negation of its own verb. Of a skill's sentence, only the articles are of interest. A name that no
sentence accounts for is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from thinkaloud.language.words import plural
from thinkaloud.program.units import asked_form
from thinkaloud.skills.signatures import Parameter, Signature, Vocabulary
from thinkaloud.worlds.full_world import negated

_THING = re.compile("\ue000(\\d+)([cC])\ue001")
"""A name in a text, by its number; `C` if it was written with a capital of its own."""
_ITEM = re.compile(f"(the )?{_THING.pattern}", re.IGNORECASE)
_DONE = re.compile("\ue002(\\d+)\ue003")
"""A sentence that has been said anew."""
_SOME = r"(?:no|not every|every|any|at least one|each|which) [a-z][a-z ]*?|it|they|nothing|what"
"""Words in the place of a name: `no plant`."""
_NUMBER = r"any number of|(?:more than |at least |at most )?-?\d[\d.,]*"
_ARTICLE = re.compile(r"\bthe $", re.IGNORECASE)
_NO_ARTICLE_AFTER = re.compile(
    r"(?:\b(?:an?|my|your|his|her|its|their|our|this|that|these|those|no|any|every|each|which|some|other|another|both|all"
    r"|much|many|more|less|as|called|named|say)\s+|\b(?:the|an?) (?:new|old|clean|fresh|full|empty|next|first|last)\s+"
    r"|\bthere (?:is|are|was|were) |\b(?:an?|some|one|two|three|more|half) (?:[\w°%]+ ){1,2}of "
    r"|['’]s\s+|[\"“'(/-]\s*|: ?)$",
    re.IGNORECASE,
)
"""Words of a robot's own before a name that has no article there: `a cup of {tea}`."""
_SO_MUCH_OF = re.compile(r"\s?[\w°%.]* ?[\w°%.]* of $")
"""What stands between an amount and what it is of: `{amount} ml of {liquid}`."""
_NOT_SO = "it is not so that "
_FORMS = {"is": ("are", "isn't", "aren't"), "was": ("were", "wasn't", "weren't"), "are": ("are", "aren't", "aren't")}
_FORMS |= {"were": ("were", "weren't", "weren't"), "can": ("can", "can't", "can't"), "will": ("will", "won't", "won't")}
_FORMS |= {"does": ("do", "doesn't", "don't"), "do": ("do", "don't", "don't")}
_FORMS |= {"may": ("may", "may not", "may not"), "might": ("might", "might not", "might not")}
_FORMS |= {"should": ("should", "shouldn't", "shouldn't"), "could": ("could", "couldn't", "couldn't")}
"""Of verbs that need no other one to be denied: of several things, denied, and both."""
_PARTICIPLE = re.compile(r"\s+(?:\w+ed|\w+en|had|been|set|done|gone|left|run|put|cut|shut|come|met)\b")
_HELPER = re.compile(rf"\b({'|'.join([*_FORMS, 'has', 'have'])})\b", re.IGNORECASE)
_OWN_VERB = re.compile(
    r"(?!(?:No|Nobody|Nothing|None|Neither|There)\b)"
    r"(?P<subject>I(?= [a-z])|(?:(?:The|An?) )?[A-Za-z][a-z ]*?[a-rt-z]) "
    r"(?P<verb>(?<=I )[a-z]+|(?!this\b)[a-z]{2,}[a-rt-z]s)"
    r"(?= (?:in|into|on|onto|at|to|from|through|over|under|with|by|for|the|an?)\b| ?$|\.)"
)
"""A subject that is no parameter, and its verb: `Water runs in the {sink}.`, `I hold the {cup}.`"""
_BEHIND_NOUN = re.compile(r" (?:of|in|on|at|from|with|for|by|under|over|near|to) ")
"""What begins the rest of a name behind its noun."""
_DENIES = re.compile(r"\b(?:not|no|nobody|nothing|none|never|neither)\b", re.IGNORECASE)


class OwnSentences:
    """The sentences of one robot; see the module's description."""

    def __init__(self, relations: Iterable[Signature], others: Iterable[Signature]) -> None:
        """`others` are skills and measures."""
        relations, others = [*relations], [*others]
        masses = frozenset(kind for each in (*relations, *others) for kind in _masses(each))
        told = [_Sentence.of(each, masses, declares=True) for each in relations]
        asked = [form for each in others for form in _questions(each)]
        self._sentences = [*told, *(_Sentence.of(each, masses, declares=False) for each in (*others, *asked))]
        self._vocabulary: Vocabulary = {}
        self._names: list[str] = []
        self._find: re.Pattern[str] | None = None
        self._forms: list[tuple[re.Pattern[str], _Sentence, bool]] = []

    def see(self, vocabulary: Vocabulary) -> None:
        """Learn the names of what is in view."""
        if vocabulary == self._vocabulary:
            return
        names = sorted({name for kind in vocabulary.values() for name in kind}, key=lambda each: (-len(each), each))
        self._vocabulary, self._names = vocabulary, names
        self._find = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])", re.I) if names else None
        found = [form for each in self._sentences for form in self._forms_of(each)]
        self._forms = sorted(found, key=lambda form: -len(form[1].text))

    def _forms_of(self, sentence: _Sentence) -> Iterator[tuple[re.Pattern[str], _Sentence, bool]]:
        if sentence.declares:
            denied = sentence.denied_pieces
            if denied is not None:
                yield self._pattern("", denied, sentence), sentence, True
            yield self._pattern(_NOT_SO, sentence.pieces, sentence), sentence, True
        if sentence.declares or sentence.parameters:
            yield self._pattern("", sentence.pieces, sentence), sentence, False

    def _pattern(self, before: str, pieces: Sequence[str], sentence: _Sentence) -> re.Pattern[str]:
        literal = [re.sub("[cC]\ue001", "[cC]\ue001", re.escape(self._marked(each))) for each in pieces]
        last = len(sentence.parameters) - 1 if sentence.declares and not pieces[-1] else None
        values = [f"({self._value_of(each, brief=number == last)})" for number, each in enumerate(sentence.parameters)]
        body = "".join([literal[0], *(value + text for value, text in zip(values, literal[1:], strict=True))])
        return re.compile(rf"(?<![\w\ue001\ue003]){re.escape(before)}{body}(?=[\s.,;:!?)\"”]|$)", re.IGNORECASE)

    def _value_of(self, parameter: Parameter, *, brief: bool) -> str:
        """What may stand in a place; `brief`: the first name, as what follows may begin another sentence."""
        if parameter.choices is not None:
            return "|".join(sorted(map(re.escape, parameter.choices), key=len, reverse=True))
        if parameter.kind is None:
            return _NUMBER if parameter.type in (int, float) else r"[^.!?]+?"
        options = {*self._vocabulary.get(parameter.kind, self._names)}
        numbers = [str(number) for number, name in enumerate(self._names) if name in options]
        item = f"(?:the )?\ue000(?:{'|'.join(numbers) or '!'})[cC]\ue001"
        return f"{item}(?:(?:, |,? and |,? or ){item})*{'?' * brief}|{_SOME}"

    def _marked(self, text: str) -> str:
        """A text with its names marked."""
        numbers = {name.lower(): number for number, name in enumerate(self._names)}

        def mark(found: re.Match[str]) -> str:
            number = numbers[found[0].lower()]
            grown = found[0][:1].isupper() and not self._names[number][:1].isupper()
            return f"\ue000{number}{'C' if grown else 'c'}\ue001"

        return text if self._find is None else self._find.sub(mark, text)

    def __call__(self, text: str) -> str:
        """The text, with these sentences said as a person would."""
        said: list[str] = []
        marked = self._marked(text)
        for pattern, sentence, denied in self._forms:
            marked = pattern.sub(partial(self._anew, sentence=sentence, denied=denied, said=said), marked)
        plain = _THING.sub(lambda found: self._written(found), marked)
        return _DONE.sub(lambda found: said[int(found[1])], plain)

    def _written(self, found: re.Match[str]) -> str:
        name = self._names[int(found[1])]
        return name[:1].upper() + name[1:] if found[2] == "C" else name

    def _anew(self, found: re.Match[str], *, sentence: _Sentence, denied: bool, said: list[str]) -> str:
        values = [_Value.read(each, self._names) for each in found.groups()]
        told = sentence.tell(values, denied=denied)
        before = found.string[: found.start()]
        first = found[0][:1]
        written = first.isupper() if first != "\ue000" else found[0].partition("\ue001")[0].endswith("C")
        begins = ((written or first == "\ue000") and before.rstrip()[-1:] in ("", ".", "!", "?")) or (
            before.rstrip()[-1:] in (":", '"', "(") and written
        )
        if told[:2] != "I " and not any(told.startswith(name) for name in self._names if name[:1].isupper()):
            told = (told[:1].upper() if begins else told[:1].lower()) + told[1:]
        said.append(told)
        return f"\ue002{len(said) - 1}\ue003"


@dataclass(frozen=True)
class _Value:
    """What stands in the place of a parameter: one thing or several by their names, or other words."""

    text: str
    things: tuple[str, ...] = ()
    with_article: tuple[bool, ...] = ()

    @classmethod
    def read(cls, text: str, names: Sequence[str]) -> _Value:
        found = [*_ITEM.finditer(text)]
        things = tuple(names[int(each[2])] for each in found)
        return cls(_ITEM.sub("{}", text), things, tuple(each[1] is not None for each in found))

    @property
    def is_several(self) -> bool:
        if len(self.things) == 1:
            return is_plural(self.things[0])
        return len(self.things) > 1 and " or {}" not in self.text

    def tell(self, *, article: bool) -> str:
        """The words for it; a name of its own has an article only if it had one, a number never has."""
        if not self.things:
            return self.text
        named = [
            f"the {name}" if not is_numbered(name) and (had or (article and takes_article(name))) else name
            for name, had in zip(self.things, self.with_article, strict=True)
        ]
        return self.text.format(*named)


@dataclass(frozen=True)
class _Sentence:
    """A sentence with places for things, without the articles that stand before these."""

    text: str
    pieces: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    articles: tuple[bool, ...]
    declares: bool
    """It says that something is so; else it is an order, or names a value."""

    @classmethod
    def of(cls, signature: Signature, masses: Collection[str], *, declares: bool) -> _Sentence:
        """`masses` are the kinds of which there is an amount, as of water: these have no article but a written one."""
        says = signature.says
        if says.startswith(f"{signature.name}("):  # a call, told without its brackets
            says = f"{signature.name.replace('_', ' ')} {says.removeprefix(signature.name).strip('().')}"
        pieces, names = _parts(says)
        known = {each.name: each for each in signature.parameters}
        given = [known[each] for each in names]

        def has_article(at: int, before: str) -> bool:
            if _ARTICLE.search(before) or (declares and not at and not before):
                return True
            behind_name = bool(at) and not re.search(r"\w", before)  # a wet {cup}, {count} {pill}
            return given[at].kind not in masses and not behind_name and not _NO_ARTICLE_AFTER.search(before)

        articles = tuple(has_article(at, piece) for at, piece in enumerate(pieces[:-1]))
        stripped = tuple(_ARTICLE.sub("", each) for each in pieces)
        return cls(says, stripped, tuple(given), articles, declares)

    @property
    def denied_pieces(self) -> tuple[str, ...] | None:
        """The same denied by `not`, as conditions deny it; None if they put more before it."""
        denied = negated(self.text)
        if denied.lower().startswith(_NOT_SO):
            return None
        return tuple(_ARTICLE.sub("", each) for each in _parts(denied)[0])

    def tell(self, values: Sequence[_Value], *, denied: bool) -> str:
        """It with these, or its opposite."""
        verb = self._verb() if self.declares else None
        words = None if verb is None else verb.conjugated(several=verb.agrees and values[0].is_several, denied=denied)
        if verb is None or words is None:
            if denied and self.denied_pieces is not None:
                return self._joined(self.denied_pieces, values)
            told = self._joined(self.pieces, values)
            return f"it isn't so that {told if told[:2] == 'I ' else told[:1].lower() + told[1:]}" if denied else told
        return self._joined((*self.pieces[: verb.piece], words, *self.pieces[verb.piece + 1 :]), values)

    def _joined(self, pieces: Sequence[str], values: Sequence[_Value]) -> str:
        told = [value.tell(article=article) for value, article in zip(values, self.articles, strict=True)]
        return "".join([pieces[0], *(each + piece for each, piece in zip(told, pieces[1:], strict=True))])

    def _verb(self) -> _Verb | None:
        """Its verb; None if it has none that can be told."""
        first = self.pieces[0]
        if not first.strip() and len(self.pieces) > 1:
            found = re.match(r"( )([a-z]+)(.*)", self.pieces[1], re.DOTALL)
            if found is not None and (_HELPER.fullmatch(found[2]) or _is_third_person(found[2])):
                return _Verb(1, found[1], found[2], found[3], agrees=True)
            return _Verb.helping(1, self.pieces[1])
        if (own := _OWN_VERB.match(first)) is not None and _HELPER.fullmatch(own["verb"]) is None:
            behind = first[own.end("verb") :]
            return _Verb(0, first[: own.start("verb")], own["verb"], behind, of_me=own["subject"] == "I")
        if re.fullmatch(r"there (?:is|was) ", first, re.IGNORECASE):
            return replace(_Verb.helping(0, first) or _Verb(0, "", "", ""), agrees=True)
        return None if _DENIES.search(first.partition(" ")[0]) else _Verb.helping(0, first)


@dataclass(frozen=True)
class _Verb:
    """The verb of a sentence, in one of its pieces, with what is before and behind it there."""

    piece: int
    before: str
    word: str
    behind: str
    agrees: bool = False
    """It is said of the thing in the first place: of one, or of several."""
    of_me: bool = False

    @classmethod
    def helping(cls, piece: int, text: str) -> _Verb | None:
        """The first verb of a text that needs no other one to be denied."""
        found = _HELPER.search(text)
        return None if found is None else cls(piece, text[: found.start()], found[0], text[found.end() :])

    def conjugated(self, *, several: bool, denied: bool) -> str | None:
        """The piece with the verb for one thing or several, denied or not; None if it cannot be denied by itself."""
        word, behind = self.word.lower(), self.behind
        if (own_not := re.match(r" not\b", behind)) is not None and word in (*_FORMS, "has", "have"):
            denied, behind = not denied, behind[own_not.end() :]
        if word in ("has", "have") and denied and (own_no := re.match(r" no\b", behind)) is not None:
            denied, behind = False, behind[own_no.end() :]  # nobody says that it does not have no dust
        if word in _FORMS:
            of_several, no, none = _FORMS[word]
            told = (none if several else no) if denied else of_several if several else word
        elif word in ("has", "have") and _PARTICIPLE.match(behind):
            told = ("have" if several else word) + ("n't" if denied else "")
        elif self.of_me or word in ("has", "have") or _is_third_person(word):
            base = word if self.of_me else "have" if word in ("has", "have") else infinitive(word)
            plain = several or self.of_me or word == "have"
            told = f"{'do' if plain else 'does'}n't {base}" if denied else base if plain else word
        elif denied:
            return None
        else:
            told = word
        return self.before + (told if self.word[:1].islower() else told[:1].upper() + told[1:]) + behind


def _questions(signature: Signature) -> Iterator[Signature]:
    """The sentence of a skill as it asks for each of its numbers."""
    for each in signature.parameters:
        form = asked_form(each, signature.says) if each.type in (int, float) else None
        if form is not None:
            yield replace(signature, says=form, parameters=tuple(p for p in signature.parameters if p != each))


def _masses(signature: Signature) -> Iterator[str]:
    """The kinds of which a sentence takes an amount: the liquid of `Pour {amount} ml of {liquid} into the {cup}.`"""
    pieces, names = _parts(signature.says)
    known = {each.name: each for each in signature.parameters}
    for first, between, second in zip(names, pieces[1:], names[1:], strict=False):
        kind = known[second].kind
        if kind is not None and known[first].type in (int, float) and _SO_MUCH_OF.fullmatch(between):
            yield kind


def _is_third_person(word: str) -> bool:
    return len(word) > len("has") and word.endswith("s") and not word.endswith("ss") and word != "does"


def _parts(says: str) -> tuple[list[str], list[str]]:
    """The words around the places of a sentence, without its full stop, and the names of the places."""
    parts = re.split(r"\{(\w+)\}", says.strip().removesuffix("."))
    return parts[::2], parts[1::2]


def infinitive(verb: str) -> str:
    """The verb of which this is the third person: `grows`, `carries`, `touches`."""
    if verb.endswith("ies") and len(verb) > len("lies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("ches", "shes", "sses", "xes", "zzes", "oes")) else verb[:-1]


def takes_article(name: str) -> bool:
    """Whether a name is a noun: not a name of its own (`Rex`), and not numbered (`washer 3`, `hutch two`)."""
    numbered = re.search(r"\d|\b(?:one|two|three|four|five|six|[a-zA-Z])$", name) is not None
    proper = name.split()[-1][:1].isupper()  # little Nina
    return name[:1].islower() and not proper and not numbered and not name.startswith(("the ", "a ", "an "))


def is_plural(name: str) -> bool:
    """Whether a name is of several: `ice skates`, `pieces of cheese`, `lamps in the hall`; a name of its own is not."""
    noun = _BEHIND_NOUN.split(name)[0]
    if noun[:1].isupper() and " " not in noun:  # Ines, Boris
        return False
    noun = noun.lower()
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "ics", "lens")) and plural(noun) == noun


def is_numbered(name: str) -> bool:
    """Whether a name tells things of a kind apart by a number: `room 12`."""
    return re.fullmatch(r"[a-z][\w -]* \d+", name) is not None
