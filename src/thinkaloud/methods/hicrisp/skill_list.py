"""What the robot can do, as the prompts of HiCRISP tell it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from thinkaloud.skills import Skill


def render_skills(skills: Iterable[Skill]) -> str:
    """Return the line that names the skills."""
    return f"Can: {', '.join(skill.name.replace('_', ' ') for skill in skills)}."


def render_forms(skills: Iterable[Skill]) -> str:
    """Return how each skill is said, for an introduction."""
    said = (re.sub(r"\{(\w+)\}", r"[\1]", skill.signature.says) for skill in skills)
    return f"This robot's steps: {' '.join(said)}"
