"""Where a story stands: the plan with a state per step, the goal with marks, the question, the state of the world.

All of it is read off the events, one by one: the same for a live session, a replay at any event, and a shared page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from thinkaloud.episode.event_text import tell_words
from thinkaloud.episode.progress import MEMORY
from thinkaloud.monologue import Event
from thinkaloud.records import (
    ACTS,
    Answer,
    Ask,
    Condition,
    Critique,
    Decline,
    Done,
    End,
    Look,
    Meaning,
    NotClear,
    Observation,
    Outcome,
    Plan,
    PlanEdit,
    Refusal,
    Rehearsal,
    Request,
    Started,
    Step,
    Stop,
    Taught,
    Verdict,
    WorldState,
)
from thinkaloud.records import Question as Asked
from thinkaloud.saying.differences import mark_differences
from thinkaloud.saying.telling import tell_why_asked
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.web.messages import (
    Correction,
    Exchange,
    Foreseen,
    GoalMark,
    Piece,
    PlanStep,
    Question,
    SessionSummary,
    StepState,
)

_OPEN: tuple[StepState, ...] = ("pending", "rehearsed")
_KEPT = 60
"""Steps that are over and still shown: a long run would else tell all of them again and again."""
YES_ANSWER, NO_ANSWER = "yes", "no"


class SessionTracker:
    """Hears events in order, and tells where the story stands."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._told = SessionSummary(at=-1)
        self._meaning: Meaning | None = None
        self._running: int | None = None
        """The step of the plan that is being carried out or put right."""
        self._unsaid = False
        """Whether the robot has something else to say at the end: the checks are in doubt, or a note was lost."""
        self.moving = False
        for event in events:
            self.hear(event)

    def summary(self) -> SessionSummary:
        """Where it stands."""
        return self._told

    def hear(self, event: Event) -> None:
        """Take in what happened."""
        self._told = replace(self._told, at=event.index)
        if (told := tell_words(event.record)) is not None and told[0] == "says":
            self._set(said=(*self._told.said, told[1]))
        match event.record:
            case Request(text):
                self._meaning, self._running, self._unsaid = None, None, False
                before = self._told
                self._told = SessionSummary(event.index, text, event.index, world=before.world, changed=before.changed)
            case Meaning():
                self._meaning = event.record
                self._understood(event.record.spoken if event.record.sort in ACTS else "")
            case Plan():
                self._planned(event.record, event.index)
            case Critique(violations):
                for found in violations:
                    self._doubt(found.step, found.why, event.index)
            case Rehearsal(feasible, step, error):
                self._rehearsed(feasible, step, error, event.index)
            case Ask():
                self._set(question=self._asked(event.record, event.index), doing="")
            case PlanEdit():
                self._running = None
                self._set(question=None, edited=self._told.edited + 1)
            case Taught(forgotten=forgotten):
                self._set(taught=self._told.begun >= 0 and not forgotten)
            case Answer(text):
                asked = self._told.question
                over = () if asked is None else (Exchange(asked.lead, text, asked.approval, bool(self._told.plan)),)
                self._set(question=None, exchanges=(*self._told.exchanges, *over))
            case Started(step, correcting):
                self.moving = True
                self._started(step, correcting, event.index)
            case Outcome(_, ending, report):
                self.moving = False
                self._mark("done" if ending == "completed" else "failed", report, event.index)
            case Verdict():
                self._judged(event.record, event.index)
            case Observation() | WorldState():
                self._saw(event.record)
            case Look(because):
                self._set(doing=f"I look again: {because}")
            case Done(because) | Decline(because):
                self._set(doing=because)
            case Stop(because):
                self._set(doing=f"Stop: {because}", question=None)
            case Refusal(role=role) if role == MEMORY:
                self._unsaid = True
            case End(result, because, values):
                self.moving = False
                because = because.removeprefix(f"I understood: {self._told.understood}").strip()
                said = tuple(words for words in self._told.said if words != because)
                read_off = tuple(each.words for each in values)
                self._set(result=result, because=because, values=read_off, said=said, question=None, doing="")
                self._set(settled=result == "goal met" and self._is_settled())
            case _:
                pass

    def _set(self, **changes: Any) -> None:
        self._told = replace(self._told, **changes)

    def _is_settled(self) -> bool:
        """Whether all that was planned was checked, and nothing else is to be said: no doubt, no note that is lost."""
        told = self._told
        checked = bool(told.goal) and all(mark.holds for mark in told.goal)
        return bool(told.understood) and checked and not self._unsaid

    def _understood(self, words: str) -> None:
        """What was understood; a question that had the same words in it need not say them again."""
        asked = (
            replace(each, question="Did I understand you?") if words and words in each.question else each
            for each in self._told.exchanges
        )
        self._set(understood=words, exchanges=tuple(asked))

    # The plan ---------------------------------------------------------------------------------------------------------

    def _planned(self, plan: Plan, at: int) -> None:
        """What was done stays in the list; what was still to be done gives way to the new steps."""
        kept = [step for step in self._told.plan if step.state not in _OPEN and step.skill][-_KEPT:]
        fresh = [
            PlanStep(step.words, "pending", skill=step.skill, reason=step.reason, event=at)
            for step in plan.steps
            if step.skill not in STEPS
        ]
        ahead: list[PlanStep] = []
        if plan.outline is not None:
            now = -1 if plan.outline.at is None else plan.outline.at
            ahead = [PlanStep(line, "pending", event=at) for line in plan.outline.lines[now + 1 :]]
        self._running = None
        self._set(plan=(*kept, *fresh, *ahead), doing=plan.thought or self._told.doing, corrections=())
        if plan.conditions:
            before = {mark.words: mark.holds for mark in self._told.goal}
            self._set(goal=tuple(GoalMark(c.words, before.get(c.words)) for c in plan.conditions))

    def _doubt(self, step: int | None, why: str, at: int) -> None:
        """A step of the plan that cannot be done as it stands; the first, where it is the plan as a whole."""
        waiting = [i for i, each in enumerate(self._told.plan) if each.state in _OPEN]
        if waiting:
            where = waiting[min(step or 0, len(waiting) - 1)]
            self._change(where, state="failed", why=why, event=at)

    def _rehearsed(self, feasible: bool, step: int | None, error: str, at: int) -> None:
        waiting = [i for i, each in enumerate(self._told.plan) if each.state == "pending" and each.skill]
        for number, where in enumerate(waiting):
            if feasible or (step is not None and number < step):
                self._change(where, state="rehearsed", event=at)
        if not feasible:
            left = [i for i, each in enumerate(self._told.plan) if each.state == "pending"]
            if left:
                self._change(left[0], state="failed", why=error, event=at)

    def _started(self, step: Step, correcting: bool, at: int) -> None:
        self._set(doing=step.words)
        if step.skill in STEPS:
            return
        if correcting:
            where = self._running
            problem = self._told.plan[where].why if where is not None else ""
            remedies = [each.remedy for each in self._told.corrections]  # one of them is tried again, or it is another
            under_way = self._told.corrections[: remedies.index(step.words) if step.words in remedies else None]
            self._set(corrections=(*under_way, Correction(problem, step.words, at)))
            return
        waiting = (i for i, each in enumerate(self._told.plan) if each.state in _OPEN and each.words == step.words)
        where = next(waiting, None)
        if where is None:
            where = len([each for each in self._told.plan if each.state not in _OPEN])
            fresh = PlanStep(step.words, "pending", skill=step.skill, reason=step.reason)
            self._set(plan=(*self._told.plan[:where], fresh, *self._told.plan[where:]))
        self._running = where
        self._change(where, state="running", event=at)

    def _mark(self, state: StepState, why: str, at: int) -> None:
        if self._running is not None and not self._told.corrections:
            self._change(self._running, state=state, why="" if state == "done" else why, event=at)

    def _judged(self, verdict: Verdict, at: int) -> None:
        if verdict.step.skill in STEPS or self._running is None:
            return
        why = " ".join(part for part in (verdict.observed, verdict.why) if part)
        if self._told.corrections:
            if not verdict.ok:
                self._change(self._running, why=why or self._told.plan[self._running].why)
                return
            remedy = self._told.corrections[-1].remedy
            self._set(corrections=self._told.corrections[:-1])
            if not self._told.corrections:
                self._change(self._running, state="corrected", why=remedy, event=at)
            return
        self._change(self._running, state="done" if verdict.ok else "failed", why="" if verdict.ok else why, event=at)

    def _change(self, where: int, **changes: Any) -> None:
        plan = list(self._told.plan)
        plan[where] = replace(plan[where], **changes)
        self._set(plan=tuple(plan))

    # What is asked and what is seen -----------------------------------------------------------------------------------

    def _asked(self, ask: Ask, at: int) -> Question:
        """A question with its options, each told by what differs, and why the robot asks."""
        lead, because, options = " ".join(ask.questions), ask.because, tuple[str, ...]()
        match self._meaning:
            case _ if ask.approval:
                options = (YES_ANSWER, NO_ANSWER)
                usual = (
                    "You wanted to see each plan first." if ask.plan else "The robot does this step only if you agree."
                )
                because = because or usual
            case Meaning(content=Asked(options=options), readings=readings) if len(readings) > 1:
                lead = "Which of these do you mean?"
            case Meaning(content=Asked(options=options), readings=(_,)):
                pass
            case Meaning(content=Asked(text=text, options=options)):
                lead = text
            case Meaning(content=NotClear(), readings=readings):
                options = tuple(dict.fromkeys(reading.words for reading in readings))
        if self._meaning is not None and not ask.approval:
            because = tell_why_asked(self._meaning) or because
        several = len(self._meaning.readings) if self._meaning is not None and not ask.approval else 0
        pieces = (*mark_differences(options[:several]), *((Piece(each),) for each in options[several:]))
        readings = self._meaning.readings if several > 1 and self._meaning is not None else ()
        foreseen = tuple(foresee(reading.deeds) for reading in readings)
        none = options[-1] if several > 1 and len(options) == several + 1 else ""
        lead = "May I do this?" if ask.plan else lead
        return Question(at, ask.questions, because, options, ask.approval, lead, pieces, foreseen, ask.plan, none)

    def _saw(self, seen: Observation | WorldState) -> None:
        if isinstance(seen, WorldState):
            self._set(world=state_tree(seen), changed=tuple(f"{c.what} ({c.cause})" for c in seen.changes))
            return
        self._unsaid = self._unsaid or bool(seen.doubt)
        if seen.achieved is not None:
            met = {condition.words for condition in seen.achieved}
            self._set(goal=tuple(GoalMark(mark.words, mark.words in met) for mark in self._told.goal))
        tree = state_tree(seen.state) if seen.state is not None else {}
        tree = {name: tree.get(name, {}) for name in seen.objects} | tree
        if seen.state is None and any(self._told.world.values()):
            tree = {**self._told.world, **{name: about for name, about in tree.items() if about}}
        if tree != self._told.world:
            self._set(changed=_differences(self._told.world, tree), world=tree)


def foresee(deeds: Iterable[Step]) -> Foreseen:
    """What steps come to, as far as a picture can show it: the things they name, and what goes to the last of them."""
    named = [[value for value in step.arguments.values() if isinstance(value, str)] for step in deeds]
    things = dict.fromkeys(value for values in named for value in values)
    moves = dict.fromkeys((values[0], values[-1]) for values in named if len(values) > 1)
    return Foreseen(tuple(things), tuple(moves))


def is_unfinished(told: SessionSummary) -> bool:
    """Whether something was asked for that can be gone on with: it has not come to an end, or was stopped."""
    return bool(told.request) and told.result in (None, "stopped")


def state_tree(state: WorldState) -> dict[str, Any]:
    """A state as a tree: under each thing what is said of it."""
    tree: dict[str, Any] = {name: {} for name in state.objects}
    for name, attributes in state.attributes.items():
        tree.setdefault(name, {}).update(attributes)
    for condition in state.relations:
        subject, *others = _arguments(condition)
        about = tree.setdefault(subject, {})
        value: Any = ", ".join(others) if others else True
        before = about.get(condition.relation)
        about[condition.relation] = value if before in (None, value) else f"{before}; {value}"
    if state.facts:
        tree["facts"] = dict.fromkeys(state.facts, True)
    return tree


def _arguments(condition: Condition) -> list[str]:
    return [str(value) for value in condition.arguments.values()] or [condition.words]


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    if not before:
        return ()
    gone = [f"{name} is gone" for name in before if name not in after]
    new = [f"{name} is new" for name in after if name not in before]
    other = [
        f"{name}: {key} {_told(before[name].get(key))} → {_told(after[name].get(key))}"
        for name in after
        if name in before
        for key in {**before[name], **after[name]}
        if before[name].get(key) != after[name].get(key)
    ]
    return (*gone, *new, *other)


def _told(value: object) -> str:
    return "–" if value is None else str(value)
