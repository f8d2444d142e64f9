"""A world of knots, each of which may need others to be undone first; what is seen has a state, so changes are seen.

And the parts of a mind to try corrections with: a plan that is given, a model that chooses among what it may say, and
Algorithm 1 of the HiCRISP paper, line by line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from thinkaloud.clock import Clock, ManualClock
from thinkaloud.episode.ticks import tick
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.methods.hicrisp.planner import WholePlan
from thinkaloud.models import Completion, Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.records import Arguments, Condition, Decision, Observation, Plan, Step, WorldState
from thinkaloud.skills import Kind, Relation, Skill, relation, relations_of, skill, skills_of

NAMES = ("bow", "hitch", "loop", "noose", "sling")
Knot = Annotated[str, Kind("knot")]


def _undoes(knot: str) -> tuple[tuple[str, Arguments], ...]:
    return (("undone", {"knot": knot}),)


class Knots:
    """`needs`: what has to be undone before; `ties`: what is tied up again by it; `slips`: which calls do nothing."""

    name = "knots"

    def __init__(
        self,
        needs: Mapping[str, Sequence[str]] | None = None,
        ties: Mapping[str, str] | None = None,
        slips: Sequence[int] = (),
        names: Sequence[str] = NAMES,
    ) -> None:
        self.time = ManualClock()
        self.clock: Clock = self.time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.needs, self.ties, self.slips, self.names = dict(needs or {}), dict(ties or {}), set(slips), tuple(names)
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.time.seconds, self.calls, self.open = 0.0, 0, list[str]()

    def observe(self) -> Observation:
        undone = self.relations["undone"]
        state = WorldState(self.names, tuple(undone.condition({"knot": name}) for name in sorted(self.open)))
        return Observation(self.names, {"knot": self.names}, state=state)

    def holds(self, condition: Condition) -> bool:
        if condition.relation not in self.relations:
            raise UnknownName("relation", condition.relation, self.relations)
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        return json.dumps([self.time.seconds, self.calls, self.open]).encode()

    def restore(self, snapshot: bytes) -> None:
        self.time.seconds, self.calls, self.open = json.loads(snapshot)

    @relation("The {knot} is undone.")
    def undone(self, knot: Knot) -> bool:
        """Whether a knot is undone."""
        return knot in self.open

    @skill("Undo the {knot}.", effects=_undoes)
    async def undo(self, knot: Knot) -> str:
        """Undo a knot, unless another is in the way."""
        self.calls += 1
        self.time.seconds += 1
        await tick()
        for other in self.needs.get(knot, ()):
            if other not in self.open:
                raise SkillError(f"The {other} is in the way.")
        if self.calls in self.slips:
            return f"The {knot} was pulled."
        self.open = [*dict.fromkeys([*self.open, knot])]
        tied = self.ties.get(knot)
        self.open = [name for name in self.open if name != tied]
        return f"The {knot} came off."

    @skill("Pull at everything.")
    async def pull(self) -> None:
        """Changes nothing, and cannot fail."""
        self.calls += 1
        await tick()

    def step(self, knot: str) -> Step:
        return self.skills["undo"].step({"knot": knot})


def sayings(grammar: str) -> list[str]:
    """All that a grammar of literals, choices and sequences lets somebody say."""
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[()|]', grammar)

    def choice() -> list[str]:
        found = sequence()
        while tokens and tokens[0] == "|":
            tokens.pop(0)
            found += sequence()
        return found

    def sequence() -> list[str]:
        found = [""]
        while tokens and tokens[0] not in "|)":
            token = tokens.pop(0)
            parts = choice() if token == "(" else [json.loads(token)]
            if token == "(":
                tokens.pop(0)
            found = [before + part for before in found for part in parts]
        return found

    return choice()


class Chooser(Scripted):
    """Says one of the things that the grammar allows: the one that `choose` picks, given the prompt and all of them."""

    def __init__(self, choose: Callable[[str, list[str]], str]) -> None:
        super().__init__(self._chosen)
        self._choose, self.offered = choose, list[list[str]]()

    async def complete(self, prompt: str, *, grammar: str | None = None, **more: Any) -> Completion:
        self.offered.append([each.strip() for each in sayings(grammar or "")])
        return await super().complete(prompt, grammar=grammar, **more)

    def _chosen(self, prompt: str) -> str:
        return " " + self._choose(prompt, self.offered[-1])

    @property
    def reasons(self) -> list[str]:
        """Why something failed, as it was told with each question for a correction."""
        asked = [prompt for prompt in self.prompts if prompt.endswith("Needed:")]
        return [re.findall(r"^Why: (.*)$", prompt, re.MULTILINE)[-1] for prompt in asked]


@dataclass
class Given:
    """A plan that is there already; what comes after it is as the planner of whole plans has it."""

    world: Any
    steps: tuple[Step, ...]
    goal: str = "Undo them."
    rest: WholePlan = field(init=False)

    def __post_init__(self) -> None:
        self.rest = WholePlan(Scripted(), self.world)

    async def plan(self, monologue: Monologue) -> Decision:
        if monologue.where(Plan, after=monologue.task_start()) is None:
            return Plan(self.goal, (), self.steps)
        return await self.rest.plan(monologue)


@dataclass(frozen=True)
class Wanted:
    """What Algorithm 1 wants next: a correction for a reason (the model says which), or this step once more."""

    reason: str
    step: Step | None = None


Told = tuple[Step, bool, str]
"""What was executed, and what perception returns: flag and info."""


def algorithm_1(step: Step, info: str, threshold: int) -> Generator[Wanted, Told, list[tuple[Step, str]]]:
    """Lines 8 to 28 of the paper; returns what is left on the stack."""
    stack = [(step, info)]
    for _ in range(threshold):
        correction, flag, info = yield Wanted(stack[-1][1])
        if flag:
            while stack:
                attempt = stack[-1][0]
                _, flag, info = yield Wanted("", attempt)
                if flag:
                    stack.pop()
                else:
                    stack[-1] = (attempt, info)
                    break
            if not stack:
                return stack
        else:
            stack.append((correction, info))
    return stack
