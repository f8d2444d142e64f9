"""Learned parts count as part of a run: a run does not go on, and shards are not merged, with other weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from thinkaloud.errors import BadInput
from thinkaloud.settings import Settings
from thinkaloud_bench import run_bench
from thinkaloud_bench.contract import Bench
from thinkaloud_bench.learned_weights import digest_learned, learned_in, weights_of
from toy_bench import TOY, open_adder


def of_weights(file: Path) -> Bench:
    """A benchmark in which a column stands for learned weights."""
    return replace(TOY, only_own=True, column=lambda name: file)


def play(bench: Bench, out: Path, columns: list[str]) -> int:
    report = run_bench(
        bench, presets=columns, model="scripted", episodes=1, seed=3, jobs=1, episodes_file=None, out=out,
        settings=Settings(home=out), progress=lambda done, total, what: None, open_model=open_adder,
    )  # fmt: skip
    assert report.complete
    return len((out / "episodes.jsonl").read_text().splitlines())


def test_a_run_does_not_go_on_with_other_weights(tmp_path: Path) -> None:
    weights = tmp_path / "mine.onnx"
    weights.write_bytes(b"one")
    bench = of_weights(weights)
    first = [TOY.presets[0]]
    play(bench, tmp_path / "out", first)
    play(bench, tmp_path / "out", first)
    weights.write_bytes(b"two")
    with pytest.raises(BadInput, match="learned"):
        play(bench, tmp_path / "out", first)


def test_a_run_goes_on_with_another_column(tmp_path: Path) -> None:
    weights = tmp_path / "mine.onnx"
    weights.write_bytes(b"one")
    bench = of_weights(weights)
    before = play(bench, tmp_path / "out", [TOY.presets[0]])
    after = play(bench, tmp_path / "out", [*TOY.presets[:2]])
    assert after > before
    assert play(bench, tmp_path / "out", [*TOY.presets[:2]]) == after


def test_each_file_has_a_digest_of_its_own(tmp_path: Path) -> None:
    one, two = tmp_path / "one.onnx", tmp_path / "two.onnx"
    one.write_bytes(b"one")
    two.write_bytes(b"two")
    digests = digest_learned({"eyes": one, "hands": two})
    assert digests["eyes"] != digests["hands"]
    assert weights_of("eyes", f"learned:{one}") == one and weights_of("eyes", "camera") is None
    assert learned_in(TOY, TOY.presets, {"eyes": f"learned:{one}", "hands": "scripted"}) == {"eyes": one}


def test_a_folder_of_weights_has_another_digest_once_a_file_in_it_changes(tmp_path: Path) -> None:
    folder = tmp_path / "owlv2"
    (folder / "part").mkdir(parents=True)
    (folder / "part" / "model.safetensors").write_bytes(b"x" * 200_000)
    before = digest_learned({"eyes": folder})
    (folder / "part" / "model.safetensors").write_bytes(b"x" * 199_999 + b"y")
    assert digest_learned({"eyes": folder}) != before
