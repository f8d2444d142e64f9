"""Nothing is asked, told or offered of things of the wrong kind."""

from __future__ import annotations

import pytest

from said import Talk, meaning_of
from thinkaloud.records import Ask, Meaning
from thinkaloud.robots.text_file import TextFileWorld

HOME = """
name = "home"
about = "A robot in a care home."
[kinds]
resident = ["Mr Lee", "Ms Ito"]
medicine = ["aspirin tablet", "iron tablet"]
key = ["medicine key", "front door key"]
room = ["bathroom", "kitchen"]
[skills.give]
says = "Give {resident} the {medicine}."
doc = "Give a resident a medicine."
parameters = { resident = "resident", medicine = "medicine" }
makes = ["taken({resident}, {medicine})"]
[skills.lead]
says = "Lead {resident} to the {room}."
doc = "Take a resident to a room."
parameters = { resident = "resident", room = "room" }
makes = ["inside({resident}, {room})"]
[skills.fetch]
says = "Fetch the {key}."
doc = "Get a key."
parameters = { key = "key" }
[relations.taken]
says = "{resident} has taken the {medicine}."
doc = "Whether a resident has taken a medicine."
parameters = { resident = "resident", medicine = "medicine" }
[relations.inside]
says = "{resident} is in the {room}."
doc = "Where a resident is."
parameters = { resident = "resident", room = "room" }
"""


@pytest.mark.parametrize(
    "program",
    [
        'say(taken("Mr Lee", "medicine key"))',
        'say(not taken("Mr Lee", "medicine key"))',
        'if not taken("Mr Lee", "medicine key"):\n    give("Mr Lee", "iron tablet")',
        'say([r for r in residents if taken(r, "medicine key")])',
        'say(taken("Mr Lee", the("medicine key")))',
    ],
)
def test_a_question_about_a_thing_of_another_kind_is_not_answered(program: str) -> None:
    meaning = meaning_of(program, HOME)
    assert meaning.sort == "refusal" and meaning.words.startswith("I cannot tell that of the medicine key")


@pytest.mark.parametrize(
    "program",
    [
        'say([k for k in keys if inside("Mr Lee", k)])',
        'say(any(inside("Mr Lee", k) for k in keys))',
        'for r in residents:\n    if not any([inside(r, k) for k in keys]):\n        give(r, "iron tablet")',
        'say(sorted(keys, key=lambda k: inside("Mr Lee", k)))',
        'say(inside("Mr Lee", "kitchen") or any(inside("Mr Lee", k) for k in keys))',
    ],
)
def test_a_list_in_which_nothing_is_of_the_kind_is_no_false_answer(program: str) -> None:
    meaning = meaning_of(program, HOME)
    assert meaning.sort == "refusal" and not meaning.deeds
    assert meaning.words.startswith("I cannot tell that of the medicine key")


def test_where_nothing_of_a_kind_is_here_a_relation_holds_for_none() -> None:
    nobody = HOME.replace('room = ["bathroom", "kitchen"]', "room = []")
    assert meaning_of('say([k for k in keys if inside("Mr Lee", k)])', nobody).words == "Mr Lee is in no key."


def test_of_a_list_what_makes_no_sense_is_left_out_as_before() -> None:
    assert meaning_of('say([x for x in things if taken("Mr Lee", x)])', HOME).sort == "answer"


def test_what_the_model_takes_a_word_for_is_of_the_kind_that_its_place_takes() -> None:
    """`the loo` cannot become a tablet: only rooms are offered to the model, and nothing else is taken."""
    for known in (' "aspirin tablet"', " none"):
        talk = Talk(['lead("Mr Lee", the("loo"))', known], TextFileWorld(HOME))
        talk.say("Take Mr Lee to the loo.")
        assert talk.steps == [] and talk.all(Meaning)[-1].words == "Which loo do you mean? (bathroom / kitchen)"
    talk = Talk(['lead("Mr Lee", the("loo"))', ' "bathroom"'], TextFileWorld(HOME))
    talk.say("Take Mr Lee to the loo.")
    assert talk.steps == ["Lead Mr Lee to the bathroom."]


def test_which_one_is_asked_only_among_things_of_the_right_kind() -> None:
    talk = Talk(['give("Mr Lee", the("medicine"))'], TextFileWorld(HOME), answers=("no",))
    talk.say("Give Mr Lee the medicine.")
    assert talk.all(Ask)[0].questions == ("Which medicine do you mean? (aspirin tablet / iron tablet)",)
