"""An instance, ready to begin: its home, its request, and the judge."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.loop import Limits
from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Done, End, Plan, Started
from thinkaloud_bench.contract import Item
from thinkaloud_bench.hicrisp.effects import EffectsSeen
from thinkaloud_bench.hicrisp.household import judged_at_home
from thinkaloud_bench.playing import SAME_LOOP, Judged, Setup, expert_in
from thinkaloud_bench.virtualhome.instances import Instance, instance_of
from thinkaloud_bench.virtualhome.titles import TITLES
from thinkaloud_worlds.household import GoalSet, Household

_LIMITS = Limits(steps=80, plans=100)
"""The longest program has 54 steps."""


@dataclass
class ProgramExpert:
    """What people did: the lines of the program, one after another, whatever came of them."""

    world: Household
    instance: Instance

    def __call__(self, monologue: Monologue) -> Decision:
        """The next line as a step."""
        taken = len(monologue.since(monologue.task_start(), Started))
        if taken >= len(self.instance.program):
            return Done("the program is at its end")
        name, arguments = self.world.step_of(self.instance.program[taken])
        return Plan("", (), (self.world.skills[name].step(arguments),))


def set_up_instance(item: Item) -> Setup:
    """The instance of a task by its index; the seed changes nothing about it."""
    instance = instance_of(TITLES[item.task].title, item.index)
    world = Household(instance.home)
    world.reset(item.seed)
    to_do, seen = GoalSet(instance.goal.unmet(world)), EffectsSeen(world)

    def judge(said: Monologue, _: End) -> Judged:
        missing = [each.words(world.home) for each in instance.goal.unmet(world)]
        return judged_at_home(said, world, to_do.recall(world), missing, seen, id=instance.id)

    expert = expert_in(SAME_LOOP, ProgramExpert(world, instance))
    return Setup(world, instance.request, judge, expert, _LIMITS, listeners=[seen])
