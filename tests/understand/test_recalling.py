"""What the robot tells of its own doings: why, when and whether it did something, from what was written down."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from said import Talk, garden
from thinkaloud.agent import Agent
from thinkaloud.clock import ManualClock
from thinkaloud.models import Scripted
from thinkaloud.records import End, Plan, Started
from thinkaloud.remember.journal import Journal
from thinkaloud.robots import open_world

KITCHEN = Path(__file__).parents[2] / "examples" / "robots" / "tea_kitchen.toml"
TEA = "A mint tea in the blue mug, please."
BREW = 'brew("mint tea", "blue mug")'


class Later(Talk):
    """A conversation in which five minutes pass after each request."""

    def __init__(self, programs: list[str], world: Any = None, **more: Any) -> None:
        self.wall = ManualClock(14 * 3600, datetime(2026, 11, 18))
        super().__init__(programs, world, wall=self.wall, **more)

    def say(self, *requests: str) -> End:
        for request in requests:
            end = super().say(request)
            self.wall.seconds += 300
        return end


def told(question: str, *programs: str, world: Any = None, requests: tuple[str, ...] = ()) -> str:
    """The answer to a question after some requests."""
    talk = Later([*programs, f"say({question})"], world or open_world(str(KITCHEN)))
    asked = [*(requests or [TEA] * len(programs)), "And this?"]
    return talk.say(*asked).because


def test_the_reason_of_a_step_is_the_wish_it_served_and_the_step_that_needed_it() -> None:
    asked = f'You said: "{TEA}"'
    assert told("why(fill())", BREW) == f"{asked} It was needed for: Boil the water."
    assert told("why(boil())", BREW) == f"{asked} It was needed for: Brew mint tea in the blue mug."
    assert told('why(brew(mug="blue mug"))', BREW) == asked


def test_the_step_that_is_meant_is_found_among_later_requests() -> None:
    """It is not the latest request that is explained."""
    answer = told(
        "why(boil())", BREW, "hum()", 'put("glass", "tray")', requests=(TEA, "Hum.", "The glass on the tray.")
    )
    assert answer == f'You said: "{TEA}" It was needed for: Brew mint tea in the blue mug.'


def test_a_plan_carries_the_reasons_of_its_steps() -> None:
    talk = Later([BREW], open_world(str(KITCHEN)))
    talk.say(TEA)
    assert [(step.words, step.reason) for step in talk.all(Plan)[0].steps] == [
        ("Fill the kettle with cold water.", "needed for: Boil the water"),
        ("Boil the water.", "needed for: Brew mint tea in the blue mug"),
        ("Brew mint tea in the blue mug.", ""),
    ]


def test_when_something_was_done_is_told_with_how_long_ago() -> None:
    assert told("when(brew())", BREW) == "At 14:00, five minutes ago, I did this: brew mint tea in the blue mug."
    assert told("when()", BREW) == "At 14:00, five minutes ago, I did this: brew mint tea in the blue mug."
    assert told("when(hum())", "hum()", "hum()", requests=("Hum.", "Hum again.")) == (
        "At 14:00, ten minutes ago, I did this: hum. At 14:05, five minutes ago, I did this: hum."
    )


def test_whether_something_was_done_is_told() -> None:
    assert told('done(brew(mug="blue mug"))', BREW).startswith(
        "Yes. At 14:00, five minutes ago, I did this: brew mint tea"
    )
    assert told('done(brew(mug="glass"))', BREW) == "I did not brew any tea in the glass."
    assert told('done(brew("green tea"))', BREW) == "I did not brew green tea in any mug."


def test_what_was_never_done_is_told_as_that() -> None:
    assert told("why(hum())", BREW) == "I did not hum."
    assert told("when(hum())", BREW) == "I did not hum."
    assert told("when()") == "I have done nothing yet."
    assert told("why(brew())") == "I did not brew."


def test_what_was_refused_is_told_with_the_reason() -> None:
    answer = told("why(hum())", "never(hum())", "hum()", requests=("Never hum.", "Hum."))
    assert answer == 'I did not hum. You said: "Hum." You told me never to hum. Tell me if that no longer holds.'
    assert told("why(hum())", "never(hum())", requests=("Never hum.",)) == "I did not hum. You told me never to hum."


def test_what_failed_is_told_with_what_went_wrong() -> None:
    programs = ['open("left window")', 'say(why(open("left window")))', 'say(done(open("left window")))']
    talk = Later(programs, garden("stuck(left window)"), preset="thinkaloud:confirm=never;propose=off;rehearse=off")
    assert talk.say("Open the left window.").result == "failed"
    answer = talk.say("Why not?").because
    assert answer.startswith('I did not open the left window. You said: "Open the left window." It failed: ')
    assert "The handle is stuck." in answer
    assert talk.say("But did you open it?").because.startswith("I did not open the left window.")


def test_what_a_rule_made_the_robot_do_is_told_as_that() -> None:
    talk = Later(['whenever(not wet("fern"), water("fern"))', 'say(why(water("fern")))'])
    talk.agent.monologue.goes_on = True
    talk.say("Whenever the fern is dry, water it.")
    watcher = talk.agent.loop.mind.rules
    assert watcher is not None
    watcher.check(talk.agent.monologue, talk.world.observe(), busy=False)
    asyncio.run(talk.agent.carry_out(watcher.pending(talk.agent.monologue)[0]))
    assert talk.say("Why did you water the fern?").because == 'Because you said: "Whenever the fern is dry, water it."'


def test_who_agreed_to_a_step_hears_that() -> None:
    world = garden()
    object.__setattr__(world.skills["open"], "approval", True)
    talk = Later(['open("left window")', 'say(why(open("left window")))'], world, answers=("yes",))
    talk.say("Open the left window.")
    answer = talk.say("Why did you open it?").because
    assert answer == 'You said: "Open the left window." I asked you first, and you agreed.'


def test_a_journal_of_an_earlier_version_knows_the_deed_but_not_the_time(tmp_path: Path) -> None:
    talk = Later([BREW, "say(when(brew()))", "say(done(brew()))"], open_world(str(KITCHEN)))
    talk.say(TEA)
    for event in talk.agent.monologue:
        if hasattr(event.record, "time"):
            object.__setattr__(event.record, "time", "")
    assert talk.say("When?").because == "At a time that I no longer know, I did this: brew mint tea in the blue mug."
    assert talk.say("Did you?").because.startswith("Yes.")


def test_it_is_known_after_the_session_was_taken_up_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        with journal.begin() as session:
            Later([BREW], open_world(str(KITCHEN)), session=session).say(TEA)
        with journal.resume(session.id) as again:
            wall = ManualClock(16 * 3600, datetime(2026, 11, 18))
            model = Scripted(["say(when(brew()))"])
            agent = Agent(open_world(str(KITCHEN)), model, "thinkaloud:confirm=never", session=again, wall=wall)
            end = asyncio.run(agent.run("When did you brew it?"))
    assert end.because == "At 14:00, two hours ago, I did this: brew mint tea in the blue mug."


@pytest.mark.parametrize("question", ["done()", "todo()", "why()", "abilities()"])
def test_what_was_asked_without_a_deed_is_answered_as_before(question: str) -> None:
    answer = told(question, BREW)
    assert answer and "{" not in answer


def test_started_steps_keep_their_reasons_in_the_journal() -> None:
    talk = Later([BREW], open_world(str(KITCHEN)))
    talk.say(TEA)
    assert [each.step.reason for each in talk.all(Started)][:2] == [
        "needed for: Boil the water",
        "needed for: Brew mint tea in the blue mug",
    ]
