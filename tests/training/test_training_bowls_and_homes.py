"""What HiCRISP asks for at a table and in homes, as programs: held against what they come to, worked out beside."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from training.demonstrators.hicrisp.homes import Wanted
from training.demonstrators.hicrisp.household import Wish
from training.demonstrators.meanings.bowls import drawn_bowls, left_empty
from training.demonstrators.meanings.knowing_homes import (
    OTHER_WORDS,
    drawn_care,
    drawn_product,
    in_other_words,
    needs_guessing,
)
from training.demonstrators.meanings.tabletop import laid

BOWLS = ["red bowl", "blue bowl", "tan bowl"]
BLOCKS = ["a", "b", "c", "d"]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_so_many_bowls_are_left_empty_wherever_the_blocks_lie(count: int) -> None:
    for start in product([*BOWLS, ""], repeat=len(BLOCKS)):
        where = dict(zip(BLOCKS, start, strict=True))
        empty = {*BOWLS} - {*start}
        if count > len(empty) and (count, len(empty)) != (1, 0):
            continue
        then = dict(where)

        def put(things: str | list[str], target: str, then: dict[str, str] = then) -> None:
            then.update(dict.fromkeys([things] if isinstance(things, str) else things, target))

        given = {
            "blocks": BLOCKS,
            "bowls": BOWLS,
            "on": lambda thing, bowl, where=where: where[thing] == bowl,
            "level": lambda thing, where=where: int(where[thing] != ""),
            "pick_and_place": put,
        }
        exec(left_empty("blocks", "bowls", count), given)
        assert len({*BOWLS} - {*then.values()}) == count, where
        if len(empty) == count:
            assert then == where


def test_colours_of_a_group_are_those_that_were_asked_for() -> None:
    rng = np.random.default_rng(4)
    said = [drawn_bowls(rng, laid).said for _ in range(150)]
    warm = [each for each in said if each is not None and "warm" in each.request and "[" in each.program]
    assert len(warm) > 5
    assert not any(colour in each.program.partition("]")[0] for each in warm for colour in ("blue", "teal", "navy"))


@pytest.mark.parametrize("draw", [drawn_product, drawn_care])
def test_what_goes_without_saying_is_in_the_steps_and_not_in_the_request(draw: object) -> None:
    assert callable(draw)
    silent = 0
    for seed in range(60):
        wanted = Wanted(np.random.default_rng(seed))
        wish = draw(wanted)
        if wish is None:
            continue
        tools = [name for name, kind in wanted.kinds.items() if kind in ("popper", "oven", "agent", "brush")]
        used = [name for name in tools if any(f" the {name}" in step for step in wish.steps)]
        assert used
        silent += not any(name in wish.request for name in used)
    assert silent > 20


def test_another_word_stands_for_one_thing_only() -> None:
    rng = np.random.default_rng(1)
    wanted = Wanted(rng, {"stereo": "player", "sofa": "seat"})
    wish = Wish("Switch on the stereo.", ("Switch on the stereo.",))
    said = in_other_words(wish, wanted)
    assert said.steps == wish.steps and said.request in {f"Switch on the {word}." for word in OTHER_WORDS["stereo"]}
    both = Wanted(np.random.default_rng(1), {"jukebox": "player", "boombox": "player"})
    assert in_other_words(Wish("Start the jukebox.", ()), both).request == "Start the jukebox."


def test_a_request_that_leaves_out_one_of_several_tools_is_not_taken() -> None:
    wanted = Wanted(np.random.default_rng(0), {"toaster": "popper", "blender": "popper"})
    assert needs_guessing(Wish("Make some soy beans.", ("Switch on the blender.",)), wanted)
    assert not needs_guessing(Wish("Use the blender.", ("Switch on the blender.",)), wanted)
