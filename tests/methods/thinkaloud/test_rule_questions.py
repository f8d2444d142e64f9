"""Rules that are taken back in words which the model read as something else, and reminders that wait for a fact."""

from __future__ import annotations

import pytest

from said import Talk, garden
from thinkaloud.episode.told_rules import rules_of
from thinkaloud.records import Ask

ROSE, FERN = 'never(water("rose"))', 'never(water("fern"))'
FORGET_ROSE = "Shall I forget this: I am never to water the rose?"


def talk(programs: list[str], *answers: str) -> Talk:
    return Talk(programs, garden("filled()"), answers=answers)


def questions(done: Talk) -> list[str]:
    return [ask.questions[0] for ask in done.all(Ask)]


@pytest.mark.parametrize(
    ("back", "said"),
    [
        ("stop()", "Forget that rule."),
        ("stop()", "Vergiss die Regel."),
        ('note("The rose need not stay dry.")', "The rose need not stay dry any more."),
        ('note("Watering is fine again.")', "Watering is fine again."),
    ],
)
@pytest.mark.parametrize(("answer", "forgets"), [("yes", True), ("no", False)])
def test_a_rule_is_not_kept_in_silence(back: str, said: str, answer: str, *, forgets: bool) -> None:
    done = talk([ROSE, back, 'water("rose")'], answer)
    done.say("Never water the rose.")
    end = done.say(said)
    assert questions(done) == [FORGET_ROSE]
    assert (end.because == "I may water the rose again.") == forgets
    assert (done.say("Water the rose.").result == "goal met") == forgets


def test_a_remark_is_noted_after_a_no() -> None:
    done = talk([ROSE, 'note("The rose is ill.")'], "no")
    done.say("Never water the rose.", "The rose is ill.")
    assert questions(done) == [FORGET_ROSE] and done.ends[-1] == "answered"


def test_of_several_rules_the_robot_asks_which() -> None:
    done = talk([ROSE, FERN, "stop()"], "2")
    done.say("Never water the rose.", "Never water the fern.", "Forget that rule.")
    assert questions(done)[0].startswith("Which of these should no longer hold? 1. I am never to water the rose. 2.")
    assert [rule.arguments for rule in rules_of(done.agent.monologue) if not rule.allowed] == [{"plant": "rose"}]


@pytest.mark.parametrize(
    "program", ['note("The window is cold.")', 'note("Bert likes tea.")', 'open("left window")', "say(rules())"]
)
def test_what_speaks_of_no_rule_is_taken_as_it_is(program: str) -> None:
    done = talk([ROSE, program], "no")
    done.say("Never water the rose.", "The left window, the cold one.")
    assert not questions(done)


def test_without_rules_a_stop_is_a_stop() -> None:
    done = talk(["stop()"], "yes")
    assert done.say("That will do for today.").because == "I leave off." and not questions(done)


def test_a_stop_amid_the_work_is_a_stop() -> None:
    from said import when_begun

    during = when_begun("Open the left window.", "That will do.")
    done = Talk([ROSE, 'open(["left window", "right window"])', "stop()"], garden("filled()"), during=during)
    assert done.say("Never water the rose.", "Open the windows.").result == "stopped"
    assert not questions(done)
