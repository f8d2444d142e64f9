"""Stand-ins for tables and halls: the real skills and relations, and a state that is a few facts; nothing moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from thinkaloud.clock import Clock, ManualClock
from thinkaloud.records import Condition, Observation, WorldState
from thinkaloud.skills import Relation, Skill
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.around_world import Around
from thinkaloud_worlds.tabletop.layout import PLACES
from thinkaloud_worlds.warehouse import Warehouse


def _skills(world: type[Any]) -> dict[str, Skill]:
    found = (getattr(world, name) for name in dir(world) if hasattr(getattr(world, name), "__skill__"))
    return {each.__skill__.name: each.__skill__ for each in found}


def _relations(world: type[Any]) -> dict[str, Relation]:
    found = (getattr(world, name) for name in dir(world) if hasattr(getattr(world, name), "__relation__"))
    return {each.__relation__.signature.name: each.__relation__ for each in found}


@dataclass
class Stand:
    """A world that can be asked what is so, and not be acted in. `facts` are sentences of its relations."""

    name: str
    skills: Mapping[str, Skill]
    relations: Mapping[str, Relation]
    scene: Observation
    facts: set[str] = field(default_factory=set)
    clock: Clock = field(default_factory=ManualClock)

    def observe(self) -> Observation:
        """What can be perceived now."""
        return self.scene

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is one of the facts."""
        return condition.words in self.facts

    def reset(self, seed: int) -> None:
        """There is one episode only."""

    def snapshot(self) -> bytes:
        """There is nothing to keep."""
        return b""

    def restore(self, snapshot: bytes) -> None:
        """There is nothing to restore."""


_TABLE = _skills(Tabletop), _relations(Tabletop)
_HALL = _skills(Warehouse), _relations(Warehouse)
_AROUND = _skills(Around), _relations(Around)


def table(blocks: Sequence[str], bowls: Sequence[str], lying: Mapping[str, str], order: Sequence[str]) -> Stand:
    """A table with blocks that lie on or in others; nobody writes a state down. `order`: how things are listed."""
    seen = tuple(name for name in order if name in blocks or name in bowls)
    things = (*blocks, *bowls)
    vocabulary = {
        "object": tuple(blocks),
        "target": (*things, *PLACES),
        "object in view": tuple(blocks),
        "target in view": (*things, *PLACES),
    }
    skills, relations = _TABLE
    facts = {relations["on"].condition({"object": block, "target": on}).words for block, on in lying.items()}
    for block, below in lying.items():  # what lies on a block in a bowl is in the bowl, too
        if below in lying:
            facts.add(relations["on"].condition({"object": block, "target": lying[below]}).words)
    return Stand("tabletop", skills, relations, Observation(seen, vocabulary), facts)


def hall(landmarks: Sequence[str], met: Sequence[str] = (), at: str = "", visited: Sequence[str] = ()) -> Stand:
    """A hall with landmarks, and what was met on the way."""
    skills, relations = _HALL
    told = [relations["at"].condition({"landmark": at})] if at else []
    told += [relations["visited"].condition({"landmark": name}) for name in visited]
    names = (*landmarks, *met)
    scene = Observation(names, {"landmark": tuple(landmarks)}, state=WorldState(names, tuple(told)))
    return Stand("warehouse", skills, relations, scene, {each.words for each in told})


def around(things: Sequence[str], held: str = "", located: Sequence[str] = ()) -> Stand:
    """Boxes and cylinders, one of which may be in the hand; of some it is known where they are."""
    skills, relations = _AROUND
    told = [relations["held"].condition({"thing": held})] if held else []
    told += [relations["located"].condition({"thing": name}) for name in located if name != held]
    empty = set() if held else {relations["hand_empty"].condition({}).words}
    scene = Observation(
        tuple(things),
        {"thing": tuple(things), "thing in view": tuple(things)},
        state=WorldState(tuple(things), tuple(told)),
    )
    return Stand("around", skills, relations, scene, {each.words for each in told} | empty)
