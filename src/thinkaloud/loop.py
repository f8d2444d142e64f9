"""The loop: perceive, understand, plan, critique, rehearse, execute, verify, correct, remember; people may interrupt.

The loop always reads from the monologue what to do next, never from variables. So a killed run continues from its
journal with the same code. This is the only module that calls the stages in order.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from thinkaloud.converse import Person
from thinkaloud.converse.automatic_answers import Answers
from thinkaloud.correct import Correct
from thinkaloud.critique import Critic
from thinkaloud.episode.approval import next_word_on_plan, next_word_on_step
from thinkaloud.episode.endings import end_early, tell_checked, tell_own_checks, tell_unchecked
from thinkaloud.episode.guard import Guard
from thinkaloud.episode.limits import Limits as Limits
from thinkaloud.episode.permission import refuse_asker
from thinkaloud.episode.plan_edits import end_of_edited_plan, find_new_edit, plan_of_edit
from thinkaloud.episode.progress import (
    MEMORY,
    count_taken,
    find_cut_short,
    find_latest,
    is_note_given_up,
    is_sound,
    latest_change,
    latest_words,
    plan_at_hand,
)
from thinkaloud.episode.ticks import Pace
from thinkaloud.errors import BadInput, JournalError, ModelError, SkillError, Unparseable
from thinkaloud.execute import Execute
from thinkaloud.monologue import Monologue
from thinkaloud.perceive import Perceive
from thinkaloud.plan import Planner
from thinkaloud.records import (
    DECISIONS,
    Answer,
    Ask,
    Condition,
    Critique,
    Decision,
    Decline,
    Done,
    End,
    Look,
    Meaning,
    Message,
    Observation,
    Outcome,
    Plan,
    PlanEdit,
    Record,
    Refusal,
    Rehearsal,
    Request,
    Started,
    Step,
    Stop,
    Verdict,
    WorldState,
    writable,
)
from thinkaloud.rehearse import Rehearse
from thinkaloud.remember import Remember
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.understand import Understand
from thinkaloud.understand.preparing import WatchesRules, prepare, read_edit, reconsider
from thinkaloud.verify import Verify

_T = TypeVar("_T")


@dataclass(frozen=True)
class Mind:
    """The parts that a preset has chosen; None if its method has no such part."""

    perceive: Perceive
    plan: Planner
    execute: Execute
    critique: Critic | None = None
    rehearse: Rehearse | None = None
    verify: Verify | None = None
    correct: Correct | None = None
    remember: Remember | None = None
    understand: Understand | None = None
    answer: Answers | None = None
    rules: WatchesRules | None = None
    says_when_done: bool = False
    """Whether the planner decides when the run is over. Otherwise it ends as soon as the goal is met."""
    approved: bool = False
    """Whether a person must agree to a plan before it is rehearsed and carried out."""


class _Overtaken(Exception):
    """A person said something that makes the current thought obsolete."""


@dataclass
class Loop:
    """Runs requests to their end, one at a time."""

    mind: Mind
    monologue: Monologue
    person: Person
    limits: Limits = field(default_factory=Limits)
    needs_approval: Callable[[Step], bool] = lambda step: False
    approvers: Callable[[Step], tuple[str, ...]] = lambda step: ()
    """Who may approve a step; anybody if there are none."""
    may_repeat: Callable[[Step], bool] = lambda step: True
    """Whether a step may be done again without a person's yes."""
    asked_by: Callable[[Step], tuple[str, ...]] = lambda step: ()
    """Who may ask for a step; anybody if there are none."""
    can_be_done: Callable[[Step], bool] = lambda step: True
    """Whether a step is possible now: asked before an interrupted step is repeated."""
    brings_about: Callable[[Step], Sequence[Condition]] = lambda step: ()
    """What should hold after a step, by the declared effects."""
    changed_values: Callable[[Sequence[Step]], Sequence[Condition]] = lambda steps: ()
    """The values that steps have changed, as they can be read off now."""
    ticking: list[Callable[[], None]] = field(default_factory=list)
    """Called at every control tick of a running skill: checkpoints, films."""
    wait: Callable[[], Awaitable[None]] | None = None
    """Awaited at every control tick, to keep a simulation in step with real time."""
    hold: Callable[[], Awaitable[None]] | None = None
    """Awaited before every step, while nothing moves. This is how the robot is paused."""
    guard: Guard | None = None
    """Refuses what the robot's builder declared must never be."""
    observed: Callable[[Observation], None] = lambda scene: None
    """Called after every observation: standing rules wait for what can be seen."""
    unchecked: str = ""
    """Why nothing in this world can be checked; empty if the world can be observed."""
    grace: float = 0.5
    """Seconds after a stop until a skill that does not tick is cancelled."""

    async def prepare(self) -> None:
        """Do what can be done before the first request. Errors are reported once a request needs it."""
        await prepare(self.mind.understand)

    async def run(self) -> End:
        """Go on from where the monologue stands until the current request ends."""
        end = await self._run()
        assert isinstance(end, End)
        return end

    async def plan(self) -> Plan | End:
        """Run until something would move. Returns a plan without objections (or an outline), or why there is none."""
        return await self._run(moves=False)

    async def _run(self, *, moves: bool = True) -> Plan | End:
        self._hear()
        while True:
            task = self.monologue.task_start()
            end: Plan | End | None
            try:
                end = await self._turn(moves)
            except _Overtaken:
                end = None
            except JournalError:  # an end that cannot be recorded would hide it
                raise
            except (ModelError, Unparseable, BadInput, SkillError) as error:
                end = End("failed", str(error))
            except Exception as error:  # an error in the robot's own code must not leave a run without an end
                logging.getLogger("thinkaloud").debug("The run broke off.", exc_info=True)
                end = End("failed", writable(f"{type(error).__name__}: {error}"))
            self._hear()
            if end is not None and self.monologue.task_start() == task:
                if isinstance(end, End):
                    self.monologue.append(end)
                return end

    async def _turn(self, moves: bool) -> Plan | End | None:
        said = self.monologue
        settled = await self._settle()
        if (stop := said.last(Stop, after=said.task_start())) is not None:
            return End("stopped", stop.because)
        if not settled:
            exceeded = self.limits.find_exceeded(self.monologue)
            return None if exceeded is None else End("limit", exceeded)
        if (end := self._end_of(find_latest(said, (*DECISIONS, Request))[1])) is not None:
            return end  # the process died between deciding this and saying it
        if said.where((Observation,), after=latest_change(said)) is None:
            await self._perceive()
        exceeded = self.limits.find_exceeded(self.monologue)
        if self._goal_met() and (exceeded is not None or not self.mind.says_when_done):
            if exceeded is None and await self._attentively(reconsider(self.mind.understand, said)):
                return None
            if self.unchecked:
                return End("unconfirmed", tell_unchecked(said, self.unchecked, values := self._values()), values)
            return End("goal met", tell_checked(said, values := self._values()), values)
        if (end := end_early(said, exceeded)) is not None:
            return end
        if self._open_question():
            return await self._await_answer()
        if self._take_edit() or await self._understand() or await self._question_plan():
            return None
        if not moves and (plan := self._plan_to_offer()) is not None:
            return plan
        return await self._go_on()

    # acting -----------------------------------------------------------------------------------------------------------

    async def _act(self, step: Step, *, correcting: bool = False) -> End | None:
        if self._is_refused(step):
            return None
        if refused := refuse_asker([step], self.asked_by, self.monologue):
            return End("declined", refused)
        word = next_word_on_step(
            step,
            self.brings_about(step),
            self.monologue,
            must_ask=self.needs_approval(step),
            may_repeat=self.may_repeat(step),
            present=self.person.present,
            approvers=self.approvers(step),
        )
        if isinstance(word, End):
            return word
        if word is not None:
            self.monologue.append(word)
            return None
        if self.hold is not None:
            await self._attentively(self.hold())
            if self._is_refused(step):  # somebody may have come in the way meanwhile
                return None
        broken = frozenset() if self.guard is None else self.guard.find_broken(self.monologue)
        self.monologue.append(Started(step, correcting))
        self.monologue.append(await self._carry_out(step))
        await self._settle()
        if self.guard is not None and (new := self.guard.find_broken(self.monologue) - broken):
            return End("failed", f"I stopped. {self.guard.tell_broken(new)}")
        return None

    def _is_refused(self, step: Step) -> bool:
        """Whether the guard objects to a step now; the objection is recorded."""
        refused = None if self.guard is None else self.guard.refuse(step, self.monologue)
        if refused is not None:
            self.monologue.append(refused)
        return refused is not None

    async def _carry_out(self, step: Step) -> Outcome:
        pace = Pace(self._hear, self.person.is_speaking, self.ticking, self.wait)
        skill = asyncio.ensure_future(self.mind.execute.execute(step, self.monologue, pace))

        def gives_way(message: Message) -> bool:
            """Tell a skill that is not ticking; it notices at its next tick or safe point, or is cancelled."""
            pace.give_way_to(message)
            if isinstance(message, Stop):
                asyncio.get_running_loop().call_later(self.grace, skill.cancel)
            return False

        try:
            return await self._attentively(skill, gives_way)
        except asyncio.CancelledError:
            if isinstance(pace.waiting, Stop) and skill.cancelled():
                return Outcome(step, "interrupted", pace.waiting.because)
            raise

    async def _settle(self) -> bool:
        """Check the step that was started and remember its result; after a crash, before anything else moves.

        Returns False if the memory's answer could not be parsed; it is then asked again. After some tries the note is
        given up: things are remembered as they were, and the end says so.
        """
        said = self.monologue
        at, started = said.where(Started), said.last(Started)
        if at is None or started is None:
            return True
        outcome = said.last(Outcome, after=at)
        if outcome is None:
            outcome = Outcome(started.step, "interrupted", "the process ended while this was under way")
            said.append(outcome)
        if self.mind.verify is not None and said.where(Verdict, after=at) is None:
            said.append(await self.mind.verify.verify(outcome, said))
        remembered = said.where((WorldState, Observation, *DECISIONS), after=at) is not None
        remembered = remembered or is_note_given_up(said, self.limits.refusals)
        if self.mind.remember is not None and not remembered and find_cut_short(said) is None:
            try:
                state = await self._attentively(self.mind.remember.remember(said))
            except Unparseable as error:
                said.append(Refusal(MEMORY, error.words, str(error)))
                return False
            if state is not None:
                said.append(state)
        return True

    # deciding ---------------------------------------------------------------------------------------------------------

    async def _understand(self) -> bool:
        """Understand what was said last, once, and again after a new look. Returns whether that was needed."""
        since = max(latest_words(self.monologue), self.monologue.where(Look) or -1)
        if self.mind.understand is None or self.monologue.where(Meaning, after=since) is not None:
            return False
        try:
            self.monologue.append(await self._attentively(self.mind.understand.understand(self.monologue)))
        except Unparseable as error:
            self.monologue.append(Refusal(error.role, error.words, str(error)))
        return True

    async def _go_on(self) -> End | None:
        """Repeat an interrupted step, correct a failed one, take the next step, or ask the planner."""
        try:
            cut_short = find_cut_short(self.monologue)
            if cut_short is not None and self.can_be_done(cut_short.step):
                return await self._act(cut_short.step)
            if (correction := await self._correction()) is not None:
                return await self._act(correction, correcting=True)
            if (step := self._next_step()) is not None:
                return await self._act(step)
            if (over := end_of_edited_plan(self.monologue)) is not None:
                return self._take(over)
            decision = await self._attentively(self.mind.plan.plan(self.monologue))
            ends = isinstance(decision, Done) and decision.how not in ("answered", "left off")
            if ends and await self._attentively(reconsider(self.mind.understand, self.monologue)):
                return None
        except Unparseable as error:
            self.monologue.append(Refusal(error.role, error.words, str(error)))
            return None
        return self._take(decision)

    def _take_edit(self) -> bool:
        """Whether a person has just changed the plan: their steps are what is meant now, or at least the plan."""
        edit = find_new_edit(self.monologue)
        if edit is None:
            return False
        meaning = read_edit(self.mind.understand, edit, self.monologue)
        self.monologue.append(plan_of_edit(edit, self.monologue) if meaning is None else meaning)
        return True

    def _take(self, decision: Decision) -> End | None:
        """Record a decision; nothing that those who speak may not ask for is planned, or asked about."""
        meaning = self.monologue.last(Meaning, after=self.monologue.task_start())
        wanted = meaning.deeds if meaning is not None and isinstance(decision, Plan | Ask) else ()
        planned = decision.steps if isinstance(decision, Plan) else ()
        if refused := refuse_asker((*wanted, *planned), self.asked_by, self.monologue):
            decision = Decline(refused)
        self.monologue.append(decision)
        return self._end_of(decision)

    def _end_of(self, decision: Record | None) -> End | None:
        """The end that a decision leads to, if it is a final one."""
        match decision:
            case Done(because, "answered"):
                return End("answered", because)
            case Done(because, "checked"):
                return End("goal met", tell_own_checks(self.monologue, because, values := self._values()), values)
            case Done(because, "gave up"):
                return End("failed", because)
            case Done(because, "left off"):
                return End("stopped", because)
            case Done() if self._goal_met():
                return End("goal met", tell_checked(self.monologue, values := self._values()), values)
            case Done(because):
                return End("unconfirmed", tell_unchecked(self.monologue, because, values := self._values()), values)
            case Decline(why):
                return End("declined", why)
            case _:
                return None

    def _values(self) -> tuple[Condition, ...]:
        return tuple(self.changed_values([step for step in self.monologue.worked() if step.skill not in STEPS]))

    async def _question_plan(self) -> bool:
        """Have the current plan criticised, approved, then rehearsed. Returns whether any of that was still to do."""
        said, at, plan = self.monologue, *plan_at_hand(self.monologue)
        if plan is None or not plan.steps:
            return False
        if self._is_forbidden(plan, at):
            return True
        if self.mind.critique is not None and not said.since(at, Critique):
            said.append(await self._attentively(self.mind.critique.critique(plan, said)))
        elif self.mind.approved and is_sound(said, at) and (word := next_word_on_plan(plan, at, said)) is not None:
            said.append(word)
        elif self.mind.rehearse is not None and not said.since(at, Rehearsal) and is_sound(said, at):
            said.append(await self._attentively(self.mind.rehearse.rehearse(plan, said)))
        else:
            return False
        return True

    def _is_forbidden(self, plan: Plan, at: int) -> bool:
        """Whether the guard objects to a new plan; the objection is recorded."""
        if self.guard is None or self.monologue.since(at, (Critique, Started)):
            return False
        refused = self.guard.criticise(plan.steps, self.monologue)
        if refused is not None:
            self.monologue.append(refused)
        return refused is not None

    async def _correction(self) -> Step | None:
        if self.mind.correct is None:
            return None
        verdict = find_latest(self.monologue, (Verdict, *DECISIONS))[1]
        # A step of an earlier request is not worth correcting.
        started = self.monologue.last(Started, after=self.monologue.task_start())
        if not isinstance(verdict, Verdict) or started is None:
            return None
        if verdict.ok and not started.correcting:
            return None
        return await self._attentively(self.mind.correct.correct(verdict, self.monologue))

    def _next_step(self) -> Step | None:
        """The next step of the current plan, or None if the planner has to decide."""
        said, at, plan = self.monologue, *plan_at_hand(self.monologue)
        if plan is None or not is_sound(said, at):
            return None
        verdicts = said.since(at, Verdict)
        if verdicts and not verdicts[-1].ok:
            return None
        taken = count_taken(said, at)
        return plan.steps[taken] if taken < len(plan.steps) else None

    def _plan_to_offer(self) -> Plan | None:
        """The current plan, if it says what to do: a next step, or the whole outline in words."""
        plan = plan_at_hand(self.monologue)[1]
        listed = plan is not None and plan.outline is not None and not plan.steps
        return plan if listed or self._next_step() is not None else None

    # perceiving and hearing -------------------------------------------------------------------------------------------

    async def _perceive(self) -> None:
        observation = await self.mind.perceive.perceive(self.monologue)
        if observation is not None:
            self.monologue.append(observation)
            self.observed(observation)

    def _goal_met(self) -> bool:
        goal = self.monologue.goal()
        seen = self.monologue.since(self.monologue.where((Plan, Request, Meaning)), Observation)
        achieved = seen[-1].achieved if seen else None
        return bool(goal) and achieved is not None and {c.words for c in goal} <= {c.words for c in achieved}

    def _hear(self) -> Message | None:
        """Record what a person said. Returns the message that a running skill must give way to, if any."""
        messages = self.person.heard()
        if not messages:  # at nearly every control tick
            return None
        urgent: Message | None = None
        for message in messages:
            self.monologue.append(message)
            if isinstance(message, Stop) or (isinstance(message, Request | PlanEdit) and not isinstance(urgent, Stop)):
                urgent = message
        return urgent

    async def _attentively(self, work: Awaitable[_T], gives_way: Callable[[Message], bool] = lambda _: True) -> _T:
        """Await a model's answer or a skill while listening to the person; abandon work that gives way to a message."""
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                listening = asyncio.ensure_future(self.person.speaks())
                try:
                    await asyncio.wait({task, listening}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    listening.cancel()
                    await asyncio.gather(listening, return_exceptions=True)
                if not task.done() and (message := self._hear()) is not None and gives_way(message):
                    raise _Overtaken
            return task.result()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            elif not task.cancelled():
                task.exception()  # retrieved, or asyncio complains when Ctrl-C ended the run

    def _open_question(self) -> bool:
        return isinstance(self.monologue.last((*DECISIONS, Answer, Request, PlanEdit)), Ask)

    async def _await_answer(self) -> End | None:
        asked, patience = self.monologue.last(Ask), self.limits.patience
        assert asked is not None
        if self.mind.answer is not None and not asked.approval:
            self.monologue.append(Answer(await self._attentively(self.mind.answer.answer(asked, self.monologue))))
            return None
        question = " ".join(asked.questions)
        if not self.person.present:
            return End("failed", f"I have to ask, and nobody is there to answer: {question}")
        try:
            await asyncio.wait_for(self.person.speaks(), patience)
        except TimeoutError:
            return End("failed", f"I asked ({question}) and nobody answered for {patience:g} s, so I stopped")
        self._hear()
        return None
