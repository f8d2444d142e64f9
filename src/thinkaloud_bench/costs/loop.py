"""Measure what the loop itself costs: a run without the model's thinking, the physics and the camera.

    python -m thinkaloud_bench.costs.loop [--steps N] [--repeat N]

Prints the processor time per step in milliseconds, with and without the journal, for the cheapest of several runs:
other work on the machine can only slow a run down. A model that answers at once replaces the language model; the
tabletop world is the real one, without noise. The stopwatch itself adds about 0.1 ms to the ticks of a step.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import thread_time as now
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.episode.ticks import Pace
from thinkaloud.loop import Limits
from thinkaloud.models import Scripted
from thinkaloud.records import ModelCall, Started
from thinkaloud.remember.journal import Journal, Session
from thinkaloud_worlds.tabletop import Tabletop

_PLACES = ("top side", "bottom side", "left side", "right side", "middle")


class Stopwatch:
    """Seconds by name."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, with its seconds added up."""

        def call(*arguments: Any, **more: Any) -> Any:
            start = now()
            try:
                return function(*arguments, **more)
            finally:
                self.spent[name] += now() - start

        return call

    def timed_await(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same coroutine function, with its seconds added up."""

        async def call(*arguments: Any, **more: Any) -> Any:
            start = now()
            try:
                return await function(*arguments, **more)
            finally:
                self.spent[name] += now() - start

        return call


def _measured_world(watch: Stopwatch) -> Tabletop:
    """A tabletop whose skills, eyes and checks are timed."""
    world = Tabletop(blocks=1, bowls=1)
    skills = {name: replace(s, function=watch.timed_await("skill", s.function)) for name, s in world.skills.items()}
    world.skills = skills
    world.observe = watch.timed("seeing", world.observe)  # type: ignore[method-assign]
    world.holds = watch.timed("seeing", world.holds)  # type: ignore[method-assign]
    return world


def play_steps(steps: int, session: Session | None) -> tuple[Stopwatch, int, float]:
    """One block, put here and there; the stopwatch, the steps taken, and all seconds."""
    watch = Stopwatch()
    world = _measured_world(watch)
    block = world.blocks[0]
    ticking = Pace.tick
    Pace.tick = watch.timed_await("ticks", ticking)  # type: ignore[method-assign]

    def answer(prompt: str) -> str:
        taken = prompt.rsplit("\n\n", 1)[-1].count("Robot action: Pick")
        return f" Pick the {block} and place it on the {_PLACES[taken % len(_PLACES)]}."

    preset = "inner_monologue:feedback=object+success"
    agent = Agent(world, Scripted(answer), preset, session=session, limits=Limits(steps=steps))
    agent.model.complete = watch.timed_await("model", agent.model.complete)  # type: ignore[method-assign]
    start = now()
    try:
        asyncio.run(agent.run("Put the block everywhere."))
    finally:
        Pace.tick = ticking  # type: ignore[method-assign]
    whole = now() - start
    assert not [call for call in agent.monologue.since(None, ModelCall) if call.seconds]
    return watch, len(agent.monologue.since(None, Started)), whole


def _costs(steps: int, session: Session | None) -> tuple[float, float, float]:
    """Milliseconds a step: of the loop, of its ticks, and of the world."""
    watch, taken, whole = play_steps(steps, session)
    spent = watch.spent
    world = spent["skill"] - spent["ticks"] + spent["seeing"]
    loop = whole - world - spent["model"]
    return 1000 * loop / taken, 1000 * spent["ticks"] / taken, 1000 * world / taken


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--steps", type=int, default=15)
    parser.add_argument("--repeat", type=int, default=5)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
        runs = [(_costs(chosen.steps, None), _costs(chosen.steps, journal.begin())) for _ in range(chosen.repeat)]
    sys.stdout.write(f"{'ms a step':16}" + "".join(f"{c:>13}" for c in ("loop", "of it ticks", "world")) + "\n")
    for name, found in zip(("without journal", "with journal"), zip(*runs, strict=True), strict=True):
        sys.stdout.write(f"{name:16}" + "".join(f"{value:13.2f}" for value in min(found)) + "\n")


if __name__ == "__main__":
    main()
