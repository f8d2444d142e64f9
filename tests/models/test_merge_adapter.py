from __future__ import annotations

import asyncio
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.errors import ModelMissing
from thinkaloud.models import (
    ModelSettings,
    gguf,
    is_trained,
    open_model,
)
from thinkaloud.models import (
    merge_adapter as merging,
)
from thinkaloud.models import (
    weight_files as weights,
)
from thinkaloud.models.contract import in_role
from thinkaloud.models.gguf import Kind, Tensor
from thinkaloud.models.llama import Llama
from thinkaloud.models.load_check import cache_folder
from thinkaloud.models.merge_adapter import merge, merged
from thinkaloud.models.weight_files import embedded_weights

SMALL = ModelSettings(context=512, slots=1)
QUERY = "blk.0.attn_q.weight"
KEPT = {
    "general.type": gguf.text_value("adapter"),
    "general.architecture": gguf.text_value("llama"),
    "adapter.type": gguf.text_value("lora"),
    "adapter.lora.alpha": struct.pack("<If", 6, 4.0),
}


def write_adapter(path: Path, size: float = 0.0, kept: dict[str, bytes] = KEPT, name: str = QUERY) -> Path:
    """A LoRA of rank 2 for one weight of SmolLM2."""
    rng = np.random.default_rng(0)
    down, up = (rng.normal(size=shape).astype(np.float32) for shape in ((2, 576), (576, 2)))
    pair = [(f"{name}.lora_a", Tensor.of(down, gguf.F16)), (f"{name}.lora_b", Tensor.of(up * size, gguf.F16))]
    gguf.write_file(path, kept, pair)
    return path


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An adapter where the package has its own, and a cache folder that is nobody's."""
    (tmp_path / "adapter").mkdir()
    monkeypatch.setattr(weights, "ADAPTER", tmp_path / "adapter")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield write_adapter(tmp_path / "adapter" / "papers.gguf")


@pytest.mark.parametrize(
    "kind", [gguf.Q4_0, gguf.Q4_1, gguf.Q5_0, gguf.Q8_0, gguf.F16, gguf.F32], ids=lambda kind: kind.name
)
def test_numbers_are_kept_as_llama_keeps_them(kind: Kind) -> None:
    values = np.random.default_rng(1).normal(size=(4, 64)).astype(np.float32)
    values[0, :32] = 0
    kept = Tensor.of(values, kind)
    steps = {"Q4_0": 8, "Q4_1": 15, "Q5_0": 16, "Q8_0": 127, "F16": 1000, "F32": 1e9}
    assert np.abs(kept.values() - values).max() <= 6 / steps[kind.name]
    assert len(kept.raw) == values.size // kind.count * kind.size
    theirs = pytest.importorskip("gguf")
    packed = theirs.quants.quantize(values, getattr(theirs.GGMLQuantizationType, kind.name))
    assert np.array_equal(packed.reshape(-1).view(np.uint8), kept.raw)


def test_what_the_adapter_changes_is_added_and_the_rest_is_copied(tmp_path: Path) -> None:
    adapter = write_adapter(tmp_path / "adapter.gguf", 0.05)
    merge(embedded_weights(), adapter, tmp_path / "merged.gguf")
    base, changes, both = (gguf.read_gguf(each) for each in (embedded_weights(), adapter, tmp_path / "merged.gguf"))
    assert list(both.tensors) == list(base.tensors)
    assert both.kept == base.kept
    down, up = (changes.tensors[f"{QUERY}.lora_{half}"].values() for half in "ab")
    wanted = base.tensors[QUERY].values() + 4.0 / 2 * up @ down
    assert np.abs(both.tensors[QUERY].values() - wanted).max() < np.abs(wanted).max() / 100
    same = "blk.7.ffn_up.weight"
    assert np.array_equal(both.tensors[same].raw, base.tensors[same].raw)


def test_the_embedded_model_is_merged_once_and_says_so(shipped: Path) -> None:
    notices: list[str] = []
    for _ in range(2):
        model = open_model("embedded", SMALL, notices.append)
        answer = asyncio.run(model.complete("One, two, three,", stop=[","], most=8))
        asyncio.run(model.close())
        assert (model.name, is_trained(model), answer.text) == ("embedded", True, " four")
    (path,) = cache_folder().glob("*.gguf")
    assert notices == [f"Preparing the embedded model for this machine, once: {path}"]


def test_a_folder_that_cannot_be_written_costs_speed_only(
    shipped: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    notices: list[str] = []
    model = open_model("embedded", SMALL, notices.append)
    in_role(model, "planner")
    asyncio.run(model.close())
    assert (model.name, is_trained(model)) == ("embedded", True)
    assert "will be slower" in notices[0]


def test_a_full_disk_leaves_nothing_behind(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(gguf, "write_tensor", full)
    with pytest.raises(OSError, match="No space"):
        merged(embedded_weights(), shipped, lambda line: None)
    assert [path.name for path in cache_folder().iterdir()] == ["lock"]


def test_damaged_merged_weights_are_thrown_away(shipped: Path) -> None:
    path = merged(embedded_weights(), shipped, lambda line: None)
    path.write_bytes(path.read_bytes()[:1_000_000])
    notices: list[str] = []
    model = open_model("embedded", SMALL, notices.append)
    in_role(model, "planner")
    asyncio.run(model.close())
    assert (model.name, path.exists()) == ("embedded", False)
    assert "damaged" in notices[0]


def test_several_at_once_make_it_once(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    def slowly(base: Path, adapter: Path, out: Path, kind: Kind) -> None:
        made.append(out)
        out.write_bytes(b"GGUF and so on")

    monkeypatch.setattr(merging, "merge", slowly)
    found: list[Path] = []
    threads = [
        threading.Thread(target=lambda: found.append(merged(embedded_weights(), shipped, lambda line: None)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert (len(made), len(found), len(set(found))) == (1, 4, 1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", ["another shape", "no alpha", "cut short"])
def test_an_adapter_that_does_not_fit_is_named(shipped: Path, how: str) -> None:
    if how == "another shape":
        write_adapter(shipped, name="blk.0.ffn_down.weight")
    elif how == "no alpha":
        write_adapter(shipped, kept={name: value for name, value in KEPT.items() if "alpha" not in name})
    else:
        shipped.write_bytes(shipped.read_bytes()[:3000])
    notices: list[str] = []
    model = open_model("embedded", SMALL, notices.append)
    asyncio.run(model.close())
    assert (model.name, is_trained(model)) == ("embedded-base", False)
    assert notices[-1].startswith("Using embedded-base instead of embedded:")
    assert shipped.name in notices[-1]


def test_a_model_with_its_adapter_beside_it_says_the_same(shipped: Path) -> None:
    write_adapter(shipped, 0.02)
    path = merged(embedded_weights(), shipped, lambda line: None)

    async def say(model: Llama) -> str:
        answer = await model.complete("Human: put the red block in the blue bowl.\nRobot:", most=8)
        await model.close()
        return answer.text

    beside = asyncio.run(say(Llama("beside", embedded_weights(), SMALL, [shipped])))
    assert asyncio.run(say(Llama("merged", path, SMALL, trained=True))) == beside


def test_a_file_that_is_cut_short_is_no_gguf(damaged_weights: Path) -> None:
    with pytest.raises(ModelMissing, match="cut short"):
        gguf.read_gguf(damaged_weights)
