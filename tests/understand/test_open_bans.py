"""A ban that the robot asked about is not lost where somebody says something else in place of a yes or a no."""

from __future__ import annotations

import pytest

from said import Talk, garden
from thinkaloud.clock import WallClock
from thinkaloud.episode.lasting_events import pick_lasting
from thinkaloud.episode.told_rules import kept_of, rules_of, tell_all_rules
from thinkaloud.monologue import Monologue
from thinkaloud.records import Ask, Meaning, Stop

BAN, LAMP, WATER = 'never(water("fern"))', 'switch("lamp", "on")', 'water("fern")'
NEVER, LIGHT = "Das Farnding nie mehr nass machen.", "Mach bitte das Licht an."
HOLDS = "You did not answer my question. Until you say otherwise, this holds: I am never to water the fern."


def talked(programs: list[str], *said: str, answers: tuple[str, ...] = (LIGHT,)) -> Talk:
    talk = Talk(programs, garden(), preset="thinkaloud", answers=answers)
    talk.say(NEVER, *said)
    return talk


def test_a_ban_without_an_answer_holds_and_that_is_told() -> None:
    talk = talked([BAN, LAMP, WATER], "Mach den Farn nass.")
    assert talk.all(Ask)[0].questions[0].endswith("Is that right?")
    assert talk.steps == ["Switch the lamp on."] and talk.ends == ["goal met", "declined"]
    assert talk.all(Meaning)[1].spoken == f"I will switch the lamp on. {HOLDS}"
    assert "You told me never to water the fern." in talk.all(Meaning)[2].words


@pytest.mark.parametrize("program", ['say(wet("cactus"))', 'switch("heater", "on")'])
def test_what_else_is_said_in_its_place_may_be_of_any_kind(program: str) -> None:
    talk = talked([BAN, program, WATER], "Mach den Farn nass.", answers=(LIGHT, LIGHT, LIGHT))
    assert not talk.steps and talk.ends[-1] == "declined"
    assert tell_all_rules(talk.agent.monologue) == ["I am never to water the fern."]


def test_a_thing_to_leave_alone_is_left_alone() -> None:
    talk = talked(['keep("rose")', LAMP, "water(plants)"], "Alles gießen.")
    assert talk.kept == ["rose"] and talk.steps == ["Switch the lamp on.", "Water the fern."]


def test_no_step_that_only_helps_breaks_it() -> None:
    talk = Talk(["never(fill_can())", LAMP, WATER], garden("wet(cactus)"), preset="thinkaloud", answers=(LIGHT,))
    talk.say("Nie wieder die Kanne füllen.", "Mach den Farn nass.")
    assert talk.steps == ["Switch the lamp on."] and talk.ends[-1] != "goal met"


@pytest.mark.parametrize("answer", ["no", "nein", Stop("you said stop")])
def test_after_a_no_or_a_stop_it_does_not_hold(answer: str | Stop) -> None:
    talk = Talk([BAN, LAMP, WATER], garden(), preset="thinkaloud", present=True)
    talk.agent.monologue.listeners.append(
        lambda event: talk.agent.person.say(answer) if isinstance(event.record, Ask) else None  # type: ignore[arg-type]
    )
    if isinstance(answer, str):
        talk = Talk([BAN, LAMP, WATER], garden(), preset="thinkaloud", answers=(answer,))
    talk.say(NEVER, LIGHT, "Mach den Farn nass.")
    assert talk.steps == ["Switch the lamp on.", "Water the fern."]


def test_who_asks_for_just_that_in_place_of_an_answer_has_denied_it() -> None:
    talk = talked([BAN, WATER, LAMP], LIGHT, answers=("Mach den Farn nass.",))
    assert talk.steps == ["Water the fern.", "Switch the lamp on."]
    assert tell_all_rules(talk.agent.monologue) == ["There are no rules."]


def test_another_rule_in_place_of_an_answer_takes_its_place() -> None:
    talk = talked([BAN, 'never(water("rose"))'], answers=("Never water the rose!",))
    assert [rule.arguments for rule in rules_of(talk.agent.monologue)] == [{"plant": "rose"}]


def test_it_ends_when_it_is_lifted() -> None:
    talk = talked([BAN, LAMP, 'allow(water("fern"))', WATER], "You may water the fern.", "Water the fern.")
    assert talk.steps[-1] == "Water the fern."


def test_a_question_about_something_else_leaves_it_in_force() -> None:
    talk = talked([BAN, 'open("window")', 'open("left window")'], answers=("Ein Fenster auf.", "the left one"))
    assert talk.steps == ["Open the left window."]
    assert tell_all_rules(talk.agent.monologue) == ["I am never to water the fern."]


@pytest.mark.parametrize(("answers", "held"), [((LIGHT,), 1), (("no",), 0), (("yes",), 1)])
def test_it_is_the_same_after_old_events_were_let_go(answers: tuple[str, ...], held: int) -> None:
    programs = [BAN, *([LAMP] if answers == (LIGHT,) else []), 'open("left window")', 'keep("rose")']
    talk = talked(programs, "Open the left window.", "Leave the rose alone.", answers=answers)
    whole = talk.agent.monologue
    left = Monologue(WallClock(), list(whole), recall=lambda: list(whole))
    left.let_go(len(left), pick_lasting)
    assert len(rules_of(whole)) == held and kept_of(whole) == ["rose"]
    assert (rules_of(left), kept_of(left)) == (rules_of(whole), kept_of(whole))
