"""A robot elsewhere: described by a text file, carried out by what it is connected to.

What is true is read from the robot wherever the file says how. The rest is what the skills declare, as in any text
file: nothing checks that, so say how to read it if you can.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

from thinkaloud.clock import WallClock
from thinkaloud.errors import SkillError
from thinkaloud.records import Arguments, Condition, Observation, Value
from thinkaloud.robots.connected.table_parts import as_value
from thinkaloud.robots.text_file.facts import GroundFact
from thinkaloud.robots.text_file.robot import RobotFile, RobotSkill
from thinkaloud.robots.text_file.world import TextFileWorld

PERIOD = 0.02
"""Seconds between two control ticks while a skill works: a stop is heard that often."""
MOST_READINGS = 200
"""Questions that are asked at most to see what is so."""


class Reading(Protocol):
    """How a relation or a value is read."""

    def holds(self, found: object, given: Mapping[str, Any]) -> bool:
        """Whether what was read makes the relation true."""
        ...


_Reading = TypeVar("_Reading", bound=Reading)


class ConnectedRobot(TextFileWorld, Generic[_Reading]):
    """The world of such a robot. It connects when it is first looked at."""

    def __init__(self, robot: RobotFile, relations: Mapping[str, _Reading], values: Mapping[str, _Reading]) -> None:
        self._read_relations, self._read_values = relations, values
        super().__init__(robot)
        self.clock = WallClock()

    @abstractmethod
    def _connect(self) -> None:
        """Be connected, or raise BadInput with one line."""

    @abstractmethod
    def _ask(self, reading: _Reading, given: Mapping[str, Value], told: dict[str, object]) -> object:
        """What the robot tells; `told` is what it has told since the look began, so that it is asked once."""

    @abstractmethod
    async def _carry_out(self, skill: str, given: Arguments) -> str:
        """Have a skill carried out, tick by tick, and say what was reported. What ends it early stops the robot."""

    # What is so -------------------------------------------------------------------------------------------------------

    def observe(self) -> Observation:
        """What there is, and what is true of it, read from the robot."""
        self._read()
        return super().observe()

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true, really and now."""
        self._read()
        return super().holds(condition)

    def twin(self) -> TextFileWorld:
        """What the file says would happen, from here: to try plans in."""
        other = TextFileWorld(self.robot)
        other.restore(TextFileWorld.snapshot(self))
        return other

    def snapshot(self) -> bytes:
        """A real robot cannot be put back."""
        raise NotImplementedError

    def restore(self, snapshot: bytes) -> None:
        """A real robot cannot be put back."""
        raise NotImplementedError

    def _read(self) -> None:
        """Take what the robot tells in place of what was thought to be so."""
        self._connect()
        told: dict[str, object] = {}
        facts = {fact for fact in self._facts if fact[0] not in self._read_relations}
        for name, reading in self._read_relations.items():
            for given in self.robot.relations[name].signature.calls(self.robot.kinds):
                if reading.holds(self._ask_once(reading, given, told), given):
                    facts.add((name, tuple(given.values())))
        self._facts = frozenset(facts)
        values: dict[GroundFact, Value] = dict(self._values)
        for name, reading in self._read_values.items():
            for given in self.robot.values[name].calls(self.robot.kinds):
                found, key = as_value(self._ask_once(reading, given, told)), (name, tuple(given.values()))
                values.pop(key, None)  # what cannot be read any more is not known any more
                if found is not None:
                    values[key] = found
        self._values = values

    def _ask_once(self, reading: _Reading, given: Mapping[str, Value], told: dict[str, object]) -> object:
        if len(told) > MOST_READINGS:
            raise SkillError(f"More than {MOST_READINGS} calls would be needed to see what is so.")
        return self._ask(reading, given, told)

    # Acting -----------------------------------------------------------------------------------------------------------

    async def _do(self, described: RobotSkill, given: Arguments) -> str:
        arguments = described.signature.check(given, self._vocabulary)
        name = described.signature.name
        report = await self._carry_out(name, arguments)
        read = self._read_relations
        unread = [fact for fact in self._after(described, arguments, self._facts) if fact[0] not in read]
        self._facts = frozenset(unread) | {fact for fact in self._facts if fact[0] in read}
        self._values = self._changed = described.changes.after(arguments, self._values)
        self._calls.append((name, arguments))
        return report or "Done."
