"""What a theme is: the words of a small business whose guidelines can be drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

_Share = Literal["always", "some", "one"]
"""Whether a product has one material of a group in any case, any number of them, or one at most."""
_Manner = Literal["solid", "powder", "liquid", "thing"]
"""How a material is handled, which decides its container and the verb of its step."""


@dataclass(frozen=True, slots=True)
class Group:
    """Materials of one sort; those of a lower layer go in first."""

    layer: int
    share: _Share
    manner: _Manner
    label: str
    materials: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CounterTheme:
    """A counter where one thing is put together in a vessel: a salad in a bowl, a candle in a tin."""

    name: str
    noun: str
    vessel: str
    setting: str
    groups: tuple[Group, ...]
    fancy: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MachineTheme:
    """A machine that is loaded, started and waited for: a kiln, a smoker, a washing machine."""

    machine: str
    verb: str
    compartment: str
    compartments: tuple[str, ...]
    item: str
    kinds: tuple[str, ...]
    additive: str
    additives: tuple[str, ...]
    prepare: tuple[str, ...]
    start_place: tuple[str, ...]
    dirty: tuple[str, ...]
    ready: tuple[str, ...]
    minutes: int


def _listed(words: str) -> tuple[str, ...]:
    """The entries of a list with commas."""
    return tuple(word.strip() for word in words.split(","))


def group(layer: int, share: _Share, manner: _Manner, label: str, materials: str) -> Group:
    """A group from a list with commas."""
    return Group(layer, share, manner, label, _listed(materials))


def counter(name: str, noun: str, vessel: str, setting: str, fancy: str, *groups: Group) -> CounterTheme:
    """A theme for a counter from lists with commas."""
    return CounterTheme(name, noun, vessel, setting, groups, _listed(fancy))


def machine(
    name: str,
    verb: str,
    *,
    compartment: str,
    compartments: str,
    item: str,
    kinds: str,
    additive: str,
    additives: str,
    prepare: str,
    start_place: str,
    dirty: str,
    ready: str,
    minutes: int,
) -> MachineTheme:
    """A theme for a machine from lists with commas; additives are written without the noun that all of them share."""
    return MachineTheme(
        name,
        verb,
        compartment,
        tuple(f"{each} {compartment}" for each in _listed(compartments)),
        item,
        _listed(kinds),
        additive,
        tuple(f"{each} {additive}" for each in _listed(additives)),
        _listed(prepare),
        _listed(start_place),
        _listed(dirty),
        _listed(ready),
        minutes,
    )
