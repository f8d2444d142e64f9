"""Words that the episodes are made of: colours, kinds of things, numbers."""

from __future__ import annotations

from fractions import Fraction

COLOUR_WORDS = (
    "red", "blue", "green", "yellow", "orange", "purple", "pink", "brown", "black", "white", "gray", "cyan", "teal",
    "tan", "golden", "silver", "bronze", "magenta", "maroon", "navy", "olive", "beige", "turquoise", "lavender",
    "violet", "indigo", "coral", "crimson", "lime", "ivory", "salmon", "khaki", "grey", "gold", "aqua", "scarlet",
    "copper",
)  # fmt: skip
SAME_COLOUR = {"grey": "gray", "gold": "golden"}
DRAWN_COLOURS = tuple(colour for colour in COLOUR_WORDS[:32])
"""The colours of generated episodes: no two names for the same one."""

THING_KINDS = ("block", "bowl", "cup", "cube", "box", "object", "thing", "ball", "disinfector", "plate", "toy", "wheel")

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
NUMBER_VALUES: dict[str, Fraction] = {
    **{word: Fraction(number) for number, word in enumerate(_WORDS.split())},
    "none": Fraction(0),
    "single": Fraction(1),
    "both": Fraction(2),
    "twice": Fraction(2),
    "double": Fraction(2),
    "thrice": Fraction(3),
    "triple": Fraction(3),
    "half": Fraction(1, 2),
    "third": Fraction(1, 3),
    "quarter": Fraction(1, 4),
}
