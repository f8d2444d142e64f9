"""The guard of a world: refuses plans and steps that break what its builder declared, whoever asks for them.

It reads `never` (what must never be so), `people` (who is never an object) and `budget` (how much a request may use).
Every plan is checked before its first step, every step before it begins, and the world after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from thinkaloud.errors import SkillError
from thinkaloud.monologue import Monologue
from thinkaloud.records import Critique, Meaning, Observation, Plan, Started, Step, Violation
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.state.foreseen_facts import ForeseenFacts
from thinkaloud.worlds import World
from thinkaloud.worlds.budgets import find_overrun, refuse_unknown_budgets
from thinkaloud.worlds.contract import Budgeted, Guarded, find_ability
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud.worlds.invariants import (
    Fact,
    Invariant,
    find_broken,
    invariants_of,
    read_facts,
    refuse_unreadable,
    tell_broken,
)
from thinkaloud.worlds.people import find_misused, kinds_of_people, people_in

BY = "guard"
"""Who objects."""


def guard_of(world: World) -> Guard | None:
    """The guard of a world; None if nothing is declared that needs one."""
    guarded, budgeted = find_ability(world, Guarded), find_ability(world, Budgeted)
    declared = guarded is not None and guarded.never, budgeted is not None and budgeted.budget, kinds_of_people(world)
    return (
        Guard(FullWorld(world))
        if any(declared) or any(each.approval or each.costs for each in world.skills.values())
        else None
    )


class Guard:
    """Checks plans, steps and the world itself; see the module's description."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: tuple[Vocabulary, tuple[Invariant, ...]] | None = None

    def check_declarations(self, vocabulary: Vocabulary) -> None:
        """Raise BadInput if something is declared about what does not exist."""
        refuse_unreadable(self._world, vocabulary)
        refuse_unknown_budgets(self._world)

    def criticise(self, steps: Sequence[Step], monologue: Monologue) -> Critique | None:
        """The first of some steps that must not be taken, and why; None if there is none."""
        scene = self._scene(monologue)
        done = [started.step for started in monologue.in_task(Started)]
        found = find_overrun(self._world, steps, done) or self._misused(steps, scene) or self._breaking(steps, scene)
        return None if found is None else Critique((Violation(*found),), by=BY)

    def refuse(self, step: Step, monologue: Monologue) -> Critique | None:
        """Why the next step must not be taken now; None if it may be."""
        found = self.criticise((step,), monologue) or self._needless_question(step, self._scene(monologue))
        plan = monologue.last(Plan)
        if found is None or plan is None or step not in plan.steps:
            return found
        return Critique((Violation(plan.steps.index(step), found.violations[0].why),), by=BY)

    def find_broken(self, monologue: Monologue) -> frozenset[Invariant]:
        """All that is so, or may be, and must never be."""
        return find_broken(self._world, self._invariants(self._scene(monologue)))

    def tell_broken(self, broken: Collection[Invariant]) -> str:
        """Say what must never be so, and what of it the robot cannot tell."""
        return tell_broken(broken, read_facts(self._world))

    def needs_approval(self, step: Step, monologue: Monologue) -> bool:
        """Whether a step is done to a person although nobody asked for just that."""
        meant = monologue.since(monologue.order_start(), Meaning)
        asked = {deed.words for each in meant for deed in each.deeds}
        people = people_in(self._world, self._scene(monologue).vocabulary)
        return bool(meant) and step.words not in asked and bool({*step.arguments.values()} & people)

    def _misused(self, steps: Sequence[Step], scene: Observation) -> tuple[int, str] | None:
        for number, step in enumerate(steps):
            skill = self._world.skills.get(step.skill)
            if skill is not None and (why := find_misused(self._world, skill, step.arguments, scene.vocabulary)):
                return number, why
        return None

    def _breaking(self, steps: Sequence[Step], scene: Observation) -> tuple[int, str] | None:
        """The first step that would bring about something of what must never be so, while the rest of it may be so."""
        if not (invariants := self._invariants(scene)):
            return None
        facts = ForeseenFacts(self._world, scene, read_facts(self._world))
        before = _known(invariants, facts)
        for number, step in enumerate(steps):
            facts.take(step)
            now = _known(invariants, facts)
            broken = [each for each in invariants if each.is_broken(facts.holds) and now[each] - before[each]]
            if broken:
                return number, f"I must not do this: {step.words} {tell_broken(broken, facts.holds)}"
            before = now
        return None

    def _needless_question(self, step: Step, scene: Observation) -> Critique | None:
        """A precondition that forbids a step for which a person would have to be asked: nobody is asked in vain."""
        skill = self._world.skills.get(step.skill)
        if skill is None or not skill.approval or skill.fix is not None:
            return None
        try:
            skill.refuse(step.arguments, scene)
        except SkillError as error:
            return Critique((Violation(None, str(error)),), by=BY)
        return None

    def _scene(self, monologue: Monologue) -> Observation:
        return monologue.last(Observation) or self._world.observe()

    def _invariants(self, scene: Observation) -> tuple[Invariant, ...]:
        if self._known is None or self._known[0] != scene.vocabulary:
            self._known = scene.vocabulary, invariants_of(self._world, scene.vocabulary)
        return self._known[1]


def _known(invariants: Iterable[Invariant], facts: ForeseenFacts) -> dict[Invariant, set[Fact]]:
    """The facts of each that are known to hold."""
    return {each: {fact for fact in each.facts if facts.holds(fact)} for each in invariants}
