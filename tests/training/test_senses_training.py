"""Training the senses: attempts that are made again, and, where torch is there, the way to an ONNX file."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from training import drawn_files
from training.hands.sentences import WORDS
from training.senses import attempts


def spelled(sentence: np.ndarray) -> str:
    return " ".join(WORDS[word - 1] for word in sentence if word)


def test_attempts_are_the_same_again_and_are_labelled_by_what_came_true() -> None:
    drawn = [attempts.draw_attempt(seed) for seed in range(1_000_000, 1_000_008)]
    again = attempts.draw_attempt(1_000_003)
    assert {name: np.asarray(part).tobytes() for name, part in again.items()} == {
        name: np.asarray(part).tobytes() for name, part in drawn[3].items()
    }
    assert {bool(each["worked"]) for each in drawn} == {True, False}
    for each in drawn:
        assert each["rgb"].shape == (2, 128, 128, 3) and each["sentences"].shape == (12, 24)
        assert (each["truth"] == 0) == bool(each["worked"])  # the first sentence is the one that was said
        said = [spelled(one) for one in each["sentences"] if one.any()]
        assert len({*said}) == len(said) > 1
        if each["worked"]:
            assert np.abs(each["rgb"][0].astype(float) - each["rgb"][1]).max() > 20


@pytest.mark.filterwarnings("ignore")
def test_a_training_ends_in_a_file_for_the_senses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    torch = pytest.importorskip("torch", reason="torch is only there where training is")
    pytest.importorskip("onnx", reason="the extra 'training' is not installed")
    from thinkaloud.verify.learned_senses import LearnedSenses
    from training.resumable import load_trained
    from training.senses import export, train
    from training.senses.network import Judge
    from training.senses.subjects import TABLE

    folder, checkpoint, file = tmp_path / "attempts", tmp_path / "judge.pt", tmp_path / "learned.onnx"
    drawn_files.write_missing(attempts.draw_attempt, folder, 4, jobs=1)
    given = [str(folder), str(checkpoint), "--steps", "2", "--batch", "2", "--threads", "1"]
    monkeypatch.setattr(sys, "argv", ["train", *given])
    train.main()
    assert "step 2 of 2" in (said := capsys.readouterr().out) and "judged" in said
    monkeypatch.setattr(sys, "argv", ["export", str(checkpoint), str(file), "--attempts", "3"])
    export.main()
    judge = LearnedSenses(file)
    assert judge.words == WORDS and 0 < judge.threshold < 1 and file.stat().st_size < 4_000_000
    arrays = {name: np.asarray(part)[None] for name, part in attempts.draw_attempt(7).items()}
    pictures = [(arrays["rgb"][0, at], arrays["heights"][0, at].astype(np.float32)) for at in (0, 1)]
    sentence, *others = (spelled(one) for one in arrays["sentences"][0] if one.any())
    judgement = judge.judge(pictures[0], pictures[1], sentence, others)
    saved = torch.load(checkpoint, map_location="cpu", weights_only=True)
    network = Judge(len(WORDS))
    load_trained(network, saved)
    always = replace(TABLE, draw=lambda seed: attempts.draw_attempt(7))
    sure, agrees, _ = export.judge_attempts(network, 1, subject=always)
    assert sure[0] == pytest.approx(judgement.foresight, abs=1e-4) and bool(agrees[0]) is judgement.agrees


def test_the_threshold_is_the_one_that_separates_best() -> None:
    pytest.importorskip("torch", reason="torch is only there where training is")
    from training.senses.export import choose

    sure = np.array([0.9, 0.8, 0.7, 0.3, 0.2, 0.9])
    agrees = np.array([True, True, True, True, True, False])
    worked = np.array([True, True, True, False, False, False])
    threshold, false_yes, false_no = choose(sure, agrees, worked)
    assert 0.3 < threshold <= 0.7 and false_yes == false_no == 0.0
    assert choose(sure, agrees, ~worked)[1] > 0
