"""What was taken back is as it was: nothing else in its place."""

from __future__ import annotations

from said import Talk
from thinkaloud.worlds.described import Described, parse_robot

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
