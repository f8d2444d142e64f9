"""Scenes to speak about: blocks and bowls, and much that is not, with places of all kinds of names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thinkaloud_worlds.tabletop.layout import COLOURS as OWN_COLOURS
from thinkaloud_worlds.tabletop.layout import PLACES as OWN_PLACES
from training.words import COLOURS as LOOKS
from training.words import CONTAINERS, FOODS, HELD_OUT_COLOURS, PLAIN_COLOURS, SHAPES, some

TABLE = tuple(OWN_PLACES)
OWN = tuple(colour for colour in OWN_COLOURS if colour not in HELD_OUT_COLOURS)
PLACES: tuple[tuple[str, ...], ...] = (
    ("upper shelf", "middle shelf", "lower shelf", "windowsill"),
    ("left mat", "right mat", "round mat", "square mat", "rack"),
    ("top left shelf", "top right shelf", "bottom left shelf", "bottom right shelf", "middle shelf"),
    ("top platform", "bottom platform", "left platform", "right platform"),
    ("top left tile", "top right tile", "bottom left tile", "bottom right tile", "left tile", "right tile"),
    ("upper left box", "upper right box", "lower left box", "lower right box", "ramp"),
    ("left bench", "right bench", "long bench", "stool"),
    ("front edge", "back edge", "left edge", "right edge", "centre"),
    ("first row", "second row", "third row", "last row"),
    ("north end", "south end", "east end", "west end", "hub"),
    ("near zone", "far zone", "loading zone", "scale"),
    ("top drawer", "bottom drawer", "left drawer", "right drawer", "desk"),
    ("left pedestal", "right pedestal", "tall pedestal", "floor"),
    ("inner ring spot", "outer ring spot", "start spot", "finish spot"),
)
MOVABLE = (
    *(shape for shape in SHAPES if shape not in ("block", "ring")),
    *(
        "lid",
        "cork",
        "cap",
        "plug",
        "spoon",
        "figure",
        "marble",
        "stone",
        "shell",
        "card",
        "stick",
        "pin",
        "key",
        "sock",
    ),
    *("glove", "sponge", "brush", "pencil", "crayon", "candle", "star", "heart", "car", "boat", "duck", "frog", "bear"),
    *("screw", "bolt", "nut", "chess piece", "bean bag", "battery", "magnet", "eraser", "thread spool", "cotton ball"),
)
FIXED = (
    *(kind for kind in CONTAINERS if kind not in ("bowl", "box", "can", "chest")),
    *(
        "bottle",
        "mat",
        "coaster",
        "hook",
        "slot",
        "socket",
        "pad",
        "stand",
        "nest",
        "hole",
        "peg board",
        "shelf",
        "hoop",
    ),
)


@dataclass(frozen=True)
class Scene:
    """Movable things of one or two kinds, what they can be put in or on, and the places."""

    things: tuple[str, ...]
    containers: tuple[str, ...]
    places: tuple[str, ...]
    kind: str
    """The noun of the things that there are most of."""
    holder: str
    """The noun of the containers, if there are any."""
    other: str = ""
    """The noun of the other things, if there are any."""

    def of(self, noun: str) -> tuple[str, ...]:
        """The things and containers of a kind."""
        return tuple(name for name in (*self.things, *self.containers) if name.endswith(f" {noun}"))


def draw(rng: np.random.Generator) -> Scene:
    """Any scene: a third of them of blocks and bowls."""
    own = rng.random() < 0.35
    kind, holder = ("block", "bowl") if own else _nouns(rng)
    if not own and rng.random() < 0.25:
        kind, holder = ("block", holder) if rng.random() < 0.5 else (kind, "bowl")
    colours: tuple[str, ...] = OWN if rng.random() < (0.6 if own else 0.25) else PLAIN_COLOURS
    if not own and rng.random() < 0.3:
        colours = LOOKS
    count = int(rng.choice([1, 2, 3, 4, 5, 6], p=[0.05, 0.25, 0.3, 0.27, 0.09, 0.04]))
    held = int(rng.choice([0, 1, 2, 3, 4], p=[0.06, 0.27, 0.32, 0.28, 0.07]))
    shared = rng.random() < 0.4
    palette = some(rng, colours, min(len(colours), count + held))
    things = palette[:count]
    containers = some(rng, things if shared and held <= count else palette, held)
    other, others = "", tuple[str, ...]()
    if rng.random() < 0.2:
        other = next(n for noun in some(rng, MOVABLE, 4) if (n := noun.split()[-1]) not in (kind, holder))
        others = tuple(f"{colour} {other}" for colour in some(rng, palette, int(rng.integers(1, 4))))
    places = TABLE if own or rng.random() < 0.55 else PLACES[int(rng.integers(len(PLACES)))]
    if {kind, holder, other} & {*" ".join(places).split()}:
        places = TABLE
    named = tuple(f"{colour} {kind}" for colour in things)
    mixed = [(*named, *others)[i] for i in rng.permutation(len(named) + len(others))] if others else named
    return Scene(
        tuple(mixed), tuple(f"{colour} {holder}" for colour in containers), places, kind, holder if held else "", other
    )


def matched(rng: np.random.Generator) -> Scene:
    """A scene in which each thing has a container of its own colour; never blocks with bowls."""
    kind, holder = _nouns(rng)
    if rng.random() < 0.3:
        kind = "block"
    colours: tuple[str, ...] = OWN if rng.random() < 0.35 else (LOOKS if rng.random() < 0.3 else PLAIN_COLOURS)
    held = int(rng.integers(2, 5))
    palette = some(rng, colours, held)
    things = some(rng, palette, int(rng.integers(1 if held == 2 else 2, held + 1)))
    places = TABLE if rng.random() < 0.6 else PLACES[int(rng.integers(len(PLACES)))]
    if {kind, holder} & {*" ".join(places).split()}:
        places = TABLE
    return Scene(tuple(f"{c} {kind}" for c in things), tuple(f"{c} {holder}" for c in palette), places, kind, holder)


def _nouns(rng: np.random.Generator) -> tuple[str, str]:
    """What is moved, and what it is put in, as last words of names."""
    kind = MOVABLE[int(rng.integers(len(MOVABLE)))] if rng.random() < 0.85 else FOODS[int(rng.integers(len(FOODS)))]
    holder = next(noun for noun in some(rng, FIXED, 3) if noun.split()[-1] != kind.split()[-1])
    return kind.split()[-1], holder.split()[-1]


def plural(noun: str) -> str:
    """More than one of it."""
    if noun in ("dice", "die"):
        return "dice"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    if noun.endswith("shelf"):
        return noun[:-1] + "ves"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")
