"""Who speaks of one thing that nothing here fits is asked which it is; what has a name that is not here is declined."""

from __future__ import annotations

import pytest

from said import Talk, garden, meaning_of, question_of
from thinkaloud.records import Ask

GIANT = "water(the([p for p in plants if height(p) > 300]))"
PLANTS = 'plant = ["fern", "rose", "cactus"]'
WHICH = "Which plant do you mean? (fern / rose / cactus)"


def test_who_speaks_of_one_thing_that_nothing_fits_is_asked_which_it_is() -> None:
    talk = Talk([GIANT], garden(), answers=("the rose",))
    assert talk.say("Water the one higher than 300.").result == "goal met"
    assert (talk.all(Ask)[0].questions, talk.steps) == ((WHICH,), ["Water the rose."])


@pytest.mark.parametrize("answer", ["None of these.", "neither", "no"])
def test_who_means_none_of_them_gets_nothing_done(answer: str) -> None:
    talk = Talk([GIANT, *['unclear("")'] * 3], garden(), answers=(answer,) * 4)
    assert talk.say("Water the one higher than 300.").result != "goal met" and not talk.steps


@pytest.mark.parametrize(
    ("program", "asks"),
    [('water(the("succulent"))', True), ('water("succulent")', False), ('water(all_of("succulent"))', False)],
)
def test_only_one_thing_by_a_word_that_nobody_knows_is_asked_about(program: str, asks: bool) -> None:
    talk = Talk(lambda prompt: " none\n" if "# which" in prompt else program, garden(), answers=("no",))
    talk.say("Water the succulent.")
    asked = [question for ask in talk.all(Ask) for question in ask.questions]
    assert asked == (["Which succulent do you mean? (fern / rose / cactus)"] if asks else [])
    assert talk.ends == ["declined"]


def test_what_the_words_name_is_asked_about_whatever_else_was_said_of_it() -> None:
    talk = Talk(['open(the("window", [w for w in windows if is_open(w)]))'], garden(), answers=("the left one",))
    talk.say("Open the open window.")
    assert talk.all(Ask)[0].questions == ("Which window do you mean? (left window / right window)",)


def test_of_too_many_things_nobody_is_asked_which() -> None:
    many = ", ".join(f'"plant {n}"' for n in range(9))
    talk = Talk([GIANT], garden(**{PLANTS: f'plant = ["fern", "rose", "cactus", {many}]'}), answers=("no",))
    talk.say("Water the one higher than 300.")
    assert not talk.all(Ask) and not talk.steps


def test_a_name_whose_words_stand_in_several_names_is_asked_about() -> None:
    world = garden(**{PLANTS: 'plant = ["fern", "rose", "cactus", "big oak", "big elm"]'})
    assert question_of(meaning_of('water("the big one")', world)).options == ("big oak", "big elm")
