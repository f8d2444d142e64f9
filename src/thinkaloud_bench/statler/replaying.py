"""The true state of an episode: at its start, after what other hands did, after a query was carried out rightly."""

from __future__ import annotations

from thinkaloud.records import WorldState
from thinkaloud.state.edits import GROUND, TABLE, with_marked, with_placed
from thinkaloud_bench.statler.episodes import Happening, Query, QueryEpisode
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS, Domain, after_put, spread_dirt


def start(episode: QueryEpisode) -> WorldState:
    """The state at the start, with what is true then and cannot be seen; weights: see `judging.weights_of`."""
    state = episode.initial
    if episode.truth is not None:
        state = with_marked(with_marked(state, episode.truth.dirty, "dirty"), episode.truth.clean, "clean")
    return spread_dirt(state) if DOMAINS[episode.domain].dirt else state


def happened(domain: Domain, state: WorldState, happening: Happening) -> WorldState:
    """The state after something was done by other hands."""
    for thing, target in happening.moves:
        state = with_placed(state, thing, TABLE if target in GROUND else target)
    state = with_marked(with_marked(state, happening.dirty, "dirty"), happening.clean, "clean")
    return spread_dirt(state) if domain.dirt else state


def carried_out(domain: Domain, state: WorldState, query: Query) -> WorldState:
    """The state after what happens with a query and after its right moves."""
    state = happened(domain, state, query.happens) if query.happens is not None else state
    for thing, target in query.actions:
        state = after_put(domain, state, thing, target)
    return state
