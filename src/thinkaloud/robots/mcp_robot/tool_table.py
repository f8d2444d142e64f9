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

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from thinkaloud.records import Value
from thinkaloud.robots.text_file.field_readers import FilePosition
from thinkaloud.robots.text_file.robot import RobotFile
from thinkaloud.skills.signatures import Signature
from thinkaloud.untrusted.secrets import hide_credentials
from thinkaloud.worlds.scene_parser import read_scene_data

_TABLE = ("url", "command", "token", "stop", "timeout", "skills", "relations", "values")
_CALL, _SKILL = ("tool", "arguments"), ("tool", "arguments", "stop", "timeout", "fails")
_TEST = ("is", "at_least", "at_most")
_SLOT = re.compile(r"\{(\w+)\}")
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
        found: dict[str, Any] = _fill(self.arguments, given)
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
    test: str = ""
    wanted: Any = None

    def holds(self, found: object, given: Mapping[str, Value]) -> bool:
        """Whether what the tool told makes the relation true."""
        wanted = _fill(self.wanted, given)
        if self.test == "is":
            return _same(found, wanted)
        if self.test in ("at_least", "at_most"):
            if isinstance(found, bool) or not isinstance(found, int | float):
                return False
            return bool(found >= wanted if self.test == "at_least" else found <= wanted)
        return found is True


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
    usual = _seconds(here.at("timeout"), table.get("timeout", 60))
    skills: dict[str, ToolSkill] = {}
    for name, place, each in _named(here.at("skills"), table.get("skills", {}), robot.skills):
        signature, row = robot.skills[name].signature, place.table(each, _SKILL)
        own = _stop(place.at("stop"), row["stop"], signature) if "stop" in row else stop
        timeout = _seconds(place.at("timeout"), row.get("timeout", usual))
        fails = tuple(place.at("fails").text_of(row["fails"]).split(".")) if "fails" in row else ()
        skills[name] = ToolSkill(_call(place, row, signature), own, timeout, fails)
    if missing := [name for name in robot.skills if name not in skills]:
        here.at("skills").fail(f'{missing[0]!r} has no tool; write {missing[0]} = {{ tool = "…" }}')
    relations = {
        name: _reading(place, each, robot.relations[name].signature, tests=True)
        for name, place, each in _named(here.at("relations"), table.get("relations", {}), robot.relations)
    }
    values = {
        name: _reading(place, each, robot.values[name], tests=False)
        for name, place, each in _named(here.at("values"), table.get("values", {}), robot.values)
    }
    return ToolTable(url, tuple(command), token, skills, relations, values, stop)


def _named(here: FilePosition, data: Any, known: Mapping[str, Any]) -> Iterator[tuple[str, FilePosition, Any]]:
    for name, each in here.table(data, tuple(known)).items():
        yield name, here.at(name), each


def _stop(here: FilePosition, data: Any, skill: Signature | None) -> ToolCall | None:
    if data == _CANCEL:
        return None
    return _call(here, here.table(data, _CALL), skill)


def _call(here: FilePosition, row: Mapping[str, Any], signature: Signature | None) -> ToolCall:
    arguments = here.at("arguments").table(row.get("arguments", {}))
    known = [p.name for p in signature.parameters] if signature is not None else []
    for slot in _SLOT.findall(json.dumps(arguments, default=str)):
        if slot not in known:
            here.at("arguments").fail(f"there is no parameter {slot!r}; there is: {', '.join(known) or 'none'}")
    return ToolCall(here.text_at(row, "tool"), arguments)


def _reading(here: FilePosition, data: Any, signature: Signature, *, tests: bool) -> ToolReading:
    row = here.table(data, (*_CALL, "answer", *(_TEST if tests else ())))
    answer = here.at("answer").text_of(row["answer"]).split(".") if "answer" in row else []
    given = [test for test in _TEST if test in row]
    if len(given) > 1:
        here.fail(f"write one of {', '.join(_TEST)}, not {' and '.join(given)}")
    test = given[0] if given else ""
    wanted = row.get(test)
    if test in ("at_least", "at_most") and not isinstance(wanted, int | float):
        here.at(test).fail(f"expected a number, not {wanted!r:.60}")
    return ToolReading(_call(here, row, signature), tuple(answer), test, wanted)


def _seconds(here: FilePosition, data: Any) -> float:
    if isinstance(data, bool) or not isinstance(data, int | float) or not 0 < data <= 86_400:
        here.fail(f"expected a number of seconds above 0, at most 86400, not {data!r:.60}")
    return float(data)


def _fill(template: Any, given: Mapping[str, Value]) -> Any:
    """A template with values in place of `{name}`; one that is nothing else keeps its type."""
    if isinstance(template, Mapping):
        return {key: _fill(each, given) for key, each in template.items()}
    if isinstance(template, Sequence) and not isinstance(template, str):
        return [_fill(each, given) for each in template]
    if not isinstance(template, str):
        return template
    whole = _SLOT.fullmatch(template)
    if whole is not None and whole[1] in given:
        return given[whole[1]]
    return _SLOT.sub(lambda slot: str(given.get(slot[1], slot[0])), template)


def _same(found: object, wanted: object) -> bool:
    """Whether two values are the same; a number may come as a text, but true is not 1."""
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    return found == wanted or (isinstance(found, str | int | float) and str(found) == str(wanted))
