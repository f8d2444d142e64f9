"""What was taken back is as it was: nothing else in its place."""

from __future__ import annotations

from said import Talk
from thinkaloud.worlds import open_world
from thinkaloud.worlds.described import Described, parse_robot
from thinkaloud.worlds.tabletop import Tabletop

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
    stage = Described(parse_robot(STAGE))
    talk = Talk(['shine(spotlights, "red")', "undo()"], stage)
    assert talk.say("Make all the spotlights red.").result == "goal met"
    assert stage.facts() == {"red(left spotlight)", "red(right spotlight)"}
    assert talk.say("Undo that.").result == "goal met"
    assert stage.facts() == {"white(left spotlight)"}


def test_what_is_taken_back_first_is_seen_as_it_is_then() -> None:
    stage = Described(parse_robot(STAGE))
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
    stage = Described(parse_robot(STAGE))
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
    stage = Described(parse_robot(STAGE))
    talk = Talk(['shine("right spotlight", "red")', 'undo()\nshine("right spotlight", "red")'], stage)
    talk.say("Make the right spotlight red.")
    end = talk.say("No, the other way round.")
    assert (end.result, end.because[:36]) == ("declined", "That would leave everything as it is")
    assert stage.facts() == {"white(left spotlight)", "red(right spotlight)"}
    assert len(talk.steps) == 1


def test_of_what_is_taken_back_a_part_may_stay_as_it_is() -> None:
    stage = Described(parse_robot(STAGE))
    talk = Talk(['shine(spotlights, "red")', 'undo()\nshine("right spotlight", "red")'], stage)
    talk.say("Make all the spotlights red.")
    end = talk.say("No, the right one only.")
    assert (end.result, stage.facts()) == ("goal met", {"white(left spotlight)", "red(right spotlight)"})
