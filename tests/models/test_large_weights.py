"""The large model: what is said where it cannot be opened; and, where its weights are, that it reads a request."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from far_weights import describe, write_adapter, write_weights
from thinkaloud.errors import ModelMissing
from thinkaloud.models import (
    ModelSettings,
    is_fluent,
    is_trained,
    open_model,
)
from thinkaloud.models import (
    large_weights as large,
)
from thinkaloud.models import (
    weight_files as weights,
)
from thinkaloud.models.contract import in_role
from thinkaloud.models.large_weights import LARGE, available_memory, find_large
from thinkaloud.settings import load

SETTINGS = load(folder=Path(__file__).parent)
THERE = LARGE.path(SETTINGS.home).exists()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with weights of a few bytes, and an adapter that fits them."""
    source = write_weights(tmp_path / "source.gguf")
    small = describe(source)
    small.path(tmp_path).parent.mkdir()
    source.rename(small.path(tmp_path))
    (tmp_path / "adapter").mkdir()
    write_adapter(tmp_path / "adapter" / "large-meanings.gguf")
    monkeypatch.setattr(large, "LARGE", small)
    monkeypatch.setattr(weights, "ADAPTER", tmp_path / "adapter")
    return tmp_path


def trouble(home: Path) -> str:
    with pytest.raises(ModelMissing) as caught:
        open_model("embedded-large", ModelSettings(home=home))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_weights_and_adapter_are_found_in_the_home_of_the_settings(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = home / "models" / "small.gguf", home / "adapter" / "large-meanings.gguf", None
    assert find_large(ModelSettings(home=home)) == found
    monkeypatch.setenv("THINKALOUD_HOME", str(home))
    assert find_large(ModelSettings()) == found


def test_the_adapter_for_the_papers_need_not_be_there_but_has_to_fit(home: Path) -> None:
    papers = write_adapter(home / "adapter" / "large-papers.gguf")
    assert find_large(ModelSettings(home=home))[2] == papers
    write_adapter(papers, width=32)
    assert "large-papers.gguf" in trouble(home) and "einstall" in trouble(home)


def test_without_weights_it_says_how_to_get_them_and_what_works_without(tmp_path: Path) -> None:
    said = trouble(tmp_path)
    assert "(1.1 GB) are missing. Get them with: thinkaloud models get large. The model `embedded` works" in said


def test_weights_that_were_cut_are_named(home: Path) -> None:
    path = home / "models" / "small.gguf"
    path.write_bytes(path.read_bytes()[:-1])
    assert f"{path} has " in trouble(home) and trouble(home).endswith("again with: thinkaloud models get large")


@pytest.mark.parametrize(("kind", "blocks"), [("llama", 28), ("qwen2", 24)])
def test_weights_of_another_model_are_named(home: Path, kind: str, blocks: int) -> None:
    write_weights(home / "models" / "small.gguf", kind=kind, blocks=blocks)
    said = f"is another model: {kind} with {blocks} blocks, not qwen2 with 28 blocks. Get the weights"
    assert said in trouble(home)


def test_what_is_no_gguf_is_named(home: Path) -> None:
    path = home / "models" / "small.gguf"
    path.write_bytes(bytes(path.stat().st_size))
    assert "is not a GGUF file" in trouble(home)


@pytest.mark.parametrize("how", ["another architecture", "another shape", "another weight", "cut short", "missing"])
def test_an_adapter_that_does_not_fit_is_named(home: Path, how: str) -> None:
    path = home / "adapter" / "large-meanings.gguf"
    if how == "another architecture":
        write_adapter(path, kind="llama")
    elif how == "another shape":
        write_adapter(path, width=32)
    elif how == "another weight":
        write_adapter(path, name="blk.30.attn_q.weight")
    elif how == "cut short":
        path.write_bytes(path.read_bytes()[:60])
    else:
        path.unlink()
    said = trouble(home)
    assert "adapter" in said and "einstall" in said and said.endswith("The model `embedded` works without it.")


def test_too_little_memory_is_told_before_anything_is_loaded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "available_memory", lambda: 250_000_000)
    said = trouble(home)
    assert said.startswith("embedded-large needs 0.3 GB of memory, but only 0.2 GB are free. Close other programs")
    monkeypatch.setattr(large, "available_memory", lambda: None)
    assert find_large(ModelSettings(home=home))


def test_it_needs_about_two_gigabytes_and_less_with_a_smaller_context() -> None:
    assert 1.9e9 < LARGE.memory(ModelSettings()) < 2.3e9
    assert LARGE.memory(ModelSettings(context=1024)) < 1.7e9


def test_the_memory_is_read_where_the_system_tells(tmp_path: Path) -> None:
    table = tmp_path / "meminfo"
    table.write_text("MemTotal:  3000 kB\nMemAvailable:   2000 kB\n")
    assert available_memory(table) == 2000 * 1024
    table.write_text("nothing of the kind")
    known = available_memory(table)
    assert known is None or known > 0


@pytest.mark.sampled(0)
@pytest.mark.skipif(not THERE, reason="the weights of embedded-large are not here: thinkaloud models get large")
def test_it_opens_with_its_adapters_and_each_role_has_its_own() -> None:
    model = open_model("embedded-large", SETTINGS.for_model(context=512, slots=1))
    reader, planner = in_role(model, "listener"), in_role(model, "planner")
    asked = '# robot\novens = ["left oven", "right oven"]\ndef heat(oven): "Fire up oven."\n\n# "heat the left oven"\n'
    try:
        assert (model.name, is_fluent(reader), is_trained(planner)) == ("embedded-large", True, True)
        before = asyncio.run(reader.score(asked, ['heat("left oven")', "oven"])).values
        other = asyncio.run(planner.score(asked, ['heat("left oven")', "oven"])).values
        assert before == pytest.approx(asyncio.run(reader.score(asked, ['heat("left oven")', "oven"])).values, abs=0.01)
        assert before[0] > before[1] and other[0] < other[1]  # each adapter has learnt something else
    finally:
        asyncio.run(model.close())
