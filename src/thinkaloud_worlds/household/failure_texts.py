"""VirtualHome's failure messages, in words for people and models."""

from __future__ import annotations

import re

from thinkaloud.skills.signatures import capitalised
from thinkaloud_worlds.household.engine import HomeState
from thinkaloud_worlds.household.home_graph import HomeGraph

_NODE = re.compile(r"<[^<>]*> \((-?\d+)\)")
_AFTER = re.compile(r'\s*when executing ".*?"(?=,|$)')
_BETTER = (
    (r"char room (.+) is not node room (.+)", r"the robot is in \1, not in \2"),
    (r"none of object on (.+) is eatable", r"nothing on \1 can be eaten"),
    (r"(.+) is not eatable", r"\1 cannot be eaten"),
    (r"(.+) is not drinkable or not recipient", r"\1 cannot be drunk"),
    (r"(.+) is not pourable or drinkable", r"\1 cannot be poured"),
    (r"(.+) is not recipient", r"nothing can be poured into \1"),
    (r"(.+) is not lieable", r"one cannot lie on \1"),
    (r"(.+) is not sittable", r"one cannot sit on \1"),
    (r"(.+?) (?:is )?not lookable", r"\1 cannot be watched"),
    (r"(.+) already grabbed", r"the robot holds \1 already"),
    (r"(.+) not grabbed", r"the robot does not hold \1"),
    (r"(.+) is not holding (.+)", r"\1 does not hold \2"),
    (r"(.+) is not open or is not openable", r"\1 is not open"),
    (r"(.+) can not be opened", r"\1 cannot be opened"),
    (r"(.+) is not grabbable", r"\1 cannot be grabbed"),
    (r"(.+) is not movable", r"\1 cannot be moved"),
    (r"(.+) does not hold anything in hands", r"\1 holds nothing"),
    (r"too many things on (.+)", r"there are too many things on \1"),
    (r"(.+) is not on the robot", r"the robot does not wear \1"),
    (r"(.+) is inside other closed thing", r"\1 is inside another thing, which is closed"),
    (r"(.+) is not plugged_out", r"\1 is not unplugged"),
    (r"(.+) is not plugged_in", r"\1 is not plugged in"),
)


def render_failure(said: str, home: HomeGraph, state: HomeState) -> str:
    """Turn VirtualHome's message into a sentence with names for nodes, and what the robot knows of itself.

    It says no more about the home than VirtualHome does: in what a thing is shut away, the robot has to find out.
    """
    parts = [part.strip() for part in re.split(r",(?=<)", _AFTER.sub("", said)) if part.strip()]
    told = [_sentence(part, home, state) for part in dict.fromkeys(parts)]
    return " ".join(told) or "That could not be done."


def _sentence(part: str, home: HomeGraph, state: HomeState) -> str:
    words = _NODE.sub(lambda found: f"the {home.names.get(int(found[1]), 'thing')}", part)
    words = words[:1].lower() + words[1:]
    for pattern, better in _BETTER:
        if re.fullmatch(pattern, words):
            words = re.sub(pattern, better, words)
            break
    if words.endswith("does not have a free hand"):
        words += ": it holds " + " and ".join(f"the {home.names[thing]}" for thing in state.held())
    if words == "the robot is sitting" and "LYING" in state.states(state.character):
        words = "the robot is lying"
    return capitalised(words.rstrip(".")) + "."
