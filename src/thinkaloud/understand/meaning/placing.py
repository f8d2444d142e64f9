"""Where things are said to be: `the drink on the counter`, `whatever is in the top drawer`.

A relation of place is one that declares what has to be so for the robot to see what is there (`sight`). What is said to
be at such a place is looked for in the words, since small models leave the place out (`bring("drink")`), and in the
program, where the relation is asked (`inside(x, "top drawer")`).
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thinkaloud.language.name_matching import find_named, head_noun
from thinkaloud.language.words import plural, spaced_words
from thinkaloud.records import Condition, Observation
from thinkaloud.skills import Relation
from thinkaloud.understand.checking.fitting import WORDS, edited, parsed, text_of
from thinkaloud.understand.checking.telling_clauses import split_told
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.meaning.wishes import holds
from thinkaloud.understand.switches import switchable
from thinkaloud.worlds.contract import World

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?|[^\w\s]")
_MOST_BEFORE = 4
"""Words between `the` and the noun that it belongs to."""


@dataclass(frozen=True)
class Place:
    """A place of which it can be told what is there, and how: by which relation, of which of its parameters."""

    name: str
    relation: Relation
    thing: str
    place: str

    @property
    def kind(self) -> str:
        """The kind of the things that may be there."""
        return next(p.kind or "" for p in self.relation.signature.parameters if p.name == self.thing)

    def facts(self, world: World) -> tuple[Condition, ...]:
        """What has to be so for the robot to see what is there."""
        try:
            found = self.relation.sight(**{self.place: self.name}) if self.relation.sight is not None else ()
        except Exception:  # a robot builder's own code
            return ()
        return tuple(world.relations[name].condition(given) for name, given in found if name in world.relations)

    def things(self, world: World, scene: Observation) -> list[str]:
        """What is there, as far as the robot knows."""
        known = scene.vocabulary.get(self.kind, ())
        return [
            each for each in known if holds(world, self.relation.condition({self.thing: each, self.place: self.name}))
        ]

    def tell(self, what: str) -> str:
        """That something is there, without a full stop."""
        return self.relation.signature.render({self.thing: what, self.place: self.name}).rstrip(".")


def places_of(world: World, scene: Observation) -> list[Place]:
    """All places that have to be looked at to know what is there."""
    found: list[Place] = []
    for relation in world.relations.values():
        taken = [] if relation.sight is None else [*inspect.signature(relation.sight).parameters]
        kinds = {p.name: p.kind for p in relation.signature.parameters}
        others = [name for name, kind in kinds.items() if name not in taken and kind is not None]
        if len(taken) == 1 and len(others) == 1 and len(kinds) == 2:
            names = scene.vocabulary.get(kinds[taken[0]] or "", ())
            found += [Place(name, relation, others[0], taken[0]) for name in names]
    return found


@switchable()
def with_fitting_places(program: str, places: Sequence[Place], lexicon: Lexicon) -> str:
    """A program in which what is said of a place is asked of it: a counter has nothing inside, but there lies
    something. Another relation is asked only where the one that is written makes no sense of such a place, or is none
    of the robot's but a plain word for where things are (`on`)."""
    spelled = {own: name for name, own in lexicon.own_names.items()}
    known = {spelled.get(each.relation.signature.name, each.relation.signature.name) for each in places}
    known |= WORDS["locating"] - {*lexicon.relations, *lexicon.skills}

    def change(node: ast.AST) -> ast.AST:
        match node:
            case ast.Call(ast.Name(name) as called, [_, ast.Constant(str() as text)]) if name in known:
                fits = [each for each in places if find_named(text, (each.name,)) is not None]
                names = [spelled.get(each.relation.signature.name, each.relation.signature.name) for each in fits]
                if len(names) == 1 and names != [name]:
                    called.id = names[0]
        return node

    changed = edited(program, change) if parsed(program) is not None else program
    return program if changed == edited(program, lambda node: node) else changed


def find_asked(program: str, places: Sequence[Place], scene: Observation, lexicon: Lexicon) -> Iterator[Place]:
    """The places of which a program asks what is there; not where it asks that only of a thing that was seen."""
    tree = parsed(program)
    known = (*scene.objects, *scene.hidden)
    for node in ast.walk(tree) if tree is not None else ():
        match node:
            case ast.Call(ast.Name(name), [thing, ast.Constant(str() as text)]):
                own = lexicon.own_names.get(name, name)
                if (subject := text_of(thing)) is not None and find_named(subject, known) is not None:
                    continue
                yield from (
                    each
                    for each in places
                    if each.relation.signature.name == own and find_named(text, (each.name,)) is not None
                )


@dataclass(frozen=True)
class Located:
    """Something that is said to be at a place: the words for it, and the request without those for the place."""

    place: Place
    noun: str
    rest: str


def find_located(request: str, program: str, places: Sequence[Place], lexicon: Lexicon) -> Located | None:
    """What a request tells apart by where it is; not where the place is where something is brought to."""
    tokens = [(found[0].lower().replace("’", "'"), found.span()) for found in _TOKEN.finditer(request)]
    words = [word for word, _ in tokens]
    given = _given_to_skills(program, lexicon)
    told = spaced_words(split_told(request)[0])
    for place in places:
        for first, last in _spoken(place, places, words):
            begin = first
            while begin > 0 and words[begin - 1] in WORDS["linking"]:
                begin -= 1
            link = {*words[begin:first]}
            noun = _noun_before(words, begin, spaced_words(" ".join(given)))
            if not link & WORDS["locating"] or noun is None or spaced_words(" ".join(words[begin - 1 : last])) in told:
                continue
            if place.name in given and not link & WORDS["origin"]:
                continue
            cut = tokens[begin - 1][1][1]
            before = request[: tokens[begin - 1][1][0]] + "everything" if noun in WORDS["asked_of"] else request[:cut]
            rest = before + request[tokens[last - 1][1][1] :]
            return Located(place, noun, rest)
    return None


def _spoken(place: Place, places: Sequence[Place], words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where a place is named: by its name, or by its noun where no other has that."""
    names = [place.name.lower().split()]
    noun = head_noun(place.name).lower()
    if sum(noun in each.name.lower().split() for each in places) == 1:
        names.append([noun])
    for name in names:
        for at in range(len(words) - len(name) + 1):
            if [*words[at : at + len(name)]] == name:
                yield at, at + len(name)


def _noun_before(words: Sequence[str], end: int, given: str) -> str | None:
    """The noun that ends there, if one does: `the cold drink`, `something`; `chips`, where skills are given that."""
    if end < 1 or not words[end - 1].isalnum() or words[end - 1] in WORDS["no_noun"]:
        return None
    if words[end - 1] in WORDS["open"] | WORDS["everything"]:
        return words[end - 1]
    for at in range(end - 2, max(-1, end - 2 - _MOST_BEFORE), -1):
        if words[at] in WORDS["determining"]:
            return " ".join(words[at + 1 : end])
        if not words[at].replace("'", "").isalnum() or words[at] in WORDS["no_noun"]:
            break
    return words[end - 1] if f" {words[end - 1]} " in given else None


def _given_to_skills(program: str, lexicon: Lexicon) -> set[str]:
    """The texts that skills are given as they stand."""
    tree = parsed(program)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree is not None else []
    return {
        text
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in lexicon.skills
        for value in (*call.args, *(each.value for each in call.keywords))
        if (text := text_of(value)) is not None
    }


def is_several(noun: str) -> bool:
    """Whether a noun speaks of several things: `sodas`."""
    return noun in WORDS["everything"] or plural(noun) == noun
