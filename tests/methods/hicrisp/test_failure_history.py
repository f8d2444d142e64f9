"""HiCRISP's stack, read off a monologue: what is on it after whatever happened, and when it is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knotworld import algorithm_1
from thinkaloud.clock import ManualClock
from thinkaloud.methods.hicrisp.failure_history import Case, cases, under_way
from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    Answer,
    Ask,
    Condition,
    Critique,
    Decline,
    Done,
    End,
    Look,
    Observation,
    Outcome,
    Plan,
    Record,
    Refusal,
    Request,
    Resumed,
    Started,
    Step,
    Stop,
    Verdict,
    WorldState,
)

SIT, FIND, OPEN = (Step(name, {}, f"{name.capitalize()}.") for name in ("sit", "find", "open"))
PLAN = Plan("Sit.", (), (SIT,))


def said(*records: Record | Sequence[Record]) -> Monologue:
    monologue = Monologue(ManualClock())
    for record in (Request("Sit."), PLAN, *records):
        for each in record if isinstance(record, list) else [record]:
            monologue.append(each)  # type: ignore[arg-type]
    return monologue


def did(step: Step, why: str = "", *, correcting: bool = False, seen: str | None = None) -> list[Record]:
    """A step that was carried out; `why` it failed, if it did; and what was seen afterwards."""
    verdict = Verdict(step, not why, "action", why=why)
    done: list[Record] = [Started(step, correcting), Outcome(step, "failed" if why else "completed", why), verdict]
    return done if seen is None else [*done, look(seen)]


def look(at: str) -> Observation:
    at_place = Condition("at", {"place": at}, f"The robot is at the {at}.")
    return Observation(("sofa",), {}, state=WorldState(("sofa",), (at_place,)))


def stacked(case: Case) -> list[tuple[str, str]]:
    return [(each.step.words, each.why) for each in case.stack]


def test_a_step_that_works_is_no_case() -> None:
    monologue = said(did(SIT))
    assert cases(monologue) == [] and under_way(monologue) is None


def test_a_step_that_failed_is_on_the_stack_with_all_that_is_known_of_why() -> None:
    verdict = Verdict(SIT, False, "plan", "The robot sits.", observed="Not so: The robot sits.", why="It tried.")
    case = under_way(said(Started(SIT), Outcome(SIT, "completed"), verdict))
    assert case is not None
    assert stacked(case) == [("Sit.", "It tried. Not so: The robot sits.")]
    assert case.first == case.top and not case.retrying and not case.fixed and case.tries == []


def test_a_correction_that_works_has_the_top_tried_again_and_then_it_is_over() -> None:
    failed = did(SIT, "Not close.")
    case = under_way(said(failed, did(FIND, correcting=True)))
    assert case is not None and case.retrying and stacked(case) == [("Sit.", "Not close.")]
    over = said(failed, did(FIND, correcting=True), did(SIT, correcting=True))
    assert under_way(over) is None
    assert [case.fixed for case in cases(over)] == [True]
    assert [each.step for each in cases(over)[0].tries] == [FIND]


def test_a_correction_that_fails_is_pushed_and_has_to_work_first() -> None:
    deep = said(did(SIT, "Not close."), did(FIND, "The door is shut.", correcting=True))
    case = under_way(deep)
    assert case is not None
    assert stacked(case) == [("Sit.", "Not close."), ("Find.", "The door is shut.")] and not case.retrying
    for record in did(OPEN, correcting=True):
        deep.append(record)
    case = under_way(deep)
    assert case is not None and case.retrying and case.top.step == FIND
    for record in did(FIND, correcting=True):
        deep.append(record)
    case = under_way(deep)
    assert case is not None and case.retrying and stacked(case) == [("Sit.", "Not close.")]
    for record in did(SIT, correcting=True):
        deep.append(record)
    assert under_way(deep) is None and [case.fixed for case in cases(deep)] == [True]


def test_a_second_try_that_fails_gives_the_top_its_new_reason() -> None:
    case = under_way(
        said(did(SIT, "Not close."), did(FIND, correcting=True), did(SIT, "The cat is there.", correcting=True))
    )
    assert case is not None
    assert stacked(case) == [("Sit.", "The cat is there.")] and not case.retrying and len(case.tries) == 1


LEFT: list[Record] = [
    PLAN,
    Ask(("Where to?",)),
    Look("I lost it."),
    Done("never mind"),
    Decline("I cannot."),
    Request("Stand."),
    Stop(),
    End("limit", "no more"),
]


@pytest.mark.parametrize("record", LEFT, ids=lambda record: type(record).__name__)
@pytest.mark.parametrize("corrected", [False, True])
def test_whoever_decides_anew_gives_up_what_is_on_the_stack(record: Record, corrected: bool) -> None:
    monologue = said(did(SIT, "Not close."), did(FIND, correcting=True) if corrected else [], record)
    assert under_way(monologue) is None
    assert [case.fixed for case in cases(monologue)] == [False]


KEPT: list[Record] = [
    Ask(("May I do this? Find.",), approval=True),
    Answer("yes"),
    Resumed("the process had ended"),
    Refusal("corrector", "Fly.", "no such skill"),
    Critique(),
    WorldState(),
    look("door"),
]


@pytest.mark.parametrize("record", KEPT, ids=lambda record: type(record).__name__)
def test_anything_else_leaves_the_stack_as_it_is(record: Record) -> None:
    case = under_way(said(did(SIT, "Not close."), did(FIND, "Shut.", correcting=True), record))
    assert case is not None and len(case.stack) == 2


def test_every_failed_step_is_a_case_of_its_own() -> None:
    again = did(FIND, "Lost.")
    monologue = said(did(SIT, "Not close."), did(FIND, correcting=True), did(SIT, correcting=True), again, PLAN, again)
    assert [(case.first.step.words if case.stack else "", case.fixed) for case in cases(monologue)] == [
        ("", True),
        ("Find.", False),
        ("Find.", False),
    ]


def test_a_step_of_an_earlier_request_is_no_longer_under_way() -> None:
    failed = Verdict(SIT, False, "action", why="you said something")
    late = said(Started(SIT), Request("Stand."), Outcome(SIT, "interrupted"), failed)
    assert under_way(late) is None
    assert cases(late, late.task_start()) == []


# Algorithm 1, line by line --------------------------------------------------------------------------------------------


@given(data=st.data(), threshold=st.integers(1, 6))
def test_the_stack_is_that_of_the_paper_whatever_perception_returns(data: st.DataObject, threshold: int) -> None:
    flags, infos = st.booleans(), st.sampled_from(["Not close.", "Shut.", "The cat is there."])
    paper = algorithm_1(SIT, "Not close.", threshold)
    monologue, corrections = said(did(SIT, "Not close.")), 0
    wanted = next(paper)
    left: Iterable[tuple[Step, str]] = ()
    while True:
        case = under_way(monologue)
        assert case is not None
        assert case.retrying == (wanted.step is not None)
        if wanted.step is not None:
            assert case.top.step == wanted.step
        else:
            assert case.top.why == wanted.reason and len(case.tries) == corrections
            corrections += 1
        step = wanted.step or data.draw(st.sampled_from([FIND, OPEN, SIT]))
        why = "" if data.draw(flags) else data.draw(infos)
        for record in did(step, why, correcting=True):
            monologue.append(record)
        try:
            wanted = paper.send((step, not why, why))
        except StopIteration as over:
            left = over.value
            break
    found = cases(monologue)[-1]
    assert [(each.step, each.why) for each in found.stack] == list(left)
    assert len(found.tries) == corrections <= threshold and len(found.stack) <= threshold + 1
    assert found.fixed == (not found.stack) == (under_way(monologue) is None)
