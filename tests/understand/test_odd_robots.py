"""Robots of every shape can be spoken with: odd names, nothing to check, faults in their own code."""

from __future__ import annotations

from dataclasses import replace

import pytest

from said import GARDEN, meaning_of
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.worlds.full_world import FullWorld

NAMED_LIKE_OURS = """\
name = "named"
about = "A robot with odd names."
[kinds]
thing = ["box", "tin"]
place = ["shelf", "bench"]
[skills.stop]
says = "Stop the {thing}."
doc = "Stop a thing."
parameters = { thing = "thing" }
makes = ["stopped({thing})"]
[skills.note]
says = "Put a note on the {thing}."
doc = "Label a thing."
parameters = { thing = "thing" }
[skills.set]
says = "Set the {thing} on the {place}."
doc = "Set a thing down."
parameters = { thing = "thing", place = "place" }
makes = ["at({thing}, {place})"]
[skills.open]
says = "Open the {thing}."
doc = "Open a thing."
parameters = { thing = "thing" }
makes = ["opened({thing})"]
[skills.things]
says = "Count everything."
doc = "Count."
[relations.stopped]
says = "{thing} is stopped."
doc = "Whether it is."
parameters = { thing = "thing" }
[relations.opened]
says = "{thing} was opened."
doc = "Whether it is."
parameters = { thing = "thing" }
[relations.at]
says = "{thing} is on the {place}."
doc = "Whether it is."
parameters = { thing = "thing", place = "place" }
single = true
[start]
facts = ["opened(tin)", "at(box, shelf)"]
"""


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('stop("box")', "I will stop the box."),
        ("stop_()", "I leave off."),
        ('note("box")', "I will put a note on the box."),
        ('note_("it is new")', "I remember: It is new."),
        ('do_set("box", "bench")', "I will set the box on the bench."),
        ('do_set(things, "bench")', "I will set the box and the tin on the bench."),
        ('do_set(things, "shelf")', "I will set the tin on the shelf. Box is on the shelf already."),
        ("open([t for t in things if not is_open(t)])", "I will open the box."),
        ('say(is_open("tin"))', "Yes. Tin is open."),
        ("do_things()", "I will count everything."),
        ("say(len(places))", "2."),
    ],
)
def test_names_that_are_ours_or_pythons_or_twice_there_can_all_be_said(program: str, words: str) -> None:
    world = TextFileWorld(NAMED_LIKE_OURS)
    opened = world.relations["opened"]
    spelled = replace(opened.signature, name="open", says="{thing} is open.")
    twice = replace(opened, signature=spelled, holds=lambda thing: thing == "tin")
    world.relations = {**world.relations, "open": twice}
    assert meaning_of(program, world).words == words


def test_a_robot_without_relations_and_effects_can_be_spoken_with() -> None:
    bare = """\
name = "bare"
about = "A robot."
[kinds]
bell = ["bell", "bells", "old bell"]
[skills.ring]
says = "Ring the {bell}."
doc = "Ring."
parameters = { bell = "bell" }
"""
    assert meaning_of('ring("bell")', bare).words == "I will ring the bell."
    assert meaning_of('ring("bells")', bare).words == "I will ring the bells."
    assert meaning_of('ring("Old Bell")', bare).words == "I will ring the old bell."
    assert meaning_of('say(bells if False else "no")', bare).words == "No."
    everything = meaning_of("ring(things)", bare)
    assert len(everything.deeds) == 3 and not everything.act.wishes


def test_lists_that_would_be_named_like_a_function_of_python_are_named_otherwise() -> None:
    robot = 'name = "ab"\nabout = "A robot."\n[kinds]\nab = ["left ab", "right ab"]\n'
    robot += '[skills.pat]\nsays = "Pat the {ab}."\ndoc = "Pat."\nparameters = { ab = "ab" }\n'
    assert meaning_of("pat(all_abs)", robot).words == "I will pat the left ab and the right ab."


def test_nouns_that_names_share_are_lists() -> None:
    text = GARDEN.replace("fern", "red rose").replace('"rose"', '"white rose"').replace("(rose)", "(white rose)")
    world = TextFileWorld(text)
    assert lexicon_of(FullWorld(world), world.observe()).kinds["roses"] == ("red rose", "white rose")
    assert meaning_of("water(roses)", world).words == "I will water the red rose and the white rose."


class Faulty(TextFileWorld):
    """What it can tell, it cannot tell just now."""

    def holds(self, condition: object) -> bool:
        raise ZeroDivisionError("division by zero")


def test_a_fault_in_the_robots_own_code_is_no_fault_of_the_program_and_no_answer() -> None:
    told = meaning_of('say(wet("cactus"))', Faulty(GARDEN)).words
    assert told == "I cannot tell just now: Cactus is wet. Division by zero."
    assert meaning_of('water("cactus")', Faulty(GARDEN)).words == "I will water the cactus."
