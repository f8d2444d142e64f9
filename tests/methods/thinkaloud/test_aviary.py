"""A robot with birds: corrections of a choice, remedies that would change nothing, needs that something is not so."""

from __future__ import annotations

from said import Talk
from thinkaloud.robots.text_file import TextFileWorld

AVIARY = """\
name = "aviary"
about = "A robot looks after birds of prey."

[kinds]
bird = ["Bella", "Karl", "kite"]
place = ["block", "tower", "meadow"]

[skills.mask]
says = "Mask {bird}."
doc = "Put the mask on a bird."
parameters = { bird = "bird" }
makes = ["masked({bird})"]

[skills.unmask]
says = "Take the mask off {bird}."
doc = "Take the mask off a bird."
parameters = { bird = "bird" }
ends = ["masked({bird})"]

[skills.feed]
says = "Feed {bird} with {food}."
doc = "Give a bird something to eat."
parameters = { bird = "bird", food = ["beef", "hay"] }
makes = ["fed({bird})"]
NEEDS

[relations.masked]
says = "{bird} wears a mask."
doc = "Whether a bird has its mask on."
parameters = { bird = "bird" }

[relations.fed]
says = "{bird} has been fed."
doc = "Whether a bird has eaten."
parameters = { bird = "bird" }

[relations.sits]
says = "{bird} is at the {place}."
doc = "Where a bird sits."
parameters = { bird = "bird", place = "place" }
single = true

[start]
facts = ["masked(Karl)", "sits(Bella, block)", "sits(Karl, tower)", "sits(kite, tower)"]
"""
HIDDEN = 'hidden = { needs = ["not masked({bird})"], says = "It cannot eat with the mask on." }'
DECLARED = 'needs = ["not masked({bird})"]'


def aviary(needs: str = HIDDEN) -> TextFileWorld:
    return TextFileWorld(AVIARY.replace("NEEDS", needs))


def test_what_is_done_in_the_place_of_something_is_done_although_the_same_comes_of_it() -> None:
    talk = Talk(['unmask("Karl")\nfeed("Karl", "beef")', 'undo()\nfeed("Karl", "hay")'], aviary())
    end = talk.say("Take Karl's mask off and feed him beef.", "No, I meant hay.")
    assert end.result == "goal met" and "I do this instead: Feed Karl with hay." in end.because
    assert talk.steps == ["Take the mask off Karl.", "Feed Karl with beef.", "Feed Karl with hay."]


def test_what_is_done_for_another_bird_takes_the_place_of_nothing() -> None:
    talk = Talk(['unmask("Karl")', 'undo()\nmask("Bella")'], aviary())
    assert talk.say("Take Karl's mask off.", "No, put one on Bella.").result == "goal met"
    assert talk.world.facts() >= {"masked(Karl)", "masked(Bella)"}


def test_a_step_that_would_change_nothing_is_not_tried_where_there_is_one_that_would() -> None:
    talk = Talk(['feed("Karl", "beef")', 'mask("Karl")'], aviary())
    assert talk.say("Feed Karl beef.").result == "goal met"
    assert talk.steps[-2:] == ["Take the mask off Karl.", "Feed Karl with beef."] and "Mask Karl." not in talk.steps


def test_who_gives_up_has_given_up() -> None:
    talk = Talk(['feed("Karl", "beef")', "give_up()"], aviary())
    end = talk.say("Feed Karl beef.")
    assert end.result == "failed" and "It cannot eat with the mask on." in end.because


def test_what_must_not_be_so_is_ended_first() -> None:
    talk = Talk(['feed(["Bella", "Karl"], "beef")'], aviary(DECLARED))
    assert talk.say("Feed Bella and Karl beef.").result == "goal met"
    assert talk.steps.index("Take the mask off Karl.") < talk.steps.index("Feed Karl with beef.")
    assert "Take the mask off Bella." not in talk.steps
