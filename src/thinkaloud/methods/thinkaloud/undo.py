"""What must hold again to undo what was done, and what cannot be undone, which is reported and never claimed.

An action without declared effects has left nothing that could be changed. For other actions, an effect that no skill
can end stays; and then what it consumed is not restored either: if the tea cannot be unmade, the kettle is not filled
again.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.language.clauses import as_clause
from thinkaloud.language.words import in_a_row
from thinkaloud.methods.thinkaloud.current_requests import Work, fact_of, first_of, promises_of_step, takes_place_of
from thinkaloud.methods.thinkaloud.value_undo import (
    ChangedValue,
    WayBack,
    find_changed_values,
    find_way_back,
    would_add,
)
from thinkaloud.monologue import Monologue
from thinkaloud.plan.search import NotFound, Sought, find_steps_meanwhile
from thinkaloud.records import Condition, Meaning, Observation, Step, Value, WorldState
from thinkaloud.skills import Relation
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.understand.conversation import PastWork, work_to_undo
from thinkaloud.worlds.contract import World, surely_holds
from thinkaloud.worlds.effects import does_pass, place_of
from thinkaloud.worlds.full_world import base_name, is_opposite, opposite_name

_CANNOT_UNDO = "I cannot take this back: "
_NO_TRACE = "It leaves nothing behind that I know of and could change."
_COMES_ON_TOP = "What you want instead would come on top of it."
_UNCHANGED = "I know no way to take that back: it has left nothing that I could change."


@dataclass(frozen=True)
class UndoGoals:
    """What must hold again after some steps, and what must not replace it.

    `dropped` are goals that cannot be reached, each by its words with the reason; `lost` are steps without known
    effects.
    """

    steps: tuple[Step, ...]
    before: WorldState
    goals: tuple[Condition, ...]
    lost: tuple[Step, ...] = ()
    dropped: Mapping[str, str] = field(default_factory=dict)
    replaces: bool = False
    """Whether the new action only replaces the old one, and nothing else is undone."""
    values: tuple[ChangedValue, ...] = ()
    """The values that are not what they were."""
    way: WayBack = field(default_factory=WayBack)
    """How they are brought back."""

    def sought(
        self, work: Work, left: Sequence[Step], kept: Collection[str], world: World, vocabulary: Vocabulary
    ) -> Sought:
        """Return the goals that can be reached, except where new goals concern the same things; and what was said."""
        goals = [each for each in self.goals if each.words not in self.dropped]
        guards = [each for each in never_so(self.before, goals, world, vocabulary) if each.words not in self.dropped]
        back = back_besides((*goals, *guards), work.goals)
        return Sought((*self.way.steps, *left), (*back, *work.goals), frozenset(kept))

    def instead(self, work: Work, world: World) -> UndoGoals:
        """Return the same without what the replacing action sets right: "make that volume 2, not 9".

        For an action without a trace, only its words are known: done again with the same thing, and with another value,
        it replaces the earlier one. If everything in a request replaces something in an earlier one ("no, I meant a
        chick"), nothing else of that earlier request is undone.
        """
        actions = work.actions
        lost = tuple(s for s in self.lost if not any(takes_place_of(d, s) for d in actions))
        replaced = [s for s in self.steps if any(takes_place_of(d, s) for d in actions)]
        if work.undoes > 1 or not actions or not all(any(takes_place_of(d, s) for s in replaced) for d in actions):
            return replace(self, lost=lost)
        facts = {fact_of(each) for step in replaced for each in promises_of_step(step, world)}
        goals = tuple(each for each in self.goals if fact_of(each) in facts)
        return replace(self, lost=lost, goals=goals, replaces=True)

    def tell_aims(self, work: Work) -> str:
        """Return what must hold again, and what was wanted in addition, in words."""
        return " ".join(words for words, _ in self._aims(work))

    def tell_work(self, work: Work) -> str:
        """Return what is done: `I take back what I did last, so that the fern is dry.`"""
        clauses = [as_clause(words, names) for words, names in self._aims(work)]
        return f"I take back what I did last, so that {in_a_row(clauses)}."

    def _aims(self, work: Work) -> list[tuple[str, list[Value]]]:
        """What must hold again, and what was wanted in addition, with the names that it is about."""
        back = back_besides([each for each in self.goals if each.words not in self.dropped], work.goals)
        values = [(each.wanted, list[Value]()) for each in self.values if each not in self.way.stay]
        conditions = [[(each.words, [*each.arguments.values()]) for each in some] for some in (back, work.goals)]
        return [*conditions[0], *values, *conditions[1]]

    def tell_stays(self, world: World) -> str:
        """Return what cannot be undone, and why; empty if everything can be, or is undone anyway."""
        stay = [each for each in self.goals if each.words in self.dropped and not surely_holds(world, each)]
        steps = [each for each in self.steps if each in self.lost or any(_bears_on(each, c, world) for c in stay)]
        if not steps and not self.way.stay:
            return ""
        steps += [step for each in self.way.stay for step in each.steps]
        values = [each.tell_stays() for each in self.way.stay]
        traces = [_NO_TRACE] if self.lost else []
        whys = dict.fromkeys([*(self.dropped[each.words] for each in stay), *traces, *values])
        return f"{_CANNOT_UNDO}{' '.join(dict.fromkeys(each.words for each in steps))} {' '.join(filter(None, whys))}"

    def comes_on_top(self, work: Work) -> bool:
        """Whether a new action would be added to what stays of the one that it replaces."""
        added = [step for each in self.way.stay for step in each.steps]
        return any(takes_place_of(action, step) for action in work.actions for step in added)

    def tell_on_top(self) -> str:
        """Return why nothing is done instead: what was added stays."""
        steps = dict.fromkeys(step.words for each in self.way.stay for step in each.steps)
        return f"{_CANNOT_UNDO}{' '.join(steps)} {_COMES_ON_TOP}"


def find_undo(monologue: Monologue, work: Work, world: World) -> UndoGoals | str:
    """Return what must hold again, or why nothing can be undone.

    If something else is wanted instead, only what was asked for is taken back: preparations stay, and nothing is
    restored that the new actions end anyway.
    """
    count = work.undoes
    last = work_to_undo(monologue, count)
    look = None if last is None else monologue.first(Observation, after=last.start)
    if last is None or look is None:
        more = count > 1 and work_to_undo(monologue) is not None
        return f"There {'are not so many things' if more else 'is nothing'} that I did and could take back."
    first = monologue.first(Observation, after=monologue.task_start())
    before, now = look.state or WorldState(), (first and first.state) or WorldState()
    steps = _asked_for(last, monologue) if work.actions else last.steps
    goals = changed_since(goals_before(before, steps, world, now), now)
    goals = tuple(each for each in goals if not any(does_pass(each, action, world) for action in work.actions))
    values = find_changed_values(before, now, _changing_values(steps, goals, work, monologue, world), world)
    if _is_begun(work, monologue):
        changed = {each.place for each in find_changed_values(before, now, work.actions, world)}
        values = tuple(each for each in values if each.place not in changed)
    known = {_subject(each) for step in steps for each in promises_of_step(step, world)}
    seen = {first_of(each) for each in goals if _subject(each) not in known}  # it was not declared, but it can be seen
    lost = [step for step in steps if not promises_of_step(step, world) and first_of(step) not in seen]
    lost = [step for step in lost if not find_changed_values(before, now, (step,), world)]
    if not goals and not lost and not work.actions and not values:
        return _UNCHANGED
    return UndoGoals(steps, before, goals, tuple(lost), replaces=not goals and not values, values=values)


def _changing_values(
    steps: Sequence[Step], goals: Sequence[Condition], work: Work, monologue: Monologue, world: World
) -> list[Step]:
    """Return the steps whose changes of values are undone.

    If something else is wanted instead, these are the steps that it replaces and would come on top of (none once it was
    begun), and those that have left nothing but changed values: a horse that had been fed before got more.
    """
    if not work.actions:
        return [*steps]
    begun = _is_begun(work, monologue)
    replaced = [step for step in steps if any(takes_place_of(action, step) for action in work.actions)]
    traced = [step for step in steps if any(_bears_on(step, goal, world) for goal in goals)]
    return [
        step for step in steps if (not begun and would_add(step, world) if step in replaced else step not in traced)
    ]


def _is_begun(work: Work, monologue: Monologue) -> bool:
    return any(step in work.actions for step in monologue.worked_between(work.since, None))


def _asked_for(last: PastWork, monologue: Monologue) -> tuple[Step, ...]:
    """Return the steps that somebody asked for, without those that only prepared them."""
    meant = [event.record for event in monologue[last.start : monologue.task_start()]]
    asked = {deed.words for each in meant if isinstance(each, Meaning) for deed in each.deeds}
    return tuple(step for step in last.steps if step.words in asked)


async def without_hopeless(
    back: UndoGoals, work: Work, left: Sequence[Step], kept: Collection[str], world: World, scene: Observation
) -> UndoGoals:
    """Return the same without what nothing can bring about; if necessary, also without what excludes the rest."""
    back = await _with_way_back(back, kept, world, scene)
    found = await find_steps_meanwhile(world, scene, back.sought(work, left, kept, world, scene.vocabulary))
    if not isinstance(found, NotFound):
        return back
    dropped: dict[str, str] = {}
    for each in back.sought(work, left, kept, world, scene.vocabulary).wishes:
        if each not in work.goals and not surely_holds(world, each):
            beside = _other_values(each, back.before, world, scene.vocabulary).values()
            alone = await find_steps_meanwhile(world, scene, Sought((), (each, *beside), frozenset(kept)))
            if isinstance(alone, NotFound) and not alone.gave_up:
                dropped[each.words] = alone.why
    paid = [
        step for step in back.steps if any(_makes(step, each, world) for each in back.goals if each.words in dropped)
    ]
    price = {_subject(each) for step in paid for each in promises_of_step(step, world) if is_opposite(each.relation)}
    price -= {
        _subject(each)
        for step in back.steps
        for each in promises_of_step(step, world)
        if not is_opposite(each.relation)
    }
    dropped |= {each.words: "" for each in back.goals if _subject(each) in price and each.words not in dropped}
    less = replace(back, dropped=dropped)
    if dropped and not isinstance(
        await find_steps_meanwhile(world, scene, less.sought(work, left, kept, world, scene.vocabulary)), NotFound
    ):
        return less
    ended = {each.words: found.why for each in back.goals if is_opposite(each.relation)}
    nearly = replace(back, dropped={**ended, **dropped})
    rest = nearly.sought(work, left, kept, world, scene.vocabulary)
    if ended and rest.wishes and not isinstance(await find_steps_meanwhile(world, scene, rest), NotFound):
        return nearly
    return less


async def _with_way_back(back: UndoGoals, kept: Collection[str], world: World, scene: Observation) -> UndoGoals:
    """Return the same with the steps that bring values back, if these can be done."""
    if not back.values:
        return back
    way = find_way_back(back.values, back.before, back.steps, world, scene, kept)
    found = await find_steps_meanwhile(world, scene, Sought(way.steps, (), frozenset(kept), in_order=True))
    return replace(back, way=WayBack((), back.values) if isinstance(found, NotFound) else way)


def _subject(condition: Condition) -> object:
    return base_name(condition.relation), first_of(condition)


def _makes(step: Step, goal: Condition, world: World) -> bool:
    """Whether a goal undoes an effect of a step."""
    made = [each for each in promises_of_step(step, world) if not is_opposite(each.relation)]
    return any(_subject(each) == _subject(goal) for each in made)


def _bears_on(step: Step, goal: Condition, world: World) -> bool:
    """Whether a goal concerns what a step has changed: by its declaration, or by its arguments."""
    promised = promises_of_step(step, world)
    return any(_subject(each) == _subject(goal) for each in promised) or (
        not promised and first_of(step) == first_of(goal)
    )


# What must hold again -------------------------------------------------------------------------------------------------


def goals_before(
    before: WorldState, steps: Sequence[Step], world: World, now: WorldState | None = None
) -> tuple[Condition, ...]:
    """Return what must hold so that things are as they were before some steps, as far as these changed them.

    If a relation has at most one value per thing, restoring the old value is enough, unless it holds `now` as well: a
    block on another one at the bottom side has not left the bottom side.
    """
    was = {condition.words for condition in before.relations}
    still = {condition.words for condition in (now or WorldState()).relations}
    goals: dict[object, Condition] = {}
    for promised in (each for step in steps for each in promises_of_step(step, world)):
        relation, opposite = world.relations[promised.relation], opposite_name(promised.relation)
        if is_opposite(promised.relation):
            back, first = world.relations[opposite].condition(promised.arguments), first_of(promised)
            if back.words in was:
                goals.setdefault((opposite, first) if world.relations[opposite].otherwise else fact_of(back), back)
        elif promised.words not in was:
            first = first_of(promised)
            place = place_of(first, relation, before.relations)
            if place is not None:
                goals[promised.relation, first] = place
            beside = place is not None and place.words in still and promised.words in still
            if (beside or place is None) and opposite in world.relations and not relation.derived:
                goals[fact_of(promised)] = world.relations[opposite].condition(promised.arguments)
    moved = {first_of(step) for step in steps}
    for each in before.relations:  # other facts about the handled things that no longer hold
        known = world.relations.get(each.relation)
        first = first_of(each)
        told = known is not None and not known.derived and (each.relation, first) not in goals
        if told and first in moved:
            goals.setdefault(fact_of(each), each)
    return tuple(goals.values())


def never_so(
    before: WorldState, goals: Sequence[Condition], world: World, vocabulary: Vocabulary
) -> tuple[Condition, ...]:
    """Return what must not replace the undone effect: turning off a red lamp must not turn it white.

    These are, among all facts about one thing that a skill changes together with a goal, those that were not true
    before; and if a thing had no value where it may have one (a jar without a label), all values.
    """
    together = _changed_together(world, vocabulary)
    was = {condition.words for condition in before.relations}
    found: dict[str, Condition] = {}
    for goal in goals:
        taken = world.relations[goal.relation].signature.parameters
        for name, relation in world.relations.items():
            own, opposite = relation.signature.parameters, world.relations.get(opposite_name(name))
            if len(own) == len(taken) == 1 and own[0].kind == taken[0].kind and not is_opposite(name) and opposite:
                arguments = {own[0].name: next(iter(goal.arguments.values()))}
                both = together is None or frozenset((base_name(goal.relation), name)) in together
                if both and not relation.derived and relation.condition(arguments).words not in was:
                    kept = opposite.condition(arguments)
                    found[kept.words] = kept
        found |= _other_values(goal, before, world, vocabulary)
    wanted = {goal.words for goal in goals}
    return tuple(each for words, each in found.items() if words not in wanted)


def _other_values(goal: Condition, before: WorldState, world: World, vocabulary: Vocabulary) -> dict[str, Condition]:
    """Return that a thing has no value again, if it had none before and the goal is that it loses its current one.

    Another value instead would not undo anything: it would be one more change that nobody asked for.
    """
    relation, thing = world.relations[base_name(goal.relation)], first_of(goal)
    had = any(_about(each, relation, thing) for each in before.relations)
    if not is_opposite(goal.relation) or not relation.otherwise or had:
        return {}
    opposite = world.relations[goal.relation]
    calls = [call for call in relation.signature.calls(vocabulary) if next(iter(call.values())) == thing]
    return {each.words: each for each in map(opposite.condition, calls)}


def _changed_together(world: World, vocabulary: Vocabulary) -> set[frozenset[str]] | None:
    """Return the pairs of relations that one call of a skill changes; None if some skill does not say."""
    found: set[frozenset[str]] = set()
    for skill in world.skills.values():
        calls = skill.signature.calls(vocabulary) if skill.signature.parameters else [{}]
        if not calls and skill.effects is not None:
            return None
        for call in calls:
            changed = {base_name(each.relation) for each in promises_of_step(skill.step(call), world)}
            found |= {frozenset(pair) for pair in itertools.combinations(changed, 2)}
    return found


def changed_since(conditions: Sequence[Condition], state: WorldState) -> tuple[Condition, ...]:
    """Return the conditions that were not true in a state, and what holds in the same relation of the same things: a
    block taken off another one at the bottom side stays at the bottom side."""
    so = {(each.relation, *each.arguments.values()) for each in state.relations}

    def was_so(each: Condition) -> bool:
        return ((base_name(each.relation), *each.arguments.values()) in so) is not is_opposite(each.relation)

    anew = {(base_name(each.relation), first_of(each)) for each in conditions if not was_so(each)}
    return tuple(each for each in conditions if not was_so(each) or _stays(each, anew))


def _stays(condition: Condition, anew: Collection[tuple[str, object]]) -> bool:
    return not is_opposite(condition.relation) and (condition.relation, first_of(condition)) in anew


def back_besides(back: Sequence[Condition], goals: Sequence[Condition]) -> list[Condition]:
    """Return what must be as it was, except where new goals concern the same things."""
    anew = {fact_of(each) for each in goals} | {(each.relation, *list(each.arguments.values())[:1]) for each in goals}
    return [
        each
        for each in back
        if fact_of(each) not in anew and (each.relation, *list(each.arguments.values())[:1]) not in anew
    ]


def _about(condition: Condition, relation: Relation, thing: object) -> bool:
    return condition.relation == relation.signature.name and first_of(condition) == thing
