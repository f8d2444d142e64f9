"""Attempts in kitchens for the senses to learn from, and, where torch is there, the way to a file for them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from thinkaloud_worlds.kitchen import Kitchen
from thinkaloud_worlds.random_kitchens.draw import is_kept_back_at
from thinkaloud_worlds.random_kitchens.steps import IN_PLACE, came_true, draw_kitchen_step
from training import drawn_files
from training.senses import kitchen_attempts
from training.senses.kitchen_sentences import FORMS, WORDS


def test_attempts_in_a_kitchen_are_labelled_by_what_came_true_and_show_it() -> None:
    drawn = [kitchen_attempts.draw_attempt(seed) for seed in range(1_000_000, 1_000_012)]
    again = kitchen_attempts.draw_attempt(1_000_003)
    assert {name: np.asarray(part).tobytes() for name, part in again.items()} == {
        name: np.asarray(part).tobytes() for name, part in drawn[3].items()
    }
    assert {bool(each["worked"]) for each in drawn} == {True, False}
    for each in drawn:
        assert each["rgb"].shape == (2, 120, 160, 3) and each["sentences"].shape == (12, 24)
        assert (each["truth"] == 0) == bool(each["worked"])
        changed = np.abs(each["rgb"][0].astype(float) - each["rgb"][1]).max()
        assert changed > 20 if each["truth"] >= 0 else True
        said = [tuple(one) for one in each["sentences"] if one.any()]
        assert len({*said}) == len(said) > 1


def test_a_step_in_a_kitchen_came_true_only_if_it_changed_just_that() -> None:
    was, held = ({"coke": "counter"}, frozenset[str]()), ({"coke": "hand"}, frozenset({"top drawer"}))
    pick, drop = ("pick_up", (("item", "coke"),)), ("put_down", (("item", "coke"),))
    assert came_true(pick, was, held, "counter") and not came_true(pick, held, held, "counter")
    assert came_true(drop, held, was, "counter") and not came_true(drop, held, was, "table")
    stow = ("put_in", (("item", "coke"), ("drawer", "top drawer")))
    assert came_true(stow, held, ({"coke": "top drawer"}, held[1]), "cabinet") and not came_true(stow, held, was, "")
    opened, closed = (("open_drawer", (("drawer", "top drawer"),)), ("close_drawer", (("drawer", "top drawer"),)))
    assert came_true(opened, was, held, "cabinet") and not came_true(closed, was, held, "cabinet")
    assert came_true(closed, held, was, "cabinet") and not came_true(opened, held, held, "cabinet")


def test_steps_in_a_kitchen_keep_pairs_back_from_training_alone() -> None:
    seen = set[str]()
    for seed in range(40):
        for kept_back in (False, True):
            step = draw_kitchen_step(seed, kept_back=kept_back)
            seen.add(step.skill)
            if item := step.arguments.get("item", ""):
                room = step.kitchen.room
                where = room.places[item] if step.skill == "pick_up" else step.arguments.get("drawer", room.place)
                assert is_kept_back_at(item, where) is kept_back
    assert seen == {*IN_PLACE}


def test_what_a_kitchens_skills_say_is_made_of_words_that_are_learned() -> None:
    from thinkaloud.worlds.learned_files import encode_sentence
    from thinkaloud_worlds.kitchen import DRAWERS, ITEMS

    world = Kitchen()
    for name in FORMS:
        said = world.skills[name].step({"item": ITEMS[0], "drawer": DRAWERS[0]}).words
        for item in ITEMS:
            assert encode_sentence(said.replace(ITEMS[0], item), WORDS, {})[1] == []


@pytest.mark.filterwarnings("ignore")
def test_a_training_ends_in_a_file_for_the_kitchen_and_a_frozen_trunk_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch", reason="torch is only there where training is")
    pytest.importorskip("onnx", reason="the extra 'training' is not installed")
    from thinkaloud.verify.learned_senses import LearnedSenses
    from training.eyes.network import Detector
    from training.senses import export, train

    folder, checkpoint, file = tmp_path / "attempts", tmp_path / "judge.pt", tmp_path / "learned.onnx"
    drawn_files.write_missing(kitchen_attempts.draw_attempt, folder, 4, jobs=1)
    eyes = Detector(2).state_dict()
    torch.save({"words": ["sponge", "red"], "width": 1.0, "network": eyes, "best": None}, tmp_path / "eyes.pt")
    given = [str(folder), str(checkpoint), "--steps", "2", "--batch", "2", "--threads", "1", "--kitchen", "--frozen"]
    monkeypatch.setattr(sys, "argv", ["train", *given, "--eyes", str(tmp_path / "eyes.pt")])
    train.main()
    saved = torch.load(checkpoint, map_location="cpu", weights_only=True)
    trunk = {name: part for name, part in saved["network"].items() if name.startswith("trunk.")}
    assert trunk and all(torch.equal(part, eyes[name]) for name, part in trunk.items())
    monkeypatch.setattr(sys, "argv", ["export", str(checkpoint), str(file), "--attempts", "3", "--kitchen"])
    export.main()
    judge = LearnedSenses(file)
    kitchen = Kitchen()
    kitchen.reset(3)
    picture = kitchen.seen_here()[1:]
    assert judge.words == WORDS and judge._size == (120, 160)
    assert 0 <= judge.judge(picture, picture, "Pick up the sponge.", ["Pick up the coke."]).foresight <= 1
