"""Open-vocabulary detectors behind the same eyes: small ones with random weights, for they are asked the same."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.errors import BadInput
from thinkaloud.perceive import open_vocabulary_eyes as open_vocabulary
from thinkaloud.perceive.detector_boxes import Detection
from thinkaloud.perceive.open_vocabulary_eyes import without_doubles
from thinkaloud.worlds.vision import open_eyes, overlap
from thinkaloud_worlds.tabletop import Tabletop


def test_boxes_that_overlap_are_one_thing_and_the_surest_name_counts() -> None:
    sure, double, other = (0, 0, 9, 9), (1, 1, 10, 10), (20, 20, 29, 29)
    found = [Detection("cup", sure, 0.9), Detection("mug", double, 0.5), Detection("cup", other, 0.4)]
    assert without_doubles(found) == [found[0], found[2]]
    assert overlap(sure, sure) == 1.0 and overlap(sure, other) == 0.0
    assert overlap((0, 0, 9, 9), (5, 0, 14, 9)) == pytest.approx(1 / 3)


def test_boxes_are_kept_inside_the_picture() -> None:
    assert open_vocabulary._pixels((-3.2, 4.4, 700.0, 2.0), 320, 240) == (0, 4, 319, 4)


def owlv2(folder: Path) -> None:
    """A folder with weights and processor, as they are published; only small, and with nothing learned."""
    transformers = pytest.importorskip("transformers", reason="the extra 'detectors' is not installed")
    letters = [*"abcdefghijklmnopqrstuvwxyz", *(f"{each}</w>" for each in "abcdefghijklmnopqrstuvwxyz")]
    vocabulary = {each: number for number, each in enumerate([*letters, "<|startoftext|>", "<|endoftext|>", "!"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    tokenizer = transformers.CLIPTokenizer(
        str(folder / "vocab.json"), str(folder / "merges.txt"), pad_token="!", model_max_length=32
    )
    picture = transformers.Owlv2ImageProcessor(size={"height": 64, "width": 64})
    transformers.Owlv2Processor(picture, tokenizer).save_pretrained(folder)
    small = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    text = {**small, "vocab_size": len(vocabulary), "max_position_embeddings": 32}
    text |= {"bos_token_id": 52, "eos_token_id": 53, "pad_token_id": 54}
    config = transformers.Owlv2Config(
        text_config=text, vision_config={**small, "image_size": 64, "patch_size": 16}, projection_dim=32
    )
    transformers.Owlv2ForObjectDetection(config).save_pretrained(folder)


def grounding_dino(folder: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="the extra 'detectors' is not installed")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "?", "red", "blue", "green", "block", "bowl"]
    (folder / "vocab.txt").write_text("\n".join(words))
    tokenizer = transformers.BertTokenizer(str(folder / "vocab.txt"))
    picture = transformers.GroundingDinoImageProcessor(size={"shortest_edge": 256, "longest_edge": 256})
    transformers.GroundingDinoProcessor(picture, tokenizer).save_pretrained(folder)
    text = {"vocab_size": len(words), "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    backbone = transformers.SwinConfig(
        image_size=64,
        embed_dim=8,
        depths=[1, 1, 1, 1],
        num_heads=[1, 1, 2, 2],
        window_size=2,
        out_features=["stage2", "stage3", "stage4"],
    )
    config = transformers.GroundingDinoConfig(
        backbone_config=backbone,
        text_config={"model_type": "bert", **text, "intermediate_size": 32},
        d_model=32,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        num_queries=20,
        num_feature_levels=4,
        max_text_len=64,
    )
    transformers.GroundingDinoForObjectDetection(config).save_pretrained(folder)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["owlv2", "grounding_dino"])
def test_a_detector_from_a_folder_looks_for_the_names_of_the_catalogue(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    {"owlv2": owlv2, "grounding_dino": grounding_dino}[name](tmp_path)
    monkeypatch.setattr(open_vocabulary, "_LEAST_SCORE", {"queries": 0.0, "caption": 0.0})
    world = Tabletop()
    view = world.view()
    sight = open_eyes(f"{name}:{tmp_path}").look(view, world.appearances())
    assert {*sight.names} <= {each.name for each in world.appearances()}
    if name == "owlv2":
        assert sight.sightings  # it has a box for every patch; the other names only what it is sure of
    for each in sight.sightings:
        left, top, right, bottom = each.box
        assert 0 <= left <= right < view.rgb.shape[1] and 0 <= top <= bottom < view.rgb.shape[0]
        assert each.point is None or np.isfinite(each.point).all()
    assert not open_eyes(f"{name}:{tmp_path}").look(view, ()).sightings


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="the extra 'detectors' is not installed")
    with pytest.raises(BadInput, match="cannot be loaded"):
        open_eyes(f"owlv2:{tmp_path}")
    with pytest.raises(BadInput, match="is not a folder with weights"):
        open_eyes("owlv2:/nowhere/at/all")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(BadInput, match="detectors"):
        open_eyes("owlv2")
