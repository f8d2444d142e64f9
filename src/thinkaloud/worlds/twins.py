"""Worlds that can be copied, so that a plan can be tried where nothing can break."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from thinkaloud.worlds import World


@runtime_checkable
class Twinned(World, Protocol):
    """A world with a twin; a real robot that has a simulation of itself is one, too."""

    def twin(self) -> World:
        """A copy of this world, in this very state, in which things can be tried: this one stays as it is.

        Raises NotImplementedError where there is none just now.
        """
        ...
