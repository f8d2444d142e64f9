"""Which adapter judges readings: the model's own, the small model's, or none."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.errors import ModelError
from thinkaloud.models import ModelSettings, Recorded, Scripted, llama, registry
from thinkaloud.models import weight_files as weights
from thinkaloud.models.contract import find_judge, in_role
from thinkaloud.models.embedded import Embedded, Large
from thinkaloud.models.llama import Llama

BASE, PAPERS, MEANINGS, JUDGE = (Path(f"{name}.gguf") for name in ("base", "papers", "meanings", "judge"))
SETTINGS = ModelSettings(context=4096, slots=6)


class Server:
    """Stands in for llama.cpp."""


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, ModelSettings, list[Path]]]:
    found: list[tuple[Path, ModelSettings, list[Path]]] = []

    def start(path: Path, settings: ModelSettings, adapters: Any, key: str, *more: object) -> Server:
        found.append((path, settings, [*adapters]))
        return Server()

    monkeypatch.setattr(llama, "start_server", start)
    monkeypatch.setattr(llama, "require_loadable", lambda *paths: None)
    monkeypatch.setattr(llama, "open_reading_cache", lambda size: None)
    return found


def active(model: Any) -> list[float]:
    return [each["scale"] for each in model._weighed]


def test_the_large_model_judges_with_an_adapter_of_its_own() -> None:
    model = Large(BASE, MEANINGS, PAPERS, SETTINGS, JUDGE)
    judge = find_judge(model)
    assert judge is not None and active(judge) == [0.0, 0.0, 1.0]
    assert active(in_role(model, "listener")) == [0.0, 1.0, 0.0] and active(in_role(model, "planner")) == [
        1.0,
        0.0,
        0.0,
    ]
    assert not find_judge(Large(BASE, MEANINGS, None, SETTINGS))


def test_or_with_the_small_model_which_is_opened_once_when_it_is_needed() -> None:
    opened: list[Llama] = []

    def open_small() -> Llama:
        opened.append(Llama("embedded", JUDGE, SETTINGS, judges=True))
        return opened[-1]

    model = Large(BASE, MEANINGS, PAPERS, SETTINGS, open_small)
    assert not opened
    assert find_judge(model) is find_judge(model) is opened[0] and len(opened) == 1


def test_the_judge_of_the_shipped_model_has_a_small_context(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, started: list[tuple[Path, ModelSettings, list[Path]]]
) -> None:
    monkeypatch.setattr(weights, "ADAPTER", tmp_path)
    assert registry._judge_opener(SETTINGS, print) is None
    (tmp_path / weights.JUDGE).write_bytes(b"GGUF")
    monkeypatch.setattr(registry, "_with_adapter", lambda base, adapter, notice, load: load(base, (adapter,)))
    model = Embedded(lambda: Llama("embedded", BASE, SETTINGS), None, registry._judge_opener(SETTINGS, print))
    judge = find_judge(model)
    assert judge is not None and judge is model.in_role("judge") and model.in_role("listener") is model
    _, small, adapters = started[-1]
    assert (small.slots, small.context, adapters) == (1, 2048, [tmp_path / weights.JUDGE])


@pytest.mark.parametrize(
    ("installed", "judge"), [((), None), ((weights.JUDGE,), "small"), ((weights.JUDGE, weights.LARGE_JUDGE), "own")]
)
def test_the_first_judge_that_is_installed_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, installed: tuple[str, ...], judge: str | None
) -> None:
    from thinkaloud.models import large_weights

    monkeypatch.setattr(weights, "ADAPTER", tmp_path)
    monkeypatch.setattr(large_weights, "find_large", lambda settings: (BASE, MEANINGS, PAPERS))
    monkeypatch.setattr(registry, "_with_adapter", lambda base, adapter, notice, load: load(base, (adapter,)))
    for name in installed:
        (tmp_path / name).write_bytes(b"GGUF")
    model = registry._open_large(SETTINGS)
    found = find_judge(model)
    names = {"embedded": "small", "embedded-large": "own"}
    assert (None if found is None else names[found.name]) == judge


def test_the_judge_is_found_from_any_role_and_its_calls_are_recorded() -> None:
    class Judging(Scripted):
        judges = False

        def in_role(self, role: str) -> Scripted:
            other = Judging(["x"], name=role)
            other.judges = role == "judge"
            return other

    calls: list[Any] = []
    listener = Recorded(Judging(), calls.append).as_role("listener")
    judge = find_judge(listener)
    assert judge is not None
    asyncio.run(judge.complete("so?"))
    assert [(call.role, call.model) for call in calls] == [("judge", "judge")]


def test_the_shipped_model_loads_what_a_role_needs_when_it_is_asked_for(
    started: list[tuple[Path, ModelSettings, list[Path]]],
) -> None:
    def opener(path: Path) -> Any:
        return lambda: Llama("embedded", path, SETTINGS)

    model = Embedded(opener(PAPERS), opener(MEANINGS), opener(JUDGE))
    assert not started
    reader = model.in_role("listener")
    assert (model.in_role("proposer"), find_judge(reader)) == (reader, None)
    assert [path for path, *_ in started] == [MEANINGS]
    assert model.in_role("planner") is model.in_role("critic") is model
    assert [path for path, *_ in started] == [MEANINGS, PAPERS]
    asyncio.run(model.close())
    with pytest.raises(ModelError, match="was closed"):
        asyncio.run(model.complete("Hello."))
