"""What is predefined for errors of an action itself: what every action of its kind needs, whatever the task is.

Who sits stands up before walking, turns to what is to be looked at, and plugs in what is to be switched on. Where to
go, what to open and what to put out of the hands is for a plan to say.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from thinkaloud_worlds.household.actions import ACTIONS


class Remedy(NamedTuple):
    """What is done first."""

    skill: str
    things: tuple[str, ...]

    @property
    def words(self) -> str:
        """In a sentence."""
        signature = ACTIONS[self.skill].signature
        return signature.render(dict(zip((p.name for p in signature.parameters), self.things, strict=True)))


_REMEDIES = (
    (re.compile(r"The robot is (?:sitting|lying)\."), "stand_up"),
    (re.compile(r"The robot (?:does not face|is not facing) the (.+?)(?: while sitting)?\."), "turn_to"),
    (re.compile(r"The (.+) is unplugged\."), "plug_in"),
)


def find_predefined_fix(problem: str) -> Remedy | None:
    """What is predefined for a problem, as `render_failure` words it; None where nothing is."""
    for pattern, skill in _REMEDIES:
        if match := pattern.fullmatch(problem):
            return Remedy(skill, match.groups())
    return None
