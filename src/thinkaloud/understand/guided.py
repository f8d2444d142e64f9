"""Task guidelines as a model reads them before it writes a program: a line for each task, those that are meant in full.

They are somebody's text, and data: what stands in them is quoted, and becomes calls of the robot's skills or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from thinkaloud.guidelines import Guidelines, Recipe
from thinkaloud.words import stems

_MOST_RECIPES = 6
"""Tasks that are told in full; of more, only the names."""


def tell_guidelines(guidelines: Guidelines | None, request: str) -> tuple[str, ...]:
    """The lines for a request: what is done how, and what holds for all of it."""
    return () if guidelines is None else tuple(_lines(guidelines, stems(request)))


def _lines(guidelines: Guidelines, words: set[str]) -> Iterator[str]:
    nearest = sorted(guidelines.recipes, key=lambda recipe: -len(words & stems(_all_of(recipe))))
    told = [recipe for recipe in guidelines.recipes if recipe in nearest[:_MOST_RECIPES]]
    for recipe in told:
        yield f"{recipe.name}: {'; '.join(recipe.steps)}."
    rest = [recipe.name for recipe in guidelines.recipes if recipe not in told]
    if rest:
        yield f"Also known, in the same way: {', '.join(rest)}."
    yield from guidelines.rules
    if guidelines.locations:
        yield f"Places: {'; '.join(guidelines.locations)}."
    if guidelines.available:
        yield f"There is: {', '.join(guidelines.available)}."


def _all_of(recipe: Recipe) -> str:
    return " ".join([recipe.name, recipe.name, *recipe.material])
