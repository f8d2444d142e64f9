"""What detectors find in pictures: precision, recall and accuracy, as in Inner Monologue's Table 5, on rendered scenes.

The columns are eyes, not presets: `camera`, or `owlv2:FOLDER` and `grounding_dino:FOLDER`. An episode is one picture.
The ground truth is the shape that each pixel shows: a thing counts as visible if at least a quarter of its view from
above is in the picture. For every name in the catalogue, the benchmark asks whether such a thing is visible. If a name
exists once and is found twice, the second one is a false positive. The paper's figures come from pictures of a real
kitchen and are shown only for orientation. The kitchen and the dishwasher count more strictly, and by occlusion
(`staged_pictures`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from thinkaloud.worlds.vision import Appearance, Sight, open_eyes
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.learned_weights import weights_of
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import averaged, by_preset, fractions, measures, pooled
from thinkaloud_bench.staged_pictures import STAGED
from thinkaloud_bench.visible_things import find_visible
from thinkaloud_worlds.camera_pictures import Photograph
from thinkaloud_worlds.real_table import RealTable
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.physics import Physics
from thinkaloud_worlds.tabletop.table_eyes import photograph_table

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
    """The cluttered scene through a bad camera: grainy and dim, with coarse depth that has holes."""
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


def count_found(sight: Sight, visible: set[str], catalogue: Sequence[Appearance]) -> dict[str, float]:
    """Count true positives, false positives, false negatives and true negatives."""
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
    if item.task in STAGED:
        staged = STAGED[item.task](item.seed)
        view, catalogue, visible, count = staged.view, staged.catalogue, staged.visible(), staged.count
    else:
        photo, catalogue, physics = _SCENES[item.task](item.seed)
        view, visible = photo.view, find_visible(photo, catalogue, physics)
        count = partial(count_found, visible=visible, catalogue=catalogue)
    began = time.perf_counter()
    sight = eyes.look(view, catalogue)
    took = time.perf_counter() - began
    return played_as(
        item,
        (),
        success={*sight.names} == visible,
        seconds=took,
        model="no model",
        request=", ".join(sorted(visible)),
        because=", ".join(sight.names),
        scores=count(sight),
    )


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        for metric, above, below in (
            ("precision", "right", "said"),
            ("recall", "right", "visible"),
            ("clear", "right_clear", "clear"),
            ("covered", "right_covered", "covered"),
            ("accuracy", "agreed", "asked"),
        ):
            found += fractions(bench, preset, tasks, metric, pooled(above, below))
        found += measures(preset, tasks, {"seconds": averaged("seconds")})
    return found


def _open_column(name: str) -> Path | None:
    """Return the weights of these eyes; BadInput if there are none, or they cannot be opened."""
    open_eyes(name)
    return weights_of("eyes", name)


def _paper(**figures: float) -> dict[str, dict[str, float]]:
    return {name: dict.fromkeys((*_SCENES, *STAGED), value) for name, value in figures.items()}


BENCH = Bench(
    "detectors",
    "Inner Monologue (Huang et al., 2022), Table 5: what eyes find in pictures; here in rendered scenes",
    tasks={
        "tabletop": Task("tabletop", "Blocks and bowls"),
        "stacking": Task("stacking", "Three blocks, two of them stacked"),
        "sorting": Task("sorting", "Fruits and bottles in clutter"),
        "poor": Task("poor", "The same by a poor camera"),
        "kitchen": Task("kitchen", "Household items in a kitchen, behind each other and in drawers"),
        "dishwasher": Task("dishwasher", "Dishes in a sink, on racks and beside the machine"),
    },
    presets=("camera",),
    play=_play,
    rows=_rows,
    draw=bars,
    shown=(
        Shown("precision"),
        Shown("recall"),
        Shown("clear"),
        Shown("covered"),
        Shown("accuracy"),
        Shown("seconds", percent=False),
    ),
    paper={
        "precision": _paper(ViLD=0.857, MDETR=0.396),
        "recall": _paper(ViLD=0.720, MDETR=0.875),
        "accuracy": _paper(ViLD=0.889, MDETR=0.682),
    },
    episodes=50,
    only_own=True,
    column=_open_column,
)
