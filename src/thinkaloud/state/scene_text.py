"""A scene in words: what there is and its state, in one line; and what is in the hand."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.records import Observation, WorldState
from thinkaloud.state.edits import HELD


def held_things(state: WorldState | None) -> list[str]:
    """Return what is in the hand."""
    relations = state.relations if state is not None else ()
    return [str(next(iter(each.arguments.values()))) for each in relations if each.relation == HELD]


def render_scene(scene: Observation) -> str:
    """Describe the scene in one line: what there is, and its state; shared properties are said once."""
    state = scene.state or WorldState()
    alike: dict[str, list[str]] = {}
    spoken_of: set[str] = set()
    for relation in state.relations:
        thing = str(next(iter(relation.arguments.values()), ""))
        said = relation.words.rstrip(".")
        about = thing and said.lower().startswith(thing.lower())
        alike.setdefault(said[len(thing) :] if about else said, []).extend([thing] if about else [])
        spoken_of |= {thing} if about else set()
    for thing, words in state.attributes.items():
        for word in (word for word, value in words.items() if value is True):
            alike.setdefault(f" is {word}", []).append(thing)
    others = [name for name in scene.objects if name not in spoken_of]
    told = [f"{_together(things)}{said}" for said, things in alike.items()]
    there = [f"there is {_together(others)}"] if others else []
    return ". ".join([*there, *told, *state.facts]) or "nothing is seen"


def _together(things: Sequence[str]) -> str:
    """Return names in a row; numbered ones share the name: `plate 1, 2, 3`."""
    groups: dict[tuple[str, bool], list[str]] = {}
    for thing in things:
        name, _, number = thing.rpartition(" ")
        numbered = bool(name) and number.isdigit()
        groups.setdefault((name if numbered else thing, numbered), []).extend([number] if numbered else [])
    return ", ".join(f"{name} {', '.join(numbers)}".strip() for (name, _), numbers in groups.items())
