"""Describe the state of things in short sentences: from a state, or else from what the world confirms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thinkaloud.language.name_matching import restrict_vocabulary
from thinkaloud.records import Observation
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import tell

_MOST_FACTS = 12
"""How many sentences at most."""


def facts_about(things: Sequence[str], world: World, scene: Observation) -> list[str]:
    """Describe the visible state of things in short sentences, including which ones have nothing on them."""
    about, state = {*things}, scene.state
    if state is None:
        found = list(_held_against(things, world, scene))
    else:
        found = [r.words for r in state.relations if r.arguments and {str(v) for v in r.arguments.values()} <= about]
        for thing in things:
            is_so = (word for word, value in state.attributes.get(thing, {}).items() if value is True)
            found += [f"The {thing} is {word}." for word in is_so]
    return found[:_MOST_FACTS]


def _held_against(things: Sequence[str], world: World, scene: Observation) -> Iterator[str]:
    """If there is no written state: ask the world which relations hold between two of the things."""
    vocabulary = restrict_vocabulary(scene.vocabulary, things)
    for relation in world.relations.values():
        calls = relation.signature.calls(vocabulary) if len(relation.signature.parameters) == 2 else []
        told = [(call, tell(world, relation.condition(call))) for call in calls]
        so = [call for call, is_so in told if is_so]
        yield from (relation.condition(call).words for call in so)
        first, second = (p.name for p in relation.signature.parameters) if calls else ("", "")
        movable = {call[first] for call in calls}
        bare = {str(call[second]): None for call in calls if call[second] not in movable}
        taken = {call[second] for call, is_so in told if is_so is not False}
        yield from (f"Nothing is on the {thing}." for thing in bare if thing not in taken and taken & bare.keys())
