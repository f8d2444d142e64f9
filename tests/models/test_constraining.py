"""Which ways of constraining work at an address is found out by asking, once, and never believed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.errors import ModelMissing, ModelRefused, ModelUnreachable
from thinkaloud.models import ModelSettings, Turn
from thinkaloud.models.anthropic import Anthropic
from thinkaloud.models.chat_form import ChatModel
from thinkaloud.models.constraining import KnownWays, describe_ways, probe
from thinkaloud.models.json_schema import find_misfit
from thinkaloud.models.openai import OpenAI
from thinkaloud.models.pictures import names_halves, two_halves

GO = [Turn("user", "How many?")]
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


class Server:
    """Speaks OpenAI's form, keeps to some constraints, and ignores the others without an error."""

    def __init__(self, *keeps: str, status: int = 200) -> None:
        self.keeps, self.status, self.asked = keeps, status, list[dict[str, Any]]()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        self.asked.append(body)
        if self.status != 200:
            return httpx.Response(self.status, json={"error": {"message": "no"}})
        message: dict[str, Any] = {"content": "Hello there!"}
        if "grammar" in body and "grammar" in self.keeps:
            message = {"content": body["grammar"].split('"')[1]}
        elif "response_format" in body and "schema" in self.keeps:
            (word,) = body["response_format"]["json_schema"]["schema"]["properties"]["word"]["enum"]
            message = {"content": json.dumps({"word": word})}
        elif "tools" in body and "tool" in self.keeps:
            message = {"content": "", "tool_calls": [{"function": {"name": "note_word", "arguments": "{}"}}]}
        return httpx.Response(200, json={"choices": [{"message": message, "finish_reason": "stop"}]})

    def model(self, known: KnownWays | None = None) -> OpenAI:
        settings = ModelSettings(base_url="http://me:pass-word@robot.test", retries=0)
        return OpenAI("wise", settings, ManualClock(), httpx.MockTransport(self), known)


@pytest.mark.parametrize("keeps", [(), ("schema",), ("tool",), ("grammar", "schema", "tool")])
def test_a_way_that_is_ignored_without_an_error_does_not_count(keeps: tuple[str, ...]) -> None:
    assert asyncio.run(probe(Server(*keeps).model())) == {*keeps}


def test_an_address_is_asked_once_and_again_after_a_month(tmp_path: Path) -> None:
    clock, server = ManualClock(), Server("schema")
    for _ in range(2):
        assert asyncio.run(KnownWays(tmp_path / "served", clock.now).find(server.model())) == {"schema"}
    asked = len(server.asked)
    assert asked == 4
    assert "pass-word" not in (tmp_path / "served").read_text()
    clock.seconds = 31 * 86400
    asyncio.run(KnownWays(tmp_path / "served", clock.now).find(server.model()))
    assert len(server.asked) == 2 * asked


def test_a_damaged_file_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "served").write_text('{"openai http://robot.test/v1 wise": {"at": "soon"}}')
    assert asyncio.run(KnownWays(tmp_path / "served").find(Server("tool").model())) == {"tool"}


@pytest.mark.parametrize("status, kind", [(503, ModelUnreachable), (401, ModelMissing)])
def test_a_server_that_is_down_or_refuses_the_key_teaches_nothing(tmp_path: Path, status: int, kind: type) -> None:
    with pytest.raises(kind):
        asyncio.run(KnownWays(tmp_path / "served").find(Server(status=status).model()))
    assert not (tmp_path / "served").exists()


def test_what_does_not_work_is_not_sent(tmp_path: Path) -> None:
    server = Server()
    model = server.model(KnownWays(tmp_path / "served"))
    asyncio.run(model.complete("One, two,", grammar='root ::= "three"'))
    assert "grammar" not in server.asked[-1]


def test_the_pinned_server_is_found_to_keep_to_what_it_does_keep_to(llama_server: Any) -> None:
    """It answers a forced tool in Anthropic's form with prose, and pictures with an error that is no outage."""

    async def ways(model: ChatModel) -> frozenset[str]:
        try:
            return await probe(model)
        finally:
            await model.close()

    settings = ModelSettings(base_url=f"{llama_server.listening_address}/v1", api_key="sk-test", retries=0)
    assert asyncio.run(ways(OpenAI("smollm2", settings))) >= {"grammar", "schema"}
    assert asyncio.run(ways(Anthropic("smollm2", settings))) <= {"tool"}


def test_what_the_pinned_server_says_in_anthropics_form_is_read_or_refused(llama_server: Any) -> None:
    async def ask() -> str:
        settings = ModelSettings(base_url=f"{llama_server.listening_address}/v1", api_key="sk-test")
        model = Anthropic("smollm2", settings)
        try:
            return (await model.chat(GO, schema=SCHEMA, most=6)).text
        finally:
            await model.close()

    with pytest.raises(ModelRefused, match="valid JSON"):  # six tokens are too few for it
        asyncio.run(ask())


@pytest.mark.parametrize(
    "value, why",
    [
        ({"n": 3}, ""),
        ({"n": True}, "'n' in the answer has to be of the type integer"),
        ({}, "the answer lacks n"),
        ([], "the answer has to be of the type object"),
        ({"n": 3, "m": 4}, "the answer must not have m"),
    ],
)
def test_a_misfit_is_told(value: Any, why: str) -> None:
    assert find_misfit(value, SCHEMA | {"additionalProperties": False}) == why


def test_lists_and_choices_fit_or_do_not() -> None:
    calls = {"type": "array", "minItems": 1, "maxItems": 2, "items": {"anyOf": [{"const": "a"}, {"enum": ["b"]}]}}
    assert not find_misfit(["a", "b"], calls)
    assert find_misfit([], calls) and find_misfit(["a", "c"], calls) and find_misfit(["a"] * 3, calls)


def test_eyes_are_proved_by_two_colours_in_their_order() -> None:
    assert two_halves("red", "blue").startswith(b"\x89PNG")
    assert names_halves("Left: red. Right: blue.", "red", "blue")
    assert not names_halves("Blue, red", "red", "blue") and not names_halves("red green blue", "red", "blue")


def test_ways_are_told_in_words() -> None:
    assert describe_ways(frozenset({"tool", "grammar", "eyes"})) == "grammar, forced tool"
    assert describe_ways(frozenset()) == "asking, and asking again with the fault"
