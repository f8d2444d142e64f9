"""What eyes find in pictures: precision, recall and accuracy, as in Inner Monologue's Table 5, on rendered scenes.

The columns are eyes, not presets: `camera`, or `owlv2:FOLDER` and `grounding_dino:FOLDER`. An episode is one picture.
The truth is which shape each pixel shows: a thing is visible if a quarter of what would be seen of it from above is.
Of every name in the catalogue it is asked whether such a thing is visible; a second thing found under a name that is
there once counts as found wrongly. The paper's figures are from kitchen pictures and stand beside for orientation.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from thinkaloud.worlds.vision import Appearance, Sight, open_eyes
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import averaged, by_preset, fractions, measures, pooled
from thinkaloud_worlds.camera_pictures import Photograph
from thinkaloud_worlds.real_table import RealTable
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.table_eyes import photograph_table

_ENOUGH = 0.25
_DIM, _GRAIN, _ROUGH, _HOLES = 0.75, 15.0, 0.004, 0.1
_Scene = tuple[Photograph, tuple[Appearance, ...], Physics]


def _tabletop(seed: int) -> _Scene:
    table = Tabletop()
    table.reset(seed)
    return photograph_table(table.physics), table.appearances(), table.physics


def _stacking(seed: int) -> _Scene:
    return _real(RealTable(task="stacking"), seed)


def _sorting(seed: int) -> _Scene:
    return _real(RealTable(task="sorting"), seed)


def _real(table: RealTable, seed: int) -> _Scene:
    table.reset(seed)
    return table.photograph(), table.appearances(), table.physics


def _poor(seed: int) -> _Scene:
    """The clutter in the picture of a bad camera: grainy and dim, with rough depth that has holes."""
    photo, catalogue, physics = _sorting(seed)
    view, rng = photo.view, np.random.default_rng([seed, 5])
    grainy = np.clip(view.rgb * _DIM + rng.normal(0.0, _GRAIN, view.rgb.shape), 0, 255).astype(np.uint8)
    rough = view.depth + rng.normal(0.0, _ROUGH, view.depth.shape)
    depth = np.where((view.depth > 0) & (rng.uniform(size=view.depth.shape) > _HOLES), rough, 0.0).astype(np.float32)
    return replace(photo, view=replace(view, rgb=grainy, depth=depth)), catalogue, physics


_SCENES: dict[str, Callable[[int], _Scene]] = {
    "tabletop": _tabletop,
    "stacking": _stacking,
    "sorting": _sorting,
    "poor": _poor,
}


def find_visible(photo: Photograph, catalogue: Sequence[Appearance], physics: Physics) -> set[str]:
    """The names of what can truly be seen in a picture."""
    looks = {each.name: each for each in catalogue}
    owners, found = np.where(photo.geoms >= 0, physics.owner[photo.geoms], -1), set[str]()
    focal = photo.view.intrinsics.fx * photo.view.intrinsics.fy
    for name, body in physics.bodies.items():
        own = (owners == body) & (photo.view.depth > 0)
        if own.any():
            depth = float(np.median(photo.view.depth[own]))
            face = looks[name].across ** 2 * (math.pi / 4 if looks[name].round else 1.0)
            if own.sum() * depth * depth / focal >= _ENOUGH * face:
                found.add(name)
    return found


def count_found(sight: Sight, visible: set[str], catalogue: Sequence[Appearance]) -> dict[str, float]:
    """How many were found rightly and wrongly, missed, and rightly passed over."""
    names = {*sight.names}
    right, doubled = len(names & visible), len(sight.sightings) - len(names)
    wrong, missed = len(names - visible) + doubled, len(visible - names)
    passed = len({each.name for each in catalogue} - names - visible)
    every = right + wrong + missed + passed
    return {
        "right": right,
        "said": right + wrong,
        "visible": right + missed,
        "agreed": right + passed,
        "asked": every,
    }


async def _play(item: Item, model: OpenedModel) -> Played:
    eyes = open_eyes(item.preset)
    photo, catalogue, physics = _SCENES[item.task](item.seed)
    began = time.perf_counter()
    sight = eyes.look(photo.view, catalogue)
    took = time.perf_counter() - began
    visible = find_visible(photo, catalogue, physics)
    return played_as(
        item,
        (),
        success={*sight.names} == visible,
        seconds=took,
        model="no model",
        request=", ".join(sorted(visible)),
        because=", ".join(sight.names),
        scores=count_found(sight, visible, catalogue),
    )


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        for metric, above, below in (
            ("precision", "right", "said"),
            ("recall", "right", "visible"),
            ("accuracy", "agreed", "asked"),
        ):
            found += fractions(bench, preset, tasks, metric, pooled(above, below))
        found += measures(preset, tasks, {"seconds": averaged("seconds")})
    return found


def _check_column(name: str) -> None:
    """BadInput where there are no such eyes, or they cannot be opened."""
    open_eyes(name)


def _paper(**figures: float) -> dict[str, dict[str, float]]:
    return {name: dict.fromkeys(_SCENES, value) for name, value in figures.items()}


BENCH = Bench(
    "detectors",
    "Inner Monologue (Huang et al., 2022), Table 5: what eyes find in pictures; here in rendered scenes",
    tasks={
        "tabletop": Task("tabletop", "Blocks and bowls"),
        "stacking": Task("stacking", "Three blocks, two of them stacked"),
        "sorting": Task("sorting", "Fruits and bottles in clutter"),
        "poor": Task("poor", "The same by a poor camera"),
    },
    presets=("camera",),
    play=_play,
    rows=_rows,
    draw=bars,
    shown=(Shown("precision"), Shown("recall"), Shown("accuracy"), Shown("seconds", percent=False)),
    paper={
        "precision": _paper(ViLD=0.857, MDETR=0.396),
        "recall": _paper(ViLD=0.720, MDETR=0.875),
        "accuracy": _paper(ViLD=0.889, MDETR=0.682),
    },
    episodes=50,
    only_own=True,
    column=_check_column,
)
