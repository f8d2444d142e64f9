"""What ROS 2 messages have in them, from definitions: packing them, reading them, and the hash that names a definition.

    types = RosTypes(Path("interfaces"))       # PACKAGE/msg/NAME.msg, PACKAGE/srv/NAME.srv, PACKAGE/action/NAME.action
    types.unpack("std_msgs/msg/Bool", types.pack("std_msgs/msg/Bool", {"data": True}))

The messages of ROS 2's common packages are known, and `std_srvs`; every other definition comes from a folder.
Definitions are the user's own files; nothing that a robot sends is ever taken as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from thinkaloud.errors import BadInput, DidNotWork, MissingExtra, describe_fault

_SERVICES = {
    "action_msgs/srv/CancelGoal": "action_msgs/GoalInfo goal_info\n---\nint8 return_code\nGoalInfo[] goals_canceling\n",
    "std_srvs/srv/Empty": "---\n",
    "std_srvs/srv/SetBool": "bool data\n---\nbool success\nstring message\n",
    "std_srvs/srv/Trigger": "---\nbool success\nstring message\n",
}
"""Cancelling, and the services that robots use most; `rosbags` knows messages only."""
_EMPTY = "uint8 structure_needs_at_least_one_member\n"
"""What an empty message has in it on the wire."""
_BETWEEN = re.compile(r"^---\s*$", re.MULTILINE)
_IDENTIFIER = re.compile(r"[A-Za-z]\w*")
_LARGEST_FILE, _MOST_FILES = 100_000, 5000
_NUMPY = {"bool": "bool", "byte": "uint8", "char": "uint8", "octet": "uint8"}
_PARTS = {"msg": 1, "srv": 2, "action": 3}


class RosTypes:
    """The definitions that are known here."""

    def __init__(self, folder: Path | None = None) -> None:
        try:
            from rosbags.interfaces import Nodetype
            from rosbags.typesys import Stores, get_types_from_msg, get_typestore
        except ModuleNotFoundError as error:
            raise MissingExtra("A robot that speaks ROS 2 over Zenoh", "zenoh") from error
        self._store, self._parse, self._node = get_typestore(Stores.LATEST), get_types_from_msg, Nodetype
        self._store.fielddefs = {
            kind: (constants, [(name, self._as_in_ros2(each)) for name, each in columns])
            for kind, (constants, columns) in self._store.fielddefs.items()
        }
        found: dict[str, Any] = {}
        for kind, text in _SERVICES.items():
            self._define(kind, text, found)
        for kind, text in _definitions_in(folder) if folder is not None else ():
            try:
                self._define(kind, text, found)
            except Exception as error:  # its parser raises many kinds
                raise BadInput(f"{folder}: {kind} cannot be read: {describe_fault(error)}") from error
        for kind in found:
            self._store.fielddefs.pop(kind, None)  # a definition in the folder counts
        self._store.register(found)

    def refuse_unknown(self, kind: str, what: str) -> None:
        """Raise DidNotWork, in one line, where a type, or one in it, is not known here."""
        for each in self._inside(kind):
            if each not in self._store.fielddefs:
                package, sort, name = ([*each.split("/"), "", ""])[:3]
                raise DidNotWork(
                    f"{what} is of the type {kind}, and {each} is not known here. Copy {package}/{sort}/"
                    f"{name.partition('_')[0]}.{sort} from the robot into the folder that types names."
                )

    def hash(self, kind: str) -> str:
        """The hash by which ROS 2 tells definitions of one name apart."""
        return str(self._store.hash_rihs01(kind))

    def pack(self, kind: str, content: Mapping[str, Any]) -> bytes:
        """A message as it is sent; what the content leaves out is zero or empty. DidNotWork where it does not fit."""
        try:
            return bytes(self._store.serialize_cdr(self._made(kind, content), kind))
        except Exception as error:  # numbers out of range, texts that are none: its packer raises many kinds
            raise DidNotWork(f"This cannot be sent as {kind}: {describe_fault(error)}") from error

    def unpack(self, kind: str, data: bytes) -> dict[str, Any]:
        """What was received; DidNotWork where it is no such message."""
        try:
            return self._plain(kind, self._store.deserialize_cdr(data, kind))
        except Exception as error:  # anything may come
            raise DidNotWork(f"What came is no {kind}.") from error

    def typedefs(self, kind: str) -> list[dict[str, Any]]:
        """A type and those in it, as rosapi tells them."""
        return [self._typedef(each) for each in self._inside(kind)]

    # Definitions ------------------------------------------------------------------------------------------------------

    def _define(self, kind: str, text: str, found: dict[str, Any]) -> None:
        """A message, a service with its parts, or an action with its services."""
        sort, parts = kind.split("/")[1], _BETWEEN.split(text)
        if len(parts) != _PARTS[sort]:
            raise ValueError(f"it has {len(parts)} parts, not {_PARTS[sort]}")
        if sort == "msg":
            self._message(kind, parts[0], found)
        elif sort == "srv":
            self._message(f"{kind}_Request", parts[0], found)
            self._message(f"{kind}_Response", parts[1], found)
            self._service(kind, found)
        else:
            for part, each in zip(("Goal", "Result", "Feedback"), parts, strict=True):
                self._message(f"{kind}_{part}", each, found)
            number, named = ("goal_id", self._named("unique_identifier_msgs/msg/UUID")), self._named
            found[f"{kind}_SendGoal_Request"] = [], [number, ("goal", named(f"{kind}_Goal"))]
            self._message(f"{kind}_SendGoal_Response", "bool accepted\nbuiltin_interfaces/Time stamp\n", found)
            found[f"{kind}_GetResult_Request"] = [], [number]
            status = ("status", (self._node.BASE, ("int8", 0)))
            found[f"{kind}_GetResult_Response"] = [], [status, ("result", named(f"{kind}_Result"))]
            found[f"{kind}_FeedbackMessage"] = [], [number, ("feedback", named(f"{kind}_Feedback"))]
            self._service(f"{kind}_SendGoal", found)
            self._service(f"{kind}_GetResult", found)

    def _message(self, kind: str, text: str, found: dict[str, Any]) -> None:
        package, _, name = kind.split("/")
        read = self._parse(text, f"{package}/msg/{name}")  # as a message: names without a package are its messages
        constants, columns = read[f"{package}/msg/{name}"]
        if not columns:
            columns = self._parse(_EMPTY, "a/msg/A")["a/msg/A"][1]
        found[kind] = constants, [(each, self._as_in_ros2(described)) for each, described in columns]

    def _as_in_ros2(self, described: Any) -> Any:
        """A field with `uint8` for `char`, as ROS 2 describes it; otherwise its hash would be another."""
        node, rest = described
        if node == self._node.BASE:
            return node, ("uint8", 0) if rest[0] == "char" else rest
        return (node, rest) if node == self._node.NAME else (node, (self._as_in_ros2(rest[0]), rest[1]))

    def _service(self, kind: str, found: dict[str, Any]) -> None:
        """A service as a type of its own: it is never sent, and its hash names the service."""
        once = self._node.SEQUENCE

        def at_most_one(part: str) -> Any:
            return once, (self._named(f"{kind}_{part}"), 1)

        event = [("info", self._named("service_msgs/msg/ServiceEventInfo"))]
        event += [("request", at_most_one("Request")), ("response", at_most_one("Response"))]
        found[f"{kind}_Event"] = [], event
        messages = ("Request", "Response", "Event")
        found[kind] = [], [(f"{part.lower()}_message", self._named(f"{kind}_{part}")) for part in messages]

    def _named(self, kind: str) -> Any:
        return self._node.NAME, kind

    # Messages ---------------------------------------------------------------------------------------------------------

    def _columns(self, kind: str) -> list[tuple[str, Any]]:
        return list(self._store.fielddefs[kind][1])

    def _inside(self, kind: str) -> list[str]:
        """A type, and all types in it."""
        found = [kind]
        for each in found:
            for _, (node, rest) in self._columns(each) if each in self._store.fielddefs else ():
                node, rest = rest[0] if node in (self._node.ARRAY, self._node.SEQUENCE) else (node, rest)
                if node == self._node.NAME and rest not in found:
                    found.append(rest)
        return found

    def _typedef(self, kind: str) -> dict[str, Any]:
        rows = []
        for name, (node, rest) in self._columns(kind):
            length = {self._node.ARRAY: rest[1], self._node.SEQUENCE: 0}.get(node, -1)
            node, rest = rest[0] if length >= 0 else (node, rest)
            rows.append((name, rest if node == self._node.NAME else rest[0], length))
        names, kinds, lengths = ([row[column] for row in rows] for column in range(3))
        return {"type": kind, "fieldnames": names, "fieldtypes": kinds, "fieldarraylen": lengths}

    def _made(self, kind: str, content: Mapping[str, Any]) -> Any:
        columns = self._columns(kind)
        if strange := {*content} - {name for name, _ in columns}:
            raise ValueError(f"there is no field {strange.pop()!r}")
        return self._store.types[kind](*(self._value(each, content.get(name)) for name, each in columns))

    def _value(self, described: Any, value: Any) -> Any:
        import numpy

        node, rest = described
        if node == self._node.NAME:
            return self._made(rest, value or {})
        if node == self._node.BASE:
            kind = rest[0]
            if kind.endswith("string"):
                return str(value or "")
            return float(value or 0.0) if kind.startswith("float") else bool(value) if kind == "bool" else value or 0
        one, length = rest
        values = list(value) if value is not None else [None] * (length if node == self._node.ARRAY else 0)
        made = [self._value(one, each) for each in values]
        if one[0] == self._node.NAME or one[1][0].endswith("string"):
            return made
        return numpy.array(made, dtype=_NUMPY.get(one[1][0], one[1][0]))

    def _plain(self, kind: str, message: Any) -> dict[str, Any]:
        values = (getattr(message, each.name) for each in fields(message) if each.name != "__msgtype__")
        return {name: self._told(each, value) for (name, each), value in zip(self._columns(kind), values, strict=True)}

    def _told(self, described: Any, value: Any) -> Any:
        node, rest = described
        if node == self._node.NAME:
            return self._plain(rest, value)
        if node == self._node.BASE:
            return value
        if rest[0][0] == self._node.NAME:
            return [self._plain(rest[0][1], each) for each in value]
        return value.tolist() if hasattr(value, "tolist") else list(value)


def _definitions_in(folder: Path) -> Iterator[tuple[str, str]]:
    """The definitions in a folder, by their names."""
    if not folder.is_dir():
        raise BadInput(f"There is no folder {folder} with the types of the robot.")
    files = sorted(each for sort in _PARTS for each in folder.glob(f"*/{sort}/*.{sort}"))
    for file in files[:_MOST_FILES]:
        kind = (file.parts[-3], file.parts[-2], file.stem)
        if not all(_IDENTIFIER.fullmatch(part) for part in kind) or file.stat().st_size > _LARGEST_FILE:
            raise BadInput(f"{file} is no definition of ROS 2.")
        yield "/".join(kind), file.read_text(encoding="utf-8")
