"""A dialogue about a table while it is made up: the planner's turns are demonstrated, everybody else's are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from thinkaloud.clock import ManualClock
from thinkaloud.methods.multitalk.short_answers import NOT_HERE, short_answer_grammar
from thinkaloud.methods.multitalk.short_dialogue import AGAIN, ASK, CHECK, MEANT, PLAN, points_of, render_short_dialogue
from thinkaloud.methods.multitalk.short_verdicts import OK, short_verdict_grammar
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Look,
    Observation,
    Plan,
    Rehearsal,
    Request,
    Step,
    Violation,
    WorldState,
)
from training.demonstrators.multitalk.tables import Point, Table
from training.samples import Sample
from training.teacher import Misfit, Teacher

SOME = (Step("home", {}, "Go home.", "Go home"),)
"""What stands for the steps of a plan: they are not told."""
RIGHT = 0.5
"""How often the analyzer is asked about a plan that is right."""
CHECKED = 0.1
"""The part of the answers that is held against the grammar here; the tests do it with all."""


@dataclass(frozen=True)
class Deed:
    """One line of a plan. `things` are what it moves, `where` is the place in words, or a point."""

    form: str
    things: tuple[str, ...]
    where: str | Point = ""
    way: str = ""

    def said(self, points: dict[Point, str]) -> str:
        """The line."""
        way = f", round the {self.way}" if self.way else ""
        if self.form == "put":
            where = self.where if isinstance(self.where, str) else f"at {points.get(self.where, 'P1')}"
            return f"Put the {self.things[0]} {where}{way}."
        if self.form == "exchange":
            return f"Exchange the {self.things[0]} and the {self.things[1]}{way}."
        return f"Line up along {self.where}: {', '.join(self.things)}{way}."


def put(thing: str, where: str | Point, way: str = "") -> Deed:
    """Put a thing somewhere."""
    return Deed("put", (thing,), where, way)


class Talk:
    """One dialogue."""

    def __init__(self, rng: np.random.Generator, table: Table, request: str, *, asks: bool = True) -> None:
        self.rng, self.table, self.asks = rng, table, asks
        self.deeds = table.deeds()
        self.monologue = Monologue(ManualClock())
        self.planner = Teacher(lambda _: "", "multitalk.planner")
        self.checks: list[Sample] = []
        self.gone: tuple[str, ...] = ()
        self._looked = False
        self.monologue.append(Request(request))
        self.monologue.append(table.seen())

    @property
    def points(self) -> dict[Point, str]:
        """The names of points that were spoken of."""
        return {point: name for name, point in points_of(self.monologue).names.items()}

    @property
    def state(self) -> WorldState:
        """How things are."""
        seen = self.monologue.last(Observation)
        assert seen is not None and seen.state is not None
        return seen.state

    def samples(self) -> list[Sample]:
        """All that was demonstrated."""
        return [*self.planner.samples, *self.checks]

    # The planner ------------------------------------------------------------------------------------------------------

    def plans(self, meant: str, deeds: Sequence[Deed]) -> None:
        """The planner says a plan."""
        lines = self.lines(deeds)
        if self.rng.random() < RIGHT:
            self.checked(meant, deeds)
        self._shown(f" {meant}\n{PLAN} {lines}\n")
        self.planned(meant, deeds)

    def planned(self, meant: str, deeds: Sequence[Deed]) -> None:
        """A plan was made; nobody learns to make it."""
        spelled = points_of(self.monologue).spelled(self.lines(deeds))
        self.monologue.append(Plan("", (), SOME, verbatim=f"{meant}\n{PLAN} {spelled}"))

    def lines(self, deeds: Sequence[Deed]) -> str:
        """A plan in words."""
        points = self.points
        return " ".join(deed.said(points) for deed in deeds)

    def asks_for(self, meant: str, *questions: str, trouble: bool = False) -> None:
        """The planner asks."""
        self._shown(f" {meant}\n{ASK} {' '.join(questions)}\n", plans=not trouble)
        self.monologue.append(Ask(questions, meant))

    def looks(self, what: str, *, decided: bool, again: bool = True) -> None:
        """The scene is looked at again: the planner wants it (`decided`), or it goes without saying."""
        meant = f"{what}{NOT_HERE}"
        if decided:
            self._shown(f" {meant}\n{AGAIN}\n")
        self._looked = True
        self.monologue.append(Look(meant))
        self.monologue.append(self.table.seen(again=again))

    def _shown(self, answer: str, *, plans: bool = True) -> None:
        prompt = render_short_dialogue(self.monologue, self.deeds, asks=self.asks, gone=self.gone) + MEANT
        if self.rng.random() < CHECKED:
            looks = not self._looked
            points = points_of(self.monologue)
            grammar = short_answer_grammar(self.deeds, self.state, points, plans=plans, asks=self.asks, looks=looks)
            if not accepts(grammar, answer):
                raise Misfit(f"{answer!r} after {prompt!r}")
        self.planner.note(prompt, answer)

    # The others -------------------------------------------------------------------------------------------------------

    def human(self, text: str) -> None:
        """A person answers."""
        self.monologue.append(Answer(text))

    def critic(self, why: str) -> None:
        """Somebody finds fault with the plan."""
        self.monologue.append(Critique((Violation(None, why),), "rules"))

    def simulator(self, error: str) -> None:
        """It would not work."""
        self.monologue.append(Rehearsal(False, 1, error))

    def checked(self, meant: str, deeds: Sequence[Deed], verdict: str = OK) -> None:
        """The analyzer's word about a plan that is made now; the dialogue itself does not go on."""
        other = Monologue(ManualClock())
        for event in self.monologue:
            other.append(event.record)
        spelled = points_of(self.monologue).spelled(self.lines(deeds))
        other.append(Plan("", (), SOME, verbatim=f"{meant}\n{PLAN} {spelled}"))
        prompt = render_short_dialogue(other, self.deeds, asks=self.asks, gone=self.gone) + CHECK
        answer = f" {verdict}\n"
        if self.rng.random() < CHECKED and not accepts(short_verdict_grammar(self.state.objects), answer):
            raise Misfit(f"{answer!r} after {prompt!r}")
        self.checks.append(Sample("multitalk.analyzer", ((prompt, answer),)))

    def at(self, name: str) -> Point:
        """Where a thing is."""
        return self.table.named(name).at


def changed(deed: Deed, **what: str | Point | tuple[str, ...]) -> Deed:
    """The same deed with something else in it."""
    return replace(deed, **what)  # type: ignore[arg-type]
