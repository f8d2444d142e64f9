"""Training the eyes: pictures in files that are made again, and, where torch is there, the way to an ONNX file."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.perceive.learned_eyes import LearnedDetector
from thinkaloud.worlds.learned_files import as_input
from thinkaloud_worlds.random_dishes import DrawnDishes
from thinkaloud_worlds.random_kitchens import DrawnKitchen
from thinkaloud_worlds.random_tables import (
    DISH_WORDS,
    EYES_WORDS,
    KITCHEN_WORDS,
    DrawnTable,
    draw_table,
    photograph_drawn,
)
from training import drawn_files
from training.eyes import pictures
from training.eyes.pictures import Shares


def test_a_file_of_pictures_is_the_same_again_and_what_is_there_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    drawn_files.write_missing(pictures.draw_picture, folder, 3, jobs=1, per_file=2)
    path, second = sorted(folder.iterdir())
    first = path.read_bytes()
    again = drawn_files.write_file(pictures.draw_picture, tmp_path / "again.npz", 1_000_000, 2)
    assert {name: part.tobytes() for name, part in np.load(again).items()} == {
        name: part.tobytes() for name, part in np.load(path).items()
    }
    second.unlink()
    path.write_bytes(first + b"kept")
    drawn_files.write_missing(pictures.draw_picture, folder, 3, jobs=1, per_file=2)
    assert path.read_bytes() == first + b"kept" and second.exists()
    arrays = dict(np.load(again))
    assert arrays["rgb"].shape == (2, pictures.HEIGHT, pictures.WIDTH, 3)
    assert arrays["truths"].shape == (2, pictures.MOST_THINGS, len(EYES_WORDS))
    assert {*np.unique(arrays["truths"]).tolist()} <= {-1, 0, 1} and arrays["things"].max() < pictures.MOST_THINGS


def test_the_shares_are_kept_and_the_words_of_each_are_taught() -> None:
    seeds = range(1_000_000, 1_000_060)
    kinds = [type(pictures.draw_scene(seed, Shares(0.4, 0.3))[0]) for seed in seeds]
    assert 15 < kinds.count(DrawnKitchen) < 33 and 10 < kinds.count(DrawnDishes) < 27 and kinds.count(DrawnTable) > 8
    assert isinstance(pictures.draw_scene(1_000_000, Shares(0.0, 0.0))[0], DrawnTable)
    for shares, words, least in ((Shares(1.0, 0.0), KITCHEN_WORDS, 8), (Shares(0.0, 1.0), DISH_WORDS, 3)):
        arrays = [pictures.draw_picture(seed, shares) for seed in list(seeds)[:12]]
        taught = np.concatenate([each["truths"] for each in arrays])[:, [EYES_WORDS.index(word) for word in words]]
        assert (taught == 1).any(axis=0).sum() >= least
        assert all(each["rgb"].shape == (pictures.HEIGHT, pictures.WIDTH, 3) for each in arrays)


def test_files_that_are_not_there_are_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is only there where training is")
    from training.growing_data import GrowingData

    with pytest.raises(SystemExit, match=r"run training\.eyes\.pictures first"):
        GrowingData(tmp_path / "none", "training.eyes.pictures", "cpu")


def test_what_is_drawn_during_a_training_is_trained_on_and_one_row_in_25_never_is(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is only there where training is")
    from training.growing_data import GrowingData

    def write(name: str, first: int, count: int) -> None:
        np.savez(tmp_path / name, number=np.arange(first, first + count))

    write("0.npz", 0, 50)
    write("1.part.npz", 900, 5)  # not finished
    data = GrowingData(tmp_path, "somebody", "cpu")
    assert data.arrays["number"].tolist() == list(range(50)) and data.held.tolist() == [0, 25]
    write("1.npz", 50, 30)
    assert len(data.train) == 48  # it does not look again at once
    assert data.refresh(now=True) and data.refresh()
    assert data.arrays["number"].tolist() == list(range(80)) and data.held.tolist() == [0, 25, 50, 75]
    drawn = {int(each) for _ in range(40) for each in data.draw(np.random.default_rng(_), 50)}
    assert drawn == {*range(80)} - {0, 25, 50, 75}


def test_training_and_seeing_get_the_same_input() -> None:
    torch = pytest.importorskip("torch", reason="torch is only there where training is")
    from training.eyes.train import as_input as in_training

    view = photograph_drawn(draw_table(1_000_000), 32, 24).view
    height = view.points()[..., 2].astype(np.float32)
    batch = torch.from_numpy(view.rgb.transpose(2, 0, 1)[None].copy()), torch.from_numpy(height[None])
    assert np.allclose(in_training(*batch).numpy(), as_input(view.rgb, height), atol=1e-6)


@pytest.mark.filterwarnings("ignore")
def test_a_training_goes_on_from_its_checkpoint_and_ends_in_a_file_for_the_eyes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="torch is only there where training is")
    pytest.importorskip("onnx", reason="the extra 'training' is not installed")
    from training import resumable
    from training.eyes import export, train

    folder, checkpoint, file = tmp_path / "pictures", tmp_path / "detector.pt", tmp_path / "learned.onnx"
    drawn_files.write_missing(pictures.draw_picture, folder, 3, jobs=1)
    for steps in ("1", "2"):
        monkeypatch.setattr(
            sys, "argv", ["train", str(folder), str(checkpoint), "--steps", steps, "--batch", "2", "--threads", "1"]
        )
        train.main()
    said = capsys.readouterr().out
    assert "step 1 of 1" in said and "step 2 of 2" in said and "step 1 of 2" not in said
    monkeypatch.setattr(sys, "argv", [*sys.argv[:3], "--steps", "90", "--batch", "2", "--minutes", "0.0001"])
    train.main()
    assert "90" in (said := capsys.readouterr().out) and "time is up" in said
    assert resumable.rate_at(0.5, 500, 1.0) < resumable.rate_at(0.1, 500, 1.0) < resumable.rate_at(0.1, 500, 2.0)
    assert resumable.rate_at(0.0, 0, 1.0) < 0.1 and resumable.rate_at(1.0, 500, 1.0) < 0.05
    monkeypatch.setattr(sys, "argv", ["export", str(checkpoint), str(file), "--tables", "1"])
    export.main()
    detector = LearnedDetector(file)
    assert not [*tmp_path.glob("*uncalibrated*")]
    assert detector.words == EYES_WORDS and detector.understands("striped red mug")
    view = photograph_drawn(draw_table(3, "plain"), 96, 72).view
    assert all(0 <= each.score <= 1 for each in detector.find(view, ["red mug", "thing"]))


def test_calibrated_scores_are_as_often_right_as_they_say() -> None:
    pytest.importorskip("torch", reason="torch is only there where training is")
    from training.eyes.export import calibrate

    rng = np.random.default_rng(0)
    raw = rng.uniform(0.2, 1.0, 4000)
    truth = 1 / (1 + np.exp(-(1.5 * np.log(raw / (1 - raw)) - 1)))
    curve = calibrate(raw, rng.uniform(size=4000) < truth, 4000)
    assert curve.slope == pytest.approx(1.5, abs=0.15) and curve.offset == pytest.approx(-1, abs=0.15)
    assert 0.1 <= curve.least <= 0.9
    assert calibrate(raw, np.ones(4000, dtype=bool), 4000).least == 0.5
    sure = np.where(rng.uniform(size=4000) < 0.9, 1.0 - 1e-6, 1e-4)  # a detector that hardly ever hesitates
    curve = calibrate(sure, (sure > 0.5) ^ (rng.uniform(size=4000) < 0.02), 4000)
    assert curve(1.0) == pytest.approx(0.98, abs=0.01) and curve(0.0) < 0.1
