"""Things that are named by what is so of them: "the empty bowl" is the bowl that is empty, if none is called so."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.language.name_matching import bare_name, head_noun
from thinkaloud.language.words import plural, singular
from thinkaloud.records import Observation
from thinkaloud.understand.switches import switchable
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.effects import holds
from thinkaloud.worlds.full_world import is_opposite


@switchable(lambda *_: ())
def find_by_quality(text: str, world: World, scene: Observation) -> Sequence[str]:
    """The things of a kind of which a relation holds, by the words for both: `empty bowl`; else nothing."""
    quality, _, noun = bare_name(text).lower().partition(" ")
    relation = world.relations.get(quality)
    if not noun or relation is None or is_opposite(quality) or len(relation.signature.parameters) != 1:
        return ()
    (parameter,) = relation.signature.parameters
    known = scene.vocabulary.get(parameter.kind or "", ())
    kind = {*next((names for name, names in scene.vocabulary.items() if noun in (name, plural(name))), ())}
    alike = [thing for thing in known if thing in kind or head_noun(thing).lower() in (noun, singular(noun))]
    return [thing for thing in alike if holds(world, relation.condition({parameter.name: thing}))]
