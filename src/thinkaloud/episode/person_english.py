"""The last step before a person hears or reads a sentence: articles, singular and plural, short forms, full stops.

    speak = PersonEnglish(world)
    speak.see(observation)
    speak("Ice skates is in tall cupboard.. I do not see rice.")
    # "The ice skates are in the tall cupboard. I don't see the rice."

Records keep the words as they are: models read them, and code compares them. Only front ends call this. It changes what
stands around the names of the robot's things, never a name, and nothing that a person said.

Not covered: other languages, and tenses ("Done: Close the door.").
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from thinkaloud.errors import ThinkaloudError
from thinkaloud.language.words import plural, singular, takes_an
from thinkaloud.records import Observation
from thinkaloud.saying.bare_numbers import BareNumbers
from thinkaloud.saying.own_sentences import OwnSentences, is_numbered, is_plural, takes_article
from thinkaloud.skills.signatures import Signature, Vocabulary, capitalised
from thinkaloud.worlds.contract import Measured, World, find_ability
from thinkaloud.worlds.full_world import negated

_VERB = r"(?:is|are|was|were|has|have|isn't|aren't|can|cannot|can't|will|must|does|do|needs?|stays?|lies|stands)\b"
_SHORT = {
    "is not": "isn't",
    "are not": "aren't",
    "was not": "wasn't",
    "were not": "weren't",
    "has not": "hasn't",
    "have not": "haven't",
    "does not": "doesn't",
    "do not": "don't",
    "did not": "didn't",
    "could not": "couldn't",
    "cannot": "can't",
}
_ONE_OF = re.compile(
    r"(?<![\w.,])(?<!of )1 ((?:[a-z]+ )?)([a-z]{4,}s)\b(?= (?:of|to|in|into|on|onto|for|from|at|with)\b|[.,]|$)"
)
"""`1 pieces`, `1 smoke holes`."""
_SHORTENED = re.compile(rf"\b(?:{'|'.join(_SHORT)})\b", re.IGNORECASE)
_OF_SEVERAL = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "needs": "need",
    "stays": "stay",
    "lies": "lie",
    "stands": "stand",
    "isn't": "aren't",
    "wasn't": "weren't",
    "hasn't": "haven't",
    "doesn't": "don't",
}
_CLAUSE = "whenever|as soon as|until|if"
"""What begins a clause within a sentence."""
_NEVER = re.compile(r"(?!)()")
_INSTEAD = (
    (re.compile(r"\bFrom now on I am never to\b"), "From now on, I will never"),
    (re.compile(r"\bFrom now on I am not to\b"), "From now on, I won't"),
    (re.compile(r"\bFrom now on I leave\b"), "From now on, I will leave"),
    (re.compile(r"\ba number of of\b"), "a number of"),
    (re.compile(r"\bat at least\b"), "at least"),
)
_QUOTED, _SAID = re.compile(r'"[^"]*"'), "\ue004"
_NOT_SO = re.compile(r"\bNot so: (.+)", re.DOTALL)
"""How records deny what should be: `Not so: Lid is open. Tray is clean.`"""


class PersonEnglish:
    """Sentences about one robot, as a person would say them.

    Without its world, as when a session is replayed, only the names of what is seen are known.
    """

    def __init__(self, world: World | None) -> None:
        self._skills = [] if world is None else [each.signature for each in world.skills.values()]
        self._relations = [] if world is None else [each.signature for each in world.relations.values()]
        measured = None if world is None else find_ability(world, Measured)
        measures = [] if measured is None else [each.signature for each in measured.measures.values()]
        self._signatures = [*self._skills, *self._relations]
        self._knows_robot = world is not None
        called = [each.name for each in self._signatures if each.says.startswith(f"{each.name}(")]
        self._call = re.compile(rf"\b({_any(called)})\(([^()]*)\)\.?", re.IGNORECASE) if called else None
        self._with_units = BareNumbers(self._signatures)
        self._own = OwnSentences(self._relations, [*self._skills, *measures])
        self._seen: Vocabulary = {}
        self._numbered = _NEVER
        self._name: re.Pattern[str] | None = None
        self._an = self._subject = _NEVER

    def see(self, scene: Observation) -> None:
        """Learn the names of what is in view."""
        if scene.vocabulary == self._seen:
            return
        self._seen = scene.vocabulary
        self._own.see(scene.vocabulary)
        taken = {p.kind for each in self._signatures for p in each.parameters if p.kind is not None}
        taken = taken if self._knows_robot else {*scene.vocabulary}
        names = {name for kind in taken for name in scene.vocabulary.get(kind, ())}
        common = sorted((name for name in names if takes_article(name)), key=len, reverse=True)
        begins = rf"(?:^|(?<=[.!?] )|(?-i:(?<=: )(?=[A-Z]))|\b({_CLAUSE}) )(?:the )?({_any(common)}) ({_VERB})"
        self._name = re.compile(begins, re.IGNORECASE) if common else None
        numbered = sorted(filter(is_numbered, names), key=len, reverse=True)
        self._numbered = re.compile(rf"\b([Tt])he ({_any(numbered)})(?![\w-])") if numbered else _NEVER
        vowels = [each for each in (*taken, *common) if takes_an(each)]
        self._an = re.compile(rf"\b([Aa]) (?=(?:{_any(vowels)})\b)") if vowels else _NEVER
        first = {each.parameters[0].kind or "" for each in self._skills if each.says.startswith("{")}
        actors = [name for kind in first for name in scene.vocabulary.get(kind, ())]
        self._subject = re.compile(rf"\bI will (the |an? |(?:{_any(actors) or '(?!)'})\b)", re.IGNORECASE)

    def __call__(self, text: str) -> str:
        """The text in a person's English; what somebody said, in quotation marks, stays as it is."""
        said = _QUOTED.findall(text)
        told = self._told(_QUOTED.sub(_SAID, text)) if said else self._told(text)
        return re.sub(_SAID, lambda _: said.pop(0), told)

    def _told(self, text: str) -> str:
        text = self._without_calls(_NOT_SO.sub(self._denied, text))
        text = re.sub(r"(?<!\.)\.(?:\s?\.)(?!\.)", ".", text)
        text = re.sub(r"([?!:])\.(?=\s|$)", r"\1", text)
        for words, instead in _INSTEAD:
            text = words.sub(instead, text)
        text = self._own(self._with_units(text))
        text = self._numbered.sub(lambda found: capitalised(found[2]) if found[1] == "T" else found[2], text)
        text = self._with_articles(text)
        text = re.sub(r"\bThere is no ([^.]+?) here\b", _tell_missing, text)
        text = _ONE_OF.sub(lambda found: f"1 {found[1]}{_one(found[2])}", text)
        text = _SHORTENED.sub(lambda found: _like(found[0], _SHORT[found[0].lower()]), text)
        text = self._subject.sub(lambda found: f"This will happen: {found[1]}", text)
        return self._an.sub(r"\1n ", text)

    def _denied(self, found: re.Match[str]) -> str:
        """`Not so: Lid is open.` as `Lid is not open.`: the first sentence, and those after it that it checks."""
        first, *others = re.split(r"(?<=[.])\s+", found[1])
        told = [negated(first)]
        while others and any(self._fits(each, others[0]) for each in self._relations):
            told.append(negated(others.pop(0)))
        return " ".join([*told, *others])

    def _fits(self, signature: Signature, sentence: str) -> bool:
        try:
            signature.parse(sentence, self._seen)
        except ThinkaloudError:
            return False
        return True

    def _without_calls(self, text: str) -> str:
        """`top_up(developer and stop bath)` as `top up developer and stop bath`."""
        if self._call is None:
            return text
        ended = self._call.sub(lambda found: f"{found[1].replace('_', ' ')} {found[2]}".strip() + ".", text)
        return re.sub(r"\.(?=\.|,| then\b| and\b|$(?<!\.))", "", ended)

    def _with_articles(self, text: str) -> str:
        """The text with an article, and a verb that fits, where a sentence begins with a name."""

        def begun(found: re.Match[str]) -> str:
            clause, name, verb = found.groups()
            told = f"The {name[:1].lower()}{name[1:]}" if takes_article(name.lower()) else name
            told = told if clause is None else f"{clause} {told[:1].lower()}{told[1:]}"
            return f"{told} {_OF_SEVERAL.get(verb, verb) if is_plural(name) else verb}"

        return text if self._name is None else self._name.sub(begun, text)


def _any(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, names))


def _one(several: str) -> str:
    """The singular of a plural."""
    one = singular(several)
    return one if plural(one) == several else several


def _tell_missing(found: re.Match[str]) -> str:
    return f"There are no {found[1]} here" if is_plural(found[1]) else found[0]


def _like(was: str, now: str) -> str:
    return capitalised(now) if was[:1].isupper() else now
