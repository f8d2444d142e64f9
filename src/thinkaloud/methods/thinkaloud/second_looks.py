"""Look again before believing: a world for a robot whose detectors make errors, and that estimates how many.

A reading is evidence, not a fact. For each question, the robot looks again, each time in a new picture, until one
answer is likely enough or enough looks were taken. A thing is there if it was seen in enough of a few looks. So every
part that reads the world (what was achieved, whether a step worked, what is left to do, whether the goal is met) gets
the weighed answer, and the same one as long as nothing has moved. The error rate is estimated from how often detectors
contradict themselves (`detector_error_rates.py`); a world only says that they make errors. If they do not, the world is
used as it is.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from thinkaloud.methods.thinkaloud.detector_error_rates import JudgingRates, SeeingRates
from thinkaloud.records import Condition, Observation, Value
from thinkaloud.skills import Relation, Skill
from thinkaloud.worlds.contract import Fallible, Scanning, World, find_ability
from thinkaloud.worlds.full_world import base_name, is_opposite

_SURE = math.log(199)
"""How much more likely one answer must be than the other: 199 to 1."""
_MOST_READINGS = 40
_SCENE_LOOKS = 15
_Asked = tuple[str, tuple[tuple[str, Value], ...]]


class _Reading(NamedTuple):
    """What is believed, and how many looks said yes and no."""

    so: bool
    yes: int
    no: int


def looked_at_again(world: World) -> World:
    """Return the world as believed after second looks, if its detectors make errors; else the world itself."""
    fallible = find_ability(world, Fallible)
    if fallible is None or not (fallible.error_rates.misjudges or fallible.error_rates.missees):
        return world
    return SecondLooks(fallible)


class SecondLooks:
    """Wraps a world whose readings are not believed at first sight; see the module's description."""

    def __init__(self, world: Fallible) -> None:
        self._world = world
        self.name, self.clock = world.name, world.clock
        self.skills: Mapping[str, Skill] = {name: self._forgetting(skill) for name, skill in world.skills.items()}
        self.relations: Mapping[str, Relation] = {name: self._weighed(each) for name, each in world.relations.items()}
        self._begin()
        self._at = self.clock.now()

    def _begin(self) -> None:
        """Start with no readings, and no knowledge of the detectors."""
        self._judging, self._seeing = JudgingRates(), SeeingRates(_SCENE_LOOKS)
        self._readings: dict[_Asked, _Reading] = {}

    def _forgetting(self, skill: Skill) -> Skill:
        """The same skill; readings from before it do not count after it."""

        @functools.wraps(skill.function)
        async def call(**arguments: Any) -> Any:
            try:
                return await skill.run(arguments)
            finally:
                self._readings.clear()

        return replace(skill, function=call, check=self._checking(skill.check))

    def _checking(self, check: Callable[..., str | None] | None) -> Callable[..., str | None] | None:
        """A check that the majority of a few looks decides."""
        if check is None or not self._world.error_rates.misjudges:
            return check

        def decided(**arguments: Any) -> str | None:
            found = [check(**arguments)]
            while len(found) < _SCENE_LOOKS:
                self._world.observe()
                found.append(check(**arguments))
            problems = [problem for problem in found if problem]
            return Counter(problems).most_common(1)[0][0] if len(problems) > len(found) / 2 else None

        return decided

    def _weighed(self, relation: Relation) -> Relation:
        name = relation.signature.name
        return replace(relation, holds=lambda **arguments: self.holds(Condition(name, arguments, "")))

    # What is true -----------------------------------------------------------------------------------------------------

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true, by as many looks as it takes."""
        if is_opposite(condition.relation):
            return not self.holds(replace(condition, relation=base_name(condition.relation)))
        if not self._world.tell_doubt([condition]):
            return self._world.holds(condition)
        if self.clock.now() != self._at:
            self._readings.clear()
            self._at = self.clock.now()
        asked = _asked(condition)
        if asked not in self._readings:
            self._readings[asked] = self._read(condition)
        return self._readings[asked].so

    def _read(self, condition: Condition) -> _Reading:
        yes = no = 0
        while abs(self._judging.odds(yes, no)) < _SURE and yes + no < _MOST_READINGS:
            if yes + no:
                self._world.observe()  # a new picture, because a detector repeats its answer for the same one
            so = self._world.holds(condition)
            yes, no = yes + so, no + (not so)
        believed = self._judging.odds(yes, no) > 0
        self._judging.learn(yes, no)
        return _Reading(believed, yes, no)

    def tell_doubt(self, conditions: Sequence[Condition]) -> str:
        """Return in how many looks the answer was given, if not in all."""
        found = [reading for each in conditions if (reading := self._readings.get(_asked(each))) is not None]
        split = [(max(each.yes, each.no), each.yes + each.no) for each in found if each.yes and each.no]
        if not split:
            return ""
        agreed, looks = min(split, key=lambda each: each[0] / each[1])
        return f"so in {agreed} of {looks} looks"

    # What is there ----------------------------------------------------------------------------------------------------

    def observe(self) -> Observation:
        """Return what is there, by a few looks."""
        return self._agreed(self._world.observe())

    @property
    def rescan(self) -> Callable[[], Observation] | None:
        """Look more closely, if the world can; None otherwise."""
        scanning = find_ability(self._world, Scanning)
        return None if scanning is None else lambda: self._agreed(scanning.rescan())

    def _agreed(self, first: Observation) -> Observation:
        if not self._world.error_rates.missees:
            return first
        looks = [first, *(self._world.observe() for _ in range(_SCENE_LOOKS - 1))]
        self._seeing.learn(Counter(name for look in looks for name in {*look.objects}).values())
        enough = self._seeing.enough
        kinds = dict.fromkeys(kind for look in looks for kind in look.vocabulary)
        objects = _in_enough((look.objects for look in looks), enough)
        known = _in_enough(((*look.objects, *look.hidden) for look in looks), enough)
        fullest = max(looks, key=lambda look: len({*known} & {*look.objects}))
        return replace(
            fullest,
            objects=objects,
            hidden=tuple(name for name in known if name not in objects),
            vocabulary={kind: _in_enough((look.vocabulary.get(kind, ()) for look in looks), enough) for kind in kinds},
        )

    # The rest of a world ----------------------------------------------------------------------------------------------

    def reset(self, seed: int) -> None:
        """Begin a new episode, with no knowledge of the detectors."""
        self._begin()
        self._world.reset(seed)

    def snapshot(self) -> bytes:
        """Return everything needed to restore this state."""
        return self._world.snapshot()

    def restore(self, snapshot: bytes) -> None:
        """Restore that state."""
        self._readings.clear()
        self._world.restore(snapshot)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_world":
            raise AttributeError(name)
        return getattr(self._world, name)


def _asked(condition: Condition) -> _Asked:
    """Return what is read to decide whether a condition or its opposite is true."""
    return base_name(condition.relation), tuple(sorted(condition.arguments.items()))


def _in_enough(looks: Iterable[Sequence[str]], share: float) -> tuple[str, ...]:
    """Return what is in enough of the looks, in the order in which it was first seen."""
    found = [tuple(dict.fromkeys(look)) for look in looks]
    counts = Counter(name for look in found for name in look)
    return tuple(name for name, count in counts.items() if count > len(found) * share)
