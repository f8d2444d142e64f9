"""Orders at a counter from the first call to the last: what is taken, held, filled and put down, as the world keeps it.

The state is the drinks world's own, in other words: its memory says what is known after each call, and why one is
refused. Half of the robots have that world's functions, with all the verbs in their documentation; the others are
called and described otherwise. Whoever puts or moves something has to hold it, and it is held only once it was taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from thinkaloud.errors import BadScene
from thinkaloud.guidelines.order_form import Want
from thinkaloud.records import Observation, WorldState
from thinkaloud.skills.signatures import Signature
from thinkaloud.state.scene_text import held_things, render_scene
from thinkaloud_worlds.drinks.declared_effects import CounterMemory
from thinkaloud_worlds.drinks.scene import CounterScene, Ingredient, Places
from thinkaloud_worlds.drinks.skill_texts import relations_for, skills_for
from training.demonstrators.itp.coding import counter_calls, with_deeds
from training.demonstrators.itp.counter_plans import Stand, draw_stand
from training.demonstrators.itp.doing import REASONS, Bar, Robot, call, draw_bar
from training.demonstrators.itp.drawing import Rng, between, chance, one, some

_ORDER = ("at", "held", "contains")
"""What the world says first of a counter."""
_SHOWN = 0.45
"""How many of the steps are shown that only add something; all others are."""


class _Nobody:
    """Who is never asked: nothing moves."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None


@dataclass
class Counter:
    """What stands where, and what is in it."""

    scene: CounterScene
    state: WorldState = field(default_factory=WorldState)

    def __post_init__(self) -> None:
        self.scene.check()
        self.relations = relations_for(self.scene, cast(Any, _Nobody()))
        self.memory = CounterMemory(self.scene, self.relations)

    @property
    def vocabulary(self) -> dict[str, tuple[str, ...]]:
        """The names that can be given to the world's functions."""
        called, every = self.scene.called, self.scene.ingredients
        return {
            "cup location": (called.stack, called.work, called.finished),
            "location": (called.work, called.finished, called.waste),
            "pourable": tuple(each.name for each in every if not each.scooped),
            "scoopable": tuple(each.name for each in every if each.scooped),
        }

    def functions(self) -> list[Signature]:
        """Those of the world."""
        return [each.signature for each in skills_for(self.scene, cast(Any, _Nobody()), self.memory).values()]

    def observed(self) -> Observation:
        """As the world sees it."""
        where = {str(r.arguments["object"]): r for r in self.state.relations if r.relation in ("at", "held")}
        wasted = [cup for cup, r in where.items() if r.arguments.get("location") == self.scene.called.waste]
        stack = (self.scene.called.stack,) if self.memory.stacked(self.state) else ()
        seen = tuple(cup for cup in sorted(where) if cup not in wasted)
        told = tuple(sorted(self.state.relations, key=lambda each: _ORDER.index(each.relation)))
        names = tuple(each.name for each in self.scene.ingredients)
        return Observation((*stack, *seen, *names), {}, state=WorldState(relations=told))

    def take(self, place: str) -> None:
        """A vessel is in the hand."""
        self.state = self.memory.after_grasp(self.state, place)

    def put(self, place: str) -> None:
        """It is somewhere."""
        self.state = self.memory.after_place(self.state, place)

    def add(self, place: str, name: str) -> None:
        """Something is in it."""
        self.state = self.memory.after_adding(self.state, place, name)


def counter_order(rng: Rng) -> Robot:
    """All the steps of an order or two at one counter, changes of mind in between, and what goes wrong."""
    stand, counter, bar = _drawn(rng)
    work = _Work(rng, stand, counter, bar)
    for _ in range(between(rng, 0, 2)):  # what others ordered before
        counter.take(bar.words["stack"])
        counter.put(one(rng, (bar.words["done"], bar.words["bin"])))
    free = [name for name in bar.material if name in stand.adding]
    for _ in range(1 if chance(rng, 0.75) else 2):
        chosen = [*some(rng, free, between(rng, 1, min(4, len(free)))), *(n for n in stand.shop.base if n in free)]
        want = Want("", tuple(dict.fromkeys(chosen)))
        lines = stand.whole(want)
        if chance(rng, 0.3):
            done = lines[: between(rng, 1, stand.open_until(lines))]
            other = Want("", tuple(dict.fromkeys([*some(rng, free, between(rng, 1, 2)), *want.material[-1:]])))
            work.do(done)
            lines = stand.left(other, done)
        work.do(lines)
    return bar.robot


def _drawn(rng: Rng) -> tuple[Stand, Counter, Bar]:
    """A counter that the drinks world could be."""
    while True:
        stand = draw_stand(rng)
        material, words = stand.shop.guidelines.available, stand.words
        if stand.take_back:
            continue
        apart = some(rng, material, one(rng, (0, 1, 1, 2)))
        every = tuple(Ingredient(name, "tub" if name in apart else "jar") for name in material)
        places = Places(words["stack"], words["work"], words["done"], words["bin"])
        try:
            counter = Counter(CounterScene(every, stand.shop.vessel, between(rng, 5, 8), places))
        except BadScene:
            continue
        bar = _bar(counter, stand) if chance(rng, 0.5) else draw_bar(rng, material, stand.shop.vessel, words)
        return stand, counter, with_deeds(bar, stand)


def _bar(counter: Counter, stand: Stand) -> Bar:
    """The robot of the world itself, by other words."""
    functions, apart = counter.functions(), counter.vocabulary["scoopable"]
    take, put = functions[0].name, functions[1].name
    scoop = next((each.name for each in functions if each.name.startswith("scoop")), "")
    robot = Robot(functions, counter.vocabulary)
    material = tuple(each.name for each in counter.scene.ingredients)
    special = apart[0] if len(apart) == 1 else ""
    return Bar(
        dict(stand.words), robot, material, take, put, "pour", special, scoop, other="stir", scooped=frozenset(apart)
    )


@dataclass
class _Work:
    """Steps, one after another, and what becomes of them."""

    rng: Rng
    stand: Stand
    counter: Counter
    bar: Bar

    def do(self, lines: Sequence[str]) -> None:
        """Carry out these lines, and note how they are asked and what is right."""
        carried = {self.stand.get: ("stack", "work"), self.stand.finish: ("work", "done")}
        carried[self.stand.discard] = ("work", "bin")
        names = {said: name for name, said in self.stand.adding.items()}
        for line in lines:
            if line in carried:
                self._carry(line, *(self.bar.words[each] for each in carried[line]))
            elif line in names:
                self._add(line, names[line])
            else:
                self._asks(line, *counter_calls(self.stand, self.bar, line))

    def _asks(self, line: str, *calls: str, failed: Sequence[tuple[str, str]] = (), shown: bool = True) -> None:
        robot = self.bar.robot
        robot.scene = render_scene(self.counter.observed())
        robot.asks(line, *calls, failed=failed)
        if not shown:
            robot.steps.pop()

    def _carry(self, line: str, start: str, end: str) -> None:
        bar, counter, failed = self.bar, self.counter, list[tuple[str, str]]()
        if not counter.memory.cups_at(counter.state, start):
            return  # nothing is there to be carried: what would be right cannot be shown
        take, put = call(bar.take, start), call(bar.put, end)
        drawn = self.rng.random()
        if drawn < 0.2:  # it was put down without having been taken
            failed = [(put, counter.memory.cannot_place(counter.observed(), end) or "")]
        elif drawn < 0.26:  # another place was tried
            others = [each for each in (bar.words["done"], bar.words["work"]) if each not in (start, end)]
            empty = [each for each in others if not counter.memory.cups_at(counter.state, each)]
            failed = [(call(bar.take, each), f"There is no {bar.words['v']} at the {each}.") for each in empty[:1]]
        elif drawn < 0.31:
            failed = [(take, one(self.rng, REASONS).format(m=bar.words["v"], v=bar.words["v"]))]
        elif drawn < 0.4:  # it was taken, and not put down
            counter.take(start)
            (held,) = held_things(counter.state)
            why = one(self.rng, ("It got stuck half-way.", f"{held} is still in the gripper.", "Something was there."))
            self._asks(line, put, failed=[(put, why)] if chance(self.rng, 0.6) else [])
            counter.put(end)
            return
        self._asks(line, take, put, failed=failed)
        counter.take(start)
        counter.put(end)

    def _add(self, line: str, name: str) -> None:
        bar, counter, work = self.bar, self.counter, self.bar.words["work"]
        made, drawn, failed = bar.add(name), self.rng.random(), list[tuple[str, str]]()
        if drawn < 0.06:  # something is in the hand
            counter.take(work)
            why = counter.memory.cannot_add(counter.observed(), work, name) or ""
            self._asks(line, call(bar.put, work), made, failed=[(made, why)] if chance(self.rng, 0.6) else [])
            counter.put(work)
        else:
            if drawn < 0.16:
                failed = [(made, one(self.rng, REASONS).format(m=name, v=bar.words["v"]))]
            self._asks(line, made, failed=failed, shown=bool(failed) or chance(self.rng, _SHOWN))
        counter.add(work, name)
