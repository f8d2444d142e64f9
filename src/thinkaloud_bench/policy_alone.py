"""A policy alone, as the baselines of Inner Monologue's Table 1: it gets the whole task as its sentence, and no plan.

It looks, picks, places, and begins again, since it does not know when it is done. `policy_until_done` is told.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from thinkaloud.errors import SkillError
from thinkaloud.monologue import Monologue
from thinkaloud.records import End
from thinkaloud.worlds.contract import Handed, find_ability
from thinkaloud.worlds.hands import Hands, Pointing, open_hands
from thinkaloud.worlds.learned_files import named_file
from thinkaloud_bench.contract import Item, Played
from thinkaloud_bench.playing import Setup, played_as

_ALONE, _TOLD = "policy", "policy_until_done"


@dataclass
class Told:
    """Hands that are told this sentence, whatever the step is. `seconds` is how long they took, over `looks` looks."""

    hands: Hands
    sentence: str
    seconds: float = 0.0
    looks: int = 0

    def point(self, rgb: NDArray[Any], height: NDArray[Any], sentence: str) -> Pointing:
        """Point for the sentence that they were told."""
        began = time.perf_counter()
        try:
            return self.hands.point(rgb, height, self.sentence or sentence)
        finally:
            self.seconds += time.perf_counter() - began
            self.looks += 1


def is_policy(column: str) -> bool:
    """Whether a column is a policy alone."""
    return column.partition(":")[0] in (_ALONE, _TOLD)


def open_policy(column: str) -> Hands:
    """Open the policy of a column, or the one that is shipped if it names no file; BadInput if there is none."""
    return open_hands(f"learned:{policy_file(column)}")


def policy_file(column: str) -> Path:
    """Return the weights of the policy of a column."""
    return named_file("tasks", column.partition(":")[2])


async def play_policy(item: Item, setup: Setup, steps: int) -> Played:
    """Play an episode: the same sentence again and again, with the arm's own noise."""
    began, until_done = time.perf_counter(), item.preset.startswith(_TOLD)
    hands, world = Told(open_policy(item.preset), setup.request), setup.world
    handed = find_ability(world, Handed)
    assert handed is not None
    handed.pick_with(hands)
    seen = world.observe().vocabulary
    some = {"object": seen["object"][0], "target": seen["target"][-1]}  # the policy knows no names
    taken, said = 0, Monologue(world.clock)

    def done() -> bool:
        return setup.judge(said, End("limit", "")).success

    while taken < steps and not (until_done and done()):
        taken += 1
        try:
            await world.skills["pick_and_place"].run(some)
        except SkillError:  # out of reach, or it cannot tell where: it tries again, under other noise
            continue
    return played_as(
        item,
        (),
        request=setup.request,
        success=done(),
        result="limit" if taken == steps else "done",
        because="told that it is done" if until_done and taken < steps else f"{taken} steps",
        steps=taken,
        seconds=time.perf_counter() - began,
        model="no model",
        lost="" if done() else "hand",  # there is nobody else
    )
