"""A choice that leaves no trace, an undo that cannot be, and answers in which something is taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from said import Talk, garden
from thinkaloud.records import Look, Meaning
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills import tells_done

PLAIN = "thinkaloud:confirm=never;rehearse=off"
STAGE = """\
name = "stage"
about = "A robot lights a stage, feeds the dog and hangs up costumes."

[kinds]
bowl = ["tin bowl", "clay bowl"]
spotlight = ["side spotlight"]
costume = ["cape"]

[skills.fill]
says = "Fill the {bowl} with {food}."
doc = "Fill a bowl."
parameters = { bowl = "bowl", food = ["kibble", "water"] }
makes = ["full({bowl})"]

[skills.light]
says = "Turn the {spotlight} {colour}."
doc = "Turn a spotlight to a colour, or off."
parameters = { spotlight = "spotlight", colour = ["white", "blue", "off"] }
makes = { white = ["shining({spotlight})"], blue = ["shining({spotlight})"] }
ends = { off = ["shining({spotlight})"] }

[skills.hang]
says = "Hang up the {costume}."
doc = "Hang up a costume."
parameters = { costume = "costume" }
makes = ["hung({costume})"]

[relations.full]
says = "The {bowl} is full."
doc = "Whether a bowl is full."
parameters = { bowl = "bowl" }

[relations.shining]
says = "The {spotlight} is on."
doc = "Whether a spotlight is on."
parameters = { spotlight = "spotlight" }

[relations.hung]
says = "The {costume} is on the rail."
doc = "Whether a costume is on the rail."
parameters = { costume = "costume" }

[start]
facts = ["full(tin bowl)", "shining(side spotlight)"]
"""


def stage(*programs: str, answers: tuple[str, ...] = ()) -> Talk:
    return Talk([*programs], TextFileWorld(STAGE), preset="thinkaloud:confirm=never", answers=answers)


def test_what_is_full_is_filled_with_what_was_said_as_nobody_knows_what_is_in_it() -> None:
    talk = stage('fill("tin bowl", "water")')
    assert talk.say("Fill the tin bowl with water.").result == "goal met"
    assert talk.steps == ["Fill the tin bowl with water."]


def test_a_light_that_is_on_is_turned_to_the_colour_that_was_said() -> None:
    talk = stage('light("side spotlight", "blue")')
    talk.say("Make the side spotlight blue.")
    assert talk.steps == ["Turn the side spotlight blue."]


def test_a_choice_that_tells_is_not_done_again() -> None:
    talk = stage('light("side spotlight", "off")', 'light("side spotlight", "off")')
    talk.say("Spot off.", "Off with the spot.")
    assert talk.steps == ["Turn the side spotlight off."]


def test_what_cannot_be_taken_back_is_said_and_what_was_meant_is_done() -> None:
    talk = stage('hang("cape")', 'undo()\nlight("side spotlight", "blue")')
    end = talk.say("Hang up the cape.", "Actually I meant the side spotlight should be blue.")
    assert (end.result, talk.steps[1:]) == ("failed", ["Turn the side spotlight blue."])
    assert end.because.startswith("I cannot take this back: Hang up the cape. The cape is on the rail, and nothing ")


def test_while_a_question_is_open_nothing_that_was_done_before_is_taken_back() -> None:
    talk = stage(
        'fill("clay bowl", "kibble")',
        'ask("Which light?", spotlights)',
        'undo()\nlight("side spotlight", "off")',
        answers=("no wait, the side one, off",),
    )
    talk.say("Kibble into the clay bowl.", "Change the light.")
    assert talk.all(Meaning)[-1].sort == "deeds"
    assert talk.steps == ["Fill the clay bowl with kibble.", "Turn the side spotlight off."]


def test_a_choice_of_which_nobody_can_say_what_it_does_stands_in_nobodys_way() -> None:
    def effects(**given: str) -> tuple[tuple[str, dict[str, str]], ...]:
        return (("full", {"bowl": {"water": given["bowl"]}[given["food"]]}),)

    robot = TextFileWorld(STAGE)
    fill = replace(robot.skills["fill"], effects=effects)
    assert tells_done(fill, {"bowl": "tin bowl", "food": "water"}, robot.relations)


@pytest.mark.parametrize("program", ["for each in windows: open(each)", "open(all_of(windows))"])
def test_all_of_them_is_no_choice_when_one_does_not_work(program: str) -> None:
    """ "All the windows" read again without the one that is stuck, would be less than was asked for."""
    talk = Talk(
        lambda prompt: "give_up()" if "# Failed" in prompt[-400:] else program,
        garden("stuck(left window)"),
        preset=PLAIN,
    )
    end = talk.say("Open all the windows.")
    assert end.result == "failed" and "Open the left window" in end.because
    assert not talk.all(Look)


def test_any_of_them_is_a_choice_when_one_does_not_work() -> None:
    script = "open(any_of(windows))"
    talk = Talk(
        lambda prompt: "give_up()" if "# Failed" in prompt[-400:] else script,
        garden("stuck(left window)"),
        preset=PLAIN,
    )
    assert talk.say("Open any window.").result == "goal met"
    assert len(talk.all(Look)) == 1 and talk.steps[-1] == "Open the right window."
