"""Robots that people add on the page: text files only, checked before they are kept. Nothing in them is ever run."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from thinkaloud.errors import BadInput, BadParts, BadScene, UnknownName
from thinkaloud.robots import open_world
from thinkaloud.robots.abilities import Abilities, tell_abilities
from thinkaloud.robots.checking import check_robot
from thinkaloud.robots.connected import ELSEWHERE
from thinkaloud.robots.text_file.field_readers import FilePosition
from thinkaloud.robots.text_file.reading import parse_robot
from thinkaloud.untrusted.files import write_private

LONGEST = 200_000
"""Characters of a robot's file."""
MOST = 100
"""Robots that may be added."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_TABLES = ("skills", "relations", "values")


@dataclass(frozen=True, slots=True)
class RobotProblem:
    """Something to mend, and the line that it is in, if that is known."""

    text: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class RobotCheck:
    """What was found in a robot's file; and what the robot can do, if there is nothing to mend."""

    problems: tuple[RobotProblem, ...] = ()
    notes: tuple[str, ...] = ()
    abilities: Abilities | None = None


@dataclass(frozen=True, slots=True)
class AddedRobot:
    """A robot that was added: the name under which it is kept, and what its world is called."""

    name: str
    world: str


class AddedRobots:
    """The robots in a folder of this server."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.changes = 0
        """How often a robot was added, changed or removed."""

    def worlds(self) -> tuple[str, ...]:
        """Their files, by which they are opened as any other robot in a text file."""
        if not self._folder.is_dir():
            return ()
        return tuple(str(path) for path in sorted(self._folder.glob("*.toml")) if _NAME.fullmatch(path.stem))

    def names(self) -> tuple[str, ...]:
        """The names under which they were added."""
        return tuple(Path(path).stem for path in self.worlds())

    def read(self, name: str) -> str:
        """The file of a robot that was added; UnknownName where there is none."""
        return self._find(name).read_text(encoding="utf-8")

    def remove(self, name: str) -> None:
        """Offer a robot no longer; UnknownName where there is none."""
        self._find(name).unlink(missing_ok=True)
        self.changes += 1

    def _find(self, name: str) -> Path:
        if name not in self.names():
            raise UnknownName("robot", name, self.names())
        return self._folder / f"{name}.toml"

    def check(self, text: str) -> RobotCheck:
        """Everything that is wrong with a robot's file."""
        if len(text) > LONGEST:
            raise BadInput(f"The file has {len(text)} characters; at most {LONGEST} can be sent.")
        source = "robot"
        try:
            robot = parse_robot(text, source)
        except BadParts as error:
            return RobotCheck(tuple(_located(each, source) for each in error.faults))
        except BadScene as error:
            return RobotCheck((_located(str(error), source),))
        if robot.view is not None and robot.view.picture:
            line = FilePosition(source, text, ("view", "picture")).line()
            return RobotCheck((RobotProblem("A picture cannot be added here: leave it out of [view].", line),))
        for table in ELSEWHERE & {*tomllib.loads(text)}:  # it would connect to an address, or start a program
            line = FilePosition(source, text, (table,)).line()
            return RobotCheck((RobotProblem(f"A robot elsewhere cannot be added here: leave out [{table}].", line),))
        world = open_world("robot.toml", scene=text)
        found = check_robot(world)
        problems = tuple(RobotProblem(fault, _line_of(fault, text)) for fault in found.faults)
        return RobotCheck(problems, tuple(found.notes), None if problems else tell_abilities(world))

    def add(self, name: str, text: str) -> RobotCheck:
        """Keep a robot that has nothing to mend; its name may be that of one that was added before."""
        if not _NAME.fullmatch(name):
            raise BadInput("A robot's name has 1 to 40 small letters, digits, - or _: it is the name of its file.")
        found = self.check(text)
        if found.problems:
            return found
        path = self._folder / f"{name}.toml"
        if not path.exists() and len(self.worlds()) >= MOST:
            raise BadInput(f"{MOST} robots were added already. Remove one first.")
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(path, text)
        self.changes += 1
        return found


def _located(error: str, source: str) -> RobotProblem:
    """An error with its line apart."""
    found = re.match(rf"{source}:(\d+): ", error)
    if found is None:
        return RobotProblem(error.removeprefix(f"{source}: "))
    return RobotProblem(error[found.end() :], int(found[1]))


def _line_of(fault: str, text: str) -> int | None:
    """The line of the table that a fault is about: it begins with its name."""
    name = fault.partition(":")[0]
    places = (FilePosition("", text, (table, name)).line() for table in _TABLES if re.search(rf"\[{table}\.", text))
    return next((line for line in places if line), None) if name.isidentifier() else None
