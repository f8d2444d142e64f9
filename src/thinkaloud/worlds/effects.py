"""What deeds bring about in a world, as their skills declare it: what holds after all of them, and what does already.

Who says "go to the store, then to the lab" wants to be at the lab in the end, and to have been at the store. Who says
"put it in the box and close the box" wants it closed then, also if it is closed now.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from thinkaloud.records import Arguments, Condition, Step
from thinkaloud.skills import FactsOfArguments, Relation, Skill, tells_done
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.worlds.contract import Measured, World, find_ability, surely_holds
from thinkaloud.worlds.full_world import NEGATION_PREFIX, base_name, is_opposite, opposite_name

_Fact = tuple[str, Arguments]
_MOST_CALLS = 200
"""Of a skill with more calls than this, none is looked at."""
_MOST_COMPARED = 4
"""Deeds that are compared with each other."""


def sort_out(
    world: World, deeds: Iterable[tuple[Skill, Arguments]]
) -> tuple[tuple[Step, ...], tuple[Condition, ...], tuple[Condition, ...]]:
    """The deeds that change something, what must hold after all of them, and what does already."""
    steps, already = list[Step](), list[Condition]()
    said: list[tuple[Step, list[Condition]]] = []
    latest: dict[object, Condition] = {}
    touched: set[object] = set()
    for skill, arguments in deeds:
        step, promised = skill.step(arguments), promises_of(skill, arguments, world)
        told = is_told_by_effects(skill, arguments, world)
        about = {_subject(each, world.relations): each for each in promised}
        same = all(latest.get(subject) == each for subject, each in about.items())
        if told and same and not _is_another(step, promised, [earlier for earlier, _ in said]):
            continue  # it was said before, and nothing that was said since changes it
        said.append((step, promised))
        latest = {subject: each for subject, each in latest.items() if not does_pass(each, step, world)} | about
        over = any(does_pass(each, earlier, world) for each in promised for earlier in steps)
        due = over or bool(about.keys() & touched) or any(waits_for(step, earlier, world) for earlier in steps)
        if told and not due and all(surely_holds(world, each) for each in promised):
            already += [each for each in promised if not is_opposite(each.relation)] or promised
            continue
        touched |= about.keys()
        steps.append(step)
    wishes = {_subject(each, world.relations): each for each in lasting(said, world)}
    return tuple(steps), tuple(_news(wishes.values(), said, world)), tuple(already)


def _is_another(step: Step, promised: Sequence[Condition], earlier: Sequence[Step]) -> bool:
    """Whether a deed is one of its own although what it ends is over by then: `scrub it, then rinse it`."""
    return all(is_opposite(each.relation) for each in promised) and step.skill not in {e.skill for e in earlier}


def _news(
    wishes: Iterable[Condition], said: Sequence[tuple[Step, Sequence[Condition]]], world: World
) -> Iterable[Condition]:
    """The wishes without what is not so anyway and is ended only in passing."""
    brought = {(each.relation, tuple(each.arguments.values())) for _, promised in said for each in promised}
    alone = {p.words for _, promised in said for p in promised if all(is_opposite(q.relation) for q in promised)}
    for wish in wishes:
        made = (opposite_name(wish.relation), tuple(wish.arguments.values())) in brought
        news = bool(wish.arguments) and (made or not surely_holds(world, wish))  # `the hand is not empty`: is none
        if not is_opposite(wish.relation) or wish.words in alone or news:
            yield wish


def promises_of(skill: Skill, arguments: Arguments, world: World) -> list[Condition]:
    """What should hold after a deed; nothing where a robot builder's own code cannot say."""
    try:
        return skill.promises(arguments, world.relations)
    except Exception:
        return []


def is_told_by_effects(skill: Skill, arguments: Arguments, world: World) -> bool:
    """Whether the effects of a deed show that it was done, so that it need not be done again while they hold.

    They do not if it changes a value as well: who was fed is fed, and still gets more.
    """
    promised = promises_of(skill, arguments, world)
    return (
        bool(promised) and tells_done(skill, arguments, world.relations) and not changes_values(skill, arguments, world)
    )


def changes_values(skill: Skill, arguments: Arguments, world: World) -> bool:
    """Whether a deed would change a value of something now, as far as that is declared."""
    able = find_ability(world, Measured)
    try:
        changed = () if skill.changes is None else skill.changes(**arguments)
        known = {} if able is None else able.measures
        return any(name not in known or known[name].read(**about) != value for name, about, value in changed)
    except Exception:  # a robot builder's own code: what it cannot tell may change
        return True


def _subject(condition: Condition, relations: Mapping[str, Relation]) -> object:
    """What a condition is about: of two about the same, the later one counts."""
    relation, values = condition.relation, tuple(condition.arguments.values())
    base = base_name(relation)
    single = base in relations and relations[base].is_single and relation == base
    return (base, values[:-1]) if single else (base, values)


def place_of(thing: object, relation: Relation, so: Iterable[Condition]) -> Condition | None:
    """Where a thing is, by a relation in which it is with one other at a time: of a tower, what is right below it."""
    if not relation.otherwise:
        return None
    known = [each for each in so if each.relation == relation.signature.name]
    given = [[*each.arguments.values()] for each in known]
    own = [each for each, (first, *_) in zip(known, given, strict=True) if first == thing]
    return max(own, key=lambda place: sum(each[:1] == [*place.arguments.values()][1:2] for each in given), default=None)


# One after another ----------------------------------------------------------------------------------------------------


def does_pass(wish: Condition, later: Step, world: World) -> bool:
    """Whether what an earlier deed brought about is over with a later one, as it was said.

    Where the later one cannot even be done while it is so (a block that bears another is not moved), both are wished:
    they are then done in another order.
    """
    brought = _effects(later, world)
    own: _Fact = wish.relation, wish.arguments
    if is_opposite(wish.relation):
        return (opposite_name(wish.relation), wish.arguments) in brought
    if own in brought or not any(_covers(end, own) for end in _ends(later, world)):
        return False
    contrary = [(opposite_name(name), given) for name, given in _needs(later, world) if is_opposite(name)]
    return not any(_covers(fact, own) for fact in contrary)


def waits_for(later: Step, earlier: Step, world: World) -> bool:
    """Whether a deed is meant to be done after another, even if what it brings about is so now.

    It needs what the other brings about; or it ends what the other needs; or it is done to nothing in particular.
    """
    if not later.arguments:
        return True
    needed = {_frozen(fact) for fact in _needs(later, world)}
    if needed & {_frozen(fact) for fact in _effects(earlier, world)}:
        return True
    ended = [*_ends(later, world), *((opposite_name(n), g) for n, g in _effects(later, world) if is_opposite(n))]
    return any(_covers(end, need) for end in ended for need in _needs(earlier, world))


def exclude_each_other(deeds: Sequence[Step], world: World, vocabulary: Vocabulary) -> bool:
    """Whether what one deed brings about keeps another from being done, in either order: two things in one hand."""
    pairs = [
        (one, other)
        for one, other in itertools.combinations([_Declared.of(each, world) for each in deeds[:_MOST_COMPARED]], 2)
        if one.taken_from(other) and other.taken_from(one)
    ]
    if not pairs:
        return False
    skills = world.skills.values()
    calls = [skill.step(given) for skill in skills for given in skill.signature.calls(vocabulary, most=_MOST_CALLS)]
    known = [_Declared.of(each, world) for each in calls]
    return any(_bars(one, other, known, world) and _bars(other, one, known, world) for one, other in pairs)


@dataclass(frozen=True)
class _Declared:
    """What a deed needs, brings about and ends."""

    needs: Sequence[_Fact]
    effects: Sequence[_Fact]
    ends: Sequence[_Fact]

    @classmethod
    def of(cls, step: Step, world: World) -> _Declared:
        return cls(_needs(step, world), _effects(step, world), _ends(step, world))

    def taken_from(self, later: _Declared) -> list[_Fact]:
        """What a later deed needs and this one ends."""
        return [need for need in later.needs if any(_covers(end, need) for end in self.ends)]


def _bars(first: _Declared, later: _Declared, known: Sequence[_Declared], world: World) -> bool:
    """Whether nothing brings back what a deed needs without undoing what the first was for, as far as is declared."""

    def restores(deed: _Declared, need: _Fact) -> bool:
        if need not in deed.effects or any(_covers(end, own) for end in deed.ends for own in first.effects):
            return False
        missing = [fact for fact in deed.needs if not is_opposite(fact[0]) and not _is_so(fact, world)]
        return all(any(fact in each.effects and need not in each.needs for each in known) for fact in missing)

    return any(not any(restores(each, need) for each in known) for need in first.taken_from(later))


def _is_so(fact: _Fact, world: World) -> bool:
    relation = world.relations.get(fact[0])
    return relation is None or surely_holds(world, relation.condition(fact[1]))


def lasting(promised: Sequence[tuple[Step, Sequence[Condition]]], world: World) -> list[Condition]:
    """What should hold after all the deeds, of all that each of them should bring about."""
    found: list[Condition] = []
    for place, (_, conditions) in enumerate(promised):
        after = [step for step, _ in promised[place + 1 :]]
        found += [each for each in conditions if not any(does_pass(each, step, world) for step in after)]
    return found


def _effects(step: Step, world: World) -> list[_Fact]:
    skill = world.skills.get(step.skill)
    return _read(skill.effects if skill is not None else None, step)


def _ends(step: Step, world: World) -> list[_Fact]:
    skill = world.skills.get(step.skill)
    return _read(skill.ends if skill is not None else None, step)


def _needs(step: Step, world: World) -> list[_Fact]:
    skill = world.skills.get(step.skill)
    return _read(skill.needs if skill is not None else None, step)


def _read(facts: FactsOfArguments | None, step: Step) -> list[_Fact]:
    try:
        return [] if facts is None else list(facts(**step.arguments))
    except Exception:  # a robot builder's own code: what it cannot tell is not declared
        return []


def _covers(fact: _Fact, other: _Fact) -> bool:
    """Whether a fact is the other, or stands for several of which it is one."""
    return fact[0] == other[0] and _part_of(fact[1], other[1])


def _part_of(some: Mapping[str, object], whole: Mapping[str, object]) -> bool:
    return all(name in whole and whole[name] == value for name, value in some.items())


def _frozen(fact: _Fact) -> object:
    return fact[0].removeprefix(NEGATION_PREFIX), fact[0].startswith(NEGATION_PREFIX), frozenset(fact[1].items())
