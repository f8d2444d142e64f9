"""The agent: a world, a model and a preset, put together and ready for a request.

agent = Agent(open_world("tabletop"), open_model("embedded"))
end = await agent.run("Put the red block in the blue bowl.")
print(end.result, end.because)
"""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from thinkaloud.clock import DatedClock, WallClock
from thinkaloud.converse.inbox import Inbox, understand
from thinkaloud.converse.known_things import find_absent
from thinkaloud.episode.guard import guard_of
from thinkaloud.episode.lasting_events import let_go_of_old_events
from thinkaloud.episode.lessons import lessons_to_take_in
from thinkaloud.episode.plan_edits import BadEdit, WantedStep, check_steps, steps_ahead
from thinkaloud.episode.told_rules import because
from thinkaloud.errors import BadInput, JournalError, SkillError, describe_fault
from thinkaloud.guidelines import Guidelines, read_guidelines
from thinkaloud.loop import Limits, Loop, Mind
from thinkaloud.models import Model, Recorded
from thinkaloud.models.contract import Verbatim
from thinkaloud.monologue import Event, EventListener, Monologue
from thinkaloud.presets import Preset, preset_for, preset_of, read_preset, spell
from thinkaloud.records import (
    Answer,
    Ask,
    Begin,
    Condition,
    DueRequest,
    End,
    Meaning,
    Message,
    ModelCall,
    Observation,
    Outcome,
    Plan,
    PlanEdit,
    Request,
    Resumed,
    Speaker,
    StandingRule,
    Step,
    Stop,
    Taught,
)
from thinkaloud.remember.journal import Session
from thinkaloud.skills.declaration_check import refuse_undeclared, refuse_unknown_values, values_of
from thinkaloud.untrusted.text import refuse_names
from thinkaloud.worlds import World
from thinkaloud.worlds.changed_values import read_changed_values
from thinkaloud.worlds.contract import briefing_of, describe_incomplete, find_missing_members

LONGEST_REQUEST = 2000
_PICTURE = "So"
"""The Unicode category of emoji. A request may consist of them alone."""
_EVERY = 1.0  # seconds between two looks at the standing rules
CHECKPOINT_EVERY = 0.5  # seconds of the world's time between two checkpoints of a running skill


class Agent:
    """A robot with a mind. One request at a time; `say` may be called at any moment, from any thread."""

    def __init__(
        self,
        world: World,
        model: Model,
        preset: str | Preset | Mind | None = None,
        *,
        seed: int = 0,
        begin: Begin | None = None,
        session: Session | None = None,
        person: Inbox | None = None,
        limits: Limits | None = None,
        listeners: Iterable[EventListener] = (),
        ticking: Iterable[Callable[[], None]] = (),
        hears_thinking: Callable[[str, str], None] | None = None,
        guidelines: Guidelines | None = None,
        wall: DatedClock | None = None,
    ) -> None:
        """`preset`: a name with options, a preset of your own, or a ready-made mind. The default is the preset that the
        world's briefing names, or `thinkaloud`.

        `listeners` get every event, `ticking` is called at every tick, `hears_thinking` gets (role, text). Without
        `guidelines`, the agent uses those of the world, if it has any. `wall` tells the date and the time of day.
        """
        if missing := find_missing_members(world):
            raise BadInput(describe_incomplete(type(world).__name__, missing))
        chosen, options = _chosen(preset_for(world, model) if preset is None else preset)
        self.world, self.model, self.session = world, model, session
        self.person = person or Inbox()
        self._checkpointed = float("-inf")
        self._declared = False
        events = [Event(*row) for row in session.events()] if session else []
        self.wall: DatedClock = wall or WallClock()
        commit, recall = (self._commit, self._recall) if session else (None, None)
        self.monologue = Monologue(world.clock, events, commit, self.wall.date, recall)
        self.monologue.listeners.extend(listeners)
        self._verbatim: Verbatim | None = None
        self.reading_listeners: list[Callable[[str, int, int], None]] = []
        """Called with a role, how many tokens of its prompt a model has read, and how many the prompt has."""
        recorded = Recorded(model, self.monologue.append, hears_thinking, keep=self._keep, reading=self._tell_reading)
        self.guidelines = guidelines or own_guidelines(world)
        self._preset = chosen
        mind = chosen.build(world, recorded, options, self.guidelines)
        self.loop = Loop(mind, self.monologue, self.person, limits or chosen.limits, self._needs_approval)
        self.loop.changed_values = lambda steps: read_changed_values(self.world, steps)
        self.loop.can_be_done, self.loop.brings_about = self._can_be_done, self._brings_about
        self.loop.guard = guard_of(world)
        self.loop.asked_by, self.loop.approvers = self._asked_by, self._approvers
        self.loop.may_repeat = self._may_repeat
        self.loop.unchecked = briefing_of(world).unchecked
        self._rules = mind.rules
        self.loop.observed = self._watch_scene
        self.loop.ticking.extend(ticking)
        if session:
            self.loop.ticking.append(self._checkpoint)
        if not events:
            began = begin or Begin(world.name, "", model.name, seed)
            self.monologue.append(replace(began, preset=spell(chosen.name, options)))

    def _tell_reading(self, role: str, read: int, total: int) -> None:
        for listener in self.reading_listeners:
            listener(role, read, total)

    async def run(self, request: str, by: Speaker | None = None) -> End:
        """Carry out a request. Words that stop or refuse end as `stopped`, and nothing moves."""
        self.person.say(self._heard(request, by))
        return await self._run()

    async def _run(self) -> End:
        end = await self.loop.run()
        let_go_of_old_events(self.monologue)
        return end

    async def get_ready(self) -> None:
        """Prepare, before the first request, what every request needs. Errors are reported once a request needs it."""
        await self.loop.prepare()

    async def plan(self, request: str, by: Speaker | None = None) -> Plan | End:
        """Plan for a request and move nothing. Returns a plan without objections, or why there is none."""
        self.person.say(self._heard(request, by))
        return await self.loop.plan()

    async def resume(self, because: str = "the process had ended") -> End:
        """Continue after the process ended: restore the world, check the step that was running, and go on."""
        if self.session is None:
            raise JournalError("Only a session of the journal can be resumed.")
        if (end := self.ended()) is not None:
            raise BadInput(f"This session is over: {end.result} ({end.because}). There is nothing to resume.")
        if self.monologue.last(Request) is None:
            raise BadInput("This session has no request. There is nothing to resume.")
        self.monologue.append(Resumed(because))
        if self._rules is not None:
            self._rules.tell_missed(self.monologue)
        return await self.loop.run()

    # Standing rules ---------------------------------------------------------------------------------------------------

    async def watch(self, is_busy: Callable[[], bool], begin: Callable[[StandingRule], None]) -> None:
        """Watch the standing rules until cancelled. From now on the robot accepts such rules.

        They are checked once a second: by the clock, and while the robot is idle by looking, if one of them waits for a
        condition. When the robot is idle, `begin` gets the next rule that has come due, for `carry_out`.
        """
        rules = self._rules
        if rules is None:
            return
        self.monologue.goes_on = True
        self._guarded(lambda: rules.tell_missed(self.monologue))
        while True:
            self._guarded(lambda: rules.check(self.monologue, self._idle_look(is_busy()), busy=is_busy()))
            if not is_busy() and (due := rules.pending(self.monologue)):
                begin(due[0])
            await self.wall.sleep(_EVERY)

    def due_rules(self) -> list[StandingRule]:
        """The rules that have come due and were not begun yet, the oldest first."""
        return [] if self._rules is None else self._rules.pending(self.monologue)

    async def carry_out(self, rule: StandingRule) -> End:
        """Do what a standing rule says, as a request that the robot makes of itself."""
        self.person.say(DueRequest(because(rule), self.person.present, self._who_told(rule), rule))
        return await self._run()

    def _who_told(self, rule: StandingRule) -> Speaker | None:
        """Who told the robot a rule, if that is known: their rights count when it comes due."""
        by: Speaker | None = None
        for event in self.monologue:
            if isinstance(event.record, Request | Answer):
                by = event.record.by
            elif isinstance(event.record, Meaning) and rule in event.record.standing:
                return by
        return None

    def _idle_look(self, busy: bool) -> Observation | None:
        """What is to be seen while nothing is under way, if a rule waits for that; the loop looks by itself."""
        if busy or self._rules is None or not self._rules.need_to_look(self.monologue):
            return None
        return self.world.observe()

    def _guarded(self, work: Callable[[], None]) -> None:
        """Look after the rules; an error in the robot's own code must not end that. The next request reports it."""
        try:
            work()
        except Exception:
            logging.getLogger("thinkaloud").debug("The rules could not be checked.", exc_info=True)

    def _watch_scene(self, scene: Observation) -> None:
        if self.monologue.goes_on and self._rules is not None:
            self._rules.check(self.monologue, scene, busy=True)

    def say(self, text: str, by: Speaker | None = None) -> None:
        """Say something to the robot: an answer to its question, `stop`, or a new request (checked as in `run`)."""
        self.person.say(self._heard(text, by, asked=self.asks(), scene=self.monologue.last(Observation)))

    def _heard(
        self, text: str, by: Speaker | None, *, asked: bool = False, scene: Observation | None = None
    ) -> Message:
        """Turn what a person says into a message; raises BadInput if it is a request the robot cannot plan for."""
        message = understand(text, asked=asked, by=by)
        if not isinstance(message, Request):
            return message
        return Request(self.check(text, scene), attended=self.person.present, by=by)

    def check(self, text: str, scene: Observation | None = None) -> str:
        """Clean up a request; raises BadInput if it names something that is not here (or not in `scene`).

        Also raises BadInput if the robot's own names are unusable: of things in view, or of relations that its skills
        declare.
        """
        scene = scene or self.world.observe()
        refuse_names(scene)
        if not self._declared:
            refuse_undeclared(self.world.skills, self.world.relations, scene.vocabulary)
            values = {*self.world.relations, *values_of(self.world)}
            refuse_unknown_values(self.world.skills, values, scene.vocabulary)
            if self.loop.guard is not None:
                self.loop.guard.check_declarations(scene.vocabulary)
            self._declared = True
        return check_request(text, self._preset.scene_to_name(scene, self.guidelines))

    # Changing the plan, and lessons -----------------------------------------------------------------------------------

    def plan_ahead(self) -> tuple[Step, ...]:
        """The steps of the plan that are still to do; empty if there is no plan that could be changed."""
        return steps_ahead(self.monologue)

    async def edit_plan(
        self, wanted: Sequence[WantedStep], *, approved: bool = False, by: Speaker | None = None
    ) -> PlanEdit:
        """Put other steps in the place of those still to do; BadInput says which step is not possible, and why.

        They are checked and, if the mind rehearses, rehearsed. Only while nothing moves: while the robot asks for
        approval, is paused, or has planned without acting.
        """
        left = self.plan_ahead()
        if not left:
            raise BadInput("There is no plan that could be changed.")
        scene = self.monologue.last(Observation) or self.world.observe()
        steps = check_steps(wanted, self.world.skills, scene.vocabulary, self.loop.guard, self.monologue)
        if self.loop.mind.rehearse is not None:
            tried = await self.loop.mind.rehearse.rehearse(Plan("", (), steps), self.monologue)
            if not tried.feasible:
                raise BadEdit(tried.step, f"In the rehearsal this did not work: {tried.error}")
        if self.plan_ahead() != left:
            raise BadInput("The plan has changed meanwhile. Look at it again.")
        edit = PlanEdit(steps, left, approved, by)
        self.person.say(edit)
        return edit

    def teach(self, kept: Sequence[Taught]) -> None:
        """Go by these lessons from the next request on, and by no others."""
        for lesson in lessons_to_take_in(self.monologue, kept):
            self.monologue.append(lesson)

    def latest_lesson(self, by: Speaker | None = None) -> Taught:
        """What was understood last as a lesson: whoever says the same words again means just that."""
        request, meaning = self.monologue.last(Request), self.monologue.last(Meaning)
        at = self.monologue.where(Request)
        new = at is not None and self.monologue.where(Meaning, after=at) is not None
        if request is None or meaning is None or not (new and meaning.deeds):
            raise BadInput("There is no lesson in this: nothing was understood that the robot could do again.")
        return Taught(request.text, program=meaning.written or meaning.program, words=meaning.spoken, by=by)

    def stop(self, because: str = "you said stop") -> None:
        """Hold still at once."""
        self.person.say(Stop(because))

    def asks(self) -> bool:
        """Whether the robot is waiting for an answer."""
        return isinstance(self.monologue.last((Ask, Answer, Request, PlanEdit, End)), Ask)

    def ended(self) -> End | None:
        """How the latest request ended, if it has."""
        latest = self.monologue.last((End, Request))
        return latest if isinstance(latest, End) else None

    def _needs_approval(self, step: Step) -> bool:
        skill = self.world.skills.get(step.skill)
        if skill is not None and skill.approval:
            return True
        return self.loop.guard is not None and self.loop.guard.needs_approval(step, self.monologue)

    def _approvers(self, step: Step) -> tuple[str, ...]:
        skill = self.world.skills.get(step.skill)
        return () if skill is None else skill.approvers

    def _asked_by(self, step: Step) -> tuple[str, ...]:
        skill = self.world.skills.get(step.skill)
        return () if skill is None else skill.asked_by

    def _may_repeat(self, step: Step) -> bool:
        skill = self.world.skills.get(step.skill)
        return skill is None or skill.repeat

    def _brings_about(self, step: Step) -> Sequence[Condition]:
        skill = self.world.skills.get(step.skill)
        try:
            return () if skill is None else skill.promises(step.arguments, self.world.relations)
        except Exception:  # a fault in the robot's own code is reported when the step is checked
            return ()

    def _can_be_done(self, step: Step) -> bool:
        skill = self.world.skills.get(step.skill)
        if skill is not None:
            try:
                skill.refuse(step.arguments, self.world.observe())
            except SkillError:
                return False
        return True

    def _commit(self, event: Event) -> None:
        assert self.session is not None
        # Nothing moves while the robot thinks, but a look may change what the world knows about itself.
        moved = isinstance(event.record, Begin | Request | Observation | Outcome | Resumed | End)
        said = self._verbatim if isinstance(event.record, ModelCall) else None
        self.session.commit(event.index, event.at, event.record, self._snapshot() if moved else None, said)
        self._checkpointed = event.at

    def _recall(self) -> Iterator[Event]:
        """All events, as the journal has them."""
        assert self.session is not None
        return (Event(*row) for row in self.session.events())

    def _keep(self, said: Verbatim) -> None:
        self._verbatim = said

    def _snapshot(self) -> bytes | None:
        try:
            return self.world.snapshot()
        except NotImplementedError:  # a real robot: its actions are recorded, and its state is observed
            return None

    def _checkpoint(self) -> None:
        assert self.session is not None
        now = self.world.clock.now()
        if now - self._checkpointed >= CHECKPOINT_EVERY:
            self._checkpointed = now
            if (snapshot := self._snapshot()) is not None:
                self.session.checkpoint(now, snapshot)


def _chosen(preset: str | Preset | Mind) -> tuple[Preset, dict[str, str]]:
    """The chosen preset and its options."""
    if isinstance(preset, str):
        return read_preset(preset)
    chosen = preset_of(preset) if isinstance(preset, Mind) else preset
    return chosen, chosen.defaults()


def check_request(text: str, scene: Observation) -> str:
    """Clean up a request; raises BadInput if it is empty, has no words, is too long, or names something absent."""
    cleaned = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    if not cleaned:
        raise BadInput("The request is empty; say what the robot should do.")
    if not any(letter.isalnum() or unicodedata.category(letter) == _PICTURE for letter in cleaned):
        raise BadInput(f"{cleaned[:40]!r} contains no words; say what the robot should do.")
    if len(cleaned) > LONGEST_REQUEST:
        raise BadInput(f"The request has {len(cleaned)} characters; at most {LONGEST_REQUEST} are allowed.")
    if missing := find_absent(cleaned, scene):
        raise BadInput(f"I see no {' and no '.join(missing)} here. I see: {', '.join(scene.objects) or 'nothing'}.")
    return cleaned


def own_guidelines(world: World) -> Guidelines | None:
    """The guidelines that a world comes with, if any."""
    text = briefing_of(world).guidelines
    return read_guidelines(text, world.name) if text else None


def restore_world(world: World, session: Session, seed: int, *, at: int | None = None) -> None:
    """Put a world into the state a session last recorded, or recorded at an event."""
    world.reset(seed)
    snapshot = session.snapshot() if at is None else session.snapshot_at(at)
    if snapshot is None:
        return
    try:
        world.restore(snapshot)
    except NotImplementedError:  # a real robot cannot be put back; its state is observed instead
        return
    except Exception as error:  # for example, a snapshot from another version of the world
        raise JournalError(
            f"Session {session.id}: the world cannot be restored ({describe_fault(error)}). "
            f"To see what was done: thinkaloud replay {session.id}"
        ) from error
