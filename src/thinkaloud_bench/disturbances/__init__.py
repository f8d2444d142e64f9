"""Disturbances: simple requests at the table, and how presets cope when something goes wrong meanwhile.

Each task is one kind of trouble; the requests are the same for all presets. `thinkaloud` is played as it is, and once
without each of its parts. Its memory is the monologue itself, which cannot be left out.

- `success`: everything requested holds at the end. If a block was taken away: the rest holds, and no more was claimed.
- `silent`: the robot called it done, but it was not. `help_rate`: the share of episodes with any question.
- `motions`, `seconds`, `tokens` are per episode.
"""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.presets import PRESETS
from thinkaloud_bench.contract import CEILING, Bench, Item, OpenedModel, Played, Row, Shown
from thinkaloud_bench.disturbances.setups import DISTURBED_TASKS, set_up_disturbed
from thinkaloud_bench.intervals import wilson
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import Estimator, averaged, by_preset, fractions, measures, success
from thinkaloud_bench.variants import play_variant, split_variant, without

_OURS = "thinkaloud:confirm=never"
"""The requests are clear and nobody is there to answer, so the robot does what it understood."""
_PARTS = ("verify", "correct", "critique", "rehearse")
_OPTIONS = ("fix=off", "propose=off")
_COMPARED = (
    _OURS,
    *(without(_OURS, part) for part in _PARTS),
    *(f"{_OURS};{option}" for option in _OPTIONS),
    "thinkaloud",
    "inner_monologue",
    "statler",
    "hicrisp",
    "multitalk",
    "code_as_policies",
    "open_loop",
)


async def _play(item: Item, model: OpenedModel) -> Played:
    return await play_variant(item, model, set_up_disturbed(item))


def _share(score: str) -> Estimator:
    return lambda cell: wilson(sum(each.scores[score] for each in cell), len(cell))


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """The outcomes and the costs."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        found += fractions(bench, preset, tasks, "success", success)
        found += fractions(bench, preset, tasks, "silent", _share("silent"))
        found += fractions(bench, preset, tasks, "help_rate", _share("helped"))
        costs: dict[str, Estimator] = {"motions": averaged("steps"), "seconds": averaged("seconds")}
        if preset != CEILING:
            costs["tokens"] = averaged("tokens")
        found += measures(preset, tasks, costs)
    return found


def _is_there(column: str) -> bool:
    return split_variant(column)[0].partition(":")[0] in PRESETS


BENCH = Bench(
    "disturbances",
    "Simple requests at a table while things are moved, dropped, taken away, misjudged, or asked for differently",
    tasks=DISTURBED_TASKS,
    presets=(*filter(_is_there, _COMPARED), CEILING),
    play=_play,
    rows=_rows,
    draw=bars,
    shown=(
        Shown("success"),
        Shown("silent"),
        Shown("help_rate"),
        Shown("motions", percent=False),
        Shown("seconds", percent=False),
    ),
    episodes=20,
)
