"""Function calling: one call or several, natively or as JSON held to a schema."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.errors import ModelError, ModelRefused
from thinkaloud.models import Call, ModelSettings, Recorded, Scripted, Turn
from thinkaloud.models.openai import OpenAI
from thinkaloud.models.tool_calls import calls_in, tool_schema, with_tools

GO = [Turn("user", "go")]
PICK = {"name": "pick", "parameters": {"type": "object", "properties": {}}}
CUP, BALL = Call("pick", {"thing": "cup"}), Call("pick", {"thing": "ball"})


def written(*calls: Call) -> str:
    return json.dumps([{"name": call.name, "arguments": call.arguments} for call in calls])


def endpoint(*messages: dict[str, Any]) -> tuple[OpenAI, list[dict[str, Any]]]:
    """A model whose endpoint answers with these messages, one after another, and the bodies it was sent."""
    sent: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content))
        message = messages[len(sent) - 1]
        if "error" in message:
            return httpx.Response(400, json=message)
        return httpx.Response(200, json={"choices": [{"message": message, "finish_reason": "stop"}]})

    return OpenAI("wise", ModelSettings(base_url="http://robot.test"), ManualClock(), httpx.MockTransport(answer)), sent


def native(*calls: Call) -> dict[str, Any]:
    return {
        "tool_calls": [{"function": {"name": call.name, "arguments": json.dumps(call.arguments)}} for call in calls]
    }


def test_one_call_is_asked_for_in_the_form_it_always_had() -> None:
    (system, *_) = with_tools(GO, [PICK])
    assert system.text.endswith(
        'Answer with one call, as JSON: {"name": "the function", "arguments": {"its": "arguments"}}'
    )
    assert tool_schema([PICK]).keys() == {"anyOf"}


def test_several_calls_are_a_list_no_longer_than_allowed() -> None:
    (system, *_) = with_tools(GO, [PICK], 4)
    assert "one to 4" in system.text and '[{"name": "the function"' in system.text
    schema = tool_schema([PICK], 4)
    assert (schema["type"], schema["minItems"], schema["maxItems"]) == ("array", 1, 4)
    assert schema["items"] == tool_schema([PICK])


def test_a_list_is_read_in_its_order_and_no_further_than_allowed() -> None:
    assert calls_in(written(CUP, BALL), "m", 9, 3) == (CUP, BALL)
    assert calls_in(written(CUP, BALL, CUP), "m", 9, 2) == (CUP, BALL)
    assert calls_in(json.dumps({"name": "pick", "arguments": {"thing": "cup"}}), "m", 9, 3) == (CUP,)


@pytest.mark.parametrize(
    ("text", "calls"),
    [(written(CUP), 1), ("[]", 3), ('["pick"]', 3), ('[{"name": "pick"}]', 3), ('"pick"', 3), ("[", 3)],
)
def test_what_is_no_call_is_refused(text: str, calls: int) -> None:
    with pytest.raises(ModelRefused):
        calls_in(text, "m", 9, calls)


def test_a_script_may_make_several_calls_and_a_recorded_one_passes_that_on() -> None:
    model = Recorded(Scripted([written(CUP, BALL), written(CUP, BALL)]), lambda _: None)
    assert asyncio.run(model.chat(GO, tools=[PICK], calls=6)).calls == (CUP, BALL)
    with pytest.raises(ModelRefused):
        asyncio.run(model.chat(GO, tools=[PICK]))


def test_an_endpoints_parallel_calls_are_taken_up_to_the_limit() -> None:
    model, sent = endpoint(native(CUP, BALL), native(CUP, BALL, CUP))
    assert asyncio.run(model.chat(GO, tools=[PICK], calls=6)).calls == (CUP, BALL)
    assert asyncio.run(model.chat(GO, tools=[PICK], calls=2)).calls == (CUP, BALL)
    assert [body["parallel_tool_calls"] for body in sent] == [True, True]


def test_an_endpoint_that_knows_no_parallel_calls_is_asked_without() -> None:
    refusal = {"error": {"message": "Unknown parameter", "param": "parallel_tool_calls"}}
    model, sent = endpoint(refusal, native(CUP), native(CUP))
    for _ in range(2):
        assert asyncio.run(model.chat(GO, tools=[PICK], calls=6)).calls == (CUP,)
    assert ["parallel_tool_calls" in body for body in sent] == [True, False, False]


def test_an_endpoint_that_does_not_call_is_asked_for_a_list() -> None:
    model, sent = endpoint({"content": "I would rather not."}, {"content": written(CUP, BALL)})
    assert asyncio.run(model.chat(GO, tools=[PICK], calls=6)).calls == (CUP, BALL)
    assert sent[1]["response_format"]["json_schema"]["schema"]["maxItems"] == 6


def test_an_endpoint_that_has_no_tools_is_asked_for_a_list_from_then_on() -> None:
    refusal = {"error": {"message": "wise does not support tools"}}
    model, sent = endpoint(refusal, {"content": written(CUP)}, {"content": written(BALL)})
    assert [asyncio.run(model.chat(GO, tools=[PICK], calls=6)).calls for _ in range(2)] == [(CUP,), (BALL,)]
    assert ["tools" in body for body in sent] == [True, False, False]


def test_an_endpoint_that_refuses_for_another_reason_is_believed() -> None:
    model, sent = endpoint({"error": {"message": "wise is asleep"}})
    with pytest.raises(ModelError, match="wise is asleep"):
        asyncio.run(model.chat(GO, tools=[PICK], calls=6))
    assert len(sent) == 1


def test_one_call_is_asked_for_as_before() -> None:
    model, sent = endpoint(native(CUP))
    assert asyncio.run(model.chat(GO, tools=[PICK])).calls == (CUP,)
    assert "parallel_tool_calls" not in sent[0]
