"""What a request may be about, in a world with too many things to show: by names, by kinds, and by what belongs to it.

What is not shown can still be named: programs are run against everything that there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from thinkaloud.names import head_noun, things_in, without_number
from thinkaloud.records import Observation
from thinkaloud.words import stems
from thinkaloud.worlds.contract import World

FEW = 60
"""In a world with no more things than this, all are shown."""
_MOST = 80


def find_relevant(world: World, scene: Observation, said: Sequence[str]) -> list[str] | None:
    """The things to show for what was said, the last of it first; None where there are few enough to show all."""
    everything = list(
        dict.fromkeys([*scene.objects, *scene.hidden, *(n for names in scene.vocabulary.values() for n in names)])
    )
    if len(everything) <= FEW:
        return None
    text = " ".join(said)
    named = things_in(text, everything)
    words = stems(text)
    loosely = [thing for thing in everything if stems(without_number(thing)) & words]
    kinds = [kind for kind in scene.vocabulary if stems(kind) & words]
    of_kind = [thing for kind in kinds for thing in scene.vocabulary[kind]]
    found = dict.fromkeys([*named, *loosely])
    found |= dict.fromkeys(_beside(scene, [*found]))
    rest = [*of_kind, *scene.objects, *_one_of_each(everything)]
    found |= dict.fromkeys(rest[: 4 * _MOST])
    return list(found)[:_MOST]


def _beside(scene: Observation, things: Sequence[str]) -> Iterable[str]:
    """What these things are in, on or at, as far as that is known."""
    about = {*things}
    for condition in () if scene.state is None else scene.state.relations:
        values = [value for value in condition.arguments.values() if isinstance(value, str)]
        if about & {*values}:
            yield from values


def _one_of_each(things: Iterable[str]) -> Iterable[str]:
    """One thing for every noun, so that every kind of thing can be thought of."""
    nouns: dict[str, str] = {}
    for thing in things:
        nouns.setdefault(head_noun(thing), thing)
    return nouns.values()
