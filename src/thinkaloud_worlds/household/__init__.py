"""The household world: a whole home with a robot in it, simulated by VirtualHome's own graph simulator."""

from __future__ import annotations

from thinkaloud_worlds.household.goals import AnyOf, Goal, GoalSet, HomeCondition
from thinkaloud_worlds.household.home_graph import HomeEdge, HomeGraph, HomeNode
from thinkaloud_worlds.household.random_homes import draw_home
from thinkaloud_worlds.household.world import Household

__all__ = [
    "AnyOf",
    "Goal",
    "GoalSet",
    "HomeCondition",
    "HomeEdge",
    "HomeGraph",
    "HomeNode",
    "Household",
    "draw_home",
    "open_household",
]


def open_household(scene: str | None) -> Household:
    """Open the world from a home's text (VirtualHome's graph as JSON), or with a home drawn from the seed."""
    return Household(HomeGraph.from_json(scene) if scene else None)
