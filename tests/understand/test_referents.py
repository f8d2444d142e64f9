"""Descriptions in a program: code finds the things that are meant, and asks when several could be."""

from __future__ import annotations

import pytest

from said import Talk, question_of
from thinkaloud.records import Ask, Meaning
from thinkaloud.robots.text_file import TextFileWorld

BAR = """
name = "bar"
about = "A robot serves drinks."
[kinds]
bottle = ["cola", "apple spritzer", "stout", "wheat beer"]
guest = ["Ida", "Omar"]
[skills.serve]
says = "Serve the {bottle} to {guest}."
doc = "Serve a bottle to a guest."
parameters = { bottle = "bottle", guest = "guest" }
makes = ["served({bottle}, {guest})"]
[skills.chill]
says = "Chill the {bottle}."
doc = "Chill a bottle."
parameters = { bottle = "bottle" }
makes = ["cold({bottle})"]
[relations.served]
says = "{bottle} is served to {guest}."
doc = "Whether a guest has a bottle."
parameters = { bottle = "bottle", guest = "guest" }
[relations.cold]
says = "{bottle} is cold."
doc = "Whether a bottle is cold."
parameters = { bottle = "bottle" }
[start]
facts = ["cold(stout)"]
"""


class Bar(Talk):
    """A conversation with the bar's robot; the model reads from a list."""

    def __init__(self, *said: str, answers: tuple[str, ...] = ()) -> None:
        super().__init__([*said], TextFileWorld(BAR), answers=answers)

    def read(self, request: str) -> Meaning:
        """What a request was read as, after it is carried out."""
        self.say(request)
        found = self.agent.monologue.last(Meaning)
        assert found is not None
        return found

    @property
    def questions(self) -> list[str]:
        return [each for ask in self.all(Ask) for each in ask.questions]


def meant(program: str, *known: str) -> Meaning:
    return Bar(program, *known).read("We two are thirsty.")


def test_the_wants_exactly_one_and_asks_when_several_fit() -> None:
    assert question_of(meant('chill(the("beer"))', ' "stout", "wheat beer"')).options == ("wheat beer", "stout")
    assert meant("chill(the(bottles))").sort == "question"
    assert meant("chill(the([b for b in bottles if cold(b)]))").act.already[0].words == "Stout is cold."


def test_a_word_that_is_part_of_one_name_does_not_hide_what_else_it_names() -> None:
    """`Wheat beer` has the word in its name, and a stout is one, too: nothing is chosen in silence."""
    assert question_of(meant('chill(the("beer"))', ' "stout"')).options == ("wheat beer", "stout")


def test_a_full_name_and_a_kind_need_no_knowledge() -> None:
    talk = Bar('chill(the("cola"))')
    assert talk.read("chill the cola").meant == ("cola",)
    assert len(talk.model.prompts) == 1


def test_any_of_takes_one_and_all_of_takes_all() -> None:
    assert meant('chill(any_of("soft drink"))', ' "cola", "apple spritzer"').meant == ("cola",)
    both = meant('chill(any_of("soft drink", n=2))', ' "cola", "apple spritzer"')
    assert both.meant == ("cola", "apple spritzer")
    assert meant('chill(all_of("soft drink"))', ' "cola", "apple spritzer"').meant == ("cola", "apple spritzer")


def test_what_the_model_does_not_know_is_said_to_be_missing() -> None:
    found = meant('chill(the("champagne"))', " none")
    assert (found.sort, found.words) == ("refusal", "There is no champagne here.")


def test_a_pronoun_is_what_was_mentioned_last_and_asks_where_that_is_two() -> None:
    talk = Bar('chill("cola")', 'serve(it(), "Ida")', 'chill(["cola", "stout"])', 'serve(it(), "Omar")')
    talk.read("chill the cola")
    assert talk.read("now serve it to Ida").meant == ("cola",)
    talk.read("chill cola and stout")
    assert question_of(talk.read("serve it to Omar")).options == ("cola", "stout")


def test_a_pronoun_reaches_back_within_one_request_and_over_several() -> None:
    assert meant('chill("cola")\nserve(it(), "Ida")').meant == ("cola",)
    talk = Bar('chill("cola")', 'chill("wheat beer")', 'serve(them(), "Ida")')
    talk.read("chill the cola")
    talk.read("and the wheat beer")
    assert set(talk.read("serve them to Ida").meant) == {"cola", "wheat beer"}


def test_the_other_is_not_the_one_mentioned_last() -> None:
    talk = Bar('serve("cola", "Ida")', 'serve("cola", the_other(guests))')
    talk.read("cola for Ida")
    assert talk.read("one for the other guest").meant == ("Omar",)


def test_an_answer_settles_a_description() -> None:
    talk = Bar('chill(the("beer"))', ' "stout", "wheat beer"', answers=("wheat beer",))
    found = talk.read("chill the beer")
    assert talk.questions[0].startswith("Which beer do you mean?")
    assert [step.words for step in found.deeds] == ["Chill the wheat beer."]


def test_the_model_is_asked_once_what_a_word_names() -> None:
    talk = Bar('chill(any_of("soft drink"))', ' "cola"', 'serve(any_of("soft drink"), "Ida")')
    talk.read("a cold soft drink")
    talk.read("serve a soft drink to Ida")
    assert len(talk.model.prompts) == 3


def test_the_next_prompt_shows_what_a_description_meant() -> None:
    talk = Bar('chill(any_of("soft drink"))', ' "cola"', 'serve("cola", "Ida")')
    talk.read("a cold soft drink")
    talk.read("for Ida")
    assert 'chill(any_of("soft drink"))\n\n# that was "cola"\n# "for Ida"\n' in talk.model.prompts[-1]


@pytest.mark.parametrize("program", ['chill(the("beer"', "chill(the())", 'the("beer")'])
def test_a_broken_description_is_no_action(program: str) -> None:
    assert not Bar(program, program, program, program).read("chill the beer").deeds


def test_where_any_will_do_one_is_taken_that_there_is_something_to_do_with() -> None:
    """Who wants one chilled does not mean the one that is cold."""
    assert meant('chill(any_of(["stout", "cola"]))').meant == ("cola",)
    assert meant('chill(any_of("beer"))', ' "stout"').meant == ("wheat beer",)


def test_where_any_will_do_and_all_are_so_already_that_is_said() -> None:
    found = meant('chill(any_of(["stout"]))')
    assert not found.deeds and found.act.already[0].words == "Stout is cold."


def test_a_list_by_a_noun_that_has_nothing_fitting_is_widened_by_what_the_model_knows() -> None:
    """`beers` has what is called a beer; a stout is one, too."""
    beers = BAR.replace('"wheat beer"]', '"wheat beer", "dark beer"]')
    talk = Talk(["chill(the([b for b in beers if cold(b)]))", ' "stout"'], TextFileWorld(beers))
    talk.say("chill the beer that is cold")
    found = talk.agent.monologue.last(Meaning)
    assert found is not None and found.meant == ("stout",)
    assert len(talk.model.prompts) == 2
