"""Lines of `never` that a robot near people may lack, found by what its skills declare and by no words.

What decides whether somebody may be handed something, or is shut in, is in the builder's own relations. So nothing is
forbidden by itself: `thinkaloud check` names what no line speaks of, with a line to begin from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from thinkaloud.language.words import in_a_row
from thinkaloud.skills.definitions import Relation
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.worlds.contract import Guarded, World, find_ability
from thinkaloud.worlds.people import kinds_of_people

Changed = tuple[str, str]
"""A skill, and a relation that it brings about or ends."""


def suggest_never(world: World, vocabulary: Vocabulary, changed: Iterable[Changed]) -> Iterator[str]:
    """What skills do to people, or to where people are, that no line of `never` speaks of."""
    guarded, people = find_ability(world, Guarded), frozenset(kinds_of_people(world))
    said = {name for text in (() if guarded is None else guarded.never) for name in re.findall(r"(\w+)\s*\(", text)}
    pairs = dict.fromkeys(changed)
    by_skills = {name: [skill for skill, each in pairs if each == name] for _, name in pairs}
    between = {name: each for name, each in world.relations.items() if _is_between(each, people)}
    given = [name for name in between if name in by_skills]
    for name in given:
        permits = [
            other for other, each in between.items() if other not in by_skills and _is_alike(each, between[name])
        ]
        if name not in said and permits:
            lines = [f'"{_spell(between[name])} and not {_spell(between[other])}"' for other in permits]
            yield (
                f"{_skills(by_skills[name])} {name} so for people, and no line of `never` says for whom it must not "
                f"be. If {in_a_row(permits, 'or')} decides that, add: never = [{', '.join(lines)}]."
            )
    places = [between[name] for name in given if between[name].is_single]
    states = [name for name in by_skills if name not in said and _is_of_a_thing(world.relations[name], people)]
    if places and states:
        shown = in_a_row([f"{name} ({in_a_row(by_skills[name])})" for name in states])
        line = f"{_spell(world.relations[states[0]])} and {_spell(places[0], vocabulary, people)}"
        yield (
            f"No line of `never` names these, which skills change near people: {shown}. If one of them can shut "
            f'somebody in or out, or hurt somebody, say where nobody may be then, such as never = ["{line}"].'
        )


def _skills(names: list[str]) -> str:
    return f"{in_a_row(names)} {'makes' if len(names) == 1 else 'make'}"


def _is_between(relation: Relation, people: frozenset[str]) -> bool:
    """Whether it is about a person and a thing: who has what, who is where, who may take what."""
    kinds = [p.kind for p in relation.signature.parameters]
    return len(kinds) == 2 and None not in kinds and sum(kind in people for kind in kinds) == 1


def _is_of_a_thing(relation: Relation, people: frozenset[str]) -> bool:
    kinds = [p.kind for p in relation.signature.parameters]
    return len(kinds) == 1 and kinds[0] is not None and kinds[0] not in people


def _is_alike(one: Relation, other: Relation) -> bool:
    return {p.kind for p in one.signature.parameters} == {p.kind for p in other.signature.parameters}


def _spell(relation: Relation, vocabulary: Vocabulary | None = None, people: frozenset[str] = frozenset()) -> str:
    """`inside(resident, room)`; with a vocabulary, the first thing of what is no person: `inside(resident, garden)`."""
    kinds = [p.kind or p.name for p in relation.signature.parameters]
    things = [
        kind if vocabulary is None or kind in people else next(iter(vocabulary.get(kind, ())), kind) for kind in kinds
    ]
    return f"{relation.signature.name}({', '.join(things)})"
