"""What a benchmark is to the harness: tasks, how an episode of one is set up, and what the paper measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from thinkaloud.loop import Limits
from thinkaloud.models import Model
from thinkaloud.models import Settings as ModelSettings
from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision
from thinkaloud.worlds import World

CEILING = "ceiling"
"""The preset of a benchmark's own expert: it knows goal and state, and has the same arm, noise and step limit."""

OpenModel = Callable[[str, ModelSettings], Model]
Expert = Callable[[Monologue], Decision]


@dataclass(frozen=True, slots=True)
class Item:
    """One episode to be played. The seed says everything about it but who plays: all presets get the same episodes."""

    preset: str
    task: str
    index: int
    seed: int


@dataclass(frozen=True)
class Setup:
    """An episode, ready to begin; `met` is the paper's binary reward, from the true state of the world."""

    world: World
    request: str
    met: Callable[[], bool]
    expert: Expert
    limits: Limits


@dataclass(frozen=True)
class Task:
    """One row of the paper's table; `set_up` makes an episode of it from a seed."""

    name: str
    title: str
    group: str
    set_up: Callable[[int], Setup]


@dataclass(frozen=True)
class Bench:
    """A paper's tasks, the presets that are compared on them, and the paper's table, by preset and by task.

    Columns of `paper` that are no presets here (other people's systems) stand in the table for comparison.
    """

    name: str
    about: str
    tasks: Mapping[str, Task]
    presets: tuple[str, ...]
    paper: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    episodes: int = 50


@dataclass(frozen=True, slots=True)
class Played:
    """What came of an episode: one line of episodes.jsonl. `later_…` count the calls after the episode's first one."""

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

    @property
    def tokens(self) -> int:
        """All that the models read and wrote, whether from the cache or not."""
        return self.evaluated + self.cached + self.generated
