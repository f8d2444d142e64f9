"""Demonstrations for few-shot prompts, as data; every variant of a planner renders the same ones in its own form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from thinkaloud.clock import ManualClock
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Observation, Plan, Request, Started, Step, Verdict


@dataclass(frozen=True)
class Move:
    """One action of a demonstration: whether it worked, and what it undid or hid."""

    object: str
    target: str
    works: bool = True
    undoes: tuple[str, ...] = ()
    hides: str = ""


@dataclass(frozen=True)
class Demonstration:
    """A request on a table, what it means, and how it went."""

    objects: tuple[str, ...]
    request: str
    goal: tuple[tuple[str, str], ...]
    moves: tuple[Move, ...] = field(default=())

    def monologue(self, *, failures: bool = True) -> Monologue:
        """The demonstration as a run would have recorded it; without failures for robots that could not notice them."""
        said = Monologue(ManualClock())
        conditions = {name: _on(name, target) for name, target in self.goal}
        in_view, reached = list(self.objects), dict[str, Condition]()
        said.append(Request(self.request))
        said.append(Observation(tuple(in_view), {}))
        said.append(Plan(self.request, tuple(conditions.values()), ()))
        for number, move in enumerate(move for move in self.moves if move.works or failures):
            words = f"Pick the {move.object} and place it on the {move.target}."
            step = Step("pick_and_place", {"object": move.object, "target": move.target}, words)
            open_ = [name for name in conditions if name not in reached]
            said.append(Plan(self.request, tuple(conditions.values()), (step,), still_open(open_) if number else ""))
            said.append(Started(step))
            for name in move.undoes:
                reached.pop(name, None)
            if move.works:
                reached[move.object] = conditions[move.object]
            if move.works and move.hides:
                in_view.remove(move.hides)
            said.append(Verdict(step, move.works, "action"))
            said.append(
                Observation(tuple(in_view), {}, achieved=tuple(c for n, c in conditions.items() if n in reached))
            )
        return said


def still_open(names: Sequence[str]) -> str:
    """The thought that sums up what is left, as the demonstrations have it."""
    listed = " and the ".join(names)
    return f"The {listed} {'is' if len(names) == 1 else 'are'} not done yet."


def _on(name: str, target: str) -> Condition:
    return Condition("on", {"object": name, "target": target}, f"{name[0].upper()}{name[1:]} is on the {target}.")


TABLETOP = (
    Demonstration(
        ("cyan block", "yellow block", "brown bowl"),
        "Put the yellow block in the brown bowl.",
        (("yellow block", "brown bowl"),),
        (Move("yellow block", "brown bowl", works=False), Move("yellow block", "brown bowl")),
    ),
    Demonstration(
        ("gray block", "pink block", "orange block", "red bowl"),
        "Put all the blocks on the bottom side.",
        (("gray block", "bottom side"), ("pink block", "bottom side"), ("orange block", "bottom side")),
        (
            Move("gray block", "bottom side"),
            Move("pink block", "bottom side", works=False),
            Move("pink block", "bottom side"),
            Move("orange block", "bottom side"),
        ),
    ),
    Demonstration(
        ("purple block", "green block", "blue block", "cyan bowl"),
        "Stack all the blocks.",
        (("green block", "purple block"), ("blue block", "green block")),
        (
            Move("green block", "purple block", hides="purple block"),
            Move("blue block", "green block", hides="green block"),
        ),
    ),
    Demonstration(
        ("red block", "brown block", "pink bowl", "yellow bowl"),
        "Put all the blocks in the pink bowl.",
        (("red block", "pink bowl"), ("brown block", "pink bowl")),
        (Move("red block", "pink bowl"), Move("brown block", "pink bowl")),
    ),
)
"""Written for this robot, from the four tasks that the paper counts as seen, and from none of the others."""
