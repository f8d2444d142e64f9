"""What an episode is: guidelines, a request, perhaps another one before some step, and what is right in the end."""

from __future__ import annotations

import msgspec


class CounterOrder(msgspec.Struct, frozen=True, tag="counter"):
    """What is wanted in one vessel: earlier layers go in first, in any order within a layer."""

    layers: tuple[tuple[str, ...], ...]

    @property
    def materials(self) -> tuple[str, ...]:
        """All that has to be in, from the bottom up."""
        return tuple(material for layer in self.layers for material in layer)


class MachineOrder(msgspec.Struct, frozen=True, tag="machine"):
    """What a machine is to treat: how many of each kind, and with which additive."""

    items: tuple[tuple[str, int], ...]
    additive: str


_Order = CounterOrder | MachineOrder


class OrderEpisode(msgspec.Struct, frozen=True):
    """One request over guidelines (the text itself), and a new request when `before_step` steps are finished.

    `first` is what the first request orders (None if there is no new one, or if it cannot be met); `wanted` is what is
    to be there in the end (None if the latest request cannot be met: `declined`). `says` has the sentence of the
    guidelines for every key that may be needed: "get", "discard", "finish", "add X" for a counter; "grasp K",
    "prepare K", "open", "pull", "put K", "additive A", "close", "start", "wait", "check", "return" for a machine.
    `steps` are the steps expected by the author of a file, in words. `scene` is the world's, as JSON; "" is its own.
    """

    id: str
    guidelines: str
    request: str
    new_request: str | None = None
    before_step: int | None = None
    world: str = "by_hand"
    scene: str = ""
    first: CounterOrder | MachineOrder | None = None
    wanted: CounterOrder | MachineOrder | None = None
    declined: bool = False
    says: dict[str, str] = {}
    steps: tuple[str, ...] = ()
