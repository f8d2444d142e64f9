"""What the loop itself costs: everything of a run besides the model's thinking, the physics and the camera.

    python benchmarks/loop_cost.py [--steps N]

Prints milliseconds a step, with and without the journal, and the processor time of one pick-and-place. A model that
answers at once stands in for a language model; the tabletop world is the real one, without noise.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.loop import Limits
from thinkaloud.models import Scripted
from thinkaloud.pace import Pace
from thinkaloud.records import ModelCall, Started
from thinkaloud.remember.journal import Journal, Session
from thinkaloud.worlds.tabletop import Tabletop

PLACES = ("top side", "bottom side", "left side", "right side", "middle")


class Stopwatch:
    """Seconds by name."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)

    @contextmanager
    def timing(self, name: str) -> Iterator[None]:
        """Adds the seconds that this block takes."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.spent[name] += time.perf_counter() - start

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, with its seconds added up."""

        def call(*arguments: Any, **more: Any) -> Any:
            with self.timing(name):
                return function(*arguments, **more)

        return call

    def timed_await(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same coroutine function, with its seconds added up."""

        async def call(*arguments: Any, **more: Any) -> Any:
            with self.timing(name):
                return await function(*arguments, **more)

        return call


def measured_world(watch: Stopwatch) -> Tabletop:
    """A tabletop whose skills, eyes and checks are timed."""
    world = Tabletop(blocks=1, bowls=1)
    skills = {name: replace(s, function=watch.timed_await("skill", s.function)) for name, s in world.skills.items()}
    world.skills = skills
    world.observe = watch.timed("seeing", world.observe)  # type: ignore[method-assign]
    world.holds = watch.timed("seeing", world.holds)  # type: ignore[method-assign]
    return world


def episode(steps: int, session: Session | None) -> tuple[Stopwatch, int, float, float]:
    """One block, put here and there; the stopwatch, the steps taken, all seconds and the processor's."""
    watch = Stopwatch()
    world = measured_world(watch)
    block = world.blocks[0]
    ticking = Pace.tick
    Pace.tick = watch.timed_await("ticks", ticking)  # type: ignore[method-assign]

    def answer(prompt: str) -> str:
        taken = prompt.rsplit("\n\n", 1)[-1].count("Robot action: Pick")
        return f" Pick the {block} and place it on the {PLACES[taken % len(PLACES)]}."

    preset = "inner_monologue:feedback=object+success"
    agent = Agent(world, Scripted(answer), preset, session=session, limits=Limits(steps=steps))
    agent.model.complete = watch.timed_await("model", agent.model.complete)  # type: ignore[method-assign]
    start, processor = time.perf_counter(), time.process_time()
    try:
        asyncio.run(agent.run("Put the block everywhere."))
    finally:
        Pace.tick = ticking  # type: ignore[method-assign]
    whole, busy = time.perf_counter() - start, time.process_time() - processor
    assert not [call for call in agent.monologue.since(None, ModelCall) if call.seconds]
    return watch, len(agent.monologue.since(None, Started)), whole, busy


def report(name: str, steps: int, session: Session | None) -> None:
    """Run an episode and print its line."""
    watch, taken, whole, busy = episode(steps, session)
    spent = watch.spent
    world = spent["skill"] - spent["ticks"] + spent["seeing"]
    loop = whole - world - spent["model"]
    per_step = [1000 * seconds / taken for seconds in (loop, spent["ticks"], world, busy)]
    sys.stdout.write(f"{name:16}{taken:6}" + "".join(f"{value:12.2f}" for value in per_step) + "\n")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--steps", type=int, default=15)
    steps = parser.parse_args().steps
    columns = ("loop ms", "of it ticks", "world ms", "all CPU ms")
    sys.stdout.write(f"{'':16}{'steps':>6}" + "".join(f"{column:>12}" for column in columns) + "\n")
    report("without journal", steps, None)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
        report("with journal", steps, journal.begin())


if __name__ == "__main__":
    main()
