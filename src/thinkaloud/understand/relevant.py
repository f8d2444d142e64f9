"""What a request may be about, in a world with too many things to show: by names, by kinds, and by what belongs to it.

What is not shown can still be named: programs are run against everything that there is, and of every other noun one
thing is shown all the same (see `lexicon_of`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from thinkaloud.language.name_matching import head_noun, things_in, without_number
from thinkaloud.language.words import stem, stems, words_of
from thinkaloud.records import Observation
from thinkaloud.skills.signatures import Signature
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.full_world import is_opposite

FEW = 60
"""In a world with no more things than this, all are shown."""
_MOST = 50
_SMALL = 12
"""A kind of no more things than this is shown where it is spoken of."""
_RARE = 4
"""A relation that is so of no more things than this says how the robot stands: what it holds, where it is."""


def find_relevant(world: World, scene: Observation, said: Sequence[str]) -> list[str] | None:
    """The things to show for what was said, the likeliest first; None where there are few enough to show all."""
    everything = list(dict.fromkeys([*scene.known, *(n for names in scene.vocabulary.values() for n in names)]))
    if len(everything) <= FEW:
        return None
    found: dict[str, None] = {}
    for text in reversed(said):
        found |= dict.fromkeys(_named(text, everything))
    beside = _beside(scene, [*found])
    spoken = " ".join(said)
    more = [*beside, *_at_hand(scene), *_of_kinds(world, scene, spoken), *_loosely(spoken, everything)]
    found |= dict.fromkeys(_in_view_first(more[: 4 * _MOST], scene) if len(more) > _MOST else more)
    return list(found)[:_MOST]


def _named(text: str, things: Sequence[str]) -> list[str]:
    """What is named, by its name or its noun."""
    named = things_in(text, things)
    words = {stem(word) for word in words_of(text)}
    nouns = [thing for thing in things if stem(head_noun(thing).lower()) in words and thing not in named]
    return [*named, *nouns]


def _loosely(text: str, things: Sequence[str]) -> list[str]:
    """What shares a word with what was said."""
    words = stems(text)
    return [thing for thing in things if stems(without_number(thing)) & words]


def _of_kinds(world: World, scene: Observation, text: str) -> Iterable[str]:
    """The things of kinds that are spoken of, by the kind's name or by what is done to them: `something to read`."""
    words = {stem(word) for word in words_of(text)}
    kinds = [kind for kind in scene.vocabulary if words & {stem(word) for word in words_of(kind)}]
    for signature in _signatures(world):
        if stem(signature.name.partition("_")[0]) in words:
            kinds += [p.kind for p in signature.parameters if p.kind is not None]
    kinds += [kind for kind, names in scene.vocabulary.items() if len(names) <= _SMALL // 2]
    for kind in sorted(dict.fromkeys(kinds), key=lambda each: len(scene.vocabulary.get(each, ()))):
        names = scene.vocabulary.get(kind, ())
        yield from names if len(names) <= _SMALL else ()


def _signatures(world: World) -> Iterable[Signature]:
    yield from (skill.signature for skill in world.skills.values())
    yield from (relation.signature for name, relation in world.relations.items() if not is_opposite(name))


def _beside(scene: Observation, things: Sequence[str]) -> Iterable[str]:
    """What these things are in, on or at, as far as that is known."""
    about = {*things}
    for condition in () if scene.state is None else scene.state.relations:
        values = [value for value in condition.arguments.values() if isinstance(value, str)]
        if about & {*values}:
            yield from values


def _at_hand(scene: Observation) -> Iterable[str]:
    """What the robot holds, wears or sits on: what is so of a few things only."""
    by_relation: dict[str, list[str]] = {}
    for condition in () if scene.state is None else scene.state.relations:
        names = [value for value in condition.arguments.values() if isinstance(value, str)]
        by_relation.setdefault(condition.relation, []).extend(names[:1])
    for names in by_relation.values():
        if len(names) <= _RARE:
            yield from names


def _in_view_first(things: Iterable[str], scene: Observation) -> list[str]:
    in_view = {*scene.objects}
    return sorted(dict.fromkeys(things), key=lambda thing: thing not in in_view)
