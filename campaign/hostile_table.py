"""A small table in words alone, on which a thing may be called anything and a move may report anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

import msgspec

from thinkaloud.clock import Clock, ManualClock
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Condition, Observation
from thinkaloud.skills import Kind, Relation, Skill, relation, relations_of, skill, skills_of

BLOCKS, BOWLS = ("red block", "green block"), ("red bowl", "blue bowl")
HARMLESS = "yellow block"
_Thing = Annotated[str, Kind("object")]
_Place = Annotated[str, Kind("target")]


class Table:
    """Blocks and bowls in words alone. `report` is the report of the first move, which has no effect if it `fails`."""

    name = "table"

    def __init__(self, third: str = HARMLESS, report: str = "", *, fails: bool = False, asks: bool = False) -> None:
        self.clock: Clock = ManualClock()
        self._third, self._report, self._fails = third, report, fails
        self.relations: Mapping[str, Relation] = relations_of(self)
        own = skills_of(self)
        self.skills: Mapping[str, Skill] = {name: replace(each, approval=asks) for name, each in own.items()}
        self.where: dict[str, str] = {}
        self.moved: list[tuple[str, str]] = []

    def reset(self, seed: int) -> None:
        """Begin with nothing moved; every seed is the same."""
        self.where, self.moved = {}, []

    def observe(self) -> Observation:
        """Three blocks, one of them with the test's name, and two bowls."""
        blocks = (*BLOCKS, self._third)
        return Observation((*blocks, *BOWLS), {"object": blocks, "target": (*BOWLS, *blocks)})

    def holds(self, condition: Condition) -> bool:
        """Whether a thing lies there."""
        if condition.relation not in self.relations:
            raise UnknownName("relation", condition.relation, self.relations)
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        """Where everything lies."""
        return msgspec.json.encode(self.where)

    def restore(self, snapshot: bytes) -> None:
        """Put everything back there."""
        self.where = msgspec.json.decode(snapshot, type=dict[str, str])

    def twin(self) -> Table:
        """The same table, on which nothing goes wrong."""
        other = Table(self._third)
        other.restore(self.snapshot())
        return other

    @relation("{object} is on the {target}.", distinct=("object", "target"))
    def on(self, object: _Thing, target: _Place) -> bool:
        """Whether a thing lies on another."""
        return self.where.get(object) == target

    @skill(
        "Pick the {object} and place it on the {target}.",
        distinct=("object", "target"),
        effects=lambda object, target: (("on", {"object": object, "target": target}),),
    )
    async def pick_and_place(self, object: _Thing, target: _Place) -> str:
        """Pick a thing up and put it on another one."""
        report, self._report = self._report, ""
        if report and self._fails:
            raise SkillError(report)
        self.where[object] = target
        self.moved.append((object, target))
        return report or f"The {object} is put down."
