"""To take something back that would destroy what was there before is said, and asked about."""

from __future__ import annotations

import pytest

from said import Talk
from thinkaloud.records import Ask
from thinkaloud.robots.text_file import TextFileWorld

TANKS = """
name = "dyer"
about = "A robot fills tanks and dyes the water in them."
[kinds]
tank = ["big tank", "small tank"]
[skills.fill]
says = "Fill the {tank}."
doc = "Fill a tank with water."
parameters = { tank = "tank" }
makes = ["filled({tank})"]
changes = ["level({tank}) = 100"]
[skills.dye]
says = "Dye the {tank}."
doc = "Dye the water in a tank."
parameters = { tank = "tank" }
makes = ["dyed({tank})"]
[skills.empty]
says = "Empty the {tank}."
doc = "Let all water out."
parameters = { tank = "tank" }
ends = ["dyed({tank})", "filled({tank})"]
changes = ["level({tank}) = 0"]
[relations.filled]
says = "The {tank} is filled."
doc = "Whether a tank is filled."
parameters = { tank = "tank" }
[relations.dyed]
says = "The {tank} is dyed."
doc = "Whether the water is dyed."
parameters = { tank = "tank" }
[values.level]
says = "the level of the {tank}"
doc = "How much is in it."
unit = "litres"
parameters = { tank = "tank" }
[start]
facts = []
values = ["level(big tank) = 0", "level(small tank) = 0"]
"""
FILL_AND_DYE = ['fill("big tank")', 'dye("big tank")', "undo()"]
QUESTION = (
    "Taking that back would also do this: It ends that the big tank is filled. "
    "The level of the big tank will be 0 litres; before, it was 100 litres.",
    "May I do this? Empty the big tank.",
)


def talk(*answers: str, more: tuple[str, ...] = ()) -> Talk:
    found = Talk([*FILL_AND_DYE, *more], TextFileWorld(TANKS), answers=answers)
    found.say("Fill the big tank.", "Dye it.", "Undo that.")
    return found


def test_what_else_would_be_lost_is_told_and_asked_about() -> None:
    done = talk("yes")
    assert [ask.questions for ask in done.all(Ask)] == [QUESTION]
    assert (done.steps[2:], done.ends[-1]) == (["Empty the big tank."], "goal met")


def test_a_no_leaves_everything_as_it_is() -> None:
    done = talk("no")
    assert (len(done.steps), done.ends[-1]) == (2, "declined")
    assert done.world.measures["level"].read(tank="big tank") == 100


def test_what_is_no_answer_is_never_taken_for_a_yes() -> None:
    done = talk("hm", "well", more=("unclear()", "unclear()", "unclear()"))
    assert len(done.steps) == 2 and done.ends[-1] in ("declined", "failed")


def test_something_else_wanted_instead_is_done_instead() -> None:
    done = talk("Fill the small tank instead.", more=('fill("small tank")',))
    assert done.steps[2:] == ["Fill the small tank."]


def test_with_nobody_there_nothing_is_destroyed() -> None:
    done = talk()
    assert (len(done.steps), done.ends[-1]) == (2, "failed")


@pytest.mark.parametrize("programs", [['fill("big tank")', "undo()"], ['fill("big tank")\ndye("big tank")', "undo()"]])
def test_what_only_belongs_to_what_is_taken_back_is_not_asked_about(programs: list[str]) -> None:
    done = Talk(programs, TextFileWorld(TANKS))
    done.say("Fill it.", "Undo that.")
    assert (done.all(Ask), done.ends[-1]) == ([], "goal met")
    assert done.steps[-1] == "Empty the big tank."


# What is emptied and filled again -------------------------------------------------------------------------------------

BOWL = """
name = "bakery"
about = "A robot weighs flour and salt."
[kinds]
stuff = ["flour", "salt"]
bowl = ["bowl"]
[skills.add]
says = "Add {grams} g of {stuff} to the {bowl}."
doc = "Weigh something into a bowl."
parameters = { stuff = "stuff", grams = "number g 1..3000", bowl = "bowl" }
makes = ["has({bowl}, {stuff})"]
changes = ["weight({bowl}) += {grams}"]
[skills.empty]
says = "Empty the {bowl}."
doc = "Empty a bowl."
parameters = { bowl = "bowl" }
ENDS
changes = ["weight({bowl}) = 0"]
[relations.has]
says = "There is {stuff} in the {bowl}."
doc = "What is in a bowl."
parameters = { bowl = "bowl", stuff = "stuff" }
[values.weight]
says = "the weight in the {bowl}"
doc = "How much is in the bowl."
unit = "g"
parameters = { bowl = "bowl" }
[start]
facts = ["has(bowl, flour)"]
values = ["weight(bowl) = 2955"]
"""
ENDS = 'ends = ["has({bowl}, salt)", "has({bowl}, flour)"]'
EMPTY, SALT = "Empty the bowl.", "Add 10 g of salt to the bowl."


def baking(ends: str, *answers: str) -> Talk:
    found = Talk(['add("salt", 10, "bowl")', "undo()"], TextFileWorld(BOWL.replace("ENDS", ends)), answers=answers)
    found.say(SALT, "Undo that.")
    return found


@pytest.mark.parametrize("ends", [ENDS, ""])
def test_a_full_bowl_is_not_emptied_in_silence(ends: str) -> None:
    done = baking(ends, "no")
    assert (done.steps, done.ends[-1]) == ([SALT], "declined")
    assert done.world.measures["weight"].read(bowl="bowl") == 2965


def test_what_is_other_on_the_way_is_told_with_the_steps() -> None:
    asked = baking("", "no").all(Ask)[0].questions[0]
    assert asked.endswith(
        "The weight in the bowl will be 0 g in between. These would be the steps: "
        "Empty the bowl. Add 2955 g of flour to the bowl."
    )


def test_what_was_emptied_is_not_filled_again_in_silence() -> None:
    done = baking(ENDS, "yes", "no")
    assert [ask.questions[1] for ask in done.all(Ask)] == [
        "May I do this? Empty the bowl.",
        "May I do this? Add 2955 g of flour to the bowl.",
    ]
    assert done.steps == [SALT, EMPTY] and done.ends[-1] == "declined"
    assert baking(ENDS, "yes", "yes").steps[2:] == ["Add 2955 g of flour to the bowl."]


def test_a_value_that_goes_straight_back_is_not_asked_about() -> None:
    scoop = BOWL.replace("ENDS", ENDS) + (
        '[skills.scoop]\nsays = "Take {grams} g of {stuff} out of the {bowl}."\ndoc = "Take something out."\n'
        'parameters = { stuff = "stuff", grams = "number g 1..3000", bowl = "bowl" }\n'
        'ends = ["has({bowl}, {stuff})"]\nchanges = ["weight({bowl}) -= {grams}"]\n'
    )
    done = Talk(['add("salt", 10, "bowl")', "undo()"], TextFileWorld(scoop))
    done.say(SALT, "Undo that.")
    assert done.steps == [SALT, "Take 10 g of salt out of the bowl."] and not done.all(Ask)
