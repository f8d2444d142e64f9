"""A served model and its judge: each question reaches the adapter it is for."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from types import ModuleType
from typing import Any

import pytest

from thinkaloud.errors import ModelError
from thinkaloud.models import ModelSettings
from thinkaloud.models.contract import complete_weighed, find_judge, in_role
from thinkaloud.models.openai import OpenAI


class Batch:
    """Continues every prompt with one word."""

    def __init__(self, word: str) -> None:
        self.word = word

    def ask(self, *_: object) -> list[dict[str, Any]]:
        return [{"id": 0, "token": self.word, "logprob": -0.1, "others": {" no": -2.4}}]

    def text(self, _: object) -> str:
        return self.word


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    stub: Any = ModuleType("training.batching")  # the real one needs torch
    stub.Batched = Batch
    monkeypatch.setitem(sys.modules, "training.batching", stub)
    monkeypatch.delitem(sys.modules, "training.serving", raising=False)
    from training import serving

    servers: list[ThreadingHTTPServer] = []

    def start(*models: Batch) -> OpenAI:
        server = ThreadingHTTPServer(("127.0.0.1", 0), serving._handler(*models))  # type: ignore[arg-type]
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        return OpenAI("mine", ModelSettings(base_url=url, fluent=True, judge=True, retries=0))

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
    monkeypatch.delitem(sys.modules, "training.serving", raising=False)


def test_the_judge_answers_under_its_own_name(serve: Any) -> None:
    model = serve(Batch("stop()"), Batch(" yes"))
    judge = find_judge(model)
    assert judge is not None and in_role(model, "listener") is model

    async def ask() -> list[str]:
        answers = [await complete_weighed(each, "> ", stop=("\n",)) for each in (model, judge)]
        await model.close()
        assert answers[1].tokens[0].others[0][0] == " no"
        return [each.text for each in answers]

    assert asyncio.run(ask()) == ["stop()", " yes"]


def test_without_a_judge_the_question_is_refused(serve: Any) -> None:
    judge = find_judge(serve(Batch("stop()")))
    assert judge is not None

    async def ask() -> None:
        try:
            await judge.complete("> ")
        finally:
            await judge.close()

    with pytest.raises(ModelError):
        asyncio.run(ask())


def test_a_served_model_has_a_judge_only_where_that_is_said() -> None:
    assert find_judge(OpenAI("mine", ModelSettings())) is None
