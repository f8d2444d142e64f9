"""The server against a client that others wrote: npm's, in both eras, over HTTP and over standard input and output.

It needs node, and `npm install @modelcontextprotocol/client@2.4` in this repository (or in THINKALOUD_NODE_MODULES).
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from web.mcp_server.conftest import ERAS, SUPPORT, Offered, Play, over_stdio

NODE = shutil.which("node")
MODULES = Path(os.environ.get("THINKALOUD_NODE_MODULES", SUPPORT.parents[1] / "node_modules"))
pytestmark = pytest.mark.skipif(
    NODE is None or not (MODULES / "@modelcontextprotocol" / "client").is_dir(),
    reason="node or npm's @modelcontextprotocol/client is not here",
)


async def play_npm(era: str, *target: str, **environment: str) -> dict[str, Any]:
    """What npm's client got."""
    assert NODE is not None
    process = await asyncio.create_subprocess_exec(
        *(NODE, str(SUPPORT / "mcp_npm_client.cjs"), str(MODULES), era, *target),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )
    said, complaint = await process.communicate()
    assert process.returncode == 0, complaint.decode()
    found: dict[str, Any] = json.loads(said)
    return found


def check(found: dict[str, Any]) -> None:
    assert found["tools"] == ["do", "plan", "answer", "what_can_it_do", "stop"]
    assert len(found["asked"]) == 1 and "Throw the ball away" in found["asked"][0]
    assert found["walked"] == "cancelled" and found["stop"] == {"still": True}
    assert found["monologue"].count("Robot action: Throw the ball away.") <= 1


@pytest.mark.parametrize("era", ERAS)
def test_npms_client_is_asked_and_its_cancel_stops_the_robot_over_http(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        async with robot.over_http() as url:
            check(await play_npm(era, url))
            assert robot.motions == ["Throw the ball away.", "Walk about."]
            assert robot.kinds[-1] == "End" and robot.thread.stopped_at[1] <= 1

    play(story)


@pytest.mark.parametrize("era", ERAS)
def test_npms_client_is_asked_and_its_cancel_stops_the_robot_over_stdio(tmp_path: Path, era: str) -> None:
    told = over_stdio(tmp_path / "home")
    environment = {"PYTHONPATH": (told.env or {})["PYTHONPATH"]}
    check(asyncio.run(play_npm(era, told.command, *told.args, **environment)))
