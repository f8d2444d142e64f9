"""The same plans as programs with assertions, as ProgPrompt writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from thinkaloud.methods.progprompt.examples import render_program_call
from thinkaloud_worlds.household.actions import ACTIONS

_ASSERTED = {"open": ("opened", 0.9), "turn_to": ("facing", 0.3), "find": ("close_to", 0.25), "grab": ("holding", 0.15)}
"""What is asserted in place of being done at once, and how often."""
_FORMS = {
    name: re.compile(re.sub(r"\\{\w+\\}", "(.+)", re.escape(deed.signature.says))) for name, deed in ACTIONS.items()
}


def call_of(step: str) -> tuple[str, tuple[str, ...]]:
    """A step as a call: the skill and its things."""
    for name, form in sorted(_FORMS.items(), key=lambda each: -len(each[1].pattern)):
        if match := form.fullmatch(step):
            return name, match.groups()
    raise ValueError(step)


def program_of(steps: Sequence[str], rng: np.random.Generator) -> list[str]:
    """The lines of a program; where something may be so already it is asserted, with what makes it so."""
    lines: list[str] = []
    found = set[str]()
    for step in steps:
        name, things = call_of(step)
        call = render_program_call(name, things)
        relation, often = _ASSERTED.get(name, ("", 0.0))
        if relation and rng.random() < often and (name != "find" or things[0] in found):
            call = f"assert {relation}('{things[0]}') else: {call}"
        found.update(things)
        lines.append(call)
    return lines
