"""The household world: a robot in a whole home, in VirtualHome's graph simulator.

The robot acts as VirtualHome's scripts do. Nothing here has a weight or a place in metres: a home is a graph of what is
in, on and close to what, and of which things are open, on, dirty or plugged in. An impossible action only takes time.
In this version of VirtualHome, doors stop nobody, open or closed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from thinkaloud.clock import Clock
from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import DidNotWork, SkillError, UnknownName
from thinkaloud.records import Arguments, Condition, Observation, Value
from thinkaloud.skills import Relation, Skill, condition_holds, relations_of
from thinkaloud.skills.self_repair import may_fix
from thinkaloud.worlds.contract import Briefing, World
from thinkaloud.worlds.drawing import Place as Plotted
from thinkaloud_worlds.household.actions import ACTION_TICK, ACTIONS, BY_VERB, TO_ANOTHER_ROOM, Action
from thinkaloud_worlds.household.argument_choices import vocabulary_of
from thinkaloud_worlds.household.declared_effects import find_home_ends, find_home_needs
from thinkaloud_worlds.household.engine import HomeState, perform
from thinkaloud_worlds.household.failure_texts import render_failure
from thinkaloud_worlds.household.home_graph import HomeGraph
from thinkaloud_worlds.household.predefined_fixes import find_predefined_fix
from thinkaloud_worlds.household.random_homes import draw_home
from thinkaloud_worlds.household.relations import HomeTruth
from thinkaloud_worlds.household.snapshots import SavedHome, restore_state, saved_of
from thinkaloud_worlds.household.visible_scene import find_in_view, state_in_view


class HomeClock:
    """A clock that advances as the robot acts."""

    def __init__(self, world: Household) -> None:
        self._world = world

    def now(self) -> float:
        """Seconds since the episode began."""
        return self._world.now

    async def sleep(self, seconds: float) -> None:
        """Let time pass; nothing else happens in a home."""
        self._world.now += max(seconds, 0.0)
        await asyncio.sleep(0)


class Household(HomeTruth):
    """A whole home, and a robot that acts by VirtualHome's rules; from a scene, or drawn from the seed (HiCRISP).

    world = Household(Home.of_program("27_2"))
    print(world.observe().objects, world.skills["find"].signature.text())
    """

    name = "household"
    briefing = Briefing(paper="hicrisp", examples=("Turn on the radio.",))

    def __init__(self, home: HomeGraph | None = None) -> None:
        self._given = home
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.skills: Mapping[str, Skill] = {name: self._skill(action) for name, action in ACTIONS.items()}
        self.clock: Clock = HomeClock(self)
        self._home: HomeGraph | None = None
        self.now = 0.0
        if home is not None:
            self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a new episode, in the given home or in one drawn from the seed."""
        self._begin(self._given or draw_home(seed), seed)

    def with_slips(self, rate: float) -> World:
        """The same home, in which this share of the hand's motions comes to nothing."""
        from thinkaloud_worlds.household.slips import Slipping

        return Slipping(self, rate)

    def _begin(self, home: HomeGraph, seed: int) -> None:
        self._state = _start_of(home)
        self._home, self._seed, self.now = home, seed, 0.0
        self._script: list[str] = []
        self._errors: list[str] = []
        self._seen = frozenset[int]()
        self._look()

    # Contents ---------------------------------------------------------------------------------------------------------

    @property
    def home(self) -> HomeGraph:
        """The home as it was at the start; if none was given, it is drawn on first use."""
        if self._home is None:
            self.reset(0)
        assert self._home is not None
        return self._home

    @property
    def state(self) -> HomeState:
        """The home as it is now."""
        return self._state if self._home is not None else _start_of(self.home)

    @property
    def names(self) -> Mapping[int, str]:
        """The everyday name of each node of the home."""
        return self.home.names

    @property
    def ids(self) -> Mapping[str, int]:
        """The node of the home that a name stands for."""
        return self.home.ids

    @property
    def script(self) -> tuple[str, ...]:
        """The lines carried out so far, in VirtualHome's format: `[GRAB] <apple> (113)`."""
        return tuple(self._script)

    @property
    def errors(self) -> tuple[str, ...]:
        """VirtualHome's own messages for the actions that failed."""
        return tuple(self._errors)

    def observe(self) -> Observation:
        """What is in the robot's room and not in a closed container, what it holds, and what is close to it."""
        names, view = self.home.names, find_in_view(self.home, self.state)
        hidden = tuple(names[thing] for thing in sorted(self._seen.difference(view)))
        state = state_in_view(self.home, self.state, view, self.relations)
        return Observation(tuple(names[thing] for thing in view), _vocabulary(self.home), hidden, state=state)

    def _look(self) -> None:
        self._seen = self._seen.union(find_in_view(self.home, self.state))

    def plan_drawn(self) -> tuple[Plotted, ...]:
        """The rooms side by side, with what is in view in the robot's room."""
        names, here = self.home.names, self.state.room_of(self.home.character)
        rooms = sorted({*self.home.rooms.values()})
        seen = tuple(names[thing] for thing in find_in_view(self.home, self.state))
        return tuple(
            Plotted(
                names[room],
                4.0 * (i % 2),
                -4.0 * (i // 2),
                "room",
                None,
                (3.6, 3.6),
                room == here,
                seen * (room == here),
            )
            for i, room in enumerate(rooms)
        )

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world now, by its true state."""
        return condition_holds(condition, self.relations)

    # Acting -----------------------------------------------------------------------------------------------------------

    def _skill(self, action: Action) -> Skill:
        async def act(**given: Value) -> str:
            return await self._do(action, [str(value) for value in given.values()])

        def effects(**given: Value) -> tuple[tuple[str, Arguments], ...]:
            if action.effect == "close_to" and self.home.is_room(str(given["thing"])):
                return (("in_room", {"room": given["thing"]}),)
            return ((action.effect, given),)

        def needs(**given: Value) -> tuple[tuple[str, Arguments], ...]:
            return find_home_needs(self.home, self.state, action.signature.name, given)

        def ends(**given: Value) -> tuple[tuple[str, Arguments], ...]:
            return find_home_ends(self.home, self.state, action.signature.name, given)

        effects_of = effects if action.effect else None
        return Skill(action.signature, act, effects=effects_of, needs=needs, ends=ends)

    def line_of(self, skill: str, *names: str) -> str:
        """The line of a script that a skill with these names stands for."""
        if skill not in ACTIONS:
            raise UnknownName("skill", skill, ACTIONS)
        return self._line(ACTIONS[skill], [self.id_of(name) for name in names])

    def step_of(self, line: str) -> tuple[str, dict[str, str]]:
        """The skill and arguments for a line of a script. Raises UnknownName for anything that is not here."""
        verb = re.match(r"\s*\[(\w+)\]", line)
        action = BY_VERB.get(verb[1].upper()) if verb else None
        if action is None:
            raise UnknownName("action", line.strip(), BY_VERB)
        found = [int(number.rpartition(".")[2]) for number in re.findall(r"<[^<>]*>\s*\(([\d.]+)\)", line)]
        parameters = [p.name for p in action.signature.parameters]
        if len(found) != len(parameters) or not all(number in self.names for number in found):
            raise UnknownName("thing", line.strip(), self.ids)
        return action.signature.name, {p: self.names[number] for p, number in zip(parameters, found, strict=True)}

    def _line(self, action: Action, things: list[int]) -> str:
        said = (f" <{re.sub('[^a-z0-9_-]', '_', self.home.by_id[t].class_name.lower())}> ({t})" for t in things)
        return f"[{action.verb}]{''.join(said)}"

    async def _do(self, action: Action, names: list[str]) -> str:
        """Run an action; if it needs a predefined fix and that is allowed, apply the fix first."""
        things = [self.id_of(name) for name in names]
        while True:
            try:
                return await self._act(action, things)
            except SkillError as error:
                remedy = find_predefined_fix(str(error))
                if remedy is None:
                    raise
                first, about = ACTIONS[remedy.skill], [self.id_of(name) for name in remedy.things]
                doable = perform(self.state, self._line(first, about))[0] is not None
                if not doable or not may_fix(str(error), remedy.words):
                    raise
                await self._act(first, about)

    async def _act(self, action: Action, things: list[int]) -> str:
        """Run an action that takes effect only at its end, so that a stop leaves nothing half done."""
        line = self._line(action, things)
        after, _ = perform(self.state, line)
        ticks = action.ticks if after is not None else 1
        if after is not None and action.walks and after.room_of(after.character) != self.state.room_of(after.character):
            ticks = ticks * TO_ANOTHER_ROOM // 4
        for _ in range(ticks):
            safe_point()
            self.now += ACTION_TICK
            await tick()
        after, said = perform(self.state, line)
        if after is None:
            self._errors.append(said)
            raise DidNotWork(render_failure(said, self.home, self.state))
        self._state = after
        self._script.append(line)
        self._look()
        return f"Done: {line}"

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        saved = saved_of(_start_of(self.home), self.state)
        kept = (self.name, self.home.digest, self._seed, self.now, self.script, self.errors, tuple(sorted(self._seen)))
        return msgspec.msgpack.encode(SavedHome(*kept, *saved))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=SavedHome)
        except msgspec.MsgspecError:
            raise ValueError("This is not a snapshot of a household world.") from None
        if saved.world != self.name:
            raise ValueError(f"This is a snapshot of the world {saved.world!r}, not of {self.name!r}.")
        home = self._given or draw_home(saved.seed)
        if home.digest != saved.home:
            raise ValueError("This is a snapshot of another home; open the world with the home it was taken in.")
        state = restore_state(_start_of(home), saved)
        self._home, self._state, self._seed, self.now = home, state, saved.seed, saved.now
        self._script, self._errors, self._seen = list(saved.script), list(saved.errors), frozenset(saved.seen)

    def twin(self) -> Household:
        """A copy of this world in its present state, for trying things out."""
        other = type(self)(self._given)
        other.restore(self.snapshot())
        return other


@lru_cache(maxsize=32)
def _start_of(home: HomeGraph) -> HomeState:
    return HomeState.of(home)


@lru_cache(maxsize=32)
def _vocabulary(home: HomeGraph) -> Mapping[str, tuple[str, ...]]:
    return vocabulary_of(home)
