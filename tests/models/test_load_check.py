"""Damaged weights: llama.cpp aborts the process over them, so each of these would end the tests if it were loaded."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from thinkaloud.errors import ModelMissing
from thinkaloud.models import gguf, open_model
from thinkaloud.models.load_check import require_loadable
from thinkaloud.models.weight_files import embedded_weights


def damaged(folder: Path, **changes: bytes) -> Path:
    """The embedded model with other words in its header; its numbers are all zero, and take no room on the disk."""
    whole = gguf.read_gguf(embedded_weights())
    kept = dict(whole.kept) | {name.replace("__", "."): value for name, value in changes.items()}
    path = folder / "damaged.gguf"
    with path.open("wb") as file:
        gguf.write(file, kept, {name: (tensor.shape, tensor.kind) for name, tensor in whole.tensors.items()})
        file.truncate(file.tell() + sum(len(tensor.raw) + 32 for tensor in whole.tensors.values()))
    return path


@pytest.mark.parametrize(
    "changes",
    [
        {"llama__attention__layer_norm_rms_epsilon": struct.pack("<If", 6, -1.0)},
        {"llama__block_count": struct.pack("<II", 4, 100_000)},
    ],
)
def test_weights_that_llama_cpp_does_not_survive_are_refused(tmp_path: Path, changes: dict[str, bytes]) -> None:
    with pytest.raises(ModelMissing, match="cannot be loaded: damaged"):
        open_model(f"gguf:{damaged(tmp_path, **changes)}")


def test_weights_are_tried_once_and_those_that_come_along_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    fine = damaged(tmp_path, general__name=gguf.text_value("Somebody"))
    require_loadable(fine)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    require_loadable(fine)
    require_loadable(embedded_weights())
    with fine.open("ab") as file:
        file.write(b"more")
    with pytest.raises(FileNotFoundError):
        require_loadable(fine)
