"""Training on from an exported file: where torch is, the network says the same as the file it was made from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from thinkaloud_worlds.random_tables import EYES_WORDS
from training import drawn_files
from training.eyes import pictures

WIDTH = 1.0


@pytest.mark.filterwarnings("ignore")
def test_a_network_that_was_exported_says_the_same_when_it_is_trained_on(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is only there where training is")
    from thinkaloud.perceive.learned_eyes import Calibration
    from training import resumable
    from training.eyes import again, export
    from training.eyes.network import Detector
    from training.eyes.train import draw_batch
    from training.growing_data import GrowingData

    drawn_files.write_missing(pictures.draw_picture, tmp_path / "pictures", 8, jobs=1, per_file=8)
    data = GrowingData(tmp_path / "pictures", "training.eyes.pictures", "cpu", wait=0.0)
    torch.manual_seed(0)
    known = [*EYES_WORDS[:-3]]
    first = Detector(len(known), WIDTH)
    rng = np.random.default_rng(0)
    seen = draw_batch(data.arrays, torch.arange(4), rng, "cpu", varied=False)[0]
    first.train()(seen)  # so its normalisation does something
    export.write_onnx(first.eval(), known, tmp_path / "eyes.onnx", Calibration())

    again.begin_again(tmp_path / "eyes.onnx", tmp_path / "again.pt", tmp_path / "pictures", WIDTH)
    saved = resumable.load_checkpoint(tmp_path / "again.pt", width=WIDTH, words=list(EYES_WORDS))
    second = Detector(len(EYES_WORDS), WIDTH)
    second.load_state_dict(saved["network"])
    with torch.no_grad():
        words, boxes = second.eval()(seen)
        before, boxes_before = first(seen)
    assert torch.allclose(words[:, : len(known)], before, atol=1e-3)
    assert torch.allclose(boxes, boxes_before, atol=1e-2)
    with pytest.raises(SystemExit, match="a larger width: give --width 1 or more"):
        again.begin_again(tmp_path / "eyes.onnx", tmp_path / "small.pt", tmp_path / "pictures", 0.5)

    wide = Detector(len(EYES_WORDS), 1.5)
    again.widen(second, wide, unlike=0.0)
    with torch.no_grad():
        wide_words, wide_boxes = wide.eval()(seen)
    assert torch.allclose(wide_words, words, atol=1e-3) and torch.allclose(wide_boxes, boxes, atol=1e-2)
    again.begin_again(tmp_path / "eyes.onnx", tmp_path / "wide.pt", tmp_path / "pictures", 1.5)
    wide.load_state_dict(resumable.load_checkpoint(tmp_path / "wide.pt", width=1.5)["network"])
    with torch.no_grad():
        wide_words, _ = wide.eval()(seen)
    apart = (wide_words - words).abs()
    assert 0 < apart.mean() < 0.5  # no channel is a mere copy: both of them learn
