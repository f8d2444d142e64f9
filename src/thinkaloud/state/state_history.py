"""The states in a monologue: the first one, the latest one, and all of them."""

from __future__ import annotations

from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation, Request, WorldState


def state_of_scene(observation: Observation) -> WorldState:
    """Return the state from a look: what is there, and where, as far as it can be seen."""
    return observation.state or WorldState(objects=observation.objects)


def first_state(monologue: Monologue) -> WorldState:
    """Return the state before any request: as it was told, or else from the first look."""
    first = monologue.first((WorldState, Request))
    if isinstance(first, WorldState):
        return first
    look = monologue.first(Observation)
    return WorldState() if look is None else state_of_scene(look)


def latest_state(monologue: Monologue) -> WorldState:
    """Return the current known state: the latest recorded one, or else the first."""
    return monologue.last(WorldState) or first_state(monologue)


def all_states(monologue: Monologue) -> list[WorldState]:
    """Return every state, oldest first, including the one before anything was recorded."""
    first, written = first_state(monologue), monologue.since(None, WorldState)
    return written if written and written[0] is first else [first, *written]
