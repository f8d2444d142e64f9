"""Where a run stands, read off its monologue: the plan at hand, what has been done of it, and what was cut short."""

from __future__ import annotations

from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    DECISIONS,
    Answer,
    Ask,
    Critique,
    Look,
    Meaning,
    Outcome,
    Plan,
    Record,
    Refusal,
    Rehearsal,
    Request,
    Resumed,
    Started,
    Verdict,
)


def find_latest(said: Monologue, kinds: tuple[type[Record], ...]) -> tuple[int, Record | None]:
    """The latest of some kinds, and where. To ask for approval is part of carrying out a plan, no new decision."""
    at = said.where(kinds)
    while at is not None and isinstance(ask := said[at].record, Ask) and ask.approval:
        at = said.where(kinds, before=at)
    return (-1, None) if at is None else (at, said[at].record)


def plan_at_hand(said: Monologue) -> tuple[int, Plan | None]:
    """The plan for what was understood last, if that is what was decided last, and where it was made."""
    at, decision = find_latest(said, (*DECISIONS, Request))
    stale = said.where(Meaning, after=at) is not None
    return at, decision if isinstance(decision, Plan) and not stale else None


def is_sound(said: Monologue, at: int) -> bool:
    """Whether nobody found anything wrong with the plan made there."""
    criticised = any(c.violations for c in said.since(at, Critique))
    return not criticised and not has_refused_step(said, at) and all(r.feasible for r in said.since(at, Rehearsal))


def has_refused_step(said: Monologue, at: int) -> bool:
    """Whether a step of the plan made there was not let through."""
    plan, refused = said[at].record, {refusal.words for refusal in said.since(at, Refusal)}
    return isinstance(plan, Plan) and any(step.words in refused for step in plan.steps)


def latest_words(said: Monologue) -> int:
    """The latest request or answer that means something: a yes or no to a single step is for whoever asked."""
    at = said.where((Request, Answer))
    while at is not None and isinstance(said[at].record, Answer):
        asked = said.last(Ask, before=at)
        if asked is None or not asked.approval:
            break
        at = said.where((Request, Answer), before=at)
    return -1 if at is None else at


def latest_change(said: Monologue) -> int:
    """The latest event after which the world, or the progress towards a goal, may look different."""
    changes = (Request, Plan, Outcome, Look, Resumed)
    at = said.where(changes)
    while at is not None and isinstance(plan := said[at].record, Plan) and plan.conditions == said.goal(before=at):
        at = said.where(changes, before=at)  # the goal is the same as before
    return -1 if at is None else at


def count_taken(said: Monologue, at: int) -> int:
    """How many steps of the plan made there have been taken; those that were cut short have to be taken again."""
    starts = [event.index for event in said[at + 1 :] if isinstance(event.record, Started)]
    return sum(not _started(said, index).correcting and not _was_cut_short(said, index) for index in starts)


def find_cut_short(said: Monologue) -> Started | None:
    """The step that was under way when the process ended, where it did not come about and nothing was decided since.

    What was to put something right is not among them: whoever corrects knows what to try next.
    """
    at = said.where(Started)
    if at is None or find_latest(said, (*DECISIONS, Request))[0] > at or not _was_cut_short(said, at):
        return None
    return None if _started(said, at).correcting else _started(said, at)


def _was_cut_short(said: Monologue, at: int) -> bool:
    """Whether the process ended between the beginning of a step and its outcome, and nobody found it to have worked."""
    over = next((event.index for event in said[at + 1 :] if isinstance(event.record, Outcome | Started)), None)
    if over is None or said.where(Resumed, after=at, before=over) is None:
        return False
    verdict = next((event.record for event in said[over:] if isinstance(event.record, Verdict | Started)), None)
    return not (isinstance(verdict, Verdict) and verdict.ok)


def _started(said: Monologue, at: int) -> Started:
    started = said[at].record
    assert isinstance(started, Started)
    return started
