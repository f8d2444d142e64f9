"""Signs of doubt: where what a person said and what a program does with it do not go together, seen by code alone.

Each sign compares words with words: those of the request, of the robot's own lexicon and of the program. None knows
what the robot is about, none changes a reading; together they lower how sure the robot is of it (`certainty`).
"""

from __future__ import annotations

import ast
import itertools
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources

from thinkaloud.names import head_noun, look_of
from thinkaloud.records import Meaning
from thinkaloud.signatures import Signature
from thinkaloud.understand.language import CHANGE, ORDER
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.words import is_slip, singular, spaced_words, stem, words_of

_LISTS = tomllib.loads(resources.files(__package__).joinpath("doubts.toml").read_text(encoding="utf-8"))
_WORDS = {name: frozenset(words.split()) for name, words in _LISTS.items()}
_BETWEEN = re.compile(r"[,;.!?]|\b(?:and|then)\b", re.IGNORECASE)
"""What stands between the clauses of a request."""
_NOT_HIGHEST = frozenset(_LISTS["not_superlative"].split())


@dataclass(frozen=True)
class Said:
    """A request beside the program that it was read as, and what that comes to."""

    request: str
    lexicon: Lexicon
    meaning: Meaning
    earlier: Sequence[str] = ()
    """What was said before in this conversation, and the programs that it meant."""

    @property
    def acts(self) -> bool:
        """Whether something is done."""
        return self.meaning.sort == "deeds"

    @cached_property
    def spoken(self) -> list[str]:
        """The words of the request, `don't` as one."""
        return re.findall(r"[^\W_]+(?:['’][^\W\d_]+)?", self.request.lower().replace("’", "'"))

    @cached_property
    def guided(self) -> list[str]:
        """The guidelines for what the request names."""
        own = _roots(self.request) - _WORDS["small"]
        return [line for line in self.lexicon.guidelines if own & _roots(line.partition(":")[0])]

    @cached_property
    def roots(self) -> set[str]:
        """The stems of all words of the request, and of the guidelines for what it names."""
        return _roots(self.request) | _roots(" ".join(self.guided))

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The program, as far as it can be read."""
        try:
            return list(ast.walk(ast.parse(self.meaning.program)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []

    @cached_property
    def literals(self) -> list[str]:
        """The texts that are written out in the program."""
        return [n.value for n in self.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]

    @cached_property
    def called(self) -> set[str]:
        """The functions that it calls."""
        return {n.func.id for n in self.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}

    @cached_property
    def ordered(self) -> bool:
        """Whether it is an order by guidelines: what it takes to do that nobody has to say."""
        return bool({ORDER, CHANGE} & {name.strip("_") for name in self.called})

    @cached_property
    def touched(self) -> list[str]:
        """The things that something is done with; of an order, what was ordered."""
        return [re.sub(r"^(\d+|all) ", "", text) for text in self.literals] if self.ordered else self.handled

    @cached_property
    def handled(self) -> list[str]:
        """The things that the deeds are done with."""
        things = {*self.lexicon.things}
        given = (value for step in self.meaning.deeds for value in step.arguments.values())
        return [value for value in dict.fromkeys(given) if isinstance(value, str) and value in things]

    def has(self, kind: str) -> bool:
        """Whether one of the words of a kind is spoken."""
        return not _WORDS[kind].isdisjoint(self.spoken)

    def uses(self, *kinds: type[ast.AST]) -> bool:
        """Whether there is such a thing in the program."""
        return any(isinstance(node, kinds) for node in self.nodes)


def find_doubts(said: Said) -> dict[str, float]:
    """Every sign, from 0 (nothing to be seen) to 1; of those that compare English words none in another language."""
    signs = _WORDLESS if is_foreign(said) else SIGNS
    return {name: float(sign(said)) if name in signs else 0.0 for name, sign in SIGNS.items()}


def is_foreign(said: Said) -> bool:
    """Whether a request is in another language than English."""
    return is_in_other_language(said.request)


def is_in_other_language(request: str) -> bool:
    """The same, of the words alone: by the small ones among them, or by their writing."""
    if sum(ord(letter) > 0x2E7F for letter in request) > 1:
        return True
    words = re.findall(r"[^\W\d_]+(?:['’](?=[^\W\d_]))?", request.lower().replace("’", "'"))
    other = sum(word in _WORDS["foreign"] for word in words)
    own = sum(word in _WORDS["small"] or word in _WORDS["asking"] or word in _WORDS["doing"] for word in words)
    return other > own


# What is said and not in the robot's words ----------------------------------------------------------------------------


def _unexplained(said: Said) -> float:
    """Words that nothing about this robot explains, while something is done."""
    return min(1.0, len(_strange_words(said)) / 3) if said.acts else 0.0


def _strange_kind(said: Said) -> float:
    """`the cellar door`: a word that nothing explains, right before the noun of things that are here."""
    nouns = {stem(head_noun(name).lower()) for name in said.lexicon.things} | _kind_roots(said.lexicon)
    strange, words = set(_strange_words(said)), said.spoken
    found = any(one in strange and stem(two) in nouns for one, two in itertools.pairwise(words))
    return float(found and said.meaning.sort in ("deeds", "answer", "note"))


def _unsaid_deed(said: Said) -> float:
    """A skill of which no word was said: neither of its name, nor of its sentence, its choices, its documentation."""
    if not said.acts or said.ordered:
        return 0.0
    earlier = _roots(" ".join(said.earlier)) if said.has("pronoun") or said.has("set") else set()
    nouns = _kind_roots(said.lexicon) | _roots(" ".join(said.lexicon.things))
    skills = [said.lexicon.skills[n] for n in {step.skill for step in said.meaning.deeds} & {*said.lexicon.skills}]
    given = {str(value).lower() for step in said.meaning.deeds for value in step.arguments.values()}
    chosen = given & {*said.spoken} - {*map(str.lower, said.lexicon.things)}
    return float(
        any(not _alike((_about(each) - nouns) | _roots(each.name) | chosen, said.roots | earlier) for each in skills)
    )


def _strange_words(said: Said) -> list[str]:
    lexicon = said.lexicon
    functions = (*lexicon.skills.values(), *lexicon.relations.values(), *lexicon.measures.values())
    known = _roots(" ".join([*lexicon.things, *lexicon.kinds, *lexicon.facts, *said.literals, *said.earlier]))
    known |= _roots(" ".join(lexicon.guidelines))
    for signature in functions:
        known |= _about(signature)
    words = [word for word in said.spoken if word not in _WORDS["small"] and "'" not in word and not word.isdigit()]
    return [word for word in words if not _alike({stem(word)}, known) and not _is_highest(word)]


# What is done and was not said ----------------------------------------------------------------------------------------


def _picked(said: Said) -> float:
    """A thing is named in the program, and nothing that tells it from others of its kind was said.

    Where all of a kind are named one by one, and all of them were spoken of, none was picked out.
    """
    before = _roots(" ".join(said.earlier)) if said.has("pronoun") else set()
    spoken = said.roots | before
    whole = [names for names in said.lexicon.named.values() if names and {*names} <= {*said.literals}]
    meant = {name for names in whole for name in names} if said.has("set") or _speaks_of_several(said) else set()
    for name in ({*said.literals} & {*said.lexicon.things}) - meant:
        own = _roots(look_of(name) or name) | set(re.findall(r"\d+", name))
        alone = not _same_noun(name, said.lexicon) and _roots(head_noun(name)) & spoken
        if not (alone or _alike(own, spoken | set(said.spoken))):
            return float(said.acts)
    return 0.0


def _unmentioned(said: Said) -> float:
    """The share of the things touched that neither their names nor their kinds nor a word for many or for `it` mean."""
    if not said.touched or said.has("set") or said.has("pronoun"):
        return 0.0
    lost = [name for name in said.touched if not _roots(name) & said.roots and not _kinds_of(name, said) & said.roots]
    return len(lost) / len(said.touched)


def _too_many(said: Said) -> float:
    """Several things, where neither several were spoken of nor a word for many was said."""
    listed = said.has("set") or said.has("exception") or said.has("number") or {"and", "then"} & {*said.spoken}
    first = {next(iter(step.arguments.values()), None) for step in said.meaning.deeds}
    known = listed or _speaks_of_several(said) or said.guided or said.ordered
    return float(len(first) > 1 and not known)


def _speaks_of_several(said: Said) -> bool:
    return any(word.endswith("s") and stem(word) in _kind_roots(said.lexicon) for word in said.spoken)


def _too_few(said: Said) -> float:
    """A word for all of them, and one thing named in the program."""
    wanted = {"all", "every", "everything", "everyone", "everybody", "each", "both"} & {*said.spoken}
    lists = any(isinstance(n, ast.Name) and n.id in said.lexicon.named for n in said.nodes)
    return float(said.acts and bool(wanted) and not lists and len(said.handled) < 2 and not said.ordered)


# What was said and is lost --------------------------------------------------------------------------------------------


def _negation_lost(said: Said) -> float:
    """`Don't`, `never`, `except`: and nothing in the program that says no."""
    negated = said.has("negation") or any(word.endswith("n't") for word in said.spoken) or said.has("exception")
    told = (
        said.uses(ast.Not, ast.NotEq, ast.NotIn)
        or {"keep", "cannot", "undo", "stop"} & said.called
        or said.uses(ast.keyword)
    )
    return float(said.acts and negated and not told)


def _question_acted(said: Said) -> float:
    """A question, and something is done."""
    first = said.spoken[0] if said.spoken else ""
    polite = first in _WORDS["polite"] or {"please", "you"} & {*said.spoken[:4]}
    asked = said.request.strip().endswith("?") or first in _WORDS["asking"] - {"do", "have"}
    return float(said.acts and asked and not polite)


def _order_answered(said: Said) -> float:
    """No question, and it is answered."""
    asked = "?" in said.request or not _WORDS["asking"].isdisjoint(said.spoken[:2]) or "tell" in said.spoken
    return float(said.meaning.sort == "answer" and not asked)


def _number_lost(said: Said) -> float:
    """`Two of them`, `twice`, `3`: and no number, no amount in the program."""
    numbers = said.has("number") or any(word.isdigit() for word in said.spoken)
    counted = any(isinstance(n, ast.Constant) and isinstance(n.value, int | float) for n in said.nodes)
    repeated = len(said.meaning.deeds) > 1 and not said.uses(ast.ListComp)
    named = any(re.search(r"\d", text) for text in said.literals)
    return float(said.meaning.sort in ("deeds", "answer") and numbers and not (counted or repeated or named))


def _comparison_lost(said: Said) -> float:
    """`The heaviest`, `more than`: and nothing is compared."""
    compared = {"min", "max", "sorted"} & said.called or said.uses(ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    wanted = any(_is_highest(word) for word in said.spoken) or "than" in said.spoken
    return float(said.meaning.sort in ("deeds", "answer") and wanted and not compared)


def _condition_lost(said: Said) -> float:
    """`If`, `unless`: and no condition in the program."""
    return float(said.acts and said.has("condition") and not said.uses(ast.If, ast.IfExp, ast.comprehension))


def _thing_lost(said: Said) -> float:
    """A thing is called by its whole name, and the program neither names it nor has it in a list or a skill's name."""
    return float(said.meaning.sort in ("deeds", "answer") and bool(_lost_things(said)))


def _lost_things(said: Said) -> list[str]:
    spoken = spaced_words(said.request)
    named = [name for name in said.lexicon.things if spaced_words(name) in spoken]
    named = [n for n in named if not any(spaced_words(n) in spaced_words(other) for other in named if other != n)]
    if said.ordered:  # of what is made of something, one word of it is said
        named = [name for name in said.lexicon.things if _own_words(name, said.lexicon) & _roots(said.request)]
    meant = {text.lower() for text in (*said.literals, *said.touched, *said.handled)}
    listed = {n.id for n in said.nodes if isinstance(n, ast.Name)}
    meant |= {name.lower() for each, names in said.lexicon.named.items() if each in listed for name in names}
    called = _roots(" ".join([*said.called, *(step.skill for step in said.meaning.deeds if said.ordered)]))
    return [name for name in named if name.lower() not in meant and not _roots(name) <= called]


@dataclass(frozen=True)
class Lost:
    """What was said in one of several clauses and is in no reading: things by name, or clauses with a skill's verb."""

    things: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


def find_lost(readings: Sequence[Said]) -> Lost:
    """What all readings of a request with several clauses have lost; nothing where a no or an except may be why."""
    request = readings[0].request if readings else ""
    clauses = [each.strip() for each in _BETWEEN.split(request) if each.strip()]
    if len(clauses) < 2 or any(is_foreign(each) or _denies(each) or not each.acts for each in readings):
        return Lost()
    lost = [_lost_things(each) for each in readings]
    things = [name for name in lost[0] if all(name in each for each in lost)]
    with_thing = [clause for clause in clauses if any(spaced_words(name) in spaced_words(clause) for name in things)]
    verbs = [clause for clause in clauses if all(_is_verb_lost(clause, each) for each in readings)]
    return Lost(tuple(things), tuple(clause for clause in verbs if clause not in with_thing))


def _denies(said: Said) -> bool:
    return said.has("negation") or said.has("exception") or any(word.endswith("n't") for word in said.spoken)


def _is_verb_lost(clause: str, said: Said) -> bool:
    """Whether a clause begins with the verb of skills of which the program calls none, nor anything of that name."""
    first = next((word for word in words_of(clause) if word not in _WORDS["small"]), "")
    skills = {name for name, each in said.lexicon.skills.items() if stem(first) in {*map(stem, _verbs(each))}}
    spoken_of = _roots(" ".join((*said.called, *said.literals)))
    return bool(skills) and not skills & said.called and stem(first) not in spoken_of


def _verbs(signature: Signature) -> set[str]:
    return {*words_of(signature.says)[:1], *words_of(signature.name.replace("_", " "))[:1]}


def _changes_nothing(said: Said) -> float:
    """All that it would bring about is so already, or there is nothing that it is about."""
    return float(said.acts and not said.meaning.deeds)


def _noted(said: Said) -> float:
    """Something is done with a thing that people told something about: it may be what they told it for."""
    told = " ".join(said.lexicon.notes).lower()
    return float(said.acts and any(re.search(rf"\b{re.escape(name.lower())}\b", told) for name in said.touched))


SIGNS: dict[str, Callable[[Said], float]] = {
    "unexplained": _unexplained,
    "strange_kind": _strange_kind,
    "unsaid_deed": _unsaid_deed,
    "picked": _picked,
    "unmentioned": _unmentioned,
    "too_many": _too_many,
    "too_few": _too_few,
    "negation_lost": _negation_lost,
    "question_acted": _question_acted,
    "order_answered": _order_answered,
    "number_lost": _number_lost,
    "comparison_lost": _comparison_lost,
    "condition_lost": _condition_lost,
    "thing_lost": _thing_lost,
    "changes_nothing": _changes_nothing,
    "noted": _noted,
    "foreign": lambda said: float(is_foreign(said)),
}
_WORDLESS = ("changes_nothing", "noted", "foreign")
"""Those that hold for a request in any language."""


# Words ----------------------------------------------------------------------------------------------------------------


def _roots(text: str) -> set[str]:
    words = words_of(text.replace("_", " "))
    return {stem(word) for word in words} | {stem(singular(word)) for word in words if word.endswith("ves")}


def _about(signature: Signature) -> set[str]:
    choices = [choice for p in signature.parameters for choice in p.choices or ()]
    return _roots(" ".join([signature.name, signature.says, signature.about, *choices])) - _FILLING


def _alike(wanted: Iterable[str], known: Iterable[str]) -> bool:
    """Whether one of these is known, perhaps with a slip or another ending."""
    known = {*known}
    return any(each in known or any(_same_root(each, other) for other in known) for each in wanted)


def _same_root(one: str, two: str) -> bool:
    short = min(len(one), len(two))
    return (short >= 4 and (one.startswith(two) or two.startswith(one))) or is_slip(one, two)


def _is_highest(word: str) -> bool:
    known = _WORDS["superlative"] - {"first", "last", "top"}
    return word in known or (word.endswith("est") and len(word) > 5 and word not in _NOT_HIGHEST)


def _kind_roots(lexicon: Lexicon) -> set[str]:
    return {stem(word) for kind in (*lexicon.kinds, *lexicon.lists) for word in words_of(kind.replace("_", " "))}


def _kinds_of(name: str, said: Said) -> set[str]:
    return {root for kind, names in said.lexicon.kinds.items() if name in names for root in _roots(kind)}


def _own_words(name: str, lexicon: Lexicon) -> set[str]:
    return _roots(name) - _roots(" ".join([*({*lexicon.things} - {name}), *lexicon.kinds, *lexicon.skills]))


def _same_noun(name: str, lexicon: Lexicon) -> list[str]:
    return [each for each in lexicon.things if each != name and head_noun(each).lower() == head_noun(name).lower()]


_FILLING = frozenset(map(stem, _WORDS["small"] - _WORDS["doing"])) | {"whether"}
"""Words that stand in every sentence, and so tell no skill from another."""
