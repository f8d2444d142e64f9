"""What lies on a table: names drawn from hundreds, so that they have to be copied, never recited."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from thinkaloud.records import WorldState
from thinkaloud.state.edits import is_container, is_cover, noun
from training.words import COLOURS, PLAIN_COLOURS

CLEANER = "disinfector"
_TWINS = ({"gray", "grey"}, {"gold", "golden"})
_HUES = tuple(hue for hue in PLAIN_COLOURS if " " not in hue and "-" not in hue)
_KINDS = ("cube", "brick", "ball", "token", "cylinder", "disc", "peg", "tile")
_BOXES = ("tray", "basket", "box", "bin", "crate")
_TOYS = (
    "toy truck", "toy train", "rubber duck", "wooden peg", "toy plane", "marble", "dice", "sponge", "key",
    "puzzle piece", "chess pawn", "bottle cap", "cork", "toy dinosaur", "ping pong ball", "button",
    "teddy", "yo-yo", "lego brick", "bead", "eraser", "coin", "matchbox", "snow globe", "toy boat", "spinning top",
)  # fmt: skip
DOMAINS = ("pick_and_place", "disinfection", "weight", "cups")


@dataclass
class Scene:
    """The things on one table; `kind` is what most of them are, `box` what things are put into."""

    rng: random.Random
    domain: str
    objects: tuple[str, ...]
    kind: str = "block"
    box: str = "bowl"
    state: WorldState = field(default_factory=WorldState)

    @property
    def loose(self) -> list[str]:
        """What is neither container nor cover."""
        return [name for name in self.objects if not is_container(name) and not is_cover(name)]

    @property
    def blocks(self) -> list[str]:
        """What is of the usual kind."""
        return [name for name in self.loose if noun(name) == self.kind]

    @property
    def boxes(self) -> list[str]:
        """What things are put into, but for the disinfector."""
        return [name for name in self.objects if is_container(name) and name != CLEANER]

    @property
    def cups(self) -> list[str]:
        """What hides things."""
        return [name for name in self.objects if is_cover(name)]


def hues(rng: random.Random, count: int) -> list[str]:
    """Words that tell things apart, no two for the same."""
    pool = _HUES if rng.random() < 0.7 else COLOURS
    found: list[str] = []
    while len(found) < count:
        hue = rng.choice(pool)
        if hue not in found and not any({hue, other} <= twins for other in found for twins in _TWINS):
            found.append(hue)
    return found


def drawn(rng: random.Random, domain: str | None = None) -> Scene:
    """A table of one of the domains."""
    domain = domain or rng.choices(DOMAINS, (5, 5, 7, 4))[0]
    kind = "block" if rng.random() < 0.85 else rng.choice(_KINDS)
    box = "bowl" if rng.random() < 0.9 else rng.choice(_BOXES)
    count = (
        rng.choice((2, 3, 4, 4, 5, 5, 6, 6, 7, 8)) if rng.random() < 0.92 or domain == "weight" else rng.randint(9, 28)
    )
    things = [f"{hue} {kind}" for hue in hues(rng, count)]
    if domain == "cups":
        toys = rng.sample(_TOYS, rng.randint(0, 3))
        things = [*toys, *things[: max(1, len(things) - len(toys))]][: 7 if count < 9 else 14]
        things += [f"{hue} cup" for hue in hues(rng, rng.randint(1, 4))]
    else:
        if rng.random() < 0.04:
            things += rng.sample(_TOYS, rng.randint(1, 2))
        if rng.random() < 0.15:
            rng.shuffle(things)
        things += [f"{hue} {box}" for hue in hues(rng, rng.choice((1, 2, 2, 2, 3, 3, 4)))]
    if domain == "disinfection":
        things.append(CLEANER)
    if rng.random() < 0.05 and domain != "cups":  # a state lists cups by themselves
        rng.shuffle(things)
    return Scene(rng, domain, tuple(things), kind, box, WorldState(tuple(things)))
