"""A benchmark of several queries to one listener, from a seed or a file: what the harness has to be able to carry."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from thinkaloud.errors import BadInput, ModelUnreachable
from thinkaloud.models import Model, ModelSettings, Recorded, Scripted
from thinkaloud.records import ModelCall
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import by_preset, fractions, measures, per, pooled, success


async def play(item: Item, model: OpenedModel) -> Played:
    """Ask until an answer is wrong."""
    began, calls = time.perf_counter(), list[ModelCall]()
    episode = item.episode or [[n, n + 1, bool(n % 2)] for n in range(item.seed % 5, item.seed % 5 + 4)]
    speaker = Recorded(model(), emit=calls.append)
    details, scores = [], {"right": 0, "tried": 0, "steps": len(episode), "temporal_right": 0, "temporal_tried": 0}
    for query, wanted, temporal in episode:
        answer = (await speaker.complete(f"{item.task} {query}")).text
        right = answer == str(wanted)
        details.append({"query": query, "answer": answer, "right": right})
        scores["tried"] += 1
        scores["right"] += right
        scores["temporal_tried"] += temporal
        scores["temporal_right"] += temporal and right
        if not right:
            break
    whole = scores["right"] == len(episode)
    seconds = time.perf_counter() - began
    return played_as(item, calls, success=whole, seconds=seconds, model=speaker.name, scores=scores, details=details)


def rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        found += fractions(bench, preset, tasks, "episode_success", success)
        found += fractions(bench, preset, tasks, "step_rate", pooled("right", "steps"))
        found += fractions(bench, preset, tasks, "temporal_success", pooled("temporal_right", "temporal_tried"))
        found += measures(preset, tasks, {"seconds": per("seconds", "tried"), "tokens": per("tokens", "tried")})
    return found


def read(content: bytes, name: str) -> Mapping[str, Sequence[Any]]:
    try:
        found: dict[str, list[Any]] = json.loads(content)
    except ValueError as error:
        raise BadInput(f"{name} is not JSON ({error}).") from None
    return found


def notes(played: Sequence[Played]) -> list[str]:
    return [f"{len(played)} episodes of a toy"]


TOY = Bench(
    "toy",
    "adding one",
    tasks={name: Task(name, name.capitalize()) for name in ("sums", "differences")},
    presets=("open_loop", "inner_monologue"),
    play=play,
    rows=rows,
    draw=bars,
    shown=(Shown("episode_success"), Shown("step_rate"), Shown("seconds", percent=False)),
    paper={
        "episode_success": {"open_loop": {"sums": 0.5, "differences": 0.25}, "other people's": {"sums": 0.75}},
        "step_rate": {"open_loop": {"sums": 0.9}},
    },
    episodes=2,
    read=read,
    notes=notes,
)


def add_one(prompt: str) -> str:
    """Right, but for seven."""
    number = int(prompt.split()[-1])
    return str(number + 1 if number != 7 else 0)


def open_adder(name: str, settings: ModelSettings) -> Model:
    return Scripted(add_one, name=name)


class Unreachable(Scripted):
    async def complete(self, *given: Any, **more: Any) -> Any:
        raise ModelUnreachable("The endpoint is gone.")


def open_unreachable(name: str, settings: ModelSettings) -> Model:
    return Unreachable(name=name)


async def play_bravely(item: Item, model: OpenedModel) -> Played:
    """As an agent does: what goes wrong ends the episode, not the program."""
    try:
        return await play(item, model)
    except ModelUnreachable as error:
        return played_as(item, [], success=False, seconds=0.0, model="", because=str(error))
