"""Which steps bring the values back that some steps have changed: what was poured in is poured out again.

    values = find_changed_values(before, steps, world)       # level of the tank: was 3, is 5
    way = find_way_back(values, steps, goals, world, scene)  # Drain the tank by 2 litres.

A breadth-first search over what skills declare about values (`changes`, or else `remembers`). A way back leaves every
other value as it is, and makes nothing so that was not so before. What was used up (a value that went down) comes back
only if everything that went up does: a bottle is not filled again while the glass stays full.

Not covered: values of several things together, and ways of more than three steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from thinkaloud.errors import SkillError
from thinkaloud.language.units import several
from thinkaloud.records import Arguments, Condition, Observation, Step, Value, WorldState
from thinkaloud.skills import Skill
from thinkaloud.skills.signatures import Parameter, capitalised, spell_number
from thinkaloud.worlds.contract import Measured, World, find_ability, surely_holds
from thinkaloud.worlds.effects import promises_of
from thinkaloud.worlds.full_world import base_name, is_opposite

_MOST_STEPS = 3
_MOST_CALLS = 400
_MOST_SITUATIONS = 2000
_NEAR = 1e-6

_Place = tuple[str, str]
"""A measure, and the thing whose value it is."""
_Values = Mapping[_Place, Value]


@dataclass(frozen=True)
class ChangedValue:
    """A value of a thing that some steps have changed; `was` is None if nobody knows any more."""

    place: _Place
    was: Value | None
    now: Value | None
    words: str
    unit: str = ""
    steps: tuple[Step, ...] = ()

    @property
    def wanted(self) -> str:
        """What must be so again: `The level of the tank is 3 litres.`"""
        return f"{self.words} is {spell_value(self.was)}{self.unit}."

    @property
    def went_up(self) -> bool:
        """Whether it is not simply something that was used up."""
        both = _is_number(self.was) and _is_number(self.now)
        return not (both and float(self.now or 0) < float(self.was or 0))

    def tell_stays(self) -> str:
        """Why it is not brought back."""
        if self.was is None:
            return f"I don't know any more what this was: {self.words[:1].lower()}{self.words[1:]}."
        words = f"{self.words[:1].lower()}{self.words[1:]}"
        return f"I know no way to bring this back: {words} was {spell_value(self.was)}{self.unit}."


@dataclass(frozen=True)
class WayBack:
    """The steps that bring values back, and the values that stay as they are.

    `between` tells which values leave the range between now and then on the way: what is poured out is gone.
    """

    steps: tuple[Step, ...] = ()
    stay: tuple[ChangedValue, ...] = ()
    between: tuple[str, ...] = ()


def find_changed_values(
    before: WorldState, now: WorldState, steps: Sequence[Step], world: World
) -> tuple[ChangedValue, ...]:
    """Return the values that steps declare to change, and that are not what they were before these steps."""
    able = find_ability(world, Measured)
    found: dict[_Place, ChangedValue] = {}
    for step in steps if able is not None else ():
        skill = world.skills.get(step.skill)
        for place in [] if skill is None else _changed_places(skill, step.arguments, before, world):
            was, latest = value_in(before, place), value_in(now, place)
            if able is not None and place[0] in able.measures and not same_value(was, latest):
                signature = able.measures[place[0]].signature
                words = signature.render({signature.parameters[0].name: place[1]}).rstrip(".")
                unit = f" {several(signature.unit)}" if signature.unit else ""
                earlier = found[place].steps if place in found else ()
                found[place] = ChangedValue(place, was, latest, capitalised(words), unit, (*earlier, step))
    return tuple(found.values())


def would_add(step: Step, world: World) -> bool:
    """Whether a step done once more changes its values once more: it adds to them, and does not only set them."""
    skill = world.skills.get(step.skill)
    changed = [] if skill is None or skill.changes is None else declared_values(skill, step.arguments)
    return any(not same_value(_read(world, place), value) for place, value in changed)


def find_way_back(
    values: Sequence[ChangedValue],
    before: WorldState,
    steps: Sequence[Step],
    world: World,
    scene: Observation,
    kept: Collection[str] = (),
) -> WayBack:
    """Return the steps that bring back as many of these values as possible, and those that stay as they are."""
    known = [each for each in values if each.was is not None]
    lost = tuple(each for each in values if each.was is None)
    if not known:
        return WayBack((), lost)
    search = _Search(known, before, world, scene, frozenset(kept))
    found, stay = search.run(search.candidates(steps))
    return WayBack(found, (*lost, *stay), search.tell_between(found))


class _Search:
    """A breadth-first search for the steps after which values are what they were."""

    def __init__(
        self,
        wanted: Sequence[ChangedValue],
        before: WorldState,
        world: World,
        scene: Observation,
        kept: frozenset[str],
    ) -> None:
        self._wanted, self._before, self._world, self._scene, self._kept = wanted, before, world, scene, kept
        self._was = {condition.words for condition in before.relations}
        state = scene.state or WorldState(scene.objects)
        self._now: dict[_Place, Value] = {
            (name, t): v for t, known in state.attributes.items() for name, v in known.items()
        }
        live = ((each.place, _read(world, each.place)) for each in wanted)
        self._now |= {place: value for place, value in live if value is not None}

    def candidates(self, undone: Sequence[Step]) -> list[tuple[Skill, Arguments]]:
        """All calls that change one of the values, and make nothing so that was not so before."""
        places = {each.place for each in self._wanted}
        found: list[tuple[Skill, Arguments]] = []
        for skill in self._world.skills.values():
            if skill.changes is None and skill.remembers is None:
                continue
            for call in itertools.islice(self._calls(skill, undone), _MOST_CALLS):
                after = self._after(skill, call, self._now)
                changed = {
                    place for place, value in (after or {}).items() if not same_value(self._now.get(place), value)
                }
                if changed & places and not ({*call.values()} & self._kept) and self._is_harmless(skill, call):
                    found.append((skill, call))
        return found

    def run(self, calls: Sequence[tuple[Skill, Arguments]]) -> tuple[tuple[Step, ...], tuple[ChangedValue, ...]]:
        """Return the best way, and the values that stay: if there is no way, all of them."""
        best: tuple[Step, ...] = ()
        fewest = len(self._open(self._now))
        level: list[tuple[tuple[Step, ...], dict[_Place, Value]]] = [((), dict(self._now))]
        seen, tried = [self._now], 0
        for _ in range(_MOST_STEPS if fewest else 0):
            following = []
            for (steps, values), (skill, call) in itertools.product(level, calls):
                tried += 1
                after = self._after(skill, call, values)
                if after is None or tried > _MOST_SITUATIONS or any(_alike(after, other) for other in seen):
                    continue
                seen.append(after)
                way = (*steps, skill.step(call))
                following.append((way, after))
                open_ = self._open(after)
                if len(open_) < fewest and self._is_fair(after, open_):
                    best, fewest = way, len(open_)
            if not fewest:
                break
            level = following
        return best, tuple(self._open(self._end_of(best)))

    def tell_between(self, way: Sequence[Step]) -> tuple[str, ...]:
        """What is other on the way than it is now, was before, or anything in between."""
        told: dict[_Place, str] = {}
        for count in range(1, len(way)):
            values = self._end_of(way[:count])
            for each in self._wanted:
                value = values.get(each.place)
                ends = [float(end) for end in (each.was, each.now) if _is_number(end)]  # type: ignore[arg-type]
                if len(ends) == 2 and _is_number(value) and not min(ends) <= float(value) <= max(ends):  # type: ignore[arg-type]
                    told[each.place] = f"{each.words} will be {spell_value(value)}{each.unit} in between."
        return tuple(told.values())

    def _open(self, values: _Values) -> list[ChangedValue]:
        return [each for each in self._wanted if not same_value(values.get(each.place), each.was)]

    def _is_fair(self, values: _Values, open_: Sequence[ChangedValue]) -> bool:
        """Whether nothing else has changed, and nothing that was used up is back while what it was used for stays."""
        wanted = {each.place for each in self._wanted}
        others = all(same_value(values.get(place), value) for place, value in self._now.items() if place not in wanted)
        changed = all(
            same_value(values.get(e.place), self._now.get(e.place)) for e in open_
        )  # what stays, stays as it is
        used = any(not each.went_up and each not in open_ for each in self._wanted)
        return others and changed and not (used and any(each.went_up for each in open_))

    def _end_of(self, steps: Sequence[Step]) -> _Values:
        values: dict[_Place, Value] = dict(self._now)
        for step in steps:
            values = self._after(self._world.skills[step.skill], step.arguments, values) or values
        return values

    def _after(self, skill: Skill, arguments: Arguments, values: dict[_Place, Value]) -> dict[_Place, Value] | None:
        """The values after a call; None if that cannot be known."""
        if skill.remembers is not None:
            state = self._scene.state or WorldState(self._scene.objects)
            try:
                after = skill.remembers(replace(state, attributes=_by_thing(values)), **arguments)
            except Exception:  # a robot builder's own code
                return None
            return {(name, t): value for t, known in after.attributes.items() for name, value in known.items()}
        changed = declared_values(skill, arguments)
        touched = any(not same_value(values.get(place), _read(self._world, place)) for place, _ in changed)
        return None if touched else {**values, **dict(changed)}

    def _is_harmless(self, skill: Skill, arguments: Arguments) -> bool:
        """Whether a call makes only so what is so anyway, or was before."""
        return all(
            surely_holds(self._world, each) or self._was_so(each) for each in promises_of(skill, arguments, self._world)
        )

    def _was_so(self, condition: Condition) -> bool:
        if not is_opposite(condition.relation):
            return condition.words in self._was
        base = self._world.relations.get(base_name(condition.relation))
        return base is not None and base.condition(condition.arguments).words not in self._was

    def _calls(self, skill: Skill, undone: Sequence[Step]) -> Iterator[dict[str, Value]]:
        parameters = skill.signature.parameters
        chosen = [self._values_for(each, undone) for each in parameters]
        for values in itertools.product(*chosen):
            call = dict(zip((p.name for p in parameters), values, strict=True))
            same = [call[name] for name in skill.signature.distinct]
            if len({*same}) == len(same):
                yield call

    def _values_for(self, parameter: Parameter, undone: Sequence[Step]) -> list[Value]:
        """What an argument may be; a number is one of those by which, or to which, a value has to change."""
        options = parameter.options(self._scene.vocabulary)
        if options is not None:
            return [parameter.value(each) for each in options]
        said = [value for step in undone for value in step.arguments.values()]
        if parameter.type is str:
            return [value for value in dict.fromkeys(said) if isinstance(value, str)]
        numbers = [float(each.was) for each in self._wanted if _is_number(each.was)]  # type: ignore[arg-type]
        numbers += [
            abs(float(each.now) - float(each.was))  # type: ignore[arg-type]
            for each in self._wanted
            if _is_number(each.was) and _is_number(each.now)
        ]
        numbers += [float(value) for value in said if _is_number(value)]
        found: dict[Value, None] = {}
        for number in numbers:
            try:
                found[parameter.read(f"{round(number, 9):g}", self._scene.vocabulary)] = None
            except SkillError:
                continue
        return list(found)


def _changed_places(skill: Skill, arguments: Arguments, before: WorldState, world: World) -> list[_Place]:
    if skill.changes is not None:
        return [place for place, _ in declared_values(skill, arguments)]
    if skill.remembers is None:
        return []
    try:
        after = skill.remembers(before, **arguments)
    except Exception:  # a robot builder's own code
        return []
    measures = find_ability(world, Measured)
    names = {} if measures is None else measures.measures
    told = [(name, thing) for thing, known in after.attributes.items() for name in known if name in names]
    return [place for place in told if not same_value(value_in(after, place), value_in(before, place))]


def declared_values(skill: Skill, arguments: Arguments) -> list[tuple[_Place, Value]]:
    """The values of single things that a call changes, and what they would be after it."""
    try:
        changed = () if skill.changes is None else skill.changes(**arguments)
    except Exception:  # a robot builder's own code
        return []
    return [((name, str(*about.values())), value) for name, about, value in changed if len(about) == 1]


def value_in(state: WorldState, place: _Place) -> Value | None:
    """A value as a state remembers it."""
    return state.attributes.get(place[1], {}).get(place[0])


def _read(world: World, place: _Place) -> Value | None:
    able = find_ability(world, Measured)
    measure = None if able is None else able.measures.get(place[0])
    if measure is None or len(measure.signature.parameters) != 1:
        return None
    try:
        value = measure.read(**{measure.signature.parameters[0].name: place[1]})
    except Exception:  # a robot builder's own code
        return None
    return value if isinstance(value, str | int | float) else None


def _by_thing(values: _Values) -> dict[str, dict[str, Value]]:
    found: dict[str, dict[str, Value]] = {}
    for (name, thing), value in values.items():
        found.setdefault(thing, {})[name] = value
    return found


def _alike(values: _Values, others: _Values) -> bool:
    return values.keys() == others.keys() and all(same_value(value, others[place]) for place, value in values.items())


def same_value(value: Value | None, other: Value | None) -> bool:
    """Whether two values are the same, numbers nearly."""
    if _is_number(value) and _is_number(other):
        return abs(float(value) - float(other)) < _NEAR  # type: ignore[arg-type]
    return value == other


def _is_number(value: Value | None) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def spell_value(value: Value | None) -> str:
    """A value as it is said."""
    return spell_number(float(value)) if _is_number(value) else str(value)  # type: ignore[arg-type]
