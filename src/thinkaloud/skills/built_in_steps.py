"""The mind's own steps: what a plan may contain in addition to the world's skills. They move nothing.

`say` speaks, `note` records what has changed, `update_wm` asks the memory to find that out itself, `on_emergency` calls
for help.
"""

from __future__ import annotations

from thinkaloud.records import Step

SAY, NOTE, UPDATE, HELP = "say", "note", "update_wm", "on_emergency"
STEPS = (SAY, NOTE, UPDATE, HELP)


def say(text: str) -> Step:
    """Tell the person something."""
    return Step(SAY, {"text": text}, f"Say: {text}")


def call_for_help(matter: str) -> Step:
    """Call for help, in the way that the robot's builder declared."""
    return Step(HELP, {"matter": matter}, f"Call for help: {matter}")


def note(changes: str) -> Step:
    """Write down changes of the world, one a line."""
    return Step(NOTE, {"changes": changes}, f"Take note: {changes.replace(chr(10), '; ')}")


def update(query: str, state: str = "") -> Step:
    """Have the memory brought up to date with a query; `state` where the planner wrote the next state itself."""
    given = {"query": query, "state": state} if state else {"query": query}
    return Step(UPDATE, given, f"Take note: {query}")
