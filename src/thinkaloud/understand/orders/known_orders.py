"""What orders are read with: the guidelines, what their rules mean, and what was ordered and done before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.remaining_steps import PlanRules
from thinkaloud.records import Step
from thinkaloud.skills import Skill


@dataclass(frozen=True)
class Orders:
    """What orders are read with: the guidelines, what their rules mean, and what was ordered and done before."""

    guidelines: Guidelines
    facts: PlanRules = field(default_factory=PlanRules)
    unread: tuple[str, ...] = ()
    """Rules that nobody could make out."""
    homes: Mapping[str, str] = field(default_factory=dict)
    """Where things belong that the guidelines do not name."""
    earlier: tuple[str, ...] = ()
    """The programs of earlier orders, the oldest first."""
    done: tuple[Step, ...] = ()
    """What was done for an order that is not finished."""
    unfinished: bool = False
    """Whether an order is under way, or was left off."""
    teller: Skill | None = None
    """Where it is given, each step is told to it in words, whatever the robot can do."""
