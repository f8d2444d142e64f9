"""The expert's way through the seen tasks of Table 1, without its motions: what it moves is put where it places it.

What is placed misses as the paper's noise has it, so towers fall and blocks lie beside bowls, as they do later.
"""

from __future__ import annotations

import numpy as np

from thinkaloud.monologue import Monologue
from thinkaloud.records import Plan
from thinkaloud.worlds.disturbance import PAPER_DISTURBANCE
from thinkaloud_bench.inner_monologue_tabletop import TABLETOP_TASKS
from thinkaloud_bench.tabletop_expert import TabletopExpert
from thinkaloud_bench.tabletop_goals import BlockTower
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.camera import Picture, Pixel

_LONGEST = 6
_SETTLE = 60  # ticks
_SEEN = [task for task in TABLETOP_TASKS.values() if task.group == "seen"]


def draw_on_the_way(rng: np.random.Generator) -> tuple[Picture, list[tuple[str, Pixel, Pixel | None]]]:
    """Return a scene between the beginning and the end of a task, with the expert's next pick and place."""
    while True:
        task = _SEEN[int(rng.integers(len(_SEEN)))]
        table = Tabletop()
        table.reset(int(rng.integers(2**32)))
        request, goal = task.draw(rng, list(table.blocks), list(table.bowls))
        expert = TabletopExpert(table, table, goal)
        for _ in range(int(rng.integers(_LONGEST if isinstance(goal, BlockTower) else _LONGEST - 1))):
            move = _next_move(expert)
            if move is None:
                break
            _carry_out(table, *move, rng)
        move = _next_move(expert)
        if move is not None and {*move} & {*table.observe().objects}:
            picture = table.picture()
            name, target = move
            try:
                where = table.senses.pixel(picture, name), table.senses.pixel(picture, target, name)
            except Exception:  # covered, or off the table: no demonstration
                continue
            return picture, [(request, *where)]


def _next_move(expert: TabletopExpert) -> tuple[str, str] | None:
    decision = expert(Monologue(expert.world.clock))
    if not isinstance(decision, Plan):
        return None
    arguments = decision.steps[0].arguments
    return str(arguments["object"]), str(arguments["target"])


def _carry_out(table: Tabletop, name: str, target: str, rng: np.random.Generator) -> None:
    picture = table.picture()
    x, y, z = table.senses.point(picture, table.senses.pixel(picture, target, name))
    right, up = rng.normal(0.0, PAPER_DISTURBANCE.place, 2)
    table.physics.put(name, (x + float(right), y + float(up), z + 0.005))
    for _ in range(_SETTLE):
        table.physics.tick()
