"""The lexicon: all that can be spoken of with this robot, as it is now. Prompts, grammars and programs read it.

Kinds are lists of names. They come from the kinds of the robot's parameters (`cup`: `cups`) and from the nouns that
names share (`left window`, `right window`: `windows`), so that "all the windows" can be said of any robot.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, count

from thinkaloud.language.calls import BUILTINS, render_call
from thinkaloud.language.name_matching import head_noun
from thinkaloud.language.words import plural, singular
from thinkaloud.records import Observation, WorldState
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.worlds.contract import Believing, Measured, World, briefing_of, find_ability
from thinkaloud.worlds.full_world import is_opposite

THINGS = "things"
"""The list of everything."""
_IN_IE = re.compile(r"\b(?:[a-z]|brown|calor|cook|gen|hood|magp|mov|pink|prair|rook|ser|smooth|spec|zomb)ies$")
"""What has an `ie` before its `s`, or no singular: pies, cookies and series, in place of parties."""
_MOST_ASKED = 400
"""Values that are looked up one by one for a prompt."""


@dataclass(frozen=True)
class Lexicon:
    """What there is to speak of: lists of things, what the robot does, what it can tell, and what is so just now."""

    about: str = ""
    rules: str = ""
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The lists by the names that programs have for them; `things` holds everything."""
    skills: Mapping[str, Signature] = field(default_factory=dict)
    relations: Mapping[str, Signature] = field(default_factory=dict)
    measures: Mapping[str, Signature] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    """What a model has to know to find its words: values that are words, `colour("ball") == 'red'`."""
    notes: tuple[str, ...] = ()
    """What people told, in their words, and no relation or measure answers for."""
    kept: tuple[str, ...] = ()
    """What must not be touched, until somebody says otherwise."""
    lists: Mapping[str, str] = field(default_factory=dict)
    """For each kind of a parameter, the list that holds its things."""
    own_names: Mapping[str, str] = field(default_factory=dict)
    """What the robot itself calls a function that has another name in programs."""
    partial: frozenset[str] = frozenset()
    """The lists of which not all is shown: there is more of it here."""
    guidelines: tuple[str, ...] = ()
    """How tasks are done here, a line for each, as somebody wrote it down."""

    @property
    def things(self) -> tuple[str, ...]:
        """The names of everything."""
        return self.kinds.get(THINGS, ())

    @cached_property
    def named(self) -> Mapping[str, tuple[str, ...]]:
        """All lists that a program may name: also those of parameters of which nothing is here, or nothing is shown."""
        return {**dict.fromkeys(self.lists.values(), ()), **self.kinds}

    @cached_property
    def all_names(self) -> frozenset[str]:
        """The names of everything, with what is only in the lists of kinds."""
        return frozenset({*self.things, *(thing for things in self.named.values() for thing in things)})

    @cached_property
    def nouns(self) -> frozenset[str]:
        """What the robot calls its kinds, of one thing and of several."""
        lists = {spaced(each) for each in self.lists.values()}
        return frozenset(noun for each in lists for noun in (each, one_of(each)))

    @cached_property
    def functions(self) -> Mapping[str, Signature]:
        """All that can be called: skills, relations and measures."""
        return {**self.skills, **self.relations, **self.measures}

    @cached_property
    def kind_tests(self) -> Mapping[str, tuple[str, ...]]:
        """What asks whether something is of a kind, with the things of that kind: `cup(x)` where there are cups."""
        return {one_of(name).replace(" ", "_"): things for name, things in self.named.items()}

    @cached_property
    def by_noun(self) -> frozenset[str]:
        """The lists that are only told by the last word of names: what else is of that sort is not in them."""
        return frozenset({*self.kinds} - {*self.lists.values(), THINGS})

    @cached_property
    def kind_of(self) -> Mapping[str, str]:
        """The robot's own name for the kind of which a list is, where it is the list of a kind."""
        return {name: kind for kind, name in reversed([*self.lists.items()])}

    def noun_of(self, several: str) -> str:
        """What one thing of a list is called, `towel rail`: by the robot's word where a program spells it otherwise."""
        kind = self.kind_of.get(several, "")
        return kind if kind and identifier(kind) != kind.lower().replace(" ", "_") else one_of(several)

    def list_of(self, parameter: Parameter) -> str | None:
        """The list that a parameter takes its things from."""
        return None if parameter.kind is None else self.lists.get(parameter.kind)


def lexicon_of(
    world: World,
    scene: Observation,
    *,
    notes: Iterable[str] = (),
    kept: Iterable[str] = (),
    about: Iterable[str] | None = None,
    guidelines: Iterable[str] = (),
) -> Lexicon:
    """The lexicon of a world as it is seen; where `about` is given, only of these things, the first ones first.

    All else stays sayable; of every other noun, `things` then holds one, so that it can be thought of.
    """
    briefing = briefing_of(world)
    measured = find_ability(world, Measured)
    shown = None if about is None else [*about]
    skills = _spelled({name: skill.signature for name, skill in world.skills.items()}, (THINGS,), "do")
    relations = _spelled(
        {name: each.signature for name, each in world.relations.items() if not is_opposite(name)}, skills, "is"
    )
    read = {} if measured is None else {name: each.signature for name, each in measured.measures.items()}
    measures = _spelled(read, [*skills, *relations], "the")
    everything, lists = _kinds(world, scene, [*skills, *relations, *measures, *BUILTINS])
    kinds = everything if shown is None else _shown(everything, shown)
    own = {**_own_names(world.skills, skills), **_own_names(world.relations, relations), **_own_names(read, measures)}
    names = {given: called for called, given in own.items()}
    return Lexicon(
        about=briefing.about,
        rules=briefing.rules,
        guidelines=tuple(guidelines),
        kinds=kinds,
        skills=skills,
        relations=relations,
        measures=measures,
        facts=tuple(_worded_values(world, scene, shown, names)),
        notes=tuple(notes_to_show(world, scene, notes)),
        kept=tuple(kept),
        lists=lists,
        own_names=own,
        partial=frozenset(name for name, members in kinds.items() if len(members) < len(everything[name])),
    )


def notes_to_show(world: World, scene: Observation, notes: Iterable[str]) -> list[str]:
    """What people told, without what the world takes in itself: then its relations and measures go by that."""
    believing = find_ability(world, Believing)
    if believing is None:
        return [*notes]
    nothing = WorldState(scene.state.objects) if scene.state is not None else WorldState()
    return [note for note in notes if believing.take_in(nothing, note) == nothing]


def _spelled(signatures: Mapping[str, Signature], taken: Collection[str], prefix: str) -> dict[str, Signature]:
    """Functions by the names that programs have for them: Python's own, and those of others, are not theirs to take."""
    found: dict[str, Signature] = {}
    for name, signature in signatures.items():
        plain = identifier(name)
        called = _free(f"{prefix}_{plain}" if plain in taken or plain in BUILTINS else plain, found)
        found[called] = replace(signature, name=called)
    return found


def _own_names(world: Iterable[str], spelled: Iterable[str]) -> dict[str, str]:
    own = (name for name in world if not is_opposite(name))
    return {called: name for name, called in zip(own, spelled, strict=True) if called != name}


def identifier(text: str) -> str:
    """A name that a program can spell for a word or two: `towel rails` becomes `towel_rails`.

    Latin letters lose their marks (`Tür` becomes `tur`); letters of other scripts stay as they are.
    """
    spelled = "".join(map(_letter, unicodedata.normalize("NFKC", text.lower())))
    found = unicodedata.normalize("NFKC", re.sub(" +", "_", spelled).strip("_")) or "list"
    found = found if found.isidentifier() else f"list_{found}"
    return f"{found}_" if keyword.iskeyword(found) else found


def _letter(letter: str) -> str:
    """What stands for a letter in a name: itself without marks if it is Latin, a space for what cannot stand there."""
    if not letter.isascii() and unicodedata.name(letter, "").startswith("LATIN"):
        parts = unicodedata.normalize("NFKD", letter.casefold())
        letter = "".join(each for each in parts if not unicodedata.combining(each))
    return letter if f"a{letter}".isidentifier() else " "


def _free(name: str, taken: Collection[str]) -> str:
    """A name, with a number where another has it already."""
    return next(each for each in chain([name], (f"{name}_{n}" for n in count(2))) if each not in taken)


def _kinds(
    world: World, scene: Observation, taken: Collection[str]
) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """The lists of things, and which of them each kind of a parameter is."""
    used = dict.fromkeys(p.kind for each in _signatures(world) for p in each.parameters if p.kind is not None)
    vocabulary = {kind: tuple(scene.vocabulary.get(kind, ())) for kind in used}
    vocabulary |= _further_kinds(scene, vocabulary)
    everything = dict.fromkeys([*scene.known, *(n for names in vocabulary.values() for n in names)])
    lists: dict[str, str] = {}
    kinds: dict[str, tuple[str, ...]] = {}
    for kind, names in sorted(vocabulary.items(), key=lambda each: len(each[0].split())):
        same = next((name for name, listed in kinds.items() if set(names) <= set(listed)), None)
        if " " in kind and same is not None:  # `block in view` beside `block`: what is out of view is spoken of, too
            lists[kind] = same
            continue
        name = identifier(plural(kind))
        lists[kind] = _free(name if name not in taken else f"all_{name}", kinds)
        kinds[lists[kind]] = names
    nouns: dict[str, list[str]] = {}
    there = {*scene.known}
    for thing in sorted(everything, key=lambda each: each not in there):  # `plate 1`, before `plate`: any of that kind
        if (noun := head_noun(thing).lower()) != thing or not there & {*nouns.get(noun, ())}:
            nouns.setdefault(noun, []).append(thing)
    for noun, members in nouns.items():
        name = identifier(plural(noun))
        if len(members) > 1 and name not in kinds and name not in taken:
            kinds[name] = tuple(members)
    kinds[THINGS] = tuple(everything)
    return {name: members for name, members in kinds.items() if members}, lists


def _further_kinds(scene: Observation, used: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Kinds that nothing is done with as such, but that can be spoken of: `dog` and `cat`, where animals are fed."""
    known = {name for names in used.values() for name in names}
    return {
        kind: tuple(names)
        for kind, names in scene.vocabulary.items()
        if kind not in used and " " not in kind and len(names) > 1 and {*names} <= known
    }


def _shown(kinds: Mapping[str, tuple[str, ...]], shown: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The lists with only what is shown; and of every noun besides, one thing."""
    found = {name: tuple(each for each in members if each in shown) for name, members in kinds.items()}
    nouns = {head_noun(each).lower() for each in shown}
    others: dict[str, str] = {}
    for each in kinds[THINGS]:
        if (noun := head_noun(each).lower()) not in nouns:
            others.setdefault(noun, each)
    found[THINGS] += tuple(others.values())
    return {name: members for name, members in found.items() if members}


def _signatures(world: World) -> Iterable[Signature]:
    yield from (skill.signature for skill in world.skills.values())
    yield from (each.signature for each in world.relations.values())


def _worded_values(
    world: World, scene: Observation, shown: Collection[str] | None, names: Mapping[str, str]
) -> Iterator[str]:
    """What measures tell in words, as calls: `colour("ball") == 'red'`. Numbers and relations are for code to read."""
    measured = find_ability(world, Measured)
    for name, measure in () if measured is None else measured.measures.items():
        if len(measure.signature.parameters) != 1:
            continue
        for call in measure.signature.calls(scene.vocabulary, most=_MOST_ASKED):
            if shown is None or all(value in shown for value in call.values()):
                try:
                    value = measure.read(**call)
                except Exception:  # a robot builder's own code: what it cannot tell is not known
                    continue
                if isinstance(value, str):
                    yield f"{render_call(names.get(name, name), call.values())} == {value!r}"


def own_words(lexicon: Lexicon) -> Iterator[str]:
    """All texts that a robot is described with: names of things, kinds and functions, sentences, choices."""
    yield from (lexicon.about, *lexicon.named, *lexicon.things, *lexicon.lists, *lexicon.guidelines)
    for signature in lexicon.functions.values():
        yield from (signature.name, signature.says, signature.about)
        yield from (choice for parameter in signature.parameters for choice in parameter.choices or ())


def spaced(several: str) -> str:
    """The name of a list as people say it: `towel rails`."""
    return several.replace("_", " ")


def one_of(several: str) -> str:
    """What one thing of a list is called: `towel rail`."""
    text = spaced(several)
    if re.search(r"[^aeiou]ies$", text) and not _IN_IE.search(text):
        return f"{text[:-3]}y"
    return singular(text)
