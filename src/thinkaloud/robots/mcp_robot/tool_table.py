"""The table [mcp] of a robot's file: where the server is, and which tool carries out what.

    [mcp]
    url = "http://127.0.0.1:8000/mcp"            # or command = ["ros-mcp", "--transport", "stdio"]
    token = "ROBOT_TOKEN"                        # the environment variable that has it
    stop = { tool = "halt" }                     # or "cancel", where cancelling a call stops the robot

    [mcp.skills]
    drive = { tool = "navigate", arguments = { to = "{room}" } }

    [mcp.relations]
    at = { tool = "where_is_it", answer = "room", is = "{room}" }

Only the tools in this table are ever called. What the server says about its tools is not read by any model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from thinkaloud.records import Value
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

_TABLE = ("url", "command", "token", "stop", "timeout", "skills", "relations", "values")
_CALL, _SKILL = ("tool", "arguments"), ("tool", "arguments", "stop", "timeout", "fails")
_CANCEL = "cancel"
_URL = re.compile(r"https?://[^\s/]+\S*")
_VARIABLE = re.compile(r"ROBOT_\w+")


@dataclass(frozen=True)
class ToolCall:
    """A tool with its arguments, in which `{room}` stands for the value of a parameter."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def filled(self, given: Mapping[str, Value]) -> dict[str, Any]:
        """The arguments for the values of a call."""
        found: dict[str, Any] = fill(self.arguments, given)
        return found


@dataclass(frozen=True)
class ToolSkill:
    """How a skill is carried out, and stopped; without a stop, cancelling the call stops it."""

    call: ToolCall
    stop: ToolCall | None
    timeout: float
    fails: tuple[str, ...] = ()
    """The part of an answer that, if it is there, says what went wrong: some servers report errors as answers."""


@dataclass(frozen=True)
class ToolReading:
    """What a tool tells: the part of its answer, and how it is compared; for a value, it is not."""

    call: ToolCall
    answer: tuple[str, ...] = ()
    compared: Comparison = field(default_factory=Comparison)

    def holds(self, found: object, given: Mapping[str, Value]) -> bool:
        """Whether what the tool told makes the relation true."""
        return self.compared.holds(found, given)


@dataclass(frozen=True)
class ToolTable:
    """The whole table."""

    url: str
    command: tuple[str, ...]
    token: str
    skills: Mapping[str, ToolSkill]
    relations: Mapping[str, ToolReading]
    values: Mapping[str, ToolReading]
    stop: ToolCall | None = None

    def calls(self) -> Iterator[ToolCall]:
        """All calls that may ever be made."""
        for skill in self.skills.values():
            yield skill.call
            if skill.stop is not None:
                yield skill.stop
        yield from (each.call for each in (*self.relations.values(), *self.values.values()))

    @property
    def where(self) -> str:
        """The server, for messages."""
        return hide_credentials(self.url) if self.url else " ".join(self.command)


def read_tool_table(robot: RobotFile, text: str) -> ToolTable | None:
    """The table of a robot's file, or None; raises BadScene with the place of the first problem."""
    data = read_scene_data(text, robot.source, "")
    if "mcp" not in data:
        return None
    here = FilePosition(robot.source, text).at("mcp")
    table = here.table(data["mcp"], _TABLE)
    url, command = table.get("url", ""), here.at("command").texts(table.get("command", []))
    if bool(url) == bool(command):
        here.fail('write either url = "http://…" or command = ["…"], for a server that is started')
    if url and (not isinstance(url, str) or not _URL.fullmatch(url)):
        here.at("url").fail(f"{url!r:.60} is not an address such as http://127.0.0.1:8000/mcp")
    token = here.at("token").text_of(table["token"]) if "token" in table else ""
    if token and not _VARIABLE.fullmatch(token):
        here.at("token").fail(
            "name the environment variable that has the token; it begins with ROBOT_, such as ROBOT_TOKEN, so that no "
            "file can send another secret"
        )
    if "stop" not in table:
        here.fail(
            'how is the robot stopped? Write stop = { tool = "…" }, or stop = "cancel" if cancelling a call stops it'
        )
    stop = _stop(here.at("stop"), table["stop"], None)
    usual = read_seconds(here.at("timeout"), table.get("timeout", 60))
    skills: dict[str, ToolSkill] = {}
    for name, place, each in each_named(here.at("skills"), table.get("skills", {}), robot.skills):
        signature, row = robot.skills[name].signature, place.table(each, _SKILL)
        own = _stop(place.at("stop"), row["stop"], signature) if "stop" in row else stop
        timeout = read_seconds(place.at("timeout"), row.get("timeout", usual))
        fails = read_path(place, row, "fails")
        skills[name] = ToolSkill(_call(place, row, signature), own, timeout, fails)
    if missing := [name for name in robot.skills if name not in skills]:
        here.at("skills").fail(f'{missing[0]!r} has no tool; write {missing[0]} = {{ tool = "…" }}')
    relations = {
        name: _reading(place, each, robot.relations[name].signature, tests=True)
        for name, place, each in each_named(here.at("relations"), table.get("relations", {}), robot.relations)
    }
    values = {
        name: _reading(place, each, robot.values[name], tests=False)
        for name, place, each in each_named(here.at("values"), table.get("values", {}), robot.values)
    }
    return ToolTable(url, tuple(command), token, skills, relations, values, stop)


def _stop(here: FilePosition, data: Any, skill: Signature | None) -> ToolCall | None:
    if data == _CANCEL:
        return None
    return _call(here, here.table(data, _CALL), skill)


def _call(here: FilePosition, row: Mapping[str, Any], signature: Signature | None) -> ToolCall:
    arguments = here.at("arguments").table(row.get("arguments", {}))
    refuse_strange_slots(here.at("arguments"), arguments, signature)
    return ToolCall(here.text_at(row, "tool"), arguments)


def _reading(here: FilePosition, data: Any, signature: Signature, *, tests: bool) -> ToolReading:
    row = here.table(data, (*_CALL, "answer", *(TESTS if tests else ())))
    return ToolReading(_call(here, row, signature), read_path(here, row, "answer"), read_comparison(here, row))
