"""A robot stops when its client cancels, vanishes or is cut off, within a tick, unless the client said otherwise."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client

from mcp_walker import MOVE, WALK
from thinkaloud.remember.journal import Journal
from thinkaloud.web.access import AccessRules
from web.mcp_server.conftest import ERAS, PATIENCE, Offered, Play, over_stdio

BOTH = pytest.mark.parametrize("era", ERAS)
MOST_TICKS = 1


async def cancelled_in_motion(robot: Offered, client: Client, **more: Any) -> None:
    """Have the robot walk, and cancel the call while it does."""
    async with anyio.create_task_group() as group:

        async def walk() -> None:
            await client.call_tool("do", {"request": WALK, **more})

        group.start_soon(walk)
        await robot.until_moving()
        group.cancel_scope.cancel()


async def is_still(robot: Offered) -> None:
    """The robot comes to rest, and the stop was heard within a tick."""
    await robot.until("idle")
    assert robot.kinds[-1] == "End" and "Stop" in robot.kinds
    assert robot.thread.stopped_at[1] <= MOST_TICKS
    ticks = robot.world.ticks
    await asyncio.sleep(0.02)
    assert robot.world.ticks == ticks


@BOTH
def test_a_cancelled_call_stops_the_robot_within_a_tick(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        async with robot.client(era) as client:
            await cancelled_in_motion(robot, client)
            await is_still(robot)
            assert (await client.call_tool("do", {"request": MOVE})).structured_content["result"] == "goal met"

    play(story)


@BOTH
def test_a_cancelled_call_over_http_stops_the_robot_within_a_tick(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        async with robot.over_http() as url, robot.client(era, to=url) as client:
            await cancelled_in_motion(robot, client)
            await is_still(robot)

    play(story)


@BOTH
def test_a_client_that_vanishes_over_http_stops_the_robot(play: Play, era: str) -> None:
    """Its connection is cut: nothing is said any more."""

    async def story(robot: Offered) -> None:
        async with robot.over_http() as url:
            sent = await start_walking(url, era)
            await robot.until_moving()
            sent.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sent
            await is_still(robot)

    play(story)


async def start_walking(url: str, era: str, **more: Any) -> asyncio.Task[None]:
    """Ask for a walk by hand, over a connection that can be cut."""
    head = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    about: dict[str, Any] = {"clientInfo": {"name": "by hand", "version": "1"}}
    call: dict[str, Any] = {"name": "do", "arguments": {"request": WALK, **more}}
    http = httpx.AsyncClient(headers=head, timeout=20, verify=False)
    if era == "legacy":
        begin = {"protocolVersion": "2025-11-25", "capabilities": {}, **about}
        answer = await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin})
        http.headers.update({"mcp-session-id": answer.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"})
        await http.post(url, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    else:
        http.headers.update({"mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": "do"})
        space = "io.modelcontextprotocol/"
        call["_meta"] = {
            f"{space}protocolVersion": era,
            f"{space}clientInfo": about["clientInfo"],
            f"{space}clientCapabilities": {},
        }

    async def send() -> None:
        try:
            answer = await http.post(url, json={"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call})
            raise AssertionError(answer.text)
        finally:
            await http.aclose()

    return asyncio.ensure_future(send())


@BOTH
def test_a_robot_that_was_told_to_go_on_alone_goes_on_until_somebody_stops_it(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        loop = asyncio.get_running_loop()
        async with robot.over_http() as url:
            sent = await start_walking(url, era, go_on_alone=True)
            await robot.until_moving()
            sent.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sent
            walked = asyncio.Event()
            ticks = robot.world.ticks + 100
            robot.thread._agent.loop.ticking.append(
                lambda: loop.call_soon_threadsafe(walked.set) if robot.world.ticks > ticks else None
            )
            await walked.wait()
            assert "Stop" not in robot.kinds
            async with robot.client(era, to=url) as other:
                await other.call_tool("stop", {})
            await is_still(robot)

    play(story)


@BOTH
def test_a_cancelled_call_over_stdio_stops_the_robot_and_the_client_goes_on(tmp_path: Path, era: str) -> None:
    """The robot is a program of its own, which only standard input and output connect with the client."""
    walking = asyncio.Event()

    async def report(progress: float, total: float | None, message: str | None) -> None:
        if "Walk about" in (message or ""):
            walking.set()

    async def story() -> None:
        async with Client(over_stdio(tmp_path / "home"), mode=era) as client:
            async with anyio.create_task_group() as group:

                async def walk() -> None:
                    await client.call_tool("do", {"request": WALK}, progress_callback=report)

                group.start_soon(walk)
                async with asyncio.timeout(PATIENCE):
                    await walking.wait()
                group.cancel_scope.cancel()
            async with asyncio.timeout(PATIENCE):
                while (done := await client.call_tool("do", {"request": MOVE})).is_error:  # it is stopping
                    assert "is busy" in str(done.content) or "pressed stop" in str(done.content), done
            assert done.structured_content["result"] == "goal met"

    asyncio.run(story())
    with Journal(tmp_path / "home" / "journal.db") as journal:
        (session,) = journal.sessions()
        events = journal.open(session.id).events()
    kinds = [type(record).__name__ for _, _, record in events]
    stopped = kinds.index("End") + 1
    assert "Stop" in kinds[:stopped] and kinds[:stopped].count("Started") == 1
    assert kinds[-1] == "End" and "Stop" not in kinds[stopped:]


@pytest.mark.parametrize("how", ["closes our input", "ends us", "hangs up"])
def test_a_client_that_started_us_and_vanishes_stops_the_robot(tmp_path: Path, how: str) -> None:
    """The journal says so, whichever way it happens."""
    with started(tmp_path / "home") as process:
        assert process.stdin is not None and process.stdout is not None
        about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "by hand", "version": "1"}}
        call = {"name": "do", "arguments": {"request": WALK}, "_meta": {"progressToken": 1}}
        for number, (method, params) in enumerate((("initialize", about), ("tools/call", call))):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
            process.stdin.flush()
            if not number:
                process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        while "Walk about" not in process.stdout.readline():
            pass
        if how == "closes our input":
            process.stdin.close()
        else:
            process.send_signal(signal.SIGTERM if how == "ends us" else signal.SIGHUP)
        process.wait(20)
    with Journal(tmp_path / "home" / "journal.db") as journal:
        (session,) = journal.sessions()
        kinds = [type(record).__name__ for _, _, record in journal.open(session.id).events()]
    assert kinds[-1] == "End" and "Stop" in kinds and "Outcome" in kinds


@contextlib.contextmanager
def started(home: Path) -> Iterator[subprocess.Popen[str]]:
    """The robot as a program of its own."""
    told = over_stdio(home)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([told.command, *told.args], env=told.env, text=True, **pipes) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


def test_the_rules_of_the_page_hold_for_hosts_origins_tokens_and_sizes(play: Play) -> None:
    async def story(robot: Offered) -> None:
        robot.rules = AccessRules.for_host("127.0.0.1", "a-token-of-24-characters")
        async with robot.over_http() as url, httpx.AsyncClient(verify=False) as http:
            known = {"authorization": "Bearer a-token-of-24-characters"}
            asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
            for headers, status in (
                ({}, 401),
                ({"authorization": "Bearer wrong"}, 401),
                ({**known, "host": "evil.example"}, 403),
                ({**known, "origin": "https://evil.example"}, 403),
            ):
                assert (await http.post(url, json=asked, headers=headers)).status_code == status
            big = await http.post(url, content=b"x" * 1_000_001, headers=known)
            assert big.status_code == 413
            assert (await http.post(url, json=asked, headers=known)).status_code not in (401, 403)

    play(story)
