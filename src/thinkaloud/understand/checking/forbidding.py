"""`Don't touch the vase, and put the cups away`: what is forbidden beside an order holds for the order.

`with_forbidden` writes down what a reading has lost, where that is plain: the vase is then left alone. A reading that
does what was forbidden, or has nothing but the prohibition where something was ordered as well, does not fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from thinkaloud.language.name_matching import things_in
from thinkaloud.language.words import answer_words, stem, words_of
from thinkaloud.records import Step
from thinkaloud.skills import touched_by
from thinkaloud.understand.checking.fitting import WORDS, Misfit, call_of, parsed
from thinkaloud.understand.checking.said import Said, is_in_other_language
from thinkaloud.understand.clauses import clauses_of
from thinkaloud.understand.language import KEEP, PREVIOUS, SAY, STOP, spelled
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.switches import switchable

_NOT = r"(?:don['’]?t|do not|never|must not|mustn['’]t|should not|shouldn['’]t|you may not|please not)"
_ANYTHING = r"(?:touch|move|disturb|bother|handle|harm|go near|come near|come close to|mess with|lay a finger on)"
_FORBIDS_ALL = re.compile(
    rf"\b{_NOT} (?:ever )?{_ANYTHING}\b(?P<a>.*)|\bwithout (?:touching|moving|disturbing)\b(?P<b>.*)"
    r"|\bleave (?P<c>.+?) (?:alone|be|untouched|in peace|where (?:it is|they are)|as (?:it is|they are))\b"
    r"|\b(?:keep (?:your hands )?off|stay away from|hands off)\b(?P<d>.*)",
    re.IGNORECASE,
)
_FORBIDS_ONE = re.compile(rf"\b{_NOT} (?:ever )?(?P<verb>[a-z]+)\b(?P<rest>.*)", re.IGNORECASE)
_NEEDLESS = re.compile(
    r"\b(?:(?:do not|don['’]?t|dont) (?:need|have|bother) to|need(?: not|n['’]t)|(?:no|not any) need (?:to|for)"
    r"|(?:not|isn['’]t) (?:necessary|needed|required)(?: to)?"
    r"|(?:do not|don['’]?t|dont) bother (?:with|about|(?=\w+ing\b)))"
    r"\s*(?:you to\s+)?(?P<verb>(?!the\b|an?\b|my\b|your\b)[a-z]+\b)?(?P<rest>.*)",
    re.IGNORECASE,
)
"""What need not be done may be done all the same, by whoever asks for it: it is not forbidden."""
_LEADING = frozenset({"only", "that", "are", "should", "instead", "but"})
"""What else may stand before the word that says what is to be done."""
_NOT_NOW = "All right, then I do not do that now."
_EXCEPTED = re.compile(r"\b(?:except|but|unless|until|if|when|otherwise|other than)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Forbidden:
    """What must not be handled; `verb`: what must not be done with it, where only that is meant.

    `needless`: nobody has to do it, and so it is not done now; but it is not forbidden.
    """

    things: tuple[str, ...]
    verb: str = ""
    needless: bool = False


def all_forbidden(request: str, lexicon: Lexicon) -> Iterator[Forbidden]:
    """What a request forbids, by the names of things or the nouns of lists."""
    if is_in_other_language(request) or _EXCEPTED.search(request.split(",")[0].split(" but ")[0]):
        return
    for part in clauses_of(request, fine=True):
        if (needless := _NEEDLESS.search(part)) is not None:
            things = things_in(needless["rest"], lexicon.things)
            if things:
                yield Forbidden(tuple(things), (needless["verb"] or "").lower(), needless=True)
        elif (found := _FORBIDS_ALL.search(part)) is not None:
            things = things_in(next(each for each in found.groups() if each is not None), lexicon.things)
            if things:
                yield Forbidden(tuple(things))
        elif (one := _FORBIDS_ONE.search(part)) is not None:
            things = things_in(one["rest"], lexicon.things)
            if things:
                yield Forbidden(tuple(things), one["verb"].lower())


@switchable()
def with_forbidden(program: str, request: str, lexicon: Lexicon) -> str:
    """A program that does something, with what must not be touched left alone, where it does not say so itself."""
    keep = spelled(KEEP, lexicon)
    acts = re.search(rf"(?m)^\s*(?:{'|'.join(map(re.escape, lexicon.skills))})\(", program) if lexicon.skills else None
    if acts is None or re.search(rf"\b{keep}\(", program):
        return program
    things = [name for each in all_forbidden(request, lexicon) if _is_all(each) for name in each.things]
    return f"{keep}({things!r})\n{program}" if things else program


def _is_all(forbidden: Forbidden) -> bool:
    return not forbidden.verb and not forbidden.needless


@switchable(lambda *_: False)
def says_needless(request: str, lexicon: Lexicon) -> bool:
    """Whether all that is said is that something need not be done: that is no ban."""
    parts = clauses_of(request, fine=True)
    others = [part for part in parts if not _NEEDLESS.search(part)]
    if len(others) == len(parts) or is_in_other_language(request):
        return False
    forbidden = any(_FORBIDS_ALL.search(part) or _FORBIDS_ONE.search(part) for part in others)
    return not forbidden and not _orders_something(others, lexicon)


def excused(program: str, lexicon: Lexicon, *, under_way: bool) -> str | None:
    """What comes of it where something is said to be needless, and was read as a ban, or as a stop; None where it was
    read otherwise. It is left out of what is under way, and else nothing comes of it."""
    tree = parsed(program)
    calls = [call_of(each) for each in tree.body] if tree is not None else []
    called = {each[0] if each is not None else "" for each in calls}
    keep, stop = spelled(KEEP, lexicon), spelled(STOP, lexicon)
    if not called or not called <= {keep, stop}:
        return None
    if not under_way:
        return f"{spelled(SAY, lexicon)}({_NOT_NOW!r})"
    ban = f"{program}\n" if called == {keep} else ""
    return f"{ban}{spelled(PREVIOUS, lexicon)}()"


def split_order(request: str, lexicon: Lexicon) -> tuple[str, tuple[str, ...]] | None:
    """The order that stands beside a prohibition, and what must not be touched for it; None where that is not plain."""
    found = [each for each in all_forbidden(request, lexicon) if not each.verb or each.needless]
    things = [name for each in found for name in each.things]
    parts = clauses_of(request, fine=True)
    left = [part for part in parts if _FORBIDS_ALL.search(part) is None and _NEEDLESS.search(part) is None]
    return (f"{left[0]}.", tuple(things)) if things and len(left) == 1 else None


def find_forbidden(said: Said, at: Circumstances) -> Misfit | None:
    """A reading that does what was forbidden, or that has lost the order beside it."""
    forbidden = list(all_forbidden(said.request, said.lexicon))
    if said.meaning.sort == "note" and (forbidden or said.meaning.kept):
        return Misfit() if _orders_something(clauses_of(said.request, fine=True), said.lexicon) else None
    if not forbidden:
        return None
    if not said.acts:
        return None
    for each in forbidden:
        broken = [step for step in said.meaning.deeds if _breaks(step, each, said, at)]
        if broken and each.needless and len(broken) == len(said.meaning.deeds):
            return Misfit()
        if broken:
            keep = f"{spelled(KEEP, said.lexicon)}({[*each.things]!r})\n"
            return Misfit((keep,) if len(broken) == len(said.meaning.deeds) else (keep + said.meaning.program,))
    return None


def _breaks(step: Step, forbidden: Forbidden, said: Said, at: Circumstances) -> bool:
    skill = at.world.skills.get(step.skill)
    if skill is None or not touched_by(skill, step.arguments, at.world.relations) & {*forbidden.things}:
        return False
    words = words_of(f"{skill.signature.name.replace('_', ' ')} {skill.signature.says}")
    return not forbidden.verb or stem(forbidden.verb) in {stem(word) for word in words}


def _orders_something(parts: Iterable[str], lexicon: Lexicon) -> bool:
    """Whether a part of a request that forbids nothing begins with the verb of a skill."""
    verbs = {
        stem(word)
        for each in lexicon.skills.values()
        for text in (each.says, each.name.replace("_", " "))
        for word in words_of(text)[:1]
    }
    for part in parts:
        words = [word for word in answer_words(part) if word not in WORDS["courtesy"] | _LEADING]
        forbids = _FORBIDS_ALL.search(part) or _FORBIDS_ONE.search(part) or _NEEDLESS.search(part)
        if words and stem(words[0]) in verbs and not forbids:
            return True
    return False
