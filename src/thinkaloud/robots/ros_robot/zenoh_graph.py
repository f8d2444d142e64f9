"""What there is at a robot over Zenoh: `rmw_zenoh` announces each publisher, subscriber and service by a token.

@ros2_lv/DOMAIN/SESSION/NODE/ENDPOINT/KIND/ENCLAVE/NAMESPACE/NODE_NAME/NAME/TYPE/HASH/QOS

It answers the questions that rosapi answers for rosbridge, so the robot's file is checked in the same way.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from thinkaloud.errors import DidNotWork
from thinkaloud.robots.ros_robot.ros_types import RosTypes
from thinkaloud.untrusted.text import as_data

SPACE = "@ros2_lv"
NO_HASH = "TypeHashNotSupported"
"""What ROS 2 Humble announces in place of a hash."""
_KINDS = {"publishers": "MP", "subscribers": "MS"}
_SORTS = {"action_goal_details": "Goal", "action_feedback_details": "Feedback"}
_SORTS |= {"service_request_details": "Request", "service_response_details": "Response"}
_MOST = 20_000
_PARTS = 13


@dataclass(frozen=True)
class Endpoint:
    """A publisher (MP), a subscriber (MS), a service (SS) or one who calls it (SC)."""

    kind: str
    node: str
    name: str
    type: str
    hash: str
    qos: str

    @property
    def lasting(self) -> bool:
        """Whether the last message is kept for those who come later."""
        return self.qos.split(":")[1:2] == ["1"]


class Graph:
    """The endpoints that are announced now."""

    def __init__(self, where: str, types: RosTypes) -> None:
        self._where, self._types = where, types
        self._there: dict[str, Endpoint] = {}
        self._lock = threading.Lock()

    def hear(self, token: str, *, there: bool) -> None:
        """An endpoint has come or gone; a token that is not as it should be is passed over."""
        with self._lock:
            if not there:
                self._there.pop(token, None)
            elif (found := _read(token)) is not None and len(self._there) < _MOST:
                self._there[token] = found

    def find(self, kind: str, name: str) -> list[Endpoint]:
        """All endpoints of a kind with a name."""
        with self._lock:
            return [each for each in self._there.values() if each.kind == kind and each.name == name]

    def service(self, name: str) -> Endpoint:
        """The one node that offers a service; DidNotWork where there is none, or it is another than the one known."""
        found = self.find("SS", name)
        if not found:
            raise DidNotWork(f"No node at {self._where} offers {name}.")
        if len(found) > 1:
            raise DidNotWork(f"{len(found)} nodes at {self._where} offer {name}, so it is not clear which would act.")
        return self._known(found[0])

    def topic(self, name: str) -> Endpoint | None:
        """An endpoint of a topic; None where there is none, DidNotWork where they differ or are not known here."""
        found = [*self.find("MP", name), *self.find("MS", name)]
        if len({(each.type, each.hash) for each in found}) > 1:
            raise DidNotWork(f"Nodes at {self._where} do not agree on the type of {name}.")
        return self._known(found[0]) if found else None

    def tell(self, question: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """What rosapi would tell."""
        if question in _KINDS:
            return {question: [each.node for each in self.find(_KINDS[question], arguments["topic"])]}
        if question == "topic_type":
            endpoint = self.topic(arguments["topic"])
            return {"type": endpoint.type if endpoint is not None else ""}
        if question == "service_type":
            name = arguments["service"]
            return {"type": self.service(name).type if self.find("SS", name) else ""}
        if question == "action_type":
            return {"type": self._action_type(arguments["action"])}
        kind = arguments["type"]
        if question in _SORTS:
            kind = f"{kind}_{_SORTS[question]}"
        self._types.refuse_unknown(kind, "Something in the robot's file")
        return {"typedefs": self._types.typedefs(kind)}

    def _action_type(self, action: str) -> str:
        """The type of an action, if its three services are there."""
        if not self.find("SS", f"{action}/_action/send_goal"):
            return ""
        for service in ("get_result", "cancel_goal"):
            self.service(f"{action}/_action/{service}")
        return self.service(f"{action}/_action/send_goal").type.removesuffix("_SendGoal")

    def _known(self, endpoint: Endpoint) -> Endpoint:
        """An endpoint whose definition is the one that is known here."""
        self._types.refuse_unknown(endpoint.type, endpoint.name)
        if endpoint.hash not in (NO_HASH, self._types.hash(endpoint.type)):
            raise DidNotWork(
                f"{endpoint.name} has another definition of {endpoint.type} at the robot than here; copy the robot's "
                "own into the folder that types names."
            )
        return endpoint


def type_on_the_wire(kind: str) -> str:
    """`std_msgs/msg/Bool` as it stands in keys."""
    package, sort, name = kind.split("/")
    return f"{package}::{sort}::dds_::{name}_"


def name_in_token(name: str) -> str:
    """A name without slashes."""
    return name.replace("/", "%")


def _read(token: str) -> Endpoint | None:
    parts = token.split("/")
    if len(parts) != _PARTS or parts[0] != SPACE:
        return None
    kind, node, name, wire, hashed, qos = (parts[5], *parts[8:])
    steps = wire.split("::")
    if len(steps) != 4 or steps[2] != "dds_" or not wire.endswith("_") or not token.isprintable():
        return None
    called = f"{steps[0]}/{steps[1]}/{steps[3][:-1]}"
    return Endpoint(kind, as_data(node, 60), name.replace("%", "/"), called, hashed, qos)
