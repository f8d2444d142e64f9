"""Speaks rosbridge's protocol, as it is documented, over rospy: for tests and benchmarks, with Debian's Python.

    /usr/bin/python3 bridge.py            prints its address

The part of the protocol that a robot in a text file needs: topics, services, and what rosapi tells. Each client's
messages are handled one after the other, as rosbridge does it. It listens on loopback only.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import genpy
import rosgraph
import roslib.message
import rospy
import rosservice
import websockets


class Client:
    """One connection."""

    def __init__(self, socket: Any, loop: Any) -> None:
        self.socket, self.loop = socket, loop
        self.publishers: dict[str, Any] = {}
        self.subscribers: list[Any] = []

    def send(self, message: dict[str, Any]) -> None:
        """Send a message, from any thread."""
        text = json.dumps(message)
        self.loop.call_soon_threadsafe(lambda: asyncio.ensure_future(self._send(text)))

    async def _send(self, text: str) -> None:
        try:
            await self.socket.send(text)
        except websockets.ConnectionClosed:
            return

    def handle(self, message: dict[str, Any]) -> None:
        """Handle one message; what cannot be done is answered with a status."""
        handle = getattr(self, f"on_{message.get('op')}", None)
        if handle is None:
            self.complain(message, f"Unknown operation: {message.get('op')}")
            return
        try:
            handle(message)
        except Exception as error:
            self.complain(message, f"{type(error).__name__}: {error}")

    def complain(self, message: dict[str, Any], why: str) -> None:
        """Tell the client what was wrong."""
        self.send({"op": "status", "level": "error", "msg": why, "id": message.get("id")})

    def on_advertise(self, message: dict[str, Any]) -> None:
        """Announce what will be published."""
        kind = roslib.message.get_message_class(message.get("type") or topic_type(message["topic"]))
        if message["topic"] not in self.publishers:
            self.publishers[message["topic"]] = rospy.Publisher(message["topic"], kind, queue_size=100)

    def on_publish(self, message: dict[str, Any]) -> None:
        """Publish a message."""
        if message["topic"] not in self.publishers:
            self.on_advertise(message)
        publisher = self.publishers[message["topic"]]
        content = publisher.data_class()
        fill(content, message.get("msg", {}))
        publisher.publish(content)

    def on_subscribe(self, message: dict[str, Any]) -> None:
        """Pass on what is published on a topic."""
        topic = message["topic"]
        kind = roslib.message.get_message_class(message.get("type") or topic_type(topic))

        def hear(content: Any) -> None:
            self.send({"op": "publish", "topic": topic, "msg": to_json(content)})

        self.subscribers.append(rospy.Subscriber(topic, kind, hear))

    def on_call_service(self, message: dict[str, Any]) -> None:
        """Call a service, or answer in the place of rosapi."""
        name, args = message["service"], message.get("args") or {}
        answer = {"op": "service_response", "service": name, "id": message.get("id")}
        try:
            if name.startswith("/rosapi/"):
                values = ROSAPI[name.split("/")[-1]](*args.values())
            else:
                kind = rosservice.get_service_class_by_name(name)
                request = kind._request_class()
                fill(request, args)
                values = to_json(rospy.ServiceProxy(name, kind)(request))
        except Exception as error:
            self.send({**answer, "values": f"{type(error).__name__}: {error}", "result": False})
            return
        self.send({**answer, "values": values, "result": True})

    def close(self) -> None:
        """Let go of everything."""
        for each in (*self.publishers.values(), *self.subscribers):
            each.unregister()


def fill(content: Any, values: Any) -> None:
    """Fill a message; a header without a stamp is stamped now."""
    genpy.message.fill_message_args(content, [values])
    header = getattr(content, "header", None)
    if header is not None and not header.stamp:
        header.stamp = rospy.Time.now()


def to_json(content: Any) -> Any:
    """A message as JSON has it."""
    if isinstance(content, genpy.TVal):
        return {"secs": content.secs, "nsecs": content.nsecs}
    if isinstance(content, genpy.Message):
        return {name: to_json(getattr(content, name)) for name in content.__slots__}
    if isinstance(content, bytes):
        return list(content)
    return [to_json(each) for each in content] if isinstance(content, list | tuple) else content


# What rosapi tells ----------------------------------------------------------------------------------------------------


def topic_type(topic: str) -> str:
    """The type of a topic; empty if nobody knows it."""
    return str(dict(rosgraph.Master("/bridge").getTopicTypes()).get(topic, ""))


def nodes_of(topic: str, which: int) -> list[str]:
    """Who publishes a topic (0), or listens to it (1)."""
    state = rosgraph.Master("/bridge").getSystemState()[which]
    return [node for name, nodes in state if name == topic for node in nodes if node != rospy.get_name()]


def typedefs(kind: Any) -> list[dict[str, Any]]:
    """What is in messages of a type, and of the types in it."""
    found: list[dict[str, Any]] = []
    waiting = [kind]
    while waiting:
        each = waiting.pop(0)
        if each._type in [known["type"] for known in found]:
            continue
        plain = [slot.partition("[")[0] for slot in each._slot_types]
        types = ["std_msgs/Header" if name == "Header" else name for name in plain]
        several = [0 if "[" in slot else -1 for slot in each._slot_types]
        found.append({"type": each._type, "fieldnames": each.__slots__, "fieldtypes": types, "fieldarraylen": several})
        waiting += [roslib.message.get_message_class(name) for name in types if "/" in name]
    return found


ROSAPI: dict[str, Callable[..., dict[str, Any]]] = {
    "topic_type": lambda topic: {"type": topic_type(topic)},
    "service_type": lambda service: {"type": rosservice.get_service_type(service) or ""},
    "publishers": lambda topic: {"publishers": nodes_of(topic, 0)},
    "subscribers": lambda topic: {"subscribers": nodes_of(topic, 1)},
    "message_details": lambda kind: {"typedefs": typedefs(roslib.message.get_message_class(kind))},
    "service_request_details": lambda kind: {
        "typedefs": typedefs(roslib.message.get_service_class(kind)._request_class)
    },
    "service_response_details": lambda kind: {
        "typedefs": typedefs(roslib.message.get_service_class(kind)._response_class)
    },
}


async def attend(socket: Any) -> None:
    """Serve one client, one message after the other."""
    loop = asyncio.get_running_loop()
    client = Client(socket, loop)
    try:
        async for text in socket:
            await loop.run_in_executor(None, client.handle, json.loads(text))
    finally:
        threading.Thread(target=client.close, daemon=True).start()


async def main() -> None:
    """Serve until the process is ended."""
    rospy.init_node("bridge", anonymous=True, disable_signals=True, disable_rosout=True)
    async with websockets.serve(attend, "127.0.0.1", 0) as server:
        print(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)  # noqa: T201
        await asyncio.Future()


if __name__ == "__main__":
    asyncio.run(main())
