"""Single steps of pick-and-place under Inner Monologue's noise: learned hands beside the scripted expert.

The columns are hands: `expert` finds things by the true segmentation, `learned` (or `learned:FILE.onnx`) by
a picture and a sentence.
An episode is one call on a table of blocks and bowls, some of them on each other; it worked if the world's own relation
holds afterwards. All columns get the same tables, calls and noise.

    seen       colours and kinds in combinations that demonstrations have
    unseen     all combinations of a colour and a kind are kept back from demonstrations, and from the eyes
    wording    seen combinations, in two wordings that are kept back

`seconds` is one look for a pick or a place. The words themselves are all known: hands refuse a word they never learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from thinkaloud.errors import SkillError
from thinkaloud.worlds.hands import open_hands
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.learned_weights import weights_of
from thinkaloud_bench.lost_where import Watch, WatchedHands
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.policy_alone import Told
from thinkaloud_bench.rows import averaged, by_preset, fractions, measures, success
from thinkaloud_worlds.random_tables.any_colours import draw_any_colours
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.contact_relations import supports_of
from thinkaloud_worlds.tabletop.layout import PLACES
from thinkaloud_worlds.tabletop.sensor_noise import PAPER_DISTURBANCE, Disturbed

_EXPERT = "expert"
_SALT = 0x51E9
KEPT_BACK = (
    "On the {target} place the {object}.",
    "The {target} is where the {object} goes: put it there.",
)
"""Wordings that no demonstration has."""


def draw_step(seed: int, task: str) -> tuple[Tabletop, dict[str, str], str]:
    """Draw a table, a call for which nothing is in the way, and its sentence if that is not the usual one."""
    rng = np.random.default_rng([seed, _SALT])
    while True:
        table = Tabletop(draw_any_colours(rng, kept_back=task == "unseen"))
        below = supports_of(table.physics)
        bare = [name for name in table.blocks if name not in below.values()]
        kind = (bare, table.bowls, list(PLACES))[int(rng.integers(3))]
        name, target = str(rng.choice(bare)), str(rng.choice(kind))
        if name != target and not table.on(name, target) and below.get(target) != name:
            break
    form = KEPT_BACK[int(rng.integers(2))] if task == "wording" else ""
    step = {"object": name, "target": target}
    return table, step, form.format(**step)


async def _play(item: Item, model: OpenedModel) -> Played:
    table, step, sentence = draw_step(item.seed, item.task)
    hands = None if item.preset == _EXPERT else Told(open_hands(item.preset), sentence)
    watch = Watch(table)
    if hands is not None:
        table.pick_with(WatchedHands(hands, watch))
    world = Disturbed(table, PAPER_DISTURBANCE)
    world.reset(item.seed)
    watch.begin(**step)
    try:
        report = await world.skills["pick_and_place"].run(step)
    except SkillError as error:
        report = str(error)
    worked = table.on(**step)
    return played_as(
        item,
        (),
        request=sentence or world.skills["pick_and_place"].step(step).words,
        success=worked,
        because=str(report),
        steps=1,
        seconds=0.0 if hands is None or not hands.looks else hands.seconds / hands.looks,
        model="no model",
        lost=watch.lost(worked),
    )


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        found += fractions(bench, preset, tasks, "success", success)
        found += measures(preset, tasks, {"seconds": averaged("seconds")})
    return found


def _open_column(name: str) -> Path | None:
    """Return the weights of these hands; BadInput if there are none, or they cannot be opened."""
    if name == _EXPERT:
        return None
    open_hands(name)
    return weights_of("hands", name)


BENCH = Bench(
    "single-steps",
    "Our own: single steps of pick-and-place under noise, by learned hands and by the scripted expert",
    tasks={
        "seen": Task("seen", "Colours and kinds as in demonstrations"),
        "unseen": Task("unseen", "Combinations that demonstrations never have", like="seen"),
        "wording": Task("wording", "Wordings that demonstrations never have", like="seen"),
    },
    presets=(_EXPERT,),
    play=_play,
    rows=_rows,
    draw=bars,
    shown=(Shown("success"), Shown("seconds", percent=False)),
    episodes=100,
    only_own=True,
    column=_open_column,
)
