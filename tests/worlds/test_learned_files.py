"""Learned parts without a file: those that the package ships, in worlds, on the command line and in benchmarks."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.errors import BadInput
from thinkaloud.execute.learned_hands import LearnedHands
from thinkaloud.models import Scripted
from thinkaloud.robots import open_world
from thinkaloud.verify.learned_senses import LearnedSenses
from thinkaloud.worlds import learned_files
from thinkaloud.worlds.hands import open_hands
from thinkaloud.worlds.learned_files import named_file, nearest, resize, shipped_file, shrink
from thinkaloud.worlds.success_senses import SensedSuccess, open_senses
from thinkaloud.worlds.vision import open_eyes
from thinkaloud_bench import BENCHES
from thinkaloud_bench.contract import Item
from thinkaloud_bench.policy_alone import open_policy
from thinkaloud_bench.success_senses import open_judge
from written_detector import write_detector
from written_judge import write_judge
from written_policy import write_policy


@pytest.fixture
def none_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package without weights."""
    monkeypatch.setattr(learned_files, "SHIPPED", tmp_path / "shipped")
    (tmp_path / "shipped").mkdir()
    return tmp_path / "shipped"


@pytest.fixture
def shipped(none_shipped: Path) -> Path:
    """A package with weights that are written by hand."""
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    write_detector(none_shipped / "eyes.onnx")
    write_policy(none_shipped / "hands.onnx", least=0.125)
    write_policy(none_shipped / "tasks.onnx", least=0.25)
    write_judge(none_shipped / "senses.onnx", threshold=0.75)
    return none_shipped


def test_without_a_file_the_shipped_ones_are_opened(shipped: Path) -> None:
    hands, policy, senses = open_hands("learned"), open_policy("policy_until_done"), open_senses("learned")
    assert isinstance(hands, LearnedHands) and isinstance(policy, LearnedHands) and isinstance(senses, LearnedSenses)
    assert (hands.least, policy.least, senses.threshold) == (0.125, 0.25, 0.75)
    judge = open_judge("foresight")
    assert judge is not None and judge[1].error_rates == senses.error_rates


def test_a_named_file_goes_before_the_shipped_one(shipped: Path, tmp_path: Path) -> None:
    other = shutil.copy(write_policy(tmp_path / "other.onnx", least=0.5), tmp_path / "copy.onnx")
    hands = open_hands(f"learned:{other}")
    assert isinstance(hands, LearnedHands) and hands.least == 0.5


def test_a_world_is_opened_with_the_shipped_parts(shipped: Path) -> None:
    world = open_world("tabletop", eyes="learned", hands="learned", senses="learned")
    assert isinstance(world, SensedSuccess)
    world.reset(0)
    known = {"red block", "blue block"}  # the written detector knows no other colours, and no bowls
    assert {*world.observe().objects} <= known


def test_benchmarks_take_shipped_parts_as_columns(shipped: Path) -> None:
    for bench, column in (
        ("detectors", "learned"),
        ("random-tables", "learned"),
        ("single-steps", "learned"),
        ("success-senses", "both"),
        ("inner-monologue-tabletop", "policy"),
    ):
        check = BENCHES[bench].column
        assert check is not None
        check(column)
    played = asyncio.run(BENCHES["single-steps"].play(Item("learned", "seen", 0, 0), Scripted))
    assert "never learned the word" in played.because  # the shipped file was asked, and knows few words


@pytest.mark.parametrize(
    ("opener", "name", "line"),
    [
        (open_eyes, "learned", "No trained eyes are shipped: train with `make eyes`"),
        (open_hands, "learned", "No trained hands are shipped: train with `make hands`"),
        (open_senses, "learned", "No trained senses are shipped: train with `make senses`"),
        (open_policy, "policy", "No trained policy of whole tasks is shipped: train with `make hands TASKS=1`"),
        (open_judge, "both", "No trained senses are shipped"),
    ],
)
def test_while_none_are_shipped_a_line_says_so(none_shipped: Path, opener: object, name: str, line: str) -> None:
    assert callable(opener)
    with pytest.raises(BadInput) as told:
        opener(name)
    assert str(told.value).startswith(line) and "\n" not in str(told.value)
    assert shipped_file("eyes") is None
    with pytest.raises(BadInput, match="and name the file"):
        named_file("eyes", "")


def test_pictures_change_their_size_without_changing_what_they_show() -> None:
    rng = np.random.default_rng(0)
    fine = rng.integers(0, 256, (120, 160, 3)).astype(np.uint8)
    assert np.array_equal(resize(fine, 120, 160), fine)
    half = resize(fine, 60, 80).astype(float)
    assert np.abs(half - fine.reshape(60, 2, 80, 2, 3).mean(axis=(1, 3))).max() <= 1.0
    back = resize(resize(fine, 60, 80), 120, 160)
    assert np.array_equal(back[::2, ::2], resize(fine, 60, 80))
    heights = rng.uniform(size=(120, 160)).astype(np.float32)
    heights[3, 3] = np.nan
    assert np.isnan(nearest(heights, 120, 160)[3, 3]) and nearest(heights, 40, 40).shape == (40, 40)
    assert {*nearest(heights, 7, 9).ravel()} <= {*heights.ravel()}
    rgb, height = shrink(np.full((256, 256, 3), 77.0), np.full((256, 256), 0.1))
    assert rgb.min() == rgb.max() == 77 and height.shape == (128, 128)


@pytest.mark.parametrize(("tall", "wide"), [(80, 96), (45, 64), (100, 150)])
def test_a_pixel_that_covers_parts_of_others_is_their_mean_by_how_much(tall: int, wide: int) -> None:
    fine = np.random.default_rng(1).integers(0, 256, (120, 160, 3))
    spread = np.repeat(np.repeat(fine, tall, axis=0), wide, axis=1)  # so fine that no pixel is cut
    means = spread.reshape(tall, 120, wide, 160, 3).mean(axis=(1, 3))
    assert np.abs(resize(fine.astype(np.uint8), tall, wide) - means).max() <= 0.51
