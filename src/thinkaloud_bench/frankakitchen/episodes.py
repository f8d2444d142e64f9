"""An episode in the kitchen: a request, and FrankaKitchen's own judgement of what is done."""

from __future__ import annotations

from thinkaloud.loop import Limits
from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Decline, Done, End, Plan
from thinkaloud_bench.contract import Item
from thinkaloud_bench.disturbed_rows import judge_end
from thinkaloud_bench.frankakitchen.tasks import DEEDS, WANTED
from thinkaloud_bench.playing import SAME_LOOP, Judged, Setup, expert_in

_LIMITS = Limits(steps=16)


def set_up(item: Item) -> Setup:
    """Set up the episode for a task and a seed; in odd episodes, somebody holds the arm for a while."""
    from thinkaloud_bench.frankakitchen.kitchen import ELEMENTS
    from thinkaloud_bench.frankakitchen.robot import FrankaKitchen

    wanted, held = WANTED[item.task], bool(item.index % 2)
    world = FrankaKitchen(held)
    world.reset(item.seed)
    tasks = [ELEMENTS[element] for element in wanted.elements]

    def judge(said: Monologue, end: End) -> Judged:
        done = {*world.info["done"]} == {*tasks}
        in_order = not wanted.ordered or [each for each in world.env.order if each in tasks] == tasks
        return judge_end(done and in_order, end, disturbed=held)

    def decide(said: Monologue) -> Decision:
        missing = [element for element in wanted.elements if not world.is_done(element)]
        if not wanted.elements:
            return Decline("there is no skill for that")
        if not missing:
            return Done("FrankaKitchen says so")
        name, arguments = DEEDS[missing[0]]
        return Plan("", (), (world.skills[name].step(arguments),))

    request = wanted.wordings[item.index % len(wanted.wordings)]
    return Setup(world, request, judge, expert_in(SAME_LOOP, decide), _LIMITS)
