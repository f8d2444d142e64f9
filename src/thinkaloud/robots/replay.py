"""Carry out a plan again without a model: the skills in order, and after each what has to be so.

This is what an exported plan calls (`thinkaloud export ID --to plan.py`):

    replay = Replay(robot)
    await replay.do("move", {"thing": "cup", "place": "shelf"})
    replay.check("at", {"thing": "cup", "place": "shelf"})

A skill refuses as usual: arguments and preconditions are checked before anything moves, a skill that needs a person's
yes asks for it, and nothing is done that the robot says must never be so. Nothing is put right: a plan that does not
come about stops, and says at which step.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping

from thinkaloud.clock import ManualClock
from thinkaloud.episode.guard import guard_of
from thinkaloud.episode.interrupts import as_ctrl_c
from thinkaloud.errors import BadInput, ThinkaloudError, UnknownName
from thinkaloud.monologue import Monologue
from thinkaloud.records import Arguments
from thinkaloud.untrusted.output import complain, write_line
from thinkaloud.worlds.contract import World, holds_in
from thinkaloud.worlds.full_world import FullWorld


class CheckFailed(ThinkaloudError):
    """What had to be so after a step is not so, or the other way round."""


class NotApproved(ThinkaloudError):
    """A step needs a person's yes, and nobody gave it."""


class Replay:
    """A robot that carries out steps and checks conditions, one after another."""

    def __init__(
        self, robot: World, *, approve: Callable[[str], bool] | None = None, tell: Callable[[str], None] | None = None
    ) -> None:
        """`approve` is asked about steps that need a person's yes; without it they are not done. `tell` hears all."""
        self.robot: World = FullWorld(robot)
        self._approve, self._tell = approve or (lambda words: False), tell or (lambda line: None)
        self._guard, self._silence = guard_of(robot), Monologue(ManualClock())
        self.done = 0

    async def do(self, name: str, arguments: Arguments) -> str:
        """Carry out a skill; its report. Raises SkillError as the skill does, and NotApproved."""
        if name not in self.robot.skills:
            raise UnknownName("skill", name, self.robot.skills)
        skill = self.robot.skills[name]
        checked = skill.refuse(arguments, self.robot.observe())
        step = skill.step(checked)
        if self._guard is not None and (objection := self._guard.criticise((step,), self._silence)) is not None:
            raise CheckFailed(" ".join(each.why for each in objection.violations))
        if skill.approval and not self._approve(step.words):
            raise NotApproved(f"Nobody approved this: {step.words}")
        self._tell(step.words)
        report = await skill.run(checked)
        self.done += 1
        if skill.check is not None and (problem := skill.check(**checked)):
            raise CheckFailed(f"After step {self.done}: {problem}")
        return report

    def check(self, relation: str, arguments: Arguments) -> None:
        """Go on only if this is so."""
        self._compare(relation, arguments, wanted=True)

    def check_not(self, relation: str, arguments: Arguments) -> None:
        """Go on only if this is not so."""
        self._compare(relation, arguments, wanted=False)

    def is_so(self, relation: str, arguments: Arguments) -> bool:
        """Whether something is so now."""
        if relation not in self.robot.relations:
            raise UnknownName("relation", relation, self.robot.relations)
        return holds_in(self.robot, self.robot.relations[relation].condition(arguments))

    def words_of(self, relation: str, arguments: Arguments) -> str:
        """A condition as a sentence."""
        return self.robot.relations[relation].signature.tell(arguments)

    def _compare(self, relation: str, arguments: Arguments, *, wanted: bool) -> None:
        if self.is_so(relation, arguments) is not wanted:
            still = "Not so" if wanted else "Still so"
            raise CheckFailed(f"After step {self.done}: {still}: {self.words_of(relation, arguments)}")


def open_robot(world: str, scene: str, seed: int) -> World:
    """The robot that a plan was made for, at the beginning of its episode."""
    from thinkaloud.robots import open_world

    opened = open_world(world, scene=scene or None)
    try:
        opened.reset(seed)
    except NotImplementedError:
        raise BadInput(f"{world} cannot be put back to the beginning; call the plan from a program of yours.") from None
    return opened


def ask_at_terminal(words: str) -> bool:
    """Ask the person at the terminal about a step; only a yes counts."""
    if not sys.stdin.isatty():
        return False
    write_line(f"May I? {words} (yes/no)")
    return sys.stdin.readline().strip().lower() == "yes"


def report_run(run: Callable[[], None]) -> int:
    """Run a plan from a command line: 0 if all of it came about, 1 with one clear line if not. A signal stops it."""
    with as_ctrl_c() as status:
        try:
            run()
        except (ThinkaloudError, NotImplementedError) as error:
            complain(str(error))
            return 1
        except KeyboardInterrupt:
            complain("Interrupted.")
            return status()
    write_line("Done; every check held.")
    return 0


def replay_here(plan: Callable[[Replay], Awaitable[None]], about: Mapping[str, str]) -> int:
    """Carry out an exported plan in the world, scene and seed that it was made in."""

    def run() -> None:
        robot = open_robot(about["world"], about["scene"], int(about["seed"]))
        replay = Replay(robot, approve=ask_at_terminal, tell=write_line)

        async def carry_out() -> None:
            await plan(replay)

        asyncio.run(carry_out())

    return report_run(run)
