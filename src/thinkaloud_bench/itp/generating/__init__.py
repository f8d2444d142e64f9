"""Episodes over guidelines drawn from a seed: menus, materials, places and wordings that no prompt has seen.

episode = generate(7)
"""

from __future__ import annotations

import random

from thinkaloud_bench.itp.episodes import CounterOrder, MachineOrder, OrderEpisode
from thinkaloud_bench.itp.generating.crafts import CRAFT_THEMES
from thinkaloud_bench.itp.generating.food import FOOD_THEMES
from thinkaloud_bench.itp.generating.machine import machine_episode
from thinkaloud_bench.itp.generating.machines import MACHINE_THEMES
from thinkaloud_bench.itp.generating.orders import counter_episode

__all__ = ["draw_order", "sample"]

_KINDS = {"new": 60, "option": 15, "unavailable": 15, "changed": 10}
"""How often, in a hundred, something new, an option, something unavailable is ordered, or an order is changed."""
_COUNTERS = 0.75


def draw_order(seed: int) -> OrderEpisode:
    """The episode of a seed: its guidelines, what is asked for, and what is right by them."""
    rng = random.Random(f"itp {seed}")
    (kind,) = rng.choices([*_KINDS], [*_KINDS.values()])
    if rng.random() < _COUNTERS:
        return counter_episode(rng, rng.choice((*FOOD_THEMES, *CRAFT_THEMES)), kind, f"random-{seed}")
    return machine_episode(rng, rng.choice(MACHINE_THEMES), kind, f"random-{seed}")


def sample(n: int, seed: int = 0) -> str:
    """The first episodes from a seed on, written out for people to look at."""
    return "\n\n".join(_written(draw_order(seed + number)) for number in range(n))


def _written(episode: OrderEpisode) -> str:
    lines = [f"===== {episode.id} ({episode.world}) =====", episode.guidelines, f"Request: {episode.request}"]
    if episode.new_request is not None:
        lines.append(f"New request, before step {episode.before_step}: {episode.new_request}")
    if episode.first is not None:
        lines.append(f"First: {_order(episode.first)}")
    lines.append(f"Wanted: {_order(episode.wanted)}" if episode.wanted is not None else "To be declined.")
    lines += ["Scene:", f"  {episode.scene}", "Sentences:", *(f"  {key}: {said}" for key, said in episode.says.items())]
    return "\n".join(lines)


def _order(order: CounterOrder | MachineOrder) -> str:
    if isinstance(order, CounterOrder):
        return " | ".join(", ".join(layer) for layer in order.layers)
    return ", ".join(f"{count} x {kind}" for kind, count in order.items) + f"; {order.additive}"
