"""Measure many robots that talk at once to one model server: how long each waits, what a stop takes, and memory.

    python -m thinkaloud_bench.costs.robots_at_once [--model scripted] [--robots 50] [--requests 4] [--out FILE]
    python -m thinkaloud_bench.costs.robots_at_once --model embedded --robots 8 --requests 2

The server is a process of its own; the robots are in this one. With `scripted`, each robot has lamps of its own, whose
names no other robot may say or hear. With a real model, each robot makes tea in a kitchen like the others', and first
answers alone; at once it has to do the same steps. Then all ask again, and each is stopped while most wait.

Not covered: pictures, journals and the page, which cost more than this.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from thinkaloud.agent import Agent
from thinkaloud.models import Completion, ModelSettings, Scripted
from thinkaloud.models.served import Served
from thinkaloud.monologue import Event
from thinkaloud.records import ModelCall, Request, Started
from thinkaloud.robots import open_world
from thinkaloud.serialization import to_data

SCRIPTED = "scripted"
_PRESET = "thinkaloud:confirm=never"
_KITCHEN = "examples/robots/tea_kitchen.toml"
_ROOM = """
name = "room"
about = "A robot switches the lamps of a room."

[kinds]
lamp = ["amber lamp {number}", "white lamp {number}"]

[skills.light]
says = "Light the {{lamp}}."
doc = "Switch a lamp on."
parameters = {{ lamp = "lamp" }}
makes = ["shines({{lamp}})"]

[skills.darken]
says = "Darken the {{lamp}}."
doc = "Switch a lamp off."
parameters = {{ lamp = "lamp" }}
ends = ["shines({{lamp}})"]

[relations.shines]
says = "{{lamp}} shines."
doc = "A lamp is on."
parameters = {{ lamp = "lamp" }}
"""
_IN_KITCHENS = (
    *("Fill the kettle.", "Fill the glass.", "Fill the blue mug.", "Fill the white mug."),
    *("Put the glass on the tray.", "Put the blue mug on the shelf.", "Hum.", "Put the white mug on the tray."),
)
_POLLS = 2000
"""How often to look whether some wait, before all are stopped."""
_STARTING = 300.0
"""Seconds until a server has loaded its model."""


@dataclass
class Figures:
    """What was measured."""

    model: str
    robots: int
    requests: int
    slots: int
    seconds: list[float] = field(default_factory=list)
    """Of each request, with all robots asking."""
    alone: list[float] = field(default_factory=list)
    stops: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """What was lost or exchanged."""
    cached: int = 0
    read: int = 0
    client_mb: float = 0.0
    server_mb: float = 0.0
    client_cpu: float = 0.0
    server_cpu: float = 0.0
    waited: int = 0
    """How many calls were in the queue when the robots were stopped."""

    def rows(self) -> dict[str, Any]:
        """The figures as a table."""
        prompt = self.cached + self.read
        return {
            "model": self.model,
            "robots": self.robots,
            "slots": self.slots,
            "n": len(self.seconds),
            "median_seconds": round(statistics.median(self.seconds), 3),
            "worst_seconds": round(max(self.seconds), 3),
            "median_seconds_alone": round(statistics.median(self.alone), 3) if self.alone else None,
            "median_seconds_to_stop": round(statistics.median(self.stops), 4),
            "worst_seconds_to_stop": round(max(self.stops), 4),
            "waiting_when_stopped": self.waited,
            "lost_or_exchanged": len(self.wrong),
            "cached": round(self.cached / prompt, 3) if prompt else None,
            "robot_processor_seconds_per_request": round(self.client_cpu / len(self.seconds), 3),
            "server_processor_seconds_per_request": round(self.server_cpu / len(self.seconds), 3),
            "client_mb_per_robot": round(self.client_mb / self.robots, 2),
            "server_mb": round(self.server_mb, 1),
        }


class _Lamps(Scripted):
    """Lights the lamp that the prompt names last; keeps nothing."""

    trained = fluent = True

    async def complete(self, prompt: str, **given: Any) -> Completion:
        """Answer, and forget what was asked."""
        answer = await super().complete(prompt, **given)
        self.prompts.clear()
        return answer


def _light(prompt: str) -> str:
    lamps = re.findall(r"(?:amber|white) lamp \d+", prompt)
    return f'light("{lamps[-1]}")' if lamps else 'cannot("there is no lamp")'


def serve_lamps(slots: int) -> None:
    """Serve the scripted model until this process is ended."""
    from thinkaloud.web.model_server import serve_model
    from thinkaloud.web.server import Serving

    model = _Lamps(_light, name=SCRIPTED)
    serve_model(model, slots, Serving(port=0), lambda address: print(address, flush=True))  # noqa: T201


@contextlib.contextmanager
def serving(model: str, slots: int) -> Iterator[tuple[str, int]]:
    """Run a model server in a process of its own; gives its address and its process."""
    own = [sys.executable, "-m", "thinkaloud_bench.costs.robots_at_once", "--serve", "--slots", str(slots)]
    ours = [sys.executable, "-m", "thinkaloud", "models", "serve", model, "--port", "0", "--slots", str(slots)]
    with tempfile.TemporaryFile("w+") as said:
        server = subprocess.Popen(own if model == SCRIPTED else ours, stdout=said, text=True)
        try:
            yield _address(said, server), server.pid
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


def _address(said: Any, server: subprocess.Popen[str]) -> str:
    began = time.monotonic()
    while time.monotonic() - began < _STARTING and server.poll() is None:
        said.seek(0)
        if found := re.search(r"http://[\d.]+:\d+", said.read()):
            return found[0]
        time.sleep(0.05)
    raise SystemExit("The model server did not start.")


class Robot:
    """One robot with its own model, and what it has to do for each request."""

    def __init__(self, number: int, model: Served, scripted: bool, folder: Path) -> None:
        self.number, self.model, self.scripted = number, model, scripted
        self.file = _KITCHEN
        if scripted:
            self.file = str(folder / f"room{number}.toml")
            Path(self.file).write_text(_ROOM.format(number=number))

    def request(self, at: int) -> str:
        """What is said to it."""
        if self.scripted:
            return f"Light the {'amber' if at % 2 else 'white'} lamp {self.number}."
        return _IN_KITCHENS[(self.number + at) % len(_IN_KITCHENS)]

    def agent(self) -> Agent:
        """It, at the beginning."""
        world = open_world(self.file)
        world.reset(self.number)
        return Agent(world, self.model, _PRESET)

    async def carry_out(self, at: int, figures: Figures, into: list[float]) -> tuple[str, ...]:
        """Carry out a request; return its steps."""
        agent = self.agent()
        began = time.perf_counter()
        end = await agent.run(self.request(at))
        into.append(time.perf_counter() - began)
        events: Sequence[Event] = list(agent.monologue)
        calls = [event.record for event in events if isinstance(event.record, ModelCall)]
        figures.cached += sum(call.cached for call in calls)
        figures.read += sum(call.evaluated for call in calls)
        if self.scripted:
            self._check(at, end.result, events, figures)
        return tuple(event.record.step.words for event in events if isinstance(event.record, Started))

    def _check(self, at: int, result: str, events: Sequence[Event], figures: Figures) -> None:
        """Note what another robot's lamps had to do with it, and what was not done."""
        told = json.dumps([to_data(event.record) for event in events], default=str)
        strange = {*re.findall(r"lamp (\d+)", told)} - {str(self.number)}
        if strange or result != "goal met":
            figures.wrong.append(f"robot {self.number}, request {at}: {result}, lamps of {sorted(strange)}")


async def measure(address: str, pid: int, model: str, robots: int, requests: int, slots: int) -> Figures:
    """Have all robots talk at once."""
    figures, scripted = Figures(model, robots, requests, slots), model == SCRIPTED
    settings = ModelSettings(model_url=address, timeout=300.0)
    before = _megabytes(os.getpid())
    with tempfile.TemporaryDirectory() as folder:
        every = []
        for number in range(robots):
            opened = await asyncio.to_thread(Served, model, settings)
            every.append(Robot(number, opened, scripted, Path(folder)))
        alone = [] if scripted else [await robot.carry_out(0, figures, figures.alone) for robot in every]
        figures.cached = figures.read = 0
        began = time.process_time(), sum(map(_processor, _family(pid)))
        for at in range(requests):
            done = await asyncio.gather(*(robot.carry_out(at, figures, figures.seconds) for robot in every))
            if at == 0 and not scripted:
                pairs = enumerate(zip(alone, done, strict=True))
                figures.wrong += [f"robot {n}: {one} alone, {two} at once" for n, (one, two) in pairs if one != two]
        figures.client_cpu = time.process_time() - began[0]
        figures.server_cpu = sum(map(_processor, _family(pid))) - began[1]
        figures.client_mb = _megabytes(os.getpid()) - before
        figures.server_mb = sum(map(_megabytes, _family(pid)))
        await _stop_all(every, address, figures)
        for robot in every:
            await robot.model.close()
    return figures


async def _stop_all(every: Sequence[Robot], address: str, figures: Figures) -> None:
    """Have all ask, and stop each in its turn, from the last to the first."""

    async def talk(robot: Robot, agent: Agent) -> float:
        asking = asyncio.Event()
        agent.monologue.listeners.append(lambda event: asking.set() if isinstance(event.record, Request) else None)
        working = asyncio.create_task(agent.run(robot.request(1)))
        await asking.wait()
        await held.wait()
        said = time.perf_counter()
        agent.stop()
        await working
        return time.perf_counter() - said

    held = asyncio.Event()
    talks = [asyncio.create_task(talk(robot, robot.agent())) for robot in reversed(every)]
    async with httpx.AsyncClient(base_url=address) as client:
        for _ in range(_POLLS):
            figures.waited = (await client.get("/v1/queue")).json()["waiting"]
            if figures.waited:
                break
    held.set()
    figures.stops += await asyncio.gather(*talks)


def _megabytes(pid: int) -> float:
    """Megabytes that a process has in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def _processor(pid: int) -> float:
    """Processor seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> list[int]:
    """A process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in _family(int(child)))]


def main() -> int:
    """Measure what is asked for, print it as JSON, and write it down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default=SCRIPTED)
    parser.add_argument("--robots", type=int, default=50)
    parser.add_argument("--requests", type=int, default=4)
    parser.add_argument("--slots", type=int, default=6)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve_lamps(given.slots)
        return 0
    with serving(given.model, given.slots) as (address, pid):
        figures = asyncio.run(measure(address, pid, given.model, given.robots, given.requests, given.slots))
    text = json.dumps(figures.rows(), indent=2) + "\n"
    sys.stdout.write(text)
    for line in figures.wrong:
        sys.stderr.write(f"{line}\n")
    if given.out is not None:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(text)
    return 1 if figures.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
