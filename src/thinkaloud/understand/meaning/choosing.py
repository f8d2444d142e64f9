"""`A soda`, `any of the windows`: which one is left to the robot, so it chooses one and does not ask.

What is in view comes before what was seen elsewhere, and that before what may be anywhere; what is so already of one
(`open a window`, and the left one is open) is done with another. Nothing is chosen where words would be lost by that:
of `a soda from the table`, read without the table, the question which one is still the better answer.

Things of a kind may be numbered (`light`, `light 2`): then the noun names all of them, and not the first. `Turn off the
light` is not about one that is off while another is on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.language.name_matching import without_number
from thinkaloud.language.words import LEFT_OPEN, NUMBERS, ORDINALS, plural, spaced_words, stems, words_of
from thinkaloud.records import Observation, Value
from thinkaloud.skills import Skill
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.naming import Names, WhichOne, ask_by_sentence
from thinkaloud.understand.meaning.wishes import holds, promises_of
from thinkaloud.understand.program import Program
from thinkaloud.understand.switches import switchable
from thinkaloud.understand.tree import If, Loop
from thinkaloud.worlds.contract import World

_OF = frozenset({"of"})
_TELLING = frozenset(
    {"the", "this", "that", "these", "those", "my", "your", "our", "his", "her", "their", "each", "every"}
)
"""What tells that a noun is about one that is known, or about all."""
_COUNTING = frozenset((*ORDINALS, *NUMBERS[1:], "last", "next", "other", "another"))
"""With these, one of several is told by a word."""
_MOST_BETWEEN = 3
"""Words between `a` and its noun: `a nice cold soda`."""


@switchable(lambda *_: False)
def leaves_open(noun: str, request: str) -> bool:
    """Whether all that is said of a noun leaves open which one: `a soda`, `any cold soda`, `one of the sodas`."""
    spoken, wanted = words_of(request), words_of(noun)
    if not wanted:
        return False
    several = [*wanted[:-1], plural(wanted[-1])]
    ends = [(at, form == wanted) for form in (wanted, several) for at in _ends_of(form, spoken)]
    return bool(ends) and all(_is_open(spoken[: at - len(wanted)], one=one) for at, one in dict(ends).items())


def _ends_of(form: Sequence[str], spoken: Sequence[str]) -> list[int]:
    length = len(form)
    return [at for at in range(length, len(spoken) + 1) if [*spoken[at - length : at]] == [*form]]


def _is_open(before: Sequence[str], *, one: bool) -> bool:
    """Whether what stands before a noun leaves it open: of one, `a`; of several, `one of the`."""
    behind = [*reversed(before)][: _MOST_BETWEEN + 1]
    for at, word in enumerate(behind):
        if word in LEFT_OPEN:
            return one and not _OF & {*behind[:at]}
        if word in _OF:
            return at + 1 < len(behind) and behind[at + 1] in LEFT_OPEN
    return False


def names_all(program: str, request: str, lexicon: Lexicon) -> bool:
    """Whether everything that was named in a request is in the program."""
    spoken, written = spaced_words(request), spaced_words(program)
    return all(spaced_words(each) in written for each in lexicon.things if spaced_words(each) in spoken)


def is_choice(thing: str, program: str, request: str) -> bool:
    """Whether it was left to the robot that this thing is meant: no word of its name was said, or only its noun was.

    By the program: there the noun still stands, of which code took one; or the model itself has taken one of many.
    """
    if f'{thing}"' not in program and f"{thing}'" not in program:
        return True
    spoken = {*words_of(request)}
    return not stems(thing) & stems(request) and bool(spoken & (LEFT_OPEN | {"something", "anything"}))


def in_order(things: Collection[str], scene: Observation) -> list[str]:
    """The things as they are chosen from: those in view, those that were seen before, all others."""
    known = {name: place for place, name in reversed([*enumerate((*scene.objects, *scene.hidden))])}
    return sorted(things, key=lambda each: known.get(each, len(known)))


@switchable(lambda *_: False)
def is_bare(noun: str, request: str) -> bool:
    """Whether nothing tells which of a noun is meant: `turn off light`."""
    spoken, wanted = words_of(request), words_of(noun)
    ends = _ends_of(wanted, spoken) if wanted else []
    before = [spoken[max(0, at - len(wanted) - 1) : at - len(wanted)] for at in ends]
    return bool(ends) and not any({*words} & _TELLING for words in before)


def _kind_of(skill: Skill, name: str) -> str:
    return next((p.kind or "" for p in skill.signature.parameters if p.name == name), "")


class Choice:
    """Settles what a request leaves open, as things are: the same noun is the same thing throughout a program."""

    def __init__(
        self, names: Names, world: World, scene: Observation, lexicon: Lexicon, request: str, program: Program
    ) -> None:
        self._names, self._world, self._scene, self._lexicon = names, world, scene, lexicon
        self._request, self._text, self._texts = request, program.text, program.texts()
        nodes = [*program.nodes]
        self._conditional = any(isinstance(each, If) or (isinstance(each, Loop) and each.conditions) for each in nodes)
        self._chosen: dict[str, str] = {}

    def check(
        self, skill: Skill, given: Mapping[str, Any], kept: Collection[str], listed: Collection[str] = ()
    ) -> dict[str, Value]:
        """The arguments of a call, as `Names.check` has them; WhichOne only where it is not left open which one.

        Those `listed` stand beside others of their kind, and are meant themselves.
        """
        settled = {name: self._chosen.get(str(value), value) for name, value in given.items()}
        try:
            found = self._names.check(skill.signature, settled)
        except WhichOne as which:
            named = [name for name, value in settled.items() if words_of(str(value)) == words_of(which.name)]
            if len(named) != 1 or not self._is_open(which.name):
                raise self._asked(which, skill, settled, named) from None
            thing = self._choose(skill, settled, named[0], [each for each in which.things if each not in kept])
            if thing is None:
                raise
            self._chosen[str(settled[named[0]])] = thing
            return self.check(skill, settled, kept, listed)
        for name in (each for each in settled if each not in listed):
            if (other := self._other_one(skill, found, settled, name, kept)) is not None:
                self._chosen[str(settled[name])] = found[name] = other
        return found

    def _other_one(
        self, skill: Skill, found: Mapping[str, Value], given: Mapping[str, Any], name: str, kept: Collection[str]
    ) -> str | None:
        """Another thing of the same noun with another number, where this one is as it should be, or out of sight.

        WhichOne where it is as it should be, and several others are not. None for a thing that was meant itself.
        """
        thing, noun = str(found[name]), without_number(str(found[name]))
        alike = [each for each in self._scene.vocabulary.get(_kind_of(skill, name), ()) if without_number(each) == noun]
        if len(alike) < 2 or thing in self._chosen.values() or not self._means_any(thing, alike):
            return None
        free = [each for each in in_order(alike, self._scene) if each not in kept and each != thing]
        calls = {each: self._fitting(skill, {**found, name: each}) for each in free}
        open_ = [each for each, call in calls.items() if call is not None and not self._is_done(skill, call)]
        seen = [each for each in open_ if each in self._scene.objects]
        any_will_do = leaves_open(noun, self._request) or is_bare(noun, self._request)
        if not self._is_done(skill, found):
            out_of_sight = thing not in self._scene.objects and any_will_do and str(given[name]) == noun
            return seen[0] if seen and out_of_sight else None
        if self._texts.count(str(given[name])) > 1 or not open_:
            return None
        if len(seen) == 1 or len(open_) == 1 or any_will_do:
            return (seen or open_)[0]
        raise WhichOne(noun, open_)

    def _means_any(self, thing: str, alike: Sequence[str]) -> bool:
        """Whether a name in the program stands for its noun: it was said, without a number, and none other is named."""
        spoken = spaced_words(self._request)
        named = [each for each in alike if each != without_number(each) and spaced_words(each) in spoken]
        others = [each for each in alike if each != thing and each in self._texts]
        told = self._conditional or {*words_of(self._request)} & _COUNTING or not self._names_all()
        return spaced_words(without_number(thing)) in spoken and not (named or others or told)

    def _names_all(self) -> bool:
        return names_all(self._text, self._request, self._lexicon)

    def _asked(self, which: WhichOne, skill: Skill, given: Mapping[str, Any], named: Sequence[str]) -> WhichOne:
        """The same question; for what nobody spoke of, in the words of the skill, where all else is known."""
        others = {name: value for name, value in given.items() if name not in named}
        known = {*self._scene.objects, *self._scene.hidden, *(v for vs in self._scene.vocabulary.values() for v in vs)}
        known |= {choice for p in skill.signature.parameters for choice in p.choices or ()}
        plain = all(value in known or not isinstance(value, str) for value in others.values())
        said = not self._request or bool(stems(which.name) & stems(self._request))
        if len(named) != 1 or not plain or said:
            return which
        question = ask_by_sentence(skill.signature, others, named[0], which.name)
        return WhichOne(which.name, which.things, question or "")

    def _is_open(self, noun: str) -> bool:
        return leaves_open(noun, self._request) and self._names_all()

    def _choose(self, skill: Skill, given: Mapping[str, Any], name: str, things: Sequence[str]) -> str | None:
        """The first that fits, rather one of which what is wanted is not so already."""
        calls = {thing: self._fitting(skill, {**given, name: thing}) for thing in in_order(things, self._scene)}
        fitting = {thing: call for thing, call in calls.items() if call is not None}
        return next(
            (thing for thing, call in fitting.items() if not self._is_done(skill, call)), next(iter(fitting), None)
        )

    def _fitting(self, skill: Skill, given: Mapping[str, Any]) -> Mapping[str, Any] | None:
        try:
            return self._names.check(skill.signature, given)
        except WhichOne:
            return given  # what else is left open is settled after this
        except (SkillError, Unparseable):
            return None

    def _is_done(self, skill: Skill, given: Mapping[str, Any]) -> bool:
        """Whether all that a call would bring about is so."""
        promised = promises_of(skill, given, self._world)
        return bool(promised) and all(holds(self._world, each) for each in promised)
