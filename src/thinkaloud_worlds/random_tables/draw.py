"""What is on a random table: things with their colours, patterns and places, the light, and the camera."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from thinkaloud.worlds.geometry import Rgb
from thinkaloud_worlds.random_tables.forms import FORMS, NATURAL, kind_truths
from thinkaloud_worlds.random_tables.heaps import drop
from thinkaloud_worlds.random_tables.things import DrawnThing, Pattern
from thinkaloud_worlds.random_tables.words import COLOUR_WORDS, FALSE, OPEN, TRUE, colour_truths, is_kept_back
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop.layout import TABLE_TOP

Style = Literal["training", "plain", "clutter", "kept_back", "fallen"]
_STYLES: tuple[Style, ...] = ("training", "plain", "clutter", "kept_back", "fallen")
"""`checked` is kept back: only pictures that measure show it, and no word names it."""

_SALT = 0x71AB
_COUNTS: dict[Style, tuple[int, int]] = {
    "training": (0, 15),
    "plain": (3, 6),
    "clutter": (12, 18),
    "kept_back": (4, 8),
    "fallen": (6, 10),
}
_FALLEN = 0.3  # so many tables of the training are heaps of fallen things
_ON_SIDE, _ON_SIDE_ELSEWHERE = (
    0.8,
    0.15,
)  # how often what is taller than wide lies on its side there, and in other training
_TALL_THERE = 4.0  # times as often as elsewhere where things have fallen
_STRAIGHT = 0.5  # of the bottles of the training have no shoulders
_HEAPED = 0.2  # so many tables of the training have things that were dropped on each other
_DROPPED = (3, 9)
_ONTO = {"plate": 0.6, "bowl": 0.15, "": 0.25}  # what they were dropped onto
_PATTERNS: dict[Style, tuple[tuple[Pattern, float], ...]] = {
    "training": (("plain", 0.6), ("striped", 0.12), ("spotted", 0.1), ("speckled", 0.1), ("banded", 0.08)),
    "plain": (("plain", 0.6), ("striped", 0.2), ("spotted", 0.2)),
    "clutter": (("plain", 0.6), ("striped", 0.2), ("spotted", 0.2)),
    "kept_back": (("plain", 0.5), ("checked", 0.5)),
    "fallen": (("plain", 0.6), ("striped", 0.2), ("spotted", 0.2)),
}
_TRIES = 60
_EDGE = 0.03


@dataclass(frozen=True, eq=False)
class DrawnTable:
    """A random table: its things, flat scraps that no word is about, its surface, the light, and the camera."""

    seed: int
    style: Style
    things: tuple[DrawnThing, ...]
    scraps: tuple[tuple[float, float, float, float, Rgb], ...]
    occluders: tuple[tuple[float, float, float, float], ...]
    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    wide: float


def draw_table(seed: int, style: Style = "training", count: int | None = None) -> DrawnTable:
    """Draw a table from a seed. Styles draw different tables from one seed; `count` says how many things to try."""
    rng = generator(seed, _SALT, _STYLES.index(style))
    low, high = _COUNTS[style]
    things = list[DrawnThing]()
    heap = style in ("clutter", "fallen") or (style == "training" and rng.uniform() < 0.35)
    fallen = style == "fallen" or (style == "training" and bool(rng.uniform() < _FALLEN))
    if style == "training" and rng.uniform() < _HEAPED:
        things, high = _heap(rng), 5
        heap = fallen = False
    for _ in range(count or int(rng.integers(low, high + 1))):
        drawn = _thing(rng, style, things, heap or fallen, fallen)
        if drawn is not None:
            things.append(drawn)
    scraps = [_scrap(rng) for _ in range(int(rng.integers(0, 4)) if style in ("training", "clutter") else 0)]
    arms = [_occluder(rng) for _ in range(int(rng.uniform() < 0.25))] if style in ("training", "clutter") else []
    middle = np.array([*TABLE_TOP.centre, 0.0])
    tilt = rng.uniform(0, math.radians(38 if style != "plain" else 25)) * (rng.uniform() < 0.7)
    turn, far = rng.uniform(-math.pi, 0.0), rng.uniform(0.55, 1.35)
    target = middle + np.array([*rng.uniform(-0.06, 0.06, 2), 0.0])
    eye = target + far * np.array([math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn), math.cos(tilt)])
    wide = rng.uniform(0.5, 0.85) / far  # of the view at a distance of 1, for its longer side
    return DrawnTable(seed, style, tuple(things), tuple(scraps), tuple(arms), _xyz(eye), _xyz(target), float(wide))


def _xyz(point: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[float, float, float]:
    return float(point[0]), float(point[1]), float(point[2])


def _thing(
    rng: np.random.Generator, style: Style, things: list[DrawnThing], heap: bool, fallen: bool
) -> DrawnThing | None:
    back = style == "kept_back" and rng.uniform() < 0.2
    names = ["dome", "steps"] if back else [name for name, form in FORMS.items() if form.often]
    often = {name: FORMS[name].often or 1.0 for name in names}
    if fallen:
        often = {name: each * (_TALL_THERE if FORMS[name].tall[1] > 1.2 else 1.0) for name, each in often.items()}
    lying = _ON_SIDE if fallen else _ON_SIDE_ELSEWHERE if style == "training" else 0.0
    drawn = _described(rng, style, often, lying)
    wide = drawn.height if drawn.on_side else drawn.across
    place = _place(rng, drawn.kind, wide, things, heap, 0.6 if fallen or style == "clutter" else 0.3)
    return None if place is None else replace(drawn, at=place, yaw=float(rng.uniform(-180, 180)))


def _heap(rng: np.random.Generator) -> list[DrawnThing]:
    """Draw things that were dropped on each other, onto a plate, into a bowl, or onto the table."""
    onto, (x, y) = str(rng.choice([*_ONTO], p=[*_ONTO.values()])), TABLE_TOP.centre
    at = (x + float(rng.uniform(-0.15, 0.15)), y + float(rng.uniform(-0.15, 0.15)))
    under = [replace(_described(rng, "training", {onto: 1.0}, 0.0), at=(*at, 0.0))] if onto else []
    often = {
        name: form.often * (_TALL_THERE if form.tall[1] > 1.2 or "fruit" in form.true else 1.0)
        for name, form in FORMS.items()
        if form.often and not form.inside
    }
    dropped = [_described(rng, "training", often, 0.0) for _ in range(int(rng.integers(*_DROPPED, endpoint=True)))]
    return [*under, *drop(rng, dropped, under, at)]


def _described(rng: np.random.Generator, style: Style, often: dict[str, float], lying: float) -> DrawnThing:
    """Draw what a thing is and looks like; where it is comes later."""
    chances = np.array([*often.values()])
    kind = str(rng.choice([*often], p=chances / chances.sum()))
    form = FORMS[kind]
    across = float(rng.uniform(*form.across))
    height = (
        across * float(rng.uniform(*form.tall)) if kind not in ("bowl", "plate") else (0.045, 0.014)[kind == "plate"]
    )
    colour, rgb = _colour(rng, kind)
    while style == "training" and not form.colours and is_kept_back((colour, *form.true)):
        colour, rgb = _colour(rng, kind)
    pattern = _pattern(rng, style, kind)
    second = _colour(rng, "")[1]
    on_side = height > across and lying > 0 and bool(rng.uniform() < lying)
    straight = style == "training" and "bottle" in form.true and bool(rng.uniform() < _STRAIGHT)
    truths = _truths(kind, colour, rgb, second, pattern)
    nowhere = (0.0, 0.0, 0.0)
    return DrawnThing(
        kind, colour, rgb, second, pattern, across, height, nowhere, 0.0, truths, on_side=on_side, straight=straight
    )


def _truths(kind: str, colour: str, rgb: Rgb, second: Rgb, pattern: Pattern) -> dict[str, int]:
    truths = colour_truths(colour, rgb) if colour in COLOUR_WORDS else _natural_truths(rgb)
    if pattern in ("striped", "spotted", "banded", "checked"):
        others = {word: OPEN for word, value in colour_truths("", second).items() if word and value == OPEN}
        truths = {**others, **truths}
        if pattern == "checked":  # nobody is wrong to call that striped
            truths |= {"striped": OPEN, "spotted": OPEN}
        elif pattern == "banded":
            truths |= {"striped": OPEN, "plain": OPEN}
        else:
            truths[pattern] = TRUE
    else:
        truths["plain"] = TRUE if pattern == "plain" else OPEN
        if pattern == "speckled":
            truths["spotted"] = OPEN
    return {word: value for word, value in {**truths, **kind_truths(kind)}.items() if value != FALSE}


def _natural_truths(rgb: Rgb) -> dict[str, int]:
    return {word: OPEN for word, value in colour_truths("", rgb).items() if word and value == OPEN}


def _colour(rng: np.random.Generator, kind: str) -> tuple[str, Rgb]:
    names = [*COLOUR_WORDS]
    usual = FORMS[kind].colours if kind else ()
    if usual:
        name = str(rng.choice(usual))
    else:  # the ten usual colours are drawn as often as all others together
        name = names[int(rng.integers(10) if rng.uniform() < 0.5 else rng.integers(10, len(names)))]
    rgb = NATURAL.get(name) or COLOUR_WORDS[name]
    red, green, blue = (int(np.clip(c + rng.normal(0, 7), 0, 255)) for c in rgb)
    return name, (red, green, blue)


def _pattern(rng: np.random.Generator, style: Style, kind: str) -> Pattern:
    names = [name for name, _ in _PATTERNS[style]]
    chances = np.array([chance for _, chance in _PATTERNS[style]])
    if FORMS[kind].colours or kind in ("pen", "ring"):
        return "speckled" if rng.uniform() < 0.2 else "plain"
    return names[int(rng.choice(len(names), p=chances / chances.sum()))]


def _place(
    rng: np.random.Generator, kind: str, across: float, things: list[DrawnThing], heap: bool, on_others: float
) -> tuple[float, float, float] | None:
    """Find a free place: on the table, in a bowl or on a plate, or on something flat. In a heap things touch."""
    room = TABLE_TOP.inset(across / 2 + _EDGE - 0.02)
    carries = kind not in ("bowl", "plate")
    if carries and things and rng.uniform() < on_others:
        under = things[int(rng.integers(len(things)))]
        form, own = FORMS[under.kind], across / 2
        free = (
            under.across * form.inside / 2
            if form.inside
            else (under.across / 2 if form.flat and not under.on_side and not under.turn else 0.0)
        )
        if free and own <= free * (1.6 if form.inside else 1.15):
            slack = max(free - own, 0.0)
            x, y = under.at[0] + rng.uniform(-slack, slack), under.at[1] + rng.uniform(-slack, slack)
            z = under.at[2] + (0.005 if form.inside else under.height)
            if all(each is under or _apart(each, x, y, own) or each.at[2] + each.top < z for each in things):
                return float(x), float(y), z
    near = things[0].at if things and heap else None
    for _ in range(_TRIES):
        x, y = rng.uniform(*room.x), rng.uniform(*room.y)
        if near is not None and rng.uniform() < 0.7:
            x, y = (float(np.clip(near[i] + rng.normal(0, 0.09), *(room.x, room.y)[i])) for i in (0, 1))
        if all(_apart(each, x, y, across / 2, -0.004 if heap else 0.012) for each in things):
            return float(x), float(y), 0.0
    return None


def _apart(other: DrawnThing, x: float, y: float, radius: float, gap: float = 0.0) -> bool:
    return math.hypot(other.at[0] - x, other.at[1] - y) > other.long / 2 + radius + gap


def _scrap(rng: np.random.Generator) -> tuple[float, float, float, float, Rgb]:
    """A sheet or a strip of tape on the table: its middle, its sides, its colour."""
    x, y = rng.uniform(*TABLE_TOP.x), rng.uniform(*TABLE_TOP.y)
    red, green, blue = (int(c) for c in rng.integers(20, 255, 3))
    return float(x), float(y), float(rng.uniform(0.01, 0.1)), float(rng.uniform(0.008, 0.1)), (red, green, blue)


def _occluder(rng: np.random.Generator) -> tuple[float, float, float, float]:
    """A tool or a hand over the table: its tip, how far it reaches, and how thick it is."""
    x, y = rng.uniform(*TABLE_TOP.x), rng.uniform(*TABLE_TOP.y)
    return float(x), float(y), float(rng.uniform(0.1, 0.4)), float(rng.uniform(0.012, 0.04))
