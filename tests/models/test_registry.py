from __future__ import annotations

import asyncio
import shutil
from importlib import metadata
from pathlib import Path

import pytest

from thinkaloud.errors import ModelMissing, UnknownName
from thinkaloud.models import Model, ModelSettings, Recorded, is_fluent, open_model
from thinkaloud.models import weight_files as weights
from thinkaloud.models.contract import in_role

SMALL = ModelSettings(context=512, slots=1)


@pytest.mark.parametrize("name", ["embeded", "gguf:", "openai", "openai:", ""])
def test_an_unknown_name_says_which_there_are(name: str) -> None:
    with pytest.raises(UnknownName, match="embedded-base"):
        open_model(name)


def test_without_an_adapter_the_base_model_steps_in_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(weights, "ADAPTER", tmp_path)
    notices: list[str] = []
    model = open_model("embedded", SMALL, notices.append)
    asyncio.run(model.close())
    assert model.name == "embedded-base"
    assert notices == ["Using embedded-base instead of embedded: no adapter is shipped with this installation"]


def test_a_damaged_adapter_is_left_out_and_named(
    monkeypatch: pytest.MonkeyPatch, damaged_weights: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shutil.copy(damaged_weights, tmp_path / weights.PAPERS)
    monkeypatch.setattr(weights, "ADAPTER", tmp_path)
    notices: list[str] = []
    model = open_model("embedded", SMALL, notices.append)
    asyncio.run(model.close())
    assert model.name == "embedded-base"
    assert weights.PAPERS in notices[0]
    assert capfd.readouterr() == ("", "")


def test_missing_weights_come_with_the_command_that_installs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "files", nothing)
    with pytest.raises(ModelMissing, match=r"\(98 MB\) are missing\. Get them with: thinkaloud models get small$"):
        open_model("embedded-base")


def test_a_closed_model_says_that_it_is_closed() -> None:
    model = open_model("embedded-base", SMALL)
    asyncio.run(model.close())
    with pytest.raises(Exception, match="was closed"):
        asyncio.run(model.complete("Hello"))


def test_the_key_is_not_shown() -> None:
    assert "sk-secret" not in repr(ModelSettings(api_key="sk-secret"))


def test_the_embedded_model_reads_with_an_adapter_of_its_own(
    embedded: Model, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    model = embedded
    recorded = Recorded(model, lambda call: None)
    reader = recorded.as_role("listener")
    prompt = '# robot\nlamps = ["red lamp", "blue lamp"]\ndef light(lamp): "Light a lamp."\n\n# "Light the red lamp."\n'

    async def write() -> str:
        return (await reader.complete(prompt, stop=("\n\n",), most=24)).text

    assert is_fluent(model)
    papers = ("planner", "reader", "writer", "executor", "analyzer", "corrector")
    assert all(in_role(model, role) is model for role in papers)
    assert in_role(model, "listener") is in_role(model, "listener") is not model
    assert asyncio.run(write()).strip() in ('light("red lamp")', 'ask("Which lamp?", lamps)')  # a program, and no prose
    shutil.copy(weights.ADAPTER / weights.PAPERS, tmp_path)
    monkeypatch.setattr(weights, "ADAPTER", tmp_path)
    without = open_model("embedded", SMALL)
    assert not is_fluent(without)
    assert in_role(without, "listener") is without
    asyncio.run(without.close())
