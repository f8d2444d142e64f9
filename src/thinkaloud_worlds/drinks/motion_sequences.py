"""The skills of the counter as sequences of motions: grasp, place, pour, scoop, stir.

The arm obeys a stop at any tick: it turns a tilted container upright first, and keeps what it holds. The next skill
puts that container back before it does anything else. A new request takes effect only while no cup is in the air and
nothing is pouring; a fetched container is put back first.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import replace

import numpy as np

from thinkaloud.episode.ticks import Interrupted, safe_point, tick
from thinkaloud.errors import DidNotWork, SkillError
from thinkaloud.records import Stop
from thinkaloud.worlds.geometry import Xy
from thinkaloud_worlds.drinks.contents import Bar, flow_rate
from thinkaloud_worlds.drinks.gripper import HASTE, TURNING, DrinksHand
from thinkaloud_worlds.drinks.inverse_kinematics import DrinksAim, drinks_joints_at
from thinkaloud_worlds.drinks.layout import BIN, BIN_TOP, CUP_VOLUME, DRINK_CUP_HEIGHT, FULL_TILT, ONSET, pouring_tilt
from thinkaloud_worlds.drinks.scene import Ingredient
from thinkaloud_worlds.simulated_time import TICK

_LADLE = 60.0  # millilitres that a ladle holds
_BACK = 0.17  # the hand's distance from the shelf before it reaches in
_LIFTS = {"ladle": 0.09, "stirrer": 0.09}
_LOOKS = 3  # looks before it reports that nothing is there
_LONGEST = 400  # the most ticks of pouring
_BRAKE, _SETTLE = 10, 80


class Tasks:
    """One call of a skill at a time."""

    def __init__(self, bar: Bar) -> None:
        self.bar, self.counter, self.stock = bar, bar.counter, bar.stock
        self.hand = DrinksHand(bar)

    async def run(self, task: Callable[[], Awaitable[str]]) -> str:
        """Run a task. If it is interrupted, the pouring stops and the hand keeps what it holds."""
        try:
            held = self.counter.held
            if held is not None and held not in self.counter.cups:
                await self._put_back(held)
            return await task()
        except SkillError:
            raise
        except BaseException:  # a stop, a new request, or the end of the task that runs this
            self.hand.upright_now()
            self.counter.hold()
            for _ in range(_BRAKE):
                self.bar.advance()
            raise

    # Cups -------------------------------------------------------------------------------------------------------------

    async def grasp(self, name: str, look: Callable[[], Xy], place: str) -> str:
        """Take a cup; `look` tells roughly where it is. If the fingers feel nothing there, look again."""
        for _ in range(_LOOKS):
            found = await self.hand.feel_for(name, look())
            if found in self.counter.cups:
                break
            self.hand.open()
            await self.hand.draw_back(0.08)
        else:
            kind = self.counter.scene.vessel
            raise DidNotWork(f"The gripper closed on nothing: there is no {kind} where it was seen at the {place}.")
        assert found is not None
        await self.hand.grip(found)
        here = self.counter.commanded()
        await self.hand.go(replace(here, z=self.hand.travel_height()))
        if found in self.stock.placed:
            self.stock.placed.remove(found)
        return f"Grasped {found} from the {place}, centred by touch."

    async def place(self, name: str, at: Xy, place: str) -> str:
        """Put the held cup down at a point."""
        await self.hand.put(at, 0.0)
        await self._settle(name)
        self.stock.placed.append(name)
        return f"Placed {name} at the {place}."

    async def throw(self, name: str, place: str) -> str:
        """Drop the held cup into the bin."""
        ahead, left, below = self.hand.hold()
        over = DrinksAim(*BIN, BIN_TOP + 0.03 + below, ahead=ahead, side=left)
        await self.hand.travel(over)
        await self.hand.go(over)
        self.hand.let_go()
        await self.hand.wait(6)
        await self._settle(name)
        self.stock.placed.append(name)
        return f"Threw {name} into the {place}, with all that was in it."

    async def _settle(self, name: str) -> None:
        for count in range(_SETTLE):
            self.bar.advance()
            await tick()
            if count >= 4 and self.counter.still(name):
                return

    # Ingredients ------------------------------------------------------------------------------------------------------

    def refuse(self, cup: str, each: Ingredient) -> None:
        """Raise SkillError before anything is spilled, if too little is left or the cup is too full."""
        left = self.stock.left[each.name] + self.stock.ladles.get(each.name, 0.0)
        if left < each.portion:
            raise DidNotWork(
                f"There is too little {each.name} left: {left:.0f} ml, and a portion is {each.portion:.0f} ml."
            )
        room = CUP_VOLUME - self.stock.filled(cup)
        if room < each.portion:
            raise DidNotWork(
                f"{cup.capitalize()} is too full for {each.portion:.0f} ml of {each.name}: "
                f"there is room for {room:.0f} ml. Take an empty one."
            )

    async def pour(self, cup: str, each: Ingredient, place: str) -> str:
        """Fetch a container, pour a portion into a cup, and put the container back."""
        self.refuse(cup, each)
        before = self.stock.amount(cup, each.name)
        await self._fetch(each.name)
        await self._tip_into(cup, each.name, each.portion)
        got = self.stock.amount(cup, each.name) - before
        return f"Poured {got:.0f} ml of {each.name} into {cup} at the {place}."

    async def scoop(self, cup: str, each: Ingredient, place: str) -> str:
        """Scoop a portion from a tub with its ladle, in as many goes as needed, and tip it into a cup."""
        self.refuse(cup, each)
        before = self.stock.amount(cup, each.name)
        count = math.ceil(each.portion / _LADLE - 1e-9)
        for _ in range(count):
            await self._fetch(each.name)
            self.stock.fill_ladle(each.name, each.portion / count)
            await self._tip_into(cup, each.name, each.portion / count)
        got = self.stock.amount(cup, each.name) - before
        return f"Scooped {got:.0f} ml of {each.name} into {cup} at the {place}."

    async def stir(self, cup: str, place: str) -> str:
        """Stir the contents of a cup with the rod."""
        await self._fetch("stirrer")
        (x, y), rim = self._over(cup)
        await self._or_put_back("stirrer", lambda: self._come((x, y), rim))
        ahead, left, below = self.hand.hold()
        low = DrinksAim(x, y, rim - DRINK_CUP_HEIGHT + 0.015 + below, ahead=ahead, side=left)
        await self.hand.go(low)
        last = drinks_joints_at(low)
        for i in range(90):
            grown, angle = 0.013 * min(i / 15, 1.0, (89 - i) / 15), 2 * math.pi * i / 30
            joints = drinks_joints_at(replace(low, x=x + grown * math.cos(angle), y=y + grown * math.sin(angle)))
            self.bar.advance(joints, (joints - last) / TICK)
            last = joints
            await tick()
        await self._put_back("stirrer")
        return f"Stirred {cup} at the {place}."

    async def _tip_into(self, cup: str, name: str, amount: float) -> None:
        at, rim = self._over(cup)
        await self._or_put_back(name, lambda: self._come(at, rim))
        await self._tilt(name, at, rim, amount)
        await self._put_back(name)

    def _over(self, cup: str) -> tuple[Xy, float]:
        x, y, z = self.counter.position(cup)
        return (x, y), z + DRINK_CUP_HEIGHT

    async def _fetch(self, name: str) -> None:
        """Take a container from the shelf."""
        form, kind = self.counter.things[name].form, self.counter.things[name].kind
        x, y, z = self.counter.position(name)
        near = DrinksAim(x, y, z + form.grip, ahead=0.012 if form.radius > 0.02 else 0.0)
        self.hand.open(form.radius + 0.018)
        await self.hand.travel(replace(near, ahead=_BACK))
        safe_point()  # nothing is in the hand yet
        await self.hand.go(near)
        found = await self.hand.centre(form.radius)
        if found != name:
            self.hand.open(form.radius + 0.018)
            await self.hand.draw_back(_BACK)
            raise DidNotWork(f"The gripper did not find the {name} in its place on the shelf.")
        await self.hand.grip(name)
        here = self.counter.commanded()
        await self.hand.go(replace(here, z=here.z + _LIFTS.get(kind, 0.03)))
        await self.hand.draw_back(_BACK)

    async def _come(self, at: Xy, rim: float) -> None:
        over = self.hand.over(at, rim, 0.0)
        safe_point()
        await self.hand.travel(over)
        safe_point()
        await self.hand.go(over)
        safe_point()

    async def _or_put_back(self, name: str, motion: Callable[[], Awaitable[None]]) -> None:
        """Run a motion; if a new request arrives before anything pours, put the container back first."""
        try:
            await motion()
        except Interrupted as interrupted:
            if not isinstance(interrupted.message, Stop):
                await self._put_back(name)
            raise

    async def _tilt(self, name: str, at: Xy, rim: float, amount: float) -> None:
        """Tilt over a cup until the weight in the hand shows that enough has run out; then turn upright."""
        kind = self.counter.things[name].kind
        end = FULL_TILT if kind == "ladle" else pouring_tilt(amount)
        start, tilt, speed = self._weight(name), 0.0, 0.0
        last, back = drinks_joints_at(self.hand.over(at, rim, 0.0)), False
        hold = self.hand.hold()
        for _ in range(_LONGEST):
            gone = start - self._weight(name)
            back = back or gone >= amount * (0.999 if kind == "ladle" else 0.97)
            turn_back = back or gone + _tail(kind, tilt, speed) >= amount
            wanted = -TURNING if turn_back else TURNING if tilt < end else 0.0
            speed += float(np.clip(wanted - speed, -HASTE * TICK, HASTE * TICK))
            tilt = min(max(tilt + speed * TICK, 0.0), end)
            joints = drinks_joints_at(self.hand.over(at, rim, tilt, hold))
            self.bar.advance(joints, (joints - last) / TICK)
            last = joints
            await tick()
            if back and tilt == 0.0:
                break
        await self.hand.wait(2)

    def _weight(self, name: str) -> float:
        return self.stock.ladles.get(name, 0.0) if self.counter.things[name].kind == "ladle" else self.stock.left[name]

    async def _put_back(self, name: str) -> None:
        """Put a container back in its place on the shelf, after turning it upright."""
        if abs(self.counter.commanded().roll) > 0.02:
            await self.hand.follow(self.hand.turning_back())
        await self.hand.put(self.counter.homes[name], self.counter.home_height(name), back=_BACK)
        if self.counter.things[name].kind == "ladle":
            self.stock.empty_ladle(name)


def _tail(kind: str, tilt: float, speed: float) -> float:
    """How much still runs out while a turning container is stopped and turned upright."""
    if kind == "ladle" or tilt < ONSET:
        return 0.0
    slow = max(speed, 0.0) / HASTE  # seconds until it turns back
    return flow_rate(kind, tilt + speed * slow / 2) * (2 * slow + TICK + (tilt - ONSET) / (2 * TURNING))
