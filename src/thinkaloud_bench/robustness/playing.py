"""The tasks, and how one of the variants of a request is played.

Twenty episodes are the variants of one request in one scene; the next twenty are those in another scene. Everything but
the variant, which is the number of the episode, comes from the seed. What came of a variant is written down in one
line, its `outcome`, so that it can be seen whether that of another one is the same.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal

import msgspec
import numpy as np

from thinkaloud.errors import BadInput
from thinkaloud.guidelines import shipped_text
from thinkaloud.loop import Limits, Mind
from thinkaloud.records import WorldState
from thinkaloud.state.edit import placed
from thinkaloud.worlds import World
from thinkaloud.worlds.household import Household, draw_home
from thinkaloud.worlds.tabletop import Scene, Tabletop
from thinkaloud.worlds.tabletop.layout import COLOURS
from thinkaloud_bench.ceiling import TabletopExpert
from thinkaloud_bench.contract import Item, OpenedModel, Played, Task
from thinkaloud_bench.goals import Placed, resting_on
from thinkaloud_bench.hicrisp import household
from thinkaloud_bench.hicrisp.household_expert import HouseholdExpert
from thinkaloud_bench.hicrisp.household_goals import Ends, Goal, Witness, any_of
from thinkaloud_bench.hicrisp.playing import play_episode
from thinkaloud_bench.itp import episodes as orders
from thinkaloud_bench.itp.playing import play as play_order
from thinkaloud_bench.itp.tables import drinks_sentences
from thinkaloud_bench.playing import Setup, play_request, played_as
from thinkaloud_bench.robustness.phrasings import BOWL, DRINK, FROM_BOWL, IS_IN, ONTO, PHRASINGS, PUT_AWAY, WHICH
from thinkaloud_bench.robustness.shuffling import Shuffled, ShuffledProgress
from thinkaloud_bench.statler.episodes import Episode, Query
from thinkaloud_bench.statler.playing import play_in, world_of

Varied = Literal["phrasings", "scene order", "feedback order"]
INNER_MONOLOGUE, STATLER, HICRISP, ITP = "inner_monologue", "statler:reader=query;writer=delta", "hicrisp", "itp"
STEPS = 15
THINGS = ("cheese", "butter", "cake", "pizza", "steak", "chicken", "pudding")
BOXES = ("fridge", "oven", "microwave", "cupboard")
FLAVOURS = {"mango": "mango jam", "blueberry": "blueberry", "taro": "taro"}
TOPPINGS = {"boba": "boba", "matcha": "matcha powder"}
PRINTED = (("taro", "boba"),)
"""What the paper orders itself."""


@dataclass(frozen=True)
class Variant:
    """One of the twenty: what varies, its number, and the seed of the scene."""

    varied: Varied
    number: int
    seed: int

    @property
    def rng(self) -> np.random.Generator:
        """What draws the scene: the same for all twenty."""
        return np.random.default_rng([self.seed, 3])

    def said(self, phrasings: tuple[str, ...], **things: str) -> str:
        """The request."""
        return phrasings[self.number if self.varied == "phrasings" else 0].format(**things)

    def seen(self, world: World) -> World:
        """The world as the robot knows it."""
        return Shuffled(world, self.number) if self.varied == "scene order" else world

    def mind(self, mind: Mind) -> Mind:
        """The robot's mind: what it gets to hear of its progress."""
        if self.varied != "feedback order":
            return mind
        return replace(mind, perceive=ShuffledProgress(mind.perceive, self.number))


Play = Callable[[Item, OpenedModel, Variant], Awaitable[Played]]


# At the table ---------------------------------------------------------------------------------------------------------


async def all_in_bowl(item: Item, model: OpenedModel, variant: Variant) -> Played:
    """All the blocks of the scene into one bowl."""
    table = _table(variant)
    bowl = str(variant.rng.choice(table.bowls))
    goal = Placed(dict.fromkeys(table.blocks, (bowl,)))
    return await _at_table(item, model, variant, table, variant.said(BOWL, bowl=bowl), goal)


async def one_onto_another(item: Item, model: OpenedModel, variant: Variant) -> Played:
    """One block onto another."""
    table = _table(variant)
    thing, target = (str(name) for name in variant.rng.permutation(table.blocks)[:2])
    request = variant.said(ONTO, thing=thing, target=target)
    return await _at_table(item, model, variant, table, request, Placed({thing: (target,)}))


def _table(variant: Variant) -> Tabletop:
    return Tabletop(Scene.random(variant.seed, blocks=3, bowls=2))


async def _at_table(
    item: Item, model: OpenedModel, variant: Variant, table: Tabletop, request: str, goal: Placed
) -> Played:
    world = variant.seen(table)
    expert = TabletopExpert(world, table, goal)
    setup = Setup(world, request, lambda: goal.met(table), expert, Limits(steps=STEPS), variant.mind)
    try:
        played = await play_request(item, setup, model)
    except BadInput as error:  # refused before anything was planned
        refused, name = str(error), model().name
        played = played_as(
            item, [], request=request, success=False, result="declined", because=refused, seconds=0.0, model=name
        )
    return _known(played, request, "; ".join(f"{block}: {_place(table, block)}" for block in table.blocks))


def _place(table: Tabletop, block: str) -> str:
    inside = next((bowl for bowl in table.bowls if table.on(block, bowl)), None)
    return inside or resting_on(table, block) or "table"


# What is remembered ---------------------------------------------------------------------------------------------------


async def from_bowl_to_bowl(item: Item, model: OpenedModel, variant: Variant) -> Played:
    """The block that is in one bowl into another."""
    state, inside = _arranged(variant)
    source, target = (str(name) for name in variant.rng.permutation(list(inside))[:2])
    text = variant.said(FROM_BOWL, source=source, target=target)
    return await _remembering(item, model, variant, state, Query(text, actions=((inside[source], target),)))


async def is_in_bowl(item: Item, model: OpenedModel, variant: Variant) -> Played:
    """Whether a block is in a bowl."""
    state, inside = _arranged(variant)
    rng, bowls = variant.rng, list(inside)
    at = int(rng.integers(len(bowls)))
    bowl, other = bowls[at], bowls[(at + int(rng.integers(2))) % len(bowls)]  # half of the times the same one
    text = variant.said(IS_IN, thing=inside[other], bowl=bowl)
    return await _remembering(item, model, variant, state, Query(text, say="yes" if other == bowl else "no"))


async def which_in_bowl(item: Item, model: OpenedModel, variant: Variant) -> Played:
    """Which block is in a bowl."""
    state, inside = _arranged(variant)
    bowl = str(variant.rng.choice(list(inside)))
    return await _remembering(item, model, variant, state, Query(variant.said(WHICH, bowl=bowl), say=inside[bowl]))


def _arranged(variant: Variant) -> tuple[WorldState, dict[str, str]]:
    """Five blocks and three bowls: one block in each bowl, one block on another; and what is in each bowl."""
    colours = [str(colour) for colour in variant.rng.permutation(list(COLOURS))]
    blocks, bowls = [f"{colour} block" for colour in colours[:5]], [f"{colour} bowl" for colour in colours[4:7]]
    state = WorldState((*blocks, *bowls))
    inside = dict(zip(bowls, blocks, strict=False))
    for bowl, block in inside.items():
        state = placed(state, block, bowl)
    return placed(state, blocks[3], blocks[4]), inside


async def _remembering(item: Item, model: OpenedModel, variant: Variant, state: WorldState, query: Query) -> Played:
    episode = Episode(item.task, "pick_and_place", state, (query,))
    world = world_of(episode, variant.seed)
    played = await play_in(item, model, episode, world, variant.seen(world))
    found = played.details[-1]
    outcome = "right" if played.success else f"moved {found['moves']}, said {found['said']}"
    return _known(played, query.text, outcome)


# In a home ------------------------------------------------------------------------------------------------------------


async def put_away(item: Item, model: OpenedModel, variant: Variant) -> Played:
    """Something into a container that is closed; whether it is closed again is the robot's own business."""
    rng = variant.rng
    thing, box = str(rng.choice(THINGS)), str(rng.choice(BOXES))
    home = household.away(draw_home(int(rng.integers(2**32))), rng, (thing,), box).with_states({box: "CLOSED"})
    world, goal = Household(home), Goal((Ends(any_of(["inside"], (thing,), (box,))),))
    world.reset(variant.seed)
    witness = Witness(world, goal)
    request = variant.said(PUT_AWAY, thing=thing, box=box)
    played = await play_episode(
        item,
        model,
        variant.seen(world),
        request,
        expert=HouseholdExpert(world, goal, witness),
        judge=lambda *_: household.judged_at_home(world, witness.recall, witness.missing),
        limits=household.LIMITS,
        listeners=[witness],
    )
    acted = [line for line in world.script if not line.startswith(("[WALK]", "[FIND]", "[RUN]", "[TURNTO]"))]
    return _known(played, request, "; ".join(acted))


# By guidelines --------------------------------------------------------------------------------------------------------


async def drink(item: Item, model: OpenedModel, variant: Variant) -> Played:
    """A drink of milk and two other things, in either order, that the guidelines do not list."""
    known = [(one, two) for one in FLAVOURS for two in TOPPINGS if (one, two) not in PRINTED]
    one, two = known[int(variant.rng.integers(len(known)))]
    request = variant.said(DRINK, one=one, two=two)
    wanted = orders.CounterOrder(((FLAVOURS[one], TOPPINGS[two]), ("milk",)))
    says, guidelines = drinks_sentences(), shipped_text("drinks")
    episode = orders.Episode(item.task, guidelines, request, world="drinks", wanted=wanted, says=says)
    played = await play_order(replace(item, episode=episode), model)
    return _known(played, request, "; ".join(sorted(str(step) for step in played.details[0]["means"])))


# The tasks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RobustnessTask(Task):
    """A kind of request, and what varies about it."""

    play: Play = all_in_bowl

    @property
    def varied(self) -> Varied:
        """What the variants differ in."""
        return self.group  # type: ignore[return-value]


def _task(name: str, title: str, varied: Varied, preset: str, play: Play) -> RobustnessTask:
    return RobustnessTask(name, title, varied, play, one_seed=True, presets=(preset,))


TASKS = {
    task.name: task
    for task in (
        _task("bowl", "All the blocks in a bowl", "phrasings", INNER_MONOLOGUE, all_in_bowl),
        _task("onto", "A block onto another", "phrasings", INNER_MONOLOGUE, one_onto_another),
        _task("command", "From bowl to bowl", "phrasings", STATLER, from_bowl_to_bowl),
        _task("yes-no", "Is it in the bowl?", "phrasings", STATLER, is_in_bowl),
        _task("lookup", "What is in the bowl?", "phrasings", STATLER, which_in_bowl),
        _task("home", "Into a closed container", "phrasings", HICRISP, put_away),
        _task("drink", "A drink by guidelines", "phrasings", ITP, drink),
        _task("bowl-scene", "All the blocks in a bowl, shuffled scene", "scene order", INNER_MONOLOGUE, all_in_bowl),
        _task("lookup-scene", "What is in the bowl? Shuffled state", "scene order", STATLER, which_in_bowl),
        _task("home-scene", "Into a closed container, shuffled scene", "scene order", HICRISP, put_away),
        _task(
            "bowl-feedback",
            "All the blocks in a bowl, shuffled progress",
            "feedback order",
            INNER_MONOLOGUE,
            all_in_bowl,
        ),
    )
}


async def play(item: Item, model: OpenedModel) -> Played:
    """The variant of a request that the number of the episode stands for."""
    scene = int(np.random.default_rng([item.seed, item.index // PHRASINGS]).integers(2**32))
    task = TASKS[item.task]
    return await task.play(replace(item, seed=scene), model, Variant(task.varied, item.index % PHRASINGS, scene))


def _known(played: Played, request: str, outcome: str) -> Played:
    """What was played, with the words of the request and what came of it."""
    details = [{**(played.details[0] if played.details else {}), "outcome": outcome}]
    return msgspec.structs.replace(played, request=request, details=details)
