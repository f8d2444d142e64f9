"""Examples for MultiTalk's planner: every kind of answer and of feedback, on things and tasks of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from thinkaloud.dialogue.examples import Example, carry, home, planned, seen
from thinkaloud.plan.demonstrations import TABLETOP, Demonstration
from thinkaloud.records import Answer, Ask, Look, Observation, Rehearsal, Started
from thinkaloud.skills import Skill


def examples_for(skills: Mapping[str, Skill], *, asks: bool) -> list[Example]:
    """The examples that a robot with these skills could follow; without questions where nobody answers."""
    fitting = [example for example in (*COORDINATES, *map(_by_name, TABLETOP)) if example.fits(skills)]
    return [e for e in fitting if asks or not any(isinstance(turn, Ask) for turn in e.turns)]


def _by_name(told: Demonstration) -> Example:
    """A demonstration for a robot that picks and places by name."""
    steps = [started.step for started in told.monologue(failures=False).since(None, Started)]
    reasoned = [replace(step, reason=f"The {step.arguments['object']} belongs there") for step in steps]
    return Example(Observation(told.objects, {}), told.request, (planned(*reasoned),))


_BRUSH, _TAPE = (0.22, -0.41, 0.02), (0.36, 0.18, 0.03)
_MARKER_1, _MARKER_2 = (0.12, -0.36, 0.06), (0.31, 0.44, 0.06)
_CANDLE, _KEY_BOX = (0.28, -0.12, 0.05), (0.40, 0.30, 0.04)
_STAPLER, _ERASER = (0.18, 0.52, 0.03), (0.34, -0.27, 0.02)

COORDINATES = (
    Example(
        seen({"brush": ((0.04, 0.12, 0.04), _BRUSH), "tape": ((0.06, 0.06, 0.05), _TAPE)}),
        "Swap the brush and the tape.",
        (
            planned(
                *carry("brush", _BRUSH, 0.10, 0.45, "aside"),
                *carry("tape", _TAPE, 0.22, -0.41, "where the brush was"),
                *carry("brush", (0.10, 0.45, 0.02), 0.36, 0.18, "where the tape was"),
                home(),
                thought="The brush and the tape are here, and each goes where the other was.",
            ),
        ),
    ),
    Example(
        seen({"eraser": ((0.05, 0.03, 0.03), _ERASER), "candle": ((0.05, 0.05, 0.10), _CANDLE)}),
        "Lay the stapler down at (0.30, 0.10).",
        (
            Look("The stapler is not here."),
            seen(
                {
                    "eraser": ((0.05, 0.03, 0.03), _ERASER),
                    "candle": ((0.05, 0.05, 0.10), _CANDLE),
                    "stapler": ((0.04, 0.13, 0.06), _STAPLER),
                }
            ),
            planned(
                *carry("stapler", _STAPLER, 0.30, 0.10),
                home(),
                thought="The stapler is here now. It goes to (0.30, 0.10).",
            ),
        ),
    ),
    Example(
        seen({"marker 1": ((0.02, 0.02, 0.12), _MARKER_1), "marker 2": ((0.02, 0.02, 0.12), _MARKER_2)}),
        "Hand me the marker.",
        (
            Ask(
                ("Which marker do you mean, marker 1 or marker 2?", "Where should I put the marker?"),
                "It is not said which marker, and not where.",
            ),
            Answer("1: marker 2 2: at (0.40, -0.20)"),
            planned(
                *carry("marker 2", _MARKER_2, 0.40, -0.20),
                home(),
                thought="Marker 2 is here. It goes to (0.40, -0.20).",
            ),
        ),
    ),
    Example(
        seen({"key box": ((0.06, 0.10, 0.08), _KEY_BOX), "candle": ((0.05, 0.05, 0.10), _CANDLE)}),
        "Set the candle down at (0.40, 0.31).",
        (
            planned(
                *carry("candle", _CANDLE, 0.40, 0.31), home(), thought="The candle is here. It goes to (0.40, 0.31)."
            ),
            Rehearsal(False, 1, "Collision detected between candle and key box."),
            planned(
                *carry("key box", _KEY_BOX, 0.25, -0.50, "aside"),
                *carry("candle", _CANDLE, 0.40, 0.31),
                home(),
                thought="The key box is in the way, so it goes aside first.",
            ),
        ),
    ),
    Example(
        seen({"eraser": ((0.05, 0.03, 0.03), _ERASER), "brush": ((0.04, 0.12, 0.04), _BRUSH)}),
        "Shift the eraser to (0.62, 0.10).",
        (
            Ask(
                ("(0.62, 0.10) lies outside the table. Where should I put the eraser instead?",),
                "The eraser is here, but (0.62, 0.10) is not on the table.",
            ),
        ),
    ),
    Example(
        seen(
            {
                "tape": ((0.06, 0.06, 0.05), _TAPE),
                "brush": ((0.04, 0.12, 0.04), _BRUSH),
                "eraser": ((0.05, 0.03, 0.03), _ERASER),
            }
        ),
        "Move the brush to (0.15, 0.40).",
        (planned(*carry("brush", _BRUSH, 0.15, 0.40), home(), thought="The brush is here. It goes to (0.15, 0.40)."),),
    ),
)
"""For a robot that grasps at a point, moves to a point and goes home."""
