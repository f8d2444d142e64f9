"""Tokenisers of both bases are split as their models split, and an adapter in fewer bits says nearly the same."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gguf")
pytest.importorskip("tokenizers")

from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter
from gguf.quants import dequantize, quantize

from training import pack, repack

QWEN = os.environ.get("THINKALOUD_TEST_QWEN", "")
"""A GGUF file of the Qwen2.5 family; to read its tokeniser takes a quarter of a minute."""
BORDERS = {
    'Hello world!\n\n# "x"\n': ["Hello", " world", "!\n\n", "#", ' "', "x", '"\n'],
    "I'll water 123 ferns, don't": ["I", "'ll", " water", " ", "1", "2", "3", " ferns", ",", " don", "'t"],
    "if hot(x):\n    say(2)\n\n": ["if", " hot", "(x", "):\n", "   ", " say", "(", "2", ")\n\n"],
    "把灯关掉 und Öfen": ["把灯关掉", " und", " Öfen"],
}
PIECES = (
    ("Hello world!", [9707, 1879, 0]),
    ("bake(12)\n\n", [65, 726, 7, 16, 17, 692]),
    ("I'll water", [40, 3278, 3015]),
)


def described(path: Path, split: str) -> Path:
    """A file with a tokeniser of four tokens."""
    writer = GGUFWriter(str(path), "qwen2")
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(split)
    writer.add_token_list(["a", "b", "ab", "Ġ"])
    writer.add_token_merges(["a b"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def split(path: Path, text: str) -> list[str]:
    found = pack.tokenizer(path).pre_tokenizer.pre_tokenize_str(text)
    return [text[start:end] for _, (start, end) in found]


def test_text_is_split_where_qwen_splits_it(tmp_path: Path) -> None:
    path = described(tmp_path / "qwen.gguf", "qwen2")
    assert {text: split(path, text) for text in BORDERS} == BORDERS
    assert pack.tokenizer(path).encode("ab a").ids == [2, 3, 0]


def test_text_is_split_where_smollm_splits_it(tmp_path: Path) -> None:
    path = described(tmp_path / "smollm.gguf", "smollm")
    assert split(path, "water 12 ferns\n") == ["water", " ", "1", "2", " ferns", "\n"]
    assert split(path, ")\n\n") == [")", "\n\n"]


def test_for_qwen_a_sample_in_parts_has_the_tokens_of_the_whole(tmp_path: Path) -> None:
    path = described(tmp_path / "qwen.gguf", "qwen2")
    parts = [
        '# robot\novens = ["left oven"]\n# "heat it?"\n',
        'heat("left oven")\n\n',
        '# "thanks"\n',
        'unclear("?")\n\n',
    ]
    assert split(path, "".join(parts)) == [piece for part in parts for piece in split(path, part)]


@pytest.mark.skipif(not Path(QWEN).is_file(), reason="THINKALOUD_TEST_QWEN names no file")
def test_tokens_are_those_of_qwen() -> None:
    words = pack.tokenizer(Path(QWEN))
    for text, ids in PIECES:
        assert words.encode(text).ids == ids


def test_small_tokens_take_two_bytes_and_large_ones_four() -> None:
    assert pack._small(np.array([1, 2**16 - 1], np.uint32)).dtype == np.uint16
    assert pack._small(np.array([1, 2**16], np.uint32)).dtype == np.uint32


def test_an_adapter_in_fewer_bits_is_smaller_and_nearly_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, kind = np.random.default_rng(0), GGMLQuantizationType.Q8_0
    names = [f"blk.0.{part}.weight.{side}" for part in ("attn_q", "ffn_gate") for side in ("lora_a", "lora_b")]
    wanted = {
        name: rng.normal(size=(128, 64) if name.endswith("b") else (64, 256)).astype(np.float32) for name in names
    }
    writer = GGUFWriter(str(tmp_path / "whole.gguf"), "qwen2")
    writer.add_type("adapter")
    writer.add_string("general.name", "tiny")
    writer.add_float32("adapter.lora.alpha", 64.0)
    for name, values in wanted.items():
        writer.add_tensor(name, quantize(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    monkeypatch.setattr(sys, "argv", ["repack", str(tmp_path / "whole.gguf"), str(tmp_path / "small.gguf")])
    repack.main()
    assert "MB in" in capsys.readouterr().out
    reader = GGUFReader(str(tmp_path / "small.gguf"))
    assert reader.fields["general.architecture"].contents() == "qwen2"
    assert reader.fields["general.name"].contents() == "tiny"
    assert reader.fields["adapter.type"].contents() == "lora"
    assert reader.fields["adapter.lora.alpha"].contents() == 64.0
    found = {each.name: dequantize(each.data, each.tensor_type) for each in reader.tensors}
    assert {*found} == {*wanted}
    for name, values in wanted.items():
        assert found[name].shape == values.shape
        assert np.abs(found[name] - values).mean() < 0.12 * np.abs(values).mean()
    assert (tmp_path / "small.gguf").stat().st_size < 0.75 * (tmp_path / "whole.gguf").stat().st_size
