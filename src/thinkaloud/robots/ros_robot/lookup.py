"""What rosapi tells at connecting: whether everything in the robot's file is there, and has the types that it needs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from thinkaloud.errors import BadInput, DidNotWork
from thinkaloud.robots.connected.table_parts import SLOT, fill
from thinkaloud.robots.ros_robot.message_types import FieldType, MessageTypes, is_number
from thinkaloud.robots.ros_robot.ros_table import ZENOH, Place, RosReading, RosSkill, RosTable, Send
from thinkaloud.untrusted.text import as_data

AskRosapi = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]


@dataclass
class LookedUp:
    """The types of topics, services and actions."""

    types: dict[str, str] = field(default_factory=dict)


def look_up(table: RosTable, ask: AskRosapi) -> LookedUp:
    """Look up everything in the table; BadInput, in one line, where something is not as it should be."""
    return _Lookup(table, ask).all()


class _Lookup:
    def __init__(self, table: RosTable, ask: AskRosapi) -> None:
        self._table, self._ask_rosapi, self._found = table, ask, LookedUp()
        self._told: dict[str, Mapping[str, Any]] = {}

    def all(self) -> LookedUp:
        """Everything."""
        for skill in self._table.skills.values():
            if skill.send.way == "action":
                self._action(skill)
            else:
                self._sent(skill.send)
        for stop in self._table.stops():
            for sent in (stop.send, stop.release):
                if sent is not None:
                    self._sent(sent)
        for reading in self._table.readings():
            self._read(reading)
        return self._found

    def _ask(self, service: str, /, **arguments: Any) -> Mapping[str, Any]:
        key = repr((service, arguments))
        if key not in self._told:
            try:
                self._told[key] = self._ask_rosapi(f"/rosapi/{service}", arguments)
            except DidNotWork as error:
                why = str(error).rstrip(".")
                if self._table.wire == ZENOH:
                    raise BadInput(f"{self._table.where}: {why}.") from None
                raise BadInput(
                    f"{self._table.where} does not tell its types: {why}. Is rosapi started beside it?"
                ) from None
        return self._told[key]

    def _type(self, what: str, name: str) -> str:
        """The type of a topic, a service or an action."""
        kind = self._ask(f"{what}_type", **{what: name}).get("type")
        if not isinstance(kind, str) or not kind:
            raise BadInput(f"{self._table.where} has no {what} {name}.")
        self._found.types[name] = kind
        return kind

    def _details(self, service: str, kind: str) -> MessageTypes:
        found = MessageTypes(self._ask(service, type=kind).get("typedefs"))
        if not found.first:
            raise BadInput(f"{self._table.where} does not tell what {as_data(kind, 60)} has in it.")
        return found

    def _action(self, skill: RosSkill) -> None:
        name = skill.send.name
        contents = [skill.send.content, *([skill.idle] if skill.idle is not None else [])]
        if self._table.ros == 1:
            types, goal = self._part_of_topic(f"{name}/goal", "goal")
            feedback, told = self._part_of_topic(f"{name}/feedback", "feedback") if skill.feedback else (types, goal)
            self._type("topic", f"{name}/cancel")
        else:
            kind = self._action_type(name)
            types = self._details("action_goal_details", kind)
            feedback = self._details("action_feedback_details", kind) if skill.feedback else types
            goal, told = types.first, feedback.first
        for content in contents:
            types.refuse_misfit(f"The action {name}", goal, _with_places(content))
        if skill.feedback:
            feedback.find(f"The feedback of {name}", skill.feedback, told)

    def _action_type(self, name: str) -> str:
        try:
            return self._type("action", name)
        except BadInput as error:
            if self._table.wire == ZENOH:
                raise
            raise BadInput(f"{str(error).rstrip('.')}; if this is ROS 1, write ros = 1.") from None

    def _part_of_topic(self, topic: str, part: str) -> tuple[MessageTypes, str]:
        types = self._details("message_details", self._type("topic", topic))
        return types, types.find(f"The topic {topic}", (part,)).type

    def _sent(self, what: Send) -> None:
        kind = self._type(what.way, what.name)
        if what.way == "topic":
            self._refuse_nobody("subscribers", "listens to", what.name)
        if not what.content:
            return
        types = self._details("message_details" if what.way == "topic" else "service_request_details", kind)
        types.refuse_misfit(f"The {what.way} {what.name}", types.first, _with_places(what.content))

    def _read(self, reading: RosReading) -> None:
        what = f"The {reading.way} {reading.name}"
        kind = self._type(reading.way, reading.name)
        if reading.way == "topic":
            self._refuse_nobody("publishers", "publishes", reading.name)
            types = self._details("message_details", kind)
        else:
            types = self._details("service_response_details", kind)
        part = types.find(what, reading.part)
        if reading.near and not {"x", "y"} <= {*types.fields(part.type)}:
            raise BadInput(f"{what}: {'.'.join(reading.part) or 'it'} has no x and y, so it is not a position.")
        if wrong := _misfit(reading, part):
            raise BadInput(f"{what}: {'.'.join(reading.part) or 'it'} is {as_data(part.type, 60)}, {wrong}.")

    def _refuse_nobody(self, who: str, does: str, topic: str) -> None:
        if not self._ask(who, topic=topic).get(who):
            raise BadInput(f"Nobody {does} {topic} at {self._table.where}.")


def _with_places(content: Mapping[str, Any]) -> Any:
    """What is sent, with some place's parts in it: they have the same types at every place."""
    parts = Place(0.0, 0.0).parts()
    slots = SLOT.findall(json.dumps(content, default=str))
    return fill(content, {slot: parts[slot.partition(".")[2]] for slot in slots if "." in slot})


def _misfit(reading: RosReading, part: FieldType) -> str:
    """Why what is read can never be as the file compares it."""
    compared = reading.compared
    if compared.test in ("at_least", "at_most") and not is_number(part):
        return "not a number"
    if isinstance(compared.wanted, bool) and part.type not in ("bool", "boolean"):
        return "not true or false"
    return ""
