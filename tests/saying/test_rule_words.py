"""Rules about deeds whose verb is one of the choices of a skill."""

from __future__ import annotations

import pytest

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
        ("never(turn_lid())", "From now on I am never to turn lid (open or close any chest)."),
        ('never(turn_lid(chest="blue chest"))', "From now on I am never to open or close the blue chest."),
        ('never(turn_lid(way="open"))', "From now on I am never to open any chest."),
        ("never(switch())", "From now on I am never to switch."),
        ('never(switch("lamp"))', "From now on I am never to switch the lamp on or off."),
        ("allow(turn_lid())", "I may turn lid (open or close any chest) again."),
    ],
)
def test_a_rule_names_what_its_deed_may_be(program: str, words: str) -> None:
    assert meaning_of(program).words == words
