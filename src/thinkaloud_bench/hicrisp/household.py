"""HiCRISP's Table I: ten requests in a home, in VirtualHome's own graph simulator.

Every episode has its own home (`draw_home`): the things, their places and the robot's position come from the seed. The
start is arranged so that there is something to do: the light is on, the plate is dirty, the salmon is not in the fridge
yet. Success is judged by the true state: by what the request asks for, in whichever way it came about. `recall` is the
share of it that was done.

- Eating, watching, washing and brushing leave no trace in VirtualHome. They have to be carried out under the right
  circumstances: on the sofa, with the TV on, under running water, brush in hand.
- What the robot opened or switched on only for the task has to be restored if that is part of doing it well: the fridge
  is closed at the end, and the water is off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from thinkaloud.monologue import Monologue
from thinkaloud.worlds import World
from thinkaloud_bench.contract import Item, Task
from thinkaloud_bench.hicrisp.effects import EffectsSeen
from thinkaloud_bench.hicrisp.household_expert import HouseholdExpert
from thinkaloud_bench.hicrisp.household_goals import Did, Ends, HomeGoal, Once, Witness, any_of, both, find_kind
from thinkaloud_bench.hicrisp.limits import HOME_LIMITS
from thinkaloud_bench.hicrisp.scoring import judged
from thinkaloud_bench.playing import SAME_LOOP, Judged, Setup, expert_in
from thinkaloud_worlds.household import HomeGraph, Household, draw_home

_Draw = Callable[[HomeGraph, np.random.Generator], tuple[HomeGraph, HomeGoal]]


def _eat_chips(home: HomeGraph, rng: np.random.Generator) -> tuple[HomeGraph, HomeGoal]:
    chips, sofas = find_kind(home.ids, "chips"), find_kind(home.ids, "sofa")
    home = _free(put_elsewhere(home, rng, chips, *sofas), rng, sofas)
    sitting = any_of(["sitting_on"], sofas)
    return home, HomeGoal((Did(("eat",), chips, sitting), Once(sitting)))


def _salmon_fridge(home: HomeGraph, rng: np.random.Generator) -> tuple[HomeGraph, HomeGoal]:
    salmon, fridges = find_kind(home.ids, "salmon"), find_kind(home.ids, "fridge")
    home = put_elsewhere(home, rng, salmon, *fridges).with_states(dict.fromkeys(fridges, "CLOSED"))
    return home, HomeGoal((Ends(any_of(["inside"], salmon, fridges)),), _each("closed", fridges))


def _watch_tv(home: HomeGraph, rng: np.random.Generator) -> tuple[HomeGraph, HomeGoal]:
    sets = find_kind(home.ids, "tv")
    on = any_of(["switched_on"], sets)
    return home.with_states(dict.fromkeys(sets, "OFF")), HomeGoal((Ends(on), Did(("watch", "look_at"), sets, on)))


def _wash_plate(home: HomeGraph, rng: np.random.Generator) -> tuple[HomeGraph, HomeGoal]:
    plates, faucets, sinks = (find_kind(home.ids, kind) for kind in ("plate", "faucet", "sink"))
    home = home.with_states({**dict.fromkeys(plates, "DIRTY"), **dict.fromkeys(faucets, "OFF")})
    running = [(("switched_on", faucet), ("close_to", faucet)) for faucet in faucets]
    there = (*any_of(["inside", "on_top"], plates, sinks), *any_of(["holding"], plates))
    washed = Did(("wash", "rinse", "scrub", "wipe"), plates, both(there, running))
    return home, HomeGoal((washed, Ends(any_of(["clean"], plates))), _each("switched_off", faucets))


def _coffee_table(home: HomeGraph, rng: np.random.Generator) -> tuple[HomeGraph, HomeGoal]:
    pots, cakes, tables = (find_kind(home.ids, kind) for kind in ("coffee pot", "cupcake", "coffee table"))
    home = put_elsewhere(put_elsewhere(home, rng, pots, *tables), rng, cakes, *tables)
    return home, HomeGoal(tuple(Ends(any_of(["on_top", "inside"], things, tables)) for things in (pots, cakes)))


def _microwave_salmon(home: HomeGraph, rng: np.random.Generator) -> tuple[HomeGraph, HomeGoal]:
    salmon, ovens = find_kind(home.ids, "salmon"), find_kind(home.ids, "microwave")
    home = put_elsewhere(home, rng, salmon, *ovens).with_states(dict.fromkeys(ovens, ("CLOSED", "OFF", "PLUGGED_IN")))
    inside = any_of(["inside"], salmon, ovens)
    running = tuple((*choice, ("closed", choice[0][2]), ("switched_on", choice[0][2])) for choice in inside)
    return home, HomeGoal((Once(inside), Once(running)))


def _light_off(home: HomeGraph, rng: np.random.Generator) -> tuple[HomeGraph, HomeGoal]:
    lights = find_kind(home.ids, "light")
    one = lights[int(rng.integers(len(lights)))]
    home = home.with_states({**dict.fromkeys(lights, "OFF"), one: ("ON", "PLUGGED_IN")})
    return home.with_robot_in(home.rooms[home.ids[one]]), HomeGoal(_each("switched_off", (one,)))


def _brush_teeth(home: HomeGraph, rng: np.random.Generator) -> tuple[HomeGraph, HomeGoal]:
    brushes, pastes, teeth = (find_kind(home.ids, kind) for kind in ("toothbrush", "toothpaste", "teeth"))
    brushed = Did(("scrub", "wash", "rinse", "wipe"), teeth, any_of(["holding"], brushes))
    home = home.with_states(dict.fromkeys(teeth, "DIRTY"))
    return home, HomeGoal((Once(any_of(["inside", "on_top"], pastes, brushes)), brushed))


def _throw_apple(home: HomeGraph, rng: np.random.Generator) -> tuple[HomeGraph, HomeGoal]:
    apples, bins = find_kind(home.ids, "apple"), find_kind(home.ids, "garbage can")
    return put_elsewhere(home, rng, apples, *bins), HomeGoal((Ends(any_of(["inside", "on_top"], apples, bins)),))


def _make_toast(home: HomeGraph, rng: np.random.Generator) -> tuple[HomeGraph, HomeGoal]:
    slices, toasters = find_kind(home.ids, "bread slice"), find_kind(home.ids, "toaster")
    home = put_elsewhere(home, rng, slices, *toasters).with_states(dict.fromkeys(toasters, "OFF"))
    inside = any_of(["inside", "on_top"], slices, toasters)
    return home, HomeGoal((Once(inside), Once(tuple((*choice, ("switched_on", choice[0][2])) for choice in inside))))


_SPOTS = ("kitchen counter", "table", "dining table", "desk", "coffee table", "nightstand", "kitchen cabinet")
"""Where things go that would otherwise already be in their goal place."""


def put_elsewhere(home: HomeGraph, rng: np.random.Generator, things: tuple[str, ...], *wanted: str) -> HomeGraph:
    """Return the home with none of the things in its goal place; such things are moved somewhere else."""
    there = {home.ids[name] for name in wanted}
    spots = [name for name in _spots(home) if name not in wanted]
    for name in things:
        if any(e.from_id == home.ids[name] and e.to_id in there and e.relation_type != "CLOSE" for e in home.edges):
            home = home.with_at(name, "ON", spots[int(rng.integers(len(spots)))])
    return home


def _free(home: HomeGraph, rng: np.random.Generator, seats: tuple[str, ...]) -> HomeGraph:
    """Return the home with at most two things on each seat, so that there is room to sit down."""
    spots = _spots(home)
    for seat in seats:
        for thing in [e.from_id for e in home.edges if e.to_id == home.ids[seat] and e.relation_type == "ON"][2:]:
            home = home.with_at(thing, "ON", spots[int(rng.integers(len(spots)))])
    return home


def _spots(home: HomeGraph) -> list[str]:
    return [name for name in home.ids if name.rstrip(" 0123456789") in _SPOTS]


def _each(relation: str, things: tuple[str, ...]) -> tuple[Ends, ...]:
    return tuple(Ends((((relation, name),),)) for name in things)


@dataclass(frozen=True)
class HouseholdTask(Task):
    """A request of Table I, and how its home is arranged."""

    draw: _Draw = _light_off

    def set_up(self, seed: int) -> tuple[Household, HomeGoal]:
        """The home of a seed, ready to begin in, and what is wanted there."""
        rng = np.random.default_rng([seed, 2])
        home, goal = self.draw(draw_home(int(rng.integers(2**32))), rng)
        world = Household(home)
        world.reset(seed)
        return world, goal


HOME_TASKS = {
    task.name: task
    for task in (
        HouseholdTask("eat_chips", "Eat chips on the sofa", "household", _eat_chips),
        HouseholdTask("salmon_fridge", "Put salmon in the fridge", "household", _salmon_fridge),
        HouseholdTask("watch_tv", "Watch TV", "household", _watch_tv),
        HouseholdTask("wash_plate", "Wash the plate", "household", _wash_plate),
        HouseholdTask("coffee_table", "Bring coffeepot and cupcake to the coffee table", "household", _coffee_table),
        HouseholdTask("microwave_salmon", "Microwave salmon", "household", _microwave_salmon),
        HouseholdTask("light_off", "Turn off light", "household", _light_off),
        HouseholdTask("brush_teeth", "Brush teeth", "household", _brush_teeth),
        HouseholdTask("throw_apple", "Throw away apple", "household", _throw_apple),
        HouseholdTask("make_toast", "Make toast", "household", _make_toast),
    )
}
"""The ten requests of Table I, in its words."""


def set_up_home(item: Item) -> Setup:
    """One request in one home, judged by the true state and by what was seen on the way."""
    task = HOME_TASKS[item.task]
    world, goal = task.set_up(item.seed)
    return asked_at_home(world, world, goal, f"{task.title}.")


def asked_at_home(world: Household, known: World, goal: HomeGoal, request: str) -> Setup:
    """Set up a request in a home that the robot sees as `known`: the home itself, or a wrapper around it."""
    witness, seen = Witness(world, goal), EffectsSeen(world)
    return Setup(
        known,
        request,
        lambda said, _: judged_at_home(said, world, witness.recall, witness.missing, seen),
        expert_in(SAME_LOOP, HouseholdExpert(world, goal, witness)),
        HOME_LIMITS,
        listeners=[witness, seen],
    )


def judged_at_home(
    said: Monologue, world: Household, recall: float, missing: Sequence[str], seen: EffectsSeen, **about: str
) -> Judged:
    """Return the judge's decision: what is wrong, in words, and what was done, in VirtualHome's notation."""
    kept = {**about, "script": list(world.script), "errors": list(world.errors), "missing": list(missing)}
    scores = {"success": float(not missing), **seen.scores}
    return judged(said, recall, not missing, scores=scores, details=[kept])
