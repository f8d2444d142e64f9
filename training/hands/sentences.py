"""Sentences of demonstrations, and their words.

Two wordings of the same words are kept back, in the benchmark `single-steps`; combinations of a colour and a kind are
kept back by the eyes' own rule (`is_kept_back`).
"""

from __future__ import annotations

import numpy as np

from thinkaloud.worlds.learned_files import split_sentence
from thinkaloud_worlds.random_tables import SAME_WORDS, VOCABULARY
from thinkaloud_worlds.tabletop.layout import PLACES
from thinkaloud_worlds.tabletop.pointed_pixels import PICK, STEP

PICKS = (PICK, "Pick up the {object}.", "Take the {object}.")
STEPS = (
    STEP,
    STEP,  # the one that skills have
    "Pick up the {object} and place it on the {target}.",
    "Put the {object} on the {target}.",
    "Move the {object} to the {target}.",
    "Take the {object} and put it in the {target}.",
    "Place the {object} in the {target}.",
)
_MORE = (
    "To the {target} move the {object}.",
    "The {object} goes on the {target}.",
    "There is the {target}: pick the {object}, put it there.",
    "In the {target} is where to put the {object}.",
)
TRAINED = (*STEPS, *_MORE)
TASKS = (
    "Pick the {object} and place it on the {target}.",
    "Stack all the blocks.",
    "Put all the blocks on the {target}.",
    "Put all the blocks in the {target}.",
)
"""The seen tasks of Inner Monologue's Table 1, for the policy that gets a whole task."""
WORDS: tuple[str, ...] = tuple(
    sorted({word for text in (*PICKS, *TRAINED, *TASKS, *PLACES, *VOCABULARY) for word in split_sentence(text, {})})
)
SAME = {word: other for word, other in SAME_WORDS.items() if " " not in other}


def random_form(rng: np.random.Generator, forms: tuple[str, ...]) -> str:
    """Draw a wording."""
    return forms[int(rng.integers(len(forms)))]
