"""The contents of cups and containers. There is no fluid solver: the tilt of the real body determines what runs out.

Each tick, a container tilted past a limit loses some of its contents, and more the further it is tilted. They land in
the cup whose opening is below the lip; otherwise they are spilled on the counter. Not covered: weights (a full cup
weighs as much as an empty one), and containers that are knocked over (their lids hold).
"""

from __future__ import annotations

import math

import msgspec

from thinkaloud_worlds.drinks.layout import (
    BIN,
    BIN_HALF,
    BIN_TOP,
    CUP_RIM,
    CUP_VOLUME,
    DRINK_CUP_HEIGHT,
    DRINK_CUP_WALL,
    FULL_TILT,
    ONSET,
)
from thinkaloud_worlds.drinks.physics import CounterPhysics, CounterThing
from thinkaloud_worlds.drinks.scene import CounterScene
from thinkaloud_worlds.simulated_time import TICK
from thinkaloud_worlds.tabletop.ur5e_arm import Joints

_RATES = {"bottle": 120.0, "jar": 60.0, "ladle": 160.0}
"""Millilitres per second at full tilt."""


class Stock(msgspec.Struct):
    """Amounts, in millilitres."""

    left: dict[str, float]
    contents: dict[str, list[tuple[str, float]]]
    """For each cup, its ingredients in the order in which they went in."""
    ladles: dict[str, float] = {}
    spilled: dict[str, float] = {}
    placed: list[str] = []
    """Cups in the order in which they were last put down."""

    @classmethod
    def of(cls, scene: CounterScene, cups: tuple[str, ...]) -> Stock:
        """Full containers and empty cups."""
        return cls({each.name: each.left for each in scene.ingredients}, {name: [] for name in cups})

    def amount(self, cup: str, ingredient: str) -> float:
        """How much of an ingredient is in a cup."""
        return sum(ml for name, ml in self.contents[cup] if name == ingredient)

    def filled(self, cup: str) -> float:
        """How much there is in a cup."""
        return sum(ml for _, ml in self.contents[cup])

    def fill_ladle(self, ingredient: str, amount: float) -> None:
        """Fill a ladle from its tub."""
        taken = min(amount, self.left[ingredient])
        self.left[ingredient] -= taken
        self.ladles[ingredient] = self.ladles.get(ingredient, 0.0) + taken

    def empty_ladle(self, ingredient: str) -> None:
        """Empty a ladle back into its tub."""
        self.left[ingredient] += self.ladles.pop(ingredient, 0.0)

    def flow(self, counter: CounterPhysics) -> None:
        """Let contents run out for one tick."""
        held = counter.held
        thing = counter.things[held] if held else None
        if thing is not None and thing.ingredient:
            self._run_out(counter, thing)
        for cup in counter.cups:
            if self.contents[cup]:
                self._keep(counter, cup)

    def _run_out(self, counter: CounterPhysics, thing: CounterThing) -> None:
        cosine = counter.upright(thing.name)
        if cosine > _STARTS:
            return
        store = self.ladles if thing.kind == "ladle" else self.left
        name = thing.ingredient
        rate = flow_rate(thing.kind, math.acos(max(min(cosine, 1.0), -1.0)))
        lost = min(rate * TICK, store.get(name, 0.0))
        if lost <= 0:
            return
        store[name] -= lost
        cup = self._below(counter, *counter.lip(thing.name))
        kept = min(lost, CUP_VOLUME - self.filled(cup)) if cup else 0.0
        if cup and kept > 0:
            self._add(cup, name, kept)
        if lost > kept:
            self.spilled[name] = self.spilled.get(name, 0.0) + lost - kept

    def _add(self, cup: str, name: str, amount: float) -> None:
        inside = self.contents[cup]
        if inside and inside[-1][0] == name:
            inside[-1] = (name, inside[-1][1] + amount)
        else:
            inside.append((name, amount))

    def _below(self, counter: CounterPhysics, x: float, y: float, z: float) -> str | None:
        for cup in counter.cups:
            cx, cy, cz = counter.position(cup)
            under = math.hypot(x - cx, y - cy) < CUP_RIM - DRINK_CUP_WALL and cz + DRINK_CUP_HEIGHT < z
            if under and counter.upright(cup) > 0.9 and not counter.docked(cup):
                return cup
        return None

    def _keep(self, counter: CounterPhysics, cup: str) -> None:
        """Discard the contents of a cup in the bin; spill those of a cup that fell over anywhere else."""
        if in_bin(counter, cup):
            self.contents[cup] = []
        elif counter.upright(cup) < 0.5:
            for name, amount in self.contents[cup]:
                self.spilled[name] = self.spilled.get(name, 0.0) + amount
            self.contents[cup] = []


class Bar:
    """The counter and the contents of its vessels, advanced together."""

    def __init__(self, counter: CounterPhysics, stock: Stock) -> None:
        self.counter, self.stock = counter, stock

    def advance(self, joints: Joints | None = None, speeds: Joints | None = None) -> None:
        """Run one control tick."""
        self.counter.tick(joints, speeds)
        self.stock.flow(self.counter)


def flow_rate(kind: str, tilt: float) -> float:
    """The flow at a tilt, in millilitres per second."""
    return _RATES[kind] * min(max((tilt - ONSET) / (FULL_TILT - ONSET), 0.0), 1.0)


def in_bin(counter: CounterPhysics, cup: str) -> bool:
    """Whether a cup is in the waste bin."""
    x, y, z = counter.position(cup)
    return abs(x - BIN[0]) < BIN_HALF + 0.02 and abs(y - BIN[1]) < BIN_HALF + 0.02 and z < BIN_TOP - 0.01


_STARTS = math.cos(ONSET)
