"""The drinks world: a counter with cups and ingredients, and an arm that mixes drinks (Interactive Task Planning, IV).

Cups, bottles, jars, ladles, the arm and its two fingers are bodies of one MuJoCo model. The robot sees only roughly
where a cup is; its fingers feel the exact place. A thing that both fingers press on is welded to the hand while it is
held. Cups in the stack are welded to it and do not collide with each other; a ladle or the stirring rod collides only
with the fingers. Nothing flows as a fluid: see `contents`. Not covered: a cup that fell over is not set upright again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from thinkaloud.clock import Clock
from thinkaloud.errors import BadScene, SkillError, UnknownName
from thinkaloud.guidelines import load_guidelines
from thinkaloud.records import Condition, Observation, Value, WorldState
from thinkaloud.skills import Relation, Skill, condition_holds
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.geometry import Xy
from thinkaloud.worlds.program_examples import USUAL_PROGRAMS
from thinkaloud_worlds.drinks.contents import Bar, Stock, in_bin
from thinkaloud_worlds.drinks.declared_effects import CounterMemory
from thinkaloud_worlds.drinks.layout import FINISHED, STACK, WORK
from thinkaloud_worlds.drinks.motion_sequences import Tasks
from thinkaloud_worlds.drinks.physics import CounterPhysics
from thinkaloud_worlds.drinks.picture import counter_picture, fill_levels
from thinkaloud_worlds.drinks.scene import DEFAULT_COUNTER, CounterScene, read_counter_scene
from thinkaloud_worlds.drinks.skill_texts import relations_for, skills_for
from thinkaloud_worlds.mujoco_shapes import MujocoBodies
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.simulated_time import TICK, SimulatedClock

_ENOUGH = 0.6  # the share of a portion that counts as being in a cup
_NEAR = 0.09  # a cup this near to the middle of a place is at that place


class _Saved(msgspec.Struct, array_like=True, frozen=True):
    world: str
    scene: str
    seed: int
    calls: int
    stock: Stock
    homes: dict[str, Xy]
    state: bytes
    welds: bytes
    asleep: bytes


class Drinks:
    """A counter where drinks are made. Every episode starts with the same scene; the seed decides what stands where.

    world = Drinks()
    world.reset(7)
    print(world.observe().objects)
    """

    name = "drinks"

    def __init__(self, scene: CounterScene | None = None) -> None:
        self._given = scene or DEFAULT_COUNTER
        self._given.check()
        briefing = Briefing(programs=USUAL_PROGRAMS.read_text(encoding="utf-8"))
        if self._given == DEFAULT_COUNTER:
            guidelines = load_guidelines("drinks").text
            briefing = replace(briefing, guidelines=guidelines, preset="itp", examples=("A strawberry milk, please.",))
        self.briefing = briefing
        self.clock: Clock = SimulatedClock(lambda: self.counter.data.time, lambda: self.bar.advance(), TICK)
        self._use(CounterPhysics(self._given))
        self.reset(0)

    def _use(self, counter: CounterPhysics) -> None:
        self.counter, scene = counter, counter.scene
        self._scene = scene.to_json()
        self._places = scene.called
        self._ingredients = {each.name: each for each in scene.ingredients}
        self.relations: Mapping[str, Relation] = relations_for(scene, self)
        self._memory = CounterMemory(scene, self.relations)
        self.skills: Mapping[str, Skill] = skills_for(scene, self, self._memory)

    def reset(self, seed: int) -> None:
        """Begin a new episode."""
        if self.counter.scene != self._given:
            self._use(CounterPhysics(self._given))
        self.counter.begin(seed)
        self.bar = Bar(self.counter, Stock.of(self._given, self.counter.cups))
        self._seed, self._calls = seed, 0

    @property
    def scene(self) -> CounterScene:
        """The scene that this episode started with."""
        return self.counter.scene

    # Seeing -----------------------------------------------------------------------------------------------------------

    def observe(self) -> Observation:
        """What is seen from above: cups, ingredients and roughly where they are; what was put in a cup is known."""
        counter, places = self.counter, self._places
        where = {cup: self._where(cup) for cup in counter.cups}
        stack = (places.stack,) if "stack" in where.values() else ()
        seen = tuple(cup for cup in counter.cups if where[cup] not in ("stack", "waste"))
        hidden = tuple(cup for cup in counter.cups if where[cup] == "waste")
        ingredients = tuple(self._ingredients)
        vocabulary = {
            "cup location": (places.stack, places.work, places.finished),
            "location": (places.work, places.finished, places.waste),
            "pourable": tuple(name for name, each in self._ingredients.items() if not each.scooped),
            "scoopable": tuple(name for name, each in self._ingredients.items() if each.scooped),
            "ingredient": ingredients,
            "object": counter.cups,
        }
        objects = (*stack, *seen, *ingredients)
        state = WorldState((*counter.cups, *ingredients), self._known(where), self._detected(objects))
        return Observation(objects, vocabulary, hidden, state=state)

    def _known(self, where: Mapping[str, str]) -> tuple[Condition, ...]:
        said, places = self.relations, self._places.named()
        order = [*self.bar.stock.placed, *(cup for cup in self.counter.cups if cup not in self.bar.stock.placed)]
        found = []
        for cup in order:
            if where[cup] in ("work", "finished", "waste"):
                found.append(said["at"].condition({"object": cup, "location": places[where[cup]]}))
        held = self.holding()
        if held is not None:
            found.append(said["held"].condition({"object": held}))
        for cup in self.counter.cups:
            for name in dict.fromkeys(name for name, _ in self.bar.stock.contents[cup]):
                if self.contains(cup, name):
                    found.append(said["contains"].condition({"object": cup, "ingredient": name}))
        return tuple(found)

    def _detected(self, names: tuple[str, ...]) -> dict[str, dict[str, Value]]:
        """Roughly where things are, according to a detector whose error stays the same for the whole episode."""
        every = (self._places.stack, *self.counter.cups, *self._ingredients)
        errors = generator(self._seed, 0xE7E).normal(0.0, self.scene.detection_error, (len(every), 2))
        found: dict[str, dict[str, Value]] = {}
        for name, (dx, dy) in zip(every, errors, strict=True):
            if name in names:
                x, y = self.position(name)
                found[name] = {"x": round(x + float(dx), 3), "y": round(y + float(dy), 3)}
        return found

    def position(self, name: str) -> Xy:
        """The true position of a cup, a container or a place."""
        places = self._places
        middles = {places.stack: STACK, places.work: WORK, places.finished: FINISHED[0]}
        if name in middles:
            return middles[name]
        if name in self._ingredients:
            return self.counter.homes[name]
        x, y, _ = self.counter.position(self._cup(name))
        return x, y

    def bodies_drawn(self) -> MujocoBodies:
        """The counter, the arm and the things, for drawing."""
        fill_levels(self.counter, self.bar.stock)
        return self.counter.drawn

    def render(self, width: int = 320, height: int = 240) -> NDArray[np.uint8]:
        """A picture of the counter and the arm, for people."""
        return counter_picture(self.counter, self.bar.stock, width, height)

    # True state -------------------------------------------------------------------------------------------------------

    def _where(self, cup: str) -> str:
        """The role of the place where a cup is; empty if it is at none."""
        if self.counter.held == cup:
            return ""
        if self.counter.docked(cup):
            return "stack"
        if in_bin(self.counter, cup):
            return "waste"
        x, y, z = self.counter.position(cup)
        if abs(z) > 0.02 or self.counter.upright(cup) < 0.9:
            return ""
        if math.dist((x, y), WORK) < _NEAR:
            return "work"
        return "finished" if min(math.dist((x, y), spot) for spot in FINISHED) < _NEAR else ""

    def cups_at(self, place: str) -> tuple[str, ...]:
        """The cups at a place, in the order they were put there."""
        role = self._role(place)
        cups = [cup for cup in self.counter.cups if self._where(cup) == role]
        order = self.bar.stock.placed
        return tuple(sorted(cups, key=lambda cup: order.index(cup) if cup in order else -1))

    def contents(self, cup: str) -> tuple[tuple[str, float], ...]:
        """The contents of a cup in millilitres, in the order in which they went in."""
        return tuple((name, round(ml, 3)) for name, ml in self.bar.stock.contents[self._cup(cup)])

    def spilled(self) -> dict[str, float]:
        """What missed the cups, in millilitres."""
        return {name: round(ml, 3) for name, ml in self.bar.stock.spilled.items()}

    def holding(self) -> str | None:
        """The cup in the gripper."""
        held = self.counter.held
        return held if held in self.counter.cups else None

    def at(self, object: str, location: str) -> bool:
        """Whether a cup is at a place."""
        return self._where(self._cup(object)) == self._role(location)

    def contains(self, object: str, ingredient: str) -> bool:
        """Whether there is most of a portion of an ingredient in a cup."""
        if ingredient not in self._ingredients:
            raise UnknownName("ingredient", ingredient, self._ingredients)
        portion = self._ingredients[ingredient].portion
        return self.bar.stock.amount(self._cup(object), ingredient) >= _ENOUGH * portion

    def held(self, object: str) -> bool:
        """Whether a cup is in the gripper."""
        return self.counter.held == self._cup(object)

    def cup_at(self, location: str) -> bool:
        """Whether there is a cup at a place."""
        return bool(self.cups_at(location))

    def has(self, location: str, ingredient: str) -> bool:
        """Whether the cup that was last put at a place contains an ingredient."""
        cups = self.cups_at(location)
        return bool(cups) and self.contains(cups[-1], ingredient)

    def hand_holds_cup(self) -> bool:
        """Whether there is a cup in the gripper."""
        return self.holding() is not None

    def hand_empty(self) -> bool:
        """Whether there is nothing in the gripper."""
        return self.counter.held is None

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true of the world now, by its true state."""
        return condition_holds(condition, self.relations)

    def _cup(self, name: str) -> str:
        if name not in self.counter.cups:
            raise UnknownName(self.scene.vessel, name, self.counter.cups)
        return name

    def _role(self, place: str) -> str:
        roles = {name: role for role, name in self._places.named().items()}
        if place not in roles:
            raise UnknownName("place", place, roles)
        return roles[place]

    # What the skills do -----------------------------------------------------------------------------------------------

    async def grasp(self, location: str) -> str:
        """Take the cup at a place; of several, the one put there last."""
        self._refuse(self._memory.cannot_grasp(self.observe(), location))
        cups = self.cups_at(location)
        cup = cups[0] if location == self._places.stack else cups[-1]
        self._calls += 1
        rng = generator(self._seed, 0x6A5, self._calls)
        tasks = Tasks(self.bar)

        def look_for() -> Xy:
            dx, dy = rng.normal(0.0, self.scene.detection_error, 2)
            x, y, _ = self.counter.position(cup)
            return x + float(dx), y + float(dy)

        return await tasks.run(lambda: tasks.grasp(cup, look_for, location))

    async def place(self, location: str) -> str:
        """Put the held cup somewhere."""
        self._refuse(self._memory.cannot_place(self.observe(), location))
        cup, role, tasks = str(self.holding()), self._role(location), Tasks(self.bar)
        if role == "waste":
            return await tasks.run(lambda: tasks.throw(cup, location))
        if role == "stack":
            raise SkillError(f"A used {self.scene.vessel} does not go back to the {location}.")
        spot = WORK if role == "work" else self._free_spot(location)
        return await tasks.run(lambda: tasks.place(cup, spot, location))

    def _free_spot(self, location: str) -> Xy:
        others = [self.counter.position(cup)[:2] for cup in self.counter.cups if cup != self.counter.held]
        for spot in FINISHED:
            if all(math.dist(spot, other) > _NEAR for other in others):
                return spot
        raise SkillError(f"There is no room at the {location}: {len(FINISHED)} are there already.")

    async def add(self, location: str, ingredient: str) -> str:
        """Pour or scoop an ingredient into the cup at a place; of several, into the one put there last."""
        self._refuse(self._memory.cannot_add(self.observe(), location))
        if ingredient not in self._ingredients:
            raise UnknownName("ingredient", ingredient, self._ingredients)
        cup, each, tasks = self.cups_at(location)[-1], self._ingredients[ingredient], Tasks(self.bar)
        tasks.refuse(cup, each)
        motion = tasks.scoop if each.scooped else tasks.pour
        return await tasks.run(lambda: motion(cup, each, location))

    async def stir(self, location: str) -> str:
        """Stir what is in the cup of a place."""
        self._refuse(self._memory.cannot_add(self.observe(), location))
        cup, tasks = self.cups_at(location)[-1], Tasks(self.bar)
        return await tasks.run(lambda: tasks.stir(cup, location))

    def _refuse(self, problem: str | None) -> None:
        if problem:
            raise SkillError(problem)

    # State ------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> bytes:
        """Return everything needed to restore this exact state."""
        counter = self.counter
        saved = _Saved(self.name, self._scene, self._seed, self._calls, self.bar.stock, counter.homes, *counter.state())
        return msgspec.msgpack.encode(saved)

    def restore(self, snapshot: bytes) -> None:
        """Restore a state. Raises ValueError if `snapshot` is not a snapshot of this world."""
        try:
            saved = msgspec.msgpack.decode(snapshot, type=_Saved)
            if saved.world != self.name:
                raise ValueError(f"This is a snapshot of the world {saved.world!r}, not of {self.name!r}.")
            counter = self.counter if saved.scene == self._scene else CounterPhysics(read_counter_scene(saved.scene))
        except (msgspec.MsgspecError, BadScene):
            raise ValueError("This is not a snapshot of a drinks world.") from None
        counter.set_state(saved.state, saved.welds, saved.asleep, saved.homes)
        if counter is not self.counter:
            self._use(counter)
        self.bar = Bar(counter, saved.stock)
        self._seed, self._calls = saved.seed, saved.calls

    def twin(self) -> Drinks:
        """A copy of this world in its present state, for trying things out."""
        other = type(self)(self._given)
        other.restore(self.snapshot())
        return other
