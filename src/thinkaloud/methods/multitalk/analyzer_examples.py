"""Examples for the Analyzer: plans with a fault, plans that assume something that was not said, and sound ones."""

from __future__ import annotations

from thinkaloud.methods.multitalk.dialogue_examples import DialogueExample, carry, example_plan, home, scene_with
from thinkaloud.records import Answer, Ask, Critique, Record, Violation

ANALYZER = "analyzer"
_CLOCK, _PUNCH, _PURSE = (0.26, -0.38, 0.06), (0.33, 0.29, 0.05), (0.41, -0.15, 0.04)
_DESK = {
    "clock": ((0.06, 0.06, 0.12), _CLOCK),
    "hole punch": ((0.05, 0.11, 0.09), _PUNCH),
    "purse": ((0.06, 0.09, 0.08), _PURSE),
}


def _wrong(step: int, why: str) -> Critique:
    return Critique((Violation(step - 1, why),), ANALYZER)


def _told(request: str, thought: str, *turns: Record) -> DialogueExample:
    """With what the thought speaks of on the desk."""
    there = {name: box for name, box in _DESK.items() if name in thought}
    return DialogueExample(scene_with(there), request, turns, (thought,))


ANALYZER_EXAMPLES = (
    _told(
        "Move the clock to (0.30, 0.10).",
        "The clock is at (0.26, -0.38) and goes to (0.30, 0.10). Step 1 grasps at (0.33, 0.29), the hole punch.",
        example_plan(*carry("clock", _PUNCH, 0.30, 0.10), home()),
        _wrong(1, "the hole punch is grasped, but the task is about the clock at (0.26, -0.38, 0.06)."),
    ),
    _told(
        "Pass me the purse.",
        "The purse goes to the person; where that is was neither said nor asked. Step 2 assumes (0.30, 0.00).",
        example_plan(*carry("purse", _PURSE, 0.30, 0.00), home()),
        _wrong(2, "the person did not say where to put the purse, and was not asked."),
    ),
    _told(
        "Swap the clock and the hole punch.",
        "Each goes where the other is. Step 2 puts the clock at (0.33, 0.29), where the hole punch still stands.",
        example_plan(
            *carry("clock", _CLOCK, _PUNCH[0], _PUNCH[1]),
            *carry("hole punch", _PUNCH, _CLOCK[0], _CLOCK[1]),
            home(),
        ),
        _wrong(2, "the clock is put where the hole punch still stands; use a free place first."),
    ),
    _told(
        "Pass me the purse.",
        "The purse goes to (0.35, 0.10), as was answered. So the plan has it.",
        Ask(("Where should I put the purse?",)),
        Answer("at (0.35, 0.10)"),
        example_plan(*carry("purse", _PURSE, 0.35, 0.10), home()),
        Critique((), ANALYZER),
    ),
)
