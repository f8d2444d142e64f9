"""A dialogue about a table while it is made up: the planner's turns are demonstrated, everybody else's are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from thinkaloud.clock import ManualClock
from thinkaloud.episode.approval import PERSON
from thinkaloud.methods.multitalk.analyzer import Analyzer, verdict_grammar
from thinkaloud.methods.multitalk.dialogue_text import FEASIBLE, HEADING, THOUGHT_LABEL, render_instructions
from thinkaloud.methods.multitalk.planner import MultiTalk
from thinkaloud.methods.multitalk.planner_answers import NO_ACTION_REQUIRED, QUESTIONS, RERUN, dialogue_answer_grammar
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Done,
    Look,
    Observation,
    Plan,
    Refusal,
    Rehearsal,
    Request,
    Step,
    Violation,
    WorldState,
)
from thinkaloud.robots import open_world
from thinkaloud.skills import Skill
from thinkaloud.worlds.contract import Briefing, briefing_of
from thinkaloud_worlds.franka.box_geometry import ObjectBox, boxes_of
from training.demonstrators.multitalk.placing import expand
from training.demonstrators.multitalk.tables import Point, Table
from training.samples import Sample
from training.teacher import Misfit, Teacher

RIGHT = 0.45
"""How often the analyzer is asked about a plan that is right."""
CHECKED = 0.05
"""The part of the answers that is held against the grammar here; the tests do it with all."""


@dataclass(frozen=True)
class Deed:
    """What one thing, or several, are wanted to come to. `where` is the place in words, or a point.

    `way`: something tall that stands in the way, and is put aside meanwhile.
    """

    form: str
    things: tuple[str, ...]
    where: str | Point = ""
    way: str = ""


def put(thing: str, where: str | Point, way: str = "") -> Deed:
    """Put a thing somewhere."""
    return Deed("put", (thing,), where, way)


@dataclass(frozen=True)
class Robot:
    """As much of a world as prompts tell of."""

    skills: Mapping[str, Skill]
    briefing: Briefing
    name: str = "robot"


@cache
def arm(bounds: tuple[float, float, float, float] | None = None) -> Robot:
    """The arm of the Franka world, at its own table or at another one."""
    world = open_world("franka")
    about = briefing_of(world).about
    if bounds is not None:
        left, right, low, high = bounds
        about = about.replace("-0.15 to 0.45", f"{left} to {right}").replace("-0.62 to 0.62", f"{low} to {high}")
    return Robot(world.skills, Briefing(about=about))


@dataclass(frozen=True)
class Made:
    """A plan of the expert's: what was thought, and the steps."""

    thought: str
    steps: tuple[Step, ...]
    deeds: tuple[Deed, ...] = field(default=())


class Talk:
    """One dialogue."""

    def __init__(
        self, rng: np.random.Generator, table: Table, request: str, *, asks: bool = True, robot: Robot | None = None
    ) -> None:
        self.rng, self.table, self.asks = rng, table, asks
        self.robot = robot or arm()
        self.monologue = Monologue(ManualClock())
        self.teacher = Teacher(lambda _: "", "multitalk.planner")
        self._planner = MultiTalk(self.teacher, self.robot, asks=asks)  # type: ignore[arg-type]
        self._analyzer = Analyzer(self.teacher, self.robot, asks=asks)  # type: ignore[arg-type]
        self.checks: list[Sample] = []
        self.monologue.append(Request(request))
        self.monologue.append(table.seen())

    @property
    def scene(self) -> Observation:
        """What was seen last."""
        seen = self.monologue.last(Observation)
        assert seen is not None
        return seen

    @property
    def state(self) -> WorldState:
        """How things are."""
        assert self.scene.state is not None
        return self.scene.state

    @property
    def boxes(self) -> dict[str, ObjectBox]:
        """Where things are."""
        return boxes_of(self.state)

    def samples(self) -> list[Sample]:
        """All that was demonstrated."""
        return [*self.teacher.samples, *self.checks]

    # The planner ------------------------------------------------------------------------------------------------------

    def make(self, deeds: Sequence[Deed], *, banned: Sequence[Point] = (), remark: str = "") -> Made:
        """The plan for some deeds; Crowded where there is no room for it."""
        thought, steps = expand(
            self.boxes,
            [(deed.form, deed.things, deed.where) for deed in deeds],
            held=self.table.held,
            bearers=frozenset(thing.name for thing in self.table.wide if thing.name in self.boxes),
            banned=frozenset(banned),
            round_it=next((deed.way for deed in deeds if deed.way), ""),
            remark=remark,
        )
        return Made(thought, steps, tuple(deeds))

    def plans(
        self, deeds: Sequence[Deed] | Made, *, banned: Sequence[Point] = (), remark: str = "", check: bool = True
    ) -> Made:
        """The planner says a plan."""
        made = deeds if isinstance(deeds, Made) else self.make(deeds, banned=banned, remark=remark)
        self._shown(made.thought, "\n".join([HEADING, *render_instructions(made.steps)]))
        if check and self.rng.random() < RIGHT:
            self.checked(made)
        return self.planned(made)

    def planned(self, made: Made) -> Made:
        """A plan was made; nobody learns to make it."""
        self.monologue.append(Plan("", (), made.steps, verbatim=made.thought))
        return made

    def asks_for(self, thought: str, *questions: str) -> None:
        """The planner asks."""
        asked = [f"{number}: {question}" for number, question in enumerate(questions, 1)]
        self._shown(thought, "\n".join([QUESTIONS, *asked]))
        self.monologue.append(Ask(questions, thought))

    def looks(self, thought: str, *, again: bool = True) -> None:
        """The planner has the scene looked at again, and that shows more, or it does not."""
        self._shown(thought, RERUN)
        self.monologue.append(Look(thought))
        self.monologue.append(self.table.seen(again=again))

    def leaves(self, thought: str) -> None:
        """The planner does nothing."""
        self._shown(thought, NO_ACTION_REQUIRED)
        self.monologue.append(Done(thought, "left off"))

    def _shown(self, thought: str, answer: str) -> None:
        prompt, text = self._planner.prompt(self.monologue), f" {thought}\n{answer}\n\n"
        if self.rng.random() < CHECKED:
            grammar = dialogue_answer_grammar(self.robot.skills, self.scene.vocabulary, asks=self.asks)
            if not accepts(grammar, text):
                raise Misfit(f"{text!r} after {prompt!r}")
        self.teacher.note(prompt, text)

    # The others -------------------------------------------------------------------------------------------------------

    def human(self, text: str) -> None:
        """A person answers."""
        self.monologue.append(Answer(text))

    def objects(self, text: str) -> None:
        """A person does not agree with the plan."""
        self.monologue.append(Critique((Violation(None, text),), PERSON))

    def critic(self, *found: tuple[int, str]) -> None:
        """The analyzer finds fault with steps of the plan, counted from 1."""
        self.monologue.append(Critique(tuple(Violation(step - 1, why) for step, why in found), "analyzer"))

    def simulator(self, step: int, error: str) -> None:
        """It would not work at a step, counted from 1."""
        self.monologue.append(Critique((), "analyzer"))
        self.monologue.append(Rehearsal(False, step - 1, error))

    def refused(self, words: str, why: str) -> None:
        """What was said could not be read."""
        self.monologue.append(Refusal("planner", f"{THOUGHT_LABEL} {words}", why))

    # The analyzer -----------------------------------------------------------------------------------------------------

    def checked(self, made: Made, *found: tuple[int, str], asked: str = "", same: bool = False) -> None:
        """The analyzer's word about a plan that is made now; the dialogue itself does not go on."""
        other = Monologue(ManualClock())
        for event in self.monologue:
            other.append(event.record)
        other.append(Plan("", (), made.steps, verbatim=made.thought))
        prompt = self._analyzer.prompt(other)
        thought = (
            "The planner sticks to its plan."
            if same
            else f"Asked: {asked or told(made.deeds)}. Plan: {self.seen_in(made)}."
        )
        verdict = "\n".join(f"{step}: {why}" for step, why in found) or FEASIBLE
        answer = f" {thought}\n{verdict}\n\n"
        if self.rng.random() < CHECKED and not accepts(verdict_grammar(len(made.steps)), answer):
            raise Misfit(f"{answer!r} after {prompt!r}")
        self.checks.append(Sample("multitalk.analyzer", ((prompt, answer),)))

    def seen_in(self, made: Made) -> str:
        """What a plan does, by its coordinates: what is really grasped, and where it goes."""
        at, found, held = {name: (box.x, box.y) for name, box in self.boxes.items()}, list[str](), self.table.held
        small = {thing.name for thing in self.table.small}
        for step in made.steps:
            if step.skill == "home":
                continue
            point = (float(step.arguments["x"]), float(step.arguments["y"]))
            if step.skill == "grasp":
                held = (_near(at, point, 0.011) or ["nothing"])[-1]
                continue
            there = [name for name in _near(at, point, 0.045) if name in small and name != held]
            found.append(f"{held} to ({point[0]:.2f}, {point[1]:.2f}){f', where {there[0]} is' if there else ''}")
            at[held] = point
        return "; ".join(found)

    def at(self, name: str) -> Point:
        """Where a thing is."""
        return self.table.named(name).at


def _near(at: Mapping[str, Point], point: Point, far: float) -> list[str]:
    return [name for name, (x, y) in at.items() if max(abs(x - point[0]), abs(y - point[1])) < far]


def told(deeds: Sequence[Deed]) -> str:
    """What is wanted, in few words."""
    return "; ".join(map(_told, deeds))


def _told(deed: Deed) -> str:
    if deed.form == "exchange":
        return f"{deed.things[0]} and {deed.things[1]} exchanged"
    if deed.form == "line":
        return f"a line along {deed.where} of {', '.join(deed.things)}"
    where = deed.where if isinstance(deed.where, str) else f"to ({deed.where[0]:.2f}, {deed.where[1]:.2f})"
    return f"{deed.things[0]} {where.replace(' the ', ' ')}"


def changed(deed: Deed, **what: str | Point | tuple[str, ...]) -> Deed:
    """The same deed with something else in it."""
    return replace(deed, **what)  # type: ignore[arg-type]
