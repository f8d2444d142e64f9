"""What happens between a call and its first motion: a stop, or a client that goes away, is for that too."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from mcp_walker import WALK, WANTED, open_hub
from thinkaloud.web.hub import NotNow
from thinkaloud.web.mcp_server.shared_robot import SharedRobot
from web.mcp_server.conftest import PATIENCE, Offered


class Held:
    """A method of the hub that begins at once and answers when the test says so."""

    def __init__(self, hub: Any, name: str) -> None:
        self._really = getattr(hub, name)
        self.begun, self.let_on, self.times = asyncio.Event(), asyncio.Event(), 0
        setattr(hub, name, self)

    async def __call__(self, *given: Any, **named: Any) -> Any:
        self.times += 1
        found = await self._really(*given, **named)
        self.begun.set()
        await self.let_on.wait()
        return found


def play(home: Path, story: Callable[[SharedRobot, Any], Awaitable[None]]) -> None:
    """Play a story with a robot that nobody has opened yet."""

    async def whole() -> None:
        hub = open_hub(home)
        robot = SharedRobot(hub, WANTED)
        try:
            async with asyncio.timeout(2 * PATIENCE):
                await story(robot, hub)
        finally:
            await robot.close()

    asyncio.run(whole())


def test_a_stop_while_the_robot_is_opened_is_for_the_request_that_waits(tmp_path: Path) -> None:
    async def story(robot: SharedRobot, hub: Any) -> None:
        opening = Held(hub, "start")
        asked = asyncio.ensure_future(robot.begin(WALK))
        await opening.begun.wait()
        assert await robot.stop_and_wait()
        opening.let_on.set()
        with pytest.raises(NotNow, match="Somebody pressed stop"):
            await asked
        assert Offered(robot).motions == []

    play(tmp_path, story)


def test_a_client_that_goes_while_the_robot_is_opened_leaves_one_robot_and_no_request(tmp_path: Path) -> None:
    async def story(robot: SharedRobot, hub: Any) -> None:
        opening = Held(hub, "start")
        asked = asyncio.ensure_future(robot.begin(WALK))
        await opening.begun.wait()
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        opening.let_on.set()
        await robot.open()
        assert opening.times == 1 and "Request" not in Offered(robot).kinds

    play(tmp_path, story)


@pytest.mark.parametrize("how", ["goes away", "presses stop"])
def test_a_request_that_begins_while_its_client_goes_or_stops_is_stopped(tmp_path: Path, how: str) -> None:
    async def story(robot: SharedRobot, hub: Any) -> None:
        await robot.open()
        beginning = Held(hub, "request")
        asked = asyncio.ensure_future(robot.begin(WALK))
        await beginning.begun.wait()
        if how == "goes away":
            asked.cancel()
        else:
            robot.stop()
        beginning.let_on.set()
        await asyncio.gather(asked, return_exceptions=True)
        await Offered(robot).until("idle")
        assert Offered(robot).kinds[-1] == "End" and "Stop" in Offered(robot).kinds

    play(tmp_path, story)


def test_an_answer_whose_client_goes_away_does_not_set_the_robot_going(tmp_path: Path) -> None:
    async def story(robot: SharedRobot, hub: Any) -> None:
        run = await robot.begin("Throw the ball away.")
        standing = await robot.follow(run, _tell_nobody)
        assert standing.question is not None
        answering = Held(hub, "answer")
        answered = asyncio.ensure_future(robot.answer(run, standing.question.event, "yes"))
        await answering.begun.wait()
        answered.cancel()
        await asyncio.gather(answered, return_exceptions=True)
        await Offered(robot).until("idle")
        assert "Stop" in Offered(robot).kinds

    play(tmp_path, story)


async def _tell_nobody(row: Any) -> None: ...
