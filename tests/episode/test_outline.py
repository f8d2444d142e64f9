"""The outline of a plan on two levels, read off a monologue."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thinkaloud.clock import ManualClock
from thinkaloud.episode.outline import completed_lines, difference, find_outlined, find_position, find_unfinished
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, End, Outcome, Outline, Plan, Record, Request, Started, Step, Verdict

A, B, C, D = (Step(name, {}, f"Do {name}.") for name in "abcd")
LINES = ("first", "second", "third")


def said(*records: Record | list[Record]) -> Monologue:
    monologue = Monologue(ManualClock())
    for each in records:
        for record in each if isinstance(each, list) else [each]:
            monologue.append(record)
    return monologue


def outline(*lines: str, goal: str = "g") -> Plan:
    return Plan(goal, (), (), "Material: x", outline=Outline(lines or LINES))


def doing(line: int, *steps: Step, lines: tuple[str, ...] = LINES) -> Plan:
    return Plan("g", (), steps, outline=Outline(lines, line))


def did(step: Step, *, ok: bool = True, heard: list[Record] | None = None) -> list[Record]:
    return [Started(step), *(heard or []), Outcome(step, "completed"), Verdict(step, ok, "action")]


END = End("goal met", "")


def test_an_order_begins_with_the_first_request_since_the_latest_end() -> None:
    assert said().order_start() == -1
    assert said(Request("a")).order_start() == 0
    assert said(Request("a"), Request("b")).order_start() == 0
    assert said(Request("a"), END).order_start() == -1
    assert said(Request("a"), END, Request("b"), Request("c")).order_start() == 2


def test_a_line_is_completed_when_all_its_steps_have_worked() -> None:
    start: list[Record] = [Request("r"), outline(), doing(0, A, B)]
    assert completed_lines(said(start)) == []
    assert completed_lines(said(start, did(A))) == []
    assert completed_lines(said(start, did(A), did(B, ok=False))) == []
    assert completed_lines(said(start, did(A), did(B))) == ["first"]
    assert completed_lines(said(start, did(A), did(B, ok=False), doing(0, B), did(B))) == ["first"]


def test_what_corrects_a_step_counts_once() -> None:
    corrected: list[Record] = [*did(A, ok=False), Started(A, correcting=True), Outcome(A, "completed")]
    assert completed_lines(said(Request("r"), doing(0, A), corrected, Verdict(A, True, "action"))) == ["first"]


def test_where_nobody_judges_what_completed_has_worked() -> None:
    assert completed_lines(said(Request("r"), doing(0, A), Started(A), Outcome(A, "completed"))) == ["first"]
    assert completed_lines(said(Request("r"), doing(0, A), Started(A), Outcome(A, "failed"))) == []
    assert completed_lines(said(Request("r"), doing(0, A), Started(A), Outcome(A, "interrupted"))) == []


def test_what_was_finished_for_an_earlier_request_of_the_order_stays_finished() -> None:
    first: list[Record] = [Request("r"), outline(), doing(0, A), *did(A)]
    second: list[Record] = [Request("s"), outline("other"), doing(0, B, lines=("other",)), *did(B)]
    assert completed_lines(said(first, second)) == ["first", "other"]
    assert [step.skill for step in said(first, second).worked()] == ["a", "b"]
    assert completed_lines(said(first, END, second)) == ["other"]
    assert completed_lines(said(first, END)) == []
    assert said(first, END).worked() == []


def test_what_was_under_way_when_a_request_came_counts_as_begun_before_it() -> None:
    heard: list[Record] = [Request("s")]
    monologue = said(Request("r"), outline(), doing(0, A), did(A), doing(1, B), did(B, heard=heard), outline("x"))
    at = monologue.task_start()
    assert completed_lines(Monologue(ManualClock(), list(monologue)[:at])) == ["first"]
    assert completed_lines(monologue, before=at) == ["first", "second"]
    assert [step.skill for step in monologue.worked(before=at)] == ["a", "b"]
    assert find_position(monologue, earlier=True)[1] == 2


def test_what_was_begun_after_an_event_does_not_count_before_it() -> None:
    monologue = said(Request("r"), outline(), doing(0, A), did(A), Request("s"), outline("x"), doing(0, B), did(B))
    at = monologue.task_start()
    assert completed_lines(monologue, before=at) == ["first"]
    assert [step.skill for step in monologue.worked(before=at)] == ["a"]
    assert completed_lines(monologue, before=0) == []
    assert monologue.worked(before=0) == []


def test_the_next_line_comes_after_the_one_that_is_completed() -> None:
    start: list[Record] = [Request("r"), outline()]
    assert find_position(said(Request("r"))) == (None, 0)
    assert find_position(said(start)) == (outline(), 0)
    assert find_position(said(start, doing(0, A)))[1] == 0
    assert find_position(said(start, doing(0, A), did(A)))[1] == 1
    assert find_position(said(start, doing(0, A), did(A), doing(1, B), did(B, ok=False)))[1] == 1
    assert find_position(said(start, doing(0, A), did(A), doing(2, B), did(B)))[1] == 3


def test_to_check_what_has_to_be_true_moves_no_line() -> None:
    done: list[Record] = [Request("r"), outline("only"), doing(0, A, lines=("only",)), *did(A)]
    check = Plan("g", (Condition("c", {}, "C."),), (), outline=Outline(("only",), 1))
    assert find_position(said(done, check)) == (check, 1)


def test_after_a_new_request_there_is_no_plan_but_the_earlier_one_is_known() -> None:
    monologue = said(Request("r"), outline(), doing(0, A), did(A), Request("s"))
    assert find_position(monologue) == (None, 0)
    earlier, line = find_position(monologue, earlier=True)
    assert earlier is not None
    assert (earlier.outline, line) == (Outline(LINES, 0), 1)
    assert find_position(said(Request("r"), END, Request("s")), earlier=True) == (None, 0)


def test_the_latest_plan_with_an_outline_is_found_past_those_without() -> None:
    monologue = said(Request("r"), outline("x"), Plan("g", (), (A,)))
    assert find_outlined(monologue) == outline("x")
    assert find_outlined(said(Plan("g", (), (A,)))) is None


def test_lines_that_were_given_up_are_unfinished() -> None:
    plan = Outline(LINES)
    start: list[Record] = [Request("r"), outline(), doing(0, A), *did(A), doing(1, B), *did(B, ok=False)]
    assert find_unfinished(plan, said(start)) == ["second", "third"]
    assert find_unfinished(plan, said(start, doing(2, C), did(C))) == ["second"]
    assert find_unfinished(plan, said(start, doing(1, B), did(B), doing(2, C), did(C))) == []


def test_a_difference_says_what_becomes_of_every_line() -> None:
    assert difference(["a", "b", "c"], ["a", "x", "c"]) == [("=", "a"), ("-", "b"), ("+", "x"), ("=", "c")]
    assert difference([], ["a"]) == [("+", "a")]
    assert difference(["a"], []) == [("-", "a")]
    assert difference([], []) == []


lines = st.lists(st.sampled_from("abcd"), max_size=8)


@given(lines, lines)
def test_both_lists_can_be_read_off_their_difference(old: list[str], new: list[str]) -> None:
    found = difference(old, new)
    assert [text for mark, text in found if mark != "+"] == old
    assert [text for mark, text in found if mark != "-"] == new
