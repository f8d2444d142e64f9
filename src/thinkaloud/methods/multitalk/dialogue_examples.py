"""Examples of dialogues about a plan, as data: what was seen, what was asked for, and what everybody said.

Every role that talks about plans renders them the way it renders a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from thinkaloud.clock import ManualClock
from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation, Plan, Record, Request, Step, WorldState

_Numbers = tuple[float, float, float]
_Things = Mapping[str, tuple[_Numbers, _Numbers]]
"""Length, width and height of each thing, and its centre."""


@dataclass(frozen=True)
class DialogueExample:
    """A request in a scene, and the dialogue about it; an observation among the turns is a second look.

    `thoughts` are the analyzer's thoughts before each critique.
    """

    scene: Observation
    request: str
    turns: tuple[Record, ...]
    thoughts: tuple[str, ...] = ()

    def monologue(self) -> Monologue:
        """Return the example as a run would have recorded it."""
        said = Monologue(ManualClock())
        for record in (Request(self.request), self.scene, *self.turns):
            said.append(record)
        return said

    def fits(self, skills: Mapping[str, object]) -> bool:
        """Whether a robot with these skills could do what is done here."""
        return {step.skill for turn in self.turns if isinstance(turn, Plan) for step in turn.steps} <= skills.keys()


def scene_with(things: _Things) -> Observation:
    """Return what perception would have reported about these things."""
    attributes = {}
    for name, ((length, width, height), (x, y, z)) in things.items():
        attributes[name] = {"x": x, "y": y, "z": z, "length": length, "width": width, "height": height}
    return Observation(tuple(things), {}, state=WorldState(tuple(things), (), attributes))


def example_plan(*steps: Step, thought: str = "") -> Plan:
    """A plan of these steps, and what was thought before."""
    return Plan("", (), steps, thought, verbatim=thought)


def grasp(at: _Numbers, reason: str) -> Step:
    """Take hold of what is at a point."""
    x, y, z = at
    return Step("grasp", {"x": x, "y": y, "z": z}, "", reason)


def move(x: float, y: float, reason: str) -> Step:
    """Carry what is in the hand to a point."""
    return Step("move", {"x": x, "y": y}, "", reason)


def home() -> Step:
    """Go home, at the end."""
    return Step("home", {}, "", "Go home")


def carry(name: str, at: _Numbers, x: float, y: float, where: str = "") -> tuple[Step, Step]:
    """Bring a thing from where it is to a point, which is spoken of in words or as it is."""
    return grasp(at, f"Grasp the {name}"), move(x, y, f"Put the {name} {where or f'at ({x:.2f}, {y:.2f})'}")
