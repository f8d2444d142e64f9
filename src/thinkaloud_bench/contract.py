"""What a benchmark is to the harness, and what it has to bring along.

The harness decides who plays when: it makes the items (every preset gets the same episodes), spreads them over
processes, writes each finished episode down, goes on after Ctrl-C, and prints the tables. The benchmark sets up its
episodes (`playing.py` plays them) and says which numbers come out of them:

    def _set_up(item: Item) -> Setup:
        episode = item.episode or drawn(item.task, item.seed)    # from --episodes-file, or from the seed
        return Setup(episode.world, episode.request, judge=…, expert=expert_in(SAME_LOOP, …))

    def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
        found = []
        for preset, tasks in by_preset(presets, bench, played).items():
            found += fractions(bench, preset, tasks, "episode_success", success)
            found += fractions(bench, preset, tasks, "step_rate", pooled("right", "steps"))
            found += measures(preset, tasks, {"seconds": per("seconds", "tried")})
        return found

    BENCH = Bench("name", "about", tasks, presets, play=Plays(_set_up), rows=_rows, draw=bars,
                  shown=(Shown("episode_success"),), paper={"episode_success": {"statler": {"weight": 0.55}}})

A benchmark that asks the model itself, without a robot, has a `play` of its own and gives `played_as`. `play`, `rows`,
`draw`, `read` and `notes` are functions of a module, not lambdas: a benchmark travels to the worker processes by name.
`rows.py` has the pieces for rows, `plots.py` the bar plot.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from thinkaloud.models import Model, ModelSettings

CEILING = "ceiling"
"""The preset of a benchmark's own expert: it knows goal and state, and has the same arm, noise and step limit."""

OpenModel = Callable[[str, ModelSettings], Model]


@dataclass(frozen=True, slots=True)
class Item:
    """One episode to be played. The seed says everything about it but who plays: all presets get the same episodes.

    With an episodes file, `episode` is what `Bench.read` made of it; it is sent to the worker processes, so it has to
    be plain data. `eyes` are what the robot sees with, if not as its world has it.
    """

    preset: str
    task: str
    index: int
    seed: int
    episode: Any = None
    eyes: str = ""


class Played(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of an episode: one line of episodes.jsonl. `later_…` count the calls after the episode's first one.

    `scores` are the benchmark's own numbers, which its rows are made of; `details` are for people who read the file.
    """

    preset: str
    task: str
    index: int
    seed: int
    request: str
    success: bool
    result: str
    because: str
    steps: int
    calls: int
    evaluated: int
    cached: int
    generated: int
    later_evaluated: int
    later_cached: int
    seconds: float
    thinking: float
    model: str
    scores: dict[str, float] = {}
    details: list[dict[str, Any]] = []

    @property
    def tokens(self) -> int:
        """All that the models read and wrote, whether from the cache or not."""
        return self.evaluated + self.cached + self.generated


@dataclass(frozen=True, slots=True)
class Row:
    """One cell of a table."""

    preset: str
    task: str
    metric: str
    value: float
    low: float
    high: float
    n: int
    paper: float | None = None


@dataclass(frozen=True)
class Task:
    """One row of the paper's table. Tasks of a group get a mean of their own.

    `episodes` is how many are played of it if nobody says how many, where that is not the benchmark's own number.
    `most` is how many there are: 1 of a row that is a single request, 0 of a task whose episodes come from a file only.
    `one_seed`: its episodes have the same seed, and differ in their number alone. `presets` are those that are meant
    for it: a preset that is meant for some tasks is played on these only, any other one on all. `like` is another task
    whose seeds its episodes have: the same scenes, so that only what the tasks differ in makes a difference.
    """

    name: str
    title: str
    group: str = ""
    episodes: int | None = field(default=None, kw_only=True)
    most: int | None = field(default=None, kw_only=True)
    one_seed: bool = field(default=False, kw_only=True)
    presets: tuple[str, ...] = field(default=(), kw_only=True)
    like: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class Shown:
    """A metric that gets a table of its own: as a percentage, or (seconds, tokens) as it is."""

    metric: str
    percent: bool = True

    @property
    def title(self) -> str:
        """What it is called in a table."""
        return self.metric.replace("_", " ")


OpenedModel = Callable[[], Model]
"""The model, opened at the first call; an episode that cannot reach it does not count, and the harness sees to that."""
Play = Callable[[Item, OpenedModel], Coroutine[Any, Any, Played]]
Paper = Mapping[str, Mapping[str, Mapping[str, float]]]
"""What the paper printed, by metric, preset and task."""


def _nothing_to_say(played: Sequence[Played]) -> list[str]:
    """No notes."""
    return []


@dataclass(frozen=True)
class Bench:
    """A paper's tasks, the presets that are compared on them, how an episode is played, and the paper's table.

    Columns of `paper` that are no presets here (other people's systems) stand in the table for comparison. `presets`
    are the columns if none are asked for. Any preset of the loop may be asked for, unless `only_own`: then only those
    in `presets`, which need not be presets of the loop at all, or what `column` does not refuse (BadInput).
    `ceiling` is for benchmarks that name it there.

    `read` makes episodes, by task, of the content and the path of a file (BadInput, with the place, if it is wrong);
    benchmarks without it take no file. `notes` go below the table.
    """

    name: str
    about: str
    tasks: Mapping[str, Task]
    presets: tuple[str, ...]
    play: Play
    rows: Callable[[Bench, Sequence[str], Sequence[Played]], list[Row]]
    draw: Callable[[Bench, Sequence[Row], str, Path], list[str]]
    shown: tuple[Shown, ...] = (Shown("success"),)
    paper: Paper = field(default_factory=dict)
    episodes: int = 50
    only_own: bool = False
    column: Callable[[str], None] | None = None
    read: Callable[[bytes, str], Mapping[str, Sequence[Any]]] | None = None
    notes: Callable[[Sequence[Played]], list[str]] = _nothing_to_say
