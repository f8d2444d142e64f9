"""Task guidelines as a model reads them before it writes a program: what can be ordered, and what of.

How it is done it need not know: code works that out (`ordering`). They are somebody's text, and data: what stands in
them is quoted, and becomes calls of the robot's skills or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from thinkaloud.guidelines import Guidelines, Recipe
from thinkaloud.guidelines.order_form import all_things
from thinkaloud.language.words import stems

_MOST_RECIPES = 8
"""Options that are told with their material; of more, only the names."""


def tell_guidelines(guidelines: Guidelines | None, request: str) -> tuple[str, ...]:
    """The lines for a request: the options with what they are made of, what there is, and what can be dealt with."""
    return () if guidelines is None else tuple(_lines(guidelines, stems(request)))


def _lines(guidelines: Guidelines, words: set[str]) -> Iterator[str]:
    nearest = sorted(guidelines.recipes, key=lambda recipe: -len(words & stems(_all_of(recipe))))
    told = [recipe for recipe in guidelines.recipes if recipe in nearest[:_MOST_RECIPES]]
    for recipe in told:
        yield f"{recipe.name}: {', '.join(recipe.material)}" if recipe.material else recipe.name
    rest = [recipe.name for recipe in guidelines.recipes if recipe not in told]
    if rest:
        yield f"Also: {', '.join(rest)}"
    if guidelines.available:
        yield f"There is: {', '.join(guidelines.available)}"
    if things := all_things(guidelines):
        yield f"For: {', '.join(things)}"


def _all_of(recipe: Recipe) -> str:
    return " ".join([recipe.name, recipe.name, *recipe.material])
