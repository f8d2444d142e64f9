"""Descriptions in a program: code finds the things that are meant, and asks when several could be."""

from __future__ import annotations

import pytest

from said import Talk, question_of
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Ask, End, Meaning, Refused
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program

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
    assert len(question_of(meant("chill(the([b for b in bottles if cold(b) and not cold(b)]))")).options) == 4


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
    found = meant('chill("champagne")')
    assert (found.sort, found.words) == ("refusal", "There is no champagne here.")
    found = meant('chill(all_of("champagne"))', " none")
    assert (found.sort, found.words) == ("refusal", "There is no champagne here.")


def test_where_somebody_speaks_of_the_one_thing_it_is_asked_about() -> None:
    assert len(question_of(meant('chill(the("champagne"))', " none")).options) == 4


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


# A choice that nobody made --------------------------------------------------------------------------------------------

PRICED = (
    BAR.replace(
        "[relations.served]",
        '[values.price]\nsays = "the price of {bottle}"\ndoc = "What a bottle costs."\n'
        'parameters = { bottle = "bottle" }\n[relations.served]',
    )
    + 'values = ["price(cola) = 3", "price(apple spritzer) = 3", "price(stout) = 5", "price(wheat beer) = 5"]\n'
)


def talked(robot: str, *programs: str, answers: tuple[str, ...] = ()) -> Talk:
    """A conversation in which each of these programs is a request's."""
    talk = Talk([*programs], TextFileWorld(robot), answers=answers)
    for _ in programs:
        talk.say("We two are thirsty.")
    return talk


def meant_of(program: str) -> Meaning:
    """What a program comes to at the bar with prices, where the robot stays."""
    world = TextFileWorld(PRICED)
    scene = world.observe()
    return run_program(program, Circumstances(world, scene, lexicon_of(world, scene)))


@pytest.mark.parametrize(
    "program",
    [
        "chill(max(bottles, key=price))",
        "chill(sorted(bottles, key=price)[-1])",
        "dearest = max(bottles, key=price)\nchill(dearest)",
        'serve(max(bottles, key=lambda b: price(b)), "Ida")',
    ],
)
def test_of_two_that_are_equal_none_is_taken_and_an_answer_settles_it(program: str) -> None:
    talk = talked(PRICED, program, answers=("wheat beer",))
    (asked,) = talk.all(Ask)
    assert asked.questions == ("Which bottle do you mean? (stout / wheat beer)",)
    assert len(talk.steps) == 1 and "wheat beer" in talk.steps[0] and len(talk.model.prompts) == 1


def test_an_answer_names_all_that_are_equal() -> None:
    assert talked(PRICED, "say(max(bottles, key=price))").all(End)[-1].because == "Stout and wheat beer."
    assert talked(PRICED, "say(price(max(bottles, key=price)))").all(End)[-1].because == "5."


@pytest.mark.parametrize(
    ("program", "steps"),
    [
        ("chill([b for b in bottles if price(b) == price(max(bottles, key=price))])", ["Chill the wheat beer."]),
        ("chill(sorted(bottles, key=price)[:2])", ["Chill the cola.", "Chill the apple spritzer."]),
        ('chill(any_of([b for b in bottles if price(b) == price("cola")]))', ["Chill the cola."]),
    ],
)
def test_what_is_equal_may_be_taken_where_nothing_is_chosen_by_that(program: str, steps: list[str]) -> None:
    assert talked(PRICED, program).steps == steps


def test_a_rule_that_waits_finds_out_which_one_when_it_is_due() -> None:
    waits = meant_of("whenever(served('cola', 'Ida'), chill(max(bottles, key=price)))")
    assert waits.sort == "note" and "max(bottles, key=price)" in waits.standing[0].program


def test_too_few_numbers_are_told_as_well() -> None:
    assert meant_of("say(sum([price(b) for b in bottles][:9]))").words.startswith(
        "There are only 4 here for that, not 9:"
    )


def test_where_only_some_of_those_that_are_equal_are_among_so_many_the_robot_asks() -> None:
    assert talked(PRICED, "chill(sorted(bottles, key=price)[:1])").all(Ask)[0].questions[0].startswith("Which bottle")


@pytest.mark.parametrize("program", ['chill(any_of("beer", n=3))', "chill([b for b in bottles if not cold(b)][:4])"])
def test_fewer_than_were_asked_for_are_not_done_in_silence(program: str) -> None:
    talk = Bar(program, ' "stout"')
    refused = talk.read("Four, or all three of the beers.")
    assert isinstance(refused.content, Refused) and refused.content.kind == "too few"
    assert refused.words.startswith("There are only") and not talk.steps


def test_the_other_is_never_the_one_that_was_spoken_of() -> None:
    talk = Bar('chill("wheat beer")', 'chill(the_other("beer"))', " none")
    talk.read("Chill the wheat beer.")
    assert talk.read("And the other beer.").words == "There is no other beer here."


def test_of_two_others_that_were_both_spoken_of_the_one_that_an_answer_names_is_taken() -> None:
    talk = Bar('serve("cola", guests)', 'serve("cola", the_other("guest"))', answers=("Omar",))
    talk.read("Cola for both.")
    assert [each.words for each in talk.read("And one for the other.").act.already] == ["Cola is served to Omar."]


@pytest.mark.parametrize(("between", "kind"), [(2, "deeds"), (3, "question")])
def test_a_pronoun_does_not_reach_back_over_many_requests(between: int, kind: str) -> None:
    greeting = '[skills.greet]\nsays = "Greet {guest}."\ndoc = "Greet."\nparameters = { guest = "guest" }\n'
    robot = BAR.replace("[skills.serve]", f"{greeting}[skills.serve]")
    talk = talked(robot, 'chill("cola")', *['greet("Ida")'] * between, 'serve(it(), "Omar")')
    found = talk.agent.monologue.last(Meaning)
    assert found is not None and found.sort == kind


@pytest.mark.parametrize("program", ['chill("beer")', 'chill("the beer")', 'say(cold("beer"))'])
def test_a_part_of_one_name_does_not_hide_what_else_the_word_names(program: str) -> None:
    assert question_of(meant(program, ' "stout"')).options == ("wheat beer", "stout")


def test_a_part_of_one_name_is_that_thing_if_the_model_knows_of_no_other() -> None:
    assert [each.words for each in meant('chill("beer")', " none").deeds] == ["Chill the wheat beer."]


def test_all_but_one_leaves_that_one_out_by_whatever_name() -> None:
    """A text that is no full name is never just different from all things."""
    assert meant('chill([b for b in bottles if b not in ["Spritzer", "beer"]])').act.wishes[0].words == "Cola is cold."
    assert [each.words for each in meant('chill([b for b in bottles if b != "the cola"])').deeds] == [
        "Chill the apple spritzer.",
        "Chill the wheat beer.",
    ]
    two = Talk(['chill([b for b in bottles if b != "beer"])'], TextFileWorld(BAR.replace("stout", "dark beer")))
    assert two.say("All but the beer.").because.startswith("I have to ask, and nobody is there to answer: Which beer")


# Any of several -------------------------------------------------------------------------------------------------------


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


# What a model guesses -------------------------------------------------------------------------------------------------

SERVED = 'say([b for b in bottles if served(b, the("{}"))])'


def scored(program: str, known: str, **scores: float) -> Talk:
    """The model takes words for these things, and says how likely each is beside none of them."""
    told = {f' "{name}"': score for name, score in scores.items()} | {" none": -6.0}
    talk = Talk([program, known], TextFileWorld(BAR), scores=told)
    talk.say("I have a question.")
    return talk


def test_what_is_less_likely_than_none_of_them_is_not_meant() -> None:
    chilled = scored('chill(the("brown one"))', ' "cola", "stout"', cola=-1.0, stout=-8.0)
    assert chilled.steps == ["Chill the cola."]
    both = scored('chill(the("brown one"))', ' "cola", "stout"', cola=-1.0, stout=-5.0)
    assert question_of(both.all(Meaning)[-1]).options == ("cola", "stout")


@pytest.mark.parametrize("people", [True, False])
def test_people_are_not_offered_for_a_word_that_nothing_links_to_them(*, people: bool) -> None:
    bar = BAR.replace('about = "', 'people = ["guest"]\nabout = "') if people else BAR
    talk = Talk(
        [SERVED.format("loo"), ' "Ida", "Omar"'],
        TextFileWorld(bar),
        scores={' "Ida"': -8.6, ' "Omar"': -8.9, " none": -6.2},
    )
    talk.say("What is served in the loo?")
    found = talk.all(Meaning)[-1]
    assert found.sort == ("refusal" if people else "question")
    assert found.words == ("There is no loo here." if people else "Which loo do you mean? (Ida / Omar)")


def test_an_answer_says_whom_a_word_was_taken_for() -> None:
    answer = scored(SERVED.format("lady"), ' "Ida"', Ida=-0.5).all(End)[-1].because
    assert answer.startswith("I take “lady” to be Ida. ")
    by_name = scored(SERVED.format("Ida"), "").all(End)[-1].because
    assert not by_name.startswith("I take")
