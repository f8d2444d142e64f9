"""Inner Monologue's Table 1: eight tabletop tasks under the paper's noise, at most 15 steps, 50 episodes each.

Scenes and rewards follow appendix B.1: 2 to 4 blocks and 1 to 3 bowls of different colours, 15 cm apart, the request
drawn from what is there, success judged by the true positions when the episode ends. Our choices where B.1 is silent:
a request that is met from the start is drawn again; pick-and-place aims at a block, a bowl or one of the nine places
equally often; "corner or side" is one of the eight, not the middle; in both bowl-colour tasks there are 2 or 3 bowls
and 2 or 3 blocks, each with a bowl of its own colour; blocks may share a mismatched bowl.
Seed 0 is the test; develop prompts and training data with seeds from 1000 on.

Columns of learned hands (docs/hands-and-senses.md): `policy` is the paper's CLIPort, a policy that gets the whole task
and acts 15 times; `policy_until_done` is CLIPort + oracle, told when the task is done; `:FILE.onnx` names others. With
`--hands learned:FILE.onnx`, every other column picks and places by a policy, and `ceiling` is one that gets each step
from an oracle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from thinkaloud.loop import Limits
from thinkaloud.presets import read_preset
from thinkaloud_bench.contract import CEILING, Bench, Item, OpenedModel, Played, Task
from thinkaloud_bench.playing import SAME_LOOP, Judged, Plays, Setup, expert_in
from thinkaloud_bench.plots import bars
from thinkaloud_bench.policy_alone import is_policy, open_policy, play_policy, policy_file
from thinkaloud_bench.rows import request_rows
from thinkaloud_bench.tabletop_expert import TabletopExpert
from thinkaloud_bench.tabletop_goals import BlocksPlaced, BlockTower, TabletopGoal
from thinkaloud_worlds.tabletop import Scene, Tabletop
from thinkaloud_worlds.tabletop.layout import PLACES
from thinkaloud_worlds.tabletop.sensor_noise import PAPER_DISTURBANCE, Disturbed

_STEPS = 15
_CORNERS = tuple(place for place in PLACES if place.endswith("corner"))
_SIDES = tuple(place for place in PLACES if place.endswith("side"))
_Draw = Callable[[np.random.Generator, list[str], list[str]], tuple[str, TabletopGoal]]


def _one(rng: np.random.Generator, names: tuple[str, ...] | list[str]) -> str:
    return str(names[int(rng.integers(len(names)))])


def _pick_and_place(rng: np.random.Generator, blocks: list[str], bowls: list[str]) -> tuple[str, TabletopGoal]:
    thing = _one(rng, blocks)
    kinds = ([block for block in blocks if block != thing], bowls, list(PLACES))
    target = _one(rng, kinds[int(rng.integers(3))])
    return f"Pick the {thing} and place it on the {target}.", BlocksPlaced({thing: (target,)})


def _stack(rng: np.random.Generator, blocks: list[str], bowls: list[str]) -> tuple[str, TabletopGoal]:
    return "Stack all the blocks.", BlockTower()


def _corner_or_side(rng: np.random.Generator, blocks: list[str], bowls: list[str]) -> tuple[str, TabletopGoal]:
    place = _one(rng, _CORNERS + _SIDES)
    return f"Put all the blocks on the {place}.", BlocksPlaced(dict.fromkeys(blocks, (place,)))


def _bowl(rng: np.random.Generator, blocks: list[str], bowls: list[str]) -> tuple[str, TabletopGoal]:
    bowl = _one(rng, bowls)
    return f"Put all the blocks in the {bowl}.", BlocksPlaced(dict.fromkeys(blocks, (bowl,)))


def _different_corners(rng: np.random.Generator, blocks: list[str], bowls: list[str]) -> tuple[str, TabletopGoal]:
    return "Put all the blocks in different corners.", BlocksPlaced(dict.fromkeys(blocks, _CORNERS), distinct=True)


def _matching(rng: np.random.Generator, blocks: list[str], bowls: list[str]) -> tuple[str, TabletopGoal]:
    own = {block: tuple(bowl for bowl in bowls if _colour(bowl) == _colour(block)) for block in blocks}
    return "Put the blocks in their matching bowls.", BlocksPlaced(own)


def _mismatched(rng: np.random.Generator, blocks: list[str], bowls: list[str]) -> tuple[str, TabletopGoal]:
    others = {block: tuple(bowl for bowl in bowls if _colour(bowl) != _colour(block)) for block in blocks}
    return "Put the blocks on mismatched bowls.", BlocksPlaced(others)


def _stack_on_place(rng: np.random.Generator, blocks: list[str], bowls: list[str]) -> tuple[str, TabletopGoal]:
    place = _one(rng, _CORNERS + _SIDES)
    return f"Stack all the blocks on the {place}.", BlockTower(place)


def _colour(name: str) -> str:
    return name.split()[0]


def _draw_episode(draw: _Draw, seed: int, *, colours_match: bool = False) -> Setup:
    """Draw the scene, the request and the noise of a task and a seed."""
    rng = np.random.default_rng([seed, 1])
    while True:
        scene = _draw_scene(int(rng.integers(2**32)), rng, colours_match=colours_match)
        table = Tabletop(scene)
        request, goal = draw(rng, list(table.blocks), list(table.bowls))
        if not goal.met(table):
            break
    world = Disturbed(table, PAPER_DISTURBANCE)
    world.reset(seed)
    expert = TabletopExpert(world, table, goal)
    return Setup(world, request, lambda *_: Judged(goal.met(table)), expert_in(SAME_LOOP, expert), Limits(steps=_STEPS))


def _draw_scene(seed: int, rng: np.random.Generator, *, colours_match: bool) -> Scene:
    """Draw a random scene; with matching colours, every block has a bowl of its colour."""
    if not colours_match:
        return Scene.random(seed)
    bowls = int(rng.integers(2, 4))
    scene = Scene.random(seed, blocks=int(rng.integers(2, bowls + 1)), bowls=bowls)
    colours = iter(rng.permutation([thing.colour for thing in scene.objects if thing.kind == "bowl"]).tolist())
    recoloured = (
        msgspec.structs.replace(thing, name=f"{colour} block", colour=colour)
        if thing.kind == "block" and (colour := next(colours))
        else thing
        for thing in scene.objects
    )
    return Scene(tuple(recoloured))


@dataclass(frozen=True)
class TabletopTask(Task):
    """A task and how its requests are drawn."""

    draw: _Draw = _stack
    colours_match: bool = False

    def set_up(self, seed: int) -> Setup:
        """The episode of a seed."""
        return _draw_episode(self.draw, seed, colours_match=self.colours_match)


TABLETOP_TASKS = {
    task.name: task
    for task in (
        TabletopTask("pick-and-place", "Pick and place", "seen", _pick_and_place),
        TabletopTask("stack", "Stack all the blocks", "seen", _stack),
        TabletopTask("corner-or-side", "All the blocks on the [x] corner/side", "seen", _corner_or_side),
        TabletopTask("bowl", "All the blocks in the [x] bowl", "seen", _bowl),
        TabletopTask("different-corners", "All the blocks in different corners", "unseen", _different_corners),
        TabletopTask("matching-bowls", "The blocks in their matching bowls", "unseen", _matching, colours_match=True),
        TabletopTask("mismatched-bowls", "The blocks on mismatched bowls", "unseen", _mismatched, colours_match=True),
        TabletopTask("stack-on-place", "Stack all the blocks on the [x] corner/side", "unseen", _stack_on_place),
    )
}


def _set_up(item: Item) -> Setup:
    return TABLETOP_TASKS[item.task].set_up(item.seed)


_play = Plays(_set_up)


async def _play_any(item: Item, model: OpenedModel) -> Played:
    """Play an episode: a policy alone, or a mind in the loop."""
    if is_policy(item.preset):
        return await play_policy(item, _set_up(item), _STEPS)
    return await _play(item, model)


def _open_column(name: str) -> Path | None:
    """Return the weights of a policy; BadInput if they cannot be opened, or if this is no other column either."""
    if is_policy(name):
        open_policy(name)
        return policy_file(name)
    if name != CEILING:
        read_preset(name)
    return None


def _column(*values: float) -> dict[str, float]:
    return dict(zip(TABLETOP_TASKS, values, strict=True))


BENCH = Bench(
    "inner-monologue-tabletop",
    "Inner Monologue (Huang et al., 2022), Table 1: simulated tabletop rearrangement with disturbances",
    tasks=TABLETOP_TASKS,
    presets=(
        "open_loop",
        "inner_monologue:feedback=object",
        "inner_monologue:feedback=object+success",
        "inner_monologue:feedback=object+scene",
        CEILING,
    ),
    play=_play_any,
    rows=request_rows,
    draw=bars,
    paper={
        "success": {
            "inner_monologue:feedback=object": _column(0.80, 0.04, 0.30, 0.52, 0.20, 0.56, 0.62, 0.00),
            "inner_monologue:feedback=object+success": _column(0.90, 0.10, 0.28, 0.46, 0.20, 0.70, 0.76, 0.04),
            "inner_monologue:feedback=object+scene": _column(0.94, 0.26, 0.30, 0.56, 0.26, 0.82, 0.86, 0.06),
            "CLIPort": _column(0.24, 0.02, 0.02, 0.32, 0.0, 0.0, 0.0, 0.0),
            "CLIPort + oracle": _column(0.74, 0.32, 0.32, 0.94, 0.0, 0.0, 0.0, 0.0),
        }
    },
    column=_open_column,
)
