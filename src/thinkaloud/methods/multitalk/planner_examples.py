"""Examples for MultiTalk's planner: every kind of answer and of feedback, on things and tasks of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from thinkaloud.methods.multitalk.dialogue_examples import DialogueExample, carry, example_plan, home, scene_with
from thinkaloud.plan.demonstrations import TABLETOP, Demonstration
from thinkaloud.records import Answer, Ask, Look, Observation, Rehearsal, Started
from thinkaloud.skills import Skill


def examples_for(skills: Mapping[str, Skill], *, asks: bool) -> list[DialogueExample]:
    """The examples that a robot with these skills could follow; without questions where nobody answers."""
    fitting = [example for example in (*COORDINATES, *map(_by_name, TABLETOP)) if example.fits(skills)]
    return [e for e in fitting if asks or not any(isinstance(turn, Ask) for turn in e.turns)]


def _by_name(told: Demonstration) -> DialogueExample:
    """A demonstration for a robot that picks and places by name."""
    steps = [started.step for started in told.monologue(failures=False).since(None, Started)]
    reasoned = [replace(step, reason=f"The {step.arguments['object']} belongs there") for step in steps]
    return DialogueExample(Observation(told.objects, {}), told.request, (example_plan(*reasoned),))


_BRUSH, _TAPE = (0.22, -0.41, 0.02), (0.36, 0.18, 0.03)
_MARKER_1, _MARKER_2 = (0.12, -0.36, 0.06), (0.31, 0.44, 0.06)
_CANDLE, _KEY_BOX = (0.28, -0.12, 0.05), (0.40, 0.30, 0.04)
_STAPLER, _ERASER = (0.18, 0.52, 0.03), (0.34, -0.27, 0.02)
_THINGS = {
    "brush": ((0.04, 0.12, 0.04), _BRUSH),
    "tape": ((0.06, 0.06, 0.05), _TAPE),
    "marker 1": ((0.02, 0.02, 0.12), _MARKER_1),
    "marker 2": ((0.02, 0.02, 0.12), _MARKER_2),
    "candle": ((0.05, 0.05, 0.10), _CANDLE),
    "key box": ((0.06, 0.10, 0.08), _KEY_BOX),
    "stapler": ((0.04, 0.13, 0.06), _STAPLER),
    "eraser": ((0.05, 0.03, 0.03), _ERASER),
}


def _some(*names: str) -> Observation:
    return scene_with({name: _THINGS[name] for name in names})


COORDINATES = (
    DialogueExample(
        _some("eraser", "candle"),
        "Lay the stapler down at (0.30, 0.10).",
        (
            Look("What: the stapler, which is not here. Where: (0.30, 0.10)."),
            _some("eraser", "candle", "stapler"),
            example_plan(
                *carry("stapler", _STAPLER, 0.30, 0.10), home(), thought="What: the stapler. Where: (0.30, 0.10)."
            ),
        ),
    ),
    DialogueExample(
        _some("marker 1", "marker 2"),
        "Hand me the marker.",
        (
            Ask(
                ("Which marker do you mean, marker 1 or marker 2?", "Where should I put the marker?"),
                "What: the marker, but not said which. Where: not said.",
            ),
            Answer("1: marker 2 2: at (0.40, -0.20)"),
            example_plan(
                *carry("marker 2", _MARKER_2, 0.40, -0.20), home(), thought="What: marker 2. Where: (0.40, -0.20)."
            ),
        ),
    ),
    DialogueExample(
        _some("candle", "eraser", "brush"),
        "Set the candle down beside the eraser.",
        (
            example_plan(
                *carry("candle", _CANDLE, 0.34, -0.34, "next to the eraser"),
                home(),
                thought="What: the candle. Where: next to the eraser.",
            ),
        ),
    ),
    DialogueExample(
        _some("key box", "candle"),
        "Stand the candle at (0.40, 0.31).",
        (
            example_plan(
                *carry("candle", _CANDLE, 0.40, 0.31), home(), thought="What: the candle. Where: (0.40, 0.31)."
            ),
            Rehearsal(False, 1, "Collision detected between candle and key box."),
            example_plan(
                *carry("key box", _KEY_BOX, 0.25, -0.50, "aside"),
                *carry("candle", _CANDLE, 0.40, 0.31),
                home(),
                thought="What: the candle, but the key box is in the way. Where: (0.40, 0.31).",
            ),
        ),
    ),
    DialogueExample(
        _some("eraser", "brush"),
        "Shift the eraser to (0.62, 0.10).",
        (
            Ask(
                ("(0.62, 0.10) lies outside the table. Where should I put the eraser instead?",),
                "What: the eraser. Where: (0.62, 0.10), which is outside the table.",
            ),
        ),
    ),
    DialogueExample(
        _some("tape", "stapler", "key box"),
        "Fetch the key box.",
        (
            Ask(("Where should I put the key box?",), "What: the key box. Where: not said."),
            Answer("at (0.18, -0.30)"),
            example_plan(
                *carry("key box", _KEY_BOX, 0.18, -0.30), home(), thought="What: the key box. Where: (0.18, -0.30)."
            ),
        ),
    ),
    DialogueExample(
        _some("brush", "tape"),
        "Swap the brush and the tape.",
        (
            example_plan(
                *carry("brush", _BRUSH, 0.10, 0.45, "aside"),
                *carry("tape", _TAPE, 0.22, -0.41, "where the brush was"),
                *carry("brush", (0.10, 0.45, 0.02), 0.36, 0.18, "where the tape was"),
                home(),
                thought="What: the brush and the tape. Where: each where the other was.",
            ),
        ),
    ),
    DialogueExample(
        _some("tape", "brush", "eraser"),
        "Move the brush to (0.15, 0.40).",
        (example_plan(*carry("brush", _BRUSH, 0.15, 0.40), home(), thought="What: the brush. Where: (0.15, 0.40)."),),
    ),
)
"""For a robot that grasps at a point, moves to a point and goes home."""
