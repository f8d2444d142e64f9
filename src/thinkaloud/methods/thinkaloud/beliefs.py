"""What the robot believes about things it does not see: what people said, and what follows from its own actions.

Beliefs are computed again from the monologue at every look, so that a resumed run believes the same.
"""

from __future__ import annotations

from thinkaloud.errors import tell_fault
from thinkaloud.monologue import Monologue
from thinkaloud.perceive import Perceive
from thinkaloud.records import Meaning, Observation, Outcome, Step, Verdict, WorldState
from thinkaloud.worlds.contract import Believing, Recalling, World, find_ability


class Recall:
    """Tells a world what was said and done so far, before another part looks at it."""

    def __init__(self, perceive: Perceive, world: World) -> None:
        self._perceive, self._world = perceive, world

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """Return what the wrapped part sees."""
        believing = find_ability(self._world, Believing)
        if believing is not None:
            believing.believe(recall_beliefs(monologue, believing))
        recalling = find_ability(self._world, Recalling)
        if recalling is not None:
            recalling.recall(recall_steps(monologue))
        return await self._perceive.perceive(monologue)


def recall_beliefs(monologue: Monologue, world: Believing) -> WorldState:
    """Return the beliefs after everything that was said and done; a recorded state replaces what came before it."""
    state = world.observe().state or WorldState()
    judged = monologue.where(Verdict) is not None
    for event in monologue:
        match event.record:
            case WorldState() as told:
                state = told
            case Meaning(notes=notes):
                for note in notes:
                    state = world.take_in(state, note)
            case Verdict(step=step, ok=True):
                state = _after(step, state, world)
            case Outcome(step=step, ending="completed") if not judged:
                state = _after(step, state, world)
            case _:
                pass
    return state


def recall_steps(monologue: Monologue) -> list[Step]:
    """Return the completed steps, oldest first, including corrections."""
    judged = monologue.where(Verdict) is not None
    found: list[Step] = []
    for event in monologue:
        match event.record:
            case Verdict(step=step, ok=True):
                found.append(step)
            case Outcome(step=step, ending="completed") if not judged:
                found.append(step)
            case _:
                pass
    return found


def _after(step: Step, state: WorldState, world: World) -> WorldState:
    skill = world.skills.get(step.skill)
    if skill is None or skill.remembers is None:
        return state
    try:
        return skill.remembers(state, **step.arguments)
    except Exception as error:  # a robot builder's own code: if it fails, the belief stays unchanged
        tell_fault(f"{step.skill}: its `remembers`", error, "the belief stays unchanged")
        return state
