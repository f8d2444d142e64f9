"""Sentences about single steps in a kitchen, and their words. The first form of each skill is what skills say."""

from __future__ import annotations

from thinkaloud.worlds.learned_files import split_sentence
from thinkaloud_worlds.kitchen import DRAWERS, ITEMS
from thinkaloud_worlds.kitchen.catalogue import LOCATIONS

FORMS: dict[str, tuple[str, ...]] = {
    "pick_up": ("Pick up the {item}.", "Take the {item}.", "Pick the {item} up."),
    "put_down": (
        "Put down the {item}.",
        "Drop the {item}.",
        "Place the {item} on the {location}.",
        "Put the {item} on the {location}.",
        "Throw the {item} away.",
    ),
    "put_in": ("Put the {item} in the {drawer}.", "Place the {item} in the {drawer}."),
    "open_drawer": ("Open the {drawer}.", "Pull the {drawer} open."),
    "close_drawer": ("Close the {drawer}.", "Push the {drawer} closed."),
}
WORDS: tuple[str, ...] = tuple(
    sorted(
        {
            word
            for text in (*(form for forms in FORMS.values() for form in forms), *ITEMS, *DRAWERS, *LOCATIONS)
            for word in split_sentence(text, {})
        }
        - {"item", "drawer", "location"}
        | {"drawer"}
    )
)
SAME: dict[str, str] = {}


def form_of(skill: str, place: str, number: int) -> str:
    """A wording of a skill, by any number; things are only thrown away at the trash."""
    forms = [each for each in FORMS[skill] if place == "trash" or "away" not in each]
    return forms[number % len(forms)]
