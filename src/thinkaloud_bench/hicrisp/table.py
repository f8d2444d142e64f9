"""HiCRISP's Table II: seven requests about blocks and bowls; and its Fig. 4, a box that is placed around a cylinder.

The paper gives the sentences, and says that the arm was made to miss by an offset. Our choices: the table is that of
the tabletop world, with scenes drawn from the seed; `WARM_COLOURS` and `COOL_COLOURS` define warm and cool colours;
"two blocks" means exactly two; success is judged by the true positions when the episode ends. `recall` is the share of
the goal that is reached.

The arm is off by 3 cm in a direction that the seed decides, on top of Inner Monologue's noise: see `NOISE`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Decline, Done, End, Plan
from thinkaloud.worlds import World
from thinkaloud_bench.contract import Item, Task
from thinkaloud_bench.hicrisp.effects import EffectsSeen
from thinkaloud_bench.hicrisp.limits import FIXING, LIMITS
from thinkaloud_bench.hicrisp.scoring import judged
from thinkaloud_bench.hicrisp.table_around import draw_around_episode
from thinkaloud_bench.hicrisp.table_goals import AllIn, OneEach, OneEmpty, TableGoal, TwoTogether
from thinkaloud_bench.hicrisp.table_setup import NOISE, TableEpisode
from thinkaloud_bench.playing import Judged, Setup, expert_in
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from thinkaloud_worlds.tabletop.layout import COLOURS
from thinkaloud_worlds.tabletop.sensor_noise import Disturbed

WARM_COLOURS = ("red", "orange", "yellow", "pink")
COOL_COLOURS = ("green", "cyan", "blue", "purple")

_Rng = np.random.Generator
_Draw = Callable[[_Rng, int], tuple[Scene, TableGoal]]


def _scene(rng: _Rng, seed: int, blocks: Sequence[str], bowls: Sequence[str]) -> Scene:
    """Blocks and bowls of these colours, at random places."""
    drawn = Scene.random(seed, blocks=len(blocks), bowls=len(bowls))
    colours = {"block": iter(blocks), "bowl": iter(bowls)}
    things = []
    for thing in drawn.objects:
        colour = next(colours[thing.kind])
        things.append(msgspec.structs.replace(thing, name=f"{colour} {thing.kind}", colour=colour))
    return Scene(tuple(things))


def _some(rng: _Rng, colours: Sequence[str], low: int, high: int) -> list[str]:
    return [str(colour) for colour in rng.permutation(colours)[: int(rng.integers(low, high + 1))]]


def _two_in_bowl(rng: _Rng, seed: int) -> tuple[Scene, TableGoal]:
    scene = _scene(rng, seed, _some(rng, [*COLOURS], 2, 4), _some(rng, [*COLOURS], 1, 1))
    return scene, TwoTogether(_named(scene, "bowl"))


def _step_by_step(rng: _Rng, seed: int) -> tuple[Scene, TableGoal]:
    scene = _scene(rng, seed, _some(rng, [*COLOURS], 2, 4), _some(rng, [*COLOURS], 2, 3))
    return scene, TwoTogether(_named(scene, "bowl"))


def _each_in_each(rng: _Rng, seed: int) -> tuple[Scene, TableGoal]:
    blocks = _some(rng, [*COLOURS], 2, 4)
    return _scene(rng, seed, blocks, _some(rng, [*COLOURS], len(blocks), len(blocks))), OneEach()


def _cool_bowl(rng: _Rng, seed: int) -> tuple[Scene, TableGoal]:
    cool = _some(rng, COOL_COLOURS, 1, 1)
    scene = _scene(rng, seed, _some(rng, [*COLOURS], 2, 4), _shuffled(rng, [*cool, *_some(rng, WARM_COLOURS, 1, 2)]))
    return scene, TwoTogether((f"{cool[0]} bowl",))


def _warm_blocks(rng: _Rng, seed: int) -> tuple[Scene, TableGoal]:
    warm = _some(rng, WARM_COLOURS, 1, 3)
    others = [colour for colour in COLOURS if colour != "green"]
    bowls = _shuffled(rng, ["green", *_some(rng, others, 1, 2)])
    scene = _scene(rng, seed, _shuffled(rng, [*warm, *_some(rng, COOL_COLOURS, 1, 2)]), bowls)
    return scene, AllIn(tuple(f"{colour} block" for colour in warm), "green bowl")


def _one_empty(rng: _Rng, seed: int) -> tuple[Scene, TableGoal]:
    bowls = _some(rng, [*COLOURS], 3, 4)
    return _scene(rng, seed, _some(rng, [*COLOURS], len(bowls) - 1, 4), bowls), OneEmpty()


_BEGINNINGS = ((1, 1, 1), (2, 1, 1), (2, 2), (2, 0, 0), (2, 0, 0, 0))
"""How many blocks lie in each bowl at first where one bowl is to be empty in the end."""


def _make_one_empty(rng: _Rng, seed: int) -> tuple[Scene, TableGoal]:
    """No bowl is empty, or too many are."""
    counts = _BEGINNINGS[int(rng.integers(len(_BEGINNINGS)))]
    bowls = _some(rng, [*COLOURS], len(counts), len(counts))
    homes = [f"{bowl} bowl" for bowl, count in zip(bowls, counts, strict=True) for _ in range(count)]
    blocks = max(len(homes), len(bowls) - 1) + int(rng.integers(0, 2))
    scene = _scene(rng, seed, _some(rng, [*COLOURS], blocks, blocks), bowls)
    lying = dict(zip(_named(scene, "block"), homes, strict=False))
    ordered = sorted(scene.objects, key=lambda thing: thing.kind == "block")
    return Scene(tuple(_in_bowl(thing, lying.get(thing.name, "")) for thing in ordered)), OneEmpty()


def _in_bowl(thing: Thing, bowl: str) -> Thing:
    return msgspec.structs.replace(thing, on=bowl, x=float("nan"), y=float("nan"), yaw=0.0) if bowl else thing


def _named(scene: Scene, kind: str) -> tuple[str, ...]:
    return tuple(thing.name for thing in scene.objects if thing.kind == kind)


def _shuffled(rng: _Rng, names: Sequence[str]) -> list[str]:
    return [str(name) for name in rng.permutation(names)]


@dataclass
class TableExpert:
    """Knows the goal and the true state, but not the noise; decides one pick-and-place at a time."""

    world: World
    table: Tabletop
    goal: TableGoal

    def __call__(self, monologue: Monologue) -> Decision:
        """The next move; done as soon as the judge says so."""
        if self.goal.met(self.table):
            return Done("the judge says so")
        move = self.goal.move(self.table)
        if move is None:
            return Decline("a block that is needed is no longer on the table")
        return Plan("", (), (self.world.skills["pick_and_place"].step({"object": move[0], "target": move[1]}),))


def _episode(draw: _Draw, title: str, seed: int) -> TableEpisode:
    rng = np.random.default_rng([seed, 0x41C5])
    while True:
        scene, goal = draw(rng, int(rng.integers(2**32)))
        table = Tabletop(scene)
        if not goal.met(table):
            break
    world = Disturbed(table, NOISE)
    world.reset(seed)
    expert = TableExpert(world, table, goal)
    return TableEpisode(world, f"{title}.", lambda: goal.share(table), lambda: goal.met(table), expert)


@dataclass(frozen=True)
class TableTask(Task):
    """A request and how its scenes are drawn."""

    draw: _Draw | None = None

    def set_up(self, seed: int) -> TableEpisode:
        """The episode of a seed."""
        return draw_around_episode(seed) if self.draw is None else _episode(self.draw, self.title, seed)


TABLE_TASKS = {
    task.name: task
    for task in (
        TableTask("two_in_bowl", "Store two blocks in the bowl", "table", _two_in_bowl),
        TableTask("step_by_step", "Put two blocks in one bowl step by step", "table", _step_by_step),
        TableTask("each_in_each", "Put each block into each bowl", "table", _each_in_each),
        TableTask("cool_bowl", "Put two blocks in a cool color bowl", "table", _cool_bowl),
        TableTask("warm_blocks", "Put all warm color blocks in the green bowl", "table", _warm_blocks),
        TableTask("one_empty", "Put blocks in bowls until only one bowl is empty", "table", _one_empty),
        TableTask("make_one_empty", "Make only one bowl empty", "table", _make_one_empty),
        TableTask("box_around_cylinder", "Place a box around a cylinder", "around"),
    )
}
"""The seven requests of Table II and the one of Fig. 4, in the paper's words."""


def set_up_table(item: Item) -> Setup:
    """One request, judged by the true state of the table."""
    episode = TABLE_TASKS[item.task].set_up(item.seed)
    start, seen = episode.world.clock.now(), EffectsSeen(episode.world)

    def judge(said: Monologue, _: End) -> Judged:
        seconds = round(episode.world.clock.now() - start, 2)
        return judged(said, episode.share(), episode.met(), scores={"robot_seconds": seconds, **seen.scores})

    expert = expert_in(FIXING, episode.expert)
    return Setup(episode.world, episode.request, judge, expert, LIMITS, listeners=[seen])
