"""A plan that worked, written as a program: a Python function over the robot's skills, or a behaviour tree.

All names and words in it come from outside. They get into the program as Python literals only, never as code and never
as comments.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from thinkaloud.clock import WallClock
from thinkaloud.errors import BadInput, ThinkaloudError
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import Begin, Condition, End, Outcome, Record, Request, Started, Step, Value, Verdict
from thinkaloud.robots import open_world
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.worlds.full_world import FullWorld, base_name, is_opposite

_PLAN = '''"""A plan that worked, exported by thinkaloud. It runs without a model.

    python THIS_FILE                     in the world that it was made in
    await plan(Replay(robot))            with a robot of yours

After each step it checks what has to be so, and raises CheckFailed if it is not.
"""

from thinkaloud.robots.replay import Replay, replay_here

ABOUT = {about}


async def plan(replay: Replay) -> None:
{body}

if __name__ == "__main__":
    raise SystemExit(replay_here(plan, ABOUT))
'''
_TREE = '''"""A plan that worked as a behaviour tree for py_trees, exported by thinkaloud. It runs without a model.

    python THIS_FILE                                   in the world that it was made in
    root = build_tree(Replay(robot)); root.tick_once() with a robot of yours

After each step it checks what has to be so, and fails with the reason if it is not.
"""

import py_trees

from thinkaloud.robots.behaviour_tree import Check, Do, tick_here
from thinkaloud.robots.replay import Replay

ABOUT = {about}


def build_tree(replay: Replay) -> py_trees.behaviour.Behaviour:
    return py_trees.composites.Sequence(
        {request},
        memory=True,
        children=[
{body}        ],
    )


if __name__ == "__main__":
    raise SystemExit(tick_here(build_tree, ABOUT))
'''
_NONE = "No request in this session ended with its goal met; only a plan that worked can be exported."


@dataclass(frozen=True)
class WorkedPlan:
    """The steps that worked, what held after each, and what held at the end."""

    about: Mapping[str, str]
    steps: tuple[tuple[Step, tuple[Condition, ...]], ...]
    goal: tuple[Condition, ...]


def find_worked_plan(records: list[tuple[int, float, Record]], session: str) -> WorkedPlan:
    """The plan of the latest request that was met; raises BadInput if there is none."""
    monologue = _latest_that_worked(records)
    begin, request = monologue.first(Begin), monologue.last(Request)
    assert begin is not None and request is not None
    try:
        world = FullWorld(open_world(begin.world, scene=begin.scene or None))
    except ThinkaloudError as error:
        raise BadInput(f"{begin.world} is needed to say what to check, and cannot be opened: {error}") from error
    steps = [step for step in _worked(monologue) if step.skill not in STEPS]
    if not steps:
        raise BadInput("Nothing had to move for this request: there is no plan to export.")
    about = {
        "request": request.text,
        "session": session,
        "world": begin.world,
        "scene": begin.scene,
        "seed": str(begin.seed),
    }
    checked = tuple((step, _promised(world, step)) for step in steps)
    return WorkedPlan(about, checked, monologue.goal())


def _latest_that_worked(records: list[tuple[int, float, Record]]) -> Monologue:
    """The events up to the end of the latest request whose goal was met."""
    ends = [at for at, (_, _, record) in enumerate(records) if isinstance(record, End) and record.result == "goal met"]
    if not ends:
        raise BadInput(_NONE)
    return Monologue(WallClock(), (Event(*row) for row in records[: ends[-1] + 1]))


def _worked(monologue: Monologue) -> list[Step]:
    """The steps of the latest request that completed and that no check objected to."""
    found: list[Step] = []
    ended = False
    for event in monologue.task():
        match event.record:
            case Started():
                ended = False
            case Outcome(step=step, ending="completed"):
                found.append(step)
                ended = True
            case Verdict(ok=False) if ended:
                found.pop()
                ended = False
            case Verdict(step=step, ok=True) if not ended and step not in found[-1:]:
                found.append(step)  # it was interrupted, but what it was for had come about
    return found


def _promised(world: FullWorld, step: Step) -> tuple[Condition, ...]:
    skill = world.skills.get(step.skill)
    if skill is None:
        raise BadInput(f"{world.name} has no skill {step.skill!r} any more; the plan cannot be exported.")
    return tuple(skill.promises(step.arguments, world.relations))


# Writing --------------------------------------------------------------------------------------------------------------


def write_plan(plan: WorkedPlan) -> str:
    """The plan as a Python function."""
    lines = []
    for step, conditions in plan.steps:
        lines.append(f"    await replay.do({_text(step.skill)}, {_dict(step.arguments)})")
        lines += [f"    replay.{_checks(each)}" for each in conditions]
    lines += [f"    replay.{_checks(each)}" for each in _left(plan)]
    return _PLAN.format(about=_about(plan), body="".join(f"{line}\n" for line in lines))


def write_tree(plan: WorkedPlan) -> str:
    """The plan as a behaviour tree."""
    nodes = []
    for step, conditions in plan.steps:
        nodes.append(f"Do(replay, {_text(step.skill)}, {_dict(step.arguments)})")
        nodes += [_node(each) for each in conditions]
    nodes += [_node(each) for each in _left(plan)]
    body = "".join(f"            {node},\n" for node in nodes)
    return _TREE.format(about=_about(plan), request=_text(plan.about["request"]), body=body)


def _left(plan: WorkedPlan) -> list[Condition]:
    """What has to be so at the end, unless the last step's checks have just said so."""
    return [each for each in plan.goal if each not in plan.steps[-1][1]]


def _checks(condition: Condition) -> str:
    name = "check_not" if is_opposite(condition.relation) else "check"
    return f"{name}({_text(base_name(condition.relation))}, {_dict(condition.arguments)})"


def _node(condition: Condition) -> str:
    so = ", so=False" if is_opposite(condition.relation) else ""
    return f"Check(replay, {_text(base_name(condition.relation))}, {_dict(condition.arguments)}{so})"


def _about(plan: WorkedPlan) -> str:
    inside = "".join(f"    {_text(key)}: {_text(value)},\n" for key, value in plan.about.items())
    return f"{{\n{inside}}}"


def _dict(arguments: Mapping[str, Value]) -> str:
    return "{" + ", ".join(f"{_text(name)}: {_literal(value)}" for name, value in arguments.items()) + "}"


def _text(text: str) -> str:
    return _literal(str(text))


def _literal(value: Value) -> str:
    """A Python literal; nothing that a text says can end it, and control characters are escaped."""
    if isinstance(value, float) and not math.isfinite(value):
        raise BadInput(f"{value} cannot be written into a program.")
    if type(value) not in (str, int, float, bool):
        raise BadInput(f"A {type(value).__name__} cannot be written into a program.")
    return repr(value)


class Recorded(Protocol):
    """A session in the journal."""

    id: str

    def events(self) -> list[tuple[int, float, Record]]:
        """All events: index, time, record."""
        ...


def write_program(session: Recorded, path: Path) -> None:
    """Write the plan of a session to a file: a behaviour tree if the file's name says `tree`, else a function."""
    plan = find_worked_plan(session.events(), session.id)
    words = path.stem.lower().replace("-", "_").split("_")
    path.write_text(write_tree(plan) if "tree" in words else write_plan(plan), encoding="utf-8")
