"""What rosbridge_suite is recorded to have sent, in its issues 920, 953 and 1152, and actionlib in ROS 1."""

from __future__ import annotations

import json
from typing import Any

import pytest

from thinkaloud.robots.ros_robot.goals import GoalEnd, Goals

SUCCEEDED = """{"op": "action_result", "action": "/robot/navigate_to_pose",
  "values": {"status": 4, "result": {"result": {}}}, "result": true, "id": "2"}"""
CANCELLED = """{"op": "action_result", "action": "/robot/navigate_to_pose",
  "values": {"status": 5, "result": {"result": {}}}, "result": true, "id": "2"}"""
CANCELLED_WITHOUT_STATUS = """{"op": "action_result", "action": "/robot/navigate_to_pose",
  "values": {"result": {}}, "result": false, "id": "2"}"""
CANCELLED_NOW = """{"op": "action_result", "action": "/fibonacci",
  "values": {"sequence": [0, 1, 1]}, "status": 5, "result": true, "id": "2"}"""
REJECTED = """{"op":"action_result","action":"\\/topological\\/move","values":"Action goal was rejected",
  "status":0,"result":false,"id":"send_action_goal:\\/topological\\/move:18acdc62-9e38-4968-94f1-b471f226c524"}"""


@pytest.mark.parametrize(
    ("recorded", "end"),
    [
        (SUCCEEDED, GoalEnd("succeeded")),
        (CANCELLED, GoalEnd("cancelled")),
        (CANCELLED_WITHOUT_STATUS, GoalEnd("refused")),  # no proof of a cancel
        (CANCELLED_NOW, GoalEnd("cancelled")),
        (REJECTED, GoalEnd("refused", "Action goal was rejected")),
    ],
)
def test_results_are_read_as_every_version_sends_them(recorded: str, end: GoalEnd) -> None:
    goals = Goals(2)
    goal = goals.new("/robot/navigate_to_pose")
    goals.hear(goal.id, json.loads(recorded))
    assert goal.ended.result(0) == end and not goals.under_way()


def test_results_of_others_and_second_ones_are_passed_over() -> None:
    goals = Goals(2)
    goal = goals.new("/robot/navigate_to_pose")
    goals.hear("2", json.loads(CANCELLED))
    assert not goal.ended.done()
    goals.hear(goal.id, json.loads(CANCELLED))
    goals.hear(goal.id, json.loads(SUCCEEDED))
    assert goal.ended.result(0).how == "cancelled"


def actionlib(goal: str, status: int, text: str = "") -> dict[str, Any]:
    """A state as actionlib publishes it."""
    stamp = {"secs": 1, "nsecs": 2}
    return {"goal_id": {"stamp": stamp, "id": goal}, "status": status, "text": text}


@pytest.mark.parametrize(
    ("status", "how"),
    [(2, "cancelled"), (3, "succeeded"), (4, "aborted"), (5, "refused"), (8, "cancelled"), (9, "lost")],
)
def test_goals_end_as_actionlib_says(status: int, how: str) -> None:
    goals = Goals(1)
    goal = goals.new("/move_base")
    assert goals.hear_topic("/move_base/status", {"status_list": [actionlib("other", 3), actionlib(goal.id, 1)]})
    assert goal.taken and not goal.ended.done()
    assert goals.hear_topic("/move_base/result", {"status": actionlib(goal.id, status, "So it is."), "result": {}})
    assert goal.ended.result(0) == GoalEnd(how, "So it is.")


def test_topics_that_only_look_like_an_actions_are_left_alone() -> None:
    goals = Goals(1)
    goals.new("/move_base")
    assert not goals.hear_topic("/battery/status", {"status_list": []})
    assert not goals.hear_topic("/amcl_pose", {})
    assert not Goals(2).hear_topic("/move_base/result", {})
