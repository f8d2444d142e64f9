"""Demonstrations in homes: whole plans, programs, and corrections of plans that left something out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from thinkaloud.execute.skill import CallSkill
from thinkaloud.methods.hicrisp.cases import under_way
from thinkaloud.methods.hicrisp.correction_stack import CorrectionStack
from thinkaloud.methods.hicrisp.planner import WholePlan
from thinkaloud.methods.progprompt.planner import ProgPrompt
from thinkaloud.monologue import Monologue
from thinkaloud.names import all_names, one_of_each_kind, without_number
from thinkaloud.pace import Pace
from thinkaloud.plan.needed_things import MOST_ADDED_TRAINED
from thinkaloud.records import Plan, Request, Started, Step
from thinkaloud.verify.levels import TwoLevels
from thinkaloud.worlds import World
from thinkaloud.worlds.household import Household
from training.demonstrators.hicrisp.activities import ACTIVITIES
from training.demonstrators.hicrisp.advice import Stuck, answered
from training.demonstrators.hicrisp.heldout import is_held_out
from training.demonstrators.hicrisp.homes import Crowded, Wanted, home_of
from training.demonstrators.hicrisp.programs import call_of, program_of
from training.demonstrators.hicrisp.saying import chosen, filled, framed, tale
from training.demonstrators.hicrisp.shorthand import Activity, steps_of
from training.demonstrators.hicrisp.tongues import foreign
from training.samples import Sample
from training.teacher import Asked, Teacher

Rng = np.random.Generator
_WEIGHTS = np.array([each.weight for each in ACTIVITIES]) / sum(each.weight for each in ACTIVITIES)
CHECKED = 0.2
"""The share of episodes in which every answer is held against its grammar, which takes as long as all the rest."""
ONE_OF = frozenset(
    (
        *("bin", "tap", "washer", "dishwasher", "cooler", "stove", "oven", "popper", "basin", "soap", "knife"),
        *("crockery", "wardrobe", "shelf", "eating table", "keys", "telephone", "agent", "brush", "cloth"),
    )
)
"""A home has one of these, whatever is done with it."""
WISHES = 3
_STEPS = 18
"""Longer plans are not demonstrated."""


@dataclass(frozen=True)
class Wish:
    """What somebody asks for, and how it is done: steps that speak of things by their kinds."""

    request: str
    steps: tuple[str, ...]


def drawn_activity(rng: Rng) -> Activity:
    """One of the activities."""
    return ACTIVITIES[int(rng.choice(len(ACTIVITIES), p=_WEIGHTS))]


def _names(wanted: Wanted, activity: Activity) -> dict[str, str]:
    names: dict[str, str] = {}
    for letter, kinds in activity.roles.items():
        there = [name for name, kind in wanted.kinds.items() if kind in kinds and kind in ONE_OF]
        names[letter] = there[0] if there and there[0] not in names.values() else wanted.one(*kinds)
    wanted.states |= {names[letter]: state for letter, state in activity.states.items()}
    wanted.inside |= {names[letter]: names[box] for letter, box in activity.inside.items()}
    return names


def drawn_wish(wanted: Wanted) -> Wish:
    """A request about things that are drawn with it: one thing to do, or two, or a tale of how it is done."""
    rng = wanted.rng
    roll = rng.random()
    if roll < 0.04:
        return Wish(*foreign(wanted))
    activity = drawn_activity(rng)
    names = _names(wanted, activity)
    steps = steps_of(wanted, activity.done, names)
    if roll < 0.16:
        other = drawn_activity(rng)
        more = _names(wanted, other)
        joint = str(rng.choice([" and then ", ", then ", " and ", "; after that ", ". Then ", ", and afterwards "]))
        said = [filled(rng, str(rng.choice(list(a.said))), **n) for a, n in ((activity, names), (other, more))]
        both = [*steps, *steps_of(wanted, other.done, more)]
        return Wish(framed(rng, joint.join(said), own=0), tuple(dict.fromkeys(both)))
    if roll < 0.34:
        title = filled(rng, str(rng.choice(list(activity.said))), **names)
        title = title[:1].upper() + title[1:]
        told = tale(rng, steps)
        return Wish(told if rng.random() < 0.25 else f"{title}. {told}", tuple(steps))
    return Wish(chosen(rng, activity.said, **names), tuple(steps))


def many(rng: Rng) -> int:
    """How many other things there are: a small flat, or a house full of them."""
    return int(rng.integers(10, 26) if rng.random() < 0.4 else rng.integers(26, 200))


def wishes(rng: Rng) -> tuple[Wanted, list[Wish]]:
    """What is wanted in one home, one after another: nothing that the benchmarks hold out, nothing too long."""
    wanted, found = Wanted(rng), list[Wish]()
    for _ in range(WISHES):
        with suppress(Crowded):
            wish = drawn_wish(wanted)
            if not is_held_out(wish.request) and len(wish.steps) <= _STEPS:
                found.append(wish)
    return wanted, found


# The planner's answers ------------------------------------------------------------------------------------------------


class Plans:
    """Answers a planner by a wish: first the things, then a line at a time."""

    def __init__(self, steps: Sequence[str], world: World, heading: str = "Things:", end: str = "Done.") -> None:
        self._steps, self._heading, self._end = list(steps), heading, end
        scene = world.observe()
        self._instances = one_of_each_kind(all_names(scene.vocabulary), {*scene.objects})
        self._kind = _any_of(tuple(self._instances))
        self._lines: list[str] = []

    def __call__(self, asked: Asked) -> str:
        """The next answer."""
        last = asked.prompt.rsplit("\n", 1)[-1]
        if self._heading in last:
            return self._things(last.partition(self._heading)[2])
        if not self._lines:
            listed = re.search(rf"{re.escape(self._heading)} ([^\n]*)\.\n", asked.prompt)
            self._lines = [*self._resolved(listed[1].split(", ") if listed else []), self._end]
        return f" {self._lines.pop(0)}\n"

    def _things(self, given: str) -> str:
        known = {without_number(name) for name in given.strip().split(", ") if name}
        wanted = dict.fromkeys(kind for step in self._steps for kind in self._kinds_in(step) if kind not in known)
        names = [self._instances[kind] for kind in wanted][:MOST_ADDED_TRAINED]
        if not names:
            return ".\n"
        return f"{', ' if given.strip() else ' '}{', '.join(names)}.\n"

    def _kinds_in(self, step: str) -> list[str]:
        """The kinds that a step or a call names, in their order; the longest name counts."""
        return self._kind.findall(step)

    def _resolved(self, things: Sequence[str]) -> list[str]:
        """The steps with the very things of the plan in place of their kinds."""
        named = {without_number(thing): thing for thing in reversed(things)}
        return [self._kind.sub(lambda found: named.get(found[0], found[0]), step) for step in self._steps]


@lru_cache(maxsize=8)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    longest = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])(?:{longest})(?![\w(-])(?! \d)")


def _begun(world: World, request: str) -> Monologue:
    monologue = Monologue(world.clock)
    monologue.append(Request(request))
    monologue.append(world.observe())
    return monologue


def planned(world: World, request: str, steps: Sequence[str], *, check: bool = True) -> list[Sample]:
    """How the real planner makes a plan of the expert's answers; nothing where it does not even ask."""
    teacher = Teacher(Plans(steps, world), "hicrisp.planner", check=check)
    asyncio.run(WholePlan(teacher, world).plan(_begun(world, request)))
    return teacher.samples


def programmed(world: World, request: str, lines: Sequence[str], *, check: bool = True) -> list[Sample]:
    """The same as a program."""
    teacher = Teacher(Plans(lines, world, "# takes:", "# done"), "hicrisp.program", check=check)
    asyncio.run(ProgPrompt(teacher, world).plan(_begun(world, request)))
    return teacher.samples


def plans(rng: Rng) -> Iterator[Sample]:
    """Whole plans in one home."""
    wanted, found = wishes(rng)
    world = Household(home_of(wanted, others=many(rng)))
    for wish in found:
        yield from planned(world, wish.request, wish.steps, check=rng.random() < CHECKED)


def programs(rng: Rng) -> Iterator[Sample]:
    """Programs in one home."""
    wanted, found = wishes(rng)
    world = Household(home_of(wanted, others=many(rng)))
    for wish in found:
        yield from programmed(world, wish.request, program_of(wish.steps, rng), check=rng.random() < CHECKED)


# Corrections ----------------------------------------------------------------------------------------------------------

_LEFT_OUT = {"Find": 0.4, "Walk": 0.3, "Open": 0.6, "Grab": 0.3, "Turn": 0.6, "Close": 0.1, "Sit": 0.1, "Plug": 0.3}
"""How often such a step is forgotten."""


def forgetful(rng: Rng, steps: Sequence[str], wanted: Wanted) -> list[str]:
    """The steps of somebody who forgets some, and who sat down or took things into both hands before."""
    kept = [step for step in steps if rng.random() >= _LEFT_OUT.get(step.split()[0], 0.0)] or list(steps)
    before: list[str] = []
    used = " ".join(steps)
    for name, kind in wanted.kinds.items():
        if kind in ("seat", "bed") and rng.random() < 0.12 and not before:
            before = [f"Find the {name}.", f"{'Sit' if kind == 'seat' else 'Lie'} down on the {name}."]
        elif kind == "misc" and rng.random() < 0.12 and name not in used and len(before) < 4:
            before = [*(step for step in before if "down" not in step), f"Find the {name}.", f"Grab the {name}."]
    return [*before, *kept]


async def carried_out(world: World, request: str, steps: Sequence[Step], teacher: Teacher) -> Monologue:
    """A plan carried out as HiCRISP does it: every failure goes to the stack, until it is put right or given up."""
    said, stack = _begun(world, request), CorrectionStack(teacher, world)
    said.append(Plan(request, (), tuple(steps)))
    body, eyes = CallSkill(world, fixes=3), TwoLevels(world)
    for planned_step in steps:
        step: Step | None = planned_step
        correcting = False
        while step is not None:
            said.append(Started(step, correcting))
            said.append(await body.execute(step, said, Pace(hear=lambda: None)))
            outcome = said[len(said) - 1].record
            verdict = await eyes.verify(outcome, said)  # type: ignore[arg-type]
            said.append(verdict)
            said.append(world.observe())
            step = None
            if under_way(said) is not None:
                step, correcting = await stack.correct(verdict, said), True
    return said


def corrections(rng: Rng) -> Iterator[Sample]:
    """What is said about the failures of plans that left something out."""
    wanted, found = wishes(rng)
    home = home_of(wanted, others=int(rng.integers(2, 8)), twice=0.05)
    for wish in found:
        world = Household(home)
        scene = world.observe()
        nearest = one_of_each_kind(all_names(scene.vocabulary), {*scene.objects})
        steps = []
        for words in forgetful(rng, wish.steps, wanted):
            name, things = call_of(words)
            skill = world.skills[name]
            given = (nearest[thing] for thing in things)
            steps.append(skill.step(dict(zip((p.name for p in skill.signature.parameters), given, strict=True))))
        teacher = Teacher(answered, "hicrisp.corrector", check=False)  # it looks at the grammar itself
        with suppress(Stuck):
            asyncio.run(carried_out(world, wish.request, steps, teacher))
        yield from teacher.samples
