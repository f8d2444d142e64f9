"""The kitchen as a robot: our controller's motions as skills, and FrankaKitchen's own completion as relations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Self

from thinkaloud import Kind, relation
from thinkaloud.robots.gymnasium import GymnasiumWorld, Policy, policy
from thinkaloud_bench.frankakitchen.kitchen import ELEMENTS, make_kitchen
from thinkaloud_bench.frankakitchen.reaching import HANDLES, move_handle, push_kettle

MOST, STEADY = 200, 20
"""Steps for one attempt, and how long it has to last."""
Burner = Annotated[str, Kind("burner")]
Cabinet = Annotated[str, Kind("cabinet")]


class FrankaKitchen(GymnasiumWorld):
    """An arm in front of a stove and cabinets."""

    name = "frankakitchen"
    about = "An arm stands in front of a stove, with a kettle on it, a light, and two cabinets above."
    kinds = {  # noqa: RUF012
        "burner": ("bottom burner", "top burner"),
        "cabinet": ("sliding cabinet", "hinged cabinet"),
        "fixture": ("light", "kettle"),
    }

    def __init__(self, held: bool = False) -> None:
        self._held = held
        super().__init__()

    def make(self) -> Any:
        """Make the environment."""
        return make_kitchen(held=self._held)

    def another(self) -> Self:
        """Another kitchen; nobody holds the arm in a rehearsal."""
        return type(self)()

    def is_done(self, element: str) -> bool:
        """What FrankaKitchen says."""
        return ELEMENTS[element] in self.info["done"]

    def _run(self, actions: Iterator[Any]) -> Policy:
        return lambda seen: next(actions, None)

    def _move(self, element: str) -> Policy:
        inside = self.env.unwrapped
        return self._run(move_handle(inside.model, inside.data, HANDLES[element]))

    @policy("Turn on the {burner}.", effects=lambda burner: (("is_on", {"burner": burner}),), most=MOST, steady=STEADY)
    def turn_on(self, burner: Burner) -> Policy:
        """Turn on a burner of the stove by its knob.

        Args:
            burner: which burner.
        """
        return self._move(burner)

    @policy(
        "Open the {cabinet}.", effects=lambda cabinet: (("is_open", {"cabinet": cabinet}),), most=MOST, steady=STEADY
    )
    def open(self, cabinet: Cabinet) -> Policy:
        """Open a cabinet by its handle.

        Args:
            cabinet: which cabinet.
        """
        return self._move(cabinet)

    @policy("Switch on the light.", effects=lambda: (("light_on", {}),), most=MOST, steady=STEADY)
    def switch_on_light(self) -> Policy:
        """Switch on the light over the stove."""
        return self._move("light")

    @policy("Move the kettle to the back.", effects=lambda: (("kettle_at_back", {}),), most=MOST, steady=STEADY)
    def move_kettle(self) -> Policy:
        """Push the kettle from the front burner to the one at the back."""
        inside = self.env.unwrapped
        return self._run(push_kettle(inside.model, inside.data))

    @relation("{burner} is on.")
    def is_on(self, burner: Burner) -> bool:
        """Whether a burner is on."""
        return self.is_done(burner)

    @relation("{cabinet} is open.")
    def is_open(self, cabinet: Cabinet) -> bool:
        """Whether a cabinet is open."""
        return self.is_done(cabinet)

    @relation("The light is on.")
    def light_on(self) -> bool:
        """Whether the light is on."""
        return self.is_done("light")

    @relation("The kettle is at the back.")
    def kettle_at_back(self) -> bool:
        """Whether the kettle is on a burner at the back."""
        return self.is_done("kettle")
