"""Deeds one after another: what of all that they bring about is to last, and which of them have to wait for others.

Who says "go to the store, then to the lab" wants to be at the lab in the end, and to have been at the store. Who says
"put it in the box and close the box" wants it closed then, also if it is closed now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thinkaloud.records import Arguments, Condition, Step
from thinkaloud.skills import FactsOfArguments
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.full_world import NEGATION_PREFIX, is_opposite, opposite_name

_Fact = tuple[str, Arguments]


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
