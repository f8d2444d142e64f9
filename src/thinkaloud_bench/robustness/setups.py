"""The tasks, and one of the variants of a request, ready to begin.

Twenty episodes are the variants of one request in one scene; the next twenty are those in another scene. Everything but
the variant, which is the number of the episode, comes from the seed. What came of a variant is written down in one
line, its `outcome`, so that it can be seen whether that of another one is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from thinkaloud.guidelines import shipped_text
from thinkaloud.loop import Limits, Mind
from thinkaloud.monologue import Monologue
from thinkaloud.records import End, WorldState
from thinkaloud.state.edits import with_placed
from thinkaloud.worlds import World
from thinkaloud_bench.contract import Item, Task
from thinkaloud_bench.hicrisp import household
from thinkaloud_bench.hicrisp.household_goals import Ends, HomeGoal, any_of
from thinkaloud_bench.itp import episodes as orders
from thinkaloud_bench.itp.setups import set_up_order
from thinkaloud_bench.itp.tables import drinks_sentences
from thinkaloud_bench.playing import SAME_LOOP, Judged, Setup, expert_in
from thinkaloud_bench.robustness.phrasings import PHRASINGS, REQUEST_KINDS
from thinkaloud_bench.robustness.shuffling import Shuffled, ShuffledProgress
from thinkaloud_bench.statler.episodes import Query, QueryEpisode
from thinkaloud_bench.statler.setups import asked_in, open_episode_world
from thinkaloud_bench.tabletop_expert import TabletopExpert
from thinkaloud_bench.tabletop_goals import BlocksPlaced, resting_on
from thinkaloud_worlds.household import Household, draw_home
from thinkaloud_worlds.tabletop import Scene, Tabletop
from thinkaloud_worlds.tabletop.layout import COLOURS

_Varied = Literal["phrasings", "scene order", "feedback order"]
INNER_MONOLOGUE, STATLER, HICRISP, ITP = "inner_monologue", "statler", "hicrisp", "itp"
_STEPS = 15
_THINGS = ("cheese", "butter", "cake", "pizza", "steak", "chicken", "pudding")
_BOXES = ("fridge", "oven", "microwave", "cupboard")
_FLAVOURS = {"mango": "mango jam", "blueberry": "blueberry", "taro": "taro"}
_TOPPINGS = {"boba": "boba", "matcha": "matcha powder"}
_PRINTED = (("taro", "boba"),)
"""What the paper orders itself."""


@dataclass(frozen=True)
class Variant:
    """One of the twenty: what varies, its number, and the seed of the scene."""

    varied: _Varied
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

    @property
    def change(self) -> Callable[[Mind], Mind] | None:
        """What is different about the robot's mind: what it gets to hear of its progress."""
        if self.varied != "feedback order":
            return None
        return lambda mind: replace(mind, perceive=ShuffledProgress(mind.perceive, self.number))


_SetUp = Callable[[Item, Variant], Setup]


# At the table ---------------------------------------------------------------------------------------------------------


def _all_in_bowl(item: Item, variant: Variant) -> Setup:
    """All the blocks of the scene into one bowl."""
    table = _table(variant)
    bowl = str(variant.rng.choice(table.bowls))
    goal = BlocksPlaced(dict.fromkeys(table.blocks, (bowl,)))
    return _at_table(variant, table, variant.said(REQUEST_KINDS["bowl"], bowl=bowl), goal)


def _one_onto_another(item: Item, variant: Variant) -> Setup:
    """One block onto another."""
    table = _table(variant)
    thing, target = (str(name) for name in variant.rng.permutation(table.blocks)[:2])
    request = variant.said(REQUEST_KINDS["onto"], thing=thing, target=target)
    return _at_table(variant, table, request, BlocksPlaced({thing: (target,)}))


def _table(variant: Variant) -> Tabletop:
    return Tabletop(Scene.random(variant.seed, blocks=3, bowls=2))


def _at_table(variant: Variant, table: Tabletop, request: str, goal: BlocksPlaced) -> Setup:
    world = variant.seen(table)
    expert = expert_in(SAME_LOOP, TabletopExpert(world, table, goal))
    limits, change = Limits(steps=_STEPS), variant.change
    setup = Setup(world, request, lambda *_: Judged(goal.met(table)), expert, limits, change=change)
    return _known(setup, request, lambda _: "; ".join(f"{block}: {_place(table, block)}" for block in table.blocks))


def _place(table: Tabletop, block: str) -> str:
    inside = next((bowl for bowl in table.bowls if table.on(block, bowl)), None)
    return inside or resting_on(table, block) or "table"


# What is remembered ---------------------------------------------------------------------------------------------------


def _from_bowl_to_bowl(item: Item, variant: Variant) -> Setup:
    """The block that is in one bowl into another."""
    state, inside = _arranged(variant)
    source, target = (str(name) for name in variant.rng.permutation(list(inside))[:2])
    text = variant.said(REQUEST_KINDS["from_bowl"], source=source, target=target)
    return _remembering(item, variant, state, Query(text, actions=((inside[source], target),)))


def _is_in_bowl(item: Item, variant: Variant) -> Setup:
    """Whether a block is in a bowl."""
    state, inside = _arranged(variant)
    rng, bowls = variant.rng, list(inside)
    at = int(rng.integers(len(bowls)))
    bowl, other = bowls[at], bowls[(at + int(rng.integers(2))) % len(bowls)]  # half of the times the same one
    text = variant.said(REQUEST_KINDS["is_in"], thing=inside[other], bowl=bowl)
    return _remembering(item, variant, state, Query(text, say="yes" if other == bowl else "no"))


def _which_in_bowl(item: Item, variant: Variant) -> Setup:
    """Which block is in a bowl."""
    state, inside = _arranged(variant)
    bowl = str(variant.rng.choice(list(inside)))
    return _remembering(item, variant, state, Query(variant.said(REQUEST_KINDS["which"], bowl=bowl), say=inside[bowl]))


def _arranged(variant: Variant) -> tuple[WorldState, dict[str, str]]:
    """Five blocks and three bowls: one block in each bowl, one block on another; and what is in each bowl."""
    colours = [str(colour) for colour in variant.rng.permutation(list(COLOURS))]
    blocks, bowls = [f"{colour} block" for colour in colours[:5]], [f"{colour} bowl" for colour in colours[4:7]]
    state = WorldState((*blocks, *bowls))
    inside = dict(zip(bowls, blocks, strict=False))
    for bowl, block in inside.items():
        state = with_placed(state, block, bowl)
    return with_placed(state, blocks[3], blocks[4]), inside


def _remembering(item: Item, variant: Variant, state: WorldState, query: Query) -> Setup:
    episode = QueryEpisode(item.task, "pick_and_place", state, (query,))
    world = open_episode_world(episode, variant.seed)
    setup = asked_in(world, variant.seen(world), episode)

    def outcome(judged: Judged) -> str:
        found = judged.details[-1]
        return "right" if judged.success else f"moved {found['moves']}, said {found['said']}"

    return _known(setup, query.text, outcome)


# In a home ------------------------------------------------------------------------------------------------------------


def _put_away(item: Item, variant: Variant) -> Setup:
    """Something into a container that is closed; whether it is closed again is the robot's own business."""
    rng = variant.rng
    thing, box = str(rng.choice(_THINGS)), str(rng.choice(_BOXES))
    home = household.put_elsewhere(draw_home(int(rng.integers(2**32))), rng, (thing,), box).with_states({box: "CLOSED"})
    world, goal = Household(home), HomeGoal((Ends(any_of(["inside"], (thing,), (box,))),))
    world.reset(variant.seed)
    request = variant.said(REQUEST_KINDS["put_away"], thing=thing, box=box)

    def acted(_: Judged) -> str:
        return "; ".join(
            line for line in world.script if not line.startswith(("[WALK]", "[FIND]", "[RUN]", "[TURNTO]"))
        )

    return _known(household.asked_at_home(world, variant.seen(world), goal, request), request, acted)


# By guidelines --------------------------------------------------------------------------------------------------------


def _drink(item: Item, variant: Variant) -> Setup:
    """A drink of milk and two other things, in either order, that the guidelines do not list."""
    known = [(one, two) for one in _FLAVOURS for two in _TOPPINGS if (one, two) not in _PRINTED]
    one, two = known[int(variant.rng.integers(len(known)))]
    request = variant.said(REQUEST_KINDS["drink"], one=one, two=two)
    wanted = orders.CounterOrder(((_FLAVOURS[one], _TOPPINGS[two]), ("milk",)))
    says, guidelines = drinks_sentences(), shipped_text("drinks")
    episode = orders.OrderEpisode(item.task, guidelines, request, world="drinks", wanted=wanted, says=says)
    setup = set_up_order(replace(item, episode=episode))
    return _known(setup, request, lambda judged: "; ".join(sorted(str(step) for step in judged.details[0]["means"])))


# The tasks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RobustnessTask(Task):
    """A kind of request, and what varies about it."""

    set_up: _SetUp = _all_in_bowl

    @property
    def varied(self) -> _Varied:
        """What the variants differ in."""
        return self.group  # type: ignore[return-value]


def _task(name: str, title: str, varied: _Varied, preset: str, set_up: _SetUp) -> RobustnessTask:
    return RobustnessTask(name, title, varied, set_up, one_seed=True, presets=(preset,))


ROBUSTNESS_TASKS = {
    task.name: task
    for task in (
        _task("bowl", "All the blocks in a bowl", "phrasings", INNER_MONOLOGUE, _all_in_bowl),
        _task("onto", "A block onto another", "phrasings", INNER_MONOLOGUE, _one_onto_another),
        _task("command", "From bowl to bowl", "phrasings", STATLER, _from_bowl_to_bowl),
        _task("yes-no", "Is it in the bowl?", "phrasings", STATLER, _is_in_bowl),
        _task("lookup", "What is in the bowl?", "phrasings", STATLER, _which_in_bowl),
        _task("home", "Into a closed container", "phrasings", HICRISP, _put_away),
        _task("drink", "A drink by guidelines", "phrasings", ITP, _drink),
        _task("bowl-scene", "All the blocks in a bowl, shuffled scene", "scene order", INNER_MONOLOGUE, _all_in_bowl),
        _task("lookup-scene", "What is in the bowl? Shuffled state", "scene order", STATLER, _which_in_bowl),
        _task("home-scene", "Into a closed container, shuffled scene", "scene order", HICRISP, _put_away),
        _task(
            "bowl-feedback",
            "All the blocks in a bowl, shuffled progress",
            "feedback order",
            INNER_MONOLOGUE,
            _all_in_bowl,
        ),
    )
}


def set_up_variant(item: Item) -> Setup:
    """The variant of a request that the number of the episode stands for, in the scene of `in_scene`."""
    task = ROBUSTNESS_TASKS[item.task]
    return task.set_up(item, Variant(task.varied, item.index % PHRASINGS, item.seed))


def in_scene(item: Item) -> Item:
    """The same episode with the seed of its scene, which twenty of them have in common."""
    return replace(item, seed=int(np.random.default_rng([item.seed, item.index // PHRASINGS]).integers(2**32)))


def _known(setup: Setup, request: str, outcome: Callable[[Judged], str]) -> Setup:
    """What was set up, with the words of the request and what came of it."""

    def judge(said: Monologue, end: End) -> Judged:
        judged = setup.judge(said, end)
        first = judged.details[0] if judged.details else {}
        return replace(judged, details=[{**first, "outcome": outcome(judged)}])

    return replace(setup, request=request, judge=judge)
