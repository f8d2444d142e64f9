"""A stable to speak with: kinds within a kind, opposites, places, choices; and a model that is sure of its reading."""

from __future__ import annotations

import pytest

from said import Talk
from thinkaloud.records import Ask
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand import deciding, reader
from thinkaloud.understand.checking.certainty import Doubt

UNSURE = "thinkaloud:confirm=unsure"
STABLE = """\
name = "stable"
about = "A robot looks after horses and goats."

[kinds]
animal = ["Star", "Blaze", "Pepper", "Olive"]
horse = ["Star", "Blaze"]
goat = ["Pepper", "Olive"]
place = ["paddock", "stall", "hill"]
hatch = ["north hatch", "south hatch"]
bucket = ["tin bucket", "wooden bucket"]
saddle = ["racing saddle", "old saddle", "pony saddle"]
jug = ["jug"]

[skills.groom]
says = "Groom {animal}."
doc = "Brush the coat of an animal."
parameters = { animal = "animal" }
makes = ["groomed({animal})"]

[skills.feed]
says = "Feed {animal}."
doc = "Give an animal hay."
parameters = { animal = "animal" }
ends = ["hungry({animal})"]

[skills.lead]
says = "Lead {animal} to the {place}."
doc = "Walk an animal somewhere."
parameters = { animal = "animal", place = "place" }
makes = ["at({animal}, {place})"]

[skills.bolt]
says = "Bolt the {hatch}."
doc = "Push the bolt of a hatch."
parameters = { hatch = "hatch" }
makes = ["bolted({hatch})"]

[skills.unbolt]
says = "Unbolt the {hatch}."
doc = "Draw the bolt of a hatch."
parameters = { hatch = "hatch" }
ends = ["bolted({hatch})"]

[skills.swing]
says = "Swing the {hatch} {way}."
doc = "Move the flap of a hatch."
parameters = { hatch = "hatch", way = ["up", "down"] }
makes = { up = ["raised({hatch})"] }
ends = { down = ["raised({hatch})"] }

[skills.pour]
says = "Pour {what} into the {bucket}."
doc = "Fill a bucket."
parameters = { what = ["oats", "water"], bucket = "bucket" }
makes = ["holds({bucket}, {what})"]

[skills.hang]
says = "Hang up the {saddle}."
doc = "Hang a saddle on its hook."
parameters = { saddle = "saddle" }
makes = ["hung({saddle})"]

[skills.take_down]
says = "Take down the {saddle}."
doc = "Take a saddle from its hook."
parameters = { saddle = "saddle" }
ends = ["hung({saddle})"]

[skills.rinse]
says = "Rinse the {jug}."
doc = "Rinse a jug."
parameters = { jug = "jug" }

[relations.groomed]
says = "{animal} is groomed."
doc = "Whether an animal was groomed."
parameters = { animal = "animal" }

[relations.hungry]
says = "{animal} is hungry."
doc = "Whether an animal wants hay."
parameters = { animal = "animal" }

[relations.at]
says = "{animal} is at the {place}."
doc = "Where an animal is."
parameters = { animal = "animal", place = "place" }
single = true

[relations.bolted]
says = "The {hatch} is bolted."
doc = "Whether a hatch is bolted."
parameters = { hatch = "hatch" }

[relations.raised]
says = "The {hatch} is up."
doc = "Whether a hatch is up."
parameters = { hatch = "hatch" }

[relations.holds]
says = "There is {what} in the {bucket}."
doc = "What a bucket holds."
parameters = { bucket = "bucket", what = ["oats", "water"] }
single = true

[relations.hung]
says = "The {saddle} hangs."
doc = "Whether a saddle is on its hook."
parameters = { saddle = "saddle" }

[start]
facts = ["hungry(Star)", "hungry(Pepper)", "at(Star, stall)", "at(Blaze, stall)", "at(Pepper, hill)",
  "bolted(north hatch)", "raised(north hatch)", "holds(tin bucket, oats)"]
"""
"""Star and Pepper are hungry; the north hatch is bolted and up; there are oats in the tin bucket; no saddle hangs."""


def stable() -> TextFileWorld:
    return TextFileWorld(STABLE)


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is sure of whatever it wrote, and has no other reading."""

    async def measured(*_: object) -> Doubt:
        return Doubt(0.99)

    monkeypatch.setattr(reader, "measure_doubt", measured)
    monkeypatch.setattr(deciding, "threshold_for", lambda *_: 0.5)


def asked(request: str, program: str) -> str:
    """What the robot asks; nothing where it does what was read."""
    talk = Talk([program], stable(), preset=UNSURE, answers=("no",))
    talk.say(request)
    questions = [question for ask in talk.all(Ask) for question in ask.questions]
    assert not (questions and talk.steps)
    return " ".join(questions)


def is_right(told: str) -> str:
    return f"I understood: {told} Is that right?"
