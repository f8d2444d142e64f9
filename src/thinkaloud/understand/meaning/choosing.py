"""`A soda`, `any of the windows`: which one is left to the robot, so it chooses one and does not ask.

What is in view comes before what was seen elsewhere, and that before what may be anywhere; what is so already of one
(`open a window`, and the left one is open) is done with another. Nothing is chosen where words would be lost by that:
of `a soda from the table`, read without the table, the question which one is still the better answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.records import Observation, Value
from thinkaloud.skills import Skill
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.naming import Names, WhichOne
from thinkaloud.understand.meaning.wishes import holds, promises_of
from thinkaloud.words import LEFT_OPEN, plural, spaced_words, stems, words_of
from thinkaloud.worlds.contract import World

_OF = frozenset({"of"})
_MOST_BETWEEN = 3
"""Words between `a` and its noun: `a nice cold soda`."""


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


class Choice:
    """Settles what a request leaves open, as things are: the same noun is the same thing throughout a program."""

    def __init__(
        self, names: Names, world: World, scene: Observation, lexicon: Lexicon, request: str, program: str
    ) -> None:
        self._names, self._world, self._scene, self._lexicon = names, world, scene, lexicon
        self._request, self._program = request, program
        self._chosen: dict[str, str] = {}

    def check(self, skill: Skill, given: Mapping[str, Any], kept: Collection[str]) -> dict[str, Value]:
        """The arguments of a call, as `Names.check` has them; WhichOne only where it is not left open which one."""
        settled = {name: self._chosen.get(str(value), value) for name, value in given.items()}
        try:
            return self._names.check(skill.signature, settled)
        except WhichOne as which:
            named = [name for name, value in settled.items() if words_of(str(value)) == words_of(which.name)]
            if len(named) != 1 or not self._is_open(which.name):
                raise
            thing = self._choose(skill, settled, named[0], [each for each in which.things if each not in kept])
            if thing is None:
                raise
            self._chosen[str(settled[named[0]])] = thing
            return self.check(skill, settled, kept)

    def _is_open(self, noun: str) -> bool:
        return leaves_open(noun, self._request) and names_all(self._program, self._request, self._lexicon)

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
