"""A reading that does something else than the words say is asked about, however sure the model is of it."""

from __future__ import annotations

import pytest

from said import Talk
from stable import UNSURE, asked, is_right, stable
from stable import sure as sure
from thinkaloud.records import Ask, Meaning
from thinkaloud.robots.text_file import TextFileWorld

pytestmark = pytest.mark.usefixtures("sure")
WHAT = "What do you mean?"


# One of two -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "program", "one", "other"),
    [
        ("Groom Star or Olive.", 'groom(["Star", "Olive"])', "groom Star", "groom Olive"),
        (
            "Lead Olive to the hill or the paddock.",
            'lead("Olive", "hill")\nlead("Olive", "paddock")',
            "lead Olive to the hill",
            "lead Olive to the paddock",
        ),
        (
            "Either feed Star or unbolt the north hatch.",
            'feed("Star")\nunbolt("north hatch")',
            "feed Star",
            "unbolt the north hatch",
        ),
        (
            "Hang up the old saddle and groom Blaze or Olive.",
            'hang("old saddle")\ngroom("Blaze")\ngroom("Olive")',
            "hang up the old saddle, then groom Blaze",
            "hang up the old saddle, then groom Olive",
        ),
        ("Groom Star or Blaze.", "groom(horses)", "groom Star", "groom Blaze"),
        (
            "Hang the old or the pony saddle up.",
            'hang(["old saddle", "pony saddle"])',
            "hang up the old saddle",
            "hang up the pony saddle",
        ),
        ("Groom Star or Blaze.", 'groom("Star or Blaze")', "groom Star", "groom Blaze"),
        (
            "Fill the wooden bucket with oats or water.",
            'pour("oats", "wooden bucket")\npour("water", "wooden bucket")',
            "pour oats into the wooden bucket",
            "pour water into the wooden bucket",
        ),
    ],
)
def test_of_two_with_or_between_them_one_is_chosen(request_: str, program: str, one: str, other: str) -> None:
    assert asked(request_, program) == f"{WHAT} 1. I will {one}. 2. I will {other}."


def test_who_leaves_the_choice_to_the_robot_gets_the_first() -> None:
    talk = Talk(['groom(["Star", "Olive"])'], stable(), preset=UNSURE, answers=("either",))
    assert talk.say("Groom Star or Olive.").result == "goal met"
    assert (talk.steps, len(talk.model.prompts)) == (["Groom Star."], 1)


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("Groom every horse or goat.", "groom(animals)"),
        ("Groom all that are horses or goats.", "groom(animals)"),
        ("If Star or Pepper is hungry, feed both.", 'feed("Star")\nfeed("Pepper")'),
        ("Groom Star or Olive.", 'groom("Olive")'),
        ("Groom Star and Olive, or so.", 'groom(["Star", "Olive"])'),
        ("Groom Star and Blaze.", "groom(horses)"),
    ],
)
def test_or_that_chooses_nothing_or_was_heard_is_not_asked_about(request_: str, program: str) -> None:
    assert asked(request_, program) == ""


# How many -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "program", "told"),
    [
        ("Groom all the animals.", "groom(horses)", "I will groom Star, Blaze, Pepper and Olive."),
        ("Groom every animal.", "groom(goats)", "I will groom Star, Blaze, Pepper and Olive."),
        ("Groom the creatures, please.", "groom(horses)", "I will groom Star, Blaze, Pepper and Olive."),
        (
            "Lead all the beasts to the paddock.",
            'lead(["Star", "Olive"], "paddock")',
            "I will lead Star, Blaze, Pepper and Olive to the paddock.",
        ),
        ("Feed the goats.", "feed([a for a in animals if hungry(a)])", "I will feed Pepper."),
        ("Hang up two saddles.", "hang(saddles)", "I will hang up the racing saddle and the old saddle."),
        ("Hang up all the saddles but one.", "hang(saddles)", "I will hang up the old saddle and the pony saddle."),
        ("Hang up the saddles, one stays.", "hang(saddles)", "I will hang up the old saddle and the pony saddle."),
        ("Hang the saddles up and leave one.", "hang(saddles)", "I will hang up the old saddle and the pony saddle."),
    ],
)
def test_so_many_are_meant_as_were_spoken_of(request_: str, program: str, told: str) -> None:
    assert asked(request_, program) == is_right(told)


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("Hang up a saddle.", "hang(saddles)"),
        ("Hang one saddle up.", 'hang(["old saddle", "pony saddle"])'),
        ("Would you hang up a saddle, and groom Star?", 'hang(saddles)\ngroom("Star")'),
    ],
)
def test_one_of_several_is_one_of_them_and_not_all(request_: str, program: str) -> None:
    said = asked(request_, program)
    assert said.startswith("I understood: I will hang up the racing saddle") and "old saddle" not in said


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("Groom all the horses.", "groom(horses)"),
        ("Feed all the animals that are hungry.", "feed([a for a in animals if hungry(a)])"),
        ("Groom all the horses and goats.", "groom(horses)\ngroom(goats)"),
        ("Groom all the goats, then lead Star to the hill.", 'groom(goats)\nlead("Star", "hill")'),
        ("Groom the horses.", 'groom(["Star", "Blaze"])'),
        ("Lead everyone to the horses at the stall.", 'lead(animals, "stall")'),
        ("Hang up two saddles.", "hang(saddles[:2])"),
        ("If there are more than two saddles, hang up the old one.", 'if len(saddles) > 2:\n    hang("old saddle")'),
        ("Hang up the second of the three saddles.", "hang(saddles[1])"),
        ("Hang up all the saddles but one.", "hang(saddles[1:])"),
        ("Hang up a saddle.", 'hang("pony saddle")'),
        ("Hang up an old saddle and a pony saddle.", 'hang(["old saddle", "pony saddle"])'),
        ("Lead each horse to a place.", 'lead("Star", "hill")\nlead("Blaze", "paddock")'),
        ("Give one bucket of water to both: pour water.", 'pour("water", "tin bucket")'),
    ],
)
def test_as_many_as_were_spoken_of_are_not_asked_about(request_: str, program: str) -> None:
    assert asked(request_, program) == ""


BLOCKS = """\
name = "blocks"
about = "A robot stacks blocks."

[kinds]
block = ["red block", "blue block", "green block", "pink block"]

[skills.put]
says = "Put the {block} on the {other}."
doc = "Put a block on another one."
parameters = { block = "block", other = "block" }
makes = ["on({block}, {other})"]

[relations.on]
says = "The {block} is on the {other}."
doc = "Whether a block is on another one."
parameters = { block = "block", other = "block" }
single = true
"""


@pytest.mark.parametrize(
    ("request_", "program", "asks"),
    [
        ("Put one block on another.", "put(blocks[0], blocks[1])", False),
        ("Put one block on the other block.", "put(blocks[0], blocks[1])", False),
        ("Stack two blocks.", "put(blocks[1], blocks[0])", False),
        ("Put two blocks on the red block.", 'put(["blue block", "pink block"], "red block")', False),
        ("Put two blocks on the red block.", 'put([b for b in blocks if b != "red block"], "red block")', True),
    ],
)
def test_what_others_are_put_on_is_counted_or_not(request_: str, program: str, asks: bool) -> None:
    talk = Talk([program], TextFileWorld(BLOCKS), preset=UNSURE, answers=("no",))
    talk.say(request_)
    assert bool(talk.all(Ask)) is asks


@pytest.mark.parametrize(
    ("request_", "program", "steps"),
    [
        ("Groom the goats.", 'groom("goats")', ["Groom Pepper.", "Groom Olive."]),
        ("Groom both horses.", 'groom("horse")', ["Groom Star.", "Groom Blaze."]),
        ("Groom everybody.", 'groom("everybody")', ["Groom Star.", "Groom Blaze.", "Groom Pepper.", "Groom Olive."]),
        ("Hang up every one of the saddles.", 'hang("saddle")', ["Hang up the racing saddle."]),
    ],
)
def test_the_noun_of_a_list_is_the_list_where_all_were_spoken_of(request_: str, program: str, steps: list[str]) -> None:
    talk = Talk([program], stable(), preset=UNSURE, answers=("no",))
    assert talk.say(request_).result == "goal met"
    assert talk.steps[: len(steps)] == steps


def test_the_noun_of_a_list_is_a_question_where_both_are_said_of_three() -> None:
    assert asked("Hang up both saddles.", 'hang("saddle")').startswith("Which saddle do you mean?")


# What is forbidden ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "request_",
    [
        "Don't touch the jug, and groom the horses.",
        "Groom the horses without touching the jug.",
        "Leave the jug alone and groom the horses.",
        "Never move the jug. Groom the horses.",
    ],
)
def test_what_must_not_be_touched_is_left_alone_though_the_reading_lost_it(request_: str) -> None:
    talk = Talk(["groom(horses)"], stable(), preset=UNSURE, answers=("no",))
    end = talk.say(request_)
    assert (end.result, talk.steps) == ("goal met", ["Groom Star.", "Groom Blaze."])
    assert "I leave the jug alone." in end.because
    assert talk.kept == []


@pytest.mark.parametrize(
    ("request_", "program", "told"),
    [
        (
            "Don't feed Star, but groom and feed the others.",
            "groom(animals)\nfeed(animals)",
            "I will groom Blaze, Pepper and Olive, then feed Pepper.",
        ),
        ("Do not groom Olive. Groom the goats.", "groom(goats)", "I will groom Pepper."),
    ],
)
def test_what_must_not_be_done_with_a_thing_is_asked_about(request_: str, program: str, told: str) -> None:
    assert asked(request_, program).startswith(f"I understood: {told}")


def test_what_was_only_forbidden_is_not_done() -> None:
    wider = "in everything and not only in that"
    told = f"From now on I leave the north hatch alone, {wider}. There is nothing that I should do. Is that right?"
    assert asked("Please don't unbolt the north hatch.", 'unbolt("north hatch")') == told


def test_of_a_list_what_must_not_be_touched_is_left_out() -> None:
    talk = Talk(["groom(animals)"], stable(), preset=UNSURE, answers=("no",))
    assert talk.say("Don't bother Blaze, and groom the animals.").result == "goal met"
    assert talk.steps == ["Groom Star.", "Groom Pepper.", "Groom Olive."]


def test_an_order_beside_a_prohibition_is_not_lost_in_silence() -> None:
    assert asked("Don't touch the jug, and groom Star.", 'keep("jug")').endswith("Is that right?")
    assert asked("Don't touch the jug.", 'keep("jug")') == ""


@pytest.mark.parametrize(
    ("request_", "program"),
    [
        ("Don't forget to groom Star.", 'groom("Star")'),
        ("Don't stop before Star is groomed: groom Star.", 'groom("Star")'),
        ("Don't leave Star ungroomed, groom Star.", 'groom("Star")'),
        ("Do not feed Star, groom Star.", 'groom("Star")'),
        ("Don't groom Star but Olive.", 'groom("Olive")'),
    ],
)
def test_what_forbids_nothing_that_is_done_is_not_asked_about(request_: str, program: str) -> None:
    assert asked(request_, program) == ""


# Questions ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        'say([a for a in animals if at(a, "tin bucket")])',
        'say(holds("tin bucket", "water"))',
        'say([s for s in saddles if holds("tin bucket", s)])',
    ],
)
def test_an_answer_to_another_question_is_not_given(program: str) -> None:
    assert "Oats." in asked("What is in the tin bucket?", program)


def test_nobody_is_told_of_some_where_more_could_be_there() -> None:
    assert "Star and Blaze." in asked("Who is at the stall?", 'say([a for a in goats if at(a, "stall")])')
    assert asked("Which goats are at the stall?", 'say([a for a in goats if at(a, "stall")])') == ""
    assert asked("Who is at the stall?", 'say([a for a in animals if at(a, "stall")])') == ""


# Where it holds -------------------------------------------------------------------------------------------------------


def test_words_of_another_language_are_not_held_against_a_reading() -> None:
    assert asked("Bitte striegle alle Tiere oder nicht a horse.", "groom(horses)") == ""


def test_who_never_wants_to_be_asked_is_not() -> None:
    talk = Talk(['groom(["Star", "Olive"])'], stable(), answers=("no",))
    assert talk.say("Groom Star or Olive.").result == "goal met"
    assert talk.all(Ask) == []


# In parts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "programs", "parts", "question"),
    [
        (
            "Either feed Star or unbolt the north hatch.",
            ['cannot("I do not know both.")', 'feed("Star")', 'unbolt("north hatch")'],
            ["feed Star.", "unbolt the north hatch."],
            f"{WHAT} 1. I will feed Star. 2. I will unbolt the north hatch.",
        ),
        (
            "Lead either Olive or Star to the paddock, please.",
            ['lead("Olive and Star", "paddock")', 'lead("Olive", "paddock")', 'lead("Star", "paddock")'],
            ["Lead Olive to the paddock, please.", "Lead Star to the paddock, please."],
            f"{WHAT} 1. I will lead Olive to the paddock. 2. I will lead Star to the paddock.",
        ),
        (
            "Pour oats or water into the wooden bucket.",
            ["unclear()", 'pour("oats", "wooden bucket")', 'pour("water", "wooden bucket")'],
            ["Pour oats into the wooden bucket.", "Pour water into the wooden bucket."],
            f"{WHAT} 1. I will pour oats into the wooden bucket. 2. I will pour water into the wooden bucket.",
        ),
        (
            "Don't touch the jug, and groom Star.",
            ['keep("jug")', 'groom("Star")'],
            ["groom Star."],
            is_right("I will groom Star. I leave the jug alone."),
        ),
    ],
)
def test_what_was_not_understood_as_a_whole_is_read_in_parts(
    request_: str, programs: list[str], parts: list[str], question: str
) -> None:
    talk = Talk(programs, stable(), preset=UNSURE, answers=("no",))
    talk.say(request_)
    assert talk.all(Ask)[0].questions == (question,)
    assert [prompt.splitlines()[-1] for prompt in talk.model.prompts] == [f'# "{each}"' for each in (request_, *parts)]


def test_parts_that_are_not_understood_either_change_nothing() -> None:
    programs = ['cannot("There is no comet here.")', 'feed("comet")']
    talk = Talk(programs, stable(), preset=UNSURE, answers=("no",))
    assert talk.say("Either feed Star or unbolt the comet.").because == "There is no comet here."


def test_names_that_nobody_said_do_not_stand_for_a_list_that_was_spoken_of() -> None:
    assert asked("Groom both goats.", 'groom(["Star", "Olive"])') == is_right("I will groom Pepper and Olive.")
    told = "I will groom Pepper. I leave Olive alone."
    assert asked("Don't touch Olive, and groom the goats.", 'groom(["Olive", "Star"])') == is_right(told)
    assert asked("Groom the goats.", 'groom("Star")') == is_right("I will groom Pepper and Olive.")
    assert asked("Groom the goats Pepper and Olive.", 'groom(["Pepper", "Olive"])') == ""


def test_a_list_of_things_that_nothing_is_asked_of_is_no_answer() -> None:
    program = 'say([s for s in saddles if holds("tin bucket", "oats")])'
    assert "Oats." in asked("What is in the oats bucket, the tin bucket?", program)


@pytest.mark.parametrize(("program", "sure_of"), [("groom(goats)", 0.0), ("groom(animals)", 0.99)])
def test_what_does_not_fit_is_told_as_not_sure_also_where_nobody_is_asked(program: str, sure_of: float) -> None:
    talk = Talk([program], stable(), preset="thinkaloud:confirm=never")
    talk.say("Groom all the animals.")
    assert [each.sure for each in talk.all(Meaning)] == [sure_of]


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("Are all animals groomed that are hungry?", "No."),  # Star is hungry, and not groomed
        ("Are all hungry animals groomed?", "No."),
        ("Are all groomed animals hungry?", "Yes."),  # none is groomed
    ],
)
@pytest.mark.parametrize("order", ["hungry(a) and groomed(a)", "groomed(a) and hungry(a)"])
@pytest.mark.parametrize("so", ["groomed(a)", "hungry(a)"])
def test_a_yes_that_follows_from_the_question_is_no_answer(request_: str, answer: str, order: str, so: str) -> None:
    question = asked(request_, f"say(all([{so} for a in animals if {order}]))")
    assert question.startswith(f"I am not sure that I understood the question. My answer would be: {answer}")


def test_a_question_that_has_an_answer_is_answered() -> None:
    assert (
        asked("Are all animals groomed that are hungry?", "say(all([groomed(a) for a in animals if hungry(a)]))") == ""
    )
