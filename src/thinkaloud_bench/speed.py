"""How fast decisions are, and how much of that time the model's engine itself needs.

The benchmark starts a few episodes of the other benchmarks; each answer of the model is a decision. Now and then it
also asks for a bare continuation of the same text, which shows how fast the model reads and writes on this machine at
this moment. `ratio` is the time of a decision divided by the time for reading its new tokens and writing its answer at
that speed: it shows what thinkaloud and the grammars add. There are two columns: full prompts with `examples`, as for a
model that was not trained on ours, and `short` ones, as for one that was. The answers themselves are not judged.

Three more columns, of one task each, are about our own parts: `parts` says where the time of a request goes, `steps`
what a step costs beside other agent frameworks, as far as these are installed (the extra `frameworks`), and `learned`
what a look, a point and a judgement of the learned parts take.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from thinkaloud.errors import ModelError, ThinkaloudError
from thinkaloud.models import Completion, Model, Reply, Scores
from thinkaloud.presets import preset_name
from thinkaloud.records import ModelCall
from thinkaloud_bench import hicrisp, inner_monologue_tabletop, itp, multitalk, statler
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Shown, Task
from thinkaloud_bench.costs.frameworks import costs as measure_steps
from thinkaloud_bench.costs.learned_parts import TIMES, measure_learned
from thinkaloud_bench.costs.request_parts import COUNTS, PARTS, measure_requests, median_counts, medians
from thinkaloud_bench.intervals import Estimate
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import MEAN, Cell, by_preset, row

SHORT, EXAMPLES = "short", "examples"
PARTS_OF, STEPS, LEARNED = "parts", "steps", "learned"
COUNTED = {"calls": "calls of the model", "read": "tokens read", "written": "tokens written"}
MOST_DECISIONS = 12
"""The most decisions per episode; some episodes never end with a model that was not trained for them."""
_OFTEN = 4
"""A bare continuation after every fourth decision."""
_WORDS = ("table", "red", "after", "seven", "walk", "open", "cup", "under", "green", "slow", "bring", "door")
_FEWEST, _NEW, _WRITTEN = 4, 40, 12
"""Tokens that a bare continuation reads, at least and at most (else as many as the decision before), and writes."""


@dataclass(frozen=True)
class SpeedTask(Task):
    """The decisions of one preset, in a task of its own benchmark."""

    bench: Bench | None = None
    preset: str = ""
    of: str = ""


def _task(bench: Bench, preset: str, of: str) -> SpeedTask:
    name = preset_name(preset).replace("_", "-")
    return SpeedTask(name, f"{preset} at {of}", bench=bench, preset=preset, of=of, presets=(EXAMPLES, SHORT))


SPEED_TASKS = {
    task.name: task
    for task in (
        _task(inner_monologue_tabletop.BENCH, "inner_monologue", "bowl"),
        _task(statler.BENCH, "statler", "disinfection"),
        _task(itp.BENCH, "itp", "random"),
        _task(multitalk.BENCH, "multitalk", "ambiguous"),
        _task(hicrisp.BENCH, "hicrisp", "watch_tv"),
        SpeedTask("request", "a request, by part", presets=(PARTS_OF,), most=1),
        SpeedTask("step", "a step, beside other frameworks", presets=(STEPS,), most=1),
        SpeedTask("learned", "a look, a point, a judgement", presets=(LEARNED,), most=1),
    )
}


class Enough(ModelError):
    """Ends an episode that has had enough decisions."""


class Timed:
    """A model that times every answer, and now and then asks for a bare continuation."""

    def __init__(self, model: Model, trained: bool) -> None:
        self.name, self.trained, self.model = model.name, trained, model
        self.decisions: list[dict[str, float]] = []
        self.bare: list[dict[str, float]] = []

    async def complete(self, prompt: str, **more: Any) -> Completion:
        """Continue a prompt."""
        if len(self.decisions) >= MOST_DECISIONS:
            raise Enough("That is enough.")
        began = time.perf_counter()
        answer = await self.model.complete(prompt, **more)
        used = answer.usage
        self.decisions.append(_measured(time.perf_counter() - began, used.evaluated, used.generated))
        if len(self.decisions) % _OFTEN == 1:
            await self._continue(prompt + answer.text, used.evaluated)
        return answer

    async def chat(self, *given: Any, **more: Any) -> Reply:
        """Answer a conversation."""
        return await self.model.chat(*given, **more)

    async def score(self, *given: Any, **more: Any) -> Scores:
        """How likely each option is."""
        return await self.model.score(*given, **more)

    async def close(self) -> None:
        """Leave the model open: others use it too."""

    async def _continue(self, text: str, read: int) -> None:
        """Read some more words after what was read before: once writing almost nothing, once writing on."""
        count = max(_FEWEST, min(_NEW, read)) - 2  # a few tokens take longer per token than many at once
        for written in (1, 1 + _WRITTEN):
            at = len(self.bare)
            words = " ".join(_WORDS[(at * 7 + step * (at + 3)) % len(_WORDS)] for step in range(count))
            began = time.perf_counter()
            with suppress(ModelError):
                used = (await self.model.complete(f"{text}\n{at} {words}", most=written)).usage
                self.bare.append(_measured(time.perf_counter() - began, used.evaluated, used.generated))


def _measured(seconds: float, read: int, written: int) -> dict[str, float]:
    return {"seconds": round(seconds, 4), "read": read, "written": written}


async def _play(item: Item, model: OpenedModel) -> Played:
    """Start an episode of another benchmark, and record how long its decisions took."""
    task = SPEED_TASKS[item.task]
    if task.bench is None:
        return await _measure_own_costs(item, model)
    timed = Timed(model(), trained=item.preset == SHORT)
    began = time.perf_counter()
    with suppress(ThinkaloudError):
        await task.bench.play(Item(task.preset, task.of, item.index, item.seed), lambda: timed)
    details = [{"kind": "bare", **each} for each in timed.bare] + [{"kind": "made", **each} for each in timed.decisions]
    calls = [
        ModelCall("model", timed.name, int(each["read"]), int(each["written"]), int(each["read"]), 0, each["seconds"])
        for each in timed.decisions
    ]
    spent = time.perf_counter() - began
    return played_as(item, calls, success=True, seconds=spent, model=timed.name, details=details)


async def _measure_own_costs(item: Item, model: OpenedModel) -> Played:
    """The parts of a few requests, the steps of thinkaloud and other frameworks, or what learned parts take."""
    began = time.perf_counter()
    details: list[dict[str, Any]]
    if item.preset == PARTS_OF:
        details = [{"kind": "request", **each} for each in await measure_requests(model())]
    elif item.preset == LEARNED:
        taken = await asyncio.to_thread(measure_learned)
        details = [{"kind": "learned", "name": name, **took} for name, took in taken.items()]
    else:
        found = await asyncio.to_thread(measure_steps, 15, 5)
        details = [{"kind": "step", "name": name, "milliseconds": cost} for name, cost in found.items()]
    spent = time.perf_counter() - began
    name = "no model" if item.preset == LEARNED else model().name
    return played_as(item, [], success=True, seconds=spent, model=name, details=details)


def speeds(cell: Cell) -> tuple[float, float] | None:
    """Tokens read and written per second in the bare continuations."""
    bare = [each for played in cell for each in played.details if each["kind"] == "bare" and each["read"]]
    first, more = ([each for each in bare if (each["written"] > 1) is longer] for longer in (False, True))
    if not first or not more:
        return None
    reading = statistics.median(each["seconds"] / each["read"] for each in first)
    writing = statistics.median((each["seconds"] - each["read"] * reading) / (each["written"] - 1) for each in more)
    return 1 / reading, 1 / max(writing, 1e-4)


def _decisions(cell: Iterable[Played]) -> list[Mapping[str, float]]:
    """The decisions made in these episodes."""
    return [each for played in cell for each in played.details if each["kind"] == "made"]


def _rows(bench: Bench, presets: Sequence[str], played: Sequence[Played]) -> list[Row]:
    """Median and 90th percentile of a decision's time, its tokens, the engine's speed, and the ratio of the two."""
    found: list[Row] = []
    for preset, tasks in by_preset(presets, bench, played).items():
        everything = [each for cell in tasks.values() for each in cell]
        for task, cell in {**tasks, MEAN: everything}.items():
            found += [row(preset, task, metric, estimate) for metric, estimate in _numbers(cell).items()]
    requests, steps = _own_costs(played)
    learned = [each for one in played for each in one.details if each["kind"] == "learned"]
    parts = medians(requests) if requests else {}
    found += [row(PARTS_OF, "request", f"{name}_ms", _exactly(cost, len(requests))) for name, cost in parts.items()]
    counts = median_counts(requests) if requests else {}
    found += [row(PARTS_OF, "request", name, _exactly(count, len(requests))) for name, count in counts.items()]
    found += [
        row(LEARNED, "learned", f"{each['name']}, {by} ms", _exactly(each[by], TIMES))
        for each in learned
        for by in ("clock", "processor")
    ]
    return found + [row(STEPS, "step", f"{name} ms", _exactly(cost, 1)) for name, cost in steps.items()]


def _own_costs(played: Sequence[Played]) -> tuple[list[Mapping[str, Any]], dict[str, float]]:
    """The parts of each request; and the milliseconds of a step, by name."""
    details = [each for one in played for each in one.details]
    steps = {each["name"]: each["milliseconds"] for each in details if each["kind"] == "step"}
    return [each for each in details if each["kind"] == "request"], steps


def _numbers(cell: Cell) -> dict[str, Estimate]:
    made, speed = _decisions(cell), speeds(cell)
    if not made or speed is None:
        return {}
    reading, writing = speed
    seconds = sorted(each["seconds"] for each in made)
    ratios = sorted(
        each["seconds"] / _needed(each, reading, writing) for each in made if each["read"] + each["written"]
    )
    numbers = {
        "median_seconds": _middle(seconds),
        "p90_seconds": _exactly(_quantile(seconds, 0.9), len(seconds)),
        "median_read": _exactly(statistics.median(each["read"] for each in made), len(made)),
        "median_written": _exactly(statistics.median(each["written"] for each in made), len(made)),
        "read_per_second": _exactly(reading, len(made)),
        "written_per_second": _exactly(writing, len(made)),
    }
    return {**numbers, "ratio": _middle(ratios)} if ratios else numbers


def _needed(each: Mapping[str, float], reading: float, writing: float) -> float:
    """Seconds for the tokens of a decision; the first written token comes with the reading."""
    return each["read"] / reading + max(0, each["written"] - 1) / writing


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def _middle(ordered: Sequence[float]) -> Estimate:
    """A median, with the quartiles as its bounds."""
    return Estimate(statistics.median(ordered), _quantile(ordered, 0.25), _quantile(ordered, 0.75), len(ordered))


def _exactly(value: float, n: int) -> Estimate:
    return Estimate(value, value, value, n)


def _notes(played: Sequence[Played]) -> list[str]:
    """How to read the tables."""
    return ["Brackets around medians are quartiles. Ratio: time of a decision over the engine's own for its tokens"]


def _lists(rows: Sequence[Row]) -> dict[str, list[list[str]]]:
    """The parts of a request, what a step costs beside other frameworks, and what learned parts take."""
    found: dict[str, list[list[str]]] = {}
    parts = {row.metric.removesuffix("_ms"): row for row in rows if row.preset == PARTS_OF}
    if parts:
        whole = parts["whole"].value
        lines = [[name, f"{parts[name].value:.1f}", f"{parts[name].value / whole:.0%}"] for name in PARTS]
        lines += [[COUNTED[name], f"{parts[name].value:g}", ""] for name in COUNTS if name in parts]
        found[f"the median of {parts['whole'].n} requests"] = [["part", "ms", "share"], *lines]
    steps = {row.metric.removesuffix(" ms"): row.value for row in rows if row.preset == STEPS}
    if steps:
        own = steps["thinkaloud, journal"]
        lines = [[name, f"{cost:.2f}", f"{cost / own:.2f}"] for name, cost in steps.items()]
        found["a step, in processor time"] = [["", "ms", "ratio"], *lines]
    took = {row.metric: f"{row.value:.1f}" for row in rows if row.preset == LEARNED}
    if took:
        names = dict.fromkeys(name.rpartition(", ")[0] for name in took)
        lines = [[name, took[f"{name}, clock ms"], took[f"{name}, processor ms"]] for name in names]
        found[f"learned parts, the median of {TIMES}"] = [["", "ms by the clock", "ms of the processor"], *lines]
    return found


BENCH = Bench(
    "speed",
    "Seconds for each decision of the presets, and how much of that the engine itself needs",
    tasks=SPEED_TASKS,
    presets=(EXAMPLES, SHORT, PARTS_OF, STEPS, LEARNED),
    play=_play,
    rows=_rows,
    draw=bars,
    shown=tuple(
        Shown(metric, percent=False)
        for metric in (
            "median_seconds",
            "p90_seconds",
            "median_read",
            "median_written",
            "read_per_second",
            "written_per_second",
            "ratio",
        )
    ),
    episodes=1,
    only_own=True,
    notes=_notes,
    lists=_lists,
)
