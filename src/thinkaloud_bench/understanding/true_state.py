"""What is really so in a world, as far as it can be told: the facts that hold, and where things are.

Of two such states, one from before a request and one from after it, can be told what was touched.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from thinkaloud.errors import ThinkaloudError
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills import Relation, condition_holds
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Extendable, find_ability
from thinkaloud.worlds.geometry import Xyz
from thinkaloud_bench.understanding.facts import Fact, condition_of, read_fact
from thinkaloud_worlds.franka import Franka
from thinkaloud_worlds.kitchen import Kitchen
from thinkaloud_worlds.kitchen.catalogue import LOCATIONS
from thinkaloud_worlds.kitchen.true_state import GONE, HAND, KitchenRoom
from thinkaloud_worlds.tabletop.table_world import TableWorld

MOVED = 0.04
"""Metres: what was moved by less may have been nudged in passing."""
_MOST = 60_000  # combinations of things that are asked about, of one relation
_ABOUT_THE_ROBOT = frozenset(
    {"close_to", "facing", "in_room", "lying_on", "sitting_on", "standing", "located"}
    | {"hand_empty", "hand_holds", "hand_holds_cup"}
)
_TOLD_BY_OTHERS = frozenset(
    {"is_closed", "idle", "closed", "plugged_out", "switched_off", "has", "cup_at"}
    | {"held_prepared", "some_loaded", "all_ready", "all_returned"}
)
"""Relations that only say again what others say of the thing itself."""
_ROUTE = {"warehouse": frozenset({"at"})}


@dataclass(frozen=True)
class TrueState:
    """The facts that hold, and the positions of things where there are any."""

    facts: frozenset[Fact] = frozenset()
    positions: Mapping[str, Xyz] = field(default_factory=dict)


def relations_in(world: World) -> Mapping[str, Relation]:
    """The relations of a world, with those that it has for whoever asks for more."""
    extendable = find_ability(world, Extendable)
    return world.relations if extendable is None else {**extendable.extended().relations, **world.relations}


def is_true(world: World, fact: Fact) -> bool:
    """Whether a fact is so."""
    relations = relations_in(world)
    return condition_holds(condition_of(fact, relations), relations) is fact.true


def take_state(world: World) -> TrueState:
    """What is so just now."""
    if isinstance(world, TextFileWorld):
        return TrueState(frozenset(map(read_fact, world.facts())))
    if isinstance(world, Kitchen):
        return TrueState(frozenset(_in_kitchen(world.room)))
    return TrueState(frozenset(_holding(world)), _positions(world))


def _in_kitchen(room: KitchenRoom) -> Iterator[Fact]:
    """Where every item really is, and what is open: what the robot has only now come to see was not touched."""
    yield from (Fact("opened", (drawer,)) for drawer in room.open)
    for item, where in room.places.items():
        if where == HAND:
            yield Fact("holding", (item,))
        elif where != GONE:
            yield Fact("item_at" if where in LOCATIONS else "inside", (item, where))


def _holding(world: World) -> Iterator[Fact]:
    """The facts about the world (not about where the robot is) that hold, one relation after another."""
    vocabulary = world.observe().vocabulary
    passed_over = _ABOUT_THE_ROBOT | _TOLD_BY_OTHERS | _ROUTE.get(world.name, frozenset())
    physical = isinstance(world, TableWorld | Franka)
    for name, relation in world.relations.items():
        parameters = relation.signature.parameters
        kinds = [vocabulary.get(p.kind or "", ()) for p in parameters]
        unlisted = any(p.kind is None for p in parameters) or (physical and len(parameters) > 1)
        if name in passed_over or unlisted or math.prod(map(len, kinds)) > _MOST:
            continue
        names = [p.name for p in parameters]
        for things in itertools.product(*kinds):
            try:
                held = relation.holds(**dict(zip(names, things, strict=True)))
            except ThinkaloudError:  # these two cannot be in it
                continue
            if held:
                yield Fact(name, things)


def _positions(world: World) -> dict[str, Xyz]:
    if not isinstance(world, TableWorld | Franka):
        return {}
    found = {}
    for thing in world.scene.objects:
        x, y, z = world.position(thing.name)
        found[thing.name] = (float(x), float(y), float(z))
    return found


def differences(before: TrueState, after: TrueState) -> set[Fact]:
    """What is different, as facts: those that became true, and with `not` those that are so no longer."""
    gone = {Fact(fact.relation, fact.things, False) for fact in before.facts - after.facts}
    return gone | (after.facts - before.facts)


def touched_between(before: TrueState, after: TrueState) -> set[str]:
    """The things that were moved, or of which something else is true; of a fact about two things, the first.

    Where a fact is about no thing at all, its relation stands for one.
    """
    changed = {fact.things[0] if fact.things else fact.relation for fact in differences(before, after)}
    gone = math.inf
    places = before.positions.items()
    return changed | {
        name for name, at in places if math.dist(at, after.positions.get(name, (gone, gone, gone))) > MOVED
    }
