"""Demonstrations for few-shot prompts, as data; each variant of a planner renders them in its own form."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.clock import ManualClock
from thinkaloud.monologue import Monologue
from thinkaloud.plan.transcript import render_goal, render_open
from thinkaloud.records import Condition, Observation, Plan, Request, Started, Step, Verdict


@dataclass(frozen=True)
class Demonstration:
    """A request on a table and what it means; `fails` lists the goals that take two tries, by number."""

    objects: tuple[str, ...]
    request: str
    goal: tuple[tuple[str, str], ...]
    fails: tuple[int, ...] = ()

    def monologue(self, *, failures: bool = True) -> Monologue:
        """Return the demonstration as a run would have recorded it; without failures for robots that cannot notice
        them."""
        said = Monologue(ManualClock())
        conditions = {name: _on(name, target) for name, target in self.goal}
        in_view, reached, goal = list(self.objects), list[str](), tuple(conditions.values())
        said.append(Request(self.request))
        said.append(Observation(self.objects, {}))
        said.append(Plan(self.request, goal, (), verbatim=render_goal([c.words for c in goal])))
        for number, (name, target) in enumerate(self.goal):
            step = Step("pick_and_place", {"object": name, "target": target}, _pick(name, target))
            for works in (False, True) if failures and number in self.fails else (True,):
                moved = said.last(Started) is not None
                thought = render_open([c for name, c in conditions.items() if name not in reached]) if moved else ""
                said.append(Plan(self.request, goal, (step,), thought, verbatim=thought))
                said.append(Started(step))
                if works:
                    reached.append(name)
                    in_view = [thing for thing in in_view if thing != target or "bowl" in thing]
                achieved = tuple(conditions[name] for name in reached)
                said.append(Verdict(step, works, "action"))
                said.append(Observation(tuple(in_view), {}, achieved=achieved))
        return said


def _pick(name: str, target: str) -> str:
    return f"Pick the {name} and place it on the {target}."


def _on(name: str, target: str) -> Condition:
    return Condition("on", {"object": name, "target": target}, f"{name.capitalize()} is on the {target}.")


TABLETOP = (
    Demonstration(
        ("cyan block", "yellow block", "red block", "brown bowl"),
        "Pick the red block and place it on the brown bowl.",
        (("red block", "brown bowl"),),
        fails=(0,),
    ),
    Demonstration(
        ("purple block", "green block", "blue block", "cyan bowl"),
        "Stack all the blocks.",
        (("green block", "purple block"), ("blue block", "green block")),
    ),
    Demonstration(
        ("green block", "purple block", "gray block", "orange bowl"),
        "Put all the blocks on the top right corner.",
        (("green block", "top right corner"), ("purple block", "top right corner"), ("gray block", "top right corner")),
        fails=(1,),
    ),
    Demonstration(
        ("red block", "blue block", "purple block", "pink bowl", "yellow bowl"),
        "Put all the blocks in the yellow bowl.",
        (("red block", "yellow bowl"), ("blue block", "yellow bowl"), ("purple block", "yellow bowl")),
    ),
)
"""Written for this robot, from the four tasks that the paper counts as seen, and from no others."""
