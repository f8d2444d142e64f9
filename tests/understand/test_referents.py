"""Descriptions in a program: code finds the things that are meant, and asks when several could be."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.models import Scripted
from thinkaloud.records import Ask, Meaning
from thinkaloud.robots.text_file import TextFileWorld, parse_robot

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


class Talk:
    """A conversation with the bar's robot; the model reads from a list."""

    def __init__(self, *said: str, answers: tuple[str, ...] = ()) -> None:
        self.model, person = Scripted([*said]), Inbox(present=True)
        for each in answers:
            person.say(each)
        self.agent = Agent(
            TextFileWorld(parse_robot(BAR, "bar")), self.model, "thinkaloud:confirm=never", person=person
        )

    def say(self, request: str) -> Meaning:
        asyncio.run(self.agent.run(request))
        found = self.agent.monologue.last(Meaning)
        assert found is not None
        return found

    @property
    def questions(self) -> list[str]:
        return [each for ask in self.agent.monologue.all(Ask) for each in ask.questions]


def meant(program: str, *known: str) -> Meaning:
    return Talk(program, *known).say("…")


def test_the_wants_exactly_one_and_asks_when_several_fit() -> None:
    assert meant('chill(the("beer"))', ' "stout", "wheat beer"').options == ("stout", "wheat beer")
    assert meant("chill(the(bottles))").sort == "question"
    assert meant("chill(the([b for b in bottles if cold(b)]))").already[0].words == "Stout is cold."


def test_a_word_that_is_part_of_one_name_does_not_hide_what_else_it_names() -> None:
    """`Wheat beer` has the word in its name, and a stout is one, too: nothing is chosen in silence."""
    assert meant('chill(the("beer"))', ' "stout"').options == ("wheat beer", "stout")


def test_a_full_name_and_a_kind_need_no_knowledge() -> None:
    talk = Talk('chill(the("cola"))')
    assert talk.say("chill the cola").meant == ("cola",)
    assert len(talk.model.prompts) == 1


def test_any_of_takes_one_and_all_of_takes_all() -> None:
    assert meant('chill(any_of("soft drink"))', ' "cola", "apple spritzer"').meant == ("cola",)
    both = meant('chill(any_of("soft drink", n=2))', ' "cola", "apple spritzer"')
    assert both.meant == ("cola", "apple spritzer")
    assert meant('chill(all_of("soft drink"))', ' "cola", "apple spritzer"').meant == ("cola", "apple spritzer")


def test_what_the_model_does_not_know_is_said_to_be_missing() -> None:
    found = meant('chill(the("champagne"))', " none")
    assert (found.sort, found.why) == ("refusal", "There is no champagne here.")


def test_a_pronoun_is_what_was_mentioned_last_and_asks_where_that_is_two() -> None:
    talk = Talk('chill("cola")', 'serve(it(), "Ida")', 'chill(["cola", "stout"])', 'serve(it(), "Omar")')
    talk.say("chill the cola")
    assert talk.say("now serve it to Ida").meant == ("cola",)
    talk.say("chill cola and stout")
    assert talk.say("serve it to Omar").options == ("cola", "stout")


def test_a_pronoun_reaches_back_within_one_request_and_over_several() -> None:
    assert meant('chill("cola")\nserve(it(), "Ida")').meant == ("cola",)
    talk = Talk('chill("cola")', 'chill("wheat beer")', 'serve(them(), "Ida")')
    talk.say("chill the cola")
    talk.say("and the wheat beer")
    assert set(talk.say("serve them to Ida").meant) == {"cola", "wheat beer"}


def test_the_other_is_not_the_one_mentioned_last() -> None:
    talk = Talk('serve("cola", "Ida")', 'serve("cola", the_other(guests))')
    talk.say("cola for Ida")
    assert talk.say("one for the other guest").meant == ("Omar",)


def test_an_answer_settles_a_description() -> None:
    talk = Talk('chill(the("beer"))', ' "stout", "wheat beer"', answers=("wheat beer",))
    found = talk.say("chill the beer")
    assert talk.questions[0].startswith("Which beer do you mean?")
    assert [step.words for step in found.deeds] == ["Chill the wheat beer."]


def test_the_model_is_asked_once_what_a_word_names() -> None:
    talk = Talk('chill(any_of("soft drink"))', ' "cola"', 'serve(any_of("soft drink"), "Ida")')
    talk.say("a cold soft drink")
    talk.say("serve a soft drink to Ida")
    assert len(talk.model.prompts) == 3


def test_the_next_prompt_shows_what_a_description_meant() -> None:
    talk = Talk('chill(any_of("soft drink"))', ' "cola"', 'serve("cola", "Ida")')
    talk.say("a cold soft drink")
    talk.say("for Ida")
    assert 'chill(any_of("soft drink"))\n\n# that was "cola"\n# "for Ida"\n' in talk.model.prompts[-1]


@pytest.mark.parametrize("program", ['chill(the("beer"', "chill(the())", 'the("beer")'])
def test_a_broken_description_is_no_action(program: str) -> None:
    assert not Talk(program, program, program, program).say("chill the beer").deeds
