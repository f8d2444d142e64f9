"""An episode in the workshop: a request, the stations it is about and others, and Meta-World's judgement."""

from __future__ import annotations

import numpy as np

from thinkaloud.loop import Limits
from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Done, End, Plan
from thinkaloud_bench.contract import Item
from thinkaloud_bench.disturbed_rows import judge_end
from thinkaloud_bench.metaworld.tasks import WANTED, Wanted
from thinkaloud_bench.playing import SAME_LOOP, Judged, Setup, expert_in

_SALT, _OTHERS = 31, 3
_LIMITS = Limits(steps=12)


def set_up(item: Item) -> Setup:
    """Set up the episode for a task and a seed; in odd episodes, somebody pushes the arm at one of its stations."""
    from thinkaloud_bench.metaworld.stations import STATIONS, Stations
    from thinkaloud_bench.metaworld.workshop import Workshop

    wanted, rng = WANTED[item.task], np.random.default_rng([item.seed, _SALT])
    deeds = {STATIONS[thing].deed for thing in wanted.things}
    others = [name for name, each in STATIONS.items() if name not in wanted.things and each.deed not in deeds]
    things = [*wanted.things, *(str(each) for each in rng.choice(others, _OTHERS, replace=False))]
    pushed = str(rng.choice(wanted.things)) if item.index % 2 else ""
    world = Workshop([str(each) for each in rng.permutation(things)], pushed)
    world.reset(item.seed)
    stations = world.env
    assert isinstance(stations, Stations)

    def judge(said: Monologue, end: End) -> Judged:
        done = all(world.succeeded(thing) for thing in wanted.things) and stations.touched() <= {*wanted.things}
        in_order = not wanted.ordered or _followed(wanted, stations.began)
        return judge_end(done and in_order, end, disturbed=bool(pushed))

    def decide(said: Monologue) -> Decision:
        missing = [thing for thing in wanted.things if not world.succeeded(thing)]
        if not missing:
            return Done("Meta-World says so")
        station = STATIONS[missing[0]]
        skill = world.skills[station.deed]
        names = [p.name for p in skill.signature.parameters]
        values = [station.thing, station.place][: len(names)]
        return Plan("", (), (skill.step(dict(zip(names, values, strict=True))),))

    request = wanted.wordings[item.index % len(wanted.wordings)]
    return Setup(world, request, judge, expert_in(SAME_LOOP, decide), _LIMITS)


def _followed(wanted: Wanted, began: dict[str, list[str]]) -> bool:
    """Whether each thing was begun with after the one before it had succeeded."""
    pairs = zip(wanted.things, wanted.things[1:], strict=False)
    return all(before in began.get(after, ()) for before, after in pairs)
