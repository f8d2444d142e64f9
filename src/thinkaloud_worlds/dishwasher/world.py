"""The dishwasher world: a machine that is loaded, filled, started and waited for; it needs no physics.

The machine runs by itself. A cycle locks the door until it ends; afterwards things are hot and wet, and dry
exponentially, in one to three waits of five minutes. A thing that was in the wrong place, not prepared, or treated
without an additive comes out as it went in. The robot sees where everything is and the state of the machine; it learns
whether a thing is clean and dry only by checking. With other words in the scene, the machine is a kiln, an oven, ….

Not covered: how much fits into a compartment, and what breaks.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from thinkaloud.clock import Clock
from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import DidNotWork, SkillError, UnknownName
from thinkaloud.guidelines import shipped_text
from thinkaloud.records import Arguments, Condition, Observation, Value, WorldState
from thinkaloud.skills import FactsOfArguments, Relation, Skill, condition_holds
from thinkaloud.worlds.contract import Briefing
from thinkaloud_worlds.dishwasher.known_state import IN_HAND, read_known_state, write_state
from thinkaloud_worlds.dishwasher.picture import machine_picture
from thinkaloud_worlds.dishwasher.scene import DEFAULT_MACHINE, MachineScene, kind_without_number, read_machine_scene
from thinkaloud_worlds.dishwasher.skill_texts import (
    EFFECTS,
    NEEDS,
    SKILL_ENDS,
    Declared,
    Wording,
    relation_signatures,
    wordings,
)
from thinkaloud_worlds.dishwasher.true_state import MachineAction, Process, SavedMachine

_TICK = 0.5  # minutes of the machine, and seconds of the clock
_TICKS = {"open": 1, "start": 1, "check": 1}
_USUAL = 2  # ticks that any other action takes
_GUIDELINES = "dishwashing"
_PROGRAMS = Path(__file__).parent / "programs.txt"


class LapseClock:
    """A time-lapse clock: one second is a minute of the machine."""

    def __init__(self, world: Dishwasher) -> None:
        self._world = world

    def now(self) -> float:
        """Minutes of the machine since the episode began."""
        return self._world.process.now

    async def sleep(self, seconds: float) -> None:
        """Let the machine run."""
        self._world.process.go_on(max(seconds, 0.0))
        await asyncio.sleep(0)


class Dishwasher:
    """A machine, things that go into it, and a gripper that holds one of them at a time.

    world = Dishwasher()
    world.reset(7)
    print(list(world.skills), world.observe().state)
    """

    name = "dishwasher"

    def __init__(self, scene: MachineScene | None = None) -> None:
        self.scene = scene or DEFAULT_MACHINE
        self.scene.check()
        briefing = Briefing(programs=_PROGRAMS.read_text(encoding="utf-8"))
        if self.scene == DEFAULT_MACHINE:
            example = "Wash one plate and one fork."
            briefing = replace(briefing, guidelines=shipped_text(_GUIDELINES), preset="itp", examples=(example,))
        self.briefing = briefing
        self.process = Process(self.scene, 0)
        self.clock: Clock = LapseClock(self)
        signatures = relation_signatures(self.scene)
        self.relations: Mapping[str, Relation] = {s.name: Relation(s, getattr(self, s.name)) for s in signatures}
        worded = wordings(self.scene)
        self.skills: Mapping[str, Skill] = {each.signature.name: self._skill(each) for each in worded}
        self.deeds: Mapping[str, str] = {each.signature.name: each.deed for each in worded}
        """What each skill does, whatever it is called in this scene: grasp, prepare, put, additive, …"""

    def reset(self, seed: int) -> None:
        """Begin a new episode: everything is at the start place, and the machine is empty and closed."""
        self.process = Process(self.scene, seed)

    def observe(self) -> Observation:
        """Where everything is, and the state of the machine; what is inside the closed machine is hidden."""
        known, scene = self.process.known, self.scene
        shut = () if known.open else tuple(self.process.rules.inside(known))
        vocabulary = {
            scene.item: scene.kinds,
            scene.compartment: scene.compartments,
            scene.additive: scene.additives,
            "object": scene.names,
            "location": (scene.start_place, scene.finished),
        }
        seen = tuple(name for name in scene.names if name not in shut)
        return Observation((*seen, scene.machine), vocabulary, shut, state=write_state(scene, known, self.relations))

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of the machine and its things, for people."""
        return machine_picture(self.process, width, height)

    # True state, for judges -------------------------------------------------------------------------------------------

    def items_at(self, place: str) -> Counter[str]:
        """How many of each kind are at the start place, the finished place or a compartment."""
        self._named("place", place, (self.scene.start_place, self.scene.finished, *self.scene.compartments))
        return Counter(kind_without_number(name) for name, where in self.process.known.places.items() if where == place)

    def loaded_now(self) -> dict[str, str]:
        """What is in the machine, and in which compartment."""
        known = self.process.known
        return {name: known.places[name] for name in self.process.rules.inside(known)}

    def holding(self) -> str | None:
        """What is in the gripper."""
        return self.process.known.held or None

    def additive_used(self) -> str | None:
        """The additive of the latest cycle; None if it had none, or if there was no cycle."""
        return (self.process.used[-1] or None) if self.process.used else None

    def additives_used(self) -> tuple[str | None, ...]:
        """The additive of each cycle, in order."""
        return tuple(each or None for each in self.process.used)

    @property
    def history(self) -> tuple[MachineAction, ...]:
        """All actions in order: what, on what, and where; empty as long as nothing was moved."""
        return tuple(self.process.history)

    # Relations --------------------------------------------------------------------------------------------------------

    def at(self, object: str, location: str) -> bool:
        """Whether a thing is at the start place or at the finished place."""
        self._named("location", location, (self.scene.start_place, self.scene.finished))
        return self._place(object) == location

    def loaded(self, object: str, compartment: str) -> bool:
        """Whether a thing is on a compartment."""
        self._named(self.scene.compartment, compartment, self.scene.compartments)
        return self._place(object) == compartment

    def held(self, object: str) -> bool:
        """Whether a thing is in the gripper."""
        return self._place(object) == IN_HAND

    def prepared(self, object: str) -> bool:
        """Whether a thing was prepared."""
        return bool(self._place(object) is not None and object in self.process.known.prepared)

    def washed(self, object: str) -> bool:
        """Whether a thing has been through a cycle since it was put in."""
        return bool(self._place(object) is not None and object in self.process.known.washed)

    def ready(self, object: str) -> bool:
        """Whether a thing is really as it should be, checked or not."""
        return bool(self._place(object) is not None and self.process.is_ready(object))

    def is_open(self) -> bool:
        """Whether the door is open."""
        return self.process.known.open

    def is_closed(self) -> bool:
        """Whether the door is closed."""
        return not self.process.known.open

    def out(self) -> bool:
        """Whether the compartments are pulled out."""
        return self.process.known.out

    def running(self) -> bool:
        """Whether a cycle is running."""
        return self.process.known.running

    def idle(self) -> bool:
        """Whether no cycle is running."""
        return not self.process.known.running

    def has_additive(self, additive: str) -> bool:
        """Whether this is in the dispenser."""
        self._named(self.scene.additive, additive, self.scene.additives)
        return self.process.known.additive == additive

    def hand_holds(self, kind: str) -> bool:
        """Whether one of a kind is in the gripper."""
        self._named(self.scene.item, kind, self.scene.kinds)
        return kind_without_number(self.process.known.held) == kind

    def hand_empty(self) -> bool:
        """Whether nothing is in the gripper."""
        return not self.process.known.held

    def held_prepared(self) -> bool:
        """Whether what is in the gripper was prepared."""
        return self.process.known.held in self.process.known.prepared

    def some_loaded(self, kind: str, compartment: str) -> bool:
        """Whether one of a kind is on a compartment."""
        self._named(self.scene.item, kind, self.scene.kinds)
        self._named(self.scene.compartment, compartment, self.scene.compartments)
        return self.items_at(compartment)[kind] > 0

    def all_ready(self) -> bool:
        """Whether everything in the machine is as it should be."""
        return all(self.process.is_ready(name) for name in self.loaded_now())

    def all_returned(self) -> bool:
        """Whether nothing that is as it should be is left in the machine."""
        return not any(self.process.is_ready(name) for name in self.loaded_now())

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world now, by its true state."""
        return condition_holds(condition, self.relations)

    def _place(self, name: str) -> str:
        self._named("object", name, self.scene.names)
        return self.process.known.places[name]

    def _named(self, kind: str, name: str, names: tuple[str, ...]) -> None:
        if name not in names:
            raise UnknownName(kind, name, names)

    # Skills -----------------------------------------------------------------------------------------------------------

    def _skill(self, wording: Wording) -> Skill:
        """Build the skill for an action: it takes arguments in the words of the scene, and translates them."""
        deed = wording.deed
        doing: Callable[..., Awaitable[str]] = getattr(self, f"_do_{deed}", self._do)

        def own(given: Mapping[str, Value]) -> dict[str, Any]:
            return {wording.parameters[name]: value for name, value in given.items()}

        async def act(**given: Value) -> str:
            arguments = own(given)
            for name, names in (
                ("item", self.scene.kinds),
                ("compartment", self.scene.compartments),
                ("additive", self.scene.additives),
            ):
                if name in arguments:
                    self._named(getattr(self.scene, name), arguments[name], names)
            self._refuse(deed, arguments)
            return await doing(deed, **arguments)

        def possible(observation: Observation, **given: Value) -> str | None:
            known = read_known_state(self.scene, observation.state or WorldState())
            return self.process.rules.refuses(deed, known, own(given))

        def told(facts: Mapping[str, Declared]) -> FactsOfArguments:
            def about(**given: Value) -> tuple[tuple[str, Arguments], ...]:
                arguments = own(given)
                return tuple((r, {name: arguments[a] for name, a in of.items()}) for r, of in facts.get(deed, ()))

            return about

        def remembers(state: WorldState, **given: Value) -> WorldState:
            known = read_known_state(self.scene, state)
            self.process.rules.becomes(deed, known, own(given))
            return write_state(self.scene, known, self.relations, state)

        return Skill(
            wording.signature,
            act,
            (possible,),
            effects=told(EFFECTS),
            remembers=remembers,
            needs=told(NEEDS),
            ends=told(SKILL_ENDS),
        )

    def _refuse(self, deed: str, arguments: Arguments) -> None:
        problem = self.process.rules.refuses(deed, self.process.known, arguments)
        if problem:
            raise SkillError(problem)

    async def _pass(self, ticks: int, *, safe: bool = False) -> None:
        """Let the hand work for this long; with `safe`, a new request need not wait for the end."""
        for _ in range(ticks):
            if safe:
                safe_point()
            self.process.go_on(_TICK)
            await tick()

    async def _do(self, deed: str, **arguments: Any) -> str:
        """Run an action that takes effect only at its end, so that a stop leaves nothing half done."""
        known, words = self.process.known, self._report(deed, **arguments)
        what = known.held if deed in ("prepare", "put", "put_back") else arguments.get("additive", "")
        if deed == "grasp":
            what = self.process.rules.next_of(known, arguments["item"])
        await self._pass(_TICKS.get(deed, _USUAL), safe=deed == "grasp")
        self._refuse(deed, arguments)  # a cycle may have ended meanwhile, or somebody else may have intervened
        self.process.rules.becomes(deed, known, arguments)
        self._note(deed, what, arguments.get("compartment", ""))
        return words

    def _report(self, deed: str, item: str = "", compartment: str = "", additive: str = "") -> str:
        known, scene = self.process.known, self.scene
        if deed == "additive" and known.additive not in ("", additive):
            return f"Took the {known.additive} out and added {additive}."
        if (deed, True) in (("open", known.open), ("pull", known.out), ("close", not known.open)):
            return f"The {scene.machine} is {'closed' if deed == 'close' else 'open'} already."
        return {
            "grasp": f"Grasped {self.process.rules.next_of(known, item)}.",
            "prepare": f"Done: {scene.prepare} {known.held}.",
            "put_back": f"Put {known.held} back to the {scene.start_place}.",
            "open": f"The {scene.machine} is open.",
            "pull": f"Every {scene.compartment} is pulled out.",
            "put": f"Put {known.held} on the {compartment}.",
            "additive": f"Added {additive}.",
            "close": f"Every {scene.compartment} is in, and the {scene.machine} is closed.",
        }[deed]

    async def _do_start(self, deed: str) -> str:
        await self._pass(_TICKS[deed])
        self.process.start()
        self._note(deed, self.additive_used() or "", "")
        return f"The cycle runs for {self.scene.cycle_minutes} minutes."

    async def _do_wait(self, deed: str, minutes: int) -> str:
        began = self.process.now
        while self.process.known.running:
            await self._pass(1, safe=True)
        await self._pass(round(minutes / _TICK), safe=True)
        return f"Waited for {self.process.now - began:g} minutes."

    async def _do_check(self, deed: str) -> str:
        await self._pass(_TICKS[deed])  # a look through the door, opened a crack and closed again
        known = self.process.known
        wrong = {name: problem for name in self.loaded_now() if (problem := self.process.wrong_with(name))}
        known.ready |= {*self.loaded_now()} - {*wrong}
        if not wrong:
            return f"Everything is {self.scene.ready}: {', '.join(self.loaded_now())}."
        mend = "Wait a few minutes and check again." if any(map(self.process.needs_time, wrong)) else ""
        raise SkillError(f"Not everything is {self.scene.ready}: {'; '.join(wrong.values())}. {mend}".rstrip())

    async def _do_return(self, deed: str) -> str:
        process, known = self.process, self.process.known
        early = [process.wrong_with(name) for name in self.loaded_now() if process.needs_time(name)]
        if early:
            raise DidNotWork(f"{'; '.join(early)}. Wait a few minutes and check again.")
        wrong = [problem for name in self.loaded_now() if (problem := process.wrong_with(name))]
        if len(wrong) == len(self.loaded_now()):
            raise SkillError(f"Nothing is {self.scene.ready}: {'; '.join(wrong)}.")
        if not known.out:
            await self._pass(_TICKS["open"], safe=True)
            known.open = known.out = True
        returned = [name for name in self.loaded_now() if process.is_ready(name)]
        for name in returned:  # one at a time: the hand is empty in between
            await self._pass(1, safe=True)
            known.places[name] = self.scene.finished
            known.ready.add(name)
            self._note(deed, name, self.scene.finished)
        left = f" Left in the {self.scene.machine}: {'; '.join(wrong)}." if wrong else ""
        return f"Returned {', '.join(returned)} to the {self.scene.finished}.{left}"

    def _note(self, deed: str, what: str, where: str) -> None:
        self.process.history.append((deed, what, where))

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        return msgspec.msgpack.encode(self.process.saved(self.name))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=SavedMachine)
        except msgspec.MsgspecError:
            raise ValueError("This is not a snapshot of a dishwasher world.") from None
        if saved.world != self.name or saved.scene != self.scene.to_json():
            raise ValueError("This is a snapshot of another machine; open the world with the scene it was taken in.")
        self.process = Process.from_saved(self.scene, saved)

    def twin(self) -> Dishwasher:
        """A copy of this world in its present state, for trying things out."""
        other = type(self)(self.scene)
        other.restore(self.snapshot())
        return other


def open_dishwasher(scene: str | None) -> Dishwasher:
    """Open the world from a scene's text, or with the paper's dishwasher."""
    return Dishwasher(read_machine_scene(scene) if scene else None)
