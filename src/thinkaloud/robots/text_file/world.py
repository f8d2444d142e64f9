"""The world of a robot in a text file: a skill makes its declared effects true, and nothing else happens."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import msgspec

from thinkaloud.clock import Clock, ManualClock
from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import DidNotWork, SkillError
from thinkaloud.records import Arguments, Condition, Observation, Value, WorldState
from thinkaloud.robots.text_file.facts import FactPattern, GroundFact, deny, spell_fact
from thinkaloud.robots.text_file.reading import parse_robot, read_robot
from thinkaloud.robots.text_file.robot import RobotFile, RobotRelation, RobotSkill
from thinkaloud.robots.text_file.view import draw_places, find_picture
from thinkaloud.skills import Measure, Relation, Skill, condition_holds
from thinkaloud.skills.ranges import depends_on_things, range_precondition
from thinkaloud.skills.signatures import capitalised
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.drawing import Place, PlanPicture
from thinkaloud.worlds.full_world import opposite_name

_TICK, _TICKS = 0.25, 4  # seconds, and how many of them a skill takes
_NOT_KNOWN = "unknown"  # for things whose value the file does not give
_OTHERWISE = "{%s} stays where it is."


_MOST_CALLS = 50
"""They are part of every snapshot: a robot that works for a week makes thousands."""


class _Saved(msgspec.Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    world: str
    robot: str
    seed: int
    now: float
    facts: tuple[tuple[str, tuple[Value, ...]], ...]
    calls: tuple[tuple[str, dict[str, Value]], ...]
    values: tuple[tuple[tuple[str, tuple[Value, ...]], Value], ...] = ()
    """The values that differ from those in the file."""


class TextFileWorld:
    """A robot that a text file describes: declared effects come true, and nothing else happens.

    world = TextFileWorld("examples/robots/tea_kitchen.toml")
    await world.skills["fill"].run({"vessel": "kettle"})
    print(world.facts(), world.calls)
    """

    def __init__(self, robot: RobotFile | Path | str) -> None:
        """`robot` is a file, its text, or the result of `read_robot`. Every seed starts in the same state."""
        if isinstance(robot, str):
            robot = _parsed(robot) if "\n" in robot else read_robot(robot)
        self.robot = read_robot(robot) if isinstance(robot, Path) else robot
        self.name = self.robot.name
        self.briefing = Briefing(about=self.robot.about)
        self.never, self.people, self.budget = self.robot.never, self.robot.people, self.robot.budget
        self._time = ManualClock()
        self.clock: Clock = self._time
        self.relations: Mapping[str, Relation] = {
            name: self._relation(each) for name, each in self.robot.relations.items()
        }
        self.skills: Mapping[str, Skill] = {name: self._skill(each) for name, each in self.robot.skills.items()}
        self.measures: Mapping[str, Measure] = {name: self._measure(name) for name in self.robot.values}
        self._vocabulary = dict(self.robot.kinds)
        self._order = {name: number for number, name in enumerate(self.robot.relations)}
        self._digest = self.robot.digest
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a new episode in the file's start state, whatever the seed."""
        self._seed, self._time.seconds = seed, 0.0
        self._facts = frozenset(self.robot.facts)
        self._values = self._changed = dict(self.robot.measured)
        self._calls: deque[tuple[str, dict[str, Value]]] = deque(maxlen=_MOST_CALLS)

    # What is so -------------------------------------------------------------------------------------------------------

    @property
    def calls(self) -> list[tuple[str, dict[str, Value]]]:
        """The latest skills carried out, with their arguments, in order, without those that failed; 50 at most."""
        return [(skill, dict(arguments)) for skill, arguments in self._calls]

    def facts(self) -> set[str]:
        """What is true now, as the file writes it: `wet(fern)`."""
        return {spell_fact(atom) for atom in self._facts}

    def observe(self) -> Observation:
        """Everything: what there is, and what is true of it."""
        said = tuple(self._condition(atom) for atom in self._in_order(self._facts))
        state = WorldState(self.robot.things, said, self._read_off(self._values))
        return Observation(self.robot.things, self._vocabulary, state=state)

    def plan_drawn(self) -> tuple[Place, ...]:
        """The places that the file puts on a plan."""
        return draw_places(self.robot, self._in_order(self._facts))

    def plan_picture(self) -> PlanPicture | None:
        """The picture under the plan."""
        return find_picture(self.robot)

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world, really and now."""
        return condition_holds(condition, self.relations)

    def _in_order(self, facts: Iterable[GroundFact]) -> list[GroundFact]:
        return sorted(facts, key=lambda atom: (self._order[atom[0]], [*map(str, atom[1])]))

    def _named(self, atom: GroundFact) -> tuple[str, dict[str, Value]]:
        """A fact with its arguments by name."""
        parameters = self.robot.relations[atom[0]].signature.parameters
        return atom[0], dict(zip((p.name for p in parameters), atom[1], strict=True))

    def _measured(self, atom: GroundFact) -> tuple[str, dict[str, Value]]:
        """A value's name, and what it is of."""
        parameters = self.robot.values[atom[0]].parameters
        return atom[0], dict(zip((p.name for p in parameters), atom[1], strict=True))

    def _condition(self, atom: GroundFact) -> Condition:
        name, arguments = self._named(atom)
        return self.relations[name].condition(arguments)

    def _atom(self, condition: Condition) -> GroundFact:
        parameters = self.robot.relations[condition.relation].signature.parameters
        return condition.relation, tuple(condition.arguments[p.name] for p in parameters)

    def _relation(self, described: RobotRelation) -> Relation:
        signature = described.signature
        names = [p.name for p in signature.parameters]

        def holds(**given: Value) -> bool:
            return (signature.name, tuple(given.get(name, "") for name in names)) in self._facts

        otherwise = _OTHERWISE % names[0] if described.single and len(names) == 2 else ""
        return Relation(signature, holds, otherwise, single=described.single)

    def _measure(self, name: str) -> Measure:
        signature = self.robot.values[name]

        def read(**given: Value) -> Value:
            return self._values.get((name, tuple(given.get(p.name, "") for p in signature.parameters)), _NOT_KNOWN)

        return Measure(signature, read)

    def _read_off(self, values: Mapping[GroundFact, Value]) -> dict[str, dict[str, Value]]:
        """The measures of single things."""
        found: dict[str, dict[str, Value]] = {}
        for (name, about), value in values.items():
            if len(about) == 1 and about[0] in self.robot.things:
                found.setdefault(str(about[0]), {})[name] = value
        return found

    # Acting -----------------------------------------------------------------------------------------------------------

    def _skill(self, described: RobotSkill) -> Skill:
        signature = described.signature

        async def act(**given: Value) -> str:
            return await self._do(described, given)

        def refuse(observation: Observation, /, **given: Value) -> str | None:
            state = observation.state
            return self._unmet(described, given, self._facts if state is None else self._atoms(state)) or None

        def needs(**given: Value) -> tuple[tuple[str, Arguments], ...]:
            found = [(each.negated, *self._named(each.filled(given))) for each in described.needs.of(given)]
            return tuple((opposite_name(name) if negated else name, values) for negated, name, values in found)

        def effects(**given: Value) -> tuple[tuple[str, Arguments], ...]:
            return tuple(map(self._named, described.makes.filled(given)))

        def ends(**given: Value) -> tuple[tuple[str, Arguments], ...]:
            return tuple(map(self._named, self._ended(described, given)))

        def remembers(state: WorldState, /, **given: Value) -> WorldState:
            known = {self._atom(each): each for each in state.relations if each.relation in self.relations}
            strange = [each for each in state.relations if each.relation not in self.relations]
            after = self._in_order(self._after(described, given, known))
            said = (known.get(atom) or self._condition(atom) for atom in after)
            return replace(
                state, relations=(*said, *strange), attributes=self._attributes_after(described, given, state)
            )

        def changes(**given: Value) -> tuple[tuple[str, Arguments, Value], ...]:
            after = described.changes.after(given, self._values)
            changed = (each.value.filled(given) for each in described.changes.of(given))
            return tuple((*self._measured(atom), after.get(atom, _NOT_KNOWN)) for atom in changed)

        def check(**given: Value) -> str | None:
            return None if self._values == self._changed else f"{signature.name} did not change what it should."

        single = any(
            self.robot.relations[p.relation].single for each in described.makes.patterns.values() for p in each
        )
        return Skill(
            signature,
            act,
            preconditions=(
                *((refuse,) if described.needs else ()),
                *((range_precondition(signature, lambda: self.measures),) if depends_on_things(signature) else ()),
            ),
            effects=effects if described.makes else None,
            remembers=remembers,
            needs=needs if described.needs else None,
            ends=ends if described.ends or single else None,
            check=check if described.changes and not described.makes else None,
            approval=described.approval,
            asked_by=described.asked_by,
            approvers=described.approvers,
            costs=described.costs,
            emergency=signature.name == self.robot.emergency,
            changes=changes if described.changes else None,
            repeat=described.repeat,
        )

    def _atoms(self, state: WorldState) -> set[GroundFact]:
        return {self._atom(each) for each in state.relations if each.relation in self.relations}

    def _unmet(self, described: RobotSkill, given: Arguments, facts: Collection[GroundFact]) -> str:
        """The unmet needs of a skill, in words."""
        unmet = [each for each in described.needs.of(given) if (each.filled(given) in facts) is each.negated]
        told: list[str] = []
        for pattern in unmet:
            name, arguments = self._named(pattern.filled(given))
            signature = self.robot.relations[name].signature
            told.append(capitalised(signature.render(arguments)) if pattern.negated else deny(signature, arguments))
        return " ".join(told)

    def _ended(self, described: RobotSkill, given: Arguments) -> list[GroundFact]:
        """What no longer holds after a skill: what it ends, and the other values of single relations."""
        made = described.makes.filled(given)
        ended = dict.fromkeys(atom for each in described.ends.of(given) for atom in self._meant(each, given))
        for name, values in made:
            if self.robot.relations[name].single:
                last = self.robot.relations[name].signature.parameters[-1]
                others = map(last.value, last.options(self.robot.kinds) or ())
                ended |= dict.fromkeys((name, (*values[:-1], other)) for other in others)
                ended |= dict.fromkeys(atom for atom in self._facts if atom[0] == name and atom[1][:-1] == values[:-1])
        return [atom for atom in ended if atom not in made]

    def _meant(self, pattern: FactPattern, given: Arguments) -> list[GroundFact]:
        """The facts that a pattern stands for: one, or with `*` all that could be so here."""
        if not pattern.is_open:
            return [pattern.filled(given)]
        calls = self.robot.relations[pattern.relation].signature.calls(self.robot.kinds)
        possible = dict.fromkeys([*((pattern.relation, tuple(call.values())) for call in calls), *self._facts])
        return [atom for atom in possible if pattern.fits(atom, given)]

    def _after(self, described: RobotSkill, given: Arguments, facts: Collection[GroundFact]) -> set[GroundFact]:
        made, ended = described.makes.filled(given), {*self._ended(described, given)}
        for name, values in made:
            if self.robot.relations[name].single:
                ended |= {atom for atom in facts if atom[0] == name and atom[1][:-1] == values[:-1]}
        return {atom for atom in facts if atom not in ended}.union(made)

    def _attributes_after(
        self, described: RobotSkill, given: Arguments, state: WorldState
    ) -> Mapping[str, Mapping[str, Value]]:
        """What is remembered of things' values after a skill."""
        if not described.changes:
            return state.attributes
        known: dict[GroundFact, Value] = {
            (name, (thing,)): value for thing, each in state.attributes.items() for name, value in each.items()
        }
        return self._read_off(described.changes.after(given, {**self._values, **known}))

    def _problem(self, described: RobotSkill, given: Arguments) -> str:
        if unmet := self._unmet(described, given, self._facts):
            return unmet
        secret = described.hidden.of(given)
        as_it_should = all((pattern.filled(given) in self._facts) is not pattern.negated for pattern in secret)
        return "" if as_it_should else described.hidden_says

    async def _do(self, described: RobotSkill, given: Arguments) -> str:
        """Apply the effects at the end. Nothing changes before that, so a stop leaves nothing half done."""
        arguments = described.signature.check(given, self._vocabulary)
        for _ in range(1 if self._problem(described, arguments) else _TICKS):
            safe_point()
            self._time.seconds += _TICK
            await tick()
        if problem := self._problem(described, arguments):
            known = bool(self._unmet(described, arguments, self._facts))
            raise SkillError(problem) if known else DidNotWork(problem)
        self._facts = frozenset(self._after(described, arguments, self._facts))
        self._values = self._changed = described.changes.after(arguments, self._values)
        self._calls.append((described.signature.name, arguments))
        return "Done."

    # State ------------------------------------------------------------------------------------------------------------

    def twin(self) -> TextFileWorld:
        """The same robot in the same state, to try things in."""
        other = TextFileWorld(self.robot)
        other.restore(self.snapshot())
        return other

    def snapshot(self) -> bytes:
        """Everything needed to restore this state."""
        facts = tuple(self._in_order(self._facts))
        begun = self.robot.measured
        changed = tuple((atom, value) for atom, value in self._values.items() if begun.get(atom) != value)
        changed += tuple((atom, _NOT_KNOWN) for atom in begun if atom not in self._values)
        saved = _Saved(self.name, self._digest, self._seed, self._time.seconds, facts, tuple(self._calls), changed)
        return msgspec.msgpack.encode(saved)

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if this is not a snapshot of this robot."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
        except msgspec.MsgspecError:
            raise ValueError(f"This is not a snapshot of the robot {self.name!r}.") from None
        if saved.world != self.name:
            raise ValueError(f"This is a snapshot of the world {saved.world!r}, not of {self.name!r}.")
        if saved.robot != self._digest:
            raise ValueError(f"This is a snapshot of another robot named {self.name!r}; the file has changed.")
        if not (math.isfinite(saved.now) and saved.now >= 0) or not all(map(self._is_possible, saved.facts)):
            raise ValueError(f"This is not a snapshot of the robot {self.name!r}: this state is impossible for it.")
        self._seed, self._time.seconds, self._facts = saved.seed, saved.now, frozenset(saved.facts)
        self._calls = deque(saved.calls, _MOST_CALLS)
        self._values = self._changed = {**self.robot.measured, **dict(saved.values)}

    def _is_possible(self, atom: GroundFact) -> bool:
        known = self.robot.relations.get(atom[0])
        return known is not None and len(known.signature.parameters) == len(atom[1])


@lru_cache(maxsize=32)
def _parsed(text: str) -> RobotFile:
    """The robot of a text; worlds of one text share it."""
    return parse_robot(text)
