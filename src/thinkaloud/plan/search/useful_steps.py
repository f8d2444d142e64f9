"""The steps that may be useful: created only when something needs them, because there are too many possible steps."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property

from thinkaloud.errors import SkillError
from thinkaloud.plan.search.facts import Atom, Literal, Setting
from thinkaloud.plan.search.situations import Act, Situation, make_act
from thinkaloud.records import Arguments, Rule, Step, Value
from thinkaloud.skills import Skill
from thinkaloud.skills.rules import find_broken
from thinkaloud.skills.signatures import Parameter
from thinkaloud.worlds.invariants import tell_never
from thinkaloud.worlds.people import TreatedAsThing, find_misused, people_in

_ALL_ASKED = 2000
"""A skill with at most this many calls is asked what each does; for others, use a sample that contains all names."""
MOST_FREE = 40
"""How many ways to fill in what a goal leaves open are tried; those that can be done soonest come first."""
_MOST_ACTS = 6000
_BYSTANDER, _OBJECT, _APPROVAL = 0.02, 0.01, 1.0
"""Extra cost of a step: for each thing that nobody mentioned, for each thing at all, and if somebody must agree."""

_Slot = tuple[str, Value | None]
_Pattern = tuple[str, tuple[_Slot, ...]]
"""A relation, and for each of its values either the parameter it comes from (`=` and its name) or a constant."""


class Library:
    """The skills of a world, indexed for search: which calls have which effects."""

    def __init__(
        self,
        setting: Setting,
        *,
        kept: Collection[str],
        avoid: Collection[Step],
        spoken_of: Collection[str],
        most_free: int = MOST_FREE,
        rules: Sequence[Rule] = (),
        guarded: bool = True,
    ) -> None:
        self.setting, self._kept, self._spoken_of = setting, frozenset(kept), frozenset(spoken_of)
        self._rules = rules
        self._most_free, self.is_cut = most_free, False  # whether something possibly useful was left out
        self._objects = {*setting.scene.objects, *setting.scene.hidden}
        self._start = Situation(setting)
        self._avoid = {self._step_key(step) for step in avoid}
        self._made: dict[object, Act | None] = {}
        self._achievers: dict[Literal, list[Act]] = {}
        self._patterns: dict[str, tuple[set[_Pattern], set[_Pattern]]] = {}
        self._skills = {name: skill for name, skill in setting.world.skills.items() if not skill.last}
        self._people = people_in(setting.world, setting.scene.vocabulary) if guarded else frozenset[str]()
        self.never = setting.never if guarded else []
        """What must never be so."""

    # Single steps -----------------------------------------------------------------------------------------------------

    def deed(self, step: Step) -> Act:
        """Return a step that somebody asked for; SkillError if it does not exist or must not be done."""
        skill = self.setting.world.skills.get(step.skill)
        if skill is None:
            raise SkillError(f"I have no skill {step.skill!r}.")
        try:
            arguments = skill.signature.check(step.arguments, self.setting.scene.vocabulary)
        except SkillError:
            # Something out of view is not an option here, but may become one; an unknown name never does.
            if not self._is_known(step):
                raise
            arguments = {p.name: p.default for p in skill.signature.parameters if p.default is not None}
            arguments |= step.arguments
        if self._step_key(step) in self._avoid:
            raise SkillError(f"This is not to be tried again: {step.words}")
        if (broken := self.broken_by(step.skill, arguments)) is not None:
            raise SkillError(f"You told me {broken.words}.")
        if misused := self._misused(skill, arguments):
            raise TreatedAsThing(misused)
        act = make_act(self.setting, replace(step, arguments=arguments), skill, arguments)
        first = next(iter(arguments.values()), None)
        if first in self._kept:
            raise SkillError(f"I am to leave the {first} alone.")
        return act

    def _step_key(self, step: Step) -> object:
        skill = self.setting.world.skills.get(step.skill)
        usual = (
            {} if skill is None else {p.name: p.default for p in skill.signature.parameters if p.default is not None}
        )
        return _key(step.skill, {**usual, **step.arguments})

    def _is_known(self, step: Step) -> bool:
        named = {name for names in self.setting.scene.vocabulary.values() for name in names} | self._objects
        return all(not isinstance(value, str) or value in named for value in step.arguments.values())

    def act(self, skill: Skill, arguments: Arguments) -> Act | None:
        """Return an added step; None if it is forbidden or changes nothing."""
        key = _key(skill.name, arguments)
        if key not in self._made:
            self._made[key] = None if key in self._avoid else self._checked(skill, arguments)
        return self._made[key]

    def leave_out(self, acts: Iterable[Act]) -> None:
        """Remove these steps."""
        self._avoid |= {_key(act.skill.name, act.step.arguments) for act in acts}
        self._made.clear()
        self._achievers.clear()

    def broken_by(self, skill: str, arguments: Arguments) -> Rule | None:
        """Return the rule that a step would break, if any."""
        return find_broken(self._rules, skill, arguments)

    def _misused(self, skill: Skill, arguments: Arguments) -> str:
        """Why a call must not be made: it treats a person as a thing; empty if it does not."""
        world, vocabulary = self.setting.world, self.setting.scene.vocabulary
        return find_misused(world, skill, arguments, vocabulary) if self._people else ""

    def strangers_in(self, named: Iterable[object]) -> list[str]:
        """Return the people whom nobody mentioned; no added step is done to them."""
        return sorted(str(each) for each in named if each in self._people and each not in self._spoken_of)

    def find_new_break(self, before: Situation, after: Situation) -> str:
        """Return what must never be so, is so in the second situation, and is not in the first; or nothing."""
        was, now = cache(before.holds), cache(after.holds)  # the same facts are in many of them
        broken = (each for facts, each in self.never if all(map(now, facts)) and not all(map(was, facts)))
        return tell_never(itertools.islice(broken, 1))

    def _checked(self, skill: Skill, arguments: Arguments) -> Act | None:
        self.setting.go_on()
        named = [value for value in arguments.values() if isinstance(value, str)]
        if any(value in self._kept for value in named) or self.broken_by(skill.name, arguments) is not None:
            return None
        if self.strangers_in(named) or self._misused(skill, arguments):
            return None
        act = make_act(self.setting, skill.step(arguments), skill, arguments)
        if not act.changes:
            return None
        if not skill.repeat and any(self.setting.is_so(atom) is None for atom in act.adds):
            return None  # it may have been done before, and nobody can tell
        things = [value for value in named if value in self._objects]
        cost = 1.0 + _OBJECT * len(things) + _BYSTANDER * sum(value not in self._spoken_of for value in things)
        cost += _APPROVAL * skill.approval
        return replace(act, cost=cost)

    # What causes an effect --------------------------------------------------------------------------------------------

    def achievers(self, literal: Literal) -> list[Act]:
        """Return the steps that make a literal hold."""
        if literal not in self._achievers:
            self._achievers[literal] = self._find_achievers(literal)
        return self._achievers[literal]

    def _find_achievers(self, literal: Literal) -> list[Act]:
        found: dict[int, Act] = {}
        for skill in self._skills.values():
            adds, ends = self._patterns_of(skill)
            for pattern in adds if literal.so else (*ends, *(each for each in adds if self._replaces(each))):
                if pattern[0] != literal.atom.relation:
                    continue
                replaced = not literal.so and pattern in adds
                for act in self._filled(skill, self._bound(pattern, literal.atom, but_last=replaced)):
                    if _makes(act, literal):
                        found[id(act)] = act
        return list(found.values())

    def find_untold(self, literal: Literal) -> str:
        """What could make a literal hold if somebody told a number or a text that it takes: `Bake the bread for …`."""
        for skill in self._skills.values():
            untold = [p for p in skill.signature.parameters if p.default is None and not self._options(p)]
            for call in self._sample(skill, untold) if untold else ():
                made = self.setting.read_facts(skill.effects if literal.so else skill.ends, call)
                if any(each.atom == literal.atom for each in made):
                    return skill.signature.render({**call, **{p.name: "…" for p in untold}})
        return ""

    def _replaces(self, pattern: _Pattern) -> bool:
        return self.setting.is_single(pattern[0])

    @staticmethod
    def _bound(pattern: _Pattern, atom: Atom, *, but_last: bool) -> dict[str, Value] | None:
        """Return the arguments that a pattern needs in order to be about an atom."""
        bound: dict[str, Value] = {}
        for (how, what), value in list(zip(pattern[1], atom.values, strict=True))[: -1 if but_last else None]:
            if how == "=" and value is not None:
                if bound.setdefault(str(what), value) != value:
                    return None
            elif how == "is" and what is not None and what != value:
                return None
        return bound

    def _options(self, parameter: Parameter, *, wide: bool = False) -> Sequence[str] | None:
        """Return what an argument may be; with `wide`, also things that are out of view (`object in view` and
        `object`)."""
        found, vocabulary = parameter.options(self.setting.scene.vocabulary), self.setting.scene.vocabulary
        if wide and parameter.kind is not None:
            wider = [kind for kind in vocabulary if parameter.kind.startswith(f"{kind} ")]
            return tuple(dict.fromkeys([*(found or ()), *(name for kind in wider for name in vocabulary[kind])]))
        return found

    def _filled(self, skill: Skill, bound: dict[str, Value] | None) -> list[Act]:
        """Return the calls with these arguments, with the others filled in: the best few."""
        if bound is None:
            return []
        rows: list[Sequence[Value]] = []
        for p in skill.signature.parameters:
            options = self._options(p, wide=p.name in bound)
            if p.name in bound:
                if options is not None and str(bound[p.name]).lower() not in map(str.lower, options):
                    return []
                rows.append((bound[p.name],))
            elif p.default is not None:
                rows.append((p.default,))
            else:
                rows.append([p.value(option) for option in options or ()])
        if math.prod(map(len, rows)) > _ALL_ASKED:
            return []
        acts = [act for call in _calls(skill, rows) if (act := self.act(skill, call)) is not None]
        if len(acts) > MOST_FREE:
            acts = [act for act in acts if self._may_be_done(act)]
            acts.sort(key=lambda act: (len(self._start.unmet(act.needs)), act.cost))
        self.is_cut |= len(acts) > self._most_free
        return acts[: self._most_free]

    def _may_be_done(self, act: Act) -> bool:
        """Exclude a step that needs something false that no skill ever changes: a path, or a key that fits."""
        unmet = self._start.unmet(act.needs)
        return not unmet or all((need.atom.relation, need.so) in self._changing for need in unmet)

    @cached_property
    def _changing(self) -> frozenset[tuple[str, bool]]:
        """Return the relations that some skill makes true, and those that it makes false."""
        found = set[tuple[str, bool]]()
        for skill in self._skills.values():
            adds, ends = self._patterns_of(skill)
            found |= {(pattern[0], True) for pattern in adds}
            found |= {(pattern[0], False) for pattern in (*ends, *filter(self._replaces, adds))}
            if skill.remembers is not None:
                found |= {(relation, so) for relation in self.setting.relations for so in (True, False)}
        return frozenset(found)

    def _patterns_of(self, skill: Skill) -> tuple[set[_Pattern], set[_Pattern]]:
        """Return what a skill adds and what it ends, in general."""
        if skill.name not in self._patterns:
            adds, ends = set[_Pattern](), set[_Pattern]()
            for call in self._sample(skill):
                for literal in self.setting.read_facts(skill.effects, call):
                    (adds if literal.so else ends).add(_generalised(literal.atom, call))
                for literal in self.setting.read_facts(skill.ends, call):
                    ends.add(_generalised(literal.atom, call))
            self._patterns[skill.name] = adds, ends
        return self._patterns[skill.name]

    def _sample(self, skill: Skill, untold: Collection[Parameter] = ()) -> Iterator[dict[str, Value]]:
        if skill.effects is None and skill.ends is None:
            return
        rows: list[Sequence[Value]] = []
        for p in skill.signature.parameters:
            options = p.options(self.setting.scene.vocabulary)
            if p.default is not None:
                rows.append((p.default,))
            elif p in untold:
                rows.append(("…" if p.type is str else 1,))
            elif not options:
                return
            else:
                rows.append([p.value(option) for option in options])
        if math.prod(map(len, rows)) <= _ALL_ASKED:
            yield from _calls(skill, rows)
            return
        names = [p.name for p in skill.signature.parameters]
        for i in range(max(map(len, rows))):
            call = {name: row[(i + 3 * at) % len(row)] for at, (name, row) in enumerate(zip(names, rows, strict=True))}
            if len({*call.values()}) == len(call):
                yield call

    # Everything that may matter ---------------------------------------------------------------------------------------

    def relevant(
        self,
        wanted: Iterable[Literal],
        situation: Situation,
        *,
        deeds: Iterable[Act] = (),
        things: Collection[str] = (),
    ) -> list[Act]:
        """Return the steps that may serve the goals, those that they need in turn, and all that is done to some things.

        A goal that already holds needs no step, unless one of the other steps (or actions) could undo it.
        """
        found: dict[int, Act] = {}
        fragile = Fragile(situation)
        todo = fragile.split(wanted)
        for deed in deeds:
            todo += fragile.broken_by(deed)
        for act in self._done_to(things):
            found[id(act)] = act
            todo += [*fragile.split(act.needs), *fragile.broken_by(act)]
        for literal in todo:  # `todo` grows during the loop
            for act in self.achievers(literal):
                if id(act) not in found and len(found) < _MOST_ACTS:
                    found[id(act)] = act
                    todo += [*fragile.split(act.needs), *fragile.broken_by(act)]
        return list(found.values())

    def _done_to(self, things: Collection[str]) -> Iterator[Act]:
        for skill, thing in itertools.product(self._skills.values(), sorted(things)):
            for p in [p for p in skill.signature.parameters if p.kind is not None][:1]:
                yield from self._filled(skill, {p.name: thing})

    def everything(self, most: int) -> list[Act]:
        """Return everything that can be done here, if that is not too much; else nothing."""
        calls = [
            (skill, call)
            for skill in self._skills.values()
            for call in skill.signature.calls(self.setting.scene.vocabulary)
        ]
        if len(calls) > most:
            return []
        return [act for skill, call in calls if (act := self.act(skill, call)) is not None]

    def before(self, act: Act, situation: Situation, most: int) -> list[Act] | None:
        """Return the steps that must come first, according to the skill; None if one of them is forbidden."""
        found: list[Act] = []
        for arguments in situation.comes_first(act):
            each = self.act(act.skill, act.skill.signature.check(arguments, self.setting.scene.vocabulary))
            if each is None or most <= 0:
                return None
            earlier = self.before(each, situation, most - len(found) - 1)
            if earlier is None:
                return None
            found += [*earlier, each]
            for done in (*earlier, each):
                situation = situation.after(done)
        return found

    @property
    def is_guarded(self) -> bool:
        """Whether anything must never be so, or anybody is here."""
        return bool(self.never or self._people)

    @property
    def keeps(self) -> bool:
        """Whether anything must be left alone."""
        return bool(self._kept)

    @property
    def kept_words(self) -> str:
        """Return what must be left alone, in words."""
        return ", ".join(f"the {thing}" for thing in sorted(self._kept)) + ", to be left alone"

    def touches_kept(self, act: Act, before: Situation, after: Situation) -> bool:
        """Whether a step ends something about a thing that must be left alone; relative positions may change."""
        if not self._kept:
            return False
        relations = self.setting.world.relations
        lasting = {name for name, relation in relations.items() if not relation.derived}
        for end in (each for each in act.ends if each.relation in lasting):
            for literal in self.setting.spread(Literal(end)):
                subject = next(iter(literal.atom.values), None)
                ended = after.is_so(literal.atom) is False and before.is_so(literal.atom) is not False
                if subject in self._kept and ended:
                    return True
        was, now = (
            {(each.relation, *each.arguments.values()) for each in (state.relations if state else ())}
            for state in (before.state, after.state)
        )
        return any(len(gone) > 1 and gone[0] in lasting and gone[1] in self._kept for gone in was - now)


class Fragile:
    """Goals that hold for now: they need no attention as long as no step could undo them."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._asked: set[Literal] = set()
        self._breaking: set[Atom] = set()
        self._added: set[Atom] = set()
        self._holding: dict[str, set[Literal]] = {}

    def split(self, literals: Iterable[Literal]) -> list[Literal]:
        """Return the goals that need attention; the others are kept here."""
        found = []
        for literal in literals:
            if literal in self._asked:
                continue
            self._asked.add(literal)
            if not self._situation.holds(literal) or self._is_broken(literal):
                found.append(literal)
            else:
                self._holding.setdefault(literal.atom.relation, set()).add(literal)
        return found

    def _is_broken(self, literal: Literal) -> bool:
        if not literal.so:
            return literal.atom in self._added
        return any(end.covers(literal.atom) for end in self._breaking)

    def broken_by(self, act: Act) -> list[Literal]:
        """Return the goals that now need attention, because this step could undo them."""
        ends, adds = {*act.ends} - self._breaking, {*act.adds} - self._added
        self._breaking |= ends
        self._added |= adds
        found = [
            Literal(atom, False) for atom in act.adds if Literal(atom, False) in self._holding.get(atom.relation, ())
        ]
        for end in act.ends:
            near = self._holding.get(end.relation, ()) if end in ends else ()
            found += [each for each in near if each.so and end.covers(each.atom)]
        for literal in found:
            self._holding[literal.atom.relation].discard(literal)
        return sorted(dict.fromkeys(found), key=repr)


def _makes(act: Act, literal: Literal) -> bool:
    if literal.so:
        return literal.atom in act.adds
    return literal.atom not in act.adds and any(end.covers(literal.atom) for end in act.ends)


def _generalised(atom: Atom, call: Arguments) -> _Pattern:
    slots: list[_Slot] = []
    for value in atom.values:
        name = next((name for name, given in call.items() if given == value and type(given) is type(value)), None)
        slots.append(("=", name) if name is not None and value is not None else ("is", value))
    return atom.relation, tuple(slots)


def _calls(skill: Skill, rows: Sequence[Sequence[Value]]) -> Iterator[dict[str, Value]]:
    names, distinct = [p.name for p in skill.signature.parameters], skill.signature.distinct
    for values in itertools.product(*rows):
        call = dict(zip(names, values, strict=True))
        if len({call[name] for name in distinct}) == len(distinct):
            yield call


def _key(skill: str, arguments: Arguments) -> object:
    return skill, tuple(sorted(arguments.items()))
