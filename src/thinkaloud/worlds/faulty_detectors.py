"""A world whose detectors err: what they tell the robot is sometimes wrong.

    world = FaultyDetectors(Tabletop(), Disturbance(false_yes=0.2, false_no=0.2))

The **success detector** judges steps. It may report the effects of an attempted step as if the step had worked when it
failed, or the reverse: right after the step, in the progress towards a goal, or in the state. It is never wrong about
steps that nobody tried. The **object detector** misses things, sees things that are not there, and mistakes things for
others.

One look gives one picture and one answer; asking again gives the same. Looking again (`observe`, `rescan`) or acting
gives a new picture and a new chance of error, unless the detector is stubborn. The errors depend only on the seed and
the number of looks. There is no twin: a copy of the real world would tell the truth.
"""

from __future__ import annotations

import copy
import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from thinkaloud.errors import DidNotWork
from thinkaloud.records import Arguments, Condition, Observation, Value, WorldState
from thinkaloud.skills import Relation, Skill
from thinkaloud.worlds.contract import Extendable, Scanning, World, find_ability
from thinkaloud.worlds.disturbance import Disturbance

_Fact = tuple[str, tuple[tuple[str, Value], ...]]


class Tried(msgspec.Struct):
    """An attempted call, which the success detector judges; `said` is what it said last."""

    skill: str
    arguments: dict[str, Value]
    said: bool = False

    def __str__(self) -> str:
        """The call as a text that does not depend on argument order."""
        return f"{self.skill} {sorted(self.arguments.items())}"


class _Record(msgspec.Struct):
    """The state that the detectors' errors depend on, shared by all forms of a world."""

    seed: int = 0
    looks: int = 0
    actions: int = msgspec.field(default=0, name="deeds")  # the name used in journal snapshots
    tried: list[Tried] = []
    seen: set[str] = set()
    ghosts: set[str] = set()

    def chance(self, *about: str, action: bool = False) -> float:
        """A fixed number from 0 to 1 for this look, or for all looks until the next action."""
        text = "\x1f".join((str(self.seed), f"d{self.actions}" if action else str(self.looks), *about))
        return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:7], "big") / 2**56


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    erring: str
    record: _Record
    inner: bytes


class FaultyDetectors:
    """A world seen through detectors that err; see the module's description."""

    twin = None

    def __init__(self, world: World, by: Disturbance) -> None:
        self.error_rates = by
        self._record = _Record()
        self._surround(world)

    def _surround(self, world: World) -> None:
        self.world, self.name, self.clock = world, world.name, world.clock
        self.skills: Mapping[str, Skill] = {name: self._counted(skill) for name, skill in world.skills.items()}
        self.relations: Mapping[str, Relation] = {name: self._doubtful(each) for name, each in world.relations.items()}

    def _counted(self, skill: Skill) -> Skill:
        @functools.wraps(skill.function)
        async def call(**arguments: Any) -> Any:
            if strange := [value for value in arguments.values() if value in self._record.ghosts]:
                raise DidNotWork(f"There is no {strange[0]} where one seemed to be.")
            self._try(Tried(skill.name, dict(arguments)))
            try:
                return await skill.run(arguments)
            finally:
                self._record.looks += 1
                self._record.actions += 1

        def check(**arguments: Any) -> str | None:
            assert skill.check is not None
            tried = Tried(skill.name, dict(arguments))
            said = skill.check(**arguments)
            if self._judged(tried, skill) is self._worked(tried, skill):
                return said
            return None if said else f"It does not look as if that had worked: {skill.signature.render(arguments)}"

        return replace(skill, function=call, check=check if skill.check else None)

    def _doubtful(self, relation: Relation) -> Relation:
        name = relation.signature.name
        return replace(relation, holds=lambda **arguments: self.holds(Condition(name, arguments, "")))

    def _try(self, tried: Tried) -> None:
        known = [each for each in self._record.tried if str(each) != str(tried)]
        self._record.tried = [*known, tried]

    @property
    def looks(self) -> int:
        """The number of pictures so far."""
        return self._record.looks

    # The success detector ---------------------------------------------------------------------------------------------

    def holds(self, condition: Condition) -> bool:
        """Whether a condition holds, according to what the success detector says of the step that should cause it."""
        so = self.world.holds(condition)
        if not self._judges() or (claim := self._claim(condition)) is None:
            return so
        tried, skill, wanted = claim
        says = self._judged(tried, skill)
        return so if says is self._worked(tried, skill) else wanted is says

    def _judges(self) -> bool:
        """Whether there is a success detector that may err."""
        return self.error_rates.misjudges

    def _claim(self, condition: Condition) -> tuple[Tried, Skill, bool] | None:
        """The last attempted step that should have made a condition true or false."""
        fact = _fact(condition)
        for tried in reversed(self._record.tried):
            skill = self.world.skills.get(tried.skill)
            for promised, wanted in () if skill is None else self._promises(tried, skill):
                if skill is not None and _fact(promised) == fact:
                    return tried, skill, wanted
        return None

    def _promises(self, tried: Tried, skill: Skill) -> Iterator[tuple[Condition, bool]]:
        """What should and should no longer be true after a step; empty if the skill's own code raises."""
        try:
            made = skill.promises(tried.arguments, self.world.relations)
            ended = skill.revokes(tried.arguments, self.world.relations)
        except Exception:  # the robot's own code
            return
        brought = {(each.relation, next(iter(each.arguments.values()), None)) for each in made}
        yield from ((each, True) for each in made)
        for each in ended:
            if (each.relation, next(iter(each.arguments.values()), None)) not in brought:
                yield each, False

    def _worked(self, tried: Tried, skill: Skill) -> bool:
        """Whether a step really had its effects."""
        right = all(self.world.holds(each) is wanted for each, wanted in self._promises(tried, skill))
        return right and not (skill.check is not None and skill.check(**tried.arguments))

    def _judged(self, tried: Tried, skill: Skill) -> bool:
        """Whether the detector says, in this look, that a step worked."""
        worked = self._worked(tried, skill)
        rate = self.error_rates.false_no if worked else self.error_rates.false_yes
        keeps = self._record.chance("stubborn", str(tried), action=True) < self.error_rates.stubborn
        return worked is not (self._record.chance("success", str(tried), action=keeps) < rate)

    def tell_doubt(self, conditions: Sequence[Condition]) -> str:
        """How far it may be wrong what was said of these, in words; nothing where no detector that errs was asked."""
        rates = self.error_rates
        most = max(rates.false_yes, rates.false_no)
        return f"{_share(most)} such readings is wrong" if most and any(map(self._claim, conditions)) else ""

    # The object detector ----------------------------------------------------------------------------------------------

    def observe(self) -> Observation:
        """What seems to be there now."""
        return self._misseen(self.world.observe())

    @property
    def rescan(self) -> Callable[[], Observation] | None:
        """A closer look, if the world supports it; otherwise None."""
        scanning = find_ability(self.world, Scanning)
        return None if scanning is None else lambda: self._misseen(scanning.rescan())

    def _misseen(self, scene: Observation) -> Observation:
        record, rates = self._record, self.error_rates
        record.looks += 1
        if scene.state is not None and self._judges():
            scene = replace(scene, state=self._misjudged(scene.state))
        if not rates.missees:
            return scene
        there = {*scene.objects, *scene.hidden}
        invented, gone = dict[str, str](), set[str]()
        for name in scene.objects:
            misnamed = record.chance("misnamed", name) < rates.misnamed
            if misnamed or record.chance("missed", name) < rates.missed:
                gone.add(name)
            if misnamed or record.chance("ghost", name) < rates.ghosts:
                invented[_strange_name(name, scene.objects, record)] = name
        invented = {ghost: like for ghost, like in invented.items() if ghost not in there}
        record.ghosts |= {*invented}
        record.seen |= {*scene.objects} - gone
        unknown = gone - record.seen
        vocabulary = {
            kind: (*(n for n in names if n not in unknown), *(g for g, like in invented.items() if like in names))
            for kind, names in scene.vocabulary.items()
        }
        return replace(
            scene,
            objects=(*(name for name in scene.objects if name not in gone), *invented),
            vocabulary=vocabulary,
            hidden=(*scene.hidden, *(name for name in scene.objects if name in gone - unknown)),
            state=None if scene.state is None else _without(scene.state, unknown),
        )

    def _misjudged(self, state: WorldState) -> WorldState:
        """The state, as the success detector sees it."""
        so = {_fact(each): each for each in state.relations}
        for tried in self._record.tried:
            skill = self.world.skills.get(tried.skill)
            for promised, _ in () if skill is None else self._promises(tried, skill):
                if self.holds(promised):
                    so.setdefault(_fact(promised), promised)
                else:
                    so.pop(_fact(promised), None)
        return replace(state, relations=tuple(so.values()))

    # The rest of a world ----------------------------------------------------------------------------------------------

    def reset(self, seed: int) -> None:
        """Begin a new episode with its own errors."""
        fresh = _Record(seed)
        for name in fresh.__struct_fields__:
            setattr(self._record, name, getattr(fresh, name))
        self.world.reset(seed)

    def snapshot(self) -> bytes:
        """Everything needed to restore this state."""
        return msgspec.msgpack.encode(_Saved("erring", self._record, self.world.snapshot()))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if this is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
        except msgspec.MsgspecError:
            raise ValueError("This is not a snapshot of a world whose detectors err.") from None
        if saved.erring != "erring":
            raise ValueError("This is not a snapshot of a world whose detectors err.")
        self.world.restore(saved.inner)
        for name in saved.record.__struct_fields__:
            setattr(self._record, name, getattr(saved.record, name))

    @property
    def extended(self) -> Callable[[], FaultyDetectors] | None:
        """The extended inner world, under the same errors; None if it has no extension."""
        extendable = find_ability(self.world, Extendable)
        return None if extendable is None else lambda: self._around(extendable.extended())

    def _around(self, world: World) -> FaultyDetectors:
        """The same errors around another form of the same world."""
        other = copy.copy(self)
        other._surround(world)
        return other

    def __getattr__(self, name: str) -> Any:
        if name == "world":  # not there yet, while unpickling or copying
            raise AttributeError(name)
        return getattr(self.world, name)


def _fact(condition: Condition) -> _Fact:
    return condition.relation, tuple(sorted(condition.arguments.items()))


def _share(rate: float) -> str:
    return f"one in {round(1 / rate)}" if rate <= 0.4 else f"{round(10 * rate)} in ten"


def _strange_name(name: str, names: Sequence[str], record: _Record) -> str:
    """What a thing may be mistaken for: its noun with another thing's adjective."""
    *_, noun = name.split()
    words = sorted({other.rsplit(" ", 1)[0] for other in names if " " in other} - {name.rsplit(" ", 1)[0]})
    others = [word for word in words if f"{word} {noun}" not in names]
    word = others[int(record.chance("name", name) * len(others))] if others else "other"
    return f"{word} {noun}"


def _without(state: WorldState, names: set[str]) -> WorldState:
    """The state without anything about some things."""
    return replace(
        state,
        objects=tuple(name for name in state.objects if name not in names),
        relations=tuple(each for each in state.relations if not names & _named(each.arguments)),
        attributes={name: known for name, known in state.attributes.items() if name not in names},
    )


def _named(arguments: Arguments) -> set[str]:
    return {value for value in arguments.values() if isinstance(value, str)}
