"""What connecting costs, measured: seconds to the first request by MCP, and ticks from a cancel to stillness.

    python -m thinkaloud_bench.connecting --times 20
    python -m thinkaloud_bench.connecting --what ros --times 20    (see `connecting_ros`; `zenoh`: `connecting_zenoh`)

The robot is the simulated table, and its model reads one answer from a list: only connecting is measured. The first row
also has what Python takes to load everything.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import statistics
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from thinkaloud.models import Scripted
from thinkaloud.monologue import Event
from thinkaloud.records import Outcome, Started
from thinkaloud.settings import Settings
from thinkaloud.untrusted.output import write_line
from thinkaloud.web.access import AccessRules
from thinkaloud.web.hub import Hub
from thinkaloud.web.mcp_server.serving import PATH, build_app
from thinkaloud.web.mcp_server.shared_robot import SharedRobot
from thinkaloud.web.mcp_server.tools import build_server
from thinkaloud.web.messages import SessionRequest
from thinkaloud.web.server import HubServer, bind

ERAS = {"2025-11-25": "legacy", "2026-07-28": "2026-07-28"}
WAYS = ("in process", "http")
_REQUEST = "Put a block on the left side."
_MODEL = "scripted"


async def measure(times: int) -> list[dict[str, Any]]:
    """One row for each era and way of connecting."""
    return [await _measure(era, way, times) for era in ERAS for way in WAYS]


async def _measure(era: str, way: str, times: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home:
        hub = Hub(
            Settings(home=Path(home), model=_MODEL),
            models={_MODEL: Scripted(lambda prompt: 'pick_and_place(any_of("block"), "left side")')},
        )
        robot = SharedRobot(hub, SessionRequest(world="tabletop", model=_MODEL, confirm="never", speed=1.0))
        began = time.perf_counter()
        await robot.open()
        opened = time.perf_counter() - began
        try:
            if way == "in process":
                cancels = await _cancel(robot, build_server(robot), era, times)
            else:
                bound, ready = bind("127.0.0.1", 0), asyncio.Event()
                server = HubServer(hub, build_app(robot, AccessRules()), ready.set)
                serving = asyncio.ensure_future(server.serve(sockets=[bound]))
                await ready.wait()
                cancels = await _cancel(robot, f"http://127.0.0.1:{bound.getsockname()[1]}{PATH}", era, times)
                server.should_exit = True
                await serving
        finally:
            await robot.close()
    return {"era": era, "way": way, "seconds_to_open": round(opened, 2), **cancels}


class _Seen:
    """What the robot's own thread tells of one run."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.moving, self.over, self.motions = asyncio.Event(), asyncio.Event(), 0
        self._loop = loop

    def hear(self, event: Event) -> None:
        """Hear an event."""
        if isinstance(event.record, Started):
            self.motions += 1
            self._loop.call_soon_threadsafe(self.moving.set)
        elif isinstance(event.record, Outcome):
            self._loop.call_soon_threadsafe(self.over.set)


async def _cancel(robot: SharedRobot, to: Any, era: str, times: int) -> dict[str, Any]:
    """Cancel calls while the robot moves."""
    began = time.perf_counter()
    firsts, heard, still, repeated = 0.0, [], [], 0
    for number in range(times):
        live, seen = robot.live, _Seen(asyncio.get_running_loop())
        live.heard.append(seen.hear)
        async with Client(to, mode=ERAS[era]) as client, anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "do", {"request": _REQUEST})
            await seen.moving.wait()
            if not number:
                firsts = time.perf_counter() - began
            await anyio.sleep(0.1)
            cancelled = time.perf_counter()
            group.cancel_scope.cancel()
        await seen.over.wait()
        still.append(time.perf_counter() - cancelled)
        live.heard.remove(seen.hear)
        assert live.stopped_at is not None
        heard.append(live.stopped_at[1])
        repeated += seen.motions - 1
    return {
        "n": times,
        "seconds_to_first_motion": round(firsts, 2),
        "ticks_to_hear_stop_most": max(heard),
        "ticks_to_hear_stop_median": statistics.median(heard),
        "seconds_to_still_most": round(max(still), 3),
        "seconds_to_still_median": round(statistics.median(still), 3),
        "motions_repeated": repeated,
    }


def main() -> None:
    """Measure, and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--what", choices=("mcp", "ros", "zenoh"), default="mcp")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--out", type=Path, help="default: bench/connect/WHAT.json")
    given = parser.parse_args()
    found: dict[str, Any]
    if given.what == "mcp":
        found = {"rows": asyncio.run(measure(given.times))}
        shown = found["rows"]
    else:
        from thinkaloud_bench.connecting_ros import summarise

        found = import_module(f"thinkaloud_bench.connecting_{given.what}").measure(given.times)
        shown = summarise(found)
    about = {"machine": f"{platform.machine()}, Python {platform.python_version()}", "times": given.times}
    out: Path = given.out or Path("bench/connect") / f"{given.what}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({**about, **found}, indent=1) + "\n")
    for row in shown:
        write_line(json.dumps(row))


if __name__ == "__main__":
    main()
