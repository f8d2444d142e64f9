"""Statler's Tables I, II and III: episodes of queries in four domains, each step judged, the first failure the end.

The paper has 20 episodes a domain, of 5 to 16 queries, at least one of them temporal; and 10 on its real robot, whose
domain is `cups` here. Ours are drawn from the seed: seed 0 is the test, seeds from 1000 on are for development. Other
people's episodes come from a file.

- `episode_success`: all steps right. `step_rate`: right steps before the first failure, over all steps (Tables I, III).
- `temporal_success`, `non_temporal_success`: of the steps tried, up to and including the first failure (Table II).
- `seconds` and `tokens` are per query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thinkaloud.errors import BadInput, BadScene
from thinkaloud_bench.contract import CEILING, Bench, Played, Row, Shown, Task
from thinkaloud_bench.playing import Plays
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import by_preset, cached, fractions, measures, per, pooled, success
from thinkaloud_bench.statler.episodes import QueryEpisode
from thinkaloud_bench.statler.reading import read_queries
from thinkaloud_bench.statler.setups import by_task, open_episode_world, set_up_queries

_DOMAINS = ("pick_and_place", "disinfection", "weight")


def _table(*cells: float) -> dict[str, float]:
    return dict(zip((*_DOMAINS, "cups"), cells, strict=False))


_PAPER = {
    "episode_success": {
        "code_as_policies": _table(0.00, 0.00, 0.00, 0.20),
        "code_as_policies_cot": _table(0.25, 0.00, 0.30),
        "statler": _table(0.50, 0.40, 0.55, 0.40),
        "statler_unified": _table(0.40, 0.35, 0.50),
        "statler_auto": _table(0.75, 0.45, 0.40),
    },
    "step_rate": {
        "code_as_policies": _table(0.54, 0.68, 0.84, 0.46),
        "code_as_policies_cot": _table(0.76, 0.20, 0.88),
        "statler": _table(0.88, 0.82, 0.93, 0.70),
        "statler_unified": _table(0.85, 0.79, 0.92),
        "statler_auto": _table(0.88, 0.82, 0.90),
    },
    "non_temporal_success": {
        "code_as_policies": _table(62 / 62, 148 / 149, 107 / 107),
        "statler": _table(68 / 68, 164 / 168, 107 / 107),
    },
    "temporal_success": {
        "code_as_policies": _table(9 / 29, 1 / 20, 0 / 20),
        "statler": _table(48 / 58, 15 / 23, 11 / 20),
    },
}


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """Every number of the three tables, and what it cost."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        found += fractions(bench, preset, tasks, "episode_success", success)
        found += fractions(bench, preset, tasks, "step_rate", pooled("right", "steps"))
        found += fractions(bench, preset, tasks, "non_temporal_success", pooled("other_right", "other_tried"))
        found += fractions(bench, preset, tasks, "temporal_success", pooled("temporal_right", "temporal_tried"))
        costs = {"seconds": per("seconds", "queries")}
        if preset != CEILING:
            costs["tokens"] = per("tokens", "queries")
        found += measures(preset, tasks, costs)
        found += cached(preset, tasks)
    return found


def _read(content: bytes, source: str) -> Mapping[str, list[QueryEpisode]]:
    """The episodes of a file, by domain; each has to fit on the table."""
    try:
        episodes = read_queries(content.decode("utf-8-sig"), source)
    except UnicodeDecodeError:
        raise BadInput(f"{source}: is not a text file; episodes are JSON.") from None
    for episode in episodes:
        try:
            open_episode_world(episode, 0)
        except BadScene as error:
            raise BadInput(f"{source}: episode {episode.id!r}: {error}") from None
    return by_task(episodes)


def _notes(played: Sequence[Played]) -> list[str]:
    """What the tables do not show."""
    slips = sum(each.scores.get("slipped", 0) > 0 for each in played)
    return [f"In {slips} of {len(played)} episodes something ended elsewhere than it was put"] if slips else []


BENCH = Bench(
    "statler",
    "Statler (Yoneda et al., 2023), Tables I to III: queries about what cannot be seen, in four domains",
    tasks={
        "pick_and_place": Task("pick_and_place", "pick and place", "simulated"),
        "disinfection": Task("disinfection", "disinfection", "simulated"),
        "weight": Task("weight", "relative weight", "simulated"),
        "cups": Task("cups", "cups (real robot)"),
    },
    presets=(
        "code_as_policies",
        "code_as_policies_cot",
        "statler_unified",
        "statler_auto",
        "statler",
        "statler:think=no",
        "statler:writer=delta",
        CEILING,
    ),
    play=Plays(set_up_queries),
    rows=_rows,
    draw=bars,
    shown=(
        Shown("episode_success"),
        Shown("step_rate"),
        Shown("non_temporal_success"),
        Shown("temporal_success"),
        Shown("seconds", percent=False),
        Shown("tokens", percent=False),
    ),
    paper=_PAPER,
    episodes=20,
    read=_read,
    notes=_notes,
)
