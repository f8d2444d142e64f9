"""The states that a monologue holds: the first one, the latest one, and all of them."""

from __future__ import annotations

from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation, Request, WorldState


def state_of_scene(observation: Observation) -> WorldState:
    """The state that a look gives: what is there, and where, as far as that can be seen."""
    return observation.state or WorldState(objects=observation.objects)


def first_state(monologue: Monologue) -> WorldState:
    """The state before anything was asked: as it was told, else what the first look gave."""
    first = next((event.record for event in monologue if isinstance(event.record, WorldState | Request)), None)
    if isinstance(first, WorldState):
        return first
    looks = monologue.since(None, Observation)
    return state_of_scene(looks[0]) if looks else WorldState()


def latest_state(monologue: Monologue) -> WorldState:
    """The state as it is known by now: the latest one written down, else the first one."""
    return monologue.last(WorldState) or first_state(monologue)


def all_states(monologue: Monologue) -> list[WorldState]:
    """Every state, the oldest first; also how things were before anything was written down."""
    first, written = first_state(monologue), monologue.since(None, WorldState)
    return written if written and written[0] is first else [first, *written]
