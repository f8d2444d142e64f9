"""The mind's own steps: what a plan may contain in addition to the world's skills. They move nothing.

`say` speaks, `note` records what has changed, `update_wm` asks the memory to find that out itself.
"""

from __future__ import annotations

from thinkaloud.records import Step

SAY, NOTE, UPDATE = "say", "note", "update_wm"
STEPS = (SAY, NOTE, UPDATE)


def say(text: str) -> Step:
    """Tell the person something."""
    return Step(SAY, {"text": text}, f"Say: {text}")


def note(changes: str) -> Step:
    """Write down changes of the world, one a line."""
    return Step(NOTE, {"changes": changes}, f"Take note: {changes.replace(chr(10), '; ')}")


def update(query: str, state: str = "") -> Step:
    """Have the memory brought up to date with a query; `state` where the planner wrote the next state itself."""
    given = {"query": query, "state": state} if state else {"query": query}
    return Step(UPDATE, given, f"Take note: {query}")
