"""What of training needs no accelerator: which samples are kept back, and how they are put together."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

FAMILIES = ("plan", "state")
needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module; where torch is not installed, with something in its place that cannot do anything."""
    pytest.importorskip("gguf")
    if importlib.util.find_spec("torch") is None:
        torch: Any = ModuleType("torch")
        torch.nn, torch.nn.functional = ModuleType("torch.nn"), ModuleType("torch.nn.functional")
        for name, module in {"torch": torch, "torch.nn": torch.nn, "torch.nn.functional": torch.nn.functional}.items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.delitem(sys.modules, "training.train", raising=False)
    return importlib.import_module("training.train")


@pytest.fixture
def data(train: ModuleType, tmp_path: Path) -> Any:
    """200 samples of two families; every token of a sample is its number."""
    lengths = np.random.default_rng(0).integers(3, 60, 200)
    tokens = np.repeat(np.arange(200), lengths).astype(np.uint16)
    counts = np.packbits(np.arange(len(tokens)) % 3 == 0)
    families = np.arange(200) % 2
    np.savez(tmp_path / "tokens.npz", tokens=tokens, lengths=lengths, counts=counts, families=families, names=FAMILIES)
    return train.Data(tmp_path / "tokens.npz", seed=1)


def test_some_of_every_family_are_kept_back(data: Any) -> None:
    assert set(data.valid) == set(FAMILIES)
    for name, kept in data.valid.items():
        assert len(kept) == 5
        assert set(data.families[kept]) == {FAMILIES.index(name)}
        assert not set(kept) & set(data.train)
    assert len(data.train) == 190


def test_every_sample_is_seen_once_in_a_pass_and_batches_keep_to_their_size(data: Any) -> None:
    batches = list(data.batches(300))
    seen = np.concatenate(batches)
    assert sorted(seen) == sorted(data.train)
    assert all(len(each) * data.lengths[each].max() <= 300 or len(each) == 1 for each in batches)
    assert len(batches) < 60  # like lengths are together: little is filled up
    again = np.concatenate(list(data.batches(300)))
    assert list(again) != list(seen)


@needs_torch
def test_a_sample_is_filled_up_behind_its_end(data: Any) -> None:
    which = data.train[:3]
    batch = data.tensors(which, "cpu")
    for row, sample in enumerate(which):
        length, start = data.lengths[sample], data.starts[sample]
        assert set(batch.ids[row, :length].tolist()) == {int(sample)}
        assert not batch.ids[row, length:].any()
        here = batch.before[batch.rows == row] - row * batch.ids.shape[1]
        assert here.tolist() == [at - 1 for at in range(1, length) if data.counts[start + at]]
    assert batch.wanted.tolist() == [int(which[row]) for row in batch.rows]


def small_base(kind: str, width: int = 8) -> Any:
    """A model of one layer, with any weights."""
    import torch

    torch.manual_seed(4)
    shapes = {
        "token_embd": (20, width),
        "output_norm": (width,),
        "blk.0.attn_norm": (width,),
        "blk.0.ffn_norm": (width,),
        "blk.0.attn_q": (width, width),
        "blk.0.attn_k": (width // 2, width),
        "blk.0.attn_v": (width // 2, width),
        "blk.0.attn_output": (width, width),
        "blk.0.ffn_gate": (16, width),
        "blk.0.ffn_up": (16, width),
        "blk.0.ffn_down": (width, 16),
    }
    weights = {f"{name}.weight": torch.randn(shape) / 2 for name, shape in shapes.items()}
    weights |= {f"blk.0.attn_{part}.bias": torch.randn(weights[f"blk.0.attn_{part}.weight"].shape[0]) for part in "qkv"}
    linear = [name for name, each in weights.items() if name.startswith("blk") and each.ndim == 2]
    return SimpleNamespace(
        kind=kind, layers=1, width=width, heads=2, kv=1, head=width // 2, epsilon=1e-5, base=10000.0,
        weights=weights, linear=linear, output=weights["token_embd.weight"],
    )  # fmt: skip


@needs_torch
@pytest.mark.parametrize("kind", ["llama", "qwen2"])
def test_an_adapter_beside_its_base_says_and_learns_the_same_as_one_within(train: ModuleType, kind: str) -> None:
    import torch

    base, found = small_base(kind), []
    ids = torch.tensor([[1, 5, 7, 2], [3, 3, 9, 0]])
    before = torch.tensor([1, 2, 4, 5])
    batch = train.Batch(ids, before, ids.flatten()[before + 1], before.numpy() // 4)
    for beside in (False, True):
        torch.manual_seed(5)
        student = train.Student(base, 3, 16, beside=beside)
        with torch.no_grad():
            for _, up in student.adapter.values():
                up.copy_(torch.randn(up.shape) / 4)
        student.merge()
        loss = torch.nn.functional.cross_entropy(train.odds_of(student, batch), batch.wanted, reduction="sum")
        loss.backward()
        student.take_apart(4)
        assert all(each.grad is not None and each.grad.any() for each in student.parameters())
        found.append((loss.detach(), [each.grad for each in student.parameters()]))
        assert not any(each.requires_grad for each in base.weights.values())
    (within, slopes), (apart, others) = found
    assert torch.allclose(within, apart, rtol=1e-4)
    assert all(torch.allclose(one, other, rtol=1e-3, atol=1e-4) for one, other in zip(slopes, others, strict=True))


@needs_torch
def test_only_in_a_wide_model_an_adapter_stands_beside_its_base(train: ModuleType) -> None:
    assert not train.Student(small_base("llama"), 2, 8).beside
    assert train.Student(small_base("llama", train.WIDE), 2, 8).beside
    assert not train.Student(small_base("llama", train.WIDE), 2, 8, beside=False).beside


@needs_torch
@pytest.mark.parametrize("beside", [False, True])
def test_what_is_left_out_while_it_learns_is_there_when_it_speaks(train: ModuleType, beside: bool) -> None:
    import torch

    ids = torch.tensor([[1, 5, 7, 2], [3, 3, 9, 0]])

    def says(dropout: float, *, learning: bool) -> list[torch.Tensor]:
        torch.manual_seed(5)
        student = train.Student(small_base("qwen2"), 3, 16, beside=beside, dropout=dropout)
        with torch.no_grad():
            for _, up in student.adapter.values():
                up.copy_(torch.randn(up.shape) / 4)
        student.merge()
        with torch.set_grad_enabled(learning):
            return [student.hidden(ids).detach() for _ in range(2)]

    whole = says(0.0, learning=True)[0]
    spoken = says(0.5, learning=False)
    assert torch.allclose(spoken[0], spoken[1]) and torch.allclose(spoken[0], whole, atol=1e-6)
    learnt = says(0.5, learning=True)
    assert not torch.allclose(learnt[0], learnt[1]) and not torch.allclose(learnt[0], whole)
