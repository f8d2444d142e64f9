"""Where things are on a table that is only drawn: the real relations and measures of `space`, without physics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from thinkaloud.worlds.geometry import Xyz
from thinkaloud_worlds.spatial_relations import Spatial
from training.demonstrators.meanings.talking import Rng

GROUND = ("table", "empty space")


@dataclass
class Spots(Spatial):
    """Things at points, in metres from the front left corner, and what each is on or in (a place counts, too)."""

    spot: dict[str, tuple[float, float]]
    wide: dict[str, float] = field(default_factory=dict)
    under: dict[str, str] = field(default_factory=dict)
    places: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def below(self, name: str) -> list[str]:
        """All that a thing is on or in, from the top down."""
        found: list[str] = []
        while name in self.under and len(found) < 20:
            name = self.under[name]
            found.append(name)
        return found

    def on(self, object: str, target: str) -> bool:
        """Whether a thing is on, in or at something; on the table itself where that is asked."""
        if target in GROUND:
            return object not in self.under
        return target in self.below(object)

    def inside(self, object: str, target: str) -> bool:
        """The same of what things are put into."""
        return target in self.below(object)

    def _place(self, name: str) -> Xyz:
        if name in self.places and name not in self.spot:
            return *self.places[name], 0.0
        low = self.below(name)
        x, y = self.spot[low[-1]] if low and low[-1] in self.spot else self.spot[name]
        return x, y, 0.04 * (1 + sum(each in self.spot for each in low))

    def _lies(self, name: str) -> bool:
        return True

    def _gap(self, one: str, other: str) -> float:
        (a, b, _), (c, d, _) = self._place(one), self._place(other)
        apart: float = ((a - c) ** 2 + (b - d) ** 2) ** 0.5
        return apart - (self._across(one) + self._across(other)) / 2

    def _bearer(self, name: str) -> str | None:
        below = self.under.get(name)
        return below if below in self.spot else None

    def _across(self, name: str) -> float:
        return self.wide.get(name, 0.04)


def scatter(
    rng: Rng, names: Sequence[str], *, width: float = 0.9, depth: float = 0.45
) -> dict[str, tuple[float, float]]:
    """A point for each thing, none on the others, no two as far right or as far back."""
    xs = [(i + 0.5 + 0.3 * float(rng.uniform(-1, 1))) * width / max(1, len(names)) for i in range(len(names))]
    ys = [(i + 0.5 + 0.3 * float(rng.uniform(-1, 1))) * depth / max(1, len(names)) for i in range(len(names))]
    order, across = rng.permutation(len(names)), rng.permutation(len(names))
    return {name: (xs[int(order[i])], ys[int(across[i])]) for i, name in enumerate(names)}
