"""Where something of a request cannot be done, the rest is offered; nothing is left out without a word."""

from __future__ import annotations

import pytest

from said import Talk, when_begun
from thinkaloud.loop import Limits
from thinkaloud.records import Ask
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud_worlds.tabletop import Tabletop, load_scene


def questions(talk: Talk) -> list[str]:
    return [each for ask in talk.all(Ask) for each in ask.questions]


@pytest.mark.parametrize(
    "program",
    ['water("fern")\nwater("orchid")\nopen("left window")', 'water(["fern", "orchid"])\nopen("left window")'],
)
def test_the_rest_is_offered_and_done_once_that_is_wanted(program: str) -> None:
    talk = Talk([program], answers=("yes please",))
    end = talk.say("Water the fern and the orchid, and open the left window.")
    (question,) = questions(talk)
    assert question.startswith(
        "There is no orchid here. I could do the rest: I will water the fern, then open the left"
    )
    assert question.endswith("Shall I?")
    assert (end.result, talk.steps[-2:]) == ("goal met", ["Water the fern.", "Open the left window."])


def test_who_says_no_to_the_rest_gets_nothing() -> None:
    talk = Talk(['water(["fern", "orchid"])'], answers=("no",))
    assert talk.say("Water the fern and the orchid.").result == "declined" and talk.steps == []


def test_where_nobody_answers_nothing_is_done() -> None:
    talk = Talk(['water(["fern", "orchid"])'], present=True, limits=Limits(patience=0.01))
    end = talk.say("Water the fern and the orchid.")
    assert (end.result, talk.steps) == ("failed", []) and "There is no orchid here." in end.because


def test_who_may_ask_and_has_nobody_to_ask_does_nothing() -> None:
    talk = Talk(['water(["fern", "orchid"])'], preset="thinkaloud:confirm=always")
    assert (talk.say("Water the fern and the orchid.").result, talk.steps) == ("failed", [])


def test_who_is_never_to_ask_and_has_nobody_does_the_rest_and_has_failed() -> None:
    talk = Talk(['water(["fern", "orchid"])\nopen("left window")'])
    end = talk.say("Water the fern and the orchid, and open the left window.")
    assert questions(talk) == [] and talk.steps == ["Water the fern.", "Open the left window."]
    assert (end.result, end.because) == ("failed", "There is no orchid here. I did the rest.")


def test_what_is_lacking_is_told_also_where_more_was_asked_for_meanwhile() -> None:
    talk = Talk(
        ['water(["fern", "orchid"])\nopen("left window")', 'previous()\nwater("rose")'],
        during=when_begun("Water the fern.", "And water the rose as well."),
    )
    end = talk.say("Water the fern and the orchid, and open the left window.")
    assert end.result == "failed" and "There is no orchid here." in end.because
    assert sorted({*talk.steps}) == ["Open the left window.", "Water the fern.", "Water the rose."]


def test_a_deed_that_the_robot_does_not_have_is_left_out_in_the_same_way() -> None:
    talk = Talk(['repot("fern")\nwater("rose")'], answers=("no",))
    talk.say("Repot the fern and water the rose.")
    assert questions(talk) == ["I have no skill for that: repot. I could do the rest: I will water the rose. Shall I?"]


@pytest.mark.parametrize("preset", ["thinkaloud", "thinkaloud:confirm=never"])
@pytest.mark.parametrize(
    ("program", "why"),
    [
        ('come_in()\nopen("left window")', "I have no skill for that: come in."),
        ('repot("fern")\nwater("fern")', "I have no skill for that: repot."),
        ('open("left window")\nfly_out()\nclose("left window")', "I have no skill for that: fly out."),
    ],
)
def test_what_comes_after_and_may_depend_on_what_cannot_be_done_is_not_offered(
    program: str, why: str, preset: str
) -> None:
    talk = Talk([program], preset=preset, present=preset == "thinkaloud", limits=Limits(patience=0.01))
    end = talk.say("Do all of that.")
    assert end.because == f"{why} The rest may depend on that, so I do nothing."
    assert (end.result, talk.steps, questions(talk)) == ("declined", [], [])


def test_what_the_same_facts_are_about_depends_on_what_cannot_be_done() -> None:
    text = """
name = "hall"
about = "A robot at a door."
[kinds]
room = ["hall", "yard"]
door = ["door"]
[skills.go]
says = "Go to the {room}."
doc = "Go."
parameters = { room = "room" }
makes = ["at({room})"]
ends = ["outside()"]
[skills.lock]
says = "Lock the {door}."
doc = "Lock."
parameters = { door = "door" }
needs = ["not outside()"]
makes = ["locked({door})"]
[relations.at]
says = "The robot is in the {room}."
doc = "Where it is."
parameters = { room = "room" }
single = true
[relations.outside]
says = "The robot is outside."
doc = "Where it is."
[relations.locked]
says = "{door} is locked."
doc = "Whether it is locked."
parameters = { door = "door" }
[start]
facts = ["at(yard)"]
"""
    talk = Talk(['go("cellar")\nlock("door")'], TextFileWorld(text), answers=("yes",))
    end = talk.say("Come into the cellar and lock the door.")
    assert end.because.endswith("The rest may depend on that, so I do nothing.") and not talk.steps


def test_blocks_without_a_bowl_are_named_and_the_others_are_offered() -> None:
    scene = load_scene("examples/scenes/two_colours.toml")
    steps = [("red block", "red bowl"), ("blue block", "brown bowl")]
    for program in (steps, steps[::-1]):
        talk = Talk(
            ["\n".join(f'pick_and_place("{one}", "{other}")' for one, other in program)],
            Tabletop(scene),
            answers=("no",),
        )
        talk.say("Put the blocks in their matching bowls.")
        assert questions(talk) == [
            "There is no brown bowl here. I could do the rest: I will pick the red block and place it on the red bowl. "
            "Shall I?"
        ]


def test_what_a_later_deed_needs_and_a_missed_one_would_have_ended_is_not_offered() -> None:
    text = """
name = "yard"
about = "A robot among crates."
[kinds]
crate = ["red crate", "blue crate"]
[skills.clear]
says = "Take everything off the {crate} with the {tool}."
doc = "Clear it."
parameters = { crate = "crate", tool = "crate" }
ends = ["on(blue crate, red crate)"]
[skills.lift]
says = "Lift the {crate}."
doc = "Lift it."
parameters = { crate = "crate" }
needs = ["not on(blue crate, red crate)"]
makes = ["up({crate})"]
[relations.on]
says = "The {upper} is on the {lower}."
doc = "Where it stands."
parameters = { upper = "crate", lower = "crate" }
[relations.up]
says = "The {crate} is up."
doc = "Whether it is lifted."
parameters = { crate = "crate" }
[start]
facts = ["on(blue crate, red crate)"]
"""
    talk = Talk(['clear("green crate", "hook")\nlift("red crate")'], TextFileWorld(text), answers=("yes",))
    end = talk.say("Clear the green crate with the hook, then lift the red one.")
    assert end.because.endswith("The rest may depend on that, so I do nothing.") and not talk.steps


@pytest.mark.parametrize(
    "program",
    [
        'water("orchid")',  # nothing is left
        'water(["orchid", "tulip"])',
        'water("fern")\ncannot("I cannot say how slowly.")',  # how it is to be done belongs to all of it
        'say(wet("fern"))\nwater("orchid")',
    ],
)
def test_where_there_is_no_rest_the_whole_is_refused(program: str) -> None:
    talk = Talk([program])
    assert talk.say("Something like that.").result == "declined"
    assert questions(talk) == [] and talk.steps == []
