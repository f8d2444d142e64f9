"""The adapter that the package ships: small, ours, and made for the weights that it is used with."""

from __future__ import annotations

import fnmatch
import tomllib
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.models import gguf
from thinkaloud.models.weights import ADAPTER, MEANINGS, PAPERS, embedded_adapter, embedded_weights

ROOT = Path(__file__).parents[2]
LARGEST = 25_000_000


@pytest.fixture(scope="module", params=[PAPERS, MEANINGS])
def path(request: pytest.FixtureRequest) -> Path:
    found = embedded_adapter(request.param)
    assert found is not None
    return found


def test_every_adapter_that_is_shipped_is_known_and_small(path: Path) -> None:
    assert {each.name for each in ADAPTER.iterdir()} == {PAPERS, MEANINGS}
    assert path.stat().st_size <= LARGEST


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


def test_git_and_the_package_take_it_along(path: Path) -> None:
    place = str(path.relative_to(ROOT))
    kept = [line for line in (ROOT / ".gitignore").read_text().splitlines() if fnmatch.fnmatch(place, line.strip("!/"))]
    assert kept[-1].startswith("!")
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert any(fnmatch.fnmatch(place, pattern) for pattern in build["artifacts"])
    assert any(place.startswith(folder) for folder in build["targets"]["wheel"]["packages"])
