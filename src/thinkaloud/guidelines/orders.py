"""Orders by guidelines: a model says what is wanted and what is not, code works out all that has to be done for it.

    order("Boba milk", "taro", no=["milk"])     an option, with something and without something
    order("2 plate", "1 fork", "rose soap")     things to be dealt with, counted, and the material for them
    change("boba", no=["taro"])                 what was ordered before, with something and without something
    change(exactly=["3 plate"])                 what was ordered before, of which so many

Which recipe that is, its steps, their order, what they need, where things belong, what is done already and whether what
is begun can become what is wanted follows from the guidelines, the skills and the world.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from thinkaloud.errors import Missing, WhichOne, no_such_thing
from thinkaloud.guidelines import Guidelines
from thinkaloud.guidelines.order_form import Order, Want, all_material, all_things, find_material, work_out
from thinkaloud.guidelines.remaining_steps import Composer, PlanRules
from thinkaloud.guidelines.step_calls import Fitter, SkillCall
from thinkaloud.language.name_matching import names_in, resolve_name, without_number
from thinkaloud.language.words import IDLE, in_a_row, singular, stem, stems, words_of
from thinkaloud.records import Observation, Step
from thinkaloud.skills import Skill
from thinkaloud.worlds.contract import World, surely_holds, tell
from thinkaloud.worlds.effects import promises_of

CHANGE = "change"
"""The word for what was ordered before and is to be otherwise."""
ALL = "all"
_COUNTED = re.compile(rf"(\d+|{ALL})\s+(.+)")
Wanted = tuple[str, Sequence[str], Sequence[str], Sequence[str]]
"""One order: `order` or `change`, what is wanted, what is not, and of what exactly so many."""


@dataclass(frozen=True)
class Orders:
    """What orders are read with: the guidelines, what their rules mean, and what was ordered and done before."""

    guidelines: Guidelines
    facts: PlanRules = field(default_factory=PlanRules)
    unread: tuple[str, ...] = ()
    """Rules that nobody could make out."""
    homes: Mapping[str, str] = field(default_factory=dict)
    """Where things belong that the guidelines do not name."""
    earlier: tuple[str, ...] = ()
    """The programs of earlier orders, the oldest first."""
    done: tuple[Step, ...] = ()
    """What was done for an order that is not finished."""
    teller: Skill | None = None
    """Where it is given, each step is told to it in words, whatever the robot can do."""


def kinds_of(guidelines: Guidelines, scene: Observation) -> list[str]:
    """The things that can be dealt with: those of the guidelines, and of the robot's those of the same list."""
    own = all_things(guidelines)
    lists = [names for names in scene.vocabulary.values() if {*names} & {*own}]
    return list(dict.fromkeys([*own, *(name for names in lists for name in names)]))


def describing_words(world: World, scene: Observation, kinds: Iterable[str]) -> set[str]:
    """What the robot's skills say of things of these kinds, by their stems: "Grasp the next dirty {kind}." """
    found: set[str] = set()
    for skill in world.skills.values():
        for parameter in skill.signature.parameters:
            if not {*scene.vocabulary.get(parameter.kind or "", ())} & {*kinds}:
                continue
            before, said, _ = skill.signature.says.partition(f"{{{parameter.name}}}")
            words = words_of(before) if said else []
            own = list(takewhile(lambda word: word not in IDLE, reversed(words)))
            found |= {stem(word) for word in own if len(own) < len(words)}  # with nothing before it, it is the verb
    return found


def plain_kind(name: str, kinds: Sequence[str], describing: Collection[str]) -> str:
    """The kind that a name with describing words stands for: `dirty plates` are plates; else what was given."""
    words = singular(name).split()
    if resolve_name(" ".join(words), kinds) not in kinds:
        while words and stem(words[0].lower()) in describing:
            words = words[1:]
            if (found := resolve_name(" ".join(words), kinds)) in kinds:
                return found
    return name


def can_do(line: str, guidelines: Guidelines, world: World, scene: Observation) -> bool:
    """Whether a step that no recipe has is one that the robot's skills are documented for."""
    fitter = _fitter_of(guidelines, world, scene)
    return bool((guidelines.doable(line, world.skills) and fitter.calls(line)) or fitter.thrown(line))


def _fitter_of(guidelines: Guidelines, world: World, scene: Observation) -> Fitter:
    material = all_material(guidelines)
    return Fitter(world.skills, world.relations, scene.vocabulary, material, lambda each: surely_holds(world, each))


def find_homeless(said: Sequence[str], orders: Orders, world: World, scene: Observation) -> list[str]:
    """The things that are ordered and of which the guidelines do not say where they belong."""
    kinds = kinds_of(orders.guidelines, scene)
    names = [found[2] if (found := _COUNTED.fullmatch(text)) else text for text in said]
    names = [plain_kind(name, kinds, describing_words(world, scene, kinds)) for name in names]
    meant = [kind for kind in dict.fromkeys(resolve_name(singular(name), kinds) for name in names) if kind in kinds]
    return Composer(orders.guidelines).homeless([Want(things=tuple((kind, 1) for kind in meant))])


class Ordering:
    """Works out one program's orders, one after another."""

    def __init__(
        self, orders: Orders, world: World, scene: Observation, kept: Collection[str], earlier: Iterable[Wanted]
    ) -> None:
        self._orders, self._world, self._scene, self._kept = orders, world, scene, kept
        self.guidelines = orders.guidelines
        self.material = all_material(orders.guidelines)
        self.kinds = kinds_of(orders.guidelines, scene)
        self._composer = Composer(orders.guidelines, orders.facts, orders.homes)
        self._describing = describing_words(world, scene, self.kinds)
        self._fitter = _fitter_of(orders.guidelines, world, scene)
        self._count, self._unread = 0, orders.unread
        self.want: Want | None = None
        self._inside: list[str] = []
        for order in earlier:
            self._take(*order)

    def unread(self) -> tuple[str, ...]:
        """Rules that nobody could make out; once."""
        unread, self._unread = self._unread, ()
        return unread

    def call(self, function: str, wanted: Sequence[str], no: Sequence[str], exactly: Sequence[str]) -> list[SkillCall]:
        """The calls for an order; Missing where something cannot be had."""
        times, want = self._take(function, wanted, no, exactly)
        found: list[SkillCall] = []
        for _ in range(times):
            found += self._calls(self._checked(want), begun=self._count == 0)
            self._count += 1
        return found

    def wants(self, orders: Iterable[Wanted]) -> list[Want]:
        """What these orders ask for, each by itself; Missing where something cannot be had."""
        found: list[Want] = []
        for function, *given in orders:
            times, want = self._take(function, *given)
            found = [*(found[:-1] if function == CHANGE else found), *[self._checked(want)] * times]
        return found

    def composer(self) -> Composer:
        """Who writes the steps of these orders."""
        return self._composer

    def already_in(self, wanted: Iterable[str]) -> list[str]:
        """The material of a change that is in what is under way: it is not put in once more."""
        found = [self._resolve(self.counted(text)[1]) for text in wanted]
        return [name for sort, name in found if sort == "material" and name in self._inside]

    def lines(self, want: Want) -> list[str]:
        """The steps of an order, in the guidelines' own words."""
        return self._composer.steps([want])

    # What is wanted ---------------------------------------------------------------------------------------------------

    def _take(
        self, function: str, wanted: Sequence[str], no: Sequence[str], exactly: Sequence[str]
    ) -> tuple[int, Want]:
        options, plus, times = list[str](), list[tuple[int, str]](), 1
        no = [self._plain(each) for each in no]
        for text in (part for each in wanted for part in self._parts(each)):
            count, name = self.counted(text)
            sort, known = self._resolve(name)
            if sort == "option":
                options.append(known)
                times = max(times, count)
            elif sort == "kind":
                plus.append((count or 1, known))
            elif count > 1:
                raise Missing(f"I cannot take {count} portions of {known}.")
            else:
                plus.append((0, known))
        counted = tuple((count, self._resolve(name)[1]) for count, name in map(self.counted, exactly))
        same = function == CHANGE and self.want is not None and not options
        order = Order(tuple(options), same, 1, tuple(plus), tuple(no), counted, tuple(self._skipped(no)))
        facts, earlier = self._orders.facts, (self.want,) if self.want is not None else ()
        (want,) = work_out([order], self.guidelines, earlier, facts.every, facts.default)[-1:]
        if not self.kinds:
            want = replace(want, things=())
        more = [other for name, other in facts.pairs if name in want.material and other not in want.material]
        self.want = replace(want, material=(*want.material, *dict.fromkeys(more)))
        return times, self.want

    def _skipped(self, no: Sequence[str]) -> Iterable[str]:
        """The steps that need no material and are not wanted: those that have all the words of what is said.

        Things that are not wanted have no steps by themselves, and have them again as soon as they are wanted.
        """
        no = [each for each in no if resolve_name(singular(each), self.kinds) not in self.kinds]
        lines = dict.fromkeys(line for recipe in self.guidelines.recipes for line in recipe.steps)
        for line in lines:
            if not names_in(line, self.material) and any(stems(each) and stems(each) <= stems(line) for each in no):
                yield line

    def counted(self, text: str) -> tuple[int, str]:
        """How many of what; 0 where no number is said."""
        found = _COUNTED.fullmatch(text.strip())
        name = self._plain(found[2] if found else text.strip())
        if found is None:
            return 0, name
        if found[1] != ALL:
            return int(found[1]), name
        kind = singular(name)
        there = [*self._scene.objects, *self._scene.hidden]
        return max(1, sum(without_number(each).lower() == kind.lower() != each.lower() for each in there)), name

    def _parts(self, text: str) -> list[str]:
        """What is ordered by one name: `blueberry milk` is blueberry and milk, if that is no name of its own."""
        count, name = self.counted(text)
        if count or self._is_known(name):
            return [text]
        parts = find_material(name, self.guidelines)
        return parts if parts and stems(name) <= {word for part in parts for word in stems(part)} else [text]

    def _is_known(self, name: str) -> bool:
        try:
            return bool(self._resolve(name))
        except WhichOne:
            return True
        except Missing:
            return False

    def _plain(self, name: str) -> str:
        """A name without what the robot's skills say of all things of its kind."""
        other = [*self.guidelines.options, *self.material]
        return name if resolve_name(name, other) in other else plain_kind(name, self.kinds, self._describing)

    def _resolve(self, name: str) -> tuple[str, str]:
        """What a name is of (option, material, kind), and the name that it stands for; WhichOne if not plain."""
        sorts = {"option": [*self.guidelines.options], "material": self.material, "kind": self.kinds}
        exact = ((sort, each) for sort, names in sorts.items() for each in names if each.lower() == name.lower())
        if found := next(exact, None):
            return found
        for sort, names in sorts.items():
            words = stems(singular(name) if sort == "kind" else name)
            same = [each for each in names if stems(each) == words]
            if len({singular(each.lower()) for each in same}) > 1:  # `milk tea` and `tea milk`
                raise WhichOne(name, same)
            if same:
                return sort, same[0]
        for sort in ("material", "option", "kind"):
            known = resolve_name(singular(name) if sort == "kind" else name, sorts[sort])
            if known in sorts[sort]:
                return sort, known
        raise no_such_thing(name)

    def _checked(self, want: Want) -> Want:
        """The order, if all of it can be had."""
        facts = self._orders.facts
        missing = [*self.guidelines.missing(want.material), *(n for n in want.material if n in facts.gone)]
        if missing:
            raise no_such_thing(in_a_row(list(dict.fromkeys(missing)), "and no"))
        for one, other in facts.apart:
            if {one, other} <= {*want.material}:
                raise Missing(f"{one} and {other} are not put together here.".capitalize())
        for name in self._kept:
            if name in want.material or name in (kind for kind, _ in want.things):
                raise Missing(f"I was told to leave the {name} alone, and this needs it.", "not allowed")
        bare = any(recipe.name == want.recipe and not recipe.material for recipe in self.guidelines.recipes)
        if not want.material and not want.things and not bare:
            raise Missing("That leaves nothing to be done.")
        if homeless := self._composer.homeless([want]):
            raise Missing(f"Nothing says where this belongs: {in_a_row(homeless)}.")
        return want

    # What has to be done for it ---------------------------------------------------------------------------------------

    def _calls(self, want: Want, *, begun: bool) -> list[SkillCall]:
        """The calls for one of what is wanted; each is made anew, and not of the one before it."""
        fitted: list[tuple[str, list[SkillCall]]] = []
        so_far: list[SkillCall] = []
        for line in self.lines(want):
            teller = self._orders.teller
            calls: list[SkillCall] = [(teller, {"step": line})] if teller else self._fitter.calls(line, so_far)
            if not calls:
                raise Missing(f"I have no skill for this step: {line}.", "no such skill")
            fitted.append((line, calls))
            so_far += calls
        if begun and self._orders.teller is None:
            fitted = self._counted_left(fitted) if want.things else self._left(fitted, want)
        return [call for _, calls in fitted for call in calls]

    def _counted_left(self, fitted: list[tuple[str, list[SkillCall]]]) -> list[tuple[str, list[SkillCall]]]:
        """What is left of work on several things, by what was done of it."""
        spare = Counter((step.skill, tuple(step.arguments.values())) for step in self._orders.done)
        left: list[tuple[str, list[SkillCall]]] = []
        for line, calls in fitted:
            keys = [(skill.name, tuple(given.values())) for skill, given in calls]
            about = names_in(line, self.kinds)
            if all(spare[key] > 0 for key in keys) and (about or not left):
                spare.subtract(keys)
            else:
                left.append((line, calls))
        for step in self._orders.done:
            handled = {*step.arguments.values()} & {*self.kinds}
            if handled and spare[step.skill, tuple(step.arguments.values())] > 0:
                raise Missing(f"This is done already, and I cannot take it back: {step.words}")
        return left

    def _left(self, fitted: list[tuple[str, list[SkillCall]]], want: Want) -> list[tuple[str, list[SkillCall]]]:
        """What is left of something that is put together, by what is in it; thrown away where that cannot be used."""
        inside = self._inside = [name for name in self.material if self._is_in(name, fitted)]
        missing = [name for name in want.material if name not in inside]
        late = any(self._composer.before(name, other) for name in missing for other in inside)
        wrong = [name for name in inside if name not in want.material]
        if wrong or late:
            begin = [call for line, calls in fitted[:1] for call in calls]
            undo = self._orders.facts.undo
            known = bool(undo) and self.guidelines.doable(undo, self._world.skills)
            away = (self._fitter.calls(undo, begin) if known else []) or self._fitter.away(begin)
            if not away:
                raise Missing(f"There is {in_a_row(wrong or inside)} in it already, and I cannot take that out.")
            return [(undo, away), *fitted]
        left: list[tuple[str, list[SkillCall]]] = []
        for line, calls in fitted:
            used = names_in(line, self.material)
            if used and {*used} <= {*inside}:
                continue
            begins = not used and not any(names_in(other, self.material) for other, _ in left)
            if begins and line != fitted[-1][0] and all(map(self._is_done, calls[-1:])):
                continue
            left.append((line, calls))
        return left

    def _is_in(self, name: str, fitted: Sequence[tuple[str, list[SkillCall]]]) -> bool:
        line = next((line for line, _ in fitted if name in names_in(line, self.material)), "")
        calls = self._fitter.calls(line or self._composer.line_for(name), [c for _, each in fitted[:1] for c in each])
        return bool(calls) and self._is_done(calls[-1])

    def _is_done(self, call: SkillCall) -> bool:
        """Whether what a call should bring about is so already; where nobody can tell, whether it was done."""
        skill, given = call
        promised = [c for c in promises_of(skill, given, self._world) if not c.relation.startswith("not ")]
        told = [tell(self._world, each) for each in promised]
        if any(so is False for so in told) or (told and all(told)):
            return all(told)
        return any(step.skill == skill.name and {**step.arguments} == given for step in self._orders.done)
