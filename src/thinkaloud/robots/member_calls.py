"""Whether a robot's own functions take what thinkaloud calls them with: its methods, and the parts of its skills.

Nothing is called here: some of these functions move the robot, or call for help.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from thinkaloud.abilities import members_of
from thinkaloud.records import Arguments
from thinkaloud.skills import Skill
from thinkaloud.worlds.contract import ABILITIES, World

_FIRST: Mapping[str, str] = {"check": "", "fix": "problem", "first": "state"}
"""The parts of a skill that are not tried, and what they are given before the skill's own arguments."""


def list_wrong_methods(world: World) -> Iterator[str]:
    """The methods of a robot that do not take what they are called with: `on_emergency(self)` gets what happened."""
    for ability in (World, *ABILITIES):
        for name in members_of(ability):
            wanted, own = vars(ability).get(name), getattr(world, name, None)
            if not inspect.isfunction(wanted) or not callable(own):
                continue
            takes = [*inspect.signature(wanted).parameters.values()][1:]
            given = [each.name for each in takes if each.default is each.empty]
            if not _fits(own, given, {}):
                written = ", ".join(["self", *(each.name for each in takes)])
                yield f"{world.name}: `{name}` does not take what it is called with. Write `def {name}({written})`."


def list_wrong_parts(skill: Skill, arguments: Arguments) -> Iterator[str]:
    """The parts of a skill that do not take what they are called with."""
    for part, first in _FIRST.items():
        function = getattr(skill, part)
        if function is not None and not _fits(function, [first] if first else [], arguments):
            takes = ", ".join([*([first] if first else []), *arguments, "**_"])
            yield f"{skill.name}: `{part}` does not take what it is called with. Let its parameters be ({takes})."


def _fits(function: Callable[..., Any], given: list[str], arguments: Mapping[str, object]) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a built-in function does not tell
        return True
    try:
        signature.bind(*given, **arguments)
    except TypeError:
        return False
    return True
