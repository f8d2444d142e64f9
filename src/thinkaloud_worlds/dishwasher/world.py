"""The dishwasher world: a machine that is loaded, filled, started and waited for; it needs no physics.

The machine runs by itself. A cycle locks the door until it ends; afterwards things are hot and wet, and dry
exponentially, in one to three waits of five minutes. A thing that was in the wrong place, not prepared, or treated
without an additive comes out as it went in. The robot sees where everything is and the state of the machine; it learns
whether a thing is clean and dry only by checking. With `see_with` it sees only what eyes find in its camera's pictures
(`sight`), and takes what really is there. With other words in the scene, the machine is a kiln, an oven, ….

Not covered: how much fits into a compartment, and what breaks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from thinkaloud.clock import Clock
from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import DidNotWork, SkillError
from thinkaloud.guidelines import shipped_text
from thinkaloud.records import Arguments, Condition, Observation, Value, WorldState
from thinkaloud.skills import FactsOfArguments, Relation, Skill, condition_holds
from thinkaloud.worlds.contract import Briefing
from thinkaloud_worlds.dishwasher.known_state import Known, read_known_state, write_state
from thinkaloud_worlds.dishwasher.machine_facts import MachineFacts
from thinkaloud_worlds.dishwasher.picture import machine_picture
from thinkaloud_worlds.dishwasher.scene import DEFAULT_MACHINE, FRONT, MachineScene, read_machine_scene
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

if TYPE_CHECKING:
    from thinkaloud.worlds.interventions import Box
    from thinkaloud.worlds.vision import Appearance, Eyes, View
    from thinkaloud_worlds.dishwasher.sight import MachineSight
    from thinkaloud_worlds.random_tables.pictures import TablePicture

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


class Dishwasher(MachineFacts):
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
        self.sight: MachineSight | None = None
        signatures = relation_signatures(self.scene)
        self.relations: Mapping[str, Relation] = {s.name: Relation(s, partial(self._asked, s.name)) for s in signatures}
        worded = wordings(self.scene)
        self.skills: Mapping[str, Skill] = {each.signature.name: self._skill(each) for each in worded}
        self.deeds: Mapping[str, str] = {each.signature.name: each.deed for each in worded}
        """What each skill does, whatever it is called in this scene: grasp, prepare, put, additive, …"""

    def reset(self, seed: int) -> None:
        """Begin a new episode: everything is at the start place, and the machine is empty and closed."""
        self.process = Process(self.scene, seed)
        if self.sight is not None:
            self.sight.begin(self.process)

    def observe(self) -> Observation:
        """Where everything is, and the state of the machine; what is inside the closed machine is hidden.

        Through eyes, it is what they find; what was seen before and is not now is hidden.
        """
        known, scene = self._mind(), self.scene
        shut = () if known.open else tuple(self._inside(known))
        vocabulary = {
            scene.item: scene.kinds,
            scene.compartment: scene.compartments,
            scene.additive: scene.additives,
            "object": scene.names,
            "location": (scene.start_place, scene.finished),
        }
        state = write_state(scene, known, self.relations)
        if self.sight is None:
            seen = tuple(name for name in scene.names if name not in shut)
        else:
            found = {*self.sight.seen, known.held}
            seen = tuple(name for name in scene.names if name in found)
            shut = tuple(name for name in known.places if name not in found)
            state = replace(state, attributes=self.sight.positions())
        return Observation((*seen, scene.machine), vocabulary, shut, state=state)

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of the machine and its things, for people."""
        return machine_picture(self.process, width, height)

    # True state, for judges -------------------------------------------------------------------------------------------

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

    def _known(self) -> Known:
        return self.process.known

    def _is_ready(self, name: str) -> bool:
        return self.process.is_ready(name)

    # What the robot can tell ------------------------------------------------------------------------------------------

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world now: by its true state, or by what eyes find, if it has eyes."""
        return condition_holds(condition, self.relations)

    def _asked(self, relation: str, /, **given: Value) -> bool:
        facts: MachineFacts = self if self.sight is None else self.sight
        return bool(getattr(facts, relation)(**given))

    def _mind(self) -> Known:
        """What the robot acts on: the true state, or what it has seen."""
        return self.process.known if self.sight is None else self.sight.refresh()

    # Through a camera -------------------------------------------------------------------------------------------------

    def _looks_at(self) -> str:
        """The place where something was done last."""
        deed, _, where = self.process.history[-1] if self.process.history else ("", "", "")
        if where:
            return where if where == self.scene.finished or self.process.known.out else FRONT
        return self.scene.start_place if deed in ("", "grasp", "prepare", "put_back") else FRONT

    def photograph(self, place: str = "") -> tuple[TablePicture, list[str]]:
        """What the camera sees at a place, with the truth about it, and the things by their numbers; for judges."""
        from thinkaloud_worlds.dishwasher.camera import dishes_shown
        from thinkaloud_worlds.dishwasher.sight import picture_of

        place = place or self._looks_at()
        names = [each.name for each in dishes_shown(self.process, place)]
        return picture_of(self.process, place, whole=True), names

    def view(self) -> View:
        """What the camera sees where something was done last. The robot looks at the other places in the same way."""
        from thinkaloud_worlds.dishwasher.sight import picture_of

        return picture_of(self.process, self._looks_at()).view

    def appearances(self) -> tuple[Appearance, ...]:
        """What every kind of thing looks like. Things of one kind look alike."""
        from thinkaloud_worlds.dishwasher.sight import appearances_of

        return appearances_of(self.scene)

    def see_with(self, eyes: Eyes) -> None:
        """Rely on these eyes alone."""
        from thinkaloud_worlds.dishwasher.sight import MachineSight

        self.sight = MachineSight(eyes, self.process)

    def camera_picture(self) -> tuple[NDArray[np.uint8], Mapping[str, Box]]:
        """The picture of the camera, and where in it the robot finds each thing."""
        if self.sight is not None:
            place = self._looks_at()
            return self.sight.look_at(place)[0].rgb, self.sight.boxes(place)
        picture, names = self.photograph()
        boxes = {name: picture.box(number) for number, name in enumerate(names)}
        return picture.view.rgb, {name: box for name, box in boxes.items() if box is not None}

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
        problem = self.process.rules.refuses(deed, self._mind(), arguments)
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
        if self.sight is None:
            self.process.rules.becomes(deed, known, arguments)
        else:
            what = self.sight.act(deed, arguments)
        self._note(deed, what, arguments.get("compartment", ""))
        return words

    def _report(self, deed: str, item: str = "", compartment: str = "", additive: str = "") -> str:
        known, scene = self._mind(), self.scene
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
        if self.sight is not None:
            self.sight.started()
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
        good = [name for name in self.loaded_now() if name not in wrong]
        known.ready |= {*good}
        if self.sight is not None:
            good = self.sight.checked(wrong)
        if not wrong:
            return f"Everything is {self.scene.ready}: {', '.join(good)}."
        mend = "Wait a few minutes and check again." if any(map(self.process.needs_time, wrong)) else ""
        raise SkillError(
            f"Not everything is {self.scene.ready}: {'; '.join(self._told(wrong.values()))}. {mend}".rstrip()
        )

    async def _do_return(self, deed: str) -> str:
        process, known = self.process, self.process.known
        early = [process.wrong_with(name) for name in self.loaded_now() if process.needs_time(name)]
        if early:
            raise DidNotWork(f"{'; '.join(self._told(early))}. Wait a few minutes and check again.")
        wrong = [problem for name in self.loaded_now() if (problem := process.wrong_with(name))]
        if len(wrong) == len(self.loaded_now()):
            raise SkillError(f"Nothing is {self.scene.ready}: {'; '.join(self._told(wrong))}.")
        if not known.out:
            await self._pass(_TICKS["open"], safe=True)
            known.open = known.out = True
        ready = {name: name for name in self.loaded_now() if process.is_ready(name)}
        if self.sight is not None:  # it takes out what it finds on the racks
            found = {name: self.sight.really(name) for name in self._inside(self._mind())}
            ready = {name: real for name, real in found.items() if real in ready}
            if not ready:
                raise DidNotWork(f"Nothing that is {self.scene.ready} is to be seen in the {self.scene.machine}.")
        for name, real in ready.items():  # one at a time: the hand is empty in between
            await self._pass(1, safe=True)
            known.places[real] = self.scene.finished
            known.ready.add(real)
            self._note(deed, real, self.scene.finished)
            if self.sight is not None:
                self.sight.returned(name)
        left = f" Left in the {self.scene.machine}: {'; '.join(self._told(wrong))}." if wrong else ""
        return f"Returned {', '.join(ready)} to the {self.scene.finished}.{left}"

    def _told(self, problems: Iterable[str]) -> list[str]:
        """What is wrong with things, in the robot's own names for them."""
        if self.sight is None:
            return [*problems]
        own = {name: self.sight.called(name) for name in self.scene.names}
        return [" ".join((own[name], rest)) for each in problems for name, rest in self._parted(each)]

    def _parted(self, problem: str) -> Iterator[tuple[str, str]]:
        """The thing that a problem is about, and the rest of the sentence."""
        for name in sorted(self.scene.names, key=len, reverse=True):
            if problem.startswith(f"{name} "):
                yield name, problem.removeprefix(f"{name} ")
                return

    def _note(self, deed: str, what: str, where: str) -> None:
        self.process.history.append((deed, what, where))

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        saved = self.process.saved(self.name)
        return msgspec.msgpack.encode(saved if self.sight is None else (saved, self.sight.saved()))

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        seen: object = None
        try:
            data = msgspec.msgpack.decode(snapshot)
            if isinstance(data, list) and len(data) == 2:
                data, seen = data
            saved = msgspec.convert(data, SavedMachine)
        except msgspec.MsgspecError:
            raise ValueError("This is not a snapshot of a dishwasher world.") from None
        if saved.world != self.name or saved.scene != self.scene.to_json():
            raise ValueError("This is a snapshot of another machine; open the world with the scene it was taken in.")
        self.process = Process.from_saved(self.scene, saved)
        if self.sight is not None:
            self.sight.remember(self.process, seen)

    def twin(self) -> Dishwasher:
        """A copy of this world in its present state, as far as the robot knows it, for trying things out."""
        other = type(self)(self.scene)
        if self.sight is None:
            other.restore(self.snapshot())
        else:
            other.process = self.sight.expected()
        return other


def open_dishwasher(scene: str | None) -> Dishwasher:
    """Open the world from a scene's text, or with the paper's dishwasher."""
    return Dishwasher(read_machine_scene(scene) if scene else None)
