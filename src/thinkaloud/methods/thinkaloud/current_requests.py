"""Which of the requests is current: the latest, the one before, or several; read from the monologue.

A question or a remark in the middle of the work is answered, and the work continues. A new request replaces the current
one, unless it says that the current one continues as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from thinkaloud.episode.approval_answers import find_denied
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import (
    Act,
    Condition,
    Emergency,
    End,
    GoBack,
    LookFirst,
    Meaning,
    Noted,
    Observation,
    Request,
    Rule,
    Step,
    StopWhen,
    UndoWork,
    Verdict,
    WorldState,
)
from thinkaloud.saying.telling import Besides, tell_act
from thinkaloud.skills import touched_by
from thinkaloud.skills.rules import add_rules, find_broken
from thinkaloud.worlds.contract import CANNOT_TELL, World, surely_holds, tell
from thinkaloud.worlds.effects import does_pass, is_told_by_effects, waits_for
from thinkaloud.worlds.effects import promises_of as promises_of_skill
from thinkaloud.worlds.full_world import base_name

_FINISHED = ("goal met", "answered", "unconfirmed")


@dataclass(frozen=True)
class Work:
    """What to do: actions in the order in which they were said, goals that must hold in the end, things to leave alone.

    `since` is where in the monologue it was understood: what was done after that counts.
    """

    words: str
    actions: tuple[Step, ...] = ()
    goals: tuple[Condition, ...] = ()
    kept: tuple[str, ...] = ()
    since: int = 0
    undoes: int = 0
    """How many requests to undo first."""
    only_next: bool = False
    """Only the current step is wanted; after that, the task is over."""
    said: tuple[str, ...] = ()
    """What to say aloud when everything is done."""
    lacking: str = ""
    """What cannot be done of the request: the rest is done, and then the task has failed."""
    rules: tuple[Rule, ...] = ()
    """What must not be done for it."""

    def without(self, things: Collection[str], words: str, world: World) -> Work | None:
        """Return the same without anything that would touch these things; None if nothing is left."""
        actions = tuple(each for each in self.actions if not touches(each, things, world))
        over = {goal.words for each in self.actions if each not in actions for goal in promises_of_step(each, world)}
        over -= {goal.words for each in actions for goal in promises_of_step(each, world)}
        goals = tuple(each for each in self.goals if first_of(each) not in things and each.words not in over)
        kept = replace(self, words=f"{self.words} {words}", actions=actions, goals=goals)
        return kept if actions or goals or self.undoes else None

    def without_broken(self, rules: Sequence[Rule], words: str, world: World) -> Work | None:
        """Return the same without the actions that these rules forbid; None if nothing is left."""
        broken = [each for each in self.actions if find_broken(rules, each.skill, each.arguments) is not None]
        actions = tuple(each for each in self.actions if each not in broken)
        over = {goal.words for each in broken for goal in promises_of_step(each, world)}
        goals = tuple(each for each in self.goals if each.words not in over)
        left = replace(self, words=f"{self.words} {words}", actions=actions, goals=goals)
        return left if actions or goals or self.undoes else None

    def and_then(self, more: Work) -> Work:
        """Combine both, one after the other; the goals of the later one take precedence."""
        about = {fact_of(each) for each in more.goals}
        goals = (*(each for each in self.goals if fact_of(each) not in about), *more.goals)
        words = f"{self.words} {more.words}".strip()
        actions, kept, said = (*self.actions, *more.actions), (*self.kept, *more.kept), (*self.said, *more.said)
        lacking = f"{self.lacking} {more.lacking}".strip()
        rules = add_rules(self.rules, more.rules)
        return Work(words, actions, goals, kept, self.since, more.undoes, said=said, lacking=lacking, rules=rules)


def work_at_hand(monologue: Monologue, world: World) -> Work | None:
    """Return what to do according to all that was said since the latest end; None if there is nothing."""
    work: Work | None = None
    latest, order = monologue.where(Meaning), monologue.order()
    denied = find_denied(order)
    for event in order:
        if isinstance(event.record, Meaning) and (event.record.sort != "look" or event.index == latest):
            work = _after(event.record, event.index, work, monologue, world)
        if event.index in denied:
            work = _added_since(*denied[event.index], order, event.index, world)
    return work


def _added_since(start: int, step: str, order: Sequence[Event], end: int, world: World) -> Work | None:
    """What a person asked for between being asked about a step and saying no to it."""
    work: Work | None = None
    for event in order:
        if start < event.index < end and isinstance(event.record, Meaning) and isinstance(event.record.content, Act):
            act, more = event.record.act, Besides(event.record.notes, event.record.freed)
            words = tell_act(replace(act, goes_on=False), more, world)
            own = _work_of(event.record, words, event.index)
            work = own if work is None else work.and_then(own)
    left = f"I leave this, because you did not agree: {step}"
    return None if work is None else replace(work, words=f"{left} {work.words}")


def _work_of(meaning: Meaning, words: str, at: int) -> Work:
    act = meaning.act
    return Work(words, act.deeds, act.wishes, act.kept, at, said=act.said, lacking=act.lacking, rules=act.rules)


def _after(meaning: Meaning, at: int, work: Work | None, monologue: Monologue, world: World) -> Work | None:
    """Return what to do once this was said."""
    act, words = meaning.act, meaning.words
    own = _work_of(meaning, words, at)
    match meaning.content:
        case Act(goes_on=goes_on):
            before = work or _unfinished(monologue, at, world) if goes_on else None
            alone = Besides(meaning.notes, meaning.freed)
            more = replace(own, words=tell_act(replace(act, goes_on=False), alone, world))
            return own if before is None else before.and_then(more)
        case UndoWork(count):
            return replace(own, undoes=count)
        case LookFirst(wishes):
            return Work(words, goals=wishes, since=at)
        case GoBack(kept):
            before = work or _unfinished(monologue, at, world)
            return before.without(kept, words, world) if before and kept else before
        case StopWhen(when):
            return replace(work, goals=(), only_next=True) if when == "after this" and work is not None else None
        case Emergency():
            return None
        case Noted(kept, rules) if work is not None:
            left = work.without(kept, words, world) if kept else work
            return left.without_broken(rules, words, world) if left and rules else left
    return work


def _ends(latest: Step, actions: Sequence[Step]) -> bool:
    """Whether a later action ends what these are for: another kind of action, or another use of the same thing."""
    return all(takes_place_of(latest, action) for action in actions if action.skill == latest.skill)


def takes_place_of(action: Step, other: Step) -> bool:
    """Whether an action repeats another with the same thing but a different value: the volume is now 2, not 9."""
    return action.skill == other.skill and first_of(action) == first_of(other) and action.arguments != other.arguments


def _unfinished(monologue: Monologue, before: int, world: World) -> Work | None:
    """Return the latest work that failed, or that was replaced before it was done."""
    at: int | None = before
    while (at := monologue.where(End, before=at)) is not None:
        end = monologue[at].record
        assert isinstance(end, End)
        first = monologue.where(End, before=at)
        work: Work | None = None
        replaced: list[Work] = []
        for event in monologue[0 if first is None else first : at]:
            if isinstance(event.record, Meaning) and isinstance(event.record.content, Act | UndoWork):
                if work is not None and not event.record.act.goes_on:
                    replaced.append(work)
                work = _after(event.record, event.index, work, monologue, world)
        if work is not None and end.result not in _FINISHED:
            return work
        for other in reversed(replaced):
            if left_to_do(other, monologue, world):
                return other
    return None


def without_outlived(work: Work, monologue: Monologue) -> Work:
    """Return the work without goals that were reached and then ended by a later action of another kind.

    Goals that somebody else undid are still wanted.
    """
    actions = {c.words: [d for d in work.actions if _names_all(d, c)] for c in work.goals}
    over = {goal for goal, latest in lost_with(work, monologue).items() if _ends(latest, actions[goal])}
    return replace(work, goals=tuple(each for each in work.goals if each.words not in over)) if over else work


def without_untold(work: Work, monologue: Monologue, world: World) -> tuple[Work, str]:
    """Return the work without goals that the robot has worked for and cannot tell now; and these, in a sentence.

    They may be reached, so nothing more is done for them; and they may not be, so nobody is told that they are.
    """
    done = monologue.worked_between(work.since, None)
    brought = {each.words for step in done for each in promises_of_step(step, world)}
    untold = [each for each in work.goals if each.words in brought and tell(world, each) is None]
    left = replace(work, goals=tuple(each for each in work.goals if each not in untold))
    return left, CANNOT_TELL + " ".join(each.words for each in untold) if untold else ""


def lost_with(work: Work, monologue: Monologue, *, asked: bool = True) -> dict[str, Step]:
    """Return the goals that were reached and do not hold now, each by its words with the action that it ended with.

    Without `asked`, it may also have ended with a step that nobody asked for.
    """
    wanted = {each.words for each in work.goals}
    lost: dict[str, Step] = {}
    before: set[str] = set()
    latest: Step | None = None
    for event in monologue[work.since :]:
        match event.record:
            case Verdict(step, True) if step in work.actions or not asked:
                latest = step
            case Observation(state=WorldState(relations=relations, untold=untold)):
                now = {condition.words for condition in relations} | (before & {*untold})
                if latest is not None:
                    lost |= dict.fromkeys((before - now) & wanted, latest)
                before, latest = now, None
                lost = {goal: step for goal, step in lost.items() if goal not in now}
            case _:
                pass
    return lost


def _names_all(action: Step, condition: Condition) -> bool:
    return {*condition.arguments.values()} <= {*action.arguments.values()}


def left_to_do(work: Work, monologue: Monologue, world: World) -> list[Step]:
    """Return the actions that are not done: their effects do not hold, or they have not worked yet."""
    wanted = {condition.words for condition in work.goals}
    worked = Counter(step.words for step in monologue.worked_between(work.since, None))
    left: list[Step] = []
    for place, action in enumerate(work.actions):
        passing = passing_of(work.actions, place, world)
        lasting = [each for each in promises_of_step(action, world) if each.words in wanted and each not in passing]
        if worked[action.words] > 0:
            worked[action.words] -= 1
            if not any(tell(world, each) is False for each in lasting):
                continue
        elif lasting and _is_so_anyway(action, (*lasting, *passing), left, world):
            continue
        left.append(action)
    return left


def passing_of(actions: Sequence[Step], place: int, world: World) -> list[Condition]:
    """Return the effects of some actions that a later action ends; whether they hold in the end proves nothing."""
    later = actions[place + 1 :]
    return [
        each for each in promises_of_step(actions[place], world) if any(does_pass(each, step, world) for step in later)
    ]


def first_of(about: Condition | Step) -> object:
    """Return the first thing that a condition or a step is about."""
    return next(iter(about.arguments.values()), None)


def _is_so_anyway(action: Step, brought: Sequence[Condition], left: Sequence[Step], world: World) -> bool:
    """Whether all effects of an action hold, and nothing done before it changes that."""
    return all(surely_holds(world, each) for each in brought) and not _is_due(action, brought, left, world)


def _is_due(action: Step, brought: Sequence[Condition], left: Sequence[Step], world: World) -> bool:
    """Whether an action must be done although its effects already hold."""
    if not is_told_by_effects(world.skills[action.skill], action.arguments, world):
        return True
    return _changed_by(left, brought, world) or any(waits_for(action, earlier, world) for earlier in left)


def _changed_by(steps: Sequence[Step], conditions: Sequence[Condition], world: World) -> bool:
    """Whether something that holds now would have to be restored after these steps."""
    about = {fact_of(each) for each in conditions}
    if any(does_pass(each, step, world) for step in steps for each in conditions):
        return True
    return any(fact_of(each) in about for step in steps for each in promises_of_step(step, world))


def promises_of_step(step: Step, world: World) -> list[Condition]:
    """Return what should hold after a step; empty if that is unknown."""
    skill = world.skills.get(step.skill)
    return [] if skill is None else promises_of_skill(skill, step.arguments, world)


def touches(step: Step, things: Collection[str], world: World) -> bool:
    """Whether a step would do something to one of these things."""
    skill = world.skills.get(step.skill)
    return skill is not None and bool(touched_by(skill, step.arguments, world.relations) & {*things})


def fact_of(condition: Condition) -> object:
    """Return what a condition says is true, or not true."""
    return base_name(condition.relation), tuple(condition.arguments.values())


def said_amid_work(monologue: Monologue, world: World) -> bool:
    """Whether the latest message came while something else was under way."""
    return monologue.order_start() != monologue.where(Request) and work_at_hand(monologue, world) is not None
