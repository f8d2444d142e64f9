"""People among the things of a world: the kinds that its builder declares with `people`."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.errors import SkillError
from thinkaloud.records import Arguments
from thinkaloud.skills import Skill
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.worlds.contract import Peopled, World, find_ability


class TreatedAsThing(SkillError):
    """Something is to be done to a person that is done to things."""


PERSON = "person"
"""Stands for everybody, where no kind has this name."""


def kinds_of_people(world: World) -> Sequence[str]:
    """The kinds that are people."""
    peopled = find_ability(world, Peopled)
    return () if peopled is None else peopled.people


def people_in(world: World, vocabulary: Vocabulary) -> frozenset[str]:
    """Everybody who is here."""
    return frozenset(name for kind in kinds_of_people(world) for name in vocabulary.get(kind, ()))


def people_among(world: World, kind: str, vocabulary: Vocabulary) -> frozenset[str]:
    """Everybody who is not meant where things of a kind are: "all things" are no people, "all residents" are."""
    takes = [p.kind for skill in world.skills.values() for p in skill.signature.parameters[1:]]
    return frozenset() if kind in (*kinds_of_people(world), *takes) else people_in(world, vocabulary)


def find_misused(world: World, skill: Skill, arguments: Arguments, vocabulary: Vocabulary) -> str:
    """Why a call must not be made: it does to a person what is done to things; empty if it does not.

    What a skill is done to is its first argument. A person fits there only if its kind is one of people.
    """
    first = next(iter(skill.signature.parameters), None)
    who = None if first is None else arguments.get(first.name)
    if first is None or first.kind in kinds_of_people(world) or who not in people_in(world, vocabulary):
        return ""
    return f"{who} is a person, and I do not do this to people: {skill.step(arguments).words}"
