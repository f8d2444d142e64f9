"""Goals in the home, and a witness that watches while the robot works.

Some parts are judged at the end (`Ends`), some are over by then: the salmon was in the running microwave (`Once`), the
chips were eaten on the sofa (`Did`). A fact is a relation of the world and its arguments: `("inside", "salmon",
"fridge")`. If several things would do, there are several choices; the facts of one of them have to hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product

from thinkaloud.errors import BadInput
from thinkaloud.monologue import Event
from thinkaloud.records import Condition, Outcome, Step
from thinkaloud_worlds.household import Household

Fact = tuple[str, ...]
"""A relation, and the things in it."""
Choice = tuple[Fact, ...]
"""Facts that hold together, in an order in which they can be brought about."""


@dataclass(frozen=True)
class Ends:
    """All facts of one of the choices hold at the end."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Once:
    """All facts of one of the choices held at the same time, after some step."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Did:
    """One of these skills was carried out with one of these things, while all facts of one of the choices held.

    A choice about another of the things does not count: the plate in the sink has to be the one that is washed.
    """

    skills: tuple[str, ...]
    things: tuple[str, ...]
    choices: tuple[Choice, ...]

    def with_thing(self, thing: str) -> Did:
        """The same for this one of the things."""
        others = {*self.things} - {thing}
        fitting = tuple(choice for choice in self.choices if not any(others & {*fact[1:]} for fact in choice))
        return Did(self.skills, (thing,), fitting)


_Wanted = Ends | Once | Did


@dataclass(frozen=True)
class HomeGoal:
    """The parts of the request, none of which is done yet, and what has to be restored."""

    wanted: tuple[_Wanted, ...]
    kept: tuple[Ends, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an empty goal, which cannot be judged."""
        if not self.wanted:
            raise BadInput("A goal must have at least one part.")


class Witness:
    """Sees every step of the robot: pass it to the agent as a listener, and ask it when the episode is over."""

    def __init__(self, world: Household, goal: HomeGoal) -> None:
        """Raise BadInput if a part of the goal already holds."""
        self._world, self._goal = world, goal
        self._seen: set[_Wanted] = set()
        for want in goal.wanted:
            if not isinstance(want, Did) and holds(world, want):
                raise BadInput(f"This already holds at the start: {_said(world, want)}")

    def __call__(self, event: Event) -> None:
        """Take an event of the monologue; after each step, remember what holds now."""
        record = event.record
        if not isinstance(record, Outcome):
            return
        for want in self._goal.wanted:
            if want not in self._seen and self._sees(want, record):
                self._seen.add(want)

    def _sees(self, want: _Wanted, outcome: Outcome) -> bool:
        """Whether a step achieved a part of the goal that is not judged at the end."""
        if isinstance(want, Did):
            thing = str(next(iter(outcome.step.arguments.values()), ""))
            return self._carried_out(want, thing, outcome) and holds(self._world, want.with_thing(thing))
        return isinstance(want, Once) and holds(self._world, want)

    def _carried_out(self, want: Did, thing: str, outcome: Outcome) -> bool:
        """Whether this step was carried out, and not skipped."""
        step, script = outcome.step, self._world.script
        meant = step.skill in want.skills and thing in want.things
        return meant and outcome.ending == "completed" and script[-1:] == (_line_of(self._world, step),)

    def saw(self, want: _Wanted) -> bool:
        """Whether a part of the goal was seen to be done."""
        return holds(self._world, want) if isinstance(want, Ends) else want in self._seen

    @property
    def missing(self) -> list[str]:
        """What is not done, and what was not restored, in words."""
        undone = [want for want in self._goal.wanted if not self.saw(want)]
        return [_said(self._world, want) for want in (*undone, *self._unkept())]

    @property
    def recall(self) -> float:
        """The share of the goal that is done."""
        return sum(self.saw(want) for want in self._goal.wanted) / len(self._goal.wanted)

    @property
    def met(self) -> bool:
        """Whether the whole goal is done, and everything is restored."""
        return self.recall == 1 and not self._unkept()

    def _unkept(self) -> list[Ends]:
        return [part for part in self._goal.kept if not holds(self._world, part)]


def _line_of(world: Household, step: Step) -> str:
    """The line of a script that a step stands for."""
    return world.line_of(step.skill, *map(str, step.arguments.values()))


def _condition(world: Household, fact: Fact) -> Condition:
    """A fact as a condition of the world."""
    relation = world.relations[fact[0]]
    return relation.condition(dict(zip((p.name for p in relation.signature.parameters), fact[1:], strict=True)))


def is_true(world: Household, fact: Fact) -> bool:
    """Whether a fact holds."""
    return world.holds(_condition(world, fact))


def holds(world: Household, want: _Wanted) -> bool:
    """Whether the facts of one choice hold now."""
    return any(all(is_true(world, fact) for fact in choice) for choice in want.choices)


def _said(world: Household, want: _Wanted) -> str:
    """A part of a goal in words; of several choices, the first."""
    facts = " ".join(_condition(world, fact).words for fact in want.choices[0])
    if not isinstance(want, Did):
        return facts
    skill = world.skills[want.skills[0]]
    return f"{skill.step({skill.signature.parameters[0].name: want.things[0]}).words} {facts}".strip()


def any_of(relations: Iterable[str], *things: Iterable[str]) -> tuple[Choice, ...]:
    """One of the relations, between one of each: `any_of(["inside", "on_top"], apples, bins)`."""
    return tuple((fact,) for fact in product(relations, *things))


def both(one: Iterable[Choice], other: Iterable[Choice]) -> tuple[Choice, ...]:
    """A choice of the one together with a choice of the other."""
    return tuple((*first, *second) for first, second in product(one, other))


def find_kind(ids: Mapping[str, int], kind: str) -> tuple[str, ...]:
    """All that is called so: `chair`, `chair 2`, …; in the order of their ids. BadInput if there is none."""
    found = [name for name in ids if name == kind or _numbered(name, kind)]
    if not found:
        raise BadInput(f"There is no {kind} in this home.")
    return tuple(sorted(found, key=lambda name: ids[name]))


def _numbered(name: str, kind: str) -> bool:
    head, _, number = name.rpartition(" ")
    return head == kind and number.isdigit()
