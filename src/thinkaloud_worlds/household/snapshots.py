"""Snapshots of a home: the differences from its start."""

from __future__ import annotations

import math

import msgspec

from thinkaloud_worlds.household.engine import EdgeTriple, HomeState
from thinkaloud_worlds.household.home_graph import STATES
from thinkaloud_worlds.household.virtualhome_package import simulator

Grab = tuple[int, int, str]
"""A grabbed thing and where it was: a node and the relation to it."""


class SavedHome(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """Everything needed to restore a state."""

    world: str
    home: str
    seed: int
    now: float
    script: tuple[str, ...]
    errors: tuple[str, ...]
    seen: tuple[int, ...]
    came: tuple[EdgeTriple, ...]
    went: tuple[EdgeTriple, ...]
    states: dict[int, tuple[str, ...]]
    grabs: tuple[Grab, ...]


def saved_of(
    start: HomeState, state: HomeState
) -> tuple[tuple[EdgeTriple, ...], tuple[EdgeTriple, ...], dict[int, tuple[str, ...]], tuple[Grab, ...]]:
    """The last four fields of `SavedHome`."""
    came, went, changed = state.differs_from(start)
    states = {thing: tuple(changed[thing]) for thing in sorted(changed)}
    grabs = sorted((key[1], place.id, relation.name) for key, (place, relation) in state.executor_data.items())
    return tuple(came), tuple(went), states, tuple(grabs)


def restore_state(start: HomeState, saved: SavedHome) -> HomeState:
    """Restore a saved state. Raises ValueError if it is impossible."""
    if not (math.isfinite(saved.now) and saved.now >= 0):
        raise ValueError("This is not a snapshot of a household world: its time is not a valid time.")
    try:
        if any(name not in STATES for names in saved.states.values() for name in names):
            raise ValueError("A node has an unknown state.")
        state = start.changed_by(saved.came, saved.went, {k: list(v) for k, v in saved.states.items()})
        relations, grab = simulator("environment").Relation, simulator("scripts").Action.GRAB
        for thing, place, relation in saved.grabs:
            if state.get_node(thing) is None or state.get_node(place) is None:
                raise ValueError("Something was grabbed that does not exist.")
            state.executor_data[(grab, thing)] = (state.get_node(place), relations[relation])
        for thing in {state.character, *saved.seen, *(edge[0] for edge in (*saved.came, *saved.went))}:
            state.room_of(thing)
    except (LookupError, ValueError) as error:
        raise ValueError(f"This is not a snapshot of this home: {error}") from None
    return state
