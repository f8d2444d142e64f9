"""Call a skill of the world, and turn every error into an outcome in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import DidNotWork, JournalError, SkillError, UnknownName
from thinkaloud.monologue import Monologue
from thinkaloud.records import Arguments, Condition, Observation, Outcome, Plan, Started, Step, writable
from thinkaloud.skills import Skill
from thinkaloud.skills.definitions import is_complete
from thinkaloud.skills.self_repair import NOTHING_TO_DO, SO_ALREADY, SelfRepair, allowing_repairs
from thinkaloud.state.predicted_state import nothing_follows
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import CANNOT_TELL, tell
from thinkaloud.worlds.effects import is_told_by_effects
from thinkaloud.worlds.full_world import opposite_name

TRIED = "The predefined remedy did not work."
"""The remedy noted for a fix that was started and not completed."""


class CallSkill:
    """Checks the arguments against the scene, then calls the skill.

    With `fixes`, up to that many problems of a step are fixed on the spot, in predefined ways: a step whose effects
    already hold is skipped; a failed precondition or check goes to the skill's own fix; and the skill itself may fix
    what it notices on the way (see `allowing_repairs`). With `needs`, what the skill declares to need is looked at
    once more right before it begins: an earlier step may have undone it without declaring that.
    """

    def __init__(self, world: World, fixes: int = 0, *, needs: bool = False) -> None:
        self._world, self._fixes, self._needs = world, fixes, needs

    async def execute(self, step: Step, monologue: Monologue, pace: Pace) -> Outcome:
        """What the skill reported, or why it could not be done."""
        skill = self._world.skills.get(step.skill)
        if skill is None:
            return Outcome(step, "failed", str(UnknownName("skill", step.skill, self._world.skills)), begun=False)
        if (gone := self._gone(monologue)) is not None:
            return Outcome(step, "failed", writable(nothing_follows(gone)), begun=False)
        scene = monologue.last(Observation) or self._world.observe()
        with pacing(pace), allowing_repairs(self._fixes) as repair:
            outcome = await self._called(skill, step, scene, repair)
        return replace(outcome, fixes=tuple(repair.fixes))

    async def _called(self, skill: Skill, step: Step, scene: Observation, repair: SelfRepair) -> Outcome:
        begun = False
        try:
            arguments = skill.signature.check(step.arguments, scene.vocabulary)
            if repair.allows() and self._so_already(skill, arguments, scene):
                repair.note(SO_ALREADY, NOTHING_TO_DO)
                return Outcome(step, "completed", f"{SO_ALREADY} {NOTHING_TO_DO}", begun=False)
            await self._ready(skill, arguments, scene, repair)
            self._refuse_unmet(self._required(skill, arguments))
            begun = True
            try:
                report = await skill.run(arguments)
            except SkillError as error:
                return Outcome(step, "failed", writable(str(error)), impossible=not isinstance(error, DidNotWork))
            await self._repair(skill, arguments, repair)
        except Interrupted as interruption:
            return Outcome(step, "interrupted", str(interruption), begun=begun)
        except SkillError as error:
            return Outcome(step, "failed", writable(str(error)), begun=begun)
        except JournalError:  # the world is saved at ticks: the run must not go on unrecorded
            raise
        except Exception as error:  # the robot's own code: whatever it raises becomes an outcome, not a crash
            told = writable(f"{step.skill} raised {type(error).__name__}: {error}")
            return Outcome(step, "failed", told, begun=begun)
        return Outcome(step, "completed", writable(report))

    async def _ready(self, skill: Skill, arguments: Arguments, scene: Observation, repair: SelfRepair) -> None:
        """Return once no precondition is violated; raises SkillError with the violation."""
        while True:
            try:
                skill.refuse(arguments, scene)
                return
            except SkillError as error:
                if skill.fix is None or not repair.allows():
                    raise
                await self._fix(skill, arguments, str(error), repair)
                scene = self._world.observe()

    def _required(self, skill: Skill, arguments: Arguments) -> list[Condition]:
        """What has to be so right before a call. Needs that leave a thing open ("nothing is on it") are left out."""
        if not self._needs:
            return []
        relations = self._world.relations
        return [each for each in skill.requires(arguments, relations) if is_complete(each, relations)]

    def _refuse_unmet(self, required: Sequence[Condition]) -> None:
        """Raise SkillError if something that has to be so is not, or cannot be told."""
        told = [(each, tell(self._world, each)) for each in required]
        if unmet := [each for each, so in told if so is False]:
            raise SkillError(" ".join(each.words for each in map(self._opposite, unmet)))
        if untold := [each.words for each, so in told if so is None]:
            raise SkillError(CANNOT_TELL + " ".join(untold))

    def _opposite(self, condition: Condition) -> Condition:
        """What is so instead, in words."""
        return self._world.relations[opposite_name(condition.relation)].condition(condition.arguments)

    def _so_already(self, skill: Skill, arguments: Arguments, scene: Observation) -> bool:
        """Whether all effects of the skill hold already, and nothing that it ends; False if that cannot be told.

        A block on another one at the bottom side is at the bottom side as well, but a plan that puts it there expects
        it to leave the other one.
        """
        try:
            promised = skill.promises(arguments, self._world.relations)
            told = is_told_by_effects(skill, arguments, self._world)
            if not told or not all(self._world.holds(condition) for condition in promised):
                return False
            over = [*skill.revokes(arguments, self._world.relations), *self._replaced(promised, scene)]
            return all(tell(self._world, condition) is False for condition in over)
        except Exception:  # absent things, or an error in the robot's own code
            return False

    def _replaced(self, promised: Sequence[Condition], scene: Observation) -> Iterator[Condition]:
        """What cannot hold together with an effect, by its relation: a thing is on at most one other."""
        for condition in promised:
            relation = self._world.relations[condition.relation]
            if not relation.is_single:
                continue
            last = relation.signature.parameters[-1]
            for other in last.options(scene.vocabulary) or ():
                if other not in condition.arguments.values():
                    yield relation.condition({**condition.arguments, last.name: other})

    async def _repair(self, skill: Skill, arguments: Arguments, repair: SelfRepair) -> None:
        """Pass what the check finds wrong to the fix, until the check passes or the fixes are used up."""
        while skill.check is not None and skill.fix is not None and repair.allows():
            problem = skill.check(**arguments)
            if not problem:
                return
            await self._fix(skill, arguments, str(problem), repair)

    async def _fix(self, skill: Skill, arguments: Arguments, problem: str, repair: SelfRepair) -> None:
        """Let the skill's fix handle a problem. The attempt is noted even if it fails."""
        assert skill.fix is not None
        at = len(repair.fixes)
        repair.note(writable(problem), TRIED)
        try:
            remedy = await skill.fix(problem, **arguments)
        except SkillError as error:
            raise SkillError(f"{problem} {TRIED} {error}") from error
        repair.fixes[at] = replace(repair.fixes[at], remedy=writable(str(remedy or "Put right.")))

    def _gone(self, monologue: Monologue) -> Step | None:
        """The final step of the current plan, after which only that step itself can be corrected."""
        at, started = monologue.where(Plan), monologue.last(Started)
        if at is None or (started is not None and started.correcting):
            return None
        for outcome in monologue.since(at, Outcome):
            skill = self._world.skills.get(outcome.step.skill)
            if outcome.ending == "completed" and skill is not None and skill.last:
                return outcome.step
        return None
