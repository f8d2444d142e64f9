"""The adapters that the package ships: small, ours, and made for the weights that they are used with."""

from __future__ import annotations

import fnmatch
import tomllib
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.models import gguf
from thinkaloud.models.gguf_header import read_header
from thinkaloud.models.large_weights import LARGE
from thinkaloud.models.weight_files import (
    ADAPTER,
    JUDGE,
    LARGE_MEANINGS,
    LARGE_PAPERS,
    MEANINGS,
    PAPERS,
    embedded_weights,
    find_adapter,
)

ROOT = Path(__file__).parents[2]
LARGEST = 25_000_000
ALL = (PAPERS, MEANINGS, LARGE_PAPERS, LARGE_MEANINGS, JUDGE)


@pytest.fixture(scope="module", params=[PAPERS, MEANINGS, JUDGE])
def path(request: pytest.FixtureRequest) -> Path:
    return there(request.param)


def there(name: str) -> Path:
    found = find_adapter(name)
    assert found is not None
    return found


def test_five_adapters_are_shipped_and_each_is_small() -> None:
    found = {*map(there, ALL)}
    assert {*ADAPTER.iterdir()} == found
    assert max(path.stat().st_size for path in found) <= LARGEST


def test_it_changes_every_linear_weight_of_the_base_and_nothing_else(path: Path) -> None:
    adapter, base = gguf.read_gguf(path), gguf.read_gguf(embedded_weights())
    assert adapter.said["general.type"] == "adapter"
    assert adapter.said["adapter.type"] == "lora"
    assert adapter.said["general.architecture"] == base.said["general.architecture"]
    assert adapter.said["adapter.lora.alpha"] > 0
    linear = {
        name: each.shape for name, each in base.tensors.items() if name.startswith("blk") and len(each.shape) == 2
    }
    assert set(adapter.tensors) == {f"{name}.lora_{half}" for name in linear for half in "ab"}
    for name, (out, into) in linear.items():
        down, up = (adapter.tensors[f"{name}.lora_{half}"] for half in "ab")
        assert (up.shape[0], down.shape[1]) == (out, into)
        assert up.shape[1] == down.shape[0] > 0


def test_its_numbers_are_numbers_and_say_something(path: Path) -> None:
    tensors = gguf.read_gguf(path).tensors
    for layer in (0, 29):
        down, up = (tensors[f"blk.{layer}.attn_q.weight.lora_{half}"].values() for half in "ab")
        assert np.isfinite(down).all()
        assert np.isfinite(up).all()
        assert np.abs(up @ down).max() > 0


@pytest.mark.parametrize("name", [LARGE_PAPERS, LARGE_MEANINGS])
def test_a_large_one_changes_every_linear_weight_of_its_base_and_nothing_else(name: str) -> None:
    """As far as can be told without the base: how wide it is, and how many blocks it has."""
    header = read_header(there(name))
    said = header.said
    assert (said["general.type"], said["adapter.type"], said["general.architecture"]) == ("adapter", "lora", "qwen2")
    linear = [f"attn_{part}" for part in ("q", "k", "v", "output")] + [f"ffn_{part}" for part in ("up", "gate", "down")]
    names = {
        f"blk.{block}.{part}.weight.lora_{half}" for block in range(LARGE.blocks) for part in linear for half in "ab"
    }
    assert set(header.tensors) == names
    assert header.shapes["blk.0.attn_q.weight.lora_a"][1] == header.shapes["blk.27.ffn_down.weight.lora_b"][0] == 1536


@pytest.mark.parametrize("name", ALL)
def test_git_and_the_package_take_it_along(name: str) -> None:
    place = str(there(name).relative_to(ROOT))
    kept = [line for line in (ROOT / ".gitignore").read_text().splitlines() if fnmatch.fnmatch(place, line.strip("!/"))]
    assert kept[-1].startswith("!")
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert any(fnmatch.fnmatch(place, pattern) for pattern in build["artifacts"])
    assert any(place.startswith(folder) for folder in build["targets"]["wheel"]["packages"])
