"""What a text file says, Python says, too: every line of the table in docs/your-robot.md, in both forms."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import pytest

from said import Talk
from thinkaloud import Amount, Kind, measure, measures_of, relation, relations_of, skill, skills_of
from thinkaloud.errors import DidNotWork
from thinkaloud.records import Arguments, WorldState
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills.definitions import Relation, Skill
from thinkaloud.worlds import World

DECLARED = ("needs", "makes", "ends", "approval", "asked_by", "repeat", "costs", "distinct")
"""What is compared with a skill that declares nothing."""
DOCS = Path(__file__).parents[2] / "docs" / "your-robot.md"
Lamp = Annotated[str, Kind("lamp")]
SAYS = "Use the {lamp}, the {other}, {state}, {amount}."
FILE = """
name = "lamps"
about = "A robot with lamps."
%(top)s
[kinds]
lamp = ["red lamp", "blue lamp"]
[skills.use]
says = "Use the {lamp}, the {other}, {state}, {amount}."
doc = "Use it."
parameters = { lamp = "lamp", other = "lamp", state = %(choice)s, amount = %(number)s }
%(skill)s
[skills.ring]
says = "Ring."
doc = "Ring."
%(ring)s
[relations.lit]
says = "{lamp} is lit."
doc = "Whether it is lit."
parameters = { lamp = "lamp" }
[relations.near]
says = "{lamp} is near the {other}."
doc = "Whether it is near."
parameters = { lamp = "lamp", other = "lamp" }
%(relation)s
[values.level]
says = "the level of the {lamp}"
doc = "Its level."
parameters = { lamp = "lamp" }
%(value)s
[start]
values = ["level(red lamp) = 10"]
"""
USUAL = {"choice": '["on", "off"]', "number": '"number"', "skill": "", "relation": "", "value": "", "ring": ""}
USUAL["top"] = "budget = { minutes = 5 }"
CALL = {"lamp": "red lamp", "other": "blue lamp", "amount": 20}


def with_level(state: WorldState, lamp: str, amount: int) -> WorldState:
    level = int(state.attributes[lamp]["level"]) + amount
    return replace(state, attributes={**state.attributes, lamp: {"level": level}})


def rows() -> dict[str, tuple[str, str]]:
    table = DOCS.read_text().partition("### The same in both forms")[2].partition("### Names")[0]
    cells = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")][1:]
    return {what: (text.strip("`"), python.strip("`")) for what, text, python in cells}


def python_robot(
    part: str = "",
    near: str = "",
    level: str = "",
    state: str = "",
    amount: str = "",
    ring: str = "",
    top: str = "",
    body: str = "",
) -> Any:
    """The robot of the file in Python, with these parts as the table writes them."""
    known = {"with_level": with_level, "Literal": Literal, "Annotated": Annotated, "Amount": Amount}

    def given(text: str) -> dict[str, Any]:
        return dict(eval(f"dict({text})", known))

    async def use(self: Any, lamp: Any, other: Any, state: Any, amount: Any) -> None:
        """Use it."""
        exec(body or "pass", {"DidNotWork": DidNotWork})

    async def ring_(self: Any) -> None:
        """Ring."""

    ring_.__name__ = "ring"
    in_relation, in_value = given(near), given(level)
    choice, number = eval(state or 'Literal["on", "off"]', known), eval(amount or "float", known)
    use.__annotations__ = {"lamp": Lamp, "other": Lamp, "state": choice, "amount": number}

    class Lamps:
        """A robot with lamps."""

        @relation("{lamp} is lit.")
        def lit(self, lamp: Lamp) -> bool:
            """Whether it is lit."""
            return False

        @relation("{lamp} is near the {other}.", **in_relation)
        def near(self, lamp: Lamp, other: Lamp) -> bool:
            """Whether it is near."""
            return False

        @measure("the level of the {lamp}", **in_value)
        def level(self, lamp: Lamp) -> float:
            """Its level."""
            return 10.0

    Lamps.use = skill(SAYS, **given(part))(use)  # type: ignore[attr-defined]
    Lamps.ring = skill("Ring.", **given(ring))(ring_)  # type: ignore[attr-defined]
    members: dict[str, Any] = {}
    exec(top, known, members)
    for name, value in members.items():
        setattr(Lamps, name, value)
    return Lamps()


def in_both_forms(what: str) -> tuple[TextFileWorld, Any]:
    """The two robots that a line of the table describes."""
    text, python = rows()[what]
    places = {
        "a number, in `parameters`": ("number", "amount"),
        "a choice, in `parameters`": ("choice", "state"),
        "one at a time, in a relation": ("relation", "near"),
        "a value with a unit": ("value", "level"),
        "it calls for help, without parameters": ("ring", "ring"),
        "a need that is found out only on trying": ("skill", "body"),
    }
    usual = ("top", "top") if what.endswith(", at the top") else ("skill", "part")
    in_file, in_python = places.get(what, usual)
    return TextFileWorld(FILE % {**USUAL, in_file: text}), python_robot(**{in_python: python})


def declares(used: Skill, state: str) -> dict[str, Any]:
    """What a skill says of one call; of what ends for anything, only of what."""
    facts = {}
    for part in ("needs", "effects", "ends"):
        function = getattr(used, part)
        found = function(**CALL, state=state) if function is not None else ()
        facts[part] = {(name, given["lamp"]) for name, given in found}
    people = {"approvers": used.approvers, "asked_by": used.asked_by}
    limits = {"approval": used.approval, "repeat": used.repeat, "costs": used.costs, "emergency": used.emergency}
    return {**facts, **people, **limits, "distinct": used.signature.distinct}


def reports(used: Skill) -> str:
    """What goes wrong with it, if anything does."""
    try:
        asyncio.run(used.run(cast(Arguments, {**CALL, "state": "on"})))
    except DidNotWork as error:
        return str(error)
    return ""


def at_the_top(world: Any) -> tuple[Any, ...]:
    """What is declared of the whole robot."""
    members = (getattr(world, name, None) or () for name in ("people", "never", "budget"))
    return tuple({**each} if isinstance(each, Mapping) else tuple(each) for each in members)


def kinds_of(used: Skill) -> list[Any]:
    return [(p.name, p.kind, p.choices, p.amount, p.type) for p in used.signature.parameters]


@pytest.mark.parametrize("what", rows())
def test_a_line_of_the_table_means_the_same_in_both_forms(what: str) -> None:
    text, python = in_both_forms(what)
    mine, theirs = text.skills["use"], skills_of(python)["use"]
    empty = declares(TextFileWorld(FILE % USUAL).skills["use"], "on")
    for state in ("on", "off"):
        assert declares(mine, state) == declares(theirs, state)
    assert kinds_of(mine) == kinds_of(theirs)
    both: tuple[Mapping[str, Relation], ...] = (text.relations, relations_of(python))
    assert both[0]["near"].is_single == both[1]["near"].is_single == (what == "one at a time, in a relation")
    assert text.skills["ring"].emergency == skills_of(python)["ring"].emergency == ("help" in what)
    if "only on trying" in what:
        assert reports(mine) == reports(theirs) == "It is dark."
    if what.endswith(", at the top"):
        name = rows()[what][0].partition(" ")[0]
        place = ("people", "never", "budget").index(name)
        assert at_the_top(text)[place] == at_the_top(python)[place] != at_the_top(TextFileWorld(FILE % USUAL))[place]
    assert text.measures["level"].signature.unit == measures_of(python)["level"].signature.unit
    if mine.remembers is not None and theirs.remembers is not None:
        seen = text.observe().state
        assert seen is not None
        after = [each.remembers(seen, **CALL, state="on") for each in (mine, theirs) if each.remembers]
        assert after[0].attributes == after[1].attributes != seen.attributes
    elif rows()[what][0].partition(" ")[0] in DECLARED:
        assert declares(mine, "on") != empty


def test_what_ends_for_anything_ends_for_all() -> None:
    world = TextFileWorld(
        FILE % {**USUAL, "skill": 'ends = ["near({lamp}, *)"]'} + 'facts = ["near(red lamp, blue lamp)"]\n'
    )
    asyncio.run(world.skills["use"].run(cast(Arguments, {**CALL, "state": "on"})))
    assert world.facts() == set()


def test_a_star_stands_under_ends_alone() -> None:
    with pytest.raises(Exception, match="`\\*` is only allowed under `ends`"):
        TextFileWorld(FILE % {**USUAL, "skill": 'makes = ["near({lamp}, *)"]'})


def test_a_skill_that_only_changes_a_value_is_checked() -> None:
    world = TextFileWorld(FILE % {**USUAL, "skill": 'changes = ["level({lamp}) += {amount}"]'})
    talk = Talk(['use("red lamp", "blue lamp", "on", 20)'], world)
    end = talk.say("Use the red lamp, the blue lamp, on, 20.")
    assert end.result == "goal met" and end.because.endswith("Done: the level of the red lamp is 30 (checked).")


def test_a_person_is_asked_before_a_skill_of_a_file_that_needs_approval() -> None:
    world = TextFileWorld(FILE % {**USUAL, "skill": "approval = true"})
    talk = Talk(['use("red lamp", "blue lamp", "on", 20)'], world)
    talk.say("Use the red lamp, the blue lamp, on, 20.")
    assert world.calls == []


def test_what_must_not_hold_is_ended_first_in_python_too() -> None:
    from thinkaloud import ManualClock, Observation
    from thinkaloud.skills import condition_holds

    class Falconer:
        """A robot with a falcon."""

        name = "falconer"

        def __init__(self) -> None:
            self.clock, self.skills, self.relations = ManualClock(), skills_of(self), relations_of(self)
            self.reset(0)

        def reset(self, seed: int) -> None:
            self.hood, self.away = True, False

        @skill("Fly the {lamp}.", needs=lambda lamp: (("not hooded", {"lamp": lamp}),),
               effects=lambda lamp: (("flown", {"lamp": lamp}),))  # fmt: skip
        async def fly(self, lamp: Lamp) -> None:
            """Let it fly."""
            self.away = True

        @skill("Unhood the {lamp}.", ends=lambda lamp: (("hooded", {"lamp": lamp}),))
        async def unhood(self, lamp: Lamp) -> None:
            """Take its hood off."""
            self.hood = False

        @relation("{lamp} is hooded.")
        def hooded(self, lamp: Lamp) -> bool:
            """Whether it wears its hood."""
            return self.hood

        @relation("{lamp} is flown.")
        def flown(self, lamp: Lamp) -> bool:
            """Whether it flies."""
            return self.away

        def observe(self) -> Observation:
            return Observation(("goshawk",), {"lamp": ("goshawk",)})

        def holds(self, condition: Any) -> bool:
            return condition_holds(condition, self.relations)

        def snapshot(self) -> bytes:
            return b""

        def restore(self, snapshot: bytes) -> None: ...

    talk = Talk(['fly("goshawk")'], cast(World, Falconer()))
    assert talk.say("Fly the goshawk.").result == "goal met"
    assert talk.steps == ["Unhood the goshawk.", "Fly the goshawk."]
