"""What a client of either era gets from the robot: answers, progress, questions, one motion for one request."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitResult, InputRequiredResult

from mcp_walker import DISCARD, MOVE, WALK
from web.mcp_server.conftest import ERAS, Offered, Play


def text(result: Any) -> str:
    """What a tool or a resource says."""
    (first,) = result.content if hasattr(result, "content") else result.contents
    said: str = first.text
    return said


BOTH = pytest.mark.parametrize("era", ERAS)


def data(result: Any) -> dict[str, Any]:
    found: dict[str, Any] = result.structured_content
    return found


@BOTH
def test_a_request_is_carried_out_and_told_as_it_ended(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        told: list[tuple[float, str]] = []

        async def report(progress: float, total: float | None, message: str | None) -> None:
            told.append((progress, message or ""))

        async with robot.client(era) as client:
            result = await client.call_tool("do", {"request": MOVE}, progress_callback=report)
        assert not result.is_error, result
        assert data(result)["result"] == "goal met"
        assert robot.world.where["ball"] == "shelf"
        assert any("Move the ball to the shelf" in message for _, message in told)
        assert [done for done, _ in told] == sorted({done for done, _ in told})

    play(story)


@BOTH
def test_what_the_robot_asks_reaches_the_person_and_nothing_moves_twice(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        async with robot.client(era, answer="yes") as client:
            result = await client.call_tool("do", {"request": DISCARD})
        assert len(robot.asked) == 1 and "Throw the ball away" in robot.asked[0]
        assert robot.motions == ["Throw the ball away."]
        assert robot.kinds.count("Request") == 1, result

    play(story)


@BOTH
def test_a_question_that_nobody_answers_stops_the_robot(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        async with robot.client(era, answer="") as client:
            result = await client.call_tool("do", {"request": DISCARD})
        assert data(result)["result"] == "stopped" and result.is_error
        assert robot.motions == [] and robot.world.where["ball"] == "floor"

    play(story)


@BOTH
def test_a_client_that_cannot_be_asked_gets_the_question_and_answers_with_a_tool(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        async with robot.client(era) as client:
            asked = data(await client.call_tool("do", {"request": DISCARD}))
            assert asked["state"] == "asking" and "Throw the ball away" in asked["question"]
            assert robot.motions == []
            again = await client.call_tool("do", {"request": MOVE})
            assert again.is_error and "busy" in text(again)
            await client.call_tool("answer", {"run": asked["run"], "answer": "yes"})
            strange = await client.call_tool("answer", {"run": "made up", "answer": "yes"})
            assert strange.is_error and "no run" in text(strange)
        assert robot.motions == ["Throw the ball away."]

    play(story)


def test_a_call_that_comes_again_with_the_same_answer_repeats_no_motion(play: Play) -> None:
    async def story(robot: Offered) -> None:
        async with robot.client("2026-07-28", answer="yes") as client:
            arguments = {"request": DISCARD}
            first = await client.session.call_tool("do", arguments, allow_input_required=True)
            assert isinstance(first, InputRequiredResult)
            answers: dict[str, Any] = {"answer": ElicitResult(action="accept", content={"answer": "yes"})}
            again = [
                await client.session.call_tool(
                    "do",
                    arguments,
                    input_responses=answers,
                    request_state=first.request_state,
                    allow_input_required=True,
                )
                for _ in range(2)
            ]
            assert data(again[0]) == data(again[1])
            assert robot.motions == ["Throw the ball away."]
            forged = client.session.call_tool(
                "do", arguments, input_responses=answers, request_state="v1.forged", allow_input_required=True
            )
            with pytest.raises(MCPError, match=r"(?i)requestState|request_state|invalid"):
                await forged
        assert robot.motions == ["Throw the ball away."]

    play(story)


@BOTH
def test_a_plan_moves_nothing(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        async with robot.client(era) as client:
            result = await client.call_tool("plan", {"request": MOVE})
        assert data(result)["result"] == "planned"
        assert data(result)["done"] == ["Move the ball to the shelf."]
        assert robot.motions == []

    play(story)


@BOTH
def test_one_client_waits_while_another_is_served_and_anybody_may_stop(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        async with robot.client(era) as one, robot.client(era) as two:
            walking = asyncio.ensure_future(one.call_tool("do", {"request": WALK}))
            await robot.until_moving()
            refused = await two.call_tool("do", {"request": MOVE})
            assert refused.is_error and "busy" in text(refused)
            stopped = await two.call_tool("stop", {})
            assert data(stopped) == {"still": True}
            assert data(await walking)["result"] == "stopped"
            assert data(await two.call_tool("do", {"request": MOVE}))["result"] == "goal met"
        assert robot.motions == ["Walk about.", "Move the ball to the shelf."]

    play(story)


@BOTH
def test_what_it_can_do_its_state_and_its_monologue_can_be_read(play: Play, era: str) -> None:
    async def story(robot: Offered) -> None:
        async with robot.client(era) as client:
            able = data(await client.call_tool("what_can_it_do", {}))
            assert {"move", "discard", "walk"} <= {skill["name"] for skill in able["skills"]}
            assert [skill["name"] for skill in able["skills"] if skill["approval"]] == ["discard"]
            assert dict(able["kinds"])["object"] == ["ball", "cup", "box"]
            assert able["examples"]
            await client.call_tool("do", {"request": MOVE})
            for _ in range(200):  # the answer may come a moment before the run is over
                state = json.loads(text(await client.read_resource("thinkaloud://state")))
                if state["state"] != "thinking":
                    break
            assert (state["state"], state["told"]["result"]) == ("idle", "goal met")
            monologue = text(await client.read_resource("thinkaloud://monologue"))
            assert "Move the ball to the shelf" in monologue

    play(story)


@BOTH
@pytest.mark.parametrize(
    ("request_text", "line"),
    [
        ("", "empty"),
        ("x" * 50_000_000, "at most 2000"),
        ("Put the unicorn on the shelf.", ""),
        ("stop", "that was a stop"),
    ],
    ids=["empty", "50 MB", "unknown thing", "stop"],
)
def test_a_request_that_cannot_be_made_is_refused_in_one_line(
    play: Play, era: str, request_text: str, line: str
) -> None:
    async def story(robot: Offered) -> None:
        async with robot.client(era) as client:
            result = await client.call_tool("do", {"request": request_text})
        assert result.is_error
        assert line in text(result) and "\n" not in text(result)
        assert len(text(result)) < 500 and robot.motions == []

    play(story)
