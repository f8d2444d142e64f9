"""The weights that the package ships: what they find, point at and judge on tables drawn for these tests."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sampling import how_many
from thinkaloud.errors import SkillError
from thinkaloud.worlds.hands import open_hands
from thinkaloud.worlds.learned_files import SHIPPED, shipped_file
from thinkaloud.worlds.success_senses import open_senses
from thinkaloud.worlds.vision import CannotSee, open_eyes
from thinkaloud_bench.policy_alone import Told
from thinkaloud_bench.random_tables import appearance_of, count_boxes
from thinkaloud_bench.single_steps import draw_step
from thinkaloud_bench.success_senses import possible_steps
from thinkaloud_worlds.random_tables import draw_phrases, draw_table, photograph_drawn
from thinkaloud_worlds.tabletop.sensor_noise import PAPER_DISTURBANCE, Disturbed

pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")

from thinkaloud.perceive.learned_eyes import LearnedDetector

_FIRST_SEED = 300_000
"""Training has seeds from 500,000 up, and benchmarks begin at 0."""
_SURE = 0.8


@cache
def _detector() -> LearnedDetector:
    file = shipped_file("eyes")
    assert file is not None
    return LearnedDetector(file)


def test_all_parts_are_shipped_and_small() -> None:
    sizes = {part: file.stat().st_size for part in ("eyes", "hands", "senses", "tasks") if (file := shipped_file(part))}
    assert {*sizes} == {"eyes", "hands", "senses", "tasks"}
    assert sum(file.stat().st_size for file in SHIPPED.iterdir()) < 40e6


@pytest.mark.parametrize(
    ("style", "count", "precision", "recall"),
    [("plain", None, 0.9, 0.7), ("kept_back", None, 0.9, 0.6), ("clutter", 40, 0.7, 0.5)],
)
def test_the_eyes_find_what_is_named_and_little_else(
    style: str, count: int | None, precision: float, recall: float
) -> None:
    counted = dict.fromkeys(("right", "said", "visible"), 0.0)
    for seed in range(_FIRST_SEED, _FIRST_SEED + (2 if count else how_many(5, of=8))):
        table = draw_table(seed, style, count)  # type: ignore[arg-type]
        picture = photograph_drawn(table, 320, 240)
        phrases = draw_phrases(table)
        catalogue = [appearance_of(phrase, words, table) for phrase, words in phrases.items()]
        scores = count_boxes(open_eyes("learned").look(picture.view, catalogue), phrases, table, picture)
        counted = {name: counted[name] + scores[name] for name in counted}
    assert counted["visible"] >= how_many(12, of=20)
    assert counted["right"] / counted["said"] >= precision
    assert counted["right"] / counted["visible"] >= recall


@pytest.mark.parametrize("size", [(80, 60), (160, 120), (333, 250), (640, 480)])
def test_a_picture_may_have_any_size(size: tuple[int, int]) -> None:
    table = draw_table(_FIRST_SEED + 40, "plain")
    picture = photograph_drawn(table, *size)
    names = [thing.kind for thing in table.things]
    found = _detector().find(picture.view, names)
    assert found
    for each in found:
        left, top, right, bottom = each.box
        assert 0 <= left < right <= size[0] and 0 <= top < bottom <= size[1]
        assert each.mask.shape == (size[1], size[0])


def test_nothing_is_found_in_pictures_of_nothing() -> None:
    view = photograph_drawn(draw_table(_FIRST_SEED, "plain"), 320, 240).view
    phrases = ["red block", "thing", "striped mug", "fruit", "bowl"]
    for rgb in (np.zeros_like(view.rgb), np.full_like(view.rgb, 255), np.full_like(view.rgb, 120)):
        flat = replace(view, rgb=rgb, depth=np.full_like(view.depth, float(np.nanmax(view.depth))))
        assert all(found.score < _SURE for found in _detector().find(flat, phrases))


def test_a_picture_of_noise_is_refused() -> None:
    table = draw_table(_FIRST_SEED, "plain")
    view, phrases = photograph_drawn(table, 320, 240).view, draw_phrases(table)
    catalogue = [appearance_of(phrase, words, table) for phrase, words in phrases.items()]
    rng = np.random.default_rng(0)
    grain = np.clip(view.rgb + rng.normal(0, 25, view.rgb.shape), 0, 255).astype(np.uint8)
    assert open_eyes("learned").look(replace(view, rgb=grain), catalogue).sightings
    noise = rng.integers(0, 256, view.rgb.shape).astype(np.uint8)
    with pytest.raises(CannotSee, match="nothing but noise"):
        open_eyes("learned").look(replace(view, rgb=noise), catalogue)


def test_what_is_not_there_is_hardly_ever_found_with_a_high_score() -> None:
    sure = asked = 0
    for seed in range(_FIRST_SEED + 60, _FIRST_SEED + 60 + how_many(6, of=10)):
        table = draw_table(seed, "plain")
        view = photograph_drawn(table, 320, 240).view
        kinds = {thing.kind for thing in table.things}
        absent = [kind for kind in ("block", "bowl", "mug", "banana", "plate") if kind not in kinds]
        asked += len(absent)
        sure += sum(found.score >= _SURE for found in _detector().find(view, absent))
    assert asked >= how_many(15, of=25) and sure <= asked * 0.1


def test_a_word_that_was_never_learned_is_not_guessed() -> None:
    view = photograph_drawn(draw_table(_FIRST_SEED, "plain"), 320, 240).view
    assert not _detector().understands("red gizmo")
    assert not _detector().find(view, ["red gizmo"])


@pytest.mark.parametrize("task", ["seen", "unseen", "wording"])
def test_the_hands_do_single_steps_without_being_told_where_things_are(task: str) -> None:
    hands, worked, steps = open_hands("learned"), 0, how_many(5, of=8)
    for seed in range(_FIRST_SEED, _FIRST_SEED + steps):
        table, step, sentence = draw_step(seed, task)
        table.pick_with(Told(hands, sentence))
        try:
            asyncio.run(table.skills["pick_and_place"].run(step))
        except SkillError:
            continue
        worked += table.on(**step)
    assert worked / steps >= 0.6


def test_the_hands_refuse_what_is_not_there_more_often_than_what_is() -> None:
    hands, refused = open_hands("learned"), {True: 0, False: 0}
    for seed in range(_FIRST_SEED, _FIRST_SEED + 15):
        table, _, _ = draw_step(seed, "seen")
        rgb, height = table.from_above()
        here = table.blocks[0]
        absent = next(
            name
            for name in ("purple block", "orange block", "pink block", "brown block", "gray block")
            if name not in table.blocks
        )
        for name in (here, absent):
            try:
                hands.point(rgb, height, f"Pick the {name} and place it on the {table.bowls[0]}.")
            except SkillError:
                refused[name == here] += 1
    assert refused[True] <= 3 and refused[False] > refused[True]


def test_the_senses_tell_a_step_that_worked_from_one_that_did_not() -> None:
    senses, agreed, asked = open_senses("learned"), 0, 0
    for seed in range(_FIRST_SEED, _FIRST_SEED + 8):
        table, step, _ = draw_step(seed, "seen")
        world = Disturbed(table, PAPER_DISTURBANCE)
        world.reset(seed)
        skill, before, steps = world.skills["pick_and_place"], table.from_above(), possible_steps(world)
        try:
            asyncio.run(skill.run(step))
        except SkillError:
            continue
        after, words = table.from_above(), skill.step(step).words
        said = senses.judge(before, after, words, [each for each in steps if each != words]).worked
        agreed += said == table.on(**step)
        asked += 1
        assert not senses.judge(before, before, words, [each for each in steps if each != words]).worked
    assert asked >= 6 and agreed >= asked - 2
