"""One connection to a robot that speaks ROS 2 over Zenoh (`rmw_zenoh`), with the contract of a link to rosbridge.

It takes the messages that rosbridge takes and hands on those that rosbridge sends, so that everything else is one thing
for both: what is looked up, how goals are followed, how a stop is proven. No ROS and no rosbridge are needed, only the
router that the robot has anyway. An action is three services and a topic.
"""

from __future__ import annotations

import itertools
import json
import queue
import secrets
import struct
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from thinkaloud.errors import BadInput, DidNotWork, MissingExtra
from thinkaloud.robots.ros_robot.link import LARGEST_MESSAGE
from thinkaloud.robots.ros_robot.ros_types import RosTypes
from thinkaloud.robots.ros_robot.zenoh_graph import SPACE, Endpoint, Graph, name_in_token, type_on_the_wire
from thinkaloud.untrusted.text import as_data

CONNECTING = 3.0
"""Seconds that the router has to be connected to."""
_ANNOUNCING = 1.0
"""Seconds in which the router tells what there is."""
_DAY = 86_400.0
_MOST_UNSENT = 1000
_QOS = "::,10:,:,:,,"
_LONGEST_REPORT = 200
_UNDECODED = "what came from {name} cannot be read"


@dataclass
class _Goals:
    """The goals that were sent over this link, and the actions whose feedback is heard."""

    under_way: set[str] = field(default_factory=set)
    followed: set[str] = field(default_factory=set)


class ZenohLink:
    """A connection that hands every message it receives to `hear`, in its own thread."""

    def __init__(
        self,
        url: str,
        name: str,
        hear: Callable[[Mapping[str, Any]], None],
        ended: Callable[[], None],
        *,
        domain: int,
        types: RosTypes,
    ) -> None:
        """Connect; BadInput, in one line, where that cannot be done. `ended` is called when the connection is over."""
        try:
            import zenoh
        except ModuleNotFoundError as error:
            raise MissingExtra("A robot that speaks ROS 2 over Zenoh", "zenoh") from error
        self._zenoh, self._url, self._hear, self._ended = zenoh, url, hear, ended
        self._domain, self._types = domain, types
        self.graph = Graph(url, types)
        self.lost = ""
        """Why the connection is over; empty as long as it is not."""
        self._work: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._newest: dict[str, tuple[str, bytes]] = {}
        self._noting = threading.Lock()
        self._goals, self._kept = _Goals(), dict[str, Any]()
        self._number, self._ids, self._gid = itertools.count(1), itertools.count(1), secrets.token_bytes(16)
        self._node = f"thinkaloud_{name}_{secrets.token_hex(4)}"
        try:
            self._session = zenoh.open(_configuration(zenoh, url))
        except zenoh.ZError as error:
            why = as_data(str(error).partition(" at /")[0], _LONGEST_REPORT).rstrip(".")
            raise BadInput(f"{url} cannot be used as a router of Zenoh: {why}.") from None
        self._thread = threading.Thread(target=self._live, name=f"zenoh {name}", daemon=True)
        try:
            self._listen_to_graph()
        except BaseException:
            self._session.close()
            raise
        self._thread.start()

    @property
    def where(self) -> str:
        """The address, for messages."""
        return self._url

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message, without waiting until it is on its way; DidNotWork where the connection is lost."""
        if self._work.qsize() >= _MOST_UNSENT:
            self._lose("it takes nothing in any more")
        if self.lost:
            raise DidNotWork(f"The connection to {self.where} was lost ({self.lost}).")
        self._work.put(lambda: self._handle(json.loads(json.dumps(message))))

    def close(self) -> None:
        """End the connection."""
        self._lose("it was closed")

    def join(self, seconds: float) -> None:
        """Wait until its thread has ended."""
        if self._thread is not threading.current_thread():
            self._thread.join(seconds)

    # in the threads of Zenoh: only noted, so that nothing there is held up --------------------------------------------

    def _lose(self, why: str) -> None:
        if not self.lost:
            self.lost = why
            self._work.put(None)

    def _listen_to_graph(self) -> None:
        session, kinds = self._session, self._zenoh.SampleKind

        def came(sample: Any) -> None:
            self.graph.hear(str(sample.key_expr), there=sample.kind == kinds.PUT)

        def lost(event: Any) -> None:
            if event.kind == kinds.DELETE:
                self._lose("its router has gone")

        self._kept["lost"] = session.info.declare_transport_events_listener(lost)
        if not [*session.info.routers_zid(), *session.info.peers_zid()]:
            raise BadInput(f"{self._url} cannot be used as a router of Zenoh: it has gone at once.")
        everything = f"{SPACE}/{self._domain}/**"
        self._kept["graph"] = session.liveliness().declare_subscriber(everything, came)
        for reply in session.liveliness().get(everything, timeout=_ANNOUNCING):
            if reply.ok is not None:
                self.graph.hear(str(reply.ok.key_expr), there=True)
        self._announce("NN", self._node)

    def _hear_sample(self, topic: str, kind: str, sample: Any) -> None:
        """Keep the newest message of a topic: one that is overtaken before it was read is never read."""
        if (data := self._content(topic, sample)) is None:
            return
        with self._noting:
            waiting = topic in self._newest
            self._newest[topic] = kind, data
        if not waiting:
            self._work.put(lambda: self._tell_newest(topic))

    def _content(self, name: str, sample: Any) -> bytes | None:
        if len(sample.payload) > LARGEST_MESSAGE:
            self._lose(f"a message of more than {LARGEST_MESSAGE // 1000:,} KB came on {name}")
            return None
        return bytes(sample.payload.to_bytes())

    # in its own thread ------------------------------------------------------------------------------------------------

    def _live(self) -> None:
        while (work := self._work.get()) is not None and not self.lost:
            try:
                work()
            except Exception as error:  # of the network, or of what came
                self._lose(as_data(f"{type(error).__name__}: {error}", _LONGEST_REPORT))
        with suppress(Exception):
            self._session.close()
        self._ended()

    def _handle(self, message: dict[str, Any]) -> None:
        match message:
            case {"op": "subscribe", "topic": topic}:
                self._subscribe(topic)
            case {"op": "advertise", "topic": topic}:
                self._publisher(topic)
            case {"op": "publish", "topic": topic, "msg": content}:
                self._publish(topic, content)
            case {"op": "call_service", "id": number, "service": service, "args": arguments}:
                self._call_service(number, service, arguments)
            case {"op": "send_action_goal", "id": number, "action": action, "args": goal}:
                self._send_goal(number, action, goal)
            case {"op": "cancel_action_goal", "id": number, "action": action}:
                self._cancel(number, action)

    def _tell_newest(self, topic: str) -> None:
        with self._noting:
            kind, data = self._newest.pop(topic)
        with suppress(DidNotWork):  # what cannot be read was never told
            self._hear({"op": "publish", "topic": topic, "msg": self._types.unpack(kind, data)})

    # Topics -----------------------------------------------------------------------------------------------------------

    def _key(self, endpoint: Endpoint) -> str:
        return f"{self._domain}/{endpoint.name.strip('/')}/{type_on_the_wire(endpoint.type)}/{endpoint.hash}"

    def _announce(self, kind: str, name: str, endpoint: Endpoint | None = None) -> None:
        """Tell the others that this is here, as nodes of ROS 2 do."""
        number = 0 if endpoint is None else next(self._ids)
        about = "/".join(
            (SPACE, str(self._domain), str(self._session.zid()), "0", str(number), kind, "%", "%", self._node)
        )
        if endpoint is not None:
            about += f"/{name_in_token(name)}/{type_on_the_wire(endpoint.type)}/{endpoint.hash}/{_QOS}"
        self._kept[f"{kind} {name}"] = self._session.liveliness().declare_token(about)

    def _subscribe(self, topic: str) -> None:
        if (endpoint := self.graph.topic(topic)) is None:
            return
        key, kind = self._key(endpoint), endpoint.type

        def came(sample: Any) -> None:
            self._hear_sample(topic, kind, sample)

        if any(each.lasting for each in self.graph.find("MP", topic)):
            from zenoh import ext

            history = ext.HistoryConfig(detect_late_publishers=True, max_samples=1)
            self._kept[topic] = ext.declare_advanced_subscriber(self._session, key, came, history=history)
        else:
            self._kept[topic] = self._session.declare_subscriber(key, came)
        self._announce("MS", topic, endpoint)

    def _publisher(self, topic: str) -> tuple[Any, str]:
        if topic not in self._kept:
            if (endpoint := self.graph.topic(topic)) is None:
                raise DidNotWork(f"there is no {topic} any more")
            self._kept[topic] = self._session.declare_publisher(self._key(endpoint)), endpoint.type
            self._announce("MP", topic, endpoint)
        publisher: tuple[Any, str] = self._kept[topic]
        return publisher

    def _publish(self, topic: str, content: Mapping[str, Any]) -> None:
        publisher, kind = self._publisher(topic)
        publisher.put(self._types.pack(kind, content), encoding=_CDR, attachment=self._stamp())

    def _stamp(self) -> bytes:
        """What goes with each message: its number, when it was sent, and from whom."""
        return struct.pack("<qqB", next(self._number), time.time_ns(), len(self._gid)) + self._gid

    # Services ---------------------------------------------------------------------------------------------------------

    def _ask(
        self,
        service: str,
        content: Mapping[str, Any],
        answered: Callable[[dict[str, Any]], None],
        failed: Callable[[str], None],
    ) -> None:
        """Ask a service, once. `failed` hears why nothing can be said of what it did, or that it was not asked."""
        endpoint = self.graph.service(service)
        kind, over = endpoint.type, [False]

        def replied(reply: Any) -> None:
            if over[0]:
                return
            over[0] = True
            if reply.ok is None:
                told = reply.err.payload.to_bytes()[:_LONGEST_REPORT].decode("utf-8", "replace")
                self._work.put(lambda: failed(as_data(told, _LONGEST_REPORT)))
            elif (data := self._content(service, reply.ok)) is not None:
                self._work.put(lambda: self._read_answer(service, kind, data, answered, failed))

        def dropped() -> None:
            if not over[0]:
                self._work.put(lambda: failed(f"nothing answers for {service} any more"))

        zenoh = self._zenoh
        self._session.get(
            self._key(endpoint),
            zenoh.handlers.Callback(replied, dropped),
            target=zenoh.QueryTarget.ALL_COMPLETE,
            consolidation=zenoh.ConsolidationMode.NONE,
            timeout=_DAY,
            payload=self._types.pack(f"{kind}_Request", content),
            encoding=_CDR,
            attachment=self._stamp(),
        )

    def _read_answer(
        self,
        service: str,
        kind: str,
        data: bytes,
        answered: Callable[[dict[str, Any]], None],
        failed: Callable[[str], None],
    ) -> None:
        try:
            values = self._types.unpack(f"{kind}_Response", data)
        except DidNotWork:
            failed(_UNDECODED.format(name=service))
        else:
            answered(values)

    def _call_service(self, number: str, service: str, arguments: Mapping[str, Any]) -> None:
        about = {"op": "service_response", "id": number, "service": service}

        def failed(why: str) -> None:
            self._hear(about | {"result": False, "values": why})

        try:
            self._ask(service, arguments, lambda values: self._hear(about | {"result": True, "values": values}), failed)
        except DidNotWork as error:
            failed(str(error))

    # Actions ----------------------------------------------------------------------------------------------------------

    def _send_goal(self, number: str, action: str, goal: Mapping[str, Any]) -> None:
        """Send a goal, then wait for its result. If nobody can say what became of it, the connection counts as lost."""
        about = {"op": "action_result", "id": number, "action": action}
        named = {"goal_id": {"uuid": [*bytes.fromhex(number)]}}

        def ended(values: dict[str, Any]) -> None:
            self._goals.under_way.discard(number)
            self._hear(about | {"status": values["status"], "values": values["result"], "result": True})

        def taken(values: dict[str, Any]) -> None:
            if values["accepted"]:
                self._ask(f"{action}/_action/get_result", named, ended, self._lose)
            else:
                refused("The goal was refused.")

        def refused(why: str) -> None:
            self._goals.under_way.discard(number)
            self._hear(about | {"result": False, "values": why})

        try:
            self._follow_feedback(action)
            self._goals.under_way.add(number)
            self._ask(f"{action}/_action/send_goal", {**named, "goal": goal}, taken, self._lose)
        except DidNotWork as error:
            refused(str(error))

    def _follow_feedback(self, action: str) -> None:
        if action in self._goals.followed:
            return
        topic = f"{action}/_action/feedback"
        if (endpoint := self.graph.topic(topic)) is None:
            return
        kind = endpoint.type

        def came(sample: Any) -> None:
            if self._goals.under_way and (data := self._content(topic, sample)) is not None:
                self._work.put(lambda: self._tell_feedback(action, kind, data))

        self._kept[topic] = self._session.declare_subscriber(self._key(endpoint), came)
        self._announce("MS", topic, endpoint)
        self._goals.followed.add(action)

    def _tell_feedback(self, action: str, kind: str, data: bytes) -> None:
        with suppress(DidNotWork):
            told = self._types.unpack(kind, data)
            number = bytes(told["goal_id"]["uuid"]).hex()
            if number in self._goals.under_way:
                about = {"op": "action_feedback", "id": number, "action": action}
                self._hear(about | {"values": told["feedback"]})

    def _cancel(self, number: str, action: str) -> None:
        """Cancel a goal. That it was heard proves nothing: only the goal's own end does."""
        named = {"goal_info": {"goal_id": {"uuid": [*bytes.fromhex(number)]}}}
        with suppress(DidNotWork):  # nobody there to be asked: the goal does not end, and that is told
            self._ask(f"{action}/_action/cancel_goal", named, lambda _: None, lambda _: None)


_CDR = "application/cdr"


def _configuration(zenoh: Any, url: str) -> Any:
    """Connect to this router only: nothing is looked for, and nothing listens."""
    settings = {
        "mode": "client",
        "connect/endpoints": [url],
        "connect/timeout_ms": int(CONNECTING * 1000),
        "connect/exit_on_failure": True,
        "listen/endpoints": [],
        "scouting/multicast/enabled": False,
        "scouting/gossip/enabled": False,
        "transport/link/rx/max_message_size": 2 * LARGEST_MESSAGE,
    }
    made = zenoh.Config()
    for key, value in settings.items():
        made.insert_json5(key, json.dumps(value))
    return made
