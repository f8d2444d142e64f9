"""A deed may be called by one of its choices, where only one skill can be meant."""

from __future__ import annotations

import pytest

from said import Talk
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Meaning
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program

STAGE = """
name = "stage"
about = "A robot on a stage."
[kinds]
chest = ["blue chest", "green chest"]
hatch = ["hatch"]
lamp = ["lamp"]
[skills.turn_lid]
says = "{way} the {chest}."
doc = "Open or close a chest."
parameters = { chest = "chest", way = ["open", "close"] }
makes = { open = ["opened({chest})"] }
ends = { close = ["opened({chest})"] }
[skills.move_hatch]
says = "{way} the {hatch}."
doc = "Open or close the hatch."
parameters = { hatch = "hatch", way = ["open", "close"] }
[skills.switch]
says = "Switch the {lamp} {state}."
doc = "Switch a lamp."
parameters = { lamp = "lamp", state = ["on", "off"] }
[relations.opened]
says = "{chest} is open."
doc = "Whether a chest is open."
parameters = { chest = "chest" }
"""


def meaning_of(program: str) -> Meaning:
    world = TextFileWorld(STAGE)
    scene = world.observe()
    return run_program(program, Circumstances(world, scene, lexicon_of(world, scene), request="Please do."))


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('open("hatch")', "I will open the hatch."),
        ('open("blue chest")', "I will open the blue chest."),
        ('open(all_of("chest"))', "I will open the blue chest and the green chest."),
        ("open(chests)", "I will open the blue chest and the green chest."),
        ('switch_off("lamp")', "I will switch the lamp off."),
        ('off("lamp")', "I will switch the lamp off."),
        ('never(open("hatch"))', "From now on I am never to open the hatch."),
        ("never(turn_lid())", "From now on I am never to turn lid (open or close any chest)."),
        ('never(turn_lid(chest="blue chest"))', "From now on I am never to open or close the blue chest."),
        ('never(turn_lid(way="open"))', "From now on I am never to open any chest."),
        ("never(switch())", "From now on I am never to switch."),
        ('never(switch("lamp"))', "From now on I am never to switch the lamp on or off."),
        ("allow(turn_lid())", "I may turn lid (open or close any chest) again."),
    ],
)
def test_a_choice_is_the_verb(program: str, words: str) -> None:
    assert meaning_of(program).words == words


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('open("lamp")', "I have no skill for that: open."),  # neither takes a lamp
        ('open("hatch", "lamp")', "I have no skill for that: open."),
        ('drop("hatch")', "I have no skill for that: drop."),
        ('open(the("box"))', "I have no skill for that: open."),  # two skills open something
    ],
)
def test_what_no_skill_or_several_can_mean_is_declined(program: str, words: str) -> None:
    assert meaning_of(program).words == words


def test_which_of_several_is_still_asked() -> None:
    talk = Talk(['open(the("chest"))', 'turn_lid("green chest", "open")'], TextFileWorld(STAGE), answers=("green",))
    talk.say("Open the chest.")
    assert talk.steps == ["Open the green chest."]
