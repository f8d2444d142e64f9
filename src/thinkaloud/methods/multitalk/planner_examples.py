"""Examples for MultiTalk's planner: every kind of answer and of feedback, on things and tasks of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from thinkaloud.methods.multitalk.dialogue_examples import DialogueExample, carry, example_plan, home, scene_with
from thinkaloud.plan.demonstrations import TABLETOP, Demonstration
from thinkaloud.records import Answer, Ask, Critique, Done, Look, Observation, Plan, Rehearsal, Started, Step, Violation
from thinkaloud.skills import Skill


def examples_for(skills: Mapping[str, Skill], *, asks: bool, looks: bool = True) -> list[DialogueExample]:
    """Return the examples that a robot with these skills could follow; without questions or looks if it has none."""
    fitting = [example for example in (*COORDINATES, *map(_by_name, TABLETOP)) if example.fits(skills)]
    without = (*([] if asks else [Ask]), *([] if looks else [Look]))
    return [example for example in fitting if not any(isinstance(turn, without) for turn in example.turns)]


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


def _plan(*steps: Step, thought: str) -> Plan:
    return example_plan(*steps, home(), thought=thought)


COORDINATES = (
    DialogueExample(
        _some("candle"),
        "Lay the stapler down at (0.30, 0.10).",
        (
            Look("What: the stapler, which is not in the environment. Where: (0.30, 0.10)."),
            _some("candle", "stapler"),
            _plan(
                *carry("stapler", _STAPLER, 0.30, 0.10),
                thought="What: the stapler at (0.18, 0.52, 0.03). Where: (0.30, 0.10), which is free.",
            ),
        ),
    ),
    DialogueExample(
        _some("marker 1", "marker 2"),
        "Hand me the marker.",
        (
            Ask(
                ("Which marker do you mean, marker 1 or marker 2?", "Where should I put it?"),
                "What: marker 1 or marker 2, not said which. Where: not said.",
            ),
            Answer("1: marker 2 2: at (0.40, -0.20)"),
            _plan(
                *carry("marker 2", _MARKER_2, 0.40, -0.20),
                thought="What: marker 2 at (0.31, 0.44, 0.06). Where: (0.40, -0.20), which is free.",
            ),
        ),
    ),
    DialogueExample(
        _some("key box", "candle"),
        "Stand the candle at (0.40, 0.31).",
        (
            _plan(
                *carry("candle", _CANDLE, 0.40, 0.31),
                thought="What: the candle at (0.28, -0.12, 0.05). Where: (0.40, 0.31).",
            ),
            Rehearsal(False, 1, "Collision detected between candle and key box."),
            _plan(
                *carry("key box", _KEY_BOX, 0.25, -0.50, "aside"),
                *carry("candle", _CANDLE, 0.40, 0.31),
                thought="What: the candle at (0.28, -0.12, 0.05). Where: (0.40, 0.31), but the key box is at "
                "(0.40, 0.30). It goes aside to a free place, (0.25, -0.50).",
            ),
        ),
    ),
    DialogueExample(
        _some("eraser"),
        "Shift the eraser to (0.62, 0.10).",
        (
            Ask(
                ("(0.62, 0.10) lies outside the table. Where should I put the eraser instead?",),
                "What: the eraser. Where: (0.62, 0.10), but x = 0.62 is more than 0.45: outside the table.",
            ),
            Answer("Then leave it."),
            Done("The person does not want it any more.", "left off"),
        ),
    ),
    DialogueExample(
        _some("tape", "candle"),
        "Hands off, everything stays where it is.",
        (Done("What: nothing is to be moved.", "finished"),),
    ),
    DialogueExample(
        _some("key box"),
        "Fetch the key box.",
        (
            _plan(*carry("key box", _KEY_BOX, 0.30, 0.00), thought="What: the key box. Where: to the person."),
            Critique((Violation(1, "where the key box goes was not said, and nobody was asked."),), "analyzer"),
            Ask(("Where should I put the key box?",), "What: the key box. Where: not said, as the analyzer says."),
        ),
    ),
    DialogueExample(
        _some("brush", "tape"),
        "Swap the brush and the tape.",
        (
            _plan(
                *carry("brush", _BRUSH, 0.10, 0.45, "aside"),
                *carry("tape", _TAPE, 0.22, -0.41, "where the brush was"),
                *carry("brush", (0.10, 0.45, 0.02), 0.36, 0.18, "where the tape was"),
                thought="What: the brush at (0.22, -0.41, 0.02) and the tape at (0.36, 0.18, 0.03). Where: each where "
                "the other is. The brush goes aside first, to a free place, (0.10, 0.45).",
            ),
        ),
    ),
)
"""Examples for a robot that grasps at a point, moves to a point and goes home."""
