"""Which readings a person is asked about: none that comes to nothing, and none that was rejected before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from said import Talk
from thinkaloud.records import Ask, Reading
from thinkaloud.understand import deciding, reader
from thinkaloud.understand.checking.certainty import Doubt
from thinkaloud.understand.conversation import notes_of

UNSURE = "thinkaloud:confirm=unsure"
Doubts = Callable[..., None]


@pytest.fixture
def doubts(monkeypatch: pytest.MonkeyPatch) -> Doubts:
    """Sets how sure each reading is, one after another, and the other readings beside it."""

    def set_doubts(*sure: float, others: tuple[str, ...] = ()) -> None:
        left = list(sure)

        async def measured(*_: object) -> Doubt:
            return Doubt(left.pop(0) if len(left) > 1 else left[0], tuple(Reading(each, "", 0.2) for each in others))

        monkeypatch.setattr(reader, "measure_doubt", measured)
        monkeypatch.setattr(deciding, "threshold_for", lambda *_: 0.8)

    return set_doubts


def questions(talk: Talk) -> list[str]:
    return [question for ask in talk.all(Ask) for question in ask.questions]


@pytest.mark.parametrize("both", ["open(windows)", "open([w for w in windows if not is_open(w)])"])
def test_who_names_one_thing_of_a_list_gets_that_one_only(both: str, doubts: Doubts) -> None:
    doubts(0.4, others=(both,))
    talk = Talk(['open("left window")'], preset=UNSURE, answers=("the right one",))
    assert talk.say("Open a window.").result == "goal met"
    assert questions(talk)[0].startswith("What do you mean? 1. I will open the left window. 2. I will open the left wi")
    assert talk.steps == ["Open the right window."]


@pytest.mark.parametrize(
    "other",
    [
        'water("orchid")',
        'cannot("There is no tea here.")',
        'unclear("what?")',
        'water("cactus")',  # is wet already
        "water([p for p in plants if height(p) > 99])",
        'ask("Which plant?", plants)',
        "undo()",  # nothing was done
    ],
)
def test_what_comes_to_nothing_is_not_offered(other: str, doubts: Doubts) -> None:
    doubts(0.4, others=(other,))
    talk = Talk(['water("fern")'], preset=UNSURE, answers=("yes",))
    assert talk.say("Give it a drink.").result == "goal met"
    assert questions(talk) == ["I understood: I will water the fern. Is that right?"]
    assert talk.steps == ["Water the fern."]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ("say(len(plants))", "You ask how many plants there are: 3."),
        ('note("It is hot.")', "I remember: It is hot."),
        ('water("rose")', "I will water the rose."),
        ("previous()\nwhistle()", "I go on with what I was doing before. I will whistle a tune."),
    ],
)
def test_what_is_done_answered_or_noted_is_offered(other: str, words: str, doubts: Doubts) -> None:
    doubts(0.4, others=(other,))
    talk = Talk(['water("fern")'], preset=UNSURE, answers=("1",))
    talk.say("Give it a drink.")
    (question,) = questions(talk)
    assert question.startswith("What do you mean? 1. I will water the fern. 2. ")
    assert question.removesuffix(" 3. None of these.").endswith(words)


def test_what_was_rejected_is_not_offered_again_for_the_same_in_other_words(doubts: Doubts) -> None:
    doubts(0.4, others=('water("rose")', 'water("cactus")'))
    same = 'water([p for p in plants if p == "fern"])'
    talk = Talk(['water("fern")', same], preset=UNSURE, answers=("no", "yes"))
    assert talk.say("Give it a drink.").result == "declined"
    end = talk.say("I mean the thirsty one.")
    assert end.because == "I did not understand that. Please say it in other words.", "both were rejected"
    assert len(questions(talk)) == 1


def test_of_a_rejected_reading_and_another_only_the_other_is_asked_about(doubts: Doubts) -> None:
    doubts(0.4)
    talk = Talk(['water("fern")', 'water("fern")'], preset=UNSURE, answers=("no", "yes"))
    talk.say("Give it a drink.")
    doubts(0.4, others=('water("rose")',))
    assert talk.say("No, I mean the thirsty one.").result == "goal met"
    assert questions(talk)[1:] == ["I understood: I will water the rose. Is that right?"]
    assert talk.steps == ["Water the rose."]


def test_an_answer_that_says_no_and_more_rejects_as_well(doubts: Doubts) -> None:
    doubts(0.4)
    talk = Talk(['water("fern")', 'water("fern")'], preset=UNSURE, answers=("no, the thirsty one", "yes"))
    end = talk.say("Give it a drink.")
    assert (end.result, len(questions(talk)), talk.steps) == ("declined", 1, [])


def test_what_is_sure_is_done_although_it_was_rejected_before(doubts: Doubts) -> None:
    doubts(0.4, 0.9)
    talk = Talk(['water("fern")', 'water("fern")'], preset=UNSURE, answers=("no",))
    talk.say("Give it a drink.")
    assert talk.say("Water the fern after all.").result == "goal met"


@pytest.mark.parametrize(
    "answer", ["no, the other one", "No, el otro", "Nein, die Rose", "non, la rose", "不，那盆玫瑰"]
)
def test_what_an_answer_says_no_to_is_not_what_it_means_however_sure_the_model_is(answer: str, doubts: Doubts) -> None:
    doubts(0.4, 0.95)
    talk = Talk(['water("fern")', 'water("fern")'], preset=UNSURE, answers=(answer,))
    end = talk.say("Give it a drink.")
    assert (end.result, talk.steps) == ("declined", [])
    assert end.because == "I did not understand that. Please say it in other words."


def test_what_an_answer_says_besides_its_no_is_done_at_once_if_it_is_sure(doubts: Doubts) -> None:
    doubts(0.4, 0.95)
    talk = Talk(['water("fern")', 'water("rose")'], preset=UNSURE, answers=("no, the rose",))
    talk.say("Give it a drink.")
    assert talk.steps == ["Water the rose."]


def test_once_something_was_understood_what_was_rejected_may_be_meant_again(doubts: Doubts) -> None:
    doubts(0.4, 0.9, 0.4)
    programs = ['water("fern")', "whistle()", 'water("fern")']
    talk = Talk(programs, preset=UNSURE, answers=("no", "yes"))
    talk.say("Give it a drink.", "Whistle.")
    assert talk.say("And now a drink.").result == "goal met"
    assert questions(talk) == ["I understood: I will water the fern. Is that right?"] * 2


# What was asked stands in the next prompt -----------------------------------------------------------------------------


def test_the_model_sees_that_nothing_was_done_and_what_was_offered(doubts: Doubts) -> None:
    doubts(0.4, 0.9, others=('water("rose")', 'open("left window")', "water(plants)", "whistle()"))
    talk = Talk(['water("fern")', "fill_can()", "whistle()"], preset=UNSURE, answers=("neither, the can",))
    talk.say("Give it a drink.")
    assert talk.model.prompts[1].endswith(
        '# "Give it a drink."\nwater("fern")\n# or\nwater("rose")\n# or\nopen("left window")\n# or\nwater(plants)\n'
        '# -> asked\n\n# "neither, the can"\n'
    ), "four of five"
    talk.say("Whistle.")
    assert '# "neither, the can"\nfill_can()\n\n# "Whistle."\n' in talk.model.prompts[2]


@pytest.mark.parametrize("program", ['open("window")', 'ask("Which window?", windows)'])
def test_the_question_which_thing_is_meant_is_shown_as_asked(program: str) -> None:
    talk = Talk([program, 'open("left window")'], answers=("that over there",))
    talk.say("Open it.")
    assert talk.model.prompts[1].endswith(f'# "Open it."\n{program}\n# -> asked\n\n# "that over there"\n')


def test_what_was_not_understood_in_the_end_is_not_shown_as_done(doubts: Doubts) -> None:
    doubts(0.4)
    talk = Talk(['water("fern")'] * 2 + ["whistle()"], preset=UNSURE, answers=("no, the thirsty one",))
    assert talk.say("Give it a drink.").because == "I did not understand that. Please say it in other words."
    doubts(0.9)
    talk.say("Whistle.")
    assert talk.model.prompts[2].endswith(
        '# "no, the thirsty one"\nwater("fern")\n# -> asked\n\n# "Whistle."\n'
    )  # fmt: skip


@pytest.mark.parametrize(("answer", "notes", "kept"), [("no", [], []), ("yes", ["It is hot."], ["rose"])])
def test_what_is_only_asked_about_is_neither_remembered_nor_kept(
    answer: str, notes: list[str], kept: list[str], doubts: Doubts
) -> None:
    doubts(0.4)
    talk = Talk(['keep("rose")\nnote("It is hot.")'], preset=UNSURE, answers=(answer,))
    talk.say("Mind the rose in this heat.")
    assert len(questions(talk)) == 1
    assert (notes_of(talk.agent.monologue), talk.kept) == (notes, kept)


def test_answers_to_different_questions_are_offered_with_the_question(doubts: Doubts) -> None:
    doubts(0.4, others=('say(wet("rose"))', "say(len(plants))"))
    talk = Talk(['say(wet("cactus"))'], preset=UNSURE, answers=("2",))
    end = talk.say("Is it all right?")
    assert questions(talk) == [
        "What do you mean? 1. You ask whether cactus is wet: Yes. Cactus is wet. "
        "2. You ask whether rose is wet: No. Rose is not wet. 3. You ask how many plants there are: 3. "
        "4. None of these."
    ]
    assert (end.result, end.because) == ("answered", "No. Rose is not wet.")


@pytest.mark.parametrize(
    ("program", "asked"),
    [
        (
            'if is_open("left window"):\n    close("left window")',
            "If left window is open, I close the left window. Left window is not open, so there is nothing to do.",
        ),
        (
            'if wet("fern"):\n    whistle()\nelif wet("rose"):\n    switch("lamp", "on")',
            "If fern is wet, I whistle a tune, and otherwise if rose is wet, I switch the lamp on. "
            "Fern is not wet and rose is not wet, so there is nothing to do.",
        ),
        (
            'if wet("cactus"):\n    water("fern")',
            "If cactus is wet, I water the fern. As things are, I will water the fern.",
        ),
        (
            'if is_open("left window"):\n    close("left window")\nsay(len(plants))',
            "If left window is open, I close the left window, then I answer how many plants there are. "
            "As things are, I do nothing and only say: 3.",
        ),
        (
            "close([w for w in windows if is_open(w)])",
            "I close every window of which this is so: it is open. As things are, there is nothing to be done.",
        ),
        (
            "for w in windows:\n    if is_open(w):\n        close(w)",
            "For every window: if it is open, I close it. As things are, there is nothing to be done.",
        ),
        (  # there are no words for a loop over numbers: what it comes to is said alone
            "for i in range(2):\n    if is_open(windows[i]):\n        close(windows[i])",
            "As things are, there is nothing to be done.",
        ),
    ],
)
def test_what_depends_on_something_is_asked_about_with_that_and_is_no_question(
    program: str, asked: str, doubts: Doubts
) -> None:
    doubts(0.4)
    talk = Talk([program], preset=UNSURE, answers=("no",))
    talk.say("See to it.")
    assert questions(talk) == [f"I understood: {asked} Is that right?"]


@pytest.mark.parametrize(
    "best", ['water("cactus")', 'close("left window")', 'if wet("fern"):\n    whistle()', "undo()"]
)
def test_a_best_reading_that_comes_to_nothing_gives_way_to_those_that_come_to_something(
    best: str, doubts: Doubts
) -> None:
    doubts(0.4, others=('water("fern")', 'water("rose")'))
    talk = Talk([best], preset=UNSURE, answers=("2",))
    assert talk.say("See to the plant.").result == "goal met"
    assert questions(talk) == [
        "What do you mean? 1. I will water the fern. 2. I will water the rose. 3. None of these."
    ]
    assert talk.steps == ["Water the rose."]


def test_where_nothing_else_is_left_that_it_is_so_already_is_said_with_what_follows(doubts: Doubts) -> None:
    doubts(0.4, others=('switch("lamp", "off")', 'water("orchid")'))
    talk = Talk(['water("cactus")'], preset=UNSURE, answers=("yes",))
    talk.say("Give it a drink.")
    assert questions(talk) == ["I understood: Cactus is wet already. So there is nothing to do. Is that right?"]
    assert talk.steps == []


BOTH = "Water the fern, and then open the left window."


@pytest.mark.parametrize("answer", ["2", "the second one", "die zweite", "la segunda", "le deuxième", "第二个"])
def test_a_number_picks_one_of_several_in_five_languages(doubts: Doubts, answer: str) -> None:
    doubts(0.4, others=('water("rose")',))
    talk = Talk(['water("fern")'], preset=UNSURE, answers=(answer,))
    talk.say("Give it a drink.")
    assert talk.steps == ["Water the rose."] and len(talk.model.prompts) == 1


@pytest.mark.parametrize("answer", ["3", "none of these", "keins davon", "ninguno de estos", "aucun"])
def test_none_of_these_leaves_everything_as_it_is(doubts: Doubts, answer: str) -> None:
    doubts(0.4, others=('water("rose")',))
    talk = Talk(['water("fern")'], preset=UNSURE, answers=(answer,))
    end = talk.say("Give it a drink.")
    assert end.result == "declined" and not talk.steps and len(talk.model.prompts) == 1


def test_readings_are_told_by_what_differs_and_their_full_words_are_an_answer(doubts: Doubts) -> None:
    doubts(0.5, others=('open("left window")\nwater("rose")',))
    full = "I will open the left window, then water the rose."
    talk = Talk(['open("left window")\nwater("fern")'], preset=UNSURE, answers=(full,))
    talk.say("Open the window and water the plant.")
    assert questions(talk) == ["What do you mean? 1. … water the fern. 2. … water the rose. 3. None of these."]
    assert talk.steps == ["Open the left window.", "Water the rose."]
