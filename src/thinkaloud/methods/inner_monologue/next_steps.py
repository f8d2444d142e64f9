"""From subgoals to steps: which conditions fulfil them from where things are now, and which steps bring those about.

All of it is found anew after each step from what is seen, so that a tower that fell is built from another block, a
thing that lies on what is needed is taken away first, and of several ways the one that nothing speaks against is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from thinkaloud.errors import SkillError
from thinkaloud.methods.inner_monologue.short_goals import Subgoal
from thinkaloud.names import all_names
from thinkaloud.records import Condition, Observation, Step
from thinkaloud.sentences import steps_towards
from thinkaloud.worlds import World

_REBUILT_WITHIN = 6
"""For so many steps a better foundation for a stack is worth a step."""


@dataclass(frozen=True)
class NextSteps:
    """How all subgoals are to be reached: the conditions, and the steps that can be taken towards them now."""

    conditions: tuple[Condition, ...]
    open: tuple[Condition, ...]
    """Those that do not hold yet."""
    steps: tuple[Step, ...]
    gone: tuple[str, ...] = ()
    """What can be reached no longer."""


class StepFinder:
    """Finds what can be done about subgoals in a world that looks like this."""

    def __init__(self, world: World, scene: Observation, subgoals: Sequence[Subgoal], taken: int = 0) -> None:
        self._world, self._scene, self._subgoals, self._taken = world, scene, subgoals, taken
        holding = scene.state.relations if scene.state is not None else scene.achieved or ()
        self._true = {condition.words for condition in holding}
        self._pairs = [tuple(map(str, c.arguments.values())) for c in holding if len(c.arguments) == 2]
        self._objections: dict[str, bool] = {}

    def next_steps(self) -> NextSteps:
        """The conditions to aim at, and the steps that serve those which are open; the best steps only."""
        conditions, steps = list[Condition](), list[Step]()
        todo = {subgoal.thing for subgoal in self._subgoals if not self._is_met(subgoal)}
        for subgoals in self._groups():
            aims, found = self._stacked(subgoals) if subgoals[0].manner == "stack" else self._placed(subgoals, todo)
            conditions += aims
            steps += found
        open_ = tuple(condition for condition in conditions if condition.words not in self._true)
        if open_ and not steps:
            steps = self._uncovering(open_)
        return NextSteps(tuple(conditions), open_, tuple(self._best(steps)), self._gone(open_))

    def conditions_for(self, found: NextSteps, step: Step) -> tuple[Condition, ...]:
        """The conditions again, with what this step promises in place of what was thought of before."""
        promised = self._promised(step)
        better = {w.thing: o for w in self._subgoals if w.manner != "stack" for o in w.options if o.words in promised}
        aims = [better.get(_thing(condition), condition) for condition in found.conditions]
        return tuple({condition.words: condition for condition in aims}.values())

    def _groups(self) -> list[list[Subgoal]]:
        groups: dict[str, list[Subgoal]] = {}
        for subgoal in self._subgoals:
            groups.setdefault(subgoal.thing if subgoal.manner == "one of" else subgoal.manner, []).append(subgoal)
        return list(groups.values())

    def _is_met(self, subgoal: Subgoal) -> bool:
        return subgoal.manner != "stack" and any(option.words in self._true for option in subgoal.options)

    # Placing ----------------------------------------------------------------------------------------------------------

    def _placed(self, subgoals: Sequence[Subgoal], todo: set[str]) -> tuple[list[Condition], list[Step]]:
        """Each thing to one of its targets; if they are to be different, to one that no other has."""
        distinct = subgoals[0].manner == "different"
        taken, met, open_ = list[str](), list[Condition](), list[Subgoal]()
        for subgoal in subgoals:
            now = next(
                (o for o in subgoal.options if o.words in self._true and not (distinct and _target(o) in taken)), None
            )
            if now is None:
                open_.append(subgoal)
            else:
                met.append(now)
                taken.append(_target(now))
        aims, steps = list[Condition](), list[Step]()
        for subgoal in open_:
            free = [o for o in subgoal.options if not (distinct and _target(o) in taken)] or list(subgoal.options)
            found = self._steps_to(free, besides=todo - {subgoal.thing})
            aim = next((o for step in self._best(found) for o in free if o.words in self._promised(step)), free[0])
            aims.append(aim)
            taken.append(_target(aim))
            steps += [step for step in found if not distinct or aim.words in self._promised(step)] or found
        return met + aims, steps

    def _steps_to(self, options: Iterable[Condition], besides: set[str]) -> list[Step]:
        """Steps that bring one of these about, but not onto anything that has to be moved itself.

        What speaks against all of them may not speak against putting the thing on one that is already there.
        """
        options = list(options)
        direct = [step for step in self._bringing(options) if not {*map(str, step.arguments.values())} & besides]
        options = [option for option in options if len(option.arguments) == 2]
        if any(not self._against(step) for step in direct) or not options:
            return direct
        onto = [name for name, target in self._pairs for option in options if target == _target(option)]
        lying = [
            self._condition(option.relation, _thing(option), name)
            for option in options
            for name in onto
            if name not in (*besides, _thing(option))
        ]
        return [step for step in self._bringing(lying) if not self._against(step)] or direct

    # Stacking ---------------------------------------------------------------------------------------------------------

    def _stacked(self, subgoals: Sequence[Subgoal]) -> tuple[list[Condition], list[Step]]:
        """All of them one on another: the tallest tower that stands where it may goes on."""
        members = [subgoal.thing for subgoal in subgoals]
        bases = {subgoal.thing: subgoal.options for subgoal in subgoals}
        placed = {t for t in members if not bases[t] or any(o.words in self._true for o in bases[t])}
        towers = self._towers(members)
        standing = [tower for tower in towers if tower[0] in placed]
        foundation = [o for tower in towers for o in bases[tower[-1]]]
        if not standing:
            first = towers[0]
            aims = [*bases[first[0]][:1], *self._chain([*first, *(t for t in members if t not in first)], subgoals)]
            return aims, self._bringing(foundation)
        best = max(standing, key=lambda tower: (len(tower), self._promise(tower, towers, subgoals)))
        rest = [tower[-1] for tower in towers if tower is not best]
        aims = [
            *(o for o in bases[best[0]] if o.words in self._true),
            *self._chain([*best, *(t for t in members if t not in best)], subgoals),
        ]
        onto = [self._condition(subgoals[0].relation, top, best[-1]) for top in rest]
        steps = self._bringing(onto)
        if len(best) == 1 and self._taken < _REBUILT_WITHIN and steps and all(map(self._against, steps)):
            steps = self._another_foundation(rest, subgoals) or self._another_foundation(best, subgoals) or steps
        return aims, steps

    def _another_foundation(self, tops: Sequence[str], subgoals: Sequence[Subgoal]) -> list[Step]:
        """Steps that put one of these things where the stack may stand: perhaps it comes to lie better."""
        bases = {subgoal.thing: subgoal.options for subgoal in subgoals}
        if any(bases.values()):
            new = [o for top in tops for o in bases[top] if o.words not in self._true] or [
                o for top in tops for o in bases[top]
            ]
        else:
            free = self._places()
            new = [self._condition(subgoals[0].relation, top, place) for top in tops for place in free]
        return [step for step in self._bringing(new) if not self._against(step)]

    def _towers(self, members: Sequence[str]) -> list[list[str]]:
        """The things as towers, lowest first; what stands alone is a tower of one."""
        on = {(above, below) for above, below in self._pairs if above in members and below in members}
        depth = {name: sum((name, other) in on for other in members) for name in members}
        below: dict[str, str] = {}
        for name in members:
            under = [other for other in members if (name, other) in on and other not in below.values()]
            if under:
                below[name] = max(under, key=lambda other: depth[other])
        above = {support: name for name, support in below.items()}
        found = []
        for base in (name for name in members if name not in below):
            tower = [base]
            while tower[-1] in above and above[tower[-1]] not in tower:
                tower.append(above[tower[-1]])
            found.append(tower)
        return found

    def _chain(self, order: Sequence[str], subgoals: Sequence[Subgoal]) -> list[Condition]:
        return [self._condition(subgoals[0].relation, order[i], order[i - 1]) for i in range(1, len(order))]

    def _promise(
        self, tower: Sequence[str], towers: Sequence[Sequence[str]], subgoals: Sequence[Subgoal]
    ) -> tuple[bool, float]:
        """Whether something can be put on this tower that nothing speaks against, and how likely that is to work."""
        tops = [other[-1] for other in towers if other is not tower]
        steps = self._bringing([self._condition(subgoals[0].relation, top, tower[-1]) for top in tops])
        likely = max((self._likely(step) for step in steps), default=0.0)
        return any(not self._against(step) for step in steps), likely

    # What is in the way -----------------------------------------------------------------------------------------------

    def _uncovering(self, open_: Sequence[Condition]) -> list[Step]:
        """Steps that take away what lies on anything that is needed."""
        needed = {str(value) for condition in open_ for value in condition.arguments.values()}
        hidden = needed - {*self._scene.objects} - {*self._places()}
        covering = {above for above, below in self._pairs if below in hidden}
        away = [
            self._condition(condition.relation, thing, place)
            for condition in open_
            if len(condition.arguments) == 2
            for thing in covering
            for place in self._places()
        ]
        return self._bringing(away)

    def _gone(self, open_: Sequence[Condition]) -> tuple[str, ...]:
        """What is needed, out of sight, on nothing and under nothing: it is not on the table any more."""
        needed = dict.fromkeys(map(_thing, open_))
        known = {name for pair in self._pairs for name in pair}
        return tuple(name for name in needed if name in self._scene.hidden and name not in known)

    def _places(self) -> list[str]:
        """What can be named and is no thing: parts of the table."""
        things = {*self._scene.objects, *self._scene.hidden}
        return [name for name in all_names(self._scene.vocabulary) if name not in things]

    # Steps ------------------------------------------------------------------------------------------------------------

    def _bringing(self, wanted: Iterable[Condition]) -> list[Step]:
        return steps_towards(self._world, self._scene, list(wanted))

    def _promised(self, step: Step) -> set[str]:
        promised = self._world.skills[step.skill].promises(step.arguments, self._world.relations)
        return {condition.words for condition in promised}

    def _against(self, step: Step) -> bool:
        """Whether a careful observer would object."""
        if step.words not in self._objections:
            skill = self._world.skills[step.skill]
            try:
                replace(skill, preconditions=skill.cautions).refuse(step.arguments, self._scene)
            except SkillError:
                self._objections[step.words] = True
            else:
                self._objections[step.words] = False
        return self._objections[step.words]

    def _likely(self, step: Step) -> float:
        affordance = self._world.skills[step.skill].affordance
        return 1.0 if affordance is None else affordance(self._scene, **step.arguments)

    def _condition(self, relation: str, thing: str, other: str) -> Condition:
        names = re.findall(r"\{(\w+)\}", self._world.relations[relation].signature.says)
        return self._world.relations[relation].condition(dict(zip(names, (thing, other), strict=True)))

    def _best(self, steps: Sequence[Step]) -> list[Step]:
        own = list({step.words: step for step in steps}.values())
        return [step for step in own if not self._against(step)] or own


def _thing(condition: Condition) -> str:
    return str(next(iter(condition.arguments.values())))


def _target(condition: Condition) -> str:
    return str([*condition.arguments.values()][-1])
