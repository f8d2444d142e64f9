"""A situation: the state after some steps, as far as the skills declare what they change."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from thinkaloud.errors import SkillError, tell_fault
from thinkaloud.language.name_matching import all_names
from thinkaloud.plan.search.facts import Atom, Literal, Setting
from thinkaloud.records import Arguments, Condition, Observation, Step, WorldState
from thinkaloud.skills import Precondition, Relation, Skill
from thinkaloud.state.edits import GROUND
from thinkaloud.state.predicted_state import can_foresee, foresee


@dataclass(frozen=True, eq=False)
class Act:
    """A step with everything that its skill declares about it."""

    step: Step
    skill: Skill
    needs: tuple[Literal, ...]
    adds: tuple[Atom, ...]
    ends: tuple[Atom, ...]
    """What is no longer true; open atoms stand for all of their kind."""
    cost: float = 1.0
    marks: tuple[Literal, ...] = ()
    """The search's own note about it: that an action is done."""

    @property
    def things(self) -> set[str]:
        """The things it is done to."""
        return {value for value in self.step.arguments.values() if isinstance(value, str)}

    @property
    def changes(self) -> bool:
        """Whether it is known to change anything."""
        return bool(self.adds or self.ends or self.skill.remembers)


def make_act(setting: Setting, step: Step, skill: Skill, arguments: Arguments) -> Act:
    """Return a step with what its skill declares; the arguments are complete."""
    needs = [each for need in setting.read_facts(skill.needs, arguments) for each in _spread(setting, need)]
    effects = setting.read_facts(skill.effects, arguments)
    adds = tuple(effect.atom for effect in effects if effect.so and not effect.atom.is_open)
    ends = [effect.atom for effect in effects if not effect.so]
    ends += [each.atom for each in setting.read_facts(skill.ends, arguments) if each.so]
    for atom in adds:
        if setting.is_single(atom.relation):
            ends.append(atom.of_any_last)
    return Act(step, skill, tuple(dict.fromkeys(needs)), adds, tuple(dict.fromkeys(ends)))


def _spread(setting: Setting, need: Literal) -> Iterator[Literal]:
    """Expand a negative open need ("nothing is on it") to all its atoms; a positive open one is ignored."""
    return iter(()) if need.so and need.atom.is_open else setting.spread(need)


class _Watched(Observation):
    """An observation that records whether its state was read."""

    def __getattribute__(self, name: str) -> object:
        if name == "state":
            object.__getattribute__(self, "__dict__")["looked"] = True
        return object.__getattribute__(self, name)


class Situation:
    """The current state: what has changed since the start, on top of the start."""

    def __init__(
        self,
        setting: Setting,
        facts: dict[Atom, bool] | None = None,
        ended: frozenset[Atom] = frozenset(),
        state: WorldState | None = None,
        steps: int = 0,
    ) -> None:
        self.setting, self._facts, self._ended = setting, facts or {}, ended
        self.state = state if steps else setting.scene.state
        self.steps = steps

    @property
    def key(self) -> object:
        """What two situations must share to be equal, besides the facts that a search asks about."""
        if self.state is None:
            return frozenset(self.changed())
        return frozenset(_as_key(each) for each in self.state.relations)

    def is_so(self, atom: Atom) -> bool | None:
        """Whether an atom is true now; None if that cannot be told."""
        if (known := self._facts.get(atom)) is not None:
            return known
        if self._ended and any(general in self._ended for general in _generals(atom)):
            return False
        return self.setting.is_so(atom)

    def holds(self, literal: Literal) -> bool:
        """Whether a literal holds."""
        return self.is_so(literal.atom) is literal.so

    def unmet(self, literals: Iterable[Literal]) -> list[Literal]:
        """Return the literals that do not hold."""
        return [literal for literal in literals if not self.holds(literal)]

    def changed(self) -> set[str]:
        """Return the things about which something is known to have changed."""
        atoms = [*self._facts, *self._ended]
        return {value for atom in atoms for value in atom.values if isinstance(value, str)}

    # After a step -----------------------------------------------------------------------------------------------------

    def after(self, act: Act) -> Situation:
        """Return the situation after a step."""
        facts, ended = dict(self._facts), set(self._ended)
        for atom in act.ends:
            _end(facts, ended, atom)
        state = self._state_after(act)
        if act.skill.remembers is not None and state is not None and self.state is not None:
            self._take_over(self.state, state, facts, ended)
        for atom in act.adds:
            facts[atom] = True
        return Situation(self.setting, facts, frozenset(ended), state, self.steps + 1)

    def _take_over(self, before: WorldState, after: WorldState, facts: dict[Atom, bool], ended: set[Atom]) -> None:
        """Return what the skill itself says will change."""
        was, now = (
            {literal.atom for each in state.relations for literal in self.setting.read(each.relation, each.arguments)}
            for state in (before, after)
        )
        for atom in sorted(was - now, key=repr):
            single = self.setting.is_single(atom.relation)
            _end(facts, ended, atom.of_any_last if single else atom)
            if atom.relation == "on" and len(atom.values) == 2:
                facts |= {Atom("on", (atom.values[0], ground)): True for ground in GROUND}
        for atom in sorted(now - was, key=repr):
            if self.setting.is_single(atom.relation):
                _end(facts, ended, atom.of_any_last)
            facts[atom] = True

    def _state_after(self, act: Act) -> WorldState | None:
        if self.state is None:
            return None
        arguments, relations = act.step.arguments, self.setting.relations
        try:
            if act.skill.remembers is not None or _on_objects(act, relations):
                return foresee(act.skill, arguments, self.state, relations)
        except Exception as error:  # a robot builder's own code: if it fails, use the declared effects
            tell_fault(f"{act.skill.name}: its `remembers`", error, "plans go without it")
        gone = [each for each in self.state.relations if not self._ends(act, each)]
        there = {_as_key(each) for each in gone}
        new = (
            self.setting.condition(Literal(atom))
            for atom in act.adds
            if atom.relation != "on" or atom.values[-1] not in GROUND
        )
        return replace(self.state, relations=(*gone, *(each for each in new if _as_key(each) not in there)))

    def _ends(self, act: Act, condition: Condition) -> bool:
        literals = self.setting.read(condition.relation, condition.arguments)
        return any(end.covers(literal.atom) for literal in literals for end in act.ends)

    # Objections to a step ---------------------------------------------------------------------------------------------

    def caution(self, act: Act) -> str:
        """Return the first caution against a step here, or nothing."""
        found = (self._asked(caution, act.step.arguments)[0] for caution in act.skill.cautions)
        return next(filter(None, found), "")

    def objection(self, act: Act) -> str:
        """Return the first precondition that forbids a step here, or nothing.

        A precondition that does not read the predicted state looks at the robot itself, and only knows how it is now.
        Its objection is ignored if declared needs explain it: they are about what it names, do not hold at the start,
        and hold here. Otherwise nothing declared leads to what it asks for, and it is final.
        """
        for precondition in act.skill.preconditions:
            problem, looked = self._asked(precondition, act.step.arguments)
            if problem and (looked or not self._explains(problem, act)):
                return problem
        return ""

    def _asked(self, precondition: Precondition, arguments: Arguments) -> tuple[str, bool]:
        scene = self.setting.scene
        watched = _Watched(scene.objects, scene.vocabulary, scene.hidden, scene.achieved, self.state)
        try:
            problem = precondition(watched, **arguments) or ""
        except SkillError as error:
            problem = str(error)
        except Exception as error:  # a robot builder's own code: if it fails, the step is not tried
            problem = f"A precondition raised {type(error).__name__}: {error}"
        return problem, self.state is not None and "looked" in vars(watched)

    def _explains(self, problem: str, act: Act) -> bool:
        """Whether needs of a step that hold only by now are about everything that an objection names."""
        if self.steps == 0:
            return False
        known = [need for need in act.needs if need.atom.relation in self.setting.relations]
        met = [need for need in known if self.holds(need) and self.setting.is_so(need.atom) is not need.so]
        said, about = problem.lower(), {value for need in met for value in need.atom.values}
        named = {thing for thing in all_names(self.setting.scene.vocabulary) if thing.lower() in said}
        return bool(met) and (named <= about or any(not need.atom.values for need in met))

    def comes_first(self, act: Act) -> tuple[Arguments, ...]:
        """Return the calls of the same skill that must come first."""
        if act.skill.first is None or self.state is None:
            return ()
        try:
            return tuple(act.skill.first(self.state, **act.step.arguments))
        except Exception:  # a robot builder's own code: if it fails, nothing is required
            return ()


def _on_objects(act: Act, relations: Mapping[str, Relation]) -> bool:
    """Whether it only puts an `object` on a `target`; a part of the table counts as the table there."""
    if act.skill.ends is not None or not can_foresee(act.skill, act.step.arguments, relations):
        return False
    return all({*each.arguments} == {"object", "target"} for each in act.skill.promises(act.step.arguments, relations))


def _end(facts: dict[Atom, bool], ended: set[Atom], atom: Atom) -> None:
    if not atom.is_open:
        facts[atom] = False
        return
    for known in [known for known in facts if atom.covers(known)]:
        del facts[known]
    ended.add(atom)


def _generals(atom: Atom) -> Iterator[Atom]:
    """Return all open atoms that stand for this one."""
    for chosen in itertools.product((False, True), repeat=len(atom.values)):
        if any(chosen):
            values = tuple(None if left_out else value for left_out, value in zip(chosen, atom.values, strict=True))
            yield Atom(atom.relation, values)


def _as_key(condition: Condition) -> tuple[str, tuple[tuple[str, object], ...]]:
    return condition.relation, tuple(sorted(condition.arguments.items()))
