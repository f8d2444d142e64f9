from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.errors import (
    BadSettings,
    ContextOverflow,
    ModelCut,
    ModelError,
    ModelMissing,
    ModelRefused,
    ModelUnreachable,
)
from thinkaloud.models import Call, ModelSettings, Turn, open_model
from thinkaloud.models.openai import OpenAI

Handler = Callable[[httpx.Request], httpx.Response]
SECRET = "sk-very-secret"
PICK = {"name": "pick", "parameters": {"type": "object", "properties": {}}}


def endpoint(handler: Handler, clock: ManualClock | None = None, retries: int = 3) -> OpenAI:
    settings = ModelSettings(base_url="http://robot.test", api_key=SECRET, retries=retries)
    return OpenAI("wise", settings, clock or ManualClock(), httpx.MockTransport(handler))


def events(*chunks: Any, done: bool = True) -> httpx.Response:
    lines = [f"data: {chunk if isinstance(chunk, str) else json.dumps(chunk)}\n\n" for chunk in chunks]
    text = "".join([*lines, "data: [DONE]\n\n" if done else ""])
    return httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})


def word(text: str, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "text": text, "finish_reason": finish}]}


def failing(times: int, response: Callable[[], httpx.Response]) -> tuple[Handler, list[httpx.Request]]:
    """Fails so many times, then answers."""
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return response() if len(seen) <= times else events(word("fine"), word("", "stop"))

    return handle, seen


def say(model: OpenAI) -> str:
    return asyncio.run(model.complete("Hello")).text


def test_an_answer_comes_in_pieces_with_its_cost() -> None:
    details = {"cached_tokens": 7}
    usage = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": details}}
    model = endpoint(lambda _: events(word("pick "), word("up"), word("", "stop"), usage))
    heard: list[str] = []
    answer = asyncio.run(model.complete("Hello", listener=heard.append))
    assert (answer.text, "".join(heard), len(heard)) == ("pick up", "pick up", 2)
    assert (answer.usage.evaluated, answer.usage.cached, answer.usage.generated) == (2, 7, 2)


def test_what_is_asked_is_greedy_and_carries_the_key_and_the_grammar() -> None:
    handle, seen = failing(0, lambda: httpx.Response(500))
    asyncio.run(endpoint(handle).complete("Hello", stop=["\n"], grammar='root ::= "fine"', most=7))
    body = json.loads(seen[0].content)
    assert str(seen[0].url) == "http://robot.test/v1/completions"
    assert seen[0].headers["authorization"] == f"Bearer {SECRET}"
    assert (body["model"], body["temperature"], body["max_tokens"], body["stop"]) == ("wise", 0.0, 7, ["\n"])
    assert body["grammar"] == 'root ::= "fine"'


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_endpoint_is_asked_again_with_growing_pauses(status: int) -> None:
    clock = ManualClock()
    handle, seen = failing(2, lambda: httpx.Response(status, json={"error": {"message": "not now"}}))
    assert say(endpoint(handle, clock)) == "fine"
    assert len(seen) == 3
    assert 0.25 + 0.5 <= clock.now() <= 0.5 + 1.0


def test_retry_after_is_respected() -> None:
    clock = ManualClock()
    handle, _ = failing(1, lambda: httpx.Response(429, headers={"retry-after": "17"}))
    assert say(endpoint(handle, clock)) == "fine"
    assert clock.now() == 17


def test_a_pause_of_an_hour_is_not_waited_for() -> None:
    clock = ManualClock()
    handle, seen = failing(9, lambda: httpx.Response(429, headers={"retry-after": "3600"}))
    with pytest.raises(ModelUnreachable, match="rate limiting"):
        say(endpoint(handle, clock))
    assert (clock.now(), len(seen)) == (0, 1)


@pytest.mark.parametrize(("status", "why"), [(429, "rate limiting"), (500, r"failed \(500\)")])
def test_an_endpoint_that_stays_busy_is_given_up(status: int, why: str) -> None:
    handle, seen = failing(9, lambda: httpx.Response(status))
    with pytest.raises(ModelUnreachable, match=f"{why}.*Tried 4 times"):
        say(endpoint(handle))
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("error", "why"), [(httpx.ConnectError, "cannot be reached"), (httpx.ReadTimeout, "did not answer in time")]
)
def test_an_endpoint_that_is_down_is_given_up_after_the_retries(error: type[httpx.TransportError], why: str) -> None:
    def refuse() -> httpx.Response:
        raise error("no")

    handle, seen = failing(9, refuse)
    with pytest.raises(ModelUnreachable, match=f"robot.test/v1 {why}.*base_url"):
        say(endpoint(handle, retries=2))
    assert len(seen) == 3


def test_a_closed_port_is_unreachable() -> None:
    model = OpenAI("wise", ModelSettings(base_url="http://127.0.0.1:9/v1", retries=1), ManualClock())
    with pytest.raises(ModelUnreachable):
        say(model)


def test_a_stream_that_ends_too_early_is_cut() -> None:
    with pytest.raises(ModelCut):
        say(endpoint(lambda _: events(word("pick "), done=False)))


def test_a_connection_that_breaks_in_the_middle_is_cut_and_not_asked_again() -> None:
    asked = 0

    async def breaking() -> AsyncIterator[bytes]:
        yield f"data: {json.dumps(word('pick '))}\n\n".encode()
        raise httpx.ReadError("gone")

    def handle(_: httpx.Request) -> httpx.Response:
        nonlocal asked
        asked += 1
        return httpx.Response(200, content=breaking(), headers={"content-type": "text/event-stream"})

    with pytest.raises(ModelCut):
        say(endpoint(handle))
    assert asked == 1


OVERFLOW = {"error": {"message": "This model's maximum context length is 8 tokens.", "code": "context_length_exceeded"}}
NO_MODEL = {"error": {"message": "The model 'wise' does not exist.", "code": "model_not_found"}}


@pytest.mark.parametrize(
    ("response", "kind", "why"),
    [
        (httpx.Response(404, json=NO_MODEL), ModelMissing, r"no model 'wise'.*/v1/models"),
        (httpx.Response(400, json=NO_MODEL), ModelMissing, "no model 'wise'"),
        (httpx.Response(401, json={"error": {"message": f"bad key {SECRET}"}}), ModelMissing, "THINKALOUD_API_KEY"),
        (httpx.Response(403), ModelMissing, "THINKALOUD_API_KEY"),
        (httpx.Response(400, json=OVERFLOW), ContextOverflow, "maximum context length"),
        (httpx.Response(422, json={"error": {"message": f"odd {SECRET}"}}), ModelError, "odd …"),
        (events(word("", "stop")), ModelRefused, "nothing to add"),
        (events("{half a"), ModelRefused, "no JSON"),
        (httpx.Response(200, text="<html>", headers={"content-type": "application/json"}), ModelRefused, "base_url"),
        (httpx.Response(200, html="<p>A web page</p>"), ModelRefused, "base_url"),
        (events(OVERFLOW), ContextOverflow, "maximum context length"),
    ],
)
def test_each_failure_has_its_type_and_never_shows_the_key(
    response: httpx.Response, kind: type[ModelError], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(kind, match=why) as caught:
        say(endpoint(lambda _: response))
    assert SECRET not in str(caught.value) + repr(caught.value) + caplog.text


def test_what_an_endpoint_does_not_know_is_left_out_from_then_on() -> None:
    bodies: list[dict[str, Any]] = []

    def picky(request: httpx.Request) -> httpx.Response:
        bodies.append(json.loads(request.content))
        for key in ("grammar", "max_tokens"):
            if key in bodies[-1]:
                return httpx.Response(400, json={"error": {"message": f"Unsupported parameter: '{key}'", "param": key}})
        return events(word("fine", "stop"))

    model = endpoint(picky)
    for _ in range(2):
        asyncio.run(model.complete("Hello", grammar='root ::= "fine"', most=7))
    assert len(bodies) == 4
    assert bodies[-1]["max_completion_tokens"] == 7


def test_calls_are_put_together_from_their_pieces() -> None:
    def piece(**function: str) -> dict[str, Any]:
        return {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": function}]}}]}

    end = {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}
    model = endpoint(
        lambda _: events(
            piece(name="pick", arguments=""), piece(arguments='{"thing": '), piece(arguments='"cup"}'), end
        )
    )
    reply = asyncio.run(model.chat([Turn("user", "go")], tools=[PICK]))
    assert reply.calls == (Call("pick", {"thing": "cup"}),)


def test_an_answer_that_came_whole_although_a_stream_was_asked_for_is_taken() -> None:
    whole = {"choices": [{"message": {"content": "fine", "tool_calls": None}, "finish_reason": "stop"}]}
    model = endpoint(lambda _: httpx.Response(200, json=whole))
    assert asyncio.run(model.chat([Turn("user", "go")])).text == "fine"


@pytest.mark.parametrize("arguments", ['{"thing": ', "[1]"])
def test_a_call_that_cannot_be_read_is_refused(arguments: str) -> None:
    call = {"index": 0, "function": {"name": "pick", "arguments": arguments}}
    chunk = {"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    with pytest.raises(ModelRefused):
        asyncio.run(endpoint(lambda _: events(chunk)).chat([Turn("user", "go")], tools=[PICK]))


def test_an_answer_without_a_call_or_outside_the_schema_is_refused() -> None:
    chunk = {"choices": [{"delta": {"content": "I would rather not."}, "finish_reason": "stop"}]}
    model = endpoint(lambda _: events(chunk))
    with pytest.raises(ModelRefused):
        asyncio.run(model.chat([Turn("user", "go")], tools=[PICK]))
    with pytest.raises(ModelRefused):
        asyncio.run(model.chat([Turn("user", "go")], schema={"type": "object"}))


def test_an_endpoint_that_echoes_log_probabilities_can_score() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/tokenize":
            return httpx.Response(404)
        logprobs = [{"text_offset": [0, 2, 4], "token_logprobs": [None, value, -9]} for value in (-1.5, -2.5)]
        choices = [{"index": at, "text": "…", "logprobs": each} for at, each in enumerate(logprobs)]
        return httpx.Response(200, json={"choices": choices})

    assert asyncio.run(endpoint(handle).score("ab", [" c", " d"])).values == (-1.5, -2.5)


def test_an_endpoint_that_cannot_score_says_what_to_use_instead() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/tokenize":
            return httpx.Response(404)
        return httpx.Response(200, json={"choices": [{"index": 0, "text": "!", "logprobs": None}]})

    with pytest.raises(ModelError, match=r"cannot score.*gguf:PATH"):
        asyncio.run(endpoint(handle).score("ab", [" c"]))


def test_a_wrong_key_at_a_real_server_is_named(llama_server: Any) -> None:
    model = open_model("openai:smollm2", ModelSettings(base_url=llama_server.listening_address, api_key="sk-wrong"))
    with pytest.raises(ModelMissing, match="refused the key"):
        asyncio.run(model.complete("Hello"))


def test_a_prompt_too_long_for_a_real_server_overflows(llama_server: Any) -> None:
    model = open_model("openai:smollm2", ModelSettings(base_url=llama_server.listening_address, api_key="sk-test"))
    with pytest.raises(ContextOverflow):
        asyncio.run(model.complete("a " * 3000))


def test_an_error_in_the_middle_of_an_answer_is_not_tried_again() -> None:
    heard: list[str] = []
    handle, seen = failing(9, lambda: events(word("pick "), {"error": {"message": "out of memory"}}))
    with pytest.raises(ModelCut):
        asyncio.run(endpoint(handle).complete("Hello", listener=heard.append))
    assert (heard, len(seen)) == (["pic"], 1), "a k may be the beginning of the key"


def test_an_error_before_the_first_word_is_tried_again() -> None:
    handle, seen = failing(1, lambda: events({"error": {"message": "loading"}}))
    assert say(endpoint(handle)) == "fine"
    assert len(seen) == 2


def test_any_character_may_come_in_any_pieces() -> None:
    text = "Täßchen ☕ 👩‍🚀 one\u2028two\u2029three\x85four"
    data = f"data: {json.dumps(word(text), ensure_ascii=False)}\r\n\r\ndata: {json.dumps(word('', 'stop'))}".encode()

    class Bytewise(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for byte in data:
                yield bytes([byte])

    response = httpx.Response(200, stream=Bytewise(), headers={"content-type": "text/event-stream"})
    assert say(endpoint(lambda _: response)) == text


@pytest.mark.parametrize(
    "chunk",
    [
        {"choices": 5},
        {"choices": ["pick"]},
        {"choices": [{"text": ["pick"]}]},
        {"choices": [{"delta": "pick"}]},
        {"choices": [{"delta": {"tool_calls": [{"index": 0}]}}]},
    ],
)
def test_an_answer_in_another_form_is_refused(chunk: dict[str, Any]) -> None:
    with pytest.raises(ModelRefused, match="not OpenAI's"):
        say(endpoint(lambda _: events(chunk)))


@pytest.mark.parametrize("address", ["", "robot.test/v1", "http://", "http://[::1", "ftp://robot.test", "robot:8080"])
def test_what_is_no_address_is_refused_at_once(address: str) -> None:
    with pytest.raises(BadSettings, match="is not a valid address"):
        OpenAI("wise", ModelSettings(base_url=address))


def test_a_key_from_a_file_is_taken_without_its_line_break_and_a_strange_one_refused() -> None:
    handle, seen = failing(0, lambda: httpx.Response(500))
    settings = ModelSettings(base_url="http://robot.test", api_key=f"{SECRET}\n")
    asyncio.run(OpenAI("wise", settings, ManualClock(), httpx.MockTransport(handle)).complete("Hello"))
    assert seen[0].headers["authorization"] == f"Bearer {SECRET}"
    with pytest.raises(BadSettings, match="THINKALOUD_API_KEY") as caught:
        OpenAI("wise", ModelSettings(api_key="sk-gehe\u00edm"))
    assert "gehe" not in str(caught.value)


def test_text_that_is_no_text_is_sent_as_a_question_mark() -> None:
    handle, seen = failing(0, lambda: httpx.Response(500))
    asyncio.run(endpoint(handle).complete("half \ud800", stop=["\udfff"]))
    assert json.loads(seen[0].content)["prompt"] == "half ?"


def test_scoring_says_what_all_of_it_cost(llama_server: Any) -> None:
    settings = ModelSettings(base_url=f"{llama_server.listening_address}/v1", api_key="sk-test")

    async def score() -> tuple[int, int]:
        model = OpenAI("smollm2", settings)
        usage = (await model.score("The capital of Spain is", [" Madrid", " Rome"])).usage
        await model.close()
        return usage.evaluated + usage.cached, usage.generated

    prompt, generated = asyncio.run(score())
    assert prompt >= 5
    assert generated >= 1


def test_a_model_that_only_chats_is_asked_to_go_on_with_the_text() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        if not request.url.path.endswith("chat/completions"):
            return httpx.Response(404, json={"error": {"message": "This is a chat model.", "code": "not_found"}})
        body = json.loads(request.content)
        assert body["messages"][1]["content"] == "Human: Wave.\nRobot action:"
        assert body["stop"] == ["\n"]
        return httpx.Response(200, json={"choices": [{"message": {"content": "Robot action: Wave."}}]})

    async def twice() -> list[str]:
        model = OpenAI("chatty", ModelSettings(retries=0), transport=httpx.MockTransport(answer))
        said = [await model.complete("Human: Wave.\nRobot action:", stop=["\n"]) for _ in range(2)]
        await model.close()
        return [completion.text for completion in said]

    assert asyncio.run(twice()) == [" Wave.", " Wave."]
    assert [path.rpartition("/v1/")[2] for path in asked] == ["completions", "chat/completions", "chat/completions"]


def test_a_model_that_neither_completes_nor_chats_is_missing() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(404, json={"error": {"message": "No such model.", "code": "model_not_found"}})

    async def ask() -> None:
        await OpenAI("nobody", ModelSettings(retries=0), transport=httpx.MockTransport(answer)).complete("Hello")

    with pytest.raises(ModelMissing, match="nobody"):
        asyncio.run(ask())
