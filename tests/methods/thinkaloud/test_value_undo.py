"""Undoing what changed a value: the robot brings the value back if one of its skills can, and says so if none can."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import pytest

from said import Talk
from thinkaloud import Amount, Kind, Observation, WallClock, measure, measures_of, relations_of, skill, skills_of
from thinkaloud.records import End
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.worlds import World

BAR = """
name = "bar"
about = "A robot pours drinks."
[kinds]
vessel = ["glass", "jug"]
barrel = ["barrel"]
[skills.pour]
says = "Pour {amount} ml from the {source} into the {target}."
doc = "Pour from one vessel into another."
parameters = { source = "vessel", target = "vessel", amount = "number ml 10..100 step 10" }
distinct = ["source", "target"]
changes = ["level({source}) -= {amount}", "level({target}) += {amount}"]
[skills.empty]
says = "Empty the {vessel} into the sink."
doc = "Pour it away."
parameters = { vessel = "vessel" }
makes = ["rinsed({vessel})"]
changes = ["level({vessel}) = 0"]
[skills.tap]
says = "Tap {amount} ml from the {barrel} into the {vessel}."
doc = "Let beer run."
parameters = { barrel = "barrel", vessel = "vessel", amount = "number ml" }
changes = ["content({barrel}) -= {amount}", "level({vessel}) += {amount}"]
[skills.brew]
says = "Brew {amount} ml for the {barrel}."
doc = "Brew more beer."
parameters = { barrel = "barrel", amount = "number ml" }
changes = ["content({barrel}) += {amount}"]
[relations.rinsed]
says = "{vessel} is rinsed."
doc = "Whether it was rinsed."
parameters = { vessel = "vessel" }
[values.level]
says = "the level of the {vessel}"
doc = "How much is in it."
unit = "ml"
parameters = { vessel = "vessel" }
[values.content]
says = "the content of the {barrel}"
doc = "How much is left."
unit = "ml"
parameters = { barrel = "barrel" }
[start]
facts = []
values = ["level(glass) = 0", "level(jug) = 500", "content(barrel) = 9000"]
"""


def talked(world: World, said: Mapping[str, str]) -> Talk:
    talk = Talk(list(said.values()), world, preset="thinkaloud:confirm=never")
    talk.say(*said)
    return talk


def last_end(talk: Talk) -> End:
    end: End = talk.all(End)[-1]
    return end


def test_what_was_poured_is_poured_back_into_where_it_came_from() -> None:
    talk = talked(
        TextFileWorld(BAR), {"Pour 50 ml into the glass.": 'pour("jug", "glass", 50)', "Undo that.": "undo()"}
    )
    assert talk.steps[1:] == ["Pour 50 ml from the glass into the jug."]
    assert last_end(talk).because == (
        "I understood: I take back what I did last, so that the level of the jug is 500 ml and the level of the glass "
        "is 0 ml. "
        "Done: Pour 50 ml from the glass into the jug. The level of the jug is 500 ml. The level of the glass is 0 ml "
        "(checked)."
    )


def test_several_steps_bring_back_what_one_step_may_not() -> None:
    twice = 'pour("jug", "glass", 100)\npour("jug", "glass", 60)'
    talk = talked(TextFileWorld(BAR), {"Pour 100 ml into the glass, then 60.": twice, "Take it back.": "undo()"})
    assert len(talk.steps) == 4 and talk.ends[-1] == "goal met"
    assert talk.world.measures["level"].read(vessel="jug") == 500


def test_what_was_used_up_is_not_replaced_while_what_it_was_used_for_stays() -> None:
    """Emptying the glass would also rinse it, which it was not; so the beer stays, and none is brewed for it."""
    talk = talked(TextFileWorld(BAR), {"300 ml of beer.": 'tap("barrel", "glass", 300)', "Undo that.": "undo()"})
    assert (talk.ends[-1], len(talk.steps)) == ("declined", 1)
    assert last_end(talk).because == (
        "I cannot take this back: Tap 300 ml from the barrel into the glass. I know no way to bring this back: the "
        "content of the barrel was 9000 ml. I know no way to bring this back: the level of the glass was 0 ml."
    )


def test_another_amount_takes_the_place_of_the_first() -> None:
    instead = 'undo()\npour("jug", "glass", 20)'
    talk = talked(TextFileWorld(BAR), {"Pour 50 ml into the glass.": 'pour("jug", "glass", 50)', "No, 20.": instead})
    assert talk.world.measures["level"].read(vessel="glass") == 20
    assert talk.steps[1:] == ["Pour 50 ml from the glass into the jug.", "Pour 20 ml from the jug into the glass."]


Lamp = Annotated[str, Kind("lamp")]


class Dimmer:
    """A robot in Python that reports no state: its values are read one by one."""

    name = "dimmer"

    def __init__(self) -> None:
        self.clock, self.levels = WallClock(), {"desk lamp": 40, "wall lamp": 10}
        self.skills, self.relations, self.measures = skills_of(self), relations_of(self), measures_of(self)

    @skill("Dim the {lamp} to {percent} percent.", changes=lambda lamp, percent: (("level", {"lamp": lamp}, percent),))
    async def dim(self, lamp: Lamp, percent: Annotated[int, Amount("%", 0, 100)]) -> str:
        """Dim a lamp."""
        self.levels[lamp] = percent
        return "Done."

    @measure("the brightness of the {lamp}", unit="%")
    def level(self, lamp: Lamp) -> int:
        """How bright a lamp is."""
        return self.levels[lamp]

    def observe(self) -> Observation:
        return Observation(tuple(self.levels), {"lamp": tuple(self.levels)})

    def holds(self, condition: object) -> bool:
        return False

    def reset(self, seed: int) -> None: ...

    def snapshot(self) -> bytes:
        return b""

    def restore(self, snapshot: bytes) -> None:
        raise NotImplementedError


@pytest.mark.parametrize("program", ['dim("desk lamp", 80)', 'dim("desk lamp", 80)\ndim("wall lamp", 90)'])
def test_a_robot_in_python_brings_its_values_back_too(program: str) -> None:
    wall = " and the wall lamp to 90" if "wall" in program else ""
    said = {f"Dim the desk lamp to 80{wall} percent.": program, "Undo that.": "undo()"}
    talk = talked(Dimmer(), said)  # type: ignore[arg-type]
    assert talk.ends[-1] == "goal met" and talk.world.levels == {"desk lamp": 40, "wall lamp": 10}


STABLE = """
name = "stable"
about = "A robot feeds horses."
[kinds]
horse = ["Comet", "Bella"]
[skills.feed]
says = "Feed {horse} {amount} kg of oats."
doc = "Put oats into a bucket."
parameters = { horse = "horse", amount = "number kg 0.5..3 step 0.5" }
makes = ["fed({horse})"]
changes = ["oats({horse}) += {amount}"]
[relations.fed]
says = "{horse} has been fed."
doc = "Whether a horse got oats."
parameters = { horse = "horse" }
[values.oats]
says = "the oats of {horse}"
doc = "How much a horse had."
unit = "kg"
parameters = { horse = "horse" }
[start]
facts = ["fed(Comet)"]
values = ["oats(Comet) = 1.5", "oats(Bella) = 0"]
"""


def test_what_another_thing_got_is_told_to_stay() -> None:
    """It had been fed before, so only the amount tells of it; what was meant is done all the same."""
    instead = 'undo()\nfeed("Bella", 0.5)'
    talk = talked(
        TextFileWorld(STABLE), {"0.5 kg more for Comet.": 'feed("Comet", 0.5)', "I meant Bella, not Comet.": instead}
    )
    assert talk.steps[1:] == ["Feed Bella 0.5 kg of oats."]
    because = last_end(talk).because
    assert "I cannot take this back: Feed Comet 0.5 kg of oats." in because
    assert "the oats of Comet" in because.replace("The oats", "the oats")


def test_what_another_thing_got_is_brought_back_if_a_skill_can() -> None:
    instead = 'undo()\npour("jug", "cup", 20)'
    bar = BAR.replace('vessel = ["glass", "jug"]', 'vessel = ["glass", "jug", "cup"]').replace(
        '"level(jug) = 500"', '"level(jug) = 500", "level(cup) = 0"'
    )
    talk = talked(TextFileWorld(bar), {"Pour 50 ml.": 'pour("jug", "glass", 50)', "No, 20 into the cup.": instead})
    levels = {each: talk.world.measures["level"].read(vessel=each) for each in ("glass", "cup", "jug")}
    assert levels == {"glass": 0, "cup": 20, "jug": 480}
