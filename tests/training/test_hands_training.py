"""Training the hands: demonstrations that are made again, and, where torch is there, the way to an ONNX file."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.execute.learned_hands import LearnedHands
from thinkaloud.worlds.learned_files import encode_sentence, shrink, split_sentence
from thinkaloud_bench.single_steps import KEPT_BACK, draw_step
from thinkaloud_worlds.random_tables import VOCABULARY
from thinkaloud_worlds.random_tables.any_colours import draw_any_colours
from thinkaloud_worlds.random_tables.words import is_kept_back
from thinkaloud_worlds.tabletop import Tabletop
from thinkaloud_worlds.tabletop.camera import point_at
from training import drawn_files
from training.hands import demonstrations
from training.hands.sentences import TRAINED, WORDS


def spelled(sentence: np.ndarray) -> str:
    return " ".join(WORDS[word - 1] for word in sentence if word)


def test_demonstrations_are_the_same_again_and_have_the_shapes_of_all_others() -> None:
    first, again = (demonstrations.draw_demonstrations(1_000_002) for _ in range(2))
    assert {name: part.tobytes() for name, part in first.items()} == {
        name: part.tobytes() for name, part in again.items()
    }
    assert first["rgb"].shape == (128, 128, 3) and first["heights"].shape == (128, 128)
    assert first["sentences"].shape == (8, 24) and first["points"].shape == (8, 2, 2)
    task = demonstrations.draw_tasks(1_000_003)
    assert task["rgb"].shape == first["rgb"].shape
    assert spelled(task["sentences"][0]) and not task["sentences"][1].any()
    assert np.isfinite(task["points"][0]).all() and np.isnan(task["points"][1]).all()


def test_the_expert_points_at_what_the_sentence_says() -> None:
    rng = np.random.default_rng(4)
    table = Tabletop(draw_any_colours(rng, kept_back=False))
    things = {name: name in table.bowls for name in table.physics.names}
    steps = [demonstrations._one_step(rng, table.picture(), things) for _ in range(12)]
    assert all(steps)
    for sentence, pick, _ in filter(None, steps):
        words = split_sentence(sentence, {})
        named = [name for name in things if all(part in words for part in name.split())]
        at = {name: table.position(name)[:2] for name in named}
        assert min(np.hypot(*(np.array(point_at(pick)) - spot)) for spot in at.values()) < 0.035, sentence


def test_nothing_that_is_kept_back_is_demonstrated() -> None:
    assert not {*KEPT_BACK} & {*TRAINED}
    for form in KEPT_BACK:
        assert {*split_sentence(form.format(object="red block", target="top side"), {})} <= {*WORDS}
    for seed in range(20):
        scene = draw_any_colours(np.random.default_rng(seed), kept_back=False)
        assert not any(is_kept_back(thing.name.split()) for thing in scene.objects)
        assert len({thing.name for thing in scene.objects}) == len(scene.objects)
        table, step, _ = draw_step(seed, "unseen")
        assert is_kept_back(step["object"].split()) and not table.on(**step)


@pytest.mark.filterwarnings("ignore")
def test_a_training_begins_with_eyes_and_ends_in_a_file_for_the_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    torch = pytest.importorskip("torch", reason="torch is only there where training is")
    pytest.importorskip("onnx", reason="the extra 'training' is not installed")
    from training.eyes.network import Detector
    from training.hands import export, train
    from training.hands.beginning import begin_with
    from training.hands.network import Policy
    from training.resumable import load_trained

    folder, checkpoint, file = tmp_path / "steps", tmp_path / "policy.pt", tmp_path / "learned.onnx"
    drawn_files.write_missing(demonstrations.draw_demonstrations, folder, 3, jobs=1)
    eyes = Detector(len(VOCABULARY))
    saved = {"network": eyes.state_dict(), "words": list(VOCABULARY), "width": 1.0}
    torch.save(saved, tmp_path / "eyes.pt")
    policy = Policy(len(WORDS))
    begin_with(policy, WORDS, eyes=tmp_path / "eyes.pt")
    assert torch.equal(policy.trunk.fine[0].weight, eyes.trunk.fine[0].weight)
    with pytest.raises(SystemExit, match="another width"):
        begin_with(Policy(len(WORDS), 2.0), WORDS, eyes=tmp_path / "eyes.pt")
    for steps in ("1", "2"):
        given = [
            str(folder),
            str(checkpoint),
            "--steps",
            steps,
            "--batch",
            "2",
            "--eyes",
            str(tmp_path / "eyes.pt"),
            "--threads",
            "1",
        ]
        monkeypatch.setattr(sys, "argv", ["train", *given])
        train.main()
    assert "step 2 of 2" in (said := capsys.readouterr().out) and "picked" in said
    monkeypatch.setattr(sys, "argv", ["export", str(checkpoint), str(file), "--scenes", "1"])
    export.main()
    hands = LearnedHands(file)
    assert hands.words == WORDS and file.stat().st_size < 4_000_000
    picture, _ = demonstrations.blocks_and_bowls(np.random.default_rng(1))
    hands.least = 0.0
    sentence = "Pick the red block and place it on the top side."
    pointing = hands.point(picture.rgb, picture.height, sentence)
    load_trained(policy, torch.load(checkpoint, map_location="cpu", weights_only=True))
    small = shrink(picture.rgb, picture.height)
    numbers = torch.from_numpy(encode_sentence(sentence, WORDS, {})[0][None])
    with torch.no_grad():
        maps = policy(train.to_input(*(torch.from_numpy(each[None].copy()) for each in small)), numbers)
    assert np.allclose(maps[0, 0].flatten().softmax(0).numpy(), pointing.pick.map.flatten(), atol=1e-4)


def test_all_batches_have_one_shape_and_nothing_in_them_is_empty() -> None:
    torch = pytest.importorskip("torch", reason="torch is only there where training is")
    from training.growing_data import as_tensors
    from training.hands.train import draw_batch, without_empty

    sentences, points = np.zeros((3, 8, 24), np.int16), np.full((3, 8, 2, 2), np.nan, np.float32)
    for scene, count in ((0, 8), (1, 2)):  # the third has none
        sentences[scene, :count, 0] = scene * 8 + np.arange(1, count + 1)
        points[scene, :count] = (scene * 8 + np.arange(1, count + 1))[:, None, None]
    arrays = {"rgb": np.zeros((3, 128, 128, 3), np.uint8), "heights": np.zeros((3, 128, 128), np.float16)}
    kept = without_empty({**arrays, "sentences": sentences, "points": points})
    assert len(kept["rgb"]) == 2
    for seed in range(5):
        rng = np.random.default_rng(seed)
        _, words, spots = draw_batch(as_tensors(kept, "cpu"), torch.tensor([1, 0]), rng, "cpu", varied=True)
        assert words.shape == (2, 4, 24) and torch.equal(words[..., 0].float(), spots[..., 0, 0])
        assert {*words[0, :, 0].tolist()} == {9, 10} and len({*words[1, :, 0].tolist()}) == 4
    tasks = without_empty({**arrays, "sentences": sentences * (np.arange(8) < 1)[None, :, None], "points": points})
    assert tasks["sentences"].shape == (2, 1, 24) and tasks["points"].shape == (2, 1, 2, 2)


def test_a_policy_learns_one_scene_by_heart() -> None:
    torch = pytest.importorskip("torch", reason="torch is only there where training is")
    from training.growing_data import as_tensors
    from training.hands.network import Policy
    from training.hands.train import draw_batch, loss_of

    torch.set_num_threads(1)  # so small, several only wait for each other
    torch.manual_seed(0)
    drawn = demonstrations.draw_demonstrations(1_000_001)
    arrays = as_tensors({name: part[None] for name, part in drawn.items()}, "cpu")
    policy, rng = Policy(len(WORDS)), np.random.default_rng(0)
    optimiser = torch.optim.AdamW(policy.parameters(), lr=5e-3)
    losses = []
    for _ in range(25):
        loss, told = loss_of(policy, draw_batch(arrays, torch.tensor([0]), rng, "cpu", varied=False))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(told["pick"] + told["place"]))
    assert np.mean(losses[-5:]) < 0.7 * losses[0]
