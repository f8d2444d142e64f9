"""Measure what comes before a robot's first plan: opening the model, reading the robot, and the request itself.

    python -m thinkaloud_bench.costs.starting [--model M] [--world W] [--request TEXT] [--repeat N] [--limit SECONDS]

Each round starts three processes: one that keeps nothing, one that reads the robot and keeps that, and a later one. At
the start of each round nothing is kept, but for the merged weights. Prints wall-clock and processor seconds and their
ratios: other work on the machine makes the seconds longer, the processor's hardly. Then `thinkaloud plan` is run twice,
as a person would: seconds by the clock, from the command to the first step of the plan.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from thinkaloud.agent import Agent
from thinkaloud.models import ModelSettings, open_model
from thinkaloud.models.load_check import cache_folder
from thinkaloud.robots import open_world

_ROUND = {"keeps nothing": "0", "first": "1000", "later": "1000"}
"""The processes of a round, and the setting `reading_cache` of each."""
_PARTS = ("open", "read", "plan")

Seconds = tuple[float, float]
"""By the clock, and of the processor."""


def plan_once(model: str, world: str, request: str, kept: int) -> dict[str, Seconds]:
    """Plan in this process; return the seconds of each part."""
    marks = [_now()]
    opened = open_model(model, ModelSettings(reading_cache=kept))

    async def plan() -> None:
        agent = Agent(open_world(world), opened, "thinkaloud")
        marks.append(_now())
        await agent.get_ready()
        marks.append(_now())
        sys.stderr.write(f"{await agent.plan(request)}\n")
        marks.append(_now())

    asyncio.run(plan())
    return {
        name: (after[0] - before[0], after[1] - before[1])
        for name, before, after in zip(_PARTS, marks, marks[1:], strict=False)
    }


def _now() -> Seconds:
    return time.monotonic(), time.process_time()


def measure_round(
    command: list[str], as_person: list[str], limit: float, tell: Callable[[str], object]
) -> dict[str, dict[str, Seconds]]:
    """Start the processes of a round, one after another; raise an error if their plans differ."""
    found: dict[str, dict[str, Seconds]] = {}
    plans = set()
    with tempfile.TemporaryDirectory() as folder:
        _prepare(Path(folder))
        environ = os.environ | {"XDG_CACHE_HOME": folder}
        for name, kept in _ROUND.items():
            ran = subprocess.run(
                [*command, "--kept", kept], env=environ, capture_output=True, timeout=limit, text=True, check=True
            )
            plans.add(ran.stderr.splitlines()[-1])  # a first process also says what it prepares
            found[name] = {part: (clock, cpu) for part, (clock, cpu) in json.loads(ran.stdout).items()}
        shutil.rmtree(Path(folder) / "thinkaloud" / "read")
        found["command"] = {name: (time_command(as_person, environ), 0.0) for name in ("first", "later")}
        size = sum(each.stat().st_size for each in (Path(folder) / "thinkaloud" / "read").glob("*"))
    if len(plans) > 1:
        raise RuntimeError(f"The plans differ: {plans}")
    tell(f"the plans are the same; {size / 1e6:.0f} MB were kept\n")
    return found


def time_command(command: list[str], environ: dict[str, str]) -> float:
    """Seconds from a command to the first step of its plan."""
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(b"1. "):
                return time.monotonic() - began
    raise RuntimeError(f"{' '.join(command)} printed no plan")


def _prepare(folder: Path) -> None:
    """Make a cache folder with what is made from the weights, but nothing that was read."""
    ours = folder / "thinkaloud"
    ours.mkdir()
    for file in cache_folder().glob("*"):
        if file.is_file():
            (ours / file.name).symlink_to(file)


def main(arguments: list[str]) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m thinkaloud_bench.costs.starting")
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--world", default="examples/robots/tea_kitchen.toml")
    parser.add_argument("--request", default="Fill the kettle.")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--limit", type=float, default=600.0)
    parser.add_argument("--kept", type=int)
    wanted = parser.parse_args(arguments)
    if wanted.kept is not None:
        found = plan_once(wanted.model, wanted.world, wanted.request, wanted.kept)
        sys.stdout.write(json.dumps(found))
        return 0
    command = [sys.executable, "-m", "thinkaloud_bench.costs.starting", "--model", wanted.model]
    command += ["--world", wanted.world, "--request", wanted.request]
    as_person = [sys.executable, "-m", "thinkaloud", "plan", "--model", wanted.model, "--world", wanted.world]
    as_person.append(wanted.request)
    rounds = [measure_round(command, as_person, wanted.limit, sys.stdout.write) for _ in range(wanted.repeat)]
    sys.stdout.write(f"{'seconds (of the processor)':28}" + "".join(f"{part:>16}" for part in _PARTS) + "   ratio\n")
    whole = {}
    for name in _ROUND:
        medians = {part: [_median(rounds, name, part, at) for at in (0, 1)] for part in _PARTS}
        whole[name] = sum(cpu for _, cpu in medians.values())
        cells = "".join(f"{f'{clock:.1f} ({cpu:.1f})':>16}" for clock, cpu in medians.values())
        sys.stdout.write(f"{name:28}{cells}{whole[name] / whole['keeps nothing']:8.2f}\n")
    for name in ("first", "later"):
        seconds = sorted(each["command"][name][0] for each in rounds)
        told = f"{statistics.median(seconds):.1f} s ({', '.join(f'{each:.1f}' for each in seconds)})"
        sys.stdout.write(f"thinkaloud plan, {name}: {told}\n")
    return 0


def _median(rounds: list[dict[str, dict[str, Seconds]]], name: str, part: str, at: int) -> float:
    return statistics.median(each[name][part][at] for each in rounds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
