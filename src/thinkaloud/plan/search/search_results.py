"""What a search is asked for, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.records import Condition, Step


@dataclass(frozen=True)
class Sought:
    """What is to be done and to be so.

    `deeds` come in the order in which they were said; `wishes` must hold in the end. `kept` are things to be left
    alone: no further step has one of them as an argument, no deed has one as its first argument (it may be what
    something is put on, where somebody said so), and nothing that is so of them ends (they do not fall off what is
    pulled away from under them). `in_order`: the sequence itself is meant ("open the lid, then close it"), and what a
    later deed undoes is given up in the end.
    """

    deeds: tuple[Step, ...] = ()
    wishes: tuple[Condition, ...] = ()
    kept: frozenset[str] = frozenset()
    in_order: bool = False


@dataclass(frozen=True)
class Found:
    """The steps, in order. `added` are those among them that nobody said.

    `lost` are the wishes that do not hold in the end: where the sequence itself was meant, and where a deed was only
    the means for a later one (to take the cup that is put down then).
    """

    steps: tuple[Step, ...]
    added: tuple[Step, ...] = ()
    lost: tuple[Condition, ...] = ()
    tried: int = 0
    """How many situations were looked at."""


@dataclass(frozen=True)
class NotFound:
    """No steps were found, and why, in plain words.

    `deed` is the one that something stands against, if it is one; `missing` what would have to be so for it;
    `apart` two wishes that cannot be together. `gave_up`: there may be a way, but the limit was reached first.
    """

    why: str
    deed: Step | None = None
    missing: tuple[Condition, ...] = ()
    apart: tuple[Condition, ...] = ()
    gave_up: bool = False
    tried: int = 0

    @property
    def blocked_by(self) -> tuple[Condition, ...]:
        """What stands against it, as conditions: what is missing, or the wishes that exclude each other."""
        return self.missing or self.apart
