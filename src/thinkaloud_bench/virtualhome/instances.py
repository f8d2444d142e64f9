"""The instances: a program that people wrote down in VirtualHome, the home it begins in, and the goal of it.

Goals are those of the Embodied Agent Interface (package eai-eval): states of things, relations between two things, and
actions that have to be carried out one after another (`READ|LOOKAT`: either will do). Not held against anybody: in
which hand something is held (no action chooses a hand), actions that were carried out besides, and whether the robot is
close to a thing or only to what the thing is on (all of VirtualHome's actions take that for the same; so it is with
facing).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud_worlds.household import Goal, GoalSet, HomeGraph, Household
from thinkaloud_worlds.household.goals import HOLDS, HomeCondition
from thinkaloud_worlds.household.spoken_names import ROBOT
from thinkaloud_worlds.household.virtualhome_package import program_text, resource

_GOALS = "virtualhome/task_state_LTL_formula_accurate.json"
_HANDS = ("HOLDS_RH", "HOLDS_LH")
_LINE = re.compile(r"\[(\w+)\](?:\s*<[^<>]+>\s*\([\d.]+\))*")


@dataclass(frozen=True)
class Acted:
    """The last of these actions was carried out, after those before it; each is a choice of actions."""

    actions: tuple[tuple[str, ...], ...]

    def holds(self, world: Household) -> bool:
        """Whether the script that was carried out has it."""
        return order_actions(self.actions, [match[1] for line in world.script if (match := _LINE.match(line))])

    def words(self, home: HomeGraph | None = None) -> str:
        """In a sentence."""
        *before, last = (" or ".join(each) for each in self.actions)
        return f"{last} was carried out{' after ' + ', '.join(before) if before else ''}."


@dataclass(frozen=True)
class IsNear:
    """The robot is close to a node, or faces it, as VirtualHome's own actions judge that."""

    thing: int
    what: str

    def holds(self, world: Household) -> bool:
        """Whether it is so now."""
        return world.state.is_close(self.thing) if self.what == "CLOSE" else world.state.is_facing(self.thing)

    def words(self, home: HomeGraph | None = None) -> str:
        """In a sentence."""
        return Goal(ROBOT, self.what, self.thing).words(home)


@dataclass(frozen=True)
class Instance:
    """One program: what is asked for, where, what has to be so in the end, and how people would do it."""

    id: str
    title: str
    description: str
    home: HomeGraph
    goal: GoalSet
    program: tuple[str, ...]

    @property
    def request(self) -> str:
        """The title and the description, as somebody would say them."""
        return f"{self.title}. {self.description}" if self.description else f"{self.title}."


def order_actions(wanted: Sequence[Sequence[str]], done: Sequence[str]) -> bool:
    """Whether the wanted actions come one after another in what was done, whatever stands between them."""
    rest = iter(done)
    return all(any(action in choice for action in rest) for choice in wanted)


def instance_of(title: str, index: int) -> Instance:
    """The instance of a title, by its number among those that have a goal; BadInput where there are not so many."""
    found = ids_of(title)
    if not 0 <= index < len(found):
        raise BadInput(f"{title!r} has {len(found)} instances; there is no number {index}.")
    return _read_instance(title, found[index])


def ids_of(title: str) -> tuple[str, ...]:
    """The programs of a title whose goal says anything, in the order of the file."""
    goals = _goals()
    if title not in goals:
        raise UnknownName("title", title, goals)
    return tuple(id for id, each in goals[title].items() if each["vh_goal"]["goal"] or each["vh_goal"]["actions"])


def _read_instance(title: str, id: str) -> Instance:
    """An instance by its program's id, such as `27_2`; only its own files are read."""
    first, description, program = read_program(program_text(id), f"program {id}")
    home = HomeGraph.of_program(id)
    return Instance(
        id, first, description, home, goal_of_instance(_goals()[title][id]["vh_goal"], home.character), program
    )


def goal_of_instance(data: Mapping[str, Any], robot: int) -> GoalSet:
    """The goal as the Embodied Agent Interface writes it; BadInput for one without any condition."""
    facts = dict.fromkeys(_fact(each, robot) for each in data["goal"])
    actions = tuple(tuple(each.split("|")) for each in data["actions"])
    return GoalSet((*facts, *(Acted(actions[: at + 1]) for at in range(len(actions)))))


def read_program(text: str, source: str = "program") -> tuple[str, str, tuple[str, ...]]:
    """Title, description and lines of a program's text; BadInput, with the number of the line, for what is none."""
    head: list[str] = []
    lines: list[str] = []
    for number, written in enumerate(text.splitlines(), 1):
        line = written.strip()
        if not line:
            continue
        if line.startswith("["):
            if not _LINE.fullmatch(line):
                raise BadInput(f"{source}:{number}: {line!r} is no step, such as [GRAB] <apple> (1.113).")
            lines.append(line)
        elif lines:
            raise BadInput(f"{source}:{number}: {line!r} stands between the steps.")
        else:
            head.append(" ".join(line.split()))
    if not head:
        raise BadInput(f"{source}: has no title.")
    return head[0], " ".join(head[1:]), tuple(lines)


def _fact(data: Mapping[str, Any], robot: int) -> HomeCondition:
    if "state" in data:
        return Goal(data["id"], data["state"])
    relation = data["relation_type"]
    if relation in ("CLOSE", "FACING") and data["from_id"] == robot:
        return IsNear(data["to_id"], relation)
    return Goal(data["from_id"], HOLDS if relation in _HANDS else relation, data["to_id"])


def _goals() -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = resource(_GOALS)["scene_1"]
    return found
