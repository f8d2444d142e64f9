"""What of training needs no accelerator: which samples are kept back, and how they are put together."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
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
    ids, counts = data.tensors(which, "cpu")
    for row, sample in enumerate(which):
        length = data.lengths[sample]
        assert set(ids[row, :length].tolist()) == {int(sample)}
        assert not ids[row, length:].any()
        assert not counts[row, length:].any()
