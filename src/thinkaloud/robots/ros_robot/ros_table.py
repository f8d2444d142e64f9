"""The table [rosbridge] or [zenoh] of a robot's file: where it is, what carries out each skill, and how it is stopped.

    [rosbridge]
    url = "ws://127.0.0.1:9090"
    ros = 2                                      # or 1
    stop = "cancel"                              # or { topic = … }, { service = … }, with what they show

    [rosbridge.places]
    kitchen = [4.0, 1.0, 90]                     # x and y in metres, and where it faces, in degrees

    [rosbridge.skills.drive]
    action = "/navigate_to_pose"
    goal = { pose = { header = { frame_id = "map" }, pose = "{room.pose}" } }
    idle = { … }                                 # a goal of this action that does nothing for a while

    [rosbridge.relations]
    at = { topic = "/amcl_pose", field = "pose.pose.position", near = "{room}", within = 0.3 }

[zenoh] has the same keys, without `ros`: `url = "tcp/127.0.0.1:7447"`, and perhaps `domain` and `types`.

Only what is in this table is ever sent. Types are looked up at connecting, and everything is compared with them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thinkaloud.errors import DidNotWork
from thinkaloud.robots.connected.table_parts import (
    TESTS,
    Comparison,
    each_named,
    fill,
    read_comparison,
    read_path,
    read_seconds,
    refuse_strange_slots,
)
from thinkaloud.robots.text_file.field_readers import FilePosition
from thinkaloud.robots.text_file.robot import RobotFile
from thinkaloud.skills.signatures import Signature
from thinkaloud.untrusted.secrets import hide_credentials
from thinkaloud.worlds.scene_parser import read_scene_data

ROSBRIDGE, ZENOH = TABLES = ("rosbridge", "zenoh")
WITHIN = 0.3
"""Metres from a place that still count as being there."""
_TABLE = (
    *("url", "stop", "person_with_emergency_stop", "timeout", "places"),
    *("skills", "relations", "values"),
)
_ONLY = {ROSBRIDGE: ("ros",), ZENOH: ("domain", "types")}
_READING = ("topic", "service", "arguments", "field", "frame", "fresh")
_STOP = ("topic", "message", "service", "arguments", "shows", "release")
_RELEASE = ("topic", "message", "service", "arguments")
_SKILL = {
    "action": ("action", "goal", "idle", "feedback", "silence"),
    "service": ("service", "arguments"),
    "topic": ("topic", "message", "until", "every", "for"),
}
_ALWAYS = ("stop", "timeout")
_CANCEL = "cancel"
_NAME = re.compile(r"/?[A-Za-z_]\w*(/[A-Za-z_]\w*)*")
_URLS = {
    ROSBRIDGE: (re.compile(r"wss?://[^\s/]+\S*"), "ws://127.0.0.1:9090"),
    ZENOH: (re.compile(r"(tcp|tls|quic)/[^\s/]+:\d+"), "tcp/127.0.0.1:7447"),
}
_MOST_DOMAIN = 232


@dataclass(frozen=True)
class Send:
    """Something that is sent: a message on a topic, a call of a service, or a goal of an action."""

    way: str
    """`topic`, `service` or `action`."""
    name: str
    content: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """A place of the table: metres, and radians from the x axis."""

    x: float
    y: float
    yaw: float = 0.0

    def parts(self) -> dict[str, Any]:
        """What a message may take of it: `{room.x}`, `{room.pose}`."""
        turned = {"x": 0.0, "y": 0.0, "z": math.sin(self.yaw / 2), "w": math.cos(self.yaw / 2)}
        position = {"x": self.x, "y": self.y, "z": 0.0}
        pose = {"position": position, "orientation": turned}
        return {"x": self.x, "y": self.y, "yaw": self.yaw, "position": position, "orientation": turned, "pose": pose}


PLACE_PARTS = tuple(Place(0, 0).parts())


@dataclass(frozen=True)
class RosReading:
    """A part of the newest message on a topic, or of a service's answer; and how it is compared."""

    way: str
    name: str
    part: tuple[str, ...] = ()
    compared: Comparison = field(default_factory=Comparison)
    near: str = ""
    """A place, perhaps in braces: what is read has to be the position of something near it."""
    within: float = WITHIN
    frame: str = ""
    """The frame that the message has to be in."""
    fresh: float | None = None
    """Seconds after which a message is too old."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict, repr=False)

    def holds(self, found: object, given: Mapping[str, Any]) -> bool:
        """Whether what was read makes the relation true."""
        if not self.near:
            return self.compared.holds(found, given)
        place = self.places[fill(self.near, given)]
        return math.dist(_xy(found), (place.x, place.y)) <= self.within


@dataclass(frozen=True)
class RosStop:
    """How the robot is stopped: cancelling its goal, or by something that is sent, with what can be seen of it."""

    send: Send | None = None
    """None where the goal is cancelled."""
    shows: RosReading | None = None
    release: Send | None = None


CANCEL = RosStop()


@dataclass(frozen=True)
class RosSkill:
    """How a skill is carried out, and stopped."""

    send: Send
    stop: RosStop
    timeout: float
    idle: Mapping[str, Any] | None = None
    """A goal that does nothing for a while: cancelling it shows that a cancel is heard."""
    feedback: tuple[str, ...] = ()
    """The part of the feedback to tell if the skill fails."""
    silence: float | None = None
    """Seconds without feedback after which the robot is stopped."""
    until: RosReading | None = None
    every: float | None = None
    """Seconds between two messages, for a topic that has to be repeated."""
    lasts: float | None = None
    """Seconds for which it is repeated."""


@dataclass(frozen=True)
class RosTable:
    """The whole table."""

    url: str
    ros: int
    stop: RosStop
    person: bool
    """Whether a person stands beside the robot with an emergency stop."""
    places: Mapping[str, Place]
    skills: Mapping[str, RosSkill]
    relations: Mapping[str, RosReading]
    values: Mapping[str, RosReading]
    wire: str = ROSBRIDGE
    """What carries it: rosbridge, or Zenoh."""
    domain: int = 0
    """ROS 2's domain, for Zenoh."""
    types: Path | None = None
    """The folder with definitions of types, for Zenoh."""

    @property
    def where(self) -> str:
        """The address, for messages."""
        return hide_credentials(self.url)

    def stops(self) -> Iterator[RosStop]:
        """The different ways to stop, other than by cancelling."""
        found: list[RosStop] = []
        for skill in self.skills.values():
            if skill.stop.send is not None and skill.stop not in found:
                found.append(skill.stop)
        yield from found

    def readings(self) -> Iterator[RosReading]:
        """Everything that is ever read."""
        yield from (*self.relations.values(), *self.values.values())
        yield from (skill.until for skill in self.skills.values() if skill.until is not None)
        yield from (stop.shows for stop in self.stops() if stop.shows is not None)

    def filled(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a call, with the parts of places: `room`, `room.x`, `room.pose`."""
        found: dict[str, Any] = dict(given)
        for name, value in given.items():
            if (place := self.places.get(str(value))) is not None:
                found |= {f"{name}.{part}": each for part, each in place.parts().items()}
        return found


def read_ros_table(robot: RobotFile, text: str) -> RosTable | None:
    """The table of a robot's file, or None; raises BadScene with the place of the first problem."""
    data = read_scene_data(text, robot.source, "")
    named = [name for name in TABLES if name in data]
    if len(named) > 1:
        FilePosition(robot.source, text).at(named[1]).fail(f"write [{named[0]}] or [{named[1]}], not both")
    return _TableReader(robot, text, named[0]).read(data[named[0]]) if named else None


class _TableReader:
    def __init__(self, robot: RobotFile, text: str, wire: str) -> None:
        self._robot, self._wire = robot, wire
        self._place = FilePosition(robot.source, text).at(wire)
        self._places: dict[str, Place] = {}

    def read(self, data: Any) -> RosTable:
        here, robot = self._place, self._robot
        table = here.table(data, (*_ONLY[self._wire], *_TABLE))
        url = here.text_at(table, "url")
        pattern, example = _URLS[self._wire]
        if not pattern.fullmatch(url):
            here.at("url").fail(f"{url!r:.60} is not an address such as {example}")
        ros = table.get("ros", 2)
        if ros not in (1, 2) or isinstance(ros, bool):
            here.at("ros").fail(f"expected 1 or 2, not {ros!r:.60}")
        domain = table.get("domain", 0)
        if not isinstance(domain, int) or isinstance(domain, bool) or not 0 <= domain <= _MOST_DOMAIN:
            here.at("domain").fail(f"expected a number from 0 to {_MOST_DOMAIN}, not {domain!r:.60}")
        types = Path(robot.source).parent / here.at("types").text_of(table["types"]) if "types" in table else None
        self._places = self._read_places(here.at("places"), table.get("places", {}))
        person = here.at("person_with_emergency_stop").flag(table.get("person_with_emergency_stop", False))
        if "stop" not in table:
            here.fail(
                'how is the robot stopped? Write stop = "cancel" if cancelling a goal stops it, or '
                'stop = { topic = "…", message = {…}, shows = {…} }'
            )
        stop = self._stop(here.at("stop"), table["stop"], None)
        usual = read_seconds(here.at("timeout"), table.get("timeout", 60))
        skills = {
            name: self._skill(place, each, robot.skills[name].signature, stop, usual)
            for name, place, each in each_named(here.at("skills"), table.get("skills", {}), robot.skills)
        }
        if missing := [name for name in robot.skills if name not in skills]:
            here.at("skills").fail(f'nothing carries out {missing[0]!r}; write {missing[0]} = {{ action = "…" }}')
        if not person:
            self._refuse_unprovable(here.at("skills"), skills)
        relations = {
            name: self._reading(place, each, robot.relations[name].signature)
            for name, place, each in each_named(here.at("relations"), table.get("relations", {}), robot.relations)
        }
        values = {
            name: self._reading(place, each, robot.values[name], tests=False)
            for name, place, each in each_named(here.at("values"), table.get("values", {}), robot.values)
        }
        about = (self._wire, domain, types)
        return RosTable(url, ros, stop, person, self._places, skills, relations, values, *about)

    def _read_places(self, here: FilePosition, data: Any) -> dict[str, Place]:
        found = {}
        for thing, numbers in here.table(data).items():
            if thing not in self._robot.things:
                here.at(thing).fail(f"there is no {thing!r} under [kinds]")
            x, y, *faces = here.at(thing).numbers(numbers, (2, 3), "[4.0, 1.0], or [4.0, 1.0, 90] where it faces")
            found[thing] = Place(x, y, math.radians(faces[0]) if faces else 0.0)
        return found

    @staticmethod
    def _refuse_unprovable(here: FilePosition, skills: Mapping[str, RosSkill]) -> None:
        """Refuse stops that connecting could not prove."""
        beside = "or person_with_emergency_stop = true if somebody stands beside the robot with an emergency stop"
        idle = {skill.send.name for skill in skills.values() if skill.idle is not None}
        for name, skill in skills.items():
            if skill.stop.send is not None:
                if skill.stop.shows is None:
                    here.at(name).fail(f"what shows that the stop works? Write shows = {{ topic = … }} in it, {beside}")
            elif skill.send.way != "action":
                here.at(name).fail(f'only an action can be cancelled; write stop = {{ topic = "…" }} here, {beside}')
            elif skill.send.name not in idle:
                here.at(name).fail(
                    f"write idle = {{…}}, a goal of {skill.send.name} that does nothing for a while, so that "
                    f"cancelling can be tried; or a stop with what it shows; {beside}"
                )

    def _skill(self, here: FilePosition, data: Any, signature: Signature, stop: RosStop, usual: float) -> RosSkill:
        row = here.table(data, (*{key for keys in _SKILL.values() for key in keys}, *_ALWAYS))
        ways = [way for way in _SKILL if way in row]
        if len(ways) != 1:
            here.fail(f"write one of action, service and topic, not {' and '.join(ways) or 'none'}")
        here.table(row, (*_SKILL[ways[0]], *_ALWAYS))
        content = {"action": "goal", "service": "arguments", "topic": "message"}[ways[0]]
        skill = RosSkill(
            Send(ways[0], self._name(here, row, ways[0]), self._content(here, row, content, signature)),
            self._stop(here.at("stop"), row["stop"], signature) if "stop" in row else stop,
            read_seconds(here.at("timeout"), row.get("timeout", usual)),
            self._content(here, row, "idle", None) if "idle" in row else None,
            read_path(here, row, "feedback"),
            read_seconds(here.at("silence"), row["silence"]) if "silence" in row else None,
            self._reading(here.at("until"), row["until"], signature) if "until" in row else None,
            read_seconds(here.at("every"), row["every"]) if "every" in row else None,
            read_seconds(here.at("for"), row["for"]) if "for" in row else None,
        )
        if skill.until is not None and skill.until.way != "topic":
            here.at("until").fail("only a topic can be waited for")
        if skill.every is not None and skill.until is None and skill.lasts is None:
            here.fail('what is repeated has to end: write "for" with seconds, or "until"')
        return skill

    def _stop(self, here: FilePosition, data: Any, signature: Signature | None) -> RosStop:
        if data == _CANCEL:
            return CANCEL
        row = here.table(data, _STOP)
        shows = self._reading(here.at("shows"), row["shows"], signature) if "shows" in row else None
        if shows is not None and shows.way != "topic":
            here.at("shows").fail("a stop has to be shown on a topic")
        send = self._send(here, row)
        release = None
        if "release" in row:
            release = self._send(here.at("release"), here.at("release").table(row["release"], _RELEASE))
        return RosStop(send, shows, release)

    def _send(self, here: FilePosition, row: Mapping[str, Any]) -> Send:
        if ("topic" in row) == ("service" in row):
            here.fail('write either topic = "…" or service = "…"')
        way = "topic" if "topic" in row else "service"
        content = self._content(here, row, "message" if way == "topic" else "arguments", None)
        return Send(way, self._name(here, row, way), content)

    def _reading(self, here: FilePosition, data: Any, signature: Signature | None, *, tests: bool = True) -> RosReading:
        row = here.table(data, (*_READING, *((*TESTS, "near", "within") if tests else ())))
        if ("topic" in row) == ("service" in row):
            here.fail('write either topic = "…" or service = "…"')
        way = "topic" if "topic" in row else "service"
        near = here.at("near").text_of(row["near"]) if "near" in row else ""
        if near:
            refuse_strange_slots(here.at("near"), near, signature)
            if any(test in row for test in TESTS):
                here.fail("write near, or one of is, at_least and at_most")
            self._refuse_unplaced(here.at("near"), near, signature)
        return RosReading(
            way,
            self._name(here, row, way),
            read_path(here, row, "field"),
            read_comparison(here, row),
            near,
            read_seconds(here.at("within"), row.get("within", WITHIN)),
            here.at("frame").text_of(row["frame"]) if "frame" in row else "",
            read_seconds(here.at("fresh"), row["fresh"]) if "fresh" in row else None,
            self._content(here, row, "arguments", signature),
            self._places,
        )

    def _refuse_unplaced(self, here: FilePosition, near: str, signature: Signature | None) -> None:
        things = self._things(signature).get(near.strip("{}"), ()) if near.startswith("{") else (near,)
        if missing := [thing for thing in things if thing not in self._places]:
            here.fail(f"where is {missing[0]!r}? Write it under [{self._wire}.places]")

    def _things(self, signature: Signature | None) -> dict[str, tuple[str, ...]]:
        """The things that each parameter may be."""
        parameters = signature.parameters if signature is not None else ()
        return {p.name: tuple(p.options(self._robot.kinds) or ()) for p in parameters}

    def _name(self, here: FilePosition, row: Mapping[str, Any], key: str) -> str:
        name = here.text_at(row, key)
        if not _NAME.fullmatch(name):
            here.at(key).fail(f"{name!r:.60} is not a name in ROS, such as /cmd_vel")
        return name if name.startswith("/") else f"/{name}"

    def _content(
        self, here: FilePosition, row: Mapping[str, Any], key: str, signature: Signature | None
    ) -> dict[str, Any]:
        content = here.at(key).table(row.get(key, {}))
        things = self._things(signature)
        placed = [name for name, each in things.items() if each and {*each} <= {*self._places}]
        refuse_strange_slots(here.at(key), content, signature, dict.fromkeys(placed, PLACE_PARTS))
        return content


def _xy(found: object) -> tuple[float, float]:
    """The x and y of a position; DidNotWork where there is none."""
    at = (found.get("x"), found.get("y")) if isinstance(found, Mapping) else (None, None)
    x, y = at
    if isinstance(x, bool) or isinstance(y, bool) or not isinstance(x, int | float) or not isinstance(y, int | float):
        raise DidNotWork("The position has no x and y.")
    return float(x), float(y)
