"""Why something was done, where several people speak or several things were done."""

from __future__ import annotations

import asyncio

import pytest

from said import Talk, garden
from thinkaloud import Agent, Inbox, Scripted, Speaker
from thinkaloud.monologue import Event
from thinkaloud.records import Ask, Reading
from thinkaloud.understand import deciding, reader
from thinkaloud.understand.checking.certainty import Doubt

NAN, DORA, BOB = Speaker("Nan", "nurse"), Speaker("Dora", "doctor"), Speaker("Bob", "visitor")
OPEN, WHISTLE = 'open("left window")', "whistle()"
WHY_OPEN = f"say(why({OPEN}))"


def why(asker: Speaker, program: str = WHY_OPEN) -> str:
    """What somebody hears who asks why a window was opened that Nan wanted open, and Dora agreed to open."""
    world = garden()
    object.__setattr__(world.skills["open"], "approval", True)

    def hear(event: Event) -> None:
        if isinstance(event.record, Ask):
            agent.say("yes", DORA)

    agent = Agent(
        world, Scripted([OPEN, program]), "thinkaloud:confirm=never", person=Inbox(present=True), listeners=[hear]
    )
    asyncio.run(asyncio.wait_for(agent.run("Open the left window.", NAN), 20))
    return asyncio.run(asyncio.wait_for(agent.run("Why is it open?", asker), 20)).because


def test_who_asked_and_who_agreed_is_told_by_name() -> None:
    assert why(BOB) == 'Nan said: "Open the left window." I asked first, and Dora agreed.'
    assert why(NAN) == 'You said: "Open the left window." I asked first, and Dora agreed.'
    assert why(DORA) == 'Nan said: "Open the left window." I asked you first, and you agreed.'
    assert why(BOB, "say(why())").startswith('Nan said: "Open the left window." I understood: ')


def test_a_rule_is_told_with_who_gave_it_and_once() -> None:
    agent = Agent(
        garden(""),
        Scripted(['whenever(not wet("fern"), water("fern"))', "say(why())", "say(why())"]),
        "thinkaloud:confirm=never",
        person=Inbox(present=True),
    )
    agent.monologue.goes_on = True
    asyncio.run(agent.run("Whenever the fern is dry, water it.", NAN))
    watcher = agent.loop.mind.rules
    assert watcher is not None
    watcher.check(agent.monologue, agent._idle_look(False), busy=False)
    asyncio.run(agent.carry_out(watcher.pending(agent.monologue)[0]))
    told = [asyncio.run(agent.run("Why?", by)).because for by in (NAN, BOB)]
    assert told[0].startswith('Because you said: "Whenever the fern is dry, water it." I understood: ')
    assert told[1].startswith('Because Nan said: "Whenever the fern is dry, water it." I understood: ')


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Why did you open the left window?", 'You said: "Let in some air."'),
        ("Why?", 'You said: "Now a tune." I understood: '),
        ("Why is the rose dry?", 'You said: "Now a tune." I understood: '),  # of which nothing was done
    ],
)
def test_a_question_that_names_a_thing_is_about_what_was_done_with_it(question: str, told: str) -> None:
    talk = Talk([OPEN, WHISTLE, "say(why())"])
    assert talk.say("Let in some air.", "Now a tune.", question).because.startswith(told)


@pytest.mark.parametrize(
    ("first", "other", "answer"),
    [
        ("say(why())", WHY_OPEN, 'You said: "Let in some air."'),
        (WHY_OPEN, "say(why())", 'You said: "Let in some air."'),
        ("say(when())", f"say(when({OPEN}))", "I did this: open the left window."),
    ],
)
def test_the_reading_that_names_what_was_done_is_taken_without_a_question(
    first: str, other: str, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = unsure(monkeypatch, first, other)
    assert answer in talk.say("Let in some air.", "Now a tune.", "Warum das?").because
    assert not talk.all(Ask)


@pytest.mark.parametrize(
    ("first", "other", "offered"),
    [
        (
            "say(why())",
            'say(why(water("rose")))',
            "You ask why I did this: water the rose",
        ),  # it was not done: nothing to prefer
        (WHY_OPEN, f"say(why({WHISTLE}))", "You ask why I did this: open the left window"),
    ],
)
def test_what_cannot_be_told_apart_so_is_asked(
    first: str, other: str, offered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = unsure(monkeypatch, first, other)
    talk.say("Let in some air.", "Now a tune.", "Warum das?")
    assert any(offered in question for ask in talk.all(Ask) for question in ask.questions)


def test_two_answers_to_the_same_question_are_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = unsure(monkeypatch, "say(plants)", "say([p for p in plants])")
    talk.say("Let in some air.", "Now a tune.", "What is there?")
    assert not any("1." in question for ask in talk.all(Ask) for question in ask.questions)


def unsure(monkeypatch: pytest.MonkeyPatch, first: str, other: str) -> Talk:
    """Somebody who asks a third thing that has two readings, which are equally likely; together they are sure."""
    talk = Talk([OPEN, WHISTLE, first, *["unclear()"] * 4], preset="thinkaloud", answers=("no", "no", "no"))

    async def measured(*given: object) -> Doubt:
        if len(talk.model.prompts) < 3:
            return Doubt(1.0)
        return Doubt(0.5, (Reading(other, "", 0.5),), {"agreement": 0.5})

    monkeypatch.setattr(reader, "measure_doubt", measured)
    monkeypatch.setattr(deciding, "threshold_for", lambda *_: 0.8)
    monkeypatch.setattr(
        "thinkaloud.methods.thinkaloud.sharper_readings.how_sure", lambda measured, model: measured["agreement"]
    )
    return talk
