"""What goes wrong at an address is one clear line, whichever form the address speaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from email.utils import format_datetime

import httpx
import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.errors import ModelError, ModelMissing, ModelRefused, ModelUnreachable
from thinkaloud.models import ModelSettings, Turn
from thinkaloud.models.anthropic import Anthropic
from thinkaloud.models.chat_form import ChatModel
from thinkaloud.models.google import Google
from thinkaloud.models.openai import OpenAI

SECRET = "sk-very-secret-key"
GO = [Turn("user", "Hello")]
JSON = {"content-type": "application/json"}
ANSWERS = {
    OpenAI: {"choices": [{"message": {"content": "Late."}, "finish_reason": "stop"}]},
    Anthropic: {"content": [{"type": "text", "text": "Late."}]},
    Google: {"candidates": [{"content": {"parts": [{"text": "Late."}]}, "finishReason": "STOP"}]},
}
Form = type[ChatModel]
Handler = Callable[[httpx.Request], httpx.Response]


@pytest.fixture(params=[OpenAI, Anthropic, Google])
def form(request: pytest.FixtureRequest) -> Form:
    found: Form = request.param
    return found


def asked(form: Form, handler: Handler, clock: ManualClock | None = None, retries: int = 0) -> ChatModel:
    settings = ModelSettings(base_url="http://robot.test/v1", api_key=SECRET, retries=retries)
    return form("wise", settings, clock or ManualClock(), httpx.MockTransport(handler))


def unreachable(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("no route to host")


def endless(request: httpx.Request) -> httpx.Response:
    async def megabytes() -> AsyncIterator[bytes]:
        yield b'{"x": "'
        for _ in range(50):
            yield b"x" * 2**20

    return httpx.Response(200, content=megabytes(), headers=JSON)


@pytest.mark.parametrize(
    "handler, kind, message",
    [
        (lambda _: httpx.Response(500, text="boom"), ModelUnreachable, r"failed \(500\): boom\. .*Tried once"),
        (lambda _: httpx.Response(200, text='{"choices": [{"mes', headers=JSON), ModelRefused, "no JSON object"),
        (lambda _: httpx.Response(401, text=f"bad {SECRET}"), ModelMissing, r"refused the key \(401\)"),
        (unreachable, ModelUnreachable, "cannot be reached"),
        (endless, ModelRefused, "more than 16 MiB"),
    ],
)
def test_a_fault_is_one_line_without_the_key(
    form: Form, handler: Handler, kind: type[ModelError], message: str
) -> None:
    with pytest.raises(kind, match=message) as error:
        asyncio.run(asked(form, handler).chat(GO))
    assert "\n" not in str(error.value) and SECRET not in str(error.value)


@pytest.mark.parametrize("dated", [False, True])
def test_a_pause_is_kept_to_in_seconds_and_until_a_date(form: Form, dated: bool) -> None:
    clock = ManualClock(midnight=datetime(2026, 3, 1))
    until = format_datetime(datetime(2026, 3, 1, 0, 0, 42).astimezone())
    answers = [httpx.Response(429, text="slow down", headers={"retry-after": until if dated else "42"})]
    answers += [httpx.Response(200, json=ANSWERS[form])]
    assert asyncio.run(asked(form, lambda _: answers.pop(0), clock, 1).chat(GO)).text == "Late."
    assert clock.seconds == pytest.approx(42, abs=0.01)


def test_an_answer_that_comes_after_the_stop_is_heard_by_nobody(form: Form) -> None:
    async def stop_and_answer() -> list[str]:
        begun, heard = asyncio.Event(), list[str]()
        release = asyncio.Event()

        async def answer(request: httpx.Request) -> httpx.Response:
            begun.set()
            await release.wait()
            return httpx.Response(200, json=ANSWERS[form])

        settings = ModelSettings(base_url="http://robot.test/v1", retries=3)
        model = form("wise", settings, ManualClock(), httpx.MockTransport(answer))
        asking = asyncio.create_task(model.chat(GO, listener=heard.append))
        await begun.wait()
        asking.cancel()
        release.set()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await asyncio.sleep(0)
        return heard

    assert asyncio.run(stop_and_answer()) == []
