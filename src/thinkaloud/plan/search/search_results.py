"""What a search is asked for, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.records import Condition, Rule, Step


@dataclass(frozen=True)
class Sought:
    """The actions to do and the goals to reach.

    The actions (`deeds`) come in the order in which they were said; the goals (`wishes`) must hold in the end. `kept`
    lists things to leave alone. No added step takes one of them as an argument, and no action takes one as its first
    argument (it may be what something is put on, if somebody said so). Nothing that is true of them may end: they must
    not fall when something is pulled away from under them. With `in_order`, the sequence itself is meant ("open the
    lid, then close it"), and an effect that a later action undoes is dropped in the end. No step breaks one of the
    `rules` that people gave.
    """

    deeds: tuple[Step, ...] = ()
    wishes: tuple[Condition, ...] = ()
    kept: frozenset[str] = frozenset()
    in_order: bool = False
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True)
class Found:
    """The steps, in order. `added` are those that nobody asked for.

    `lost` are the goals that do not hold in the end, because the sequence itself was meant, or because an action only
    prepared a later one (taking the cup that is then put down).
    """

    steps: tuple[Step, ...]
    added: tuple[Step, ...] = ()
    lost: tuple[Condition, ...] = ()
    tried: int = 0
    """How many situations were examined."""


@dataclass(frozen=True)
class NotFound:
    """No steps were found, and why, in plain words.

    `deed` is the action that cannot be done, if there is one; `missing` is what would have to hold for it; `apart` are
    two goals that exclude each other. With `gave_up`, there may be a way, but the limit was reached first. With
    `forbidden`, the robot's builder declared that it must never be.
    """

    why: str
    deed: Step | None = None
    missing: tuple[Condition, ...] = ()
    apart: tuple[Condition, ...] = ()
    gave_up: bool = False
    tried: int = 0
    forbidden: bool = False

    @property
    def blocked_by(self) -> tuple[Condition, ...]:
        """What prevents it, as conditions: what is missing, or the goals that exclude each other."""
        return self.missing or self.apart
