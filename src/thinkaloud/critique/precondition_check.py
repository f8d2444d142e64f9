"""The critic that needs no model: checks what the skills declare against the predicted state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.monologue import Monologue
from thinkaloud.records import Arguments, Critique, Observation, Plan, Step, Violation, WorldState, writable
from thinkaloud.skills import Skill
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.state.edits import HELD
from thinkaloud.state.predicted_state import can_foresee, foresee, nothing_follows
from thinkaloud.worlds import World

MOST_FOUND = 40
"""The most states considered possible at once."""


class PreconditionCritic:
    """Simulates a plan: checks arguments, preconditions and cautions of each step, and that no step follows a final
    one.

    A refused step is reported once. The later steps assume that it worked in some way, so from there on several states
    count as possible (the step was left out, it was done as written, the hand holds this or that). A later step is
    reported only if it is refused in all of them. So a plan that misses an object is told about that, and not also that
    the hand is empty at each later step.

    If the observation has no state, or a skill does not say what it changes, later states cannot be predicted. Those
    steps then only have their arguments checked (names, and what must differ); the first step is checked in full.
    """

    def __init__(self, world: World, *, careful: bool = True) -> None:
        """`careful`: cautions count, too; otherwise only what the robot itself would refuse."""
        self._world, self._careful = world, careful

    async def critique(self, plan: Plan, monologue: Monologue) -> Critique:
        """Every violation, in the order of the steps."""
        scene = monologue.last(Observation) or self._world.observe()
        return Critique(tuple(self._violations(plan.steps, scene)), by="rules")

    def _violations(self, steps: Iterable[Step], scene: Observation) -> Iterator[Violation]:
        possible, gone = [scene], None
        for number, step in enumerate(steps):
            if step.skill in STEPS:
                continue
            if (
                gone is not None
            ):  # reported once, at the step that follows; the others are checked as if it were not there
                yield Violation(number, writable(nothing_follows(gone)))
            skill = self._world.skills.get(step.skill)
            gone = step if skill is not None and skill.last else None
            problem, possible = self._followed(step, skill, scene, possible)
            if problem:
                yield Violation(number, writable(problem))

    def _followed(
        self, step: Step, skill: Skill | None, scene: Observation, possible: list[Observation]
    ) -> tuple[str, list[Observation]]:
        """What is wrong with a step, and the possible states after it; empty if they are unknown."""
        if skill is None:
            return str(UnknownName("skill", step.skill, self._world.skills)), self._doubted(possible, ())
        try:
            arguments = skill.signature.check(step.arguments, scene.vocabulary)
        except SkillError as error:
            return str(error), self._doubted(possible, ())
        problems = [_objection(skill, arguments, look, self._careful) for look in possible]
        fine = [look for look, problem in zip(possible, problems, strict=True) if not problem]
        if not possible or fine:
            return "", _distinct(self._after(skill, arguments, fine))
        why, _ = Counter(problems).most_common(1)[0]  # the reason that holds in most of the possible states
        return why, self._doubted(possible, self._after(skill, arguments, possible))

    def _after(self, skill: Skill, arguments: Arguments, looks: Iterable[Observation]) -> Iterator[Observation]:
        """The possible states after a step, as far as known."""
        for look in looks:
            try:
                if look.state is not None and can_foresee(skill, arguments, self._world.relations):
                    state = foresee(skill, arguments, look.state, self._world.relations)
                    yield replace(look, state=state)
            except Exception:  # the robot's own code: if it cannot predict, the state is unknown
                continue

    def _doubted(self, before: list[Observation], done: Iterable[Observation]) -> list[Observation]:
        """The possible states after a refused step."""
        known = [look for look in before if look.state is not None]
        return _distinct([*known, *done, *(each for look in known for each in self._hands(look))])

    def _hands(self, look: Observation) -> Iterator[Observation]:
        """The state with an empty hand, and with each thing that the hand can hold."""
        held, state = self._world.relations.get(HELD), look.state or WorldState()
        if held is None or len(held.signature.parameters) != 1:
            return
        rest = tuple(relation for relation in state.relations if relation.relation != HELD)
        yield replace(look, state=replace(state, relations=rest))
        (what,) = held.signature.parameters
        for name in what.options(look.vocabulary) or ():
            relations = (*rest, held.condition({what.name: name}))
            yield replace(look, state=replace(state, relations=relations))


def _objection(skill: Skill, arguments: Arguments, scene: Observation, careful: bool) -> str:
    """The first precondition or caution that the step violates, or nothing."""
    asked = replace(skill, preconditions=(*skill.preconditions, *skill.cautions)) if careful else skill
    try:
        asked.refuse(arguments, scene)
    except SkillError as error:
        return str(error)
    return ""


def _distinct(looks: Iterable[Observation]) -> list[Observation]:
    found: list[Observation] = []
    for look in looks:
        if look not in found:
            found.append(look)
        if len(found) == MOST_FOUND:
            break
    return found
