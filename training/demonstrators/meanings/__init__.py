"""Meanings of what people say in our own worlds, as the stage `understand` shows them to a trained model."""

from __future__ import annotations

from training.demonstrators.meanings import domains, franka, halls, homes, shops, tabletop
from training.samples import Demonstrator

DEMONSTRATORS = (
    Demonstrator("meaning.tabletop", tabletop.samples, 0.12),
    Demonstrator("meaning.statler", domains.samples, 0.09),
    Demonstrator("meaning.franka", franka.samples, 0.06),
    Demonstrator("meaning.itp", shops.samples, 0.08),
    Demonstrator("meaning.homes", homes.samples, 0.07),
    Demonstrator("meaning.halls", halls.samples, 0.015),
)
HELD_OUT: tuple[str, ...] = ()
