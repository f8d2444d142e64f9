"""Dishes in any colour: in the dishwasher's world colours tell kinds, so here they tell nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from thinkaloud.worlds.geometry import Rgb
from thinkaloud_worlds.kitchen.item_forms import ItemForm, form_of
from thinkaloud_worlds.random_tables.words import (
    COLOUR_WORDS,
    DISH_WORDS,
    OPEN,
    PATTERN_WORDS,
    TRUE,
    colour_truths,
    is_kept_back,
)

DISHES = ("plate", "bowl", "cup", *DISH_WORDS)
_OF_METAL = 0.35
"""So much cutlery has another colour at its end than at its handle."""


def draw_dish(
    rng: np.random.Generator, kind: str, colour: str = "", *, kept_back: bool = False
) -> tuple[ItemForm, dict[str, int]]:
    """Draw what a dish of a kind looks like, and which words are true of it; in a given colour, or in any.

    Unless `kept_back`, no pair of a colour and a kind is drawn that training never shows.
    """
    form = form_of(kind)
    while not colour or (not kept_back and is_kept_back((colour, *form.true))):
        colour = str(rng.choice([*COLOUR_WORDS]))
    red, green, blue = (int(np.clip(value + rng.normal(0, 8), 0, 255)) for value in COLOUR_WORDS[colour])
    rgb: Rgb = (red, green, blue)
    end = form.third if kind in DISH_WORDS and rng.uniform() < _OF_METAL else rgb
    form = replace(form.scaled(float(rng.uniform(0.85, 1.2)), rgb, rgb), third=end)
    truths = dict.fromkeys((*PATTERN_WORDS, *colour_truths("", end)), OPEN) | colour_truths(colour, rgb)
    truths |= dict.fromkeys(form.open, OPEN) | dict.fromkeys(("thing", *form.true), TRUE)
    truths.pop("", None)
    return form, truths
