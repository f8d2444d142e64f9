"""What was taken back is as it was: nothing else in its place."""

from __future__ import annotations

from said import Talk
from thinkaloud.records import Plan
from thinkaloud.robots import open_world
from thinkaloud.robots.text_file import TextFileWorld, parse_robot
from thinkaloud_worlds.tabletop import Tabletop

STAGE = """\
name = "stage"
about = "Lights a stage."
[kinds]
spotlight = ["left spotlight", "right spotlight"]
[skills.shine]
says = "Make the {spotlight} {colour}."
doc = "Give a spotlight a colour, or make it dark."
parameters = { spotlight = "spotlight", colour = ["white", "red", "dark"] }
makes = { white = ["white({spotlight})"], red = ["red({spotlight})"] }
ends = { white = ["red({spotlight})"], red = ["white({spotlight})"], dark = ["red({spotlight})", "white({spotlight})"] }
[relations.white]
says = "The {spotlight} shines white."
doc = "Whether a spotlight is white."
parameters = { spotlight = "spotlight" }
[relations.red]
says = "The {spotlight} shines red."
doc = "Whether a spotlight is red."
parameters = { spotlight = "spotlight" }
[start]
facts = ["white(left spotlight)"]
"""


def test_a_lamp_that_was_dark_is_dark_again_and_not_of_another_colour() -> None:
    stage = TextFileWorld(parse_robot(STAGE))
    talk = Talk(['shine(spotlights, "red")', "undo()"], stage)
    assert talk.say("Make all the spotlights red.").result == "goal met"
    assert stage.facts() == {"red(left spotlight)", "red(right spotlight)"}
    assert talk.say("Undo that.").result == "goal met"
    assert stage.facts() == {"white(left spotlight)"}


def test_what_is_taken_back_first_is_seen_as_it_is_then() -> None:
    stage = TextFileWorld(parse_robot(STAGE))
    talk = Talk(
        [
            'shine("left spotlight", "red")',
            'undo()\nif white("left spotlight"):\n    shine("right spotlight", "red")',
        ],
        stage,
    )
    talk.say("Make the left spotlight red.")
    assert talk.say("Undo that, and if the left one is white then, make the right one red.").result == "goal met"
    assert stage.facts() == {"white(left spotlight)", "red(right spotlight)"}


def test_a_measure_of_what_is_taken_back_is_that_of_before_or_not_known() -> None:
    table = open_world("tabletop")
    table.reset(1)
    moved = 'undo()\nif x("yellow block") > 0:\n    pick_and_place("green block", "orange bowl")'
    other = 'undo()\nif x("orange bowl") > 0:\n    pick_and_place("green block", "orange bowl")'
    talk = Talk(['pick_and_place("yellow block", "pink bowl")', moved, other], table)
    end = talk.say("Put the yellow block into the pink bowl.", "Undo that, and …")
    assert (end.result, end.because[:38]) == ("declined", "I do not know any more what this was: ")
    talk.say("Undo that, and …")
    assert "Pick the green block and place it on the orange bowl." in talk.steps


def test_what_was_done_for_several_requests_is_taken_back_at_once() -> None:
    stage = TextFileWorld(parse_robot(STAGE))
    programs = [
        'shine("left spotlight", "red")',
        'shine("right spotlight", "white")',
        'undo(2)\nif not white("right spotlight"):\n    shine("right spotlight", "red")',
        "undo(2)",
        "undo()",
    ]
    talk = Talk(programs, stage)
    talk.say("Make the left spotlight red.", "And the right one white.")
    end = talk.say("Take both back; the right one, if it is not white then, is to be red.")
    assert (end.result, stage.facts()) == ("goal met", {"white(left spotlight)", "red(right spotlight)"})
    too_many = talk.say("Undo the last two.")
    assert too_many.because == "There are not so many things that I did and could take back."
    assert talk.say("Then the last one.").result == "goal met"
    assert stage.facts() == {"red(left spotlight)", "white(right spotlight)"}


def test_a_block_on_another_one_is_put_down_beside_it_although_it_is_at_that_side_already() -> None:
    table = open_world("tabletop")
    table.reset(1025)
    assert isinstance(table, Tabletop)
    assert table.on("red block", "top side")
    talk = Talk(['pick_and_place("cyan block", "red block")', "undo()"], table)
    talk.say("Put the cyan block on the red one.")
    assert table.on("cyan block", "top side"), "what stands on what lies there is there as well"
    end = talk.say("Take that back.")
    assert (end.result, table.on("cyan block", "red block")) == ("goal met", False)
    assert len(talk.steps) == 2


def test_what_was_at_the_same_side_before_it_was_put_on_another_is_taken_back_and_stays_there() -> None:
    table = open_world("tabletop")
    table.reset(1000)
    assert isinstance(table, Tabletop)
    programs = ['pick_and_place("purple block", "bottom side")', 'pick_and_place("purple block", "brown block")']
    talk = Talk([*programs, "undo()"], table)
    end = talk.say("Put the purple block at the bottom.", "On the brown one.", "Take that back.")
    assert end.result == "goal met"
    assert not table.on("purple block", "brown block")
    assert table.on("purple block", "bottom side")


def test_to_take_back_and_do_the_same_again_is_not_claimed_as_done() -> None:
    stage = TextFileWorld(parse_robot(STAGE))
    talk = Talk(['shine("right spotlight", "red")', 'undo()\nshine("right spotlight", "red")'], stage)
    talk.say("Make the right spotlight red.")
    end = talk.say("No, the other way round.")
    assert (end.result, end.because[:36]) == ("declined", "That would leave everything as it is")
    assert stage.facts() == {"white(left spotlight)", "red(right spotlight)"}
    assert len(talk.steps) == 1


def test_of_what_is_taken_back_a_part_may_stay_as_it_is() -> None:
    stage = TextFileWorld(parse_robot(STAGE))
    talk = Talk(['shine(spotlights, "red")', 'undo()\nshine("right spotlight", "red")'], stage)
    talk.say("Make all the spotlights red.")
    end = talk.say("No, the right one only.")
    assert (end.result, stage.facts()) == ("goal met", {"white(left spotlight)", "red(right spotlight)"})


# What cannot be taken back --------------------------------------------------------------------------------------------

HARBOUR = """\
name = "harbour"
about = "A robot at a small harbour moors boats, paints them and rings the bell."
[kinds]
boat = ["red boat", "blue boat"]
berth = ["north berth", "south berth"]
tank = ["tank"]
[skills.moor]
says = "Moor the {boat} at the {berth}."
doc = "Bring a boat to a berth."
parameters = { boat = "boat", berth = "berth" }
makes = ["at({boat}, {berth})"]
[skills.paint]
says = "Paint the {boat}."
doc = "Paint a boat with what is in the tank; it takes all of it."
parameters = { boat = "boat" }
needs = ["full(tank)"]
makes = ["painted({boat})"]
ends = ["full(tank)"]
[skills.fill]
says = "Fill the {tank}."
doc = "Fill the tank with paint."
parameters = { tank = "tank" }
makes = ["full({tank})"]
[skills.ring]
says = "Ring the bell for the {boat}."
doc = "Ring the bell."
parameters = { boat = "boat" }
[relations.at]
says = "{boat} lies at the {berth}."
doc = "Where a boat lies."
parameters = { boat = "boat", berth = "berth" }
single = true
[relations.painted]
says = "{boat} has got new paint."
doc = "Whether a boat was painted."
parameters = { boat = "boat" }
[relations.full]
says = "The {tank} is full."
doc = "Whether there is paint in the tank."
parameters = { tank = "tank" }
[start]
facts = ["at(red boat, north berth)", "at(blue boat, north berth)", "full(tank)"]
"""


def test_a_deed_of_which_nothing_is_declared_is_said_to_stay_and_the_others_are_taken_back() -> None:
    harbour = TextFileWorld(HARBOUR)
    talk = Talk(['ring("red boat")\nmoor("red boat", "south berth")', "undo()"], harbour)
    end = talk.say("Ring for the red boat and bring it to the south berth.", "Take that back.")
    assert talk.steps[2:] == ["Moor the red boat at the north berth."]
    assert (end.result, end.because) == (
        "failed",
        "I cannot take this back: Ring the bell for the red boat. It leaves nothing behind that I know of and could "
        "change. I did this: Moor the red boat at the north berth. Checked: Red boat lies at the north berth.",
    )


def test_what_no_skill_ends_is_never_claimed_to_be_over() -> None:
    harbour = TextFileWorld(HARBOUR)
    talk = Talk(['paint("red boat")\nmoor("red boat", "south berth")', "undo()"], harbour)
    end = talk.say("Paint the red boat and bring it to the south berth.", "Take that back.")
    assert (end.result, "painted(red boat)" in harbour.facts()) == ("failed", True)
    assert end.because.startswith(
        "I cannot take this back: Paint the red boat. Red boat has got new paint, and nothing"
    )
    told = [*(plan.goal for plan in talk.all(Plan)), end.because]
    assert not any("not so that red boat has got new paint" in each for each in told)


def test_what_stays_is_not_paid_back() -> None:
    harbour = TextFileWorld(HARBOUR)
    talk = Talk(['paint("red boat")', "undo()"], harbour)
    end = talk.say("Paint the red boat.", "Take that back.")
    assert (end.result, talk.steps) == ("declined", ["Paint the red boat."]), "the tank is not filled again"


def test_where_nothing_can_be_taken_back_what_was_said_besides_is_done() -> None:
    talk = Talk(['ring("red boat")', 'undo()\nring("blue boat")'], TextFileWorld(HARBOUR))
    end = talk.say("Ring the bell.", "No, for the blue one.")
    assert (end.result, talk.steps[1:]) == ("failed", ["Ring the bell for the blue boat."])
    assert end.because.startswith("I cannot take this back: Ring the bell for the red boat. ")


def test_a_deed_without_a_trace_is_set_right_by_the_same_one_done_otherwise() -> None:
    horn = HARBOUR.replace(
        "[relations.at]",
        """[skills.hoot]
says = "Hoot for the {boat}, {times} times."
doc = "Sound the horn."
parameters = { boat = "boat", times = "number" }
[relations.at]""",
    )
    programs = ['hoot("red boat", 9)', 'undo()\nhoot("red boat", 2)', 'undo()\nhoot("blue boat", 2)']
    talk = Talk(programs, TextFileWorld(parse_robot(horn)))
    end = talk.say("Nine hoots for the red boat.", "Make that two.")
    assert (end.result, talk.steps[1:]) == ("unconfirmed", ["Hoot for the red boat, 2 times."])
    end = talk.say("No, for the blue one.")
    assert (end.result, talk.steps[2:]) == ("failed", ["Hoot for the blue boat, 2 times."])
    assert end.because.startswith("I cannot take this back: Hoot for the red boat, 2 times. ")


TANKS = """\
name = "tanks"
about = "Fills, empties and scrubs a tank."
[kinds]
tank = ["tank"]
[skills.fill]
says = "Fill the {tank}."
doc = "Fill it."
parameters = { tank = "tank" }
makes = ["full({tank})"]
[skills.empty]
says = "Empty the {tank}."
doc = "Empty it."
parameters = { tank = "tank" }
ends = ["full({tank})"]
[skills.scrub]
says = "Scrub the {tank}."
doc = "Scrub it."
parameters = { tank = "tank" }
makes = ["scrubbed({tank})"]
[relations.full]
says = "The {tank} is full."
doc = "Whether it is full."
parameters = { tank = "tank" }
[relations.scrubbed]
says = "The {tank} has got a scrub."
doc = "Whether it was scrubbed."
parameters = { tank = "tank" }
"""


def test_what_has_nothing_to_do_with_it_is_not_said_to_have_been_checked() -> None:
    talk = Talk(['fill("tank")', "undo()"], TextFileWorld(TANKS))
    end = talk.say("Fill the tank.", "Take that back.")
    assert (end.result, end.because.partition("Done: ")[2]) == ("goal met", "the tank is not full (checked).")


JARS = """\
name = "honey"
about = "Labels jars."
[kinds]
jar = ["tall jar", "squat jar"]
[skills.label]
says = "Label the {jar} as {honey} honey."
doc = "Stick a label on a jar."
parameters = { jar = "jar", honey = ["lime", "clover", "forest"] }
makes = ["labelled({jar}, {honey})"]
[relations.labelled]
says = "{jar} is labelled as {honey} honey."
doc = "What a label says."
parameters = { jar = "jar", honey = ["lime", "clover", "forest"] }
single = true
"""


def test_what_had_no_value_gets_no_other_one_in_place_of_its_own() -> None:
    jars = TextFileWorld(parse_robot(JARS))
    talk = Talk(['label("tall jar", "lime")', "undo()"], jars)
    assert talk.say("Lime for the tall jar.").result == "goal met"
    end = talk.say("Undo that.")
    assert end.result != "goal met" and "I cannot take this back: Label the tall jar as lime honey." in end.because
    assert jars.facts() == {"labelled(tall jar, lime)"}


def test_what_had_another_value_has_that_again() -> None:
    jars = TextFileWorld(parse_robot(JARS + '[start]\nfacts = ["labelled(tall jar, forest)"]\n'))
    talk = Talk(['label("tall jar", "lime")', "undo()"], jars)
    talk.say("Lime for the tall jar.")
    assert talk.say("Undo that.").result == "goal met"
    assert jars.facts() == {"labelled(tall jar, forest)"}


def test_the_top_of_a_tower_goes_back_onto_what_was_right_below_it() -> None:
    table = open_world("tabletop")
    table.reset(3)  # an orange, a brown and a gray block
    tower = 'pick_and_place("brown block", "orange block")\npick_and_place("gray block", "brown block")'
    talk = Talk([tower, 'pick_and_place("gray block", "left side")', "undo()"], table)
    end = talk.say("Stack them.", "The gray one to the left.", "Undo that.")
    assert end.result == "goal met" and "the gray block is on the brown block" in end.because
    assert talk.steps[-1] == "Pick the gray block and place it on the brown block."
