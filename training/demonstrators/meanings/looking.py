"""Where household things are on the table of the arm, and what people ask about that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thinkaloud_worlds.franka.layout import TABLE_X, TABLE_Y
from training.demonstrators.meanings.common import call
from training.demonstrators.meanings.goals import Goal
from training.demonstrators.meanings.placing import SIDES
from training.demonstrators.meanings.relating import Relating
from training.demonstrators.meanings.spots import Spots
from training.demonstrators.meanings.talking import Rng, Said
from training.demonstrators.multitalk.tables import Table
from training.words import one


class Seen(Spots):
    """Things as the person sees them who looks from opposite the arm."""

    def __init__(self, laid_out: Table) -> None:
        at = {thing.name: (thing.at[1] - TABLE_Y[0], TABLE_X[1] - thing.at[0]) for thing in laid_out.things}
        super().__init__(at, {thing.name: thing.kind.size[1] for thing in laid_out.things}, dict(laid_out.on))
        self.hollow = {thing.name for thing in laid_out.wide if thing.hollow}
        self.points = {thing.name: thing.at for thing in laid_out.things}

    def on(self, object: str, target: str) -> bool:
        return target not in self.hollow and target in self.below(object)

    def inside(self, object: str, target: str) -> bool:
        return target in self.hollow and target in self.below(object)

    def at(self, object: str, x: float, y: float) -> bool:
        """Whether a thing stands at a point."""
        return max(abs(a - b) for a, b in zip(self.points[object], (x, y), strict=True)) < 0.03

    def held(self, object: str) -> bool:
        """Nothing is in the hand."""
        return False

    def near(self, object: str, other: str) -> bool:
        """Whether two things are close together."""
        return self._gap(object, other) < 0.05


class Looking(Relating):
    """Where things are; what is on or in them is asked in two ways here."""

    def is_so(self) -> Said:
        thing, *others = chosen_names(self.rng, self.every)
        if not others:
            return Said(f"where is the {thing}?", call("unclear", "What should I do?"), Goal("unclear"))
        other = others[0]
        relation = one(self.rng, ["left_of", "right_of", "in_front_of", "behind", "next_to", "in", "in"])
        where = "in" if relation == "in" else one(self.rng, SIDES[relation.replace("_", " ")])
        if relation == "in":
            spots: Any = self.spots
            if not self.holders or thing in self.holders:
                return self.is_so()
            other = one(self.rng, self.holders)
            relation = "inside" if other in spots.hollow else "on"
            where = "in" if other in spots.hollow else "on"
        text = self._say(
            f"is the {{a}} {where} the {{b}}[| now]",
            f"[tell me whether|I wonder if] the {{a}} is {where} the {{b}}",
            a=thing,
            b=other,
        )
        return Said(
            text,
            f"say({call(relation, thing, other)})",
            Goal("answer", said=(bool(getattr(self.spots, relation)(thing, other)),)),
        )

    def inside(self) -> Said | None:
        """What is in or on something, or where a thing stands on the table."""
        spots: Any = self.spots
        if not self.holders:
            return None
        box = one(self.rng, self.holders)
        relation = "inside" if box in spots.hollow else "on"
        there = [name for name in self.every if name != box and getattr(spots, relation)(name, box)]
        word = "in" if relation == "inside" else "on"
        expression = f'[o for o in objects if {relation}(o, "{box}")]'
        if self.rng.random() < 0.5:
            text = self._say(f"[what is|which things are|what do we have] {word} the {{b}}[| now]", b=box)
            return Said(text, f"say({expression})", Goal("answer", said=(there,)))
        text = self._say(
            f"how many things are {word} the {{b}}", f"[count|tell me the number of] the things {word} the {{b}}", b=box
        )
        return Said(text, f"say(len({expression}))", Goal("answer", said=(len(there),)))


def chosen_names(rng: Rng, names: Sequence[str]) -> list[str]:
    """The names in any order."""
    return [names[int(i)] for i in rng.permutation(len(names))]
