"""Descriptions in a program, resolved by code: the writer says how a person spoke of a thing, and does not choose.

    give(the("juice"))            one thing, and it must be clear which; otherwise the robot asks
    give(any_of("mug"))           one of them, whichever
    wash(all_of("fruit"))         all of them
    take(the_other(keys))         the one that the person did not mention last
    open(it()), open(them())      what the person mentioned last

A description is made of the person's own words, of a list (`the([c for c in cups if full(c)])`), or of both
(`the("juice", [t for t in things if cold(t)])`). Words name things by their names and kinds, by what is true of them,
or by what the model knows: `Circumstances.known` holds what it said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from thinkaloud.errors import Missing, WhichOne, no_such_thing
from thinkaloud.language.name_matching import bare_name, things_in
from thinkaloud.language.words import plural, singular
from thinkaloud.program.evaluate import TooFew
from thinkaloud.program.lexicon import THINGS, Lexicon, one_of
from thinkaloud.program.parsing import read_program
from thinkaloud.program.switches import switchable
from thinkaloud.program.tree import Describe, Expression, Text, Things, walk
from thinkaloud.records import Meaning, Refused
from thinkaloud.skills.signatures import Parameter
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.naming import Names, asked_as
from thinkaloud.worlds.people import people_in

_MOST_OFFERED = 6
"""Things that are offered where nobody knows what words name."""
_MOST_BACK = 3
"""Requests that `it()` and `them()` look back."""


def described_words(program: str, lexicon: Lexicon) -> list[str]:
    """The words of all descriptions in a program."""
    read = read_program(program, lexicon)
    described = [] if read is None else [each.words for each in read.nodes if isinstance(each, Describe)]
    return list(dict.fromkeys(filter(None, described)))


def find_unknown(program: str, at: Circumstances) -> list[str]:
    """The words in a program that the model should explain: all but full names and the robot's own kinds.

    A part of one name is among them: who has only a `wheat beer` by that name may have a stout, too.
    """
    names = Names(at.scene, {*at.lexicon.lists})
    words = described_words(program, at.lexicon)
    unknown = [each for each in words if not (_by_name(each, at) or names.of_kind(each))]
    return list(dict.fromkeys([*unknown, *_parts_of_names(program, names, at.lexicon)]))


def _parts_of_names(program: str, names: Names, lexicon: Lexicon) -> Iterator[str]:
    """The texts that stand for one thing, and are only a part of its name."""
    for parameter, node in _places(program, lexicon):
        if isinstance(node, Text) and parameter.kind is not None and not names.of_kind(node.value):
            with suppress(Missing, WhichOne):
                found = names.find(node.value, lexicon.named.get(lexicon.list_of(parameter) or THINGS, ()))
                yield from [node.value] if bare_name(node.value) != found.lower() else []


def _places(program: str, lexicon: Lexicon) -> Iterator[tuple[Parameter, Expression]]:
    """What stands in the places of calls, with the parameters."""
    read = read_program(program, lexicon)
    for call in read.calls() if read is not None else ():
        signature = lexicon.functions.get(call.name)
        yield from () if signature is None else zip(signature.parameters, call.given, strict=False)


@switchable(())
def find_narrow(program: str, meaning: Meaning, at: Circumstances) -> Sequence[str]:
    """The words of lists by which a program finds nothing, or nothing that was seen, though more may be of that sort.

    `[s for s in sodas if item_at(s, "table")]` misses the coke: the robot lists as sodas what has the word in its name.
    """
    read, seen = read_program(program, at.lexicon), {*at.scene.objects, *at.scene.hidden}
    missing = isinstance(meaning.content, Refused) and meaning.content.kind == "no such thing"
    if read is None or not (missing or (meaning.meant and not seen & {*meaning.meant})):
        return []
    return [one_of(each.name) for each in read.nodes if isinstance(each, Things) and each.name in at.lexicon.by_noun]


def find_options(program: str, words: str, at: Circumstances) -> tuple[str, ...]:
    """The things that words may mean: what the places take where they stand in a program, or everything."""
    lexicon, taken = at.lexicon, list[str]()
    for parameter, node in _places(program, lexicon):
        if any(words == (each.words if isinstance(each, Describe) else each.value) for each in _worded(node)):
            taken += lexicon.named.get(lexicon.list_of(parameter) or THINGS, ())
    return tuple(each for each in lexicon.things if each in {*taken}) or tuple(lexicon.things)


def _worded(node: Expression) -> list[Describe | Text]:
    return [each for each in walk(node) if isinstance(each, Describe | Text)]


def mentioned_in(meaning: Meaning, lexicon: Lexicon) -> tuple[str, ...]:
    """The things that a request was about, in order: what it named, what is done with them, what was answered."""
    program = read_program(meaning.program, lexicon)
    named = [] if program is None else program.texts()
    used = (str(value) for step in meaning.deeds for value in step.arguments.values())
    told = things_in(" ".join(meaning.said), lexicon.things) if meaning.said else ()
    return tuple(dict.fromkeys(each for each in (*named, *used, *told) if each in lexicon.things))


class Referents:
    """Finds the things that a description means, among those that its parameter takes."""

    def __init__(self, at: Circumstances, names: Names) -> None:
        self._at, self._names = at, names

    def find(
        self, described: Describe, among: Sequence[list[str]], parameter: Parameter | None, here: Sequence[str]
    ) -> str | list[str]:
        """What a description means; `here` are the names in the same program before it, `among` are its lists."""
        options = self._options(parameter)
        spoken = (here, *self._at.mentioned[:_MOST_BACK])
        groups = [fit for group in spoken if (fit := _among(dict.fromkeys(group), options))]
        match described.form:
            case "it":
                return self._one(groups[0] if groups else list(options), "", parameter)
            case "them":
                return _all_of_them(groups) or self._one(list(options), "", parameter)
        things = self._things(described, among, options, _noun_of(parameter))
        match described.form:
            case "all_of":
                return things
            case "any_of":
                last = self._at.passed_over | {*self._at.lexicon.kept}
                free = sorted(things, key=lambda each: (each in last, each not in self._at.scene.objects))
                if described.count > len(free):
                    raise TooFew(free, described.count)
                return free[0] if described.count == 1 else free[: described.count]
            case "the_other":
                latest = next((fit for group in groups if (fit := _among(group, things))), [])
                others = [each for each in things if each not in latest]
                if not others and len(latest) == 1:
                    raise no_such_thing(f"other {described.words or _noun_of(parameter)}")
                things = others or things
        return self._one(things, described.words, parameter)

    def _one(self, things: Sequence[str], words: str, parameter: Parameter | None) -> str:
        if len(things) == 1:
            return things[0]
        raise WhichOne(words or _noun_of(parameter), things)

    def _options(self, parameter: Parameter | None) -> Sequence[str]:
        """What a parameter takes; without one, what the robot's skills are done with first."""
        lexicon = self._at.lexicon
        if parameter is not None:
            return lexicon.named.get(lexicon.list_of(parameter) or THINGS, ()) or lexicon.things
        first = [each.parameters[0] for each in lexicon.skills.values() if each.parameters]
        handled = [thing for each in first for thing in lexicon.named.get(lexicon.list_of(each) or "", ())]
        return tuple(dict.fromkeys(handled)) or lexicon.things

    def _things(self, described: Describe, among: Sequence[list[str]], options: Sequence[str], noun: str) -> list[str]:
        words, found = described.words, [*self._at.lexicon.things]
        for each in among:
            found = _among(each, found)
        if words:
            found = [thing for thing in self._named(words, options) if not among or thing in found]
        fitting = _among(found, options) or ([] if words and not self._is_named(words) else found)
        if not fitting:
            if described.form == "the" and self._at.offers and (offered := self.find_offered(words, options)):
                raise WhichOne(words or noun, offered)
            raise self._names.missing(words, options) if words else no_such_thing(f"such {noun}")
        return list(dict.fromkeys(fitting))

    @switchable(())
    def find_offered(self, words: str, options: Sequence[str]) -> Sequence[str]:
        """What a person is asked about who spoke of one thing, where nothing fits: who says "the" means one that is.

        That is what the words name, whatever else was said of it; or all that the place takes, if nobody knows them.
        People are known: a word that nothing links to them means something else.
        """
        named = self._named(words, options) if words else []
        known = [self._at.known[each] for each in _forms_of(words) if each in self._at.known]
        unknown = not words or (bool(known) and not any(known))
        people = people_in(self._at.world, self._at.scene.vocabulary) if words else ()
        found = _among(named, options) or ([each for each in options if each not in people] if unknown else [])
        return found if 1 < len(found) <= _MOST_OFFERED else ()

    def _is_named(self, words: str) -> bool:
        """Whether words are a full name, or a kind: that it is of another kind than what is taken can be said."""
        return bool(_by_name(words, self._at) or self._names.of_kind(words))

    def _named(self, words: str, options: Sequence[str]) -> list[str]:
        """The things that words may name: by full name, by kind; or by parts of names and by what the model said."""
        at, names = self._at, self._names
        if found := _by_name(words, at) or names.of_kind(words):
            return list(found)
        known = next((at.known[each] for each in _forms_of(words) if each in at.known), ())
        return list(dict.fromkeys([*names.by_parts(words, options), *_among(known, at.lexicon.things)]))


def _noun_of(parameter: Parameter | None) -> str:
    return "one" if parameter is None else asked_as(parameter)


def _all_of_them(groups: Sequence[list[str]]) -> list[str]:
    """What was spoken of last: several things, if need be from several requests."""
    them: list[str] = []
    for group in groups:
        them = [*group, *them] if len(them) < 2 else them
    return list(dict.fromkeys(them))


def _by_name(words: str, at: Circumstances) -> list[str]:
    return [each for each in at.lexicon.things if each.lower() == words.lower()]


def _forms_of(words: str) -> tuple[str, ...]:
    """A word as it was said, and as one or several: `toys` for `toy`."""
    small = words.lower()
    return small, singular(small), plural(small)


def _among(things: Iterable[str], options: Iterable[str]) -> list[str]:
    allowed = {*options}
    return [each for each in things if each in allowed]
