"""How far a run has come, read from its monologue: the current plan, its completed steps, an interrupted step."""

from __future__ import annotations

from thinkaloud.language.words import says_no, says_yes
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
    Step,
    Verdict,
    WorldState,
)

MEMORY = "memory"
"""The role in which a model writes the remembered state."""


def is_note_given_up(said: Monologue, tries: int) -> bool:
    """Whether the memory could not write what came of the latest step, and has been asked for it often enough."""
    at = said.where(Started)
    return at is not None and sum(each.role == MEMORY for each in said.since(at, Refusal)) >= tries


def find_refused_notes(said: Monologue) -> list[tuple[Step, str]]:
    """The steps for the current request whose result could not be remembered, each with the reason."""
    found: dict[int, tuple[Step, str]] = {}
    at = -1
    step: Step | None = None
    for event in said.events_of((Started, Refusal, WorldState), after=said.task_start()):
        match event.record:
            case Started(step=step):
                at = event.index
            case WorldState():
                found.pop(at, None)
            case Refusal(role=role, why=why) if role == MEMORY and step is not None:
                found[at] = step, why
            case _:
                pass
    return [*found.values()]


def find_latest(said: Monologue, kinds: tuple[type[Record], ...]) -> tuple[int, Record | None]:
    """The latest record of some kinds and its index. Asking for approval is not a new decision and does not count."""
    at = said.where(kinds)
    while at is not None and isinstance(ask := said[at].record, Ask) and ask.approval:
        at = said.where(kinds, before=at)
    return (-1, None) if at is None else (at, said[at].record)


def plan_at_hand(said: Monologue) -> tuple[int, Plan | None]:
    """The index and the plan, if the latest decision is a plan for what was understood last."""
    at, decision = find_latest(said, (*DECISIONS, Request))
    stale = said.where(Meaning, after=at) is not None
    return at, decision if isinstance(decision, Plan) and not stale else None


def is_sound(said: Monologue, at: int) -> bool:
    """Whether the plan made there has no objections."""
    criticised = any(c.violations for c in said.since(at, Critique))
    return not criticised and not has_refused_step(said, at) and all(r.feasible for r in said.since(at, Rehearsal))


def has_refused_step(said: Monologue, at: int) -> bool:
    """Whether a step of the plan made there was refused."""
    plan, refused = said[at].record, {refusal.words for refusal in said.since(at, Refusal)}
    return isinstance(plan, Plan) and any(step.words in refused for step in plan.steps)


def latest_words(said: Monologue) -> int:
    """The index of the latest request or answer, without the yes or no that approves a single step.

    Whoever says something else when they are asked for approval may want something new.
    """
    at = said.where((Request, Answer))
    while at is not None and isinstance(answer := said[at].record, Answer):
        asked = said.last(Ask, before=at)
        if asked is None or not asked.approval or not (says_yes(answer.text) or says_no(answer.text)):
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
    """How many steps of the plan made there have been taken. Interrupted steps do not count: they are repeated."""
    taken = 0
    start = said.first_where(Started, after=at)
    while start is not None:
        taken += not _started(said, start).correcting and not _was_cut_short(said, start)
        start = said.first_where(Started, after=start)
    return taken


def find_cut_short(said: Monologue) -> Started | None:
    """The step that was running when the process ended, if it did not work and nothing was decided since.

    Corrections are left out: the corrector knows what to try next.
    """
    at = said.where(Started)
    if at is None or find_latest(said, (*DECISIONS, Request))[0] > at or not _was_cut_short(said, at):
        return None
    return None if _started(said, at).correcting else _started(said, at)


def _was_cut_short(said: Monologue, at: int) -> bool:
    """Whether the process ended during a step, and no check found that the step worked."""
    over = said.first_where((Outcome, Started), after=at)
    if over is None or said.where(Resumed, after=at, before=over) is None:
        return False
    verdict = said.first((Verdict, Started), after=over - 1)
    return not (isinstance(verdict, Verdict) and verdict.ok)


def _started(said: Monologue, at: int) -> Started:
    started = said[at].record
    assert isinstance(started, Started)
    return started
