"""What stays at hand of a long life, and that the rest can be read again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkaloud.agent import Agent
from thinkaloud.clock import ManualClock
from thinkaloud.episode import lasting_events
from thinkaloud.episode.lasting_events import pick_lasting
from thinkaloud.episode.told_rules import kept_of, standing_of
from thinkaloud.models import Scripted
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import (
    Begin,
    DueRequest,
    Meaning,
    Noted,
    Observation,
    Outcome,
    Record,
    Request,
    RuleNotice,
    StandingRule,
    Started,
    Step,
    Stop,
    Taught,
    Verdict,
)
from thinkaloud.remember.journal import Journal
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud_bench.costs import week

ONCE, AGAIN = (
    StandingRule("once(bell(), ring())", "the bell rings", "Ring."),
    StandingRule("whenever(bell(), open())", "the bell rings", "Open."),
)
TOLD = [
    Request("Go."),
    Started(Step("go", {}, "Go.")),
    Outcome(Step("go", {}, "Go."), "completed"),
    Verdict(Step("go", {}, "Go."), True, "action"),
    Observation(("ball",), {}),
    Stop(),
    Taught("tidy up", program="go()", words="Go."),
    Meaning("keep('ball')", "I leave the ball alone.", Noted(kept=("ball",))),
    Meaning("", "", Noted(), standing=(ONCE, AGAIN)),
    Meaning("", "", Noted(), forgotten=(AGAIN,)),
    DueRequest("Ring.", rule=ONCE),
    DueRequest("Open.", rule=AGAIN),
    RuleNotice(ONCE, "reminds"),
    RuleNotice(AGAIN, "due"),
    RuleNotice(AGAIN, "cleared"),
]


def lived(records: Iterable[Record]) -> tuple[Monologue, list[Event]]:
    """A monologue that can be read again, and where it is written down."""
    written: list[Event] = []
    monologue = Monologue(ManualClock(), commit=written.append, recall=lambda: iter(written))
    for record in records:
        monologue.append(record)
    return monologue, written


@given(st.lists(st.sampled_from(TOLD), max_size=30), st.integers(0, 30))
def test_what_holds_on_is_the_same_with_and_without_what_was_let_go(said: list[Record], before: int) -> None:
    monologue, written = lived([Begin("w", "p", "m", 0), *said])
    whole = Monologue(ManualClock(), written)
    monologue.let_go(min(before, len(monologue)), pick_lasting)
    assert standing_of(monologue) == standing_of(whole)
    assert kept_of(monologue) == kept_of(whole)
    assert monologue.since(None, Taught) == whole.since(None, Taught)
    assert monologue.last(Stop) == whole.last(Stop)
    assert list(monologue.whole()) == written


@given(st.lists(st.sampled_from(TOLD), min_size=1, max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_what_is_at_hand_keeps_its_number_and_is_found_as_before(said: list[Record], before: int, at: int) -> None:
    monologue, written = lived(said)
    before = min(before, len(monologue))
    monologue.let_go(before, pick_lasting)
    assert len(monologue) == len(written)
    assert monologue[before:] == written[before:]
    assert [event.index for event in monologue] == sorted({event.index for event in monologue})
    assert all(monologue[event.index] == event for event in monologue)
    after = max(at, before) - 1
    assert monologue.since(after, Request) == [e.record for e in written[after + 1 :] if isinstance(e.record, Request)]
    assert monologue.append(Stop()).index == len(written) - 1


def test_nothing_is_let_go_that_is_written_down_nowhere() -> None:
    monologue = Monologue(ManualClock())
    for _ in range(5):
        monologue.append(Request("Go."))
    monologue.let_go(4, pick_lasting)
    assert len(list(monologue)) == 5


def test_a_long_life_keeps_a_few_requests_at_hand_and_remembers_the_others_by_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lasting_events, "AT_HAND", 3)
    many = [week.ask_for(number) for number in (0, 1, 3, 4, 0, 1, 3, 4)]
    said = [
        ("Open the roof window.", 'open("roof window")'),
        ("Leave the roof window alone.", 'keep("roof window")'),
        *many,
        ("When did you open the roof window?", 'say(when(open("roof window")))'),
        ("Close the roof window.", 'close("roof window")'),
    ]
    with Journal(tmp_path / "journal.db") as journal, journal.begin() as session:
        model = Scripted([program for _, program in said])
        agent = Agent(TextFileWorld(week.ROBOT), model, "thinkaloud:confirm=never", session=session)
        opened, _, *others, told, declined = [asyncio.run(agent.run(words)) for words, _ in said]
        assert len(agent.monologue.events_of(Request)) < 8 < len(said)
        assert len(list(agent.monologue)) < len(agent.monologue) == session.count()
    assert {end.result for end in (opened, *others)} == {"goal met"}
    assert told.because.endswith("I did this: open the roof window.")
    assert declined.result == "declined" and "leave the roof window alone" in declined.because
