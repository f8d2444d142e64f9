"""What a skill needs is looked at right before it begins: an earlier step may have undone it and not declared that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import pytest

from said import Talk
from thinkaloud import Kind, ManualClock, Observation, relation, relations_of, skill, skills_of
from thinkaloud.clock import Clock
from thinkaloud.records import Condition
from thinkaloud.skills import Relation, Skill

Glass = Annotated[str, Kind("glass")]


class Bar:
    """One glass with milk in it. It is dirty once it has been emptied, and no skill says so."""

    name = "bar"

    def __init__(self, *, washes: bool) -> None:
        self.clock: Clock = ManualClock()
        self.full, self.dirty, self.juice = {"small glass"}, set[str](), set[str]()
        self.poured_into_dirt = False
        self.skills: Mapping[str, Skill] = {
            name: each for name, each in skills_of(self).items() if washes or name != "wash"
        }
        self.relations: Mapping[str, Relation] = relations_of(self)

    @skill("Empty the {glass}.", ends=lambda glass: (("filled", {"glass": glass}),))
    async def empty(self, glass: Glass) -> None:
        """Empty a glass."""
        self.full.discard(glass)
        self.dirty.add(glass)

    @skill("Wash the {glass}.", ends=lambda glass: (("dirtied", {"glass": glass}),))
    async def wash(self, glass: Glass) -> None:
        """Wash a glass."""
        self.dirty.discard(glass)

    @skill(
        "Pour juice into the {glass}.",
        needs=lambda glass: (("not filled", {"glass": glass}), ("not dirtied", {"glass": glass})),
        effects=lambda glass: (("holds_juice", {"glass": glass}),),
    )
    async def pour(self, glass: Glass) -> None:
        """Fill a glass with juice."""
        self.poured_into_dirt |= glass in self.dirty
        self.juice.add(glass)

    @relation("{glass} is full.")
    def filled(self, glass: Glass) -> bool:
        """Whether something is in a glass."""
        return glass in self.full

    @relation("{glass} is dirty.")
    def dirtied(self, glass: Glass) -> bool:
        """Whether a glass is dirty."""
        return glass in self.dirty

    @relation("{glass} has juice in it.")
    def holds_juice(self, glass: Glass) -> bool:
        """Whether there is juice in a glass."""
        return glass in self.juice

    def observe(self) -> Observation:
        return Observation(("small glass",), {"glass": ("small glass",)})

    def holds(self, condition: Condition) -> bool:
        return self.relations[condition.relation].holds(**condition.arguments)

    def reset(self, seed: int) -> None: ...

    def snapshot(self) -> bytes:
        return b""

    def restore(self, snapshot: bytes) -> None:
        raise NotImplementedError


@pytest.mark.parametrize("washes", [True, False])
def test_no_step_begins_if_an_earlier_one_has_undone_what_it_needs(washes: bool) -> None:
    bar = Bar(washes=washes)
    end = Talk(['pour("small glass")'], bar).say("Some juice in the small glass, please.")
    assert not bar.poured_into_dirt
    assert (end.result == "goal met") is washes is bool(bar.juice)
