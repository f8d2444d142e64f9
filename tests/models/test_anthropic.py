from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.errors import ModelError, ModelMissing, ModelRefused, ModelUnreachable
from thinkaloud.models import Call, ModelSettings, Turn, open_model
from thinkaloud.models.anthropic import Anthropic

SECRET = "sk-ant-very-secret"
PICK = {"type": "function", "function": {"name": "pick", "parameters": {"type": "object", "properties": {}}}}
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
TURNS = (
    Turn("system", "Be brief."),
    Turn("user", "Hello"),
    Turn("tool", "3"),
    Turn("assistant", "Hm."),
    Turn("user", "?"),
)
Answer = Callable[[dict[str, Any]], Any]


class Address:
    """An address that answers in Anthropic's form, and what it was asked."""

    def __init__(self, *answers: Any, retries: int = 3) -> None:
        self.answers, self.asked = list(answers), list[dict[str, Any]]()
        self.headers: list[httpx.Headers] = []
        self.clock = ManualClock()
        settings = ModelSettings(base_url="http://robot.test/v1", api_key=SECRET, retries=retries)
        self.model = Anthropic("wise", settings, self.clock, httpx.MockTransport(self._answer))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/v1/messages"
        self.asked.append(json.loads(request.content))
        self.headers.append(request.headers)
        answer = self.answers.pop(0)
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)


def said(*blocks: dict[str, Any]) -> dict[str, Any]:
    usage = {"input_tokens": 7, "cache_read_input_tokens": 5, "output_tokens": 3}
    return {"type": "message", "role": "assistant", "content": list(blocks), "stop_reason": "end_turn", "usage": usage}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def used(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}


def test_a_conversation_has_the_makers_form_and_the_key_goes_into_its_header() -> None:
    there = Address(said({"type": "thinking", "thinking": "…"}, text("Good.")))
    reply = asyncio.run(there.model.chat(TURNS, most=9))
    assert (reply.text, reply.usage.evaluated, reply.usage.cached, reply.usage.generated) == ("Good.", 7, 5, 3)
    (asked,), (headers,) = there.asked, there.headers
    assert asked["system"] == "Be brief." and asked["max_tokens"] == 9
    assert [turn["role"] for turn in asked["messages"]] == ["user", "assistant", "user"]
    assert asked["messages"][0]["content"] == "Hello\n\n3"
    assert headers["x-api-key"] == SECRET and headers["anthropic-version"] and "authorization" not in headers


def test_a_function_is_called_by_a_forced_tool() -> None:
    there = Address(said(text("I pick."), used("pick", thing="cup")))
    reply = asyncio.run(there.model.chat(TURNS, tools=[PICK]))
    assert reply.calls == (Call("pick", {"thing": "cup"}),)
    assert there.asked[0]["tool_choice"] == {"type": "any", "disable_parallel_tool_use": True}
    assert there.asked[0]["tools"][0]["input_schema"]["type"] == "object"


def test_a_server_that_answers_forced_tools_with_prose_is_asked_for_json_from_then_on() -> None:
    call = '```json\n{"name": "pick", "arguments": {}}\n```'
    there = Address(said(text("Sure, I will pick it.")), said(text(call)), said(text(call)))
    for _ in range(2):
        assert asyncio.run(there.model.chat(TURNS, tools=[PICK])).calls == (Call("pick", {}),)
    assert ["tools" in asked for asked in there.asked] == [True, False, False]


@pytest.mark.parametrize("answers", [[said(used("answer", n=3))], [said(text("Three.")), said(text('{"n": 3}'))]])
def test_a_schema_gives_json_whichever_way_the_server_can(answers: list[Any]) -> None:
    reply = asyncio.run(Address(*answers).model.chat(TURNS, schema=SCHEMA))
    assert json.loads(reply.text) == {"n": 3}


def test_prose_in_place_of_json_is_refused() -> None:
    prose = [said(text(words)) for words in ("Three.", "Three!", "3, I said.")]
    with pytest.raises(ModelRefused, match="valid JSON"):
        asyncio.run(Address(*prose).model.chat(TURNS, schema=SCHEMA))


def test_a_prompt_is_continued_up_to_a_stop_text() -> None:
    there = Address(said(text("Robot action: pick up the cup\nHuman: thanks")))
    got = asyncio.run(there.model.complete("Human: tidy up\nRobot action:", stop=["\n", "Human"]))
    assert got.text == " pick up the cup"
    assert there.asked[0]["stop_sequences"] == ["Human"]


def test_a_busy_server_is_asked_again_after_the_pause_that_it_wants() -> None:
    busy = httpx.Response(
        529, json={"error": {"type": "overloaded_error", "message": "Overloaded"}}, headers={"retry-after": "7"}
    )
    there = Address(busy, said(text("Here.")))
    assert asyncio.run(there.model.chat(TURNS)).text == "Here."
    assert there.clock.seconds == 7
    with pytest.raises(ModelUnreachable, match="Overloaded"):
        asyncio.run(Address(busy, retries=0).model.chat(TURNS))


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"content": "words"},
        {"content": [{"type": "text"}]},
        {"content": [3]},
        {"content": [{"type": "tool_use"}]},
        [],
    ],
)
def test_an_answer_in_another_form_is_refused_in_one_line(answer: Any) -> None:
    with pytest.raises(ModelRefused, match="Check base_url"):
        asyncio.run(Address(answer).model.chat(TURNS))


def test_a_secret_that_a_server_echoes_is_removed() -> None:
    there = Address(said(text(f"Your key is {SECRET}.")), said(used("pick", key=SECRET)))
    assert SECRET not in asyncio.run(there.model.chat(TURNS)).text
    assert SECRET not in str(asyncio.run(there.model.chat(TURNS, tools=[PICK])).calls)
    wrong = httpx.Response(401, json={"error": {"type": "authentication_error", "message": f"invalid {SECRET}"}})
    with pytest.raises(ModelMissing) as error:
        asyncio.run(Address(wrong).model.chat(TURNS))
    assert SECRET not in str(error.value)


def test_likelihoods_are_not_to_be_had() -> None:
    with pytest.raises(ModelError, match="cannot score"):
        asyncio.run(Address().model.score("a", ["b"]))


def test_it_is_opened_by_its_name() -> None:
    assert open_model("anthropic:wise").name == "anthropic:wise"
