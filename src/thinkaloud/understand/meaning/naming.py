"""Which thing a name in a program stands for. What is not here is said to be missing, by its name; never the nearest.

A noun that several things share (`window`) is the question which of them is meant. So is what a call lacks:
`feed("left hive")`, of a skill `feed(hive, food)`, is `feed("left hive", "food")`: "Which food do you mean?"
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from thinkaloud.errors import Missing, SkillError, Unfit, Unparseable, WhichOne, no_such_thing
from thinkaloud.language.name_matching import bare_name, find_named, find_nearest, head_noun
from thinkaloud.language.numbers import is_number
from thinkaloud.language.words import IDLE, is_slip, plural, stems
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import Program
from thinkaloud.program.tree import Call, Do, Expression, Text, Things
from thinkaloud.program.units import HowMuch, ask_for_possible, ask_in_full
from thinkaloud.records import Observation, Value
from thinkaloud.saying.telling import joined, tell_choices
from thinkaloud.skills.signatures import OutOfRange, Parameter, Signature

_MARK = re.compile(r"\w*\d\w*|[A-Za-z]|[IVX]{2,4}")


def asked_as(parameter: Parameter) -> str:
    """The noun by which what a parameter takes is asked for: its name, or its kind where the name means nothing."""
    name = parameter.name.replace("_", " ")
    return parameter.kind if parameter.kind is not None and {*name.split()} <= IDLE | {"what"} else name


_MOST_SIMILAR = 4
"""More names than this, in which a word stands, tell nobody what they could have said."""


class Names:
    """The names of a scene; with `kinds`, of what else there are names for only what is of these kinds.

    What a robot has a word for, without anything taking it, is not here: nobody is offered it. `known` has what a part
    of a name may mean besides.
    """

    def __init__(
        self,
        scene: Observation,
        kinds: Collection[str] | None = None,
        known: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        self._vocabulary, self._known = scene.vocabulary, known
        self._here = scene.known
        taken = [names for kind, names in scene.vocabulary.items() if kinds is None or kind in kinds]
        self._all = tuple(dict.fromkeys((*self._here, *itertools.chain(*taken))))

    def find(self, name: Any, first: Sequence[str] = ()) -> str:
        """The thing that is called so, among some `first` and then among all; Missing or WhichOne where none is."""
        text = str(name).strip()
        named = find_named(text, first) or find_named(text, self._here)
        if named is not None:
            return named
        known = find_named(text, self._all)
        if known is not None and not _by_noun(text, first):  # a word for any plate, where plates 1 and 2 are meant
            return known
        meant = (
            self._by_kind(text) or _by_noun(text, first) or _by_noun(text, self._all) or _by_beginning(text, self._all)
        )
        more = (each for each in self._known.get(text.lower(), ()) if each in first)
        meant = list(dict.fromkeys((*meant, *more))) if meant else []
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise WhichOne(_plain(text) if text.islower() else text, meant)
        raise self.missing(text, first)

    def missing(self, text: str, first: Sequence[str] = ()) -> Missing | WhichOne:
        """That nothing here is called so, with what may have been meant; of several that fit, the question which."""
        near = self._similar(text)
        if len(near) > 1 and {*near} <= {*first}:
            return WhichOne(text, near)
        return no_such_thing(text, f" There is: {joined(near)}." if near else "")

    def _similar(self, text: str) -> list[str]:
        """What may have been meant by a name that nothing here has: a slip, or a few names in which its words stand."""
        near = find_nearest(text, self._all)
        if near and _is_misspelt(text.lower(), near.lower()):
            return [near]
        words = stems(text)
        within = [each for each in self._all if words and words <= stems(each)]
        return within if len(within) <= _MOST_SIMILAR else []

    def of_kind(self, text: str) -> Sequence[str]:
        """All things of the kind that is called so, by the name of the kind or of its list."""
        return self._by_kind(text) or self._by_kind(text.replace("_", " "))

    def by_parts(self, text: str, first: Sequence[str] = ()) -> list[str]:
        """The things in whose names these words stand."""
        found = (*_by_noun(text, first), *_by_noun(text, self._all), *_by_beginning(text, self._all))
        return list(dict.fromkeys(found))

    def _by_kind(self, text: str) -> Sequence[str]:
        """All things of the kind that is called so: `the ambulance` may be any of them, whatever they are called."""
        wanted = _plain(text)
        kinds = ((kind.lower(), things) for kind, things in self._vocabulary.items())
        known = (things for kind, things in kinds if wanted in (kind, plural(kind)))
        return [thing for thing in next(known, ()) if thing in self._all]

    def check(self, signature: Signature, given: Mapping[str, Any], verb: str = "do") -> dict[str, Value]:
        """The arguments of a call, all of them things of their kinds; Unparseable for what else is wrong with them.

        `verb` is what is done with them, where they cannot be: `do` or `tell`.
        """
        found = dict(given)
        for p in signature.parameters:
            if p.kind is not None and p.name in found:
                found[p.name] = self._of_kind(p, found, signature, verb)
        same = [found[name] for name in signature.distinct if name in found]
        if len(same) != len({*map(str, same)}):
            raise Unfit(f"I cannot do that with the {same[0]} itself: {signature.render(found)}")
        for p in signature.parameters:
            value = found.get(p.name)
            if p.type in (int, float) and p.choices is None and isinstance(value, str) and not is_number(value):
                raise HowMuch(ask_in_full(p, signature.says, given))
            if p.choices is not None and isinstance(value, str) and find_named(value, p.choices) is None:
                if value == asked_as(p):
                    raise WhichOne(value, p.choices)
                raise Missing(tell_choices(signature, p, found, verb))
        try:
            return signature.check(found, self._vocabulary)
        except OutOfRange as error:
            raise ask_for_possible(error, found, signature) from error
        except SkillError as error:
            raise Unparseable(str(error)) from error

    def find_sensible(self, signature: Signature, given: Mapping[str, Any]) -> dict[str, Value] | None:
        """The arguments of a relation; Unfit for a thing that it cannot be asked of, None where nothing of a kind is
        here or an argument is no possible value: then it does not hold.
        """
        found = dict(given)
        for p in signature.parameters:
            if p.kind is not None and p.name in found:
                options = self._vocabulary.get(p.kind, ())
                found[p.name] = self.find(found[p.name], options)
                if found[p.name] not in options:
                    if not options:
                        return None
                    found[p.name] = self._of_kind(p, found, signature, "tell")
        try:
            return signature.check(found, self._vocabulary)
        except SkillError:
            return None

    def _of_kind(self, parameter: Parameter, given: Mapping[str, Any], signature: Signature, verb: str) -> str:
        name = given[parameter.name]
        if name is None:
            raise Unparseable(f"nothing was given as the {parameter.name} of {signature.name}.")
        options = tuple(self._vocabulary.get(parameter.kind or "", ()))
        if name == asked_as(parameter) and len(options) > 1 and find_named(name, options) is None:
            raise WhichOne(name, options)
        thing = self.find(name, options)
        if thing not in options:
            others = {p.name: p.default if p.default is not None else f"({p.name})" for p in signature.parameters}
            here = joined(options) or "nothing that is here"
            how = "tell that of" if verb == "tell" else "do that with"
            said = signature.render({**others, **given, parameter.name: "…"}).rstrip(".")
            raise Unfit(f'I cannot {how} the {thing}. "{said}" goes with: {here}.', name, parameter.name)
        return thing


def _by_noun(text: str, things: Sequence[str]) -> list[str]:
    """The things that a noun, or a name of which something was left out, may stand for: `window` for `left window`.

    A number or a letter that was said is part of the name: `bay 9` is none of the bays 1 to 4.
    """
    wanted, marks = stems(text), _marks(text)
    if not wanted:
        return []
    return [
        each
        for each in things
        if wanted - marks <= stems(each) and marks <= _marks(each) and stems(_noun(each)) - _marks(each) <= wanted
    ]


def _by_beginning(text: str, things: Sequence[str]) -> list[str]:
    """The things whose names begin so, if there are several: `poodle` for `poodle Fifi` and `poodle Coco`."""
    begin = f"{_plain(text)} "
    found = [each for each in things if each.lower().startswith(begin)]
    return found if len(found) > 1 else []


def _plain(text: str) -> str:
    return bare_name(text.strip("\"' ")).lower()


def _marks(text: str) -> set[str]:
    """What tells things apart that are called the same: numbers, and letters that stand alone."""
    return {each.lower() for each in re.findall(r"[^\W_]+", text) if _MARK.fullmatch(each) and each != "a"}


def _noun(name: str) -> str:
    """The noun of a name: `dryer` of `left dryer A`, `bay` of `bay 4`."""
    parts = name.split()
    while len(parts) > 1 and _MARK.fullmatch(parts[-1]):
        parts.pop()
    return head_noun(" ".join(parts))


# What is missing ------------------------------------------------------------------------------------------------------


Given = dict[str, Expression]


def with_missing(program: Program) -> Program:
    """A program in which every deed has all that it needs, if only by the name of what is missing."""

    def fill(node: Any) -> Any:
        known = isinstance(node, Do) and node.call.role == "skill"
        return Do(_filled(node.call, program.lexicon), line=node.line) if known else node

    return program.changed(fill)


def _filled(call: Call, lexicon: Lexicon) -> Call:
    """A call with what it lacks."""
    order = {p.name: p for p in lexicon.skills[call.name].parameters}
    given = call.arguments(lexicon.skills[call.name])
    given = _without_number(given, order, lexicon)
    missing = [p for p in order.values() if p.name not in given and p.default is None]
    chosen = all(p.kind is not None or p.choices is not None or p.type in (int, float) for p in missing)
    if not missing or not chosen or len(call.given) > len(order) or not given.keys() <= order.keys():
        return call
    needed = {name for name, p in order.items() if name in given or p.default is None}
    whole = {name: given.get(name, Text(asked_as(p))) for name, p in order.items() if name in needed}
    placed = [*itertools.takewhile(needed.__contains__, order)]
    named = tuple((name, value) for name, value in whole.items() if name not in placed)
    return Call(call.name, call.role, tuple(whole[name] for name in placed), named)


def _without_number(given: Given, order: Mapping[str, Parameter], lexicon: Lexicon) -> Given:
    """The arguments one place further, where the number was left out before them: `add("sugar", "pot")`."""
    numbers = [name for name, p in order.items() if p.type in (int, float) and p.choices is None and p.default is None]
    left_out = [name for name in numbers if name in given and _is_thing(given[name], lexicon)]
    others = [name for name in order if name not in left_out]
    if not left_out or len(given) != len(order) - len(left_out) or [*given] != [*order][: len(given)]:
        return given
    return dict(zip(others, given.values(), strict=True))


def _is_thing(value: Expression, lexicon: Lexicon) -> bool:
    return isinstance(value, Things) or (isinstance(value, Text) and value.value in lexicon.things)


def _is_misspelt(text: str, name: str) -> bool:
    """Whether a name was meant; by the words that differ, since a brown bowl is no misspelling of a brown block."""
    words, others = text.split(), name.split()
    if len(words) != len(others):
        return is_slip(text, name)
    return all(word == other or is_slip(word, other) for word, other in zip(words, others, strict=True))
