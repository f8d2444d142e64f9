"""Playing an instance: its home, its request, and the judge."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.loop import Limits
from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Done, Plan, Started
from thinkaloud.worlds.household import GoalSet, Household
from thinkaloud_bench.contract import Item, OpenedModel, Played
from thinkaloud_bench.hicrisp.household import judged_at_home
from thinkaloud_bench.hicrisp.playing import Judged, play_episode
from thinkaloud_bench.virtualhome.instances import Instance, instance_of
from thinkaloud_bench.virtualhome.titles import TITLES

LIMITS = Limits(steps=80, plans=100)
"""The longest program has 54 steps."""


@dataclass
class Gold:
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


async def play(item: Item, model: OpenedModel) -> Played:
    """The instance of a task by its index; the seed changes nothing about it."""
    instance = instance_of(TITLES[item.task].title, item.index)
    world = Household(instance.home)
    world.reset(item.seed)
    to_do = GoalSet(instance.goal.unmet(world))

    def judge(*_: object) -> Judged:
        missing = [each.words(world.home) for each in instance.goal.unmet(world)]
        return judged_at_home(world, to_do.recall(world), missing, id=instance.id)

    gold = Gold(world, instance)
    return await play_episode(item, model, world, instance.request, expert=gold, judge=judge, limits=LIMITS)
