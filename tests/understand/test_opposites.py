"""What says the opposite of what a reading does is asked about."""

from __future__ import annotations

import pytest

from said import Talk
from stable import UNSURE, asked, stable
from stable import sure as sure
from thinkaloud.records import Ask
from thinkaloud.robots.text_file import TextFileWorld

pytestmark = pytest.mark.usefixtures("sure")


# Opposites ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "program", "told"),
    [
        ("Unbolt the north hatch.", 'bolt("north hatch")', "I will unbolt the north hatch."),
        ("Swing the north hatch down.", 'swing("north hatch", "up")', "I will swing the north hatch down."),
        (
            "The racing saddle should come down.",
            'hang("racing saddle")',
            "It is not so that the racing saddle hangs anyway.",
        ),
        (
            "Groom the ones that have been fed.",
            "groom([a for a in animals if hungry(a)])",
            "I will groom Blaze and Olive.",
        ),
        (
            "Feed whoever has not been fed.",
            "feed([a for a in animals if not hungry(a)])",
            "I will feed Star and Pepper.",
        ),
        (
            "Bolt every hatch that isn't bolted yet.",
            "bolt([h for h in hatches if bolted(h)])",
            "I will bolt the south hatch.",
        ),
        (
            "Groom the ones that are not hungry.",
            "groom([a for a in animals if hungry(a)])",
            "I will groom Blaze and Olive.",
        ),
        (
            "Bolt every hatch that is unbolted.",
            "bolt([h for h in hatches if bolted(h)])",
            "I will bolt the south hatch.",
        ),
    ],
)
def test_what_is_done_the_wrong_way_round_is_asked_about(request_: str, program: str, told: str) -> None:
    assert asked(request_, program).startswith(f"I understood: {told}")


def test_an_answer_the_wrong_way_round_is_asked_about() -> None:
    question = asked("Which animals have been fed?", "say([a for a in animals if hungry(a)])")
    assert "which animal is not hungry. My answer to that: Blaze and Olive." in question


@pytest.mark.parametrize(
    ("request_", "program", "answer"),
    [
        ("Is the south hatch unbolted?", 'say(bolted("south hatch"))', "Yes. The south hatch is not bolted."),
        ("Is the north hatch down?", 'say(raised("north hatch"))', "No. The north hatch is up."),
        ("Is the north hatch bolted?", 'say(bolted("north hatch"))', "Yes. The north hatch is bolted."),
        ("Has Star been fed?", 'say(not hungry("Star"))', "No. Star is hungry."),
        ("Is the north hatch down?", 'say(lowered("north hatch"))', "No. The north hatch is up."),
        ("Which hatches are not bolted?", "say([h for h in hatches if unbolted(h)])", "South hatch."),
        ("Isn't the south hatch bolted?", 'say(bolted("south hatch"))', "No. The south hatch is not bolted."),
    ],
)
def test_a_yes_is_a_yes_to_what_was_asked(request_: str, program: str, answer: str) -> None:
    talk = Talk([program], stable(), preset=UNSURE, answers=("no",))
    assert talk.say(request_).because == answer


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("Groom the ones that are not hungry.", "groom([a for a in animals if not hungry(a)])"),
        ("Feed those who are hungry so that they are not hungry.", "feed([a for a in animals if hungry(a)])"),
        ("Unbolt the bolted hatches.", "unbolt([h for h in hatches if bolted(h)])"),
        ("Bolt every hatch that is unbolted.", "bolt([h for h in hatches if not bolted(h)])"),
        ("Take down all the saddles.", "take_down([s for s in saddles if hung(s)])"),
        ("Feed whoever has not been fed.", "feed([a for a in animals if hungry(a)])"),
        ("Swing the north hatch down and then up again.", 'swing("north hatch", "down")\nswing("north hatch", "up")'),
        ("Hang up the saddle that is down there, the old one.", 'hang("old saddle")'),
        ("Lead all the horses that are not up on the hill away to the paddock.", 'lead(horses, "paddock")'),
        ("I don't want a single one of the hatches up.", 'swing(hatches, "down")'),
    ],
)
def test_what_is_the_right_way_round_is_not_asked_about(request_: str, program: str) -> None:
    assert "Is that right?" not in asked(request_, program) or "nothing to do" in asked(request_, program)


# What no skill does ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("Ungroom Star.", 'feed("Star")'),
        ("Feed Olive, then unhang the old saddle.", 'feed("Olive")\nhang("old saddle")'),
    ],
)
def test_what_begins_with_the_opposite_of_a_skill_is_not_done_by_it(request_: str, program: str) -> None:
    assert asked(request_, program)


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("Star is hungry.", 'feed("Star")'),
        ("Hang up the old saddle.", 'hang("old saddle")'),
        ("Unbolt the south hatch.", 'unbolt("south hatch")'),
        ("Please feed Olive now.", 'feed("Olive")'),
    ],
)
def test_a_state_that_is_to_end_is_no_opposite_of_what_ends_it(request_: str, program: str) -> None:
    assert not asked(request_, program)


PRESS = """\
name = "press"
about = "A robot presses shirts."

[kinds]
iron = ["steam iron", "travel iron"]

[skills.heat]
says = "Plug in the {iron}."
doc = "Plug an iron in."
parameters = { iron = "iron" }
makes = ["hot({iron})"]

[relations.hot]
says = "The {iron} is hot."
doc = "Whether an iron is hot."
parameters = { iron = "iron" }
"""


@pytest.mark.parametrize(
    ("request_", "asks"), [("Cool the travel iron down.", True), ("The travel iron is cold.", False)]
)
def test_what_is_asked_for_is_not_the_opposite_of_what_comes_of_a_skill(request_: str, asks: bool) -> None:
    talk = Talk(['heat("travel iron")'], TextFileWorld(PRESS), preset=UNSURE, answers=("no",))
    talk.say(request_)
    assert bool(talk.all(Ask)) is asks
    assert bool(talk.steps) is not asks


DEPOT = """\
name = "depot"
about = "A robot looks after vases."

[kinds]
vase = ["tall vase", "blue vase"]

[skills.unwrap]
says = "Unwrap the {vase}."
doc = "Take the paper off a vase."
parameters = { vase = "vase" }
ends = ["wrapped({vase})"]

[skills.draw]
says = "Draw the {vase}."
doc = "Make a drawing of a vase on paper."
parameters = { vase = "vase" }
makes = ["drawn({vase})"]

[relations.wrapped]
says = "The {vase} is wrapped."
doc = "Whether a vase is wrapped."
parameters = { vase = "vase" }

[relations.drawn]
says = "The {vase} is drawn."
doc = "Whether there is a drawing of a vase."
parameters = { vase = "vase" }

[start]
facts = ["wrapped(tall vase)"]
"""


def test_skills_that_have_nothing_to_do_with_each_other_are_no_opposites() -> None:
    talk = Talk(['unwrap("tall vase")'], TextFileWorld(DEPOT), preset=UNSURE, answers=("no",))
    talk.say("Get the tall vase ready and put it on show.")
    assert not talk.all(Ask) and talk.steps
