"""What a robot can do, for somebody who has never seen it: its skills, what can be checked, what is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from thinkaloud.robots.example_requests import example_requests
from thinkaloud.skills.signatures import Signature
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Measured, briefing_of, find_ability

_MOST_EXAMPLES = 6


@dataclass(frozen=True, slots=True)
class Ability:
    """A skill, a relation or a measure: how it is said, and how it is called. `asks`: a person must agree each time."""

    name: str
    says: str
    call: str
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a robot can do; `things` are the names in view by kind, `examples` are requests in its own sentences."""

    robot: str
    about: str
    skills: tuple[Ability, ...]
    relations: tuple[Ability, ...]
    measures: tuple[Ability, ...]
    things: Mapping[str, tuple[str, ...]]
    examples: tuple[str, ...]


def find_abilities(world: World) -> Abilities:
    """What the robot of a world can do, as things are."""
    measured = find_ability(world, Measured)
    return Abilities(
        robot=world.name,
        about=briefing_of(world).about,
        skills=tuple(_ability(each.signature, asks=bool(each.approval)) for each in world.skills.values()),
        relations=_abilities(each.signature for each in world.relations.values()),
        measures=_abilities(each.signature for each in (measured.measures.values() if measured else ())),
        things={kind: tuple(names) for kind, names in world.observe().vocabulary.items()},
        examples=tuple(example_requests(world, _MOST_EXAMPLES)),
    )


def _abilities(signatures: Iterable[Signature]) -> tuple[Ability, ...]:
    return tuple(_ability(each) for each in signatures)


def _ability(signature: Signature, *, asks: bool = False) -> Ability:
    return Ability(signature.name, signature.says, signature.text(), asks)
