"""What the harness expects of a benchmark.

The harness lists the items (every preset gets the same episodes), spreads them over processes, records each finished
episode, continues after Ctrl-C, and prints the tables. The benchmark sets up its episodes (`playing.py` plays them) and
computes the numbers:

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

A benchmark that asks the model directly, without a robot, defines its own `play` and returns `played_as`. `play`,
`rows`, `draw`, `read` and `notes` must be module functions, not lambdas: worker processes import a benchmark by name.
`rows.py` has the building blocks for rows, `plots.py` the bar plot.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from thinkaloud.models import Model, ModelSettings

CEILING = "ceiling"
"""The preset of a benchmark's own expert, which knows the goal and the true state; arm, noise and step limit are the
same."""

OpenModel = Callable[[str, ModelSettings], Model]


@dataclass(frozen=True, slots=True)
class Item:
    """One episode to be played. The seed fixes everything except the player: all presets get the same episodes.

    With an episodes file, `episode` is what `Bench.read` returned for it. It must be plain data, because it is sent to
    the worker processes. `eyes` replaces the way the world itself sees, `hands` the way its arm finds what it goes for,
    `senses` the way it tells whether a step worked.
    """

    preset: str
    task: str
    index: int
    seed: int
    episode: Any = None
    eyes: str = ""
    hands: str = ""
    senses: str = ""


class Played(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of an episode: one line of episodes.jsonl. `later_…` counts the calls after the episode's first one.

    `scores` holds the benchmark's own numbers, from which it computes its rows; `details` is for people who read the
    file.
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
    money: float = 0.0
    """By the prices in the settings."""
    lost: str = ""
    """Where a failed episode was lost, if that was watched: eyes, hand, arm, judge or planner (`lost_where`)."""
    code: str = ""
    """The beginning of a digest of the program that played it; empty in older records."""

    @property
    def tokens(self) -> int:
        """All tokens that the models read and wrote, cached or not."""
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

    `episodes` overrides the benchmark's default number of episodes. `most` is how many exist: 1 for a row that is a
    single request, 0 for a task whose episodes come only from a file. `one_seed`: all episodes share one seed and
    differ only in their number. `presets`: the presets meant for this task. A preset that is named by some tasks is
    played only on those; any other preset is played on all. `like`: another task whose seeds are reused, so that both
    tasks have the same scenes and only the tasks differ.
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
        """Its name in a table."""
        return self.metric.replace("_", " ")


OpenedModel = Callable[[], Model]
"""Opens the model at the first call. The harness does not count an episode that could not reach it."""
Play = Callable[[Item, OpenedModel], Coroutine[Any, Any, Played]]
Paper = Mapping[str, Mapping[str, Mapping[str, float]]]
"""What the paper printed, by metric, preset and task."""


def _no_lists(rows: Sequence[Row]) -> Mapping[str, Sequence[Sequence[str]]]:
    """No tables of another form."""
    return {}


def _nothing_to_say(played: Sequence[Played]) -> list[str]:
    """No notes."""
    return []


@dataclass(frozen=True)
class Bench:
    """A paper's tasks, the presets that are compared on them, how an episode is played, and the paper's table.

    Columns of `paper` that are not presets here (other people's systems) appear in the table for comparison. `presets`
    are the default columns. A user may ask for any preset of the loop, unless `only_own` is set: then only for those in
    `presets`, which need not be presets of the loop, or for what `column` does not refuse (BadInput). `column`
    returns the file of learned weights behind a column, if there is one. `ceiling` is for benchmarks that name it
    there.

    `read` turns the content and the path of a file into episodes by task, or raises BadInput with the place of the
    mistake; a benchmark without it takes no file. `notes` go below the table. `lists` are tables of another form, by
    their titles: lines of cells, the heading first.
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
    column: Callable[[str], Path | None] | None = None
    read: Callable[[bytes, str], Mapping[str, Sequence[Any]]] | None = None
    notes: Callable[[Sequence[Played]], list[str]] = _nothing_to_say
    lists: Callable[[Sequence[Row]], Mapping[str, Sequence[Sequence[str]]]] = _no_lists
