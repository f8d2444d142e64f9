"""What has to hold again so that what was done is taken back, and what of it cannot be: that is said, never claimed.

An action of which nothing is declared has left nothing that could be changed. Of others, what no skill can end stays;
and what it had cost then is not brought back either: who cannot unmake the tea does not fill the kettle again.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.methods.thinkaloud.current_requests import Work, fact_of, first_of, promises_of_step, takes_place_of
from thinkaloud.monologue import Monologue
from thinkaloud.plan.search import NotFound, Sought, find_steps_meanwhile
from thinkaloud.records import Condition, Observation, Step, WorldState
from thinkaloud.skills import Relation
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.understand.conversation import work_to_undo
from thinkaloud.understand.meaning.wishes import holds, place_of
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.full_world import base_name, is_opposite, opposite_name

_CANNOT_UNDO = "I cannot take this back: "
_NO_TRACE = "It leaves nothing behind that I know of and could change."
_UNCHANGED = "I know no way to take that back: it has left nothing that I could change."


@dataclass(frozen=True)
class UndoGoals:
    """What has to hold again after some steps, and what must not come in its place.

    `dropped` are goals that cannot be, each by its words with the reason; `lost` the steps that nothing is known of.
    """

    steps: tuple[Step, ...]
    before: WorldState
    goals: tuple[Condition, ...]
    lost: tuple[Step, ...] = ()
    dropped: Mapping[str, str] = field(default_factory=dict)
    replaces: bool = False
    """Whether what is done takes the place of it, and nothing else is taken back."""

    def sought(
        self, work: Work, left: Sequence[Step], kept: Collection[str], world: World, vocabulary: Vocabulary
    ) -> Sought:
        """What is to be so: all of it that can be, but for what is now wished of the same things; and what was said."""
        goals = [each for each in self.goals if each.words not in self.dropped]
        guards = [each for each in never_so(self.before, goals, world, vocabulary) if each.words not in self.dropped]
        back = back_besides((*goals, *guards), work.goals)
        return Sought(tuple(left), (*back, *work.goals), frozenset(kept))

    def instead(self, work: Work, world: World) -> UndoGoals:
        """The same without what is set right by the action that is done in its place: "make that volume 2, not 9".

        Of an action that leaves no trace nothing is known but its words: done once more with the same thing, and with
        something else besides, it takes the place of the one before. Where all that is said takes the place of
        something in one request ("no, I meant a chick"), nothing else of that request is taken back.
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
        """What is to be so again, and what was wished besides, in words."""
        back = back_besides([each for each in self.goals if each.words not in self.dropped], work.goals)
        return " ".join(each.words for each in (*back, *work.goals))

    def tell_stays(self, world: World) -> str:
        """What cannot be taken back, and why; nothing where all of it can be, or has come about all the same."""
        stay = [each for each in self.goals if each.words in self.dropped and not holds(world, each)]
        steps = [each for each in self.steps if each in self.lost or any(_bears_on(each, c, world) for c in stay)]
        if not steps:
            return ""
        whys = dict.fromkeys([*(self.dropped[each.words] for each in stay), *([_NO_TRACE] if self.lost else [])])
        return f"{_CANNOT_UNDO}{' '.join(dict.fromkeys(each.words for each in steps))} {' '.join(filter(None, whys))}"


def find_undo(monologue: Monologue, count: int, world: World) -> UndoGoals | str:
    """What has to hold again, or why nothing can be taken back."""
    last = work_to_undo(monologue, count)
    look = None if last is None else monologue.first(Observation, after=last.start)
    if last is None or look is None:
        more = count > 1 and work_to_undo(monologue) is not None
        return f"There {'are not so many things' if more else 'is nothing'} that I did and could take back."
    first = monologue.first(Observation, after=monologue.task_start())
    before, now = look.state or WorldState(), (first and first.state) or WorldState()
    goals = changed_since(goals_before(before, last.steps, world, now), now)
    known = {_subject(each) for step in last.steps for each in promises_of_step(step, world)}
    seen = {first_of(each) for each in goals if _subject(each) not in known}  # it was not declared, but it is seen
    lost = [step for step in last.steps if not promises_of_step(step, world) and first_of(step) not in seen]
    return UndoGoals(last.steps, before, goals, tuple(lost)) if goals or lost else _UNCHANGED


async def without_hopeless(
    back: UndoGoals, work: Work, left: Sequence[Step], kept: Collection[str], world: World, scene: Observation
) -> UndoGoals:
    """The same without what nothing can bring about; and, if need be, without what else stays so beside the rest."""
    found = await find_steps_meanwhile(world, scene, back.sought(work, left, kept, world, scene.vocabulary))
    if not isinstance(found, NotFound):
        return back
    dropped: dict[str, str] = {}
    for each in back.sought(work, left, kept, world, scene.vocabulary).wishes:
        if each not in work.goals and not holds(world, each):
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


def _subject(condition: Condition) -> object:
    return base_name(condition.relation), first_of(condition)


def _makes(step: Step, goal: Condition, world: World) -> bool:
    """Whether a goal takes back what a step brought about."""
    made = [each for each in promises_of_step(step, world) if not is_opposite(each.relation)]
    return any(_subject(each) == _subject(goal) for each in made)


def _bears_on(step: Step, goal: Condition, world: World) -> bool:
    """Whether a goal is for what a step has changed: by what it declares, or by what it was done with."""
    promised = promises_of_step(step, world)
    return any(_subject(each) == _subject(goal) for each in promised) or (
        not promised and first_of(step) == first_of(goal)
    )


# What has to hold again -----------------------------------------------------------------------------------------------


def goals_before(
    before: WorldState, steps: Sequence[Step], world: World, now: WorldState | None = None
) -> tuple[Condition, ...]:
    """What has to hold so that things are as they were before some steps, as far as these changed them.

    Of what is so of a thing in one way at most, the way that it was is enough, unless that is so `now` as well: a block
    on another one at the bottom side has not left the bottom side.
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
    for each in before.relations:  # what else was so of what was handled, and is so no longer
        known = world.relations.get(each.relation)
        first = first_of(each)
        told = known is not None and not known.derived and (each.relation, first) not in goals
        if told and first in moved:
            goals.setdefault(fact_of(each), each)
    return tuple(goals.values())


def never_so(
    before: WorldState, goals: Sequence[Condition], world: World, vocabulary: Vocabulary
) -> tuple[Condition, ...]:
    """What must not come in place of what is taken back: who makes a red lamp dark again does not make it white.

    Of all that can be said of one thing and that a skill changes together with what is wished, what was not so before;
    and where a thing had none of what it may have one of (a jar without a label), all of these.
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
    """That a thing has none of the values of which it had none before, where the goal is that it loses the one it has.

    Another value in place of that would be no way back: it would be one more thing that nobody asked for.
    """
    relation, thing = world.relations[base_name(goal.relation)], first_of(goal)
    had = any(_about(each, relation, thing) for each in before.relations)
    if not is_opposite(goal.relation) or not relation.otherwise or had:
        return {}
    opposite = world.relations[goal.relation]
    calls = [call for call in relation.signature.calls(vocabulary) if next(iter(call.values())) == thing]
    return {each.words: each for each in map(opposite.condition, calls)}


def _changed_together(world: World, vocabulary: Vocabulary) -> set[frozenset[str]] | None:
    """The pairs of relations that one call of a skill changes; None where it cannot be told of some skill."""
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
    """Those of some conditions that were not so in a state, and what is said in the same relation of the same things:
    who takes a block off another one at the bottom side leaves it at the bottom side."""
    so = {(each.relation, *each.arguments.values()) for each in state.relations}

    def was_so(each: Condition) -> bool:
        return ((base_name(each.relation), *each.arguments.values()) in so) is not is_opposite(each.relation)

    anew = {(base_name(each.relation), first_of(each)) for each in conditions if not was_so(each)}
    return tuple(each for each in conditions if not was_so(each) or _stays(each, anew))


def _stays(condition: Condition, anew: Collection[tuple[str, object]]) -> bool:
    return not is_opposite(condition.relation) and (condition.relation, first_of(condition)) in anew


def back_besides(back: Sequence[Condition], goals: Sequence[Condition]) -> list[Condition]:
    """What is to be as it was, but for what is now wished of the same things."""
    anew = {fact_of(each) for each in goals} | {(each.relation, *list(each.arguments.values())[:1]) for each in goals}
    return [
        each
        for each in back
        if fact_of(each) not in anew and (each.relation, *list(each.arguments.values())[:1]) not in anew
    ]


def _about(condition: Condition, relation: Relation, thing: object) -> bool:
    return condition.relation == relation.signature.name and first_of(condition) == thing
