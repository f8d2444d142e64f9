"""Budgets: how much a request may use of what skills cost, such as steps, minutes or the battery."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.records import Step
from thinkaloud.skills.signatures import spell_number
from thinkaloud.worlds.contract import Budgeted, Measured, World, find_ability

STEPS = "steps"
"""The budget that every step uses one of."""


def find_overrun(world: World, steps: Sequence[Step], done: Sequence[Step] = ()) -> tuple[int, str] | None:
    """The first of some steps that a budget does not allow, and why; `done` are those taken for the same request."""
    budgeted = find_ability(world, Budgeted)
    if budgeted is None or not budgeted.budget:
        return None
    total = sum((_costs(world, step) for step in steps), Counter[str]())
    for name, limit in budgeted.budget.items():
        left = _left(world, limit, sum(_costs(world, step)[name] for step in done))
        spent = 0.0
        for number, step in enumerate(steps):
            spent += _costs(world, step)[name]
            if spent > left:
                takes = f"it would take {spell_number(total[name])}, and {spell_number(left)} are left"
                return number, f"The budget for {name} does not allow that: {takes}."
    return None


def refuse_unknown_budgets(world: World) -> None:
    """Raise BadInput if a budget names a measure that cannot tell what is left, or a skill costs what has no budget."""
    budgeted = find_ability(world, Budgeted)
    budget: Mapping[str, float | str] = {} if budgeted is None else budgeted.budget
    measured = find_ability(world, Measured)
    measures = {} if measured is None else measured.measures
    plain = [name for name, each in measures.items() if not each.signature.parameters]
    for name, limit in budget.items():
        if isinstance(limit, int | float) and limit < 0:
            raise BadInput(f"budget: {name}: {limit!r} is less than nothing; write how much a request may use.")
        if isinstance(limit, str) and limit not in plain:
            raise BadInput(f"budget: {name}: {UnknownName('value without parameters', limit, plain)}")
    for skill in world.skills.values():
        for name in skill.costs:
            if name not in budget:
                raise BadInput(f"{skill.name}: costs: {UnknownName('budget', name, budget)}")


def _costs(world: World, step: Step) -> Counter[str]:
    skill = world.skills.get(step.skill)
    return Counter() if skill is None else Counter({STEPS: 1, **skill.costs})


def _left(world: World, limit: float | str, spent: float) -> float:
    """What is left: of the limit for a request, or as measured now; nothing if that cannot be told."""
    if not isinstance(limit, str):
        return limit - spent
    measured = find_ability(world, Measured)
    try:
        value = measured.measures[limit].read() if measured is not None else 0.0
    except Exception:  # the robot's own code
        return 0.0
    return float(value) if isinstance(value, int | float) else 0.0
