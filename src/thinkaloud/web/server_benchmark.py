"""Figures of the server on this machine: how soon a robot stops, how many events a second reach viewers, memory.

    python -m thinkaloud.web.server_benchmark            # all of them, a minute or two
    python -m thinkaloud.web.server_benchmark stop       # of: stop, thinking, states, load, events, memory

Everything goes over a real server: stops by HTTP, events by WebSocket. The robot for events and memory is a toy that
costs next to nothing, so that the server is what is measured; the one that is stopped is the simulated arm.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import os
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from thinkaloud.clock import ManualClock
from thinkaloud.episode.ticks import tick
from thinkaloud.models import Model, Scripted
from thinkaloud.models.contract import Completion
from thinkaloud.monologue import Event
from thinkaloud.records import Condition, End, Observation, Outcome, Started
from thinkaloud.settings import Settings
from thinkaloud.skills import condition_holds, relation, relations_of, skill, skills_of
from thinkaloud.web import live_sessions
from thinkaloud.web.access import AccessRules
from thinkaloud.web.hub import Hub
from thinkaloud.web.messages import Status
from thinkaloud.web.server import HubServer, bind, build_app, shorten_collections

_VIEWERS, _STOPS, _SESSIONS = 3, 20, 20
_STEPS, _AT_A_TIME = 1000, 40
"""Steps of a session, and those of each request in it."""
_TICK = 0.003
_TABLE = """
[[objects]]
name = "red block"
kind = "block"
x = 0.1
y = -0.5

[[objects]]
name = "blue bowl"
kind = "bowl"
x = -0.15
y = -0.35
"""
_PUT = "Put the red block in the blue bowl."


class CountingRobot:
    """A robot that counts, one step a time, for as long as it is asked to."""

    name = "counter"

    def __init__(self) -> None:
        self.clock, self.count = ManualClock(), 0
        self.skills, self.relations = skills_of(self), relations_of(self)

    def reset(self, seed: int) -> None:
        """Begin at nothing."""
        self.count, self.clock.seconds = 0, 0.0

    @skill("Count on.")
    async def count_on(self) -> str:
        """One more, in a few control ticks."""
        for _ in range(5):
            self.clock.seconds += _TICK
            await tick()
        self.count += 1
        return f"That makes {self.count}."

    @relation("It has counted to a million.")
    def counted(self) -> bool:
        """Whether that is enough."""
        return self.count >= 1_000_000

    def observe(self) -> Observation:
        """Nothing but the count."""
        return Observation(("counter",), {})

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true."""
        return condition_holds(condition, self.relations)

    def snapshot(self) -> bytes:
        """The count."""
        return json.dumps([self.count, self.clock.seconds]).encode()

    def restore(self, snapshot: bytes) -> None:
        """Be at a count again."""
        self.count, self.clock.seconds = json.loads(snapshot)


def _counts(prompt: str) -> str:
    said = prompt.rsplit("Human: ", 1)[1]
    if "Goal state" not in said:
        return ' Goal state is ["It has counted to a million."].'
    return " On.\nRobot action: Count on." if prompt.endswith("Robot thought:") else " Count on."


def _puts(prompt: str) -> str:
    said = prompt.rsplit("Human: ", 1)[1]
    if "Goal state" not in said:
        return ' Goal state is ["Red block is on the blue bowl."].'
    if 'completed ["Red block' in said:
        return " None."
    action = "Pick the red block and place it on the blue bowl."
    return f" On.\nRobot action: {action}" if prompt.endswith("Robot thought:") else f" {action}"


class _Forgetful(Scripted):
    """A script that does not keep what it was asked: its memory is not the server's."""

    async def complete(self, prompt: str, **more: Any) -> Completion:
        answer = await super().complete(prompt, **more)
        self.prompts.clear()
        return answer


@dataclass
class _Bench:
    hub: Hub
    url: str
    thread: threading.Thread

    def seconds(self) -> float:
        """Seconds of a processor that the thread of the server has used."""
        fields = Path(f"/proc/self/task/{self.thread.native_id}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def streams(self) -> str:
        """Where streams are."""
        return self.url.replace("http", "ws", 1)

    async def start(self, client: httpx.AsyncClient, **wanted: Any) -> str:
        """A session; its id."""
        answer = await client.post("/api/sessions", json=wanted)
        answer.raise_for_status()
        return str(answer.json()["id"])


class _Moments:
    """When a motion began, and when it was over."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.moving, self.still = asyncio.Event(), asyncio.Event()
        self.at = 0.0

    def hear(self, event: Event) -> None:
        """Hear an event, in the robot's thread."""
        if isinstance(event.record, Started):
            self._loop.call_soon_threadsafe(self.moving.set)
        elif isinstance(event.record, Outcome):
            self.at = time.perf_counter()
            self._loop.call_soon_threadsafe(self.still.set)


@contextmanager
def _serving() -> Iterator[_Bench]:
    models: dict[str, Model] = {"counts": _Forgetful(_counts), "puts": _Forgetful(_puts)}
    with tempfile.TemporaryDirectory() as home:
        robot = (
            f"{CountingRobot.__module__ if __name__ != '__main__' else 'thinkaloud.web.server_benchmark'}:CountingRobot"
        )
        hub = Hub(Settings(home=Path(home), model="counts"), robots=(robot,), models=models)
        bound, ready = bind("127.0.0.1", 0), threading.Event()
        server = HubServer(hub, build_app(hub, AccessRules(), page=False), ready.set)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])))
        shorten_collections()
        thread.start()
        ready.wait()
        try:
            yield _Bench(hub, f"http://127.0.0.1:{bound.getsockname()[1]}", thread)
        finally:
            server.should_exit = True
            thread.join()


async def measure_stop(bench: _Bench) -> dict[str, float]:
    """From the click, when the request is about to be sent, to where the robot has left off its motion."""
    inside, ticks, whole = [], [], []
    async with httpx.AsyncClient(base_url=bench.url, timeout=60) as client:
        for number in range(_STOPS):
            id = await bench.start(client, world="tabletop", scene=_TABLE, model="puts")
            robot, moment = bench.hub.robot_of(id), _Moments(asyncio.get_running_loop())
            robot.heard.append(moment.hear)
            await client.post(f"/api/sessions/{id}/say", json={"text": _PUT})
            await moment.moving.wait()
            await asyncio.sleep(0.05 + 0.02 * number)  # a different point of the motion each time
            clicked = time.perf_counter()
            await client.post(f"/api/sessions/{id}/stop")
            await moment.still.wait()
            assert robot.stopped_at is not None
            inside.append(1000 * robot.stopped_at[0])
            ticks.append(robot.stopped_at[1])
            whole.append(1000 * (moment.at - clicked))
            await client.delete(f"/api/sessions/{id}")
    return {
        "stops": _STOPS,
        "ms from click to standing still, median": round(statistics.median(whole), 1),
        "ms from click to standing still, worst": round(max(whole), 1),
        "ms from the server's call to the robot's ear, worst": round(max(inside), 1),
        "control ticks in between, worst": max(ticks),
    }


async def measure_stop_beside_thinking(bench: _Bench) -> dict[str, float]:
    """The same while the embedded model thinks in this process all the time, for another robot."""
    async with httpx.AsyncClient(base_url=bench.url, timeout=120) as client:
        id = await bench.start(client, world="tabletop", model="embedded", speed=None)

        async def keep_thinking() -> None:
            while True:
                await client.post(f"/api/sessions/{id}/say", json={"text": "Put all the blocks on the left side."})
                await asyncio.sleep(0.3)

        thinking = asyncio.create_task(keep_thinking())
        try:
            return await measure_stop(bench)
        finally:
            thinking.cancel()


async def measure_stop_by_state(bench: _Bench) -> dict[str, Any]:
    """From the click to the answer that the robot is still: while it is idle, thinks with `embedded`, and moves."""
    found: dict[str, list[float]] = {"idle": [], "thinking": [], "moving": []}
    async with httpx.AsyncClient(base_url=bench.url, timeout=120) as client:
        for state, took in found.items():
            model = "embedded" if state == "thinking" else "puts"
            id = await bench.start(client, world="tabletop", scene=_TABLE, model=model, preset="inner_monologue")
            robot = bench.hub.robot_of(id)
            for number in range(_STOPS):
                if state != "idle":
                    await client.post(f"/api/sessions/{id}/say", json={"text": _PUT})
                    await _until(
                        lambda: robot.state == state and bool(robot.thought.role or state == "moving")  # noqa: B023
                    )
                    await asyncio.sleep(0.01 * (number % 5))  # a different point each time
                clicked = time.perf_counter()
                answer = (await client.post(f"/api/sessions/{id}/stop")).json()
                took.append(1000 * (time.perf_counter() - clicked) if answer["still"] else math.inf)
                await _until(lambda: not robot.busy)  # noqa: B023
            await client.delete(f"/api/sessions/{id}")
    return {
        f"ms from click to confirmed still, {state}, median and worst of {_STOPS}": [
            round(statistics.median(took), 1),
            round(max(took), 1),
        ]
        for state, took in found.items()
    }


async def _until(is_so: Callable[[], bool]) -> None:
    for _ in itertools.count():
        if is_so():
            return
        await asyncio.sleep(0.002)


async def measure_stop_at_load(bench: _Bench) -> dict[str, Any]:
    """The same beside two processes for each core that only compute."""
    code = "while True: pass"
    count = 2 * (os.cpu_count() or 1)
    busy = [await asyncio.create_subprocess_exec(sys.executable, "-c", code) for _ in range(count)]
    try:
        return {"computing processes": len(busy)} | await measure_stop_by_state(bench)
    finally:
        for process in busy:
            process.kill()
            await process.wait()


async def measure_events(bench: _Bench) -> dict[str, float]:
    """How many events a second reach three viewers in another process, how late they are, and what is kept of it."""
    made, ends = dict[int, float](), asyncio.Queue[None]()
    loop = asyncio.get_running_loop()

    def note(event: Event) -> None:
        made[event.index] = time.perf_counter()
        if isinstance(event.record, End):
            loop.call_soon_threadsafe(ends.put_nowait, None)

    async with httpx.AsyncClient(base_url=bench.url, timeout=60) as client:
        id = await bench.start(client, steps=_AT_A_TIME, speed=None)
        bench.hub.robot_of(id).heard.append(note)
        address = f"{bench.streams}/api/sessions/{id}/stream"
        command = (sys.executable, "-m", "thinkaloud.web.server_benchmark", "watch", address, str(_STEPS // _AT_A_TIME))
        watching = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        await _until_watched(bench, id)
        before, began, busy = _memory(), time.perf_counter(), bench.seconds()
        for _ in range(_STEPS // _AT_A_TIME):
            await client.post(f"/api/sessions/{id}/say", json={"text": "Count."})
            await ends.get()
        took, busy = time.perf_counter() - began, bench.seconds() - busy
        out, _ = await watching.communicate()
        now = _memory()
    seen: list[list[list[float]]] = json.loads(out)
    late = sorted(at - made[int(index)] for viewer in seen for index, at in viewer if int(index) in made)
    return {
        "viewers": len(seen),
        "steps": _STEPS,
        "events to each viewer": min(len(viewer) for viewer in seen),
        "events a second": round(len(made) / took),
        "events a second that the server could send them, given a core": round(len(made) / busy),
        "ms late, median": round(1000 * statistics.median(late), 1),
        "ms late, 99 %": round(1000 * late[int(0.99 * len(late))], 1),
        "MB more than before": round(now - before, 1),
        "MB of the server": round(now, 1),
    }


async def _until_watched(bench: _Bench, id: str) -> None:
    async with aclosing(bench.hub.subscribe(id)) as messages:
        async for message in messages:
            if isinstance(message, Status) and len(message.viewers) > _VIEWERS:  # they, and this one
                break


async def _watch(address: str, ends: int) -> list[tuple[int, float]]:
    """When each event came, up to so many ends."""
    came, left = list[tuple[int, float]](), ends
    async with connect(address, max_size=None, proxy=None) as stream:
        async for text in stream:
            now, message = time.perf_counter(), json.loads(text)
            if message["type"] == "event":
                came.append((message["event"]["index"], now))
                left -= message["event"]["kind"] == "end"
                if not left:
                    break
    return came


async def _watch_all(address: str, ends: int) -> None:
    seen = await asyncio.gather(*(_watch(f"{address}?viewer={i}", ends) for i in range(_VIEWERS)))
    sys.stdout.write(json.dumps(seen))


async def measure_memory(bench: _Bench) -> dict[str, float]:
    """Memory with twenty sessions open, each a simulated table with a viewer."""
    before = _memory()
    async with httpx.AsyncClient(base_url=bench.url, timeout=60) as client:
        ids = [
            await bench.start(client, world="tabletop", scene=_TABLE, model="puts", speed=None, request=_PUT)
            for _ in range(_SESSIONS)
        ]

        async def watch(id: str) -> None:
            async with connect(f"{bench.streams}/api/sessions/{id}/stream", proxy=None) as stream:
                async for text in stream:
                    if json.loads(text).get("event", {}).get("kind") == "end":
                        break

        await asyncio.gather(*(watch(id) for id in ids))
        now = _memory()
        live_sessions.IDLE_SECONDS = 0.0
        last = await bench.start(client, world="tabletop", scene=_TABLE, model="puts")
        while (
            sum(row.state == "asleep" for row in await bench.hub.sessions())
            < _SESSIONS - live_sessions.MOST_IDLE_ROBOTS
        ):
            pass
        left = _memory()
        for id in (*ids, last):
            await client.delete(f"/api/sessions/{id}")
    return {
        "sessions": _SESSIONS,
        "MB more than before": round(now - before, 1),
        "MB of the server": round(now, 1),
        "MB of the server once all but eight of them are asleep": round(left, 1),
    }


def _memory() -> float:
    """Megabytes that this process has in memory now."""
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


_ALL: dict[str, Callable[[_Bench], Any]] = {
    "stop": measure_stop,
    "thinking": measure_stop_beside_thinking,
    "states": measure_stop_by_state,
    "load": measure_stop_at_load,
    "events": measure_events,
    "memory": measure_memory,
}


def measure_server(wanted: list[str]) -> None:
    """Measure what is wanted, and print it as JSON."""
    if wanted[:1] == ["watch"]:
        asyncio.run(_watch_all(wanted[1], int(wanted[2])))
        return
    for name in wanted or list(_ALL):
        with _serving() as bench:
            sys.stdout.write(json.dumps({name: asyncio.run(_ALL[name](bench))}, indent=2) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    measure_server(sys.argv[1:])
