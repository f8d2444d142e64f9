"""The expert: what the hand, luck, people and the step limit allow if the planner makes no mistakes.

It knows the errand and where everything really is, and decides one skill at a time in the same loop as any planner. It
cannot foresee failures.
"""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Decline, Done, Plan, Step
from thinkaloud_bench.inner_monologue_kitchen.errands import TOP, Errand
from thinkaloud_worlds.kitchen import LOCATIONS, Kitchen
from thinkaloud_worlds.kitchen.catalogue import CABINET
from thinkaloud_worlds.kitchen.true_state import GONE, HAND


@dataclass
class KitchenExpert:
    """Decides for a kitchen from its true state."""

    world: Kitchen
    errand: Errand

    def __call__(self, monologue: Monologue) -> Decision:
        """The next skill; done as soon as the judge says so."""
        if self.errand.met(self.world.room):
            return Done("the judge says so")
        step = self._next()
        return Decline("nothing that will do is left") if step is None else Plan("", (), (step,))

    def _next(self) -> Step | None:
        room, errand = self.world.room, self.errand
        drawer = errand.wants in ("drawer open", "in the drawer")
        if drawer and TOP not in room.open:
            if room.held:
                return self._step("put_down", item=room.held)
            return self._step("open_drawer", drawer=TOP) if room.place == CABINET else self._go(CABINET)
        left = [item for item in errand.items if room.places.get(item, GONE) != GONE]
        if not left:
            return None
        item = min(left, key=lambda each: (room.places[each] != HAND, room.places[each] != room.place, each))
        if room.held != item:
            return self._take(item)
        match errand.wants:
            case "at the trash":
                return self._step("put_down", item=item) if room.place == "trash" else self._go("trash")
            case "with the user":
                return self._step("bring_it_to_you")
            case _:
                return self._step("put_in", item=item, drawer=TOP) if room.place == CABINET else self._go(CABINET)

    def _take(self, item: str) -> Step:
        room = self.world.room
        if room.held:
            return self._step("put_down", item=room.held)
        if item in room.in_view():
            return self._step("pick_up", item=item)
        where = room.places[item]
        return self._go(where if where in LOCATIONS else CABINET)

    def _go(self, location: str) -> Step:
        return self._step("go_to", location=location)

    def _step(self, skill: str, **arguments: str) -> Step:
        return self.world.skills[skill].step(arguments)
