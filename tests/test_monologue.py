"""The monologue: append-only, committed before anybody hears of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkaloud.clock import ManualClock
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import (
    Answer,
    Condition,
    End,
    Observation,
    Outcome,
    Plan,
    Record,
    Refusal,
    Request,
    Started,
    Step,
    Stop,
    Verdict,
)

UP = (Condition("at", {"thing": "ball", "place": "shelf"}, "Ball is on the shelf."),)
RECORDS = st.lists(st.sampled_from([Request("a"), Answer("b"), Stop(), Plan("a", UP, ()), Plan("a", (), ())]))


def spoken(*records: Record) -> Monologue:
    monologue = Monologue(ManualClock())
    for record in records:
        monologue.append(record)
    return monologue


def test_an_event_has_its_place_and_its_time() -> None:
    clock = ManualClock(1.5)
    monologue = Monologue(clock)
    assert monologue.append(Request("a")) == Event(0, 1.5, Request("a"))
    clock.seconds = 2.00000049
    assert monologue.append(Stop()) == Event(1, 2.0, Stop())
    assert len(monologue) == 2


def test_an_event_is_committed_before_any_listener_hears_of_it() -> None:
    order: list[str] = []
    monologue = Monologue(ManualClock(), commit=lambda event: order.append(f"commit {event.index} of {len(monologue)}"))
    monologue.listeners.append(lambda event: order.append(f"heard {event.index} of {len(monologue)}"))
    monologue.append(Request("a"))
    monologue.append(Stop())
    assert order == ["commit 0 of 0", "heard 0 of 1", "commit 1 of 1", "heard 1 of 2"]


def test_what_could_not_be_committed_was_not_said() -> None:
    def full(_: Event) -> None:
        raise OSError("disk full")

    heard: list[Event] = []
    monologue = Monologue(ManualClock(), commit=full)
    monologue.listeners.append(heard.append)
    with pytest.raises(OSError, match="disk full"):
        monologue.append(Request("a"))
    assert (len(monologue), heard) == (0, [])


def test_a_monologue_goes_on_where_its_events_ended() -> None:
    before = spoken(Request("a"), Answer("b"))
    after = Monologue(ManualClock(), before)
    assert after.append(Stop()).index == 2
    assert len(before) == 2


def test_the_goal_is_that_of_the_request_at_hand() -> None:
    monologue = spoken(Request("a"))
    assert monologue.goal() == ()
    monologue.append(Plan("a", UP, ()))
    assert monologue.goal() == UP
    monologue.append(Request("b"))
    assert monologue.goal() == ()
    assert monologue.goal(before=2) == UP


@given(RECORDS, st.integers(-1, 8), st.none() | st.integers(0, 8))
def test_where_finds_the_latest_between_two_indices(records: list[Record], after: int, before: int | None) -> None:
    monologue = spoken(*records)
    end = len(records) if before is None else min(before, len(records))
    expected = [i for i, r in enumerate(records) if isinstance(r, Answer | Stop) and after < i < end]
    found = monologue.where((Answer, Stop), after=after, before=None if before is None else end)
    assert found == (expected[-1] if expected else None)


@given(RECORDS)
def test_last_since_and_where_agree(records: list[Record]) -> None:
    monologue = spoken(*records)
    assert [event.record for event in monologue] == records
    assert monologue.since(None, object) == records
    at = monologue.where(Request)
    assert monologue.last(Request) == (None if at is None else monologue[at].record)
    assert monologue.task_start() == (-1 if at is None else at)
    assert monologue.since(monologue.task_start(), Request) == []


# What is asked of it --------------------------------------------------------------------------------------------------

A, B = (Step(name, {}, f"Do {name}.") for name in "ab")
SCENE, NO, END = Observation(("ball",), {}), Refusal("planner", "Fly.", "There is no such skill."), End("goal met", "")


def test_a_planner_is_asked_about_the_latest_request_and_what_was_seen_last() -> None:
    assert spoken(Request("a"), SCENE, Request("b")).situation() == (Request("b"), SCENE)
    for lacking in (spoken(), spoken(Request("a")), spoken(SCENE)):
        with pytest.raises(ValueError, match="a request and a scene"):
            lacking.situation()


def test_a_task_begins_with_the_latest_request() -> None:
    monologue = spoken(Request("a"), NO, Request("b"), Plan("b", (), ()), NO)
    assert [event.index for event in monologue.task()] == [2, 3, 4]
    assert monologue.in_task(Refusal) == [NO]
    assert len(spoken(NO).task()) == 1


def test_an_order_lasts_from_the_first_request_since_the_latest_end() -> None:
    monologue = spoken(Request("a"), END, Request("b"), NO, Request("c"))
    assert [event.index for event in monologue.order()] == [2, 3, 4]
    assert [event.index for event in monologue.order(before=3)] == [2]
    assert spoken(Request("a"), END).order() == []


def test_what_a_person_said_are_the_request_and_answers() -> None:
    assert spoken(Request("a"), Answer("b"), Request("c"), NO, Answer("d")).heard() == ["c", "d"]


def test_refusals_count_from_the_latest_record_of_a_kind() -> None:
    monologue = spoken(NO, Request("a"), NO, Plan("a", (), ()), NO, NO)
    assert len(monologue.refusals()) == 3
    assert len(monologue.refusals(Plan)) == 2
    assert len(monologue.refusals(Stop)) == 4


def test_the_first_and_the_last_of_a_kind_may_be_missing() -> None:
    monologue = spoken(Request("a"), Answer("b"), Answer("c"))
    assert (monologue.first(Answer), monologue.last(Answer)) == (Answer("b"), Answer("c"))
    assert (monologue.first(Answer, after=1), monologue.last(Answer, before=2)) == (Answer("c"), Answer("b"))
    assert (monologue.first(Stop), monologue.last(Answer, after=2)) == (None, None)


def test_what_worked_was_judged_or_completed_where_nobody_judges() -> None:
    did: list[Record] = [Request("a"), Started(A), Outcome(A, "completed"), Started(B), Outcome(B, "failed")]
    assert spoken(*did).worked() == [A]
    assert spoken(*did, Verdict(B, True, "action")).worked() == [B]
    assert spoken(*did, END).worked() == []
