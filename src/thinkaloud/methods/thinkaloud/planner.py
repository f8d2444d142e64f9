"""From what was understood to the next decision: an answer, a question, a refusal, or steps that a search has found.

If no declared effect helps, or a step fails for an undeclared reason, a language model is asked for the next step. If
that does not help either, the robot says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from thinkaloud.episode.told_rules import kept_of, rules_of
from thinkaloud.language.words import sentence_of, stems
from thinkaloud.methods.thinkaloud.bounded_rehearsal import begun_plans, seems_to_miss
from thinkaloud.methods.thinkaloud.current_requests import (
    Work,
    left_to_do,
    passing_of,
    promises_of_step,
    said_amid_work,
    touches,
    without_outlived,
    without_untold,
    work_at_hand,
)
from thinkaloud.methods.thinkaloud.going_round import find_rivals, has_come_round, without_rivals
from thinkaloud.methods.thinkaloud.impossible_actions import (
    COULD_NOT,
    find_skipped_parts,
    skip_part,
    without_skipped_parts,
)
from thinkaloud.methods.thinkaloud.known_remedies import AS_BEFORE, changes_nothing, find_known_remedy, find_only_way
from thinkaloud.methods.thinkaloud.similar_things import propose_instead
from thinkaloud.methods.thinkaloud.step_reasons import with_reasons
from thinkaloud.methods.thinkaloud.trouble import (
    CANNOT_KNOW,
    find_trouble,
    may_try,
    refused_by_guard,
    sound_part,
    try_again,
)
from thinkaloud.methods.thinkaloud.undo import UndoGoals, find_undo, without_hopeless
from thinkaloud.methods.thinkaloud.undo_price import ask_for_price
from thinkaloud.monologue import Monologue
from thinkaloud.plan.final_conditions import check_or_done
from thinkaloud.plan.search import Found, NotFound, Sought, find_steps_meanwhile
from thinkaloud.records import (
    Answered,
    Ask,
    Condition,
    Decision,
    Decline,
    Done,
    Emergency,
    GoBack,
    Look,
    LookFirst,
    Meaning,
    NotClear,
    Noted,
    Observation,
    Outcome,
    Plan,
    Question,
    Refused,
    Request,
    Started,
    Step,
    StopWhen,
    Verdict,
)
from thinkaloud.saying.telling import HELP_COMES, NO_HELP
from thinkaloud.skills.built_in_steps import HELP, SAY, STEPS, call_for_help, say
from thinkaloud.skills.rules import add_rules, find_broken
from thinkaloud.understand.conversation import chosen_for
from thinkaloud.understand.meaning.running import active_rules
from thinkaloud.worlds.budgets import find_overrun
from thinkaloud.worlds.contract import MakesRoom, Scanning, World, find_ability, find_untold, surely_holds, tell
from thinkaloud.worlds.emergencies import can_call_for_help
from thinkaloud.worlds.people import kinds_of_people, people_in

_MOST_TRIES = 2
"""How often a failed step is planned again before another way is tried."""
_MOST_PROPOSALS = 4
_MOST_CHOICES = 2
"""How often another thing is chosen, if the choice was open and the last one was not available."""
_NO_CHANGE = (
    "That would leave everything as it is: I would take back what I did last, and then do the same again. "
    "Please say in other words what you mean."
)


class Proposes(Protocol):
    """Proposes a next step if no declared effect helps."""

    async def propose(self, work: str, trouble: str, monologue: Monologue) -> Step | None:
        """Return a step that may help, or None."""
        ...


class FromMeaning:
    """The planner of our own method; see the module's description."""

    def __init__(
        self, world: World, proposer: Proposes | None = None, chose: Callable[[Step, Monologue], bool] | None = None
    ) -> None:
        self._world, self._proposer = world, proposer
        self._chose = chose or (lambda step, monologue: bool(chosen_for(step, monologue.last(Meaning))))

    async def plan(self, monologue: Monologue) -> Decision:
        """Return what to do now, according to what was understood last."""
        meaning = monologue.last(Meaning, after=monologue.task_start())
        if meaning is None:
            return Decline("I did not understand that.")
        match meaning.content:
            case Emergency(matter):
                return self._call_for_help(matter, monologue)
            case Question() if not monologue.since(monologue.where(Meaning), Ask):
                return Ask((meaning.words,))
            case Refused("no such thing" | "declined", why) if self._may_look(monologue):
                return Look(why)
            case LookFirst(wishes) if self._all_hold(wishes):
                return Look(meaning.words)
        work = work_at_hand(monologue, self._world)
        if work is None:
            return _without_work(meaning, monologue.last(Observation), kept_of(monologue))
        amid = said_amid_work(monologue, self._world)
        if amid and (aloud := _to_say(meaning)) and not self._has_said(aloud, monologue):
            return Plan(work.words, (), (say(aloud),))
        if work.only_next:
            return self._last_one(work, monologue)
        return await self._for_work(work, meaning, monologue)

    def _call_for_help(self, matter: str, monologue: Monologue) -> Decision:
        """Call for help at once, and leave everything else; if that cannot be done, say so."""
        if not can_call_for_help(self._world):
            return Decline(NO_HELP)
        outcome = monologue.last(Outcome, after=monologue.where(Meaning) or 0)
        if outcome is None or outcome.step.skill != HELP:
            return Plan(HELP_COMES, (), (call_for_help(matter),))
        if outcome.ending == "completed":
            return Done(f"I called for help. {outcome.report}".strip(), "answered")
        return Decline(f"I tried to call for help, and it failed: {sentence_of(outcome.report)} Please do it now.")

    def _may_look(self, monologue: Monologue) -> bool:
        """Whether a closer look may find what is missing; once for each message."""
        looked = monologue.where(Look, after=monologue.order_start())
        return looked is None and find_ability(self._world, Scanning) is not None

    # What there is to do ----------------------------------------------------------------------------------------------

    async def _for_work(self, work: Work, meaning: Meaning, monologue: Monologue) -> Decision:
        scene = monologue.last(Observation)
        assert scene is not None
        given_up = find_skipped_parts(work, monologue)
        work = without_skipped_parts(without_outlived(work, monologue), given_up, self._world)
        work, untold = without_untold(work, monologue, self._world)
        left = tuple(left_to_do(work, monologue, self._world))
        rivals = find_rivals(work, left, monologue, self._world)
        if rivals:
            work, left = without_rivals(work, rivals), ()
        kept = frozenset((*work.kept, *kept_of(monologue)))
        goal, aims, stays = work.words, "", ""
        rules = active_rules(add_rules(rules_of(monologue), work.rules), self._world, scene)
        sought = Sought(left, work.goals, kept, in_order=not isinstance(meaning.content, LookFirst), rules=rules)
        back: UndoGoals | None = None
        if work.undoes:
            if isinstance(undo := find_undo(monologue, work, self._world), str):
                return Decline(undo)
            back = await without_hopeless(undo.instead(work, self._world), work, left, kept, self._world, scene)
            if back.comes_on_top(work):
                return Decline(back.tell_on_top())
            back_to = back.sought(work, left, kept, self._world, scene.vocabulary)
            sought, aims = replace(back_to, rules=rules), back.tell_aims(work)
            goal, stays = back.tell_work(work) if aims else goal, back.tell_stays(self._world)
            goal = f"I do this instead: {' '.join(action.words for action in work.actions)}" if back.replaces else goal
        if not sought.deeds and self._all_hold(sought.wishes):
            if stays:
                return self._partly_back(stays, aims, work, monologue)
            if work.undoes and work.goals and not monologue.worked_between(work.since, None):
                return Decline(_NO_CHANGE)  # nobody asks for that: something else was meant
            if rivals:
                told = f"These do not stay so together: {' '.join(rivals)}"
                return Done(f"I did this, one after another: {self._told_done(monologue)} {told}", "gave up")
            if given_up or work.lacking:
                rest = f"{work.lacking} I did the rest." if work.lacking else ""
                told = " ".join(filter(None, (rest, *given_up.values())))
                return Done(f"{told}{self._besides(work.actions, monologue)}", "gave up")
            if aims and work.undoes and not (sought.wishes or work.actions):
                return Done(f"{self._told_done(monologue)} {aims}".strip(), "checked")
            if untold:
                return Done(f"{self._told_done(monologue)} {untold}")
            return self._over(goal, work, sought, monologue)
        if (refused := refused_by_guard(monologue, work)) is not None:
            return await self._around(refused, goal, sought, scene, monologue)
        checked = not (
            work.said or given_up or work.lacking or stays or rivals or isinstance(meaning.content, LookFirst)
        )
        trouble = find_trouble(work, monologue)
        if trouble is not None:
            return await self._despite(trouble, goal, sought, scene, monologue, checked=checked)
        if room := self._room_for(left, sought, work, monologue):
            return Plan(goal, (), room, thought=f"To have room for all of it, I first do this: {room[0].words}")
        found = await find_steps_meanwhile(self._world, scene, sought)
        if isinstance(found, Found) and found.steps and has_come_round(found.steps, work.since, monologue):
            why = "I did the same before, from the same state, and this is still not so: "
            return Done(f"{why}{self._not_so(sought.wishes)}", "gave up")
        if isinstance(found, Found) and (over := self._overrun(found, monologue)):
            return self._given_up(over, sought, monologue)
        if ask := ask_for_price(found, back, work, monologue, self._world):
            return ask
        if isinstance(found, Found) and found.steps:
            plan = self._plan(goal, sought, found, checked=checked)
            return replace(plan, thought=f"{stays} {plan.thought}".strip())
        if isinstance(found, Found):
            return Done("I have done all of it, but this is not so: " + self._not_so(sought.wishes), "gave up")
        if work.undoes:
            return Decline(stays or f"I cannot take that back. {found.why}")
        return await self._helped(goal, found, sought, monologue)

    def _room_for(self, actions: Sequence[Step], sought: Sought, work: Work, monologue: Monologue) -> tuple[Step, ...]:
        """Return what must be moved first to make room for all actions; once per request."""
        makes = find_ability(self._world, MakesRoom)
        if makes is None or not actions or monologue.since(work.since, Plan):
            return ()
        steps = tuple(makes.make_room(actions))
        return () if any(self._is_forbidden(step, sought) for step in steps) else steps

    def _is_forbidden(self, step: Step, sought: Sought) -> bool:
        """Whether a step touches what is to be left alone, breaks a rule, or is for a person whom nobody mentioned."""
        broken = find_broken(sought.rules, step.skill, step.arguments)
        mentioned = {value for deed in sought.deeds for value in deed.arguments.values()}
        mentioned |= {value for wish in sought.wishes for value in wish.arguments.values()}
        people = people_in(self._world, self._world.observe().vocabulary) if kinds_of_people(self._world) else ()
        strangers = any(value in people and value not in mentioned for value in step.arguments.values())
        return broken is not None or strangers or touches(step, sought.kept, self._world)

    def _partly_back(self, stays: str, aims: str, work: Work, monologue: Monologue) -> Decision:
        """Report that this cannot be undone after everything else is done: the task ends as a failure."""
        done = [step.words for step in monologue.worked_between(work.since, None) if step.skill not in STEPS]
        if not done:
            return Decline(stays)
        return Done(f"{stays} I did this: {' '.join(done)}{f' Checked: {aims}' if aims else ''}", "gave up")

    def _plan(self, goal: str, sought: Sought, found: Found, *, checked: bool = True) -> Plan:
        """Return the steps, with the conditions to check if they show that everything is done and nothing is left to
        say. The thought tells what nobody asked for, before it is done."""
        wished = {condition.words for condition in sought.wishes}
        told = all(any(p.words in wished for p in promises_of_step(action, self._world)) for action in sought.deeds)
        told = told and not any(passing_of(sought.deeds, place, self._world) for place in range(len(sought.deeds)))
        told = told and not self._alike(sought.deeds)
        told = told and not any(self._all_hold(promises_of_step(action, self._world)) for action in sought.deeds)
        open_ = checked and told and not self._all_hold(sought.wishes)
        steps = with_reasons(found.steps, sought, self._world)
        return Plan(goal, sought.wishes if open_ else (), steps, thought=_first_this(found))

    def _alike(self, actions: Sequence[Step]) -> bool:
        """Whether two actions have the same effects: then the state does not show that both were done."""
        come_to = [frozenset(each.words for each in promises_of_step(action, self._world)) for action in actions]
        return len({*come_to}) < len(come_to)

    def _over(self, goal: str, work: Work, sought: Sought, monologue: Monologue) -> Decision:
        """Everything is done: say what was still to be said, and check what must hold."""
        aloud = " ".join(work.said)
        if aloud and not self._has_said(aloud, monologue, since=work.since):
            return Plan(goal, (), (say(aloud),))
        done = self._told_done(monologue)
        if done and not sought.wishes and self._checked_themselves(monologue):
            return Done(done, "checked")
        return check_or_done(goal, sought.wishes, done or "nothing was to be done.", monologue)

    @staticmethod
    def _told_done(monologue: Monologue) -> str:
        return " ".join(step.words for step in monologue.worked() if step.skill not in STEPS)

    def _checked_themselves(self, monologue: Monologue) -> bool:
        """Whether every skill that was used has a check of its own, which found nothing wrong."""
        used = [verdict for verdict in monologue.in_task(Verdict) if verdict.step.skill not in STEPS]
        skills = [self._world.skills.get(verdict.step.skill) for verdict in used]
        return all(each.ok for each in used) and all(skill is not None and skill.check for skill in skills)

    def _last_one(self, work: Work, monologue: Monologue) -> Decision:
        """Finish only the interrupted step."""
        outcome = monologue.last(Outcome)
        cut = outcome is not None and outcome.ending == "interrupted" and monologue.last(Plan) is not None
        begun = monologue.since(monologue.task_start(), Started)
        if cut and not begun and outcome is not None:
            return Plan(f"I finish this: {outcome.step.words}", (), (outcome.step,))
        return Done("You wanted no more after that step.", "left off")

    # Trouble ----------------------------------------------------------------------------------------------------------

    async def _despite(
        self,
        trouble: tuple[Step, str],
        goal: str,
        sought: Sought,
        scene: Observation,
        monologue: Monologue,
        *,
        checked: bool,
    ) -> Decision:
        """Try again, find another way, or have a next step proposed."""
        step, why = trouble
        failures = [v for v in monologue.in_task(Verdict) if not v.ok and v.step == step]
        if failures and failures[-1].unchecked:  # nobody knows whether it worked
            return Done(f"{CANNOT_KNOW}{step.words} {why}{self._besides(sought.deeds, monologue)}", "gave up")
        if begun := sound_part(monologue, sought.deeds):
            return Plan(goal, (), begun, thought=f"This has to wait: {step.words} {why}")
        planned = [p for p in begun_plans(monologue) if p.steps and p.steps[0] == step]
        outcome = monologue.last(Outcome)
        refused = outcome is not None and outcome.impossible and outcome.step == step
        missed = bool(failures) and "Not so" in failures[-1].observed and not refused
        if missed and len(planned) < _MOST_TRIES:
            found = await find_steps_meanwhile(self._world, scene, sought)
            if isinstance(found, Found):
                return try_again(self._plan(goal, sought, found, checked=checked), step)
        plans = [plan for plan in monologue.in_task(Plan) if not plan.verbatim]
        again = await find_steps_meanwhile(self._world, scene, sought) if failures else None
        known = again if isinstance(again, Found) and again.steps else None  # it may have seen what was in its way
        if known and known.steps[0] != step and known.steps not in [plan.steps for plan in plans]:
            return self._plan(goal, sought, known, checked=checked)
        proposal = await self._proposed(goal, f"{step.words} {why}", step, sought, monologue)
        if proposal is not None:
            return proposal
        if known and len(failures) < _MOST_TRIES and not refused:
            return try_again(self._plan(goal, sought, known, checked=checked), step)
        ours = [each for plan in plans for each in plan.steps if each not in sought.deeds]
        other = await find_steps_meanwhile(self._world, scene, sought, avoid=ours) if ours else None
        if isinstance(other, Found) and other.steps and other.steps not in [plan.steps for plan in plans]:
            return self._plan(goal, sought, other, checked=checked)
        if seems_to_miss(monologue) and not failures:  # trying it may show the robot what its twin cannot know
            tried = await find_steps_meanwhile(self._world, scene, sought)
            if isinstance(tried, Found) and tried.steps and may_try(tried.steps[:1], monologue):
                return Plan(goal, (), tried.steps[:1], thought=f"I try it all the same: {step.words}")
        if self._may_choose_anew(step, monologue):
            return Look(f"{step.words} {why}")
        if (told := skip_part(step, why, sought.deeds, self._world)) is not None:
            return Plan(goal, (), (told,))
        return Done(f"{COULD_NOT}{step.words} {why}{self._besides(sought.deeds, monologue)}", "gave up")

    def _may_choose_anew(self, step: Step, monologue: Monologue) -> bool:
        """Whether a step failed with a thing that the robot itself chose: then another may do."""
        request = monologue.last(Request)
        looked = [event for event in monologue.order() if isinstance(event.record, Look)]
        failed = any(not verdict.ok and verdict.step == step for verdict in monologue.in_task(Verdict))
        if request is None or not failed or len(looked) >= _MOST_CHOICES:
            return False
        return self._chose(step, monologue)

    async def _helped(self, goal: str, found: NotFound, sought: Sought, monologue: Monologue) -> Decision:
        """No steps were found: the model may know one; otherwise report the reason."""
        forbidden = any(self._is_forbidden(action, sought) for action in sought.deeds)
        if not (found.apart or found.forbidden or forbidden):
            proposal = await self._proposed(goal, found.why, found.deed, sought, monologue)
            if proposal is not None:
                return proposal
        return self._given_up(found.why, sought, monologue)

    def _given_up(self, why: str, sought: Sought, monologue: Monologue) -> Decision:
        """Say why nothing more is done, and what was done on the way."""
        besides = self._besides(sought.deeds, monologue)
        return Done(f"{why}{besides}", "gave up") if monologue.in_task(Started) else Decline(why)

    def _overrun(self, found: Found, monologue: Monologue) -> str:
        """Return why a budget does not allow some steps; or nothing."""
        done = [started.step for started in monologue.in_task(Started)]
        over = find_overrun(self._world, found.steps, done)
        return "" if over is None else over[1]

    async def _around(
        self, refused: tuple[Step, str], goal: str, sought: Sought, scene: Observation, monologue: Monologue
    ) -> Decision:
        """Find another way, once something came up for which the guard refused a plan; otherwise say so."""
        step, why = refused
        found = await find_steps_meanwhile(self._world, scene, sought)
        if isinstance(found, Found) and found.steps[:1] not in ((), (step,)) and not self._overrun(found, monologue):
            return Plan(goal, (), found.steps, thought=f"{why} {_first_this(found)}".strip())
        return self._given_up(why, sought, monologue)

    async def _proposed(
        self, goal: str, trouble: str, action: Step | None, sought: Sought, monologue: Monologue
    ) -> Plan | None:
        """Return a plan of one step: what helped against the same before, or what a model proposes."""
        proposed = [plan for plan in monologue.in_task(Plan) if plan.verbatim]
        if self._proposer is None:
            return None
        known = find_known_remedy(action, trouble, monologue, self._world)
        if known is None and sum(AS_BEFORE not in plan.thought for plan in proposed) >= _MOST_PROPOSALS:
            return None
        step = known or await self._proposer.propose(goal, trouble, monologue)
        scene = monologue.last(Observation)
        if step is not None and action is not None and scene is not None and changes_nothing(step, self._world):
            step = find_only_way(action, lambda each: self._bears_on(each, trouble, action), scene, self._world)
        worked = {verdict.step.words for verdict in monologue.in_task(Verdict) if verdict.ok}  # may help once more
        tried = {plan.steps[0].words for plan in proposed if plan.steps} - worked
        if step is None or step.words in tried or step == action:
            return None
        if any(value in sought.kept for value in step.arguments.values()) or self._is_forbidden(step, sought):
            return None
        if not self._world.skills[step.skill].repeat and find_untold(self._world, promises_of_step(step, self._world)):
            return None  # it may have been done before, and nobody can tell
        if not self._bears_on(step, trouble, action):
            return None
        hope = AS_BEFORE if known else "Perhaps this helps:"
        return Plan(goal, (), (step,), thought=f"{trouble} {hope} {step.words}", verbatim=step.words)

    def _bears_on(self, step: Step, trouble: str, action: Step | None) -> bool:
        """Whether a proposed step relates to what went wrong: they mention the same, apart from the action itself."""
        skill = self._world.skills[step.skill]
        promised = " ".join(condition.words for condition in promises_of_step(step, self._world))
        about = stems(f"{step.words} {skill.signature.name.replace('_', ' ')} {skill.signature.about} {promised}")
        return bool(about & (stems(trouble) - (stems(action.words) if action is not None else set())))

    # Small things -----------------------------------------------------------------------------------------------------

    def _all_hold(self, conditions: Sequence[Condition]) -> bool:
        return all(surely_holds(self._world, condition) for condition in conditions)

    def _besides(self, actions: Sequence[Step], monologue: Monologue) -> str:
        """Return what was done on the way that nobody asked for."""
        asked = {action.words for action in actions}
        done = [step.words for step in monologue.worked() if step.skill not in STEPS and step.words not in asked]
        return f" On the way I did this: {' '.join(done)}" if done else ""

    def _not_so(self, conditions: Sequence[Condition]) -> str:
        told = [each.words for each in conditions if tell(self._world, each) is False]
        return " ".join(filter(None, (*told, find_untold(self._world, conditions))))

    def _has_said(self, text: str, monologue: Monologue, since: int | None = None) -> bool:
        begun = monologue.since(monologue.task_start() if since is None else since, Started)
        spoken = [started.step for started in begun if started.step.skill == SAY]
        return any(step.arguments.get("text") == text for step in spoken)


def _first_this(found: Found) -> str:
    """Return what must be done in addition to the request, in words; empty if nothing."""
    return f"For that I also have to do this: {' '.join(step.words for step in found.added)}" if found.added else ""


def _without_work(meaning: Meaning, scene: Observation | None, kept: Sequence[str]) -> Decision:
    """Return what to say if there is nothing to do; for a missing thing, also what is here of its kind."""
    match meaning.content:
        case Answered() | Noted():
            return Done(meaning.spoken, "answered")
        case StopWhen():
            return Done(meaning.words, "left off")
        case GoBack():
            return Decline("There is nothing unfinished that I could go on with.")
        case Refused("no such thing", missing=missing):
            return Decline(meaning.spoken + propose_instead(missing, scene, kept))
    return Decline(meaning.spoken)


def _to_say(meaning: Meaning) -> str:
    """Return what to say aloud about something that was said in the middle of the work."""
    return meaning.spoken if isinstance(meaning.content, Answered | Noted | Refused | NotClear) else ""
