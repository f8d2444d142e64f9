"""Where the time of a request goes: reading, writing, doubt, evaluation, search and journal, in seconds by the clock.

    python -m thinkaloud_bench.costs.request_parts [--model M] [--rounds N]

A robot from a text file gets the same few requests in one session, each by the default preset that never asks back. The
robot is read before the first. `writing` and `reading` share the time of the first answer by the tokens of each and by
the model's own pace. `doubt` is the search for other readings, and the judge; the programs that are evaluated for it
count as `evaluation`, too. `judge` is the judge's part of it, and `knowledge` the questions which things a word names.
Without these two, a request takes what it took before the robot kept descriptions and asked a judge. What is left of
the whole is the rest of the loop, and the skills.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.methods.thinkaloud import planner
from thinkaloud.models import Model, ModelSettings, open_model
from thinkaloud.models.contract import in_role
from thinkaloud.models.pace import Pace, measure_pace
from thinkaloud.records import ModelCall
from thinkaloud.remember.journal import Journal
from thinkaloud.remember.session import Session
from thinkaloud.robots import open_world
from thinkaloud.understand import deciding, reader
from thinkaloud.understand.checking.judge import Judge

ROBOT = "examples/robots/tea_kitchen.toml"
REQUESTS = (
    *("Fill the kettle.", "Open the cupboard.", "Is the kettle full?", "Serve three biscuits.", "Please hum."),
    *("Put a mug on the tray.", "The other one, too.", "Fill whatever is empty.", "Make some herbal tea in the glass."),
)
"""Half of them name what they are about; the others describe it."""
PARTS = ("reading", "writing", "knowledge", "doubt", "judge", "evaluation", "search", "journal", "rest", "whole")
COUNTS = ("calls", "read", "written")
"""Calls of the model, and tokens that it read and wrote: these do not depend on what else the machine does."""


class PartTimes:
    """Seconds by part, for one request after another."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = dict.fromkeys(PARTS, 0.0)
        self.read = self.written = 0

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, with its time counted."""

        def call(*given: Any, **more: Any) -> Any:
            began = time.perf_counter()
            try:
                return function(*given, **more)
            finally:
                self.spent[part] += time.perf_counter() - began

        return call

    def awaited(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same coroutine function, with its time counted."""

        async def call(*given: Any, **more: Any) -> Any:
            began = time.perf_counter()
            try:
                found = await function(*given, **more)
            finally:
                self.spent[part] += time.perf_counter() - began
            if part == "writing":
                self.read, self.written = found.usage.evaluated, found.usage.generated
            return found

        return call

    def take(self, whole: float, pace: Pace | None) -> dict[str, float]:
        """The parts of the request that is over; the next begins with nothing."""
        found, self.spent = self.spent, dict.fromkeys(PARTS, 0.0)
        if pace is not None and self.read + self.written:
            read, written = self.read / pace.read, self.written / pace.written
            found["reading"] = found["writing"] * read / max(read + written, 1e-9)
            found["writing"] -= found["reading"]
        model = found["reading"] + found["writing"] + found["knowledge"] + found["doubt"]
        found["rest"] = max(0.0, whole - model - found["search"] - found["journal"])
        found["whole"] = whole
        self.read = self.written = 0
        return found


@contextmanager
def _watched(times: PartTimes) -> Iterator[None]:
    """Count what runs in this block."""
    watched = (
        (reader, "write_program", times.awaited, "writing"),
        (reader, "ask_which", times.awaited, "knowledge"),
        (reader, "measure_doubt", times.awaited, "doubt"),
        (Judge, "judge", times.awaited, "judge"),
        (reader, "run_program", times.timed, "evaluation"),
        (deciding, "run_program", times.timed, "evaluation"),
        (planner, "find_steps_meanwhile", times.awaited, "search"),
        (Session, "commit", times.timed, "journal"),
    )
    before = [(place, name, getattr(place, name)) for place, name, _, _ in watched]
    try:
        for place, name, count, part in watched:
            setattr(place, name, count(part, getattr(place, name)))
        yield
    finally:
        for place, name, function in before:
            setattr(place, name, function)


async def measure_requests(model: Model, rounds: int = 1) -> list[dict[str, float]]:
    """Seconds by part of each request."""
    times, found = PartTimes(), list[dict[str, float]]()
    pace = await measure_pace(in_role(model, "listener"))
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
        agent = Agent(open_world(ROBOT), model, "thinkaloud:confirm=never", session=journal.begin())
        await agent.get_ready()
        with _watched(times):
            for text in REQUESTS * rounds:
                began, before = time.perf_counter(), len(agent.monologue) - 1
                await agent.run(text)
                parts = times.take(time.perf_counter() - began, pace)
                found.append({**parts, **_count(agent.monologue.since(before, ModelCall))})
    return found


def _count(calls: Sequence[ModelCall]) -> dict[str, float]:
    read, written = (sum(each) for each in ([c.evaluated for c in calls], [c.generated for c in calls]))
    return {"calls": len(calls), "read": read, "written": written}


def medians(found: list[Mapping[str, float]]) -> dict[str, float]:
    """The median of each part, in milliseconds."""
    return {part: 1000 * statistics.median(each[part] for each in found) for part in PARTS}


def share_added(found: list[Mapping[str, float]]) -> float:
    """By how much the judge and what the model is asked about words make the median request longer."""
    without = [each["whole"] - each["judge"] - each["knowledge"] for each in found]
    return statistics.median(each["whole"] for each in found) / statistics.median(without) - 1


def median_counts(found: list[Mapping[str, float]]) -> dict[str, float]:
    """The median of the calls and tokens of a request."""
    return {name: statistics.median(each[name] for each in found) for name in COUNTS}


def main(arguments: list[str]) -> int:
    """Print the medians."""
    parser = argparse.ArgumentParser(prog="python -m thinkaloud_bench.costs.request_parts")
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--rounds", type=int, default=2)
    wanted = parser.parse_args(arguments)

    async def measure() -> list[dict[str, float]]:
        model = open_model(wanted.model, ModelSettings())
        try:
            return await measure_requests(model, wanted.rounds)
        finally:
            await model.close()

    found = asyncio.run(measure())
    middle = medians([*found])
    sys.stdout.write(f"{'median of ' + str(len(found)) + ' requests':26}{'ms':>9}{'share':>8}\n")
    for part, cost in middle.items():
        sys.stdout.write(f"{part:26}{cost:9.1f}{cost / middle['whole']:8.0%}\n")
    sys.stdout.write(f"The judge and what words name add {share_added([*found]):.0%} to the median request.\n")
    for name, count in median_counts([*found]).items():
        sys.stdout.write(f"{name:26}{count:9.1f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
