"""How sure it is, when it asks, and how an answer is read: by yes, no, number, ordinal or words."""

from __future__ import annotations

import pytest

from said import GARDEN, Talk, meaning_of
from thinkaloud.language.words import says_no, says_yes
from thinkaloud.records import Ask, Meaning, Reading
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand import deciding, reader
from thinkaloud.understand.checking.certainty import Doubt
from thinkaloud.understand.offering import outcome_of
from thinkaloud.worlds.full_world import FullWorld

ALWAYS, UNSURE, NEVER = (f"thinkaloud:confirm={each}" for each in ("always", "unsure", "never"))


@pytest.fixture
def doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is read might also mean to open the right window, or both."""
    others = (Reading('open("right window")', "", 0.3), Reading("open(windows)", "", 0.1))

    async def measured(*_: object) -> Doubt:
        return Doubt(0.4, others)

    monkeypatch.setattr(reader, "measure_doubt", measured)
    monkeypatch.setattr(deciding, "threshold_for", lambda *_: 0.8)


@pytest.mark.parametrize("answer", ["yes", "Yes, please.", "ok", "Right!", "That's right.", "do it", "Sure, go ahead."])
def test_always_asked_and_a_yes_is_a_yes(answer: str) -> None:
    talk = Talk(['open("left window")'], preset=ALWAYS, answers=(answer,))
    assert talk.say("Open the window.").result == "goal met"
    (ask,) = talk.all(Ask)
    assert ask.questions[0].startswith("I understood: I will open the left window. Is that right?")
    assert talk.all(Meaning)[-1].sure == 1.0


@pytest.mark.parametrize("answer", ["no", "No, don't.", "Don’t!", "nope", "No, thanks.", "never mind", "Cancel that."])
def test_a_no_is_a_no_and_nothing_moves(answer: str) -> None:
    talk = Talk(['open("left window")'], preset=ALWAYS, answers=(answer,))
    end = talk.say("Open the window.")
    assert (end.result, end.because) == ("declined", "You said no, so I leave that.")
    assert (talk.steps, len(talk.model.prompts)) == ([], 1)


@pytest.mark.parametrize("answer", ["the right window", "right window, please", "no, the right one", "not the left"])
def test_an_answer_that_says_more_is_read_by_the_model(answer: str) -> None:
    talk = Talk(['open("left window")', 'open("right window")'], preset=ALWAYS, answers=(answer, "yes"))
    assert talk.say("Open the window.").result == "goal met"
    assert talk.steps == ["Open the right window."]
    assert talk.model.prompts[1].endswith(f'# "{answer}"\n')


@pytest.mark.parametrize("answer", ["the second", "2", "die zweite", "la segunda, por favor"])
def test_the_second_of_one_is_no_yes(answer: str) -> None:
    talk = Talk(['open("left window")', 'open("left window")'], preset=ALWAYS, answers=(answer, "no"))
    assert talk.say("Open one of the windows.").result == "declined"
    asked = [question for ask in talk.all(Ask) for question in ask.questions]
    assert (talk.steps, asked) == ([], ["I understood: I will open the left window. Is that right?"] * 2)


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize(
    ("answer", "steps"),
    [
        ("1", ["left"]),
        ("2.", ["right"]),
        ("number 3", ["left", "right"]),
        ("the second one", ["right"]),
        ("the first", ["left"]),
        ("one", ["left"]),
        ("open the right window", ["right"]),
        ("no, the right window", ["right"]),
        ("either", ["left"]),
        ("Any of them will do.", ["left"]),
        ("I don't mind", ["left"]),
        ("don't mind", ["left"]),
        ("doesn't matter which window", ["left"]),
        ("you choose", ["left"]),
        ("open whichever", ["left"]),
    ],
)
def test_where_readings_differ_one_is_picked(answer: str, steps: list[str]) -> None:
    talk = Talk(['open("left window")'], preset=UNSURE, answers=(answer,))
    assert talk.say("Open the window.").result == "goal met"
    assert talk.steps == [f"Open the {each} window." for each in steps]
    assert talk.all(Ask)[0].questions == (
        "What do you mean? 1. I will open the left window. 2. I will open the right window. "
        "3. I will open the left window and the right window. 4. None of these.",
    )
    assert len(talk.model.prompts) == 1


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize(
    "answer",
    [
        *("not the left window", "none of these, the left one", "without the right window", "either side?"),
        *("any but the left", "yes but only the left window", "no, whistle", "neither, whistle"),
    ],
)
def test_where_more_is_said_than_which_one_the_model_reads_it(answer: str) -> None:
    talk = Talk(['open("left window")', "whistle()"], preset=UNSURE, answers=(answer, "never mind"))
    talk.say("Open the window.")
    assert len(talk.model.prompts) == 2
    assert talk.model.prompts[1].endswith(f'open(windows)\n# -> asked\n\n# "{answer}"\n')


def test_which_of_several_things_may_be_left_to_the_robot() -> None:
    talk = Talk(['open("window")'], answers=("either window is fine",))
    assert talk.say("Open a window.").result == "goal met"
    assert (talk.steps, len(talk.model.prompts)) == (["Open the left window."], 1)


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize(
    ("answer", "again"),
    [
        ("no, the sun is there", []),
        ("neither, open something else", []),
        ("none of these: open the left window", []),
        ("not open the right window", []),
        ("don't open the left window and the right window", ["right"]),
        ("no, both windows", []),
        ("that is hard to say", ["right", "both"]),
    ],
)
def test_what_a_no_is_said_to_is_not_offered_again(answer: str, again: list[str]) -> None:
    talk = Talk(['open("left window")', "whistle()"], preset=UNSURE, answers=(answer, "never mind"))
    talk.say("Open the window.")
    second = talk.all(Ask)[1].questions[0]
    assert "whistle" in second
    readings = {"right": "I will open the right window.", "both": "I will open the left window and the right window."}
    assert [name for name, words in readings.items() if words in second] == again


@pytest.mark.usefixtures("doubtful")
def test_questions_have_a_budget_and_then_nothing_is_done() -> None:
    talk = Talk(['open("left window")'] * 3, preset=UNSURE, answers=("hm", "well", "er"))
    end = talk.say("Open the window.")
    assert (end.result, talk.steps, len(talk.all(Ask))) == ("declined", [], 2)
    assert end.because == "I am still not sure what you mean, so I do nothing. Please say it in other words."


@pytest.mark.usefixtures("doubtful")
def test_who_says_something_else_after_two_questions_is_heard() -> None:
    programs = ['open("left window")', 'open("left window")', 'water("fern")']
    talk = Talk(programs, preset=UNSURE, answers=("hm", "well, the fern is dry", "the first"))
    assert talk.say("Open the window.").result == "goal met"
    assert (talk.steps, len(talk.all(Ask))) == (["Water the fern."], 3)


@pytest.mark.usefixtures("doubtful")
def test_after_four_questions_about_one_request_nothing_is_asked_any_more() -> None:
    programs = ['open("left window")', 'water("fern")', "whistle()", 'oil("left window")', 'water("rose")']
    talk = Talk(programs, preset=UNSURE, answers=("hm", "well, it is dry", "that song", "it squeaks", "the red one"))
    end = talk.say("Open the window.")
    assert (len(talk.all(Ask)), len(talk.model.prompts), talk.steps) == (4, 5, [])
    assert end.because == "I am still not sure what you mean, so I do nothing. Please say it in other words."


@pytest.mark.usefixtures("doubtful")
def test_never_asked_it_acts_and_says_how_sure_it_was() -> None:
    talk = Talk(['open("left window")'], preset=NEVER)
    assert talk.say("Open the window.").result == "goal met"
    (meaning,) = talk.all(Meaning)
    assert (talk.all(Ask), meaning.sure, len(meaning.readings)) == ([], 0.4, 2)


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize(
    ("program", "question"),
    [
        (
            "say(len(windows))",
            "I understood that you ask how many windows there are. My answer to that: 2. "
            "Is that what you wanted to know?",
        ),
        ('say("x")', "I am not sure that I understood the question. My answer would be: X. Is that it?"),
        ('note("x")', "I remember: X. There is nothing that I should do. Is that right?"),
    ],
)
def test_an_answer_or_a_note_that_may_be_wrong_is_a_question(
    program: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unsure(*_: object) -> Doubt:
        return Doubt(0.4)

    monkeypatch.setattr(reader, "measure_doubt", unsure)
    talk = Talk([program], preset=UNSURE, answers=("yes",))
    talk.say("Say something.")
    assert [ask.questions for ask in talk.all(Ask)] == [(question,)]
    assert talk.all(Meaning)[-1].sort == ("answer" if "say" in program else "note")
    assert Talk([program], preset=UNSURE, answers=("no",)).say("Say something.").result == "declined"


@pytest.mark.usefixtures("doubtful")
@pytest.mark.parametrize("program", ['water("orchid")', 'unclear("x")', 'cannot("x")'])
def test_what_says_itself_that_nothing_is_done_is_never_confirmed(program: str) -> None:
    for preset in (ALWAYS, UNSURE):
        talk = Talk([program], preset=preset)
        assert talk.say("Say something.").result in ("answered", "declined", "goal met")
        assert talk.all(Ask) == []


def test_where_nobody_is_there_to_confirm_nothing_moves() -> None:
    talk = Talk(['open("left window")'], preset=ALWAYS)
    end = talk.say("Open the window.")
    assert (end.result, talk.steps) == ("failed", [])
    assert "nobody is there to answer" in end.because


@pytest.mark.parametrize(
    ("text", "yes", "no"),
    [
        ("yes", True, False),
        ("right", True, False),
        ("the right one", False, False),
        ("right window", False, False),
        ("no", False, True),
        ("not right", False, True),
        ("don't do it", False, True),
        ("no, left", False, False),
        ("", False, False),
        ("Yes, but the rose.", False, False),
        ("yes but only the big one", False, False),
        ("Yes and the rose.", False, False),
        ("yes, all of them", False, False),
        ("no, all of them", False, False),
        ("ok, go ahead", True, False),
        ("Go right.", False, False),
        ("Is that right", False, False),
        ("ok?", False, False),
        ("ok, nevermind", False, True),
        ("never mind", False, True),
    ],
)
def test_yes_and_no_are_nothing_but_that(text: str, yes: bool, no: bool) -> None:
    assert (says_yes(text), says_no(text)) == (yes, no)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ('water("fern")\nwater("rose")', 'water(["rose", "fern"])', True),
        ("water([p for p in plants if not wet(p)])", 'water(["fern", "rose"])', True),
        ('water("fern")', 'water("rose")', False),
        ('water("fern")', 'water("fern")\nwhistle()', False),
        ('water("fern")', 'previous()\nwater("fern")', False),
        ('keep("rose")\nwater("fern")', 'water("fern")', True),
        ('keep("rose")', 'keep("fern")', False),
        ("say(3)", "say(len(plants))", True),
        ("say(3)", "say(4)", False),
        ('cannot("a")', 'cannot("b")', True),
        ('cannot("a")', 'water("orchid")', False),
        ('water("plant")', 'water(the("plant"))', True),
        ('water("plant")', 'open("window")', False),
        ("stop()", "undo()", False),
    ],
)
def test_two_programs_mean_the_same_if_they_come_to_the_same(one: str, other: str, same: bool) -> None:
    world = FullWorld(TextFileWorld(GARDEN))
    assert (outcome_of(meaning_of(one), world) == outcome_of(meaning_of(other), world)) is same


def test_what_is_taken_to_be_so_already_is_asked_about_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unsure(*_: object) -> Doubt:
        return Doubt(0.4)

    monkeypatch.setattr(reader, "measure_doubt", unsure)
    talk = Talk(['water("cactus")'], preset=UNSURE, answers=("no",))
    assert talk.say("Water the thing.").result == "declined"
    (ask,) = talk.all(Ask)
    assert "is wet already. So there is nothing to do. Is that right?" in ask.questions[0]


def test_nobody_has_to_choose_between_a_yes_and_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unsure(*_: object) -> Doubt:
        return Doubt(0.4, (Reading('say(not wet("fern"))', "", 0.5),))

    monkeypatch.setattr(reader, "measure_doubt", unsure)
    talk = Talk(['say(wet("fern"))'], preset=UNSURE, answers=("yes",))
    assert talk.say("Is the fern all right?").result == "answered"
    assert [ask.questions[0] for ask in talk.all(Ask)] == [
        "I understood that you ask whether fern is wet. My answer to that: No. Fern is not wet. "
        "Is that what you wanted to know?"
    ]
