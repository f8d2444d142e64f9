"""What the robot believes of what it does not see: what people told, and what follows from what it has done since.

It is worked out anew from the monologue at every look, so that a run that is taken up again believes the same.
"""

from __future__ import annotations

from thinkaloud.errors import describe_fault, tell_fault
from thinkaloud.monologue import Monologue
from thinkaloud.perceive import Perceive
from thinkaloud.records import Meaning, Observation, Outcome, Step, Verdict, WorldState
from thinkaloud.worlds.contract import Believing, Recalling, World, find_ability


class Recall:
    """Has a world believe and know what was told and done so far, before another looks at it."""

    def __init__(self, perceive: Perceive, world: World) -> None:
        self._perceive, self._world = perceive, world

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """What the other sees."""
        believing = find_ability(self._world, Believing)
        if believing is not None:
            believing.believe(recall_beliefs(monologue, believing))
        recalling = find_ability(self._world, Recalling)
        if recalling is not None:
            recalling.recall(recall_steps(monologue))
        return await self._perceive.perceive(monologue)


def recall_beliefs(monologue: Monologue, world: Believing) -> WorldState:
    """What is to be believed after all that was told and done: a state that was written down counts from there on."""
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
    """The steps that were done, the oldest first, those included that put something right."""
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
    except Exception as error:  # a robot builder's own code: what it cannot tell stays as it was
        tell_fault(f"{step.skill}: its `remembers`", describe_fault(error), "what is believed stays as it was")
        return state
