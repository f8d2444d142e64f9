"""Goals of actions: as rosbridge carries them for ROS 2, and as the topics of actionlib for ROS 1.

A goal has a name that nobody can guess, and what comes for another one, or after it was given up, is passed over.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from thinkaloud.untrusted.text import as_data, one_line

ACTION_TOPICS = ("status", "feedback", "result")
"""What the server of an action publishes in ROS 1."""
_ROS1 = {
    0: "",
    1: "",
    6: "",
    7: "",
    2: "cancelled",
    3: "succeeded",
    4: "aborted",
    5: "refused",
    8: "cancelled",
    9: "lost",
}
_ROS2 = {4: "succeeded", 5: "cancelled", 6: "aborted"}
_LONGEST_REPORT = 200


@dataclass(frozen=True)
class GoalEnd:
    """How a goal ended: succeeded, cancelled, aborted, refused, lost, or `unknown`; and one line about it."""

    how: str
    report: str = ""

    @property
    def may_go_on(self) -> bool:
        """Whether nobody can say that the robot no longer works on it."""
        return self.how in ("lost", "unknown")


@dataclass
class Goal:
    """A goal that was sent."""

    action: str
    id: str
    ended: Future[GoalEnd] = field(default_factory=Future)
    feedback: tuple[float, Mapping[str, Any]] | None = None
    """When the last feedback came, and what it was."""
    taken: bool = False
    """Whether anything was heard of it."""
    sent_at: float = field(default_factory=time.monotonic)


class Goals:
    """The goals that are under way."""

    def __init__(self, ros: int) -> None:
        self._ros = ros
        self._goals: dict[str, Goal] = {}

    def new(self, action: str) -> Goal:
        """A new goal."""
        goal = Goal(action, uuid.uuid4().hex)
        self._goals[goal.id] = goal
        return goal

    def under_way(self) -> list[Goal]:
        """Those that have not ended."""
        return [*self._goals.values()]

    def sending(self, goal: Goal, content: Mapping[str, Any], kind: str) -> dict[str, Any]:
        """The message that sends a goal."""
        if self._ros == 1:
            about = {"id": goal.id, "stamp": {"secs": 0, "nsecs": 0}}
            return {"op": "publish", "topic": f"{goal.action}/goal", "msg": {"goal_id": about, "goal": dict(content)}}
        return {
            "op": "send_action_goal",
            "id": goal.id,
            "action": goal.action,
            "action_type": kind,
            "args": dict(content),
            "feedback": True,
        }

    def cancelling(self, goal: Goal) -> dict[str, Any]:
        """The message that cancels it."""
        if self._ros == 1:
            about = {"id": goal.id, "stamp": {"secs": 0, "nsecs": 0}}
            return {"op": "publish", "topic": f"{goal.action}/cancel", "msg": about}
        return {"op": "cancel_action_goal", "id": goal.id, "action": goal.action}

    def hear(self, number: str, message: Mapping[str, Any]) -> None:
        """Feedback or a result, by rosbridge's own operations."""
        if (goal := self._goals.get(number)) is None:
            return
        values = message.get("values")
        if message["op"] == "action_feedback":
            self._feed(goal, values)
            return
        status = message.get("status")
        if status is None and isinstance(values, Mapping):
            status = values.get("status")  # as older ones say it
        how = _ROS2.get(status, "unknown") if isinstance(status, int) else "unknown"
        if message.get("result") is False and how in ("succeeded", "unknown"):
            how = "refused"
        self.end(number, GoalEnd(how, tell(values)))

    def hear_topic(self, topic: str, content: Mapping[str, Any]) -> bool:
        """A message on one of the topics of an action; False if it is on another."""
        action, _, what = topic.rpartition("/")
        if self._ros != 1 or what not in ACTION_TOPICS or all(goal.action != action for goal in self._goals.values()):
            return False
        states = content.get("status_list") if what == "status" else [content.get("status")]
        for state in states if isinstance(states, list) else ():
            match state:
                case {"goal_id": {"id": str(number)}, "status": int(code)} if number in self._goals:
                    goal = self._goals[number]
                    goal.taken = True
                    if what == "feedback":
                        self._feed(goal, content.get("feedback"))
                    elif how := _ROS1.get(code, "unknown"):
                        self.end(number, GoalEnd(how, tell(state.get("text")) or tell(content.get("result"))))
        return True

    def end(self, number: str, how: GoalEnd) -> None:
        """A goal has ended."""
        if (goal := self._goals.pop(number, None)) is not None:
            goal.taken = True
            with suppress(InvalidStateError):
                goal.ended.set_result(how)

    @staticmethod
    def _feed(goal: Goal, values: object) -> None:
        goal.taken = True
        goal.feedback = (time.monotonic(), values if isinstance(values, Mapping) else {})


def tell(values: object) -> str:
    """What somebody said, in one line for people: of a result, what it says in words."""
    if isinstance(values, Mapping):
        values = values.get("result", values)
    if isinstance(values, Mapping):
        values = next((each for each in values.values() if isinstance(each, str) and each.strip()), "")
    return as_data(one_line(str(values), _LONGEST_REPORT)) if isinstance(values, str | int | float) else ""
