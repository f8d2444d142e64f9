"""The connection to a robot by rosbridge or Zenoh: three links, so that nothing that is read or done holds up a stop.

`reading` has the topics and questions, `moving` the goals and calls, `stopping` the stops. A cancel goes over `moving`,
because rosbridge knows a goal only there, and over `stopping`, in case `moving` is held up.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from thinkaloud.errors import BadInput, DidNotWork
from thinkaloud.robots.connected.table_parts import fill, find_part
from thinkaloud.robots.ros_robot.goals import ACTION_TOPICS, Goal, GoalEnd, Goals, tell
from thinkaloud.robots.ros_robot.link import Link
from thinkaloud.robots.ros_robot.lookup import LookedUp, look_up
from thinkaloud.robots.ros_robot.ros_table import ROSBRIDGE, RosReading, RosStop, RosTable, Send
from thinkaloud.robots.ros_robot.ros_types import RosTypes
from thinkaloud.robots.ros_robot.zenoh_link import ZenohLink
from thinkaloud.untrusted.text import as_data

LINKS = ("stopping", "moving", "reading")
READING = 3.0
"""Seconds that an answer or a first message may take."""
SETTLING = 0.5
"""Seconds until a topic that was just announced reaches those who listen to it."""
AFTER_MOVING = 0.3
"""Seconds that a message newer than the last motion is waited for; a topic may be silent where nothing changes."""
_THROTTLE = 50


NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class ServiceAnswer:
    """What a service answered."""

    ok: bool
    values: object


@dataclass
class _Heard:
    """The newest message of each topic, and those who wait for one."""

    newest: dict[str, tuple[float, Mapping[str, Any]]] = field(default_factory=dict)
    changed: threading.Condition = field(default_factory=threading.Condition)


class RosConnection:
    """A connection that is made, and whose stops are proven, at the first use; and again after it was lost."""

    def __init__(self, table: RosTable, prove: Callable[[RosConnection], list[str]]) -> None:
        """`prove` sees that the robot can be stopped, or raises; it tells what people should know of that."""
        self.table, self._prove = table, prove
        self.goals = Goals(table.ros)
        self.notes: list[str] = []
        """What people should be told: that it was lost, or that a stop is not proven."""
        self.proven: dict[str, float] = {}
        """Seconds from each stop to what it showed, at connecting."""
        self.held: RosStop | None = None
        """The stop that holds the robot since it was last stopped from here, if it has to be released."""
        self._links: dict[str, Link | ZenohLink] = {}
        self._types: RosTypes | None = None
        self._calls: dict[str, Future[ServiceAnswer]] = {}
        self._heard = _Heard()
        self._known = LookedUp()
        self._proven_for: tuple[Link | ZenohLink, ...] = ()
        self._read_from = {reading.name for reading in table.readings() if reading.way == "topic"}
        self._lock = threading.RLock()

    def ensure(self) -> None:
        """Be connected, with stops that are proven; BadInput, in one line, where that cannot be."""
        with self._lock:
            if self.proven_now():
                return
            if why := self.lost():
                self.notes.append(f"The connection was lost ({why}) and was made again.")
                self.close()  # the other links will be lost in a moment, too
            try:
                opened = self._open()
                self._known = look_up(self.table, self._ask_rosapi)
                self._announce(opened)
                self.notes += self._prove(self)
            except BaseException as error:
                lost = self.lost()
                self.close()
                if lost:
                    raise BadInput(f"{self.table.where}: the connection was lost at once ({lost}).") from None
                if isinstance(error, DidNotWork):
                    raise BadInput(f"{self.table.where}: {error}") from None
                raise
            self._proven_for = tuple(self._links.values())

    def proven_now(self) -> bool:
        """Whether there is a connection, and it is the one whose stops were proven."""
        return self.lost() is None and self._proven_for == tuple(self._links.values())

    def lost(self) -> str | None:
        """Why there is no connection; None where there is one."""
        if not self._links:
            return ""
        return next((f"{name}: {link.lost}" for name, link in self._links.items() if link.lost), None)

    def reopen(self) -> None:
        """Connect again to stop the robot: nothing is looked up or proven."""
        with self._lock:
            self._announce(self._open())

    def close(self) -> None:
        """Let go of rosbridge."""
        links, self._links = self._links, {}
        for link in links.values():
            link.close()
        for link in links.values():
            link.join(2)

    # Reading ----------------------------------------------------------------------------------------------------------

    def tell(self, reading: RosReading, given: Mapping[str, Any], moved_at: float) -> object:
        """What a topic or a service tells, as a whole; DidNotWork where it does not tell."""
        if reading.way == "topic":
            return self.newest(reading, moved_at)
        answer = self.call(reading.name, fill(reading.arguments, given), over="reading")
        return self.wait(answer, reading.name, READING)

    def newest(self, reading: RosReading, moved_at: float = 0.0) -> Mapping[str, Any]:
        """The newest message on a topic, if possible one from after `moved_at`."""
        heard, name = self._heard, reading.name

        def since(when: float) -> bool:
            return name in heard.newest and heard.newest[name][0] > when

        with heard.changed:
            heard.changed.wait_for(lambda: since(0.0) or self.lost() is not None, READING)
            if (why := self.lost()) is not None:
                raise DidNotWork(f"The connection to {self.table.where} was lost ({why or 'it was closed'}).")
            if not since(0.0):
                raise DidNotWork(f"Nothing has come on {name} in {READING:g} s.")
            heard.changed.wait_for(lambda: since(moved_at), AFTER_MOVING)
            oldest = 0.0 if reading.fresh is None else time.monotonic() - reading.fresh
            if not heard.changed.wait_for(lambda: since(oldest), reading.fresh):
                raise DidNotWork(f"Nothing new has come on {name} in {reading.fresh:g} s.")
            message = heard.newest[name][1]
        if reading.frame:
            frame = find_part(message, ("header", "frame_id"))
            if str(frame).strip("/") != reading.frame.strip("/"):
                raise DidNotWork(f"{name} is in the frame {as_data(str(frame), 60)!r}, not {reading.frame!r}.")
        return message

    def shows(
        self,
        reading: RosReading,
        after: float,
        seconds: float,
        *,
        wanted: bool = True,
        given: Mapping[str, Any] = NOTHING,
    ) -> bool:
        """Whether, in so many seconds, a message from after a moment shows something, or no longer does."""
        heard, name = self._heard, reading.name

        def seen() -> bool:
            when, message = heard.newest.get(name, (0.0, {}))
            try:
                return when > after and reading.holds(find_part(message, reading.part), given) is wanted
            except DidNotWork:
                return False

        with heard.changed:
            return heard.changed.wait_for(seen, seconds)

    # Sending ----------------------------------------------------------------------------------------------------------

    def send(self, what: Send, given: Mapping[str, Any], *, over: str = "moving") -> Future[ServiceAnswer] | None:
        """Publish a message, or call a service; the answer comes later."""
        content = fill(what.content, given)
        if what.way == "service":
            return self.call(what.name, content, over=over)
        self._link(over).send({"op": "publish", "topic": what.name, "msg": content})
        return None

    def call(self, service: str, arguments: Mapping[str, Any], *, over: str) -> Future[ServiceAnswer]:
        """Call a service."""
        number, answer = uuid.uuid4().hex, Future[ServiceAnswer]()
        self._calls[number] = answer
        answer.add_done_callback(lambda _: self._calls.pop(number, None))
        self._link(over).send({"op": "call_service", "id": number, "service": service, "args": dict(arguments)})
        return answer

    def wait(self, answer: Future[ServiceAnswer], service: str, seconds: float) -> object:
        """What a service answered; DidNotWork where it failed, or has not answered."""
        try:
            found = answer.result(seconds)
        except TooLate:
            answer.cancel()
            raise DidNotWork(f"{service} has not answered in {seconds:g} s.") from None
        if not found.ok:
            raise DidNotWork(f"{service} failed: {tell(found.values)}")
        return found.values

    def begin_goal(self, action: str, content: Mapping[str, Any]) -> Goal:
        """Send a goal, once."""
        goal = self.goals.new(action)
        self._link("moving").send(self.goals.sending(goal, content, self._known.types.get(action, "")))
        return goal

    def cancel(self, goal: Goal) -> None:
        """Cancel a goal, over every link that is there."""
        sent = 0
        for name in ("stopping", "moving"):
            with suppress(DidNotWork):
                self._link(name).send(self.goals.cancelling(goal))
                sent += 1
        if not sent:
            raise DidNotWork(f"The connection to {self.table.where} was lost ({self.lost() or 'it was closed'}).")

    def _link(self, name: str) -> Link | ZenohLink:
        if name not in self._links:
            raise DidNotWork(f"The connection to {self.table.where} is lost.")
        return self._links[name]

    # Connecting -------------------------------------------------------------------------------------------------------

    def _open(self) -> tuple[str, ...]:
        """Open the links that are not there, or lost; their names."""
        opened = tuple(name for name in LINKS if name not in self._links or self._links[name].lost)
        if "reading" in opened:
            with self._heard.changed:
                self._heard.newest.clear()  # what was so before may be so no longer
        for name in opened:
            self._links[name] = self._link_to(name)
        return opened

    def _link_to(self, name: str) -> Link | ZenohLink:
        table = self.table
        if table.wire == ROSBRIDGE:
            return Link(table.url, name, self._hear, self._wake)
        self._types = self._types or RosTypes(table.types)
        return ZenohLink(table.url, name, self._hear, self._wake, domain=table.domain, types=self._types)

    def _wake(self) -> None:
        """Those who wait for a message wait in vain: a link has ended."""
        with self._heard.changed:
            self._heard.changed.notify_all()

    def _ask_rosapi(self, service: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if isinstance(link := self._link("reading"), ZenohLink):
            return link.graph.tell(service.rpartition("/")[2], arguments)
        values = self.wait(self.call(service, arguments, over="reading"), service, READING)
        return values if isinstance(values, Mapping) else {}

    def _announce(self, opened: Sequence[str]) -> None:
        """Over links that are new: subscribe to what is read, and announce what is published."""
        types, table = self._known.types, self.table
        sent = [
            (link, what) for stop in table.stops() for link, what in (("stopping", stop.send), ("moving", stop.release))
        ]
        sent += [("moving", skill.send) for skill in table.skills.values()]
        published = [(link, what.name) for link, what in sent if what is not None and what.way == "topic"]
        followed = [("reading", topic, _THROTTLE) for topic in sorted(self._read_from)]
        if table.ros == 1:
            for action in {skill.send.name for skill in table.skills.values() if skill.send.way == "action"}:
                published += [("moving", f"{action}/goal"), ("moving", f"{action}/cancel")]
                published += [("stopping", f"{action}/cancel")]
                followed += [("moving", f"{action}/{topic}", 0) for topic in ACTION_TOPICS]
        for link, topic, throttle in followed:
            if link in opened:
                about = {"topic": topic, "throttle_rate": throttle, "queue_length": 1 if throttle else 0}
                self._link(link).send({"op": "subscribe", **about, **_typed(types.get(topic, ""))})
        announced = [each for each in dict.fromkeys(published) if each[0] in opened]
        for link, topic in announced:
            self._link(link).send({"op": "advertise", "topic": topic, **_typed(types.get(topic, ""))})
        if announced:
            time.sleep(SETTLING)

    # in the threads of the links --------------------------------------------------------------------------------------

    def _hear(self, message: Mapping[str, Any]) -> None:
        """Take in a message; anything that is not as it should be is passed over."""
        match message:
            case {"op": "publish", "topic": str(topic), "msg": dict(content)}:
                if not self.goals.hear_topic(topic, content) and topic in self._read_from:
                    with self._heard.changed:
                        self._heard.newest[topic] = (time.monotonic(), content)
                        self._heard.changed.notify_all()
            case {"op": "service_response", "id": str(number)} if number in self._calls:
                answer = ServiceAnswer(message.get("result") is not False, message.get("values"))
                with _already_over():
                    self._calls[number].set_result(answer)
            case {"op": "action_feedback" | "action_result", "id": str(number)}:
                self.goals.hear(number, message)
            case {"op": "status", "level": "error", "id": str(number), "msg": text}:
                self.goals.end(number, GoalEnd("refused", tell(text)))


def _typed(kind: str) -> dict[str, str]:
    return {"type": kind} if kind else {}


@contextmanager
def _already_over() -> Iterator[None]:
    """Nobody waits any more."""
    with suppress(Exception):
        yield
