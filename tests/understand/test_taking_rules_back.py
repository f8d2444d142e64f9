"""Rules of every kind are taken back in words: the robot says which, and asks where several may be meant."""

from __future__ import annotations

import json

import pytest

from said import Talk, garden, meaning_of, when_begun
from thinkaloud.records import Ask, End

ASKED = "Which of these should no longer hold? "


def talk(programs: list[str], *answers: str, preset: str = "thinkaloud:confirm=never") -> Talk:
    return Talk(programs, garden("filled()"), preset=preset, answers=answers)


@pytest.mark.parametrize(
    ("rule", "said", "back", "told"),
    [
        ('never(water("rose"))', "Never water the rose.", 'forget(water("rose"))', "I may water the rose again."),
        ('never(water("rose"))', "Never water the rose.", "forget(water())", "I may water the rose again."),
        ('never(water("rose"))', "Never water the rose.", 'forget("rose")', "I may water the rose again."),
        ('never(water("rose"))', "Never water the rose.", 'allow("rose")', "I may water the rose again."),
        ('never(water("rose"))', "Never water the rose.", 'allow(water("rose"))', "I may water the rose again."),
        ('never(water("rose"))', "Never water the rose.", "forget()", "I may water the rose again."),
        ('never(water("rose"), until=wet("fern"))', "Not the rose.", "forget()", "I may water the rose again."),
        ('keep("rose")', "Leave the rose alone.", 'forget(water("rose"))', "I may touch the rose again."),
        ('keep("rose")', "Leave the rose alone.", 'forget("rose")', "I may touch the rose again."),
        ('keep("rose")', "Leave the rose alone.", "forget()", "I may touch the rose again."),
    ],
)
def test_a_rule_is_taken_back_and_told(rule: str, said: str, back: str, told: str) -> None:
    done = talk([rule, 'water("rose")', back, 'water("rose")'])
    assert done.say(said, "Water the rose.").result == "declined"
    assert done.say("You may do that with the rose again.") == End("answered", told)
    assert done.say("Water the rose.").result == "goal met"


def test_a_limit_is_taken_back() -> None:
    done = talk(['never(prune("rose"), above=5)', 'prune("rose", 8)', "forget(prune())", 'prune("rose", 8)'])
    assert done.say("Never prune the rose by more than 5 cm.", "Prune the rose by 8 cm.").result == "declined"
    assert done.say("Forget that rule.").because == "I may prune the rose by more than 5 centimetres again."
    done.say("Prune the rose by 8 cm.")
    assert done.steps == ["Prune the rose by 8 centimetres."]


@pytest.mark.parametrize("back", ["forget()", "forget(water())"])
@pytest.mark.parametrize(
    ("answer", "watered"), [("1", ["rose"]), ("the fern", ["fern"]), ("3", ["rose", "fern"]), ("4", [])]
)
def test_where_several_fit_it_asks_which(back: str, answer: str, watered: list[str]) -> None:
    programs = ['never(water("rose"))', 'never(water("fern"))', back, 'water("rose")', 'water("fern")']
    done = talk(programs, answer)
    done.say(
        "Never water the rose.", "Never water the fern.", "Forget that rule.", "Water the rose.", "Water the fern."
    )
    offered = "1. I am never to water the rose. 2. I am never to water the fern. 3. All of these. 4. None of these."
    assert done.all(Ask)[0].questions == (ASKED + offered,)
    assert done.steps == [f"Water the {plant}." for plant in watered]


def test_a_thing_with_several_rules_is_asked_about() -> None:
    programs = ['never(water("rose"))', 'never(prune("rose"))', 'allow("rose")', 'water("rose")']
    done = talk(programs, "1")
    done.say("Never water the rose.", "Never prune the rose.", "You may do it with the rose again.")
    assert ASKED in done.all(Ask)[0].questions[0]
    assert done.say("Water the rose.").result == "goal met"


def test_one_deed_with_what_is_left_alone_altogether_is_asked_about() -> None:
    programs = ['keep("rose")', 'allow(water("rose"))', 'water("rose")']
    done = talk(programs, "yes")
    done.say("Leave the rose alone.")
    assert done.say("You may water the rose.").result == "answered"
    assert done.all(Ask)[0].questions[0].startswith("You told me to leave the rose alone. Should that no longer hold?")
    assert done.say("Water the rose.").result == "goal met"


def test_that_no_longer_holds_is_about_the_rule_just_told() -> None:
    done = talk(['never(water("rose"))', 'water("rose")', 'allow(water("rose"))', 'water("rose")'])
    done.say("Never water the rose.", "Water the rose.")
    assert done.say("That no longer holds.").because == "I may water the rose again."
    assert done.say("Water the rose.").result == "goal met"


def test_leave_that_nothing_speaks_for_is_not_taken() -> None:
    done = talk(['never(water("rose"))', 'allow(water("rose"))'])
    assert done.say("Never water the rose.", "Hm, well.").result != "answered"


@pytest.mark.parametrize("words", ["Vergiss die Sache.", "Laissons ça."])
def test_forget_it_amid_the_work_forgets_no_rule(words: str) -> None:
    programs = ['never(water("rose"))', 'open(["left window", "right window"])', "forget()", 'water("rose")']
    during = when_begun("Open the left window.", words)
    done = Talk(programs, garden("filled()"), during=during)
    assert done.say("Never water the rose.", "Open the windows.").result == "stopped"
    assert done.say("Water the rose.").result == "declined"


def test_without_any_rule_there_is_nothing_to_take_back() -> None:
    assert meaning_of("forget()").words == "You gave me no rule and no reminder that still holds."


def test_one_of_several_that_wait_can_be_named_by_its_program() -> None:
    waits = meaning_of('whenever(wet("fern"), whistle())\nwhenever(wet("rose"), whistle())').standing
    assert len(waits) == 2
    from test_standing_language import meant

    asked = meant("forget(whistle())", standing=waits)
    assert asked.words.startswith(ASKED)
    first = meant(asked.readings[0].program, standing=waits)
    assert first.forgotten == waits[:1] and json.dumps(waits[0].program) in asked.readings[0].program
    assert meant(asked.readings[-1].program, standing=waits).forgotten == waits
