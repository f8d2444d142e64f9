"""What MultiTalk's planner and analyzer both read and write: scenes as dictionaries, plans as numbered actions.

    {'soup can 1': ((0.07, 0.07, 0.10), (0.38, -0.51, 0.05))}        name: (length, width, height), centre
    [(('tray', 'soup can 1'), 'on')]                                 the second is on the first
    1: Grasp soup can 1: grasp((0.38, -0.51, 0.05))                  the reason, and what it is a reason for
    2: Put soup can 1 in front of the arm: move((0.10, 0.20))

If a world does not say how large things are, only their names are given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from thinkaloud.language.calls import render_call
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import (
    Answer,
    Arguments,
    Ask,
    Condition,
    Critique,
    Look,
    Observation,
    Outcome,
    Plan,
    Request,
    Step,
    Value,
    WorldState,
)
from thinkaloud.state.scene_text import held_things

HEADING = "Step-by-step Instructions:"
THOUGHT_LABEL = "Thought:"
FEASIBLE = "Feasible Plan!"
_RELATIONS = {"on": "on", "inside": "in", "near": "near"}
"""The relations that are shown, and their names."""
_CENTRE, _BOX = ("x", "y", "z"), ("length", "width", "height")


def render_environment(scene: Observation) -> str:
    """Return all that is seen, as a dictionary, one thing per line."""
    known = scene.state.attributes if scene.state is not None else {}
    told = [f"{name!r}{_place(known.get(name, {}))}" for name in known_things(scene)]
    held = [f"In the hand: {name}" for name in held_things(scene.state)]
    return "\n".join(["{" + ",\n ".join(told) + "}", *held])


def known_things(scene: Observation) -> list[str]:
    """Return what is in view, and what was seen before and is known to be there still."""
    state = scene.state or WorldState()
    there = {*scene.objects, *(name for name in scene.hidden if name in state.attributes)}
    return [*(name for name in state.objects if name in there), *(n for n in scene.objects if n not in state.objects)]


def _place(known: Mapping[str, Value]) -> str:
    if not {*_CENTRE, *_BOX} <= known.keys():
        return ""
    return f": ({_numbers(known[side] for side in _BOX)}, {_numbers(known[axis] for axis in _CENTRE)})"


def render_relations(scene: Observation) -> str:
    """Return what is on, in or near what, as a list; the thing that the relation is about comes second."""
    relations = scene.state.relations if scene.state is not None else ()
    return "[" + ", ".join(_pair(each) for each in relations if each.relation in _RELATIONS) + "]"


def _pair(relation: Condition) -> str:
    first, second = list(relation.arguments.values())[:2]
    return f"(({str(second)!r}, {str(first)!r}), {_RELATIONS[relation.relation]!r})"


def render_action(step: Step) -> str:
    """Return a step as the call of an action; if all arguments are numbers, they form one point."""
    return render_action_call(step.skill, step.arguments)


def render_action_call(name: str, arguments: Arguments) -> str:
    """Return the call of an action; a third coordinate of 0 is left out."""
    values = list(arguments.values())
    if values and all(isinstance(value, float) for value in values):
        return render_call(name, [values[:2] if len(values) == 3 and not values[2] else values], _numbers)
    return render_call(name, values)


def _numbers(values: Iterable[Value]) -> str:
    texts = [f"{float(value) + 0.0:.2f}" for value in values]  # + 0.0 removes negative zero
    return f"({', '.join('0.00' if text == '-0.00' else text for text in texts)}{',' if len(texts) == 1 else ''})"


def render_instructions(steps: Sequence[Step], *, reason_first: bool = True) -> list[str]:
    """Return a plan as numbered lines: each action after its reason, or before it, as in the paper."""
    return [f"{number}: {render_instruction(step, reason_first)}" for number, step in enumerate(steps, 1)]


def render_instruction(step: Step, reason_first: bool = True) -> str:
    """Return one line of a plan, without its number."""
    action = render_action(step)
    if not step.reason:
        return action
    return f"{step.reason}: {action}" if reason_first else f"{action} # {step.reason}"


def render_objections(critique: Critique) -> list[str]:
    """Return what was found wrong, each with the number of its step."""
    return [v.why if v.step is None else f"{v.step + 1}: {v.why}" for v in critique.violations]


def render_questions_and_answers(monologue: Monologue, before: int | None = None) -> list[str]:
    """Return the questions for the current request and the person's answers, in order, numbered; or None."""
    told: list[str] = []
    for event in monologue[monologue.task_start() + 1 : before]:
        match event.record:
            case Ask(questions, approval=False):
                told.extend(questions)
            case Answer(text) if not is_about_approval(event, monologue):
                told.append(text)
            case _:
                pass
    return [f"{number}: {text}" for number, text in enumerate(told, 1)] or ["None"]


def is_about_approval(event: Event, monologue: Monologue) -> bool:
    """Whether an answer was to the loop's own question: whether a plan or a step may be carried out."""
    asked = monologue.last((Ask, Request), before=event.index)
    return isinstance(asked, Ask) and asked.approval


def is_ordered_look(event: Event, monologue: Monologue) -> bool:
    """Whether the planner requested this look, or an interruption caused it."""
    cause = monologue.last((Look, Outcome, Request, Plan, Observation), before=event.index)
    return isinstance(cause, Look) or (isinstance(cause, Outcome) and cause.ending == "interrupted")
