"""Where a story stands, read off its events."""

from __future__ import annotations

from dataclasses import replace

from thinkaloud.episode.progress import MEMORY
from thinkaloud.monologue import Event
from thinkaloud.records import (
    Act,
    Answer,
    Ask,
    Change,
    Condition,
    Critique,
    Decline,
    End,
    Meaning,
    NotClear,
    Observation,
    Outcome,
    Outline,
    Plan,
    Question,
    Reading,
    Record,
    Refusal,
    Rehearsal,
    Request,
    Started,
    Step,
    Verdict,
    Violation,
    WorldState,
)
from thinkaloud.web.messages import Exchange, SessionSummary
from thinkaloud.web.session_state import SessionTracker, state_tree

A, B, C = (Step("move", {"thing": name}, f"Move the {name}.") for name in "abc")
ON = Condition("on", {"thing": "a", "place": "b"}, "A is on the b.")


def told(*records: Record) -> SessionSummary:
    return SessionTracker(Event(index, float(index), record) for index, record in enumerate(records)).summary()


def states(found: SessionSummary) -> list[tuple[str, str]]:
    return [(step.words, step.state) for step in found.plan]


def done(step: Step, *, correcting: bool = False) -> tuple[Record, ...]:
    return Started(step, correcting), Outcome(step, "completed"), Verdict(step, True, "action")


def failed(step: Step, *, correcting: bool = False) -> tuple[Record, ...]:
    return Started(step, correcting), Outcome(step, "completed"), Verdict(step, False, "action", observed="Not so.")


def test_steps_are_pending_then_rehearsed_then_running_then_done() -> None:
    plan = (Request("Tidy up."), Plan("", (ON,), (A, B)))
    assert states(told(*plan)) == [("Move the a.", "pending"), ("Move the b.", "pending")]
    assert states(told(*plan, Rehearsal(True))) == [("Move the a.", "rehearsed"), ("Move the b.", "rehearsed")]
    assert states(told(*plan, Started(A))) == [("Move the a.", "running"), ("Move the b.", "pending")]
    assert states(told(*plan, *done(A), Started(B)))[0] == ("Move the a.", "done")


def test_what_was_done_stays_in_the_list_when_it_is_planned_anew() -> None:
    found = told(Request(""), Plan("", (), (A, B)), *done(A), Plan("", (), (C,)))
    assert states(found) == [("Move the a.", "done"), ("Move the c.", "pending")]
    assert told(Request(""), Plan("", (), (A,)), *done(A), Request("Another.")).plan == ()


def test_a_step_that_failed_says_why_and_one_that_was_put_right_says_how() -> None:
    broken = (Request(""), Plan("", (), (A, B)), *failed(A))
    (step, _) = told(*broken).plan
    assert (step.state, step.why) == ("failed", "Not so.")
    during = told(*broken, Started(C, correcting=True))
    assert [(each.problem, each.remedy) for each in during.corrections] == [("Not so.", "Move the c.")]
    deeper = told(*broken, *failed(C, correcting=True), Started(B, correcting=True))
    assert len(deeper.corrections) == 2
    put_right = Started(C, correcting=True), Outcome(C, "completed"), Verdict(C, True, "action")
    after = told(*broken, *put_right)
    assert (after.plan[0].state, after.plan[0].why, after.corrections) == ("corrected", "Move the c.", ())


def test_what_is_tried_again_and_again_is_one_correction() -> None:
    begun = (Request(""), Plan("", (), (A, B)), *failed(A), *failed(A, correcting=True))
    assert [each.remedy for each in told(*begun, Started(A, correcting=True)).corrections] == ["Move the a."]
    after = told(*begun, Started(A, correcting=True), Outcome(A, "completed"), Verdict(A, True, "action"))
    assert (states(after), after.corrections) == ([("Move the a.", "corrected"), ("Move the b.", "pending")], ())
    first = (*begun[:2], *failed(A), *failed(B, correcting=True), *done(C, correcting=True))
    again = told(*first, *done(B, correcting=True), *done(A, correcting=True))  # what was to help is tried again
    assert (again.plan[0].state, again.corrections) == ("corrected", ())


def test_what_speaks_against_a_plan_stands_at_its_step() -> None:
    plan = (Request(""), Plan("", (), (A, B)))
    assert states(told(*plan, Critique((Violation(1, "too heavy"),))))[1] == ("Move the b.", "failed")
    rehearsed = told(*plan, Rehearsal(False, 1, "it falls"))
    assert [(step.state, step.why) for step in rehearsed.plan] == [("rehearsed", ""), ("failed", "it falls")]
    assert told(*plan, Outcome(A, "interrupted", "stop")).plan[0].state == "pending"
    assert told(*plan, Started(A), Outcome(A, "interrupted", "stop")).plan[0].why == "stop"


def test_a_list_in_words_is_shown_before_its_steps_are_known() -> None:
    lines = Outline(("take a cup", "fill it"), None)
    assert states(told(Request(""), Plan("", (), (), outline=lines))) == [
        ("take a cup", "pending"),
        ("fill it", "pending"),
    ]
    first = Plan("", (), (A,), outline=Outline(lines.lines, 0))
    assert states(told(Request(""), first)) == [("Move the a.", "pending"), ("fill it", "pending")]


def test_a_goal_gets_its_marks_when_it_is_checked() -> None:
    plan = Request(""), Plan("", (ON,), (A,))
    assert [mark.holds for mark in told(*plan).goal] == [None]
    seen = Observation(("a",), {}, achieved=())
    assert [mark.holds for mark in told(*plan, seen).goal] == [False]
    assert [mark.holds for mark in told(*plan, seen, Observation(("a",), {}, achieved=(ON,))).goal] == [True]


def test_questions_offer_answers_where_these_are_a_closed_set() -> None:
    approval = told(Request(""), Ask(("May I?",), approval=True)).question
    assert approval is not None and (approval.options, approval.approval) == (("yes", "no"), True)
    readings = (Reading("p", "the red one", 0.5), Reading("q", "the blue one", 0.4))
    unclear = told(Request(""), Meaning("", "?", NotClear(), readings=readings), Ask(("Which?",))).question
    assert unclear is not None and unclear.options == ("the red one", "the blue one")
    named = told(Request(""), Meaning("", "Which?", Question("Which?", ("left", "right"))), Ask(("Which?",))).question
    assert named is not None and named.options == ("left", "right")
    assert told(Request(""), Ask(("Why?",)), End("stopped", "")).question is None


def test_the_state_is_a_tree_and_says_what_has_just_changed() -> None:
    state = WorldState(("a", "b"), (ON,), {"a": {"dirty": True}}, changes=(Change("a is on b", "a step"),))
    assert state_tree(state) == {"a": {"dirty": True, "on": "b"}, "b": {}}
    found = told(Request(""), state)
    assert (found.world["a"]["on"], found.changed) == ("b", ("a is on b (a step)",))
    later = told(Request(""), Observation(("a",), {}), Observation(("a", "c"), {}))
    assert later.changed == ("c is new",)


def test_a_request_keeps_what_was_asked_answered_and_said_each_once() -> None:
    readings = (Reading("a()", "I will move the a.", 0.6), Reading("b()", "I will move the b.", 0.5))
    options = (*(each.words for each in readings), "None of these.")
    text = f"What do you mean? 1. {options[0]} 2. {options[1]} 3. None of these."
    asked = Meaning("a()", text, Question(text, options), sure=0.6, readings=readings)
    before = (Request("Tidy up."), asked, Ask((text,)))
    question = told(*before).question
    assert question is not None and question.lead == "Which of these do you mean?"
    assert question.because.startswith("I can read that in 2 ways. I am 60% sure")
    assert [piece.text for piece in question.pieces[1] if piece.differs] == ["b"]
    meant = Meaning("b()", "I will move the b.", Act((B,)))
    ended = told(*before, Answer(options[1]), meant, Decline("No."), End("declined", "No."))
    assert ended.exchanges == (Exchange("Which of these do you mean?", options[1]),)
    assert (ended.begun, ended.understood, ended.said, ended.because) == (0, "I will move the b.", (), "No.")
    met = told(Request("x"), meant, End("goal met", "I understood: I will move the b. Done: it is there (checked)."))
    assert met.because == "Done: it is there (checked)."
    text = "I understood: I will move the b. Is that right?"
    unsure = Meaning("b()", text, Question(text, ("yes", "no")), readings=readings[1:])
    agreed = told(Request("x"), unsure, Ask((text,)), Answer("yes"), meant)
    assert agreed.exchanges == (Exchange("Did I understand you?", "yes"),)


def test_a_good_end_leaves_the_telling_to_the_checks_and_to_the_values() -> None:
    task = (
        Request("Fill it."),
        Meaning("fill(1)", "I will fill it.", Act((A,))),
        Plan("", (ON,), (A,)),
    )
    level = Condition("level", {"thing": "a"}, "The level of the a is 60 ml.")
    seen, end = Observation((), {}, achieved=(ON,)), End("goal met", "Done: …", (level,))
    found = told(*task, *done(A), seen, end)
    assert found.settled and found.values == ("The level of the a is 60 ml.",)
    assert not told(*task, *done(A), replace(seen, doubt="as far as I can see"), end).settled
    assert not told(*task, *done(A), Refusal(MEMORY, "", "There is no space."), seen, end).settled
    assert not told(*task, *done(A), replace(seen, achieved=()), end).settled
    assert not told(*task, *done(A), seen, End("unconfirmed", "Nobody knows.")).settled
    assert not told(task[0], task[2], *done(A), seen, end).settled  # nobody has said what was understood


def test_answers_stand_where_they_were_given() -> None:
    before = (Request("Move it."), Ask(("Which?",)), Answer("the a"), Plan("", (), (A,)))
    found = told(*before, Ask(("May I do this? Move the a.",), approval=True), Answer("no"))
    assert [(each.answer, each.approval, each.planned) for each in found.exchanges] == [
        ("the a", False, False),
        ("no", True, True),
    ]
