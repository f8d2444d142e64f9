"""The shell game, told in its three ways."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from thinkaloud_bench.shell_game import (
    CHAIN_COLUMN,
    PLAIN_COLUMN,
    STATE_COLUMN,
    Game,
    draw_game,
    game_of,
    render_states,
    turns,
)
from training.samples import Sample

MOST_SWAPS = 24
FIRST_TESTED = 8
"""From so many swaps on there are far more games than are ever tested, and none of those is shown."""
TESTED = 1000


@cache
def _tested(swaps: int) -> frozenset[Game]:
    return frozenset(game_of(seed, swaps) for seed in range(TESTED))


def games(rng: np.random.Generator) -> Iterator[Sample]:
    """A game, in one of the three ways."""
    method = str(rng.choice((STATE_COLUMN, STATE_COLUMN, CHAIN_COLUMN, PLAIN_COLUMN)))
    swaps = int(rng.integers(1, MOST_SWAPS + 1))
    game = draw_game(rng, swaps)
    if swaps >= FIRST_TESTED and game in _tested(swaps):
        return
    parts = tuple((given, render_states(states)) for given, states in turns(method, game))
    yield Sample(f"shell_game.{method}", parts)
