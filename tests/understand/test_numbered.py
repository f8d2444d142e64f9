"""`Light`, `light 2`: a noun that numbered things share is not the first of them, whatever that one is like."""

from __future__ import annotations

import asyncio
import re

import pytest

from said import question_of
from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.records import Meaning
from thinkaloud.robots.text_file import TextFileWorld

LAMPS = """\
name = "lamps"
about = "A robot with lamps."
[kinds]
lamp = ["lamp", "lamp 2", "lamp 3"]
[skills.switch_off]
says = "Switch off the {lamp}."
doc = "Switch off a lamp."
parameters = { lamp = "lamp" }
makes = ["off({lamp})"]
[skills.dust]
says = "Dust the {lamp}."
doc = "Dust a lamp."
parameters = { lamp = "lamp" }
[relations.off]
says = "The {lamp} is off."
doc = "Whether a lamp is off."
parameters = { lamp = "lamp" }
[start]
facts = ["off(lamp)", "off(lamp 2)"]
"""


def meant(request: str, program: str, *, on: tuple[str, ...] = ("lamp 3",)) -> Meaning:
    off = [name for name in ("lamp", "lamp 2", "lamp 3") if name not in on]
    text = re.sub(r"facts = .*", "facts = [" + ", ".join(f'"off({name})"' for name in off) + "]", LAMPS)
    agent = Agent(TextFileWorld(text), Scripted([program, "give_up()"]), "thinkaloud:confirm=never")
    asyncio.run(agent.run(request))
    meaning = agent.monologue.last(Meaning)
    assert meaning is not None
    return meaning


@pytest.mark.parametrize("request_", ["Switch off lamp.", "Switch off the lamp.", "Switch off a lamp."])
def test_one_that_is_as_it_should_be_is_not_meant_where_another_is_not(request_: str) -> None:
    assert meant(request_, 'switch_off("lamp")').words == "I will switch off the lamp 3."


def test_of_several_the_one_is_asked_for_unless_any_will_do() -> None:
    on = ("lamp 2", "lamp 3")
    asked = meant("Switch off the lamp.", 'switch_off("lamp")', on=on)
    assert question_of(asked).text == "Which lamp do you mean?" and question_of(asked).options == on
    assert meant("Switch off lamp.", 'switch_off("lamp")', on=on).words == "I will switch off the lamp 2."


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("Switch off lamp 2.", 'switch_off("lamp 2")'),
        ("Switch off lamp two.", 'switch_off("lamp 2")'),
        ("Switch off the second lamp.", 'switch_off("lamp 2")'),
        ("Switch off the other lamp.", 'switch_off("lamp 2")'),
        ("Switch it off.", 'switch_off("lamp 2")'),
        ("Switch off the lamp if it is on.", 'if not off("lamp 2"):\n    switch_off("lamp 2")'),
    ],
)
def test_one_that_was_meant_itself_is_not_exchanged(request_: str, program: str) -> None:
    meaning = meant(request_, program)
    assert not meaning.deeds and "lamp 3" not in meaning.words


def test_what_is_listed_or_not_so_yet_stays_as_it_was_read() -> None:
    every = meant("Switch off the lamps.", 'switch_off(["lamp", "lamp 2", "lamp 3"])')
    assert every.words.startswith("I will switch off the lamp 3.")
    assert meant("Switch off the lamp.", 'switch_off("lamp")', on=("lamp",)).words == "I will switch off the lamp."
    assert meant("Dust the lamp.", 'dust("lamp")').words == "I will dust the lamp."
