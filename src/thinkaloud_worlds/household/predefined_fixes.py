"""Predefined fixes for errors of an action itself: what every action of its kind needs, whatever the task.

A seated robot stands up before it walks; the robot turns to what it looks at, and plugs in what it switches on. Where
to go, what to open and what to put down is up to a plan.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from thinkaloud_worlds.household.actions import ACTIONS


class Remedy(NamedTuple):
    """The action to do first."""

    skill: str
    things: tuple[str, ...]

    @property
    def words(self) -> str:
        """The same in one sentence."""
        signature = ACTIONS[self.skill].signature
        return signature.render(dict(zip((p.name for p in signature.parameters), self.things, strict=True)))


_REMEDIES = (
    (re.compile(r"The robot is (?:sitting|lying)\."), "stand_up"),
    (re.compile(r"The robot (?:does not face|is not facing) the (.+?)(?: while sitting)?\."), "turn_to"),
    (re.compile(r"The (.+) is unplugged\."), "plug_in"),
)


def find_predefined_fix(problem: str) -> Remedy | None:
    """The predefined fix for a problem worded by `render_failure`; None if there is none."""
    for pattern, skill in _REMEDIES:
        if match := pattern.fullmatch(problem):
            return Remedy(skill, match.groups())
    return None
