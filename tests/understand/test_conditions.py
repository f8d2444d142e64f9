"""What has to be so, and what is wanted otherwise: a reading that has it turned round, or lost, is asked about."""

from __future__ import annotations

import pytest

from said import Talk, garden
from stable import UNSURE, asked, stable
from stable import sure as sure
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.clauses import Conditional, clauses_of, conditionals_of

pytestmark = pytest.mark.usefixtures("sure")

MILL = """\
name = "mill"
about = "A robot looks after a mill."

[kinds]
pump = ["well pump", "sluice pump"]

[skills.start]
says = "Start the {pump}."
doc = "Switch a pump on."
parameters = { pump = "pump" }
makes = ["running({pump})"]

[skills.halt]
says = "Halt the {pump}."
doc = "Switch a pump off."
parameters = { pump = "pump" }
ends = ["running({pump})"]

[relations.running]
says = "The {pump} runs."
doc = "Whether a pump runs."
parameters = { pump = "pump" }

[start]
facts = ["running(sluice pump)"]
"""


# Clauses --------------------------------------------------------------------------------------------------------------


def test_a_request_is_cut_where_what_is_wanted_ends_or_at_every_comma() -> None:
    assert clauses_of("Feed Star, and then close the gate.") == ["Feed Star", "close the gate"]
    assert clauses_of("Feed Star and Blaze, but not Olive.", fine=True) == ["Feed Star", "Blaze", "not Olive"]


@pytest.mark.parametrize(
    "request_",
    [
        "If Star is hungry, feed her, otherwise groom her.",
        "If Star is hungry, feed her. Otherwise, groom her.",
        "If Star is hungry then feed her; if not, groom her.",
        "If Star is hungry, feed her, and if she isn't, groom her.",
    ],
)
def test_what_is_wanted_otherwise_belongs_to_its_condition(request_: str) -> None:
    assert conditionals_of(request_) == [Conditional("Star is hungry", "feed her", "groom her")]


def test_a_condition_may_come_last_or_be_denied() -> None:
    assert conditionals_of("Feed Star unless she is fed.") == [Conditional("she is fed", "Feed Star", denied=True)]
    told = conditionals_of("Groom Blaze, and if Star is hungry, feed her.")
    assert told == [Conditional("Star is hungry", "feed her")]
    assert conditionals_of("Feed Star.") == []


# Turned round ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "program", "told"),
    [
        (
            "If the south hatch is unbolted, bolt it.",
            'if bolted("south hatch"):\n    bolt("south hatch")',
            "If the south hatch is not bolted, I bolt the south hatch.",
        ),
        (
            "If the south hatch is not bolted, bolt it.",
            'if bolted("south hatch"):\n    bolt("south hatch")',
            "If the south hatch is not bolted, I bolt the south hatch.",
        ),
        (
            "Feed Blaze unless he has been fed.",
            'if not hungry("Blaze"):\n    feed("Blaze")',
            "If Blaze is hungry, I feed Blaze.",
        ),
        (
            "When the north hatch isn't down, swing it down and bolt it.",
            'if not raised("north hatch"):\n    swing("north hatch", "down")\n    bolt("north hatch")',
            "If the north hatch is up, I swing the north hatch down, then I bolt the north hatch.",
        ),
    ],
)
def test_a_condition_that_is_turned_round_is_asked_about_the_right_way_round(
    request_: str, program: str, told: str
) -> None:
    assert asked(request_, program).startswith(f"I understood: {told}")


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("If the south hatch is unbolted, bolt it.", 'if not bolted("south hatch"):\n    bolt("south hatch")'),
        ("Feed Star unless she has been fed.", 'if hungry("Star"):\n    feed("Star")'),
        (
            "If Star is hungry, feed her, otherwise groom her.",
            'if hungry("Star"):\n    feed("Star")\nelse:\n    groom("Star")',
        ),
        (
            "If Star has been fed, groom her, otherwise feed her.",
            'if hungry("Star"):\n    feed("Star")\nelse:\n    groom("Star")',
        ),
        (
            "If not all have been fed, bolt the south hatch.",
            'if any([hungry(a) for a in animals]):\n    bolt("south hatch")',
        ),
        ("If the north hatch is up, unbolt the north hatch.", 'if raised("north hatch"):\n    unbolt("north hatch")'),
        ("If the north hatch is bolted, swing it down.", 'if bolted("north hatch"):\n    swing("north hatch", "down")'),
    ],
)
def test_a_condition_as_it_was_said_is_gone_by(request_: str, program: str) -> None:
    assert asked(request_, program) == ""


def test_branches_that_are_exchanged_are_asked_about_the_other_way_round() -> None:
    exchanged = 'if hungry("Star"):\n    groom("Star")\nelse:\n    feed("Star")'
    question = asked("If Star is hungry, feed her, otherwise groom her.", exchanged)
    assert "I feed Star, and otherwise I groom Star" in question
    tall = garden()
    program = 'if height("rose") > 60:\n    water("rose")\nelse:\n    prune("rose", 3)'
    talk = Talk([program], tall, preset=UNSURE, answers=("yes",))
    talk.say("If the rose is taller than 60, prune it by 3, otherwise water it.")
    assert talk.steps == ["Prune the rose by 3 centimetres."]


@pytest.mark.parametrize("word", ["off", "stopped", "not on", "idle"])
def test_what_skills_are_for_tells_the_words_for_a_state_and_its_opposite(word: str) -> None:
    talk = Talk(
        ['if running("well pump"):\n    start("well pump")'], TextFileWorld(MILL), preset=UNSURE, answers=("yes",)
    )
    assert talk.say(f"If the well pump is {word}, start it.").result == "goal met"
    assert talk.steps == ["Start the well pump."]


def test_what_stands_beside_a_condition_is_wanted_in_any_case() -> None:
    program = 'if not bolted("north hatch"):\n    unbolt("north hatch")\nif hungry("Star"):\n    feed("Star")'
    question = asked("Unbolt the north hatch, and if Star is hungry, feed her.", program)
    assert question.startswith("I understood: I unbolt the north hatch, then if Star is hungry, I feed Star.")
    right = 'unbolt("north hatch")\nif hungry("Star"):\n    feed("Star")'
    assert asked("Unbolt the north hatch, and if Star is hungry, feed her.", right) == ""


# Otherwise ------------------------------------------------------------------------------------------------------------


def test_what_is_wanted_otherwise_and_was_lost_is_read_alone_and_asked_about() -> None:
    lost, other = 'if bolted("south hatch"):\n    unbolt("south hatch")', 'bolt("south hatch")'
    talk = Talk([lost, lost, other], stable(), preset=UNSURE, answers=("yes",))
    talk.say("If the south hatch is bolted, unbolt it, otherwise bolt it.")
    assert talk.steps == ["Bolt the south hatch."]
    assert "Bolt the south hatch." in talk.model.prompts[-1]  # what `it` is was said for it


def test_a_word_for_a_thing_is_the_thing_that_was_named() -> None:
    program = 'if hungry("Blaze"):\n    feed("it")\nelse:\n    groom("him")'
    talk = Talk([program], stable(), preset=UNSURE)
    assert talk.say("If Blaze is hungry, feed him, otherwise groom him.").result == "goal met"
    assert talk.steps == ["Groom Blaze."]


def test_which_thing_a_word_stands_for_is_asked_where_none_or_several_were_named() -> None:
    assert asked("Groom him.", 'groom("him")') == "Which animal do you mean? (Star / Blaze / Pepper / Olive)"
    assert (
        asked("If Star and Blaze are here, groom it.", 'groom("it")')
        == "Which animal do you mean? (Star / Blaze / Pepper / Olive)"
    )


def test_another_thing_that_nobody_named_is_no_it() -> None:
    program = 'if hungry("Blaze"):\n    feed("Blaze")\nelse:\n    groom("Olive")'
    question = asked("If Blaze is hungry, feed him, otherwise groom him.", program)
    assert "and otherwise I groom Blaze" in question and "Olive" not in question
