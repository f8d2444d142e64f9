"""Google's form, with replies as its documentation gives them: there is no key here to ask it with."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.errors import ModelError, ModelMissing, ModelRefused, ModelUnreachable
from thinkaloud.models import Call, ModelSettings, Turn, open_model
from thinkaloud.models.google import Google

SECRET = "AIzaVerySecretKey"
PICK = {"type": "function", "function": {"name": "pick", "parameters": {"type": "object", "properties": {}}}}
SCHEMA = {"type": "object", "properties": {"n": {"const": 3}}, "required": ["n"]}
GO = (
    Turn("system", "Be brief."),
    Turn("user", "Hello"),
    Turn("assistant", "Hm."),
    Turn("tool", "3"),
    Turn("user", "?"),
)
SPENT = {"promptTokenCount": 12, "cachedContentTokenCount": 5, "candidatesTokenCount": 3, "thoughtsTokenCount": 20}


class Address:
    """An address that answers in Google's form, and what it was asked."""

    def __init__(self, *answers: Any, retries: int = 3, **settings: Any) -> None:
        self.answers, self.asked = list(answers), list[httpx.Request]()
        self.clock = ManualClock()
        base = "https://generativelanguage.test/v1beta"
        chosen = ModelSettings(base_url=base, api_key=SECRET, retries=retries, **settings)
        self.model = Google("gemini-test", chosen, self.clock, httpx.MockTransport(self._answer))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0)
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)

    def body(self, at: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.asked[at].content)
        return found


def said(*parts: dict[str, Any], ending: str = "STOP") -> dict[str, Any]:
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": ending, "index": 0}
    return {"candidates": [candidate], "usageMetadata": SPENT, "modelVersion": "gemini-test"}


def text(words: str) -> dict[str, Any]:
    return {"text": words}


def called(name: str, **given: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": given}, "thoughtSignature": "c2lnbmF0dXJl"}


def failed(status: int, kind: str, message: str, *details: dict[str, Any]) -> httpx.Response:
    error = {"code": status, "message": message, "status": kind, "details": list(details)}
    return httpx.Response(status, json={"error": error})


def test_a_conversation_has_googles_form_and_the_key_is_not_in_the_address() -> None:
    there = Address(said({"text": "Let me think.", "thought": True}, text("Good.")))
    reply = asyncio.run(there.model.chat(GO, most=9))
    assert reply.text == "Good."
    assert (reply.usage.evaluated, reply.usage.cached, reply.usage.generated) == (7, 5, 23)
    (asked,), body = there.asked, there.body()
    assert str(asked.url).endswith("/v1beta/models/gemini-test:generateContent") and SECRET not in str(asked.url)
    assert asked.headers["x-goog-api-key"] == SECRET
    assert body["systemInstruction"]["parts"] == [{"text": "Be brief."}]
    assert [(turn["role"], turn["parts"]) for turn in body["contents"]] == [
        ("user", [{"text": "Hello"}]),
        ("model", [{"text": "Hm."}]),
        ("user", [{"text": "3\n\n?"}]),
    ]
    assert body["generationConfig"]["maxOutputTokens"] == 9


def test_a_schema_is_sent_in_the_words_that_google_knows() -> None:
    there = Address(said(text('{"n": 3}')))
    assert json.loads(asyncio.run(there.model.chat(GO, schema=SCHEMA)).text) == {"n": 3}
    sent = there.body()["generationConfig"]
    assert sent["responseMimeType"] == "application/json"
    assert sent["responseJsonSchema"]["properties"]["n"] == {"enum": [3]}


def test_a_function_is_called_by_force() -> None:
    there = Address(said(called("pick", thing="cup")))
    assert asyncio.run(there.model.chat(GO, tools=[PICK])).calls == (Call("pick", {"thing": "cup"}),)
    assert there.body()["toolConfig"] == {"functionCallingConfig": {"mode": "ANY"}}
    assert there.body()["tools"][0]["functionDeclarations"][0]["name"] == "pick"


def test_a_constraint_that_is_ignored_gives_way_to_asking_and_the_fault_is_told() -> None:
    there = Address(
        said(text("Three.")), said(text("Three!")), said(text('{"n": 4}')), said(text('```\n{"n": 3}\n```'))
    )
    reply = asyncio.run(there.model.chat(GO, schema=SCHEMA))
    assert json.loads(reply.text.strip("`\n")) == {"n": 3}
    assert reply.usage.generated == 4 * 23  # what did not help was paid for, too
    assert "'n' in the answer has to be 3" in there.body(3)["contents"][-1]["parts"][0]["text"]


@pytest.mark.parametrize(
    "answer, message",
    [
        ({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": SPENT}, "blocked the prompt"),
        ({"candidates": [{"finishReason": "RECITATION", "index": 0}]}, "withheld the answer"),
        ({"candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}]}, "used up its tokens"),
        ({}, "not Google's"),
        ({"candidates": [3]}, "not Google's"),
        ({"candidates": [{"content": {"parts": [{"functionCall": {}}]}}]}, "not Google's"),
        (
            httpx.Response(200, text='{"candidates": [{"content"', headers={"content-type": "application/json"}),
            "no JSON",
        ),
    ],
)
def test_an_answer_that_cannot_be_used_is_refused_in_one_line(answer: Any, message: str) -> None:
    with pytest.raises(ModelRefused, match=message) as error:
        asyncio.run(Address(answer).model.chat(GO))
    assert "\n" not in str(error.value)


def test_a_pause_is_read_from_the_details_of_the_error() -> None:
    retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "31s"}
    there = Address(failed(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", retry), said(text("Here.")))
    assert asyncio.run(there.model.chat(GO)).text == "Here."
    assert there.clock.seconds == 31
    with pytest.raises(ModelUnreachable, match="rate limiting: Quota exceeded"):
        asyncio.run(Address(failed(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", retry), retries=0).model.chat(GO))


def test_a_wrong_key_is_told_without_the_key() -> None:
    reason = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
    wrong = failed(400, "INVALID_ARGUMENT", f"API key not valid: {SECRET}", reason)
    with pytest.raises(ModelMissing, match="refused the key") as error:
        asyncio.run(Address(wrong).model.chat(GO))
    assert SECRET not in str(error.value)


def test_a_secret_in_an_answer_is_removed() -> None:
    there = Address(said(text(f"Your key is {SECRET}.")), said(called("pick", key=SECRET)))
    assert SECRET not in asyncio.run(there.model.chat(GO)).text
    assert SECRET not in str(asyncio.run(there.model.chat(GO, tools=[PICK])).calls)


def test_a_question_about_a_picture_goes_along_with_it() -> None:
    there = Address(said(text("A red mug.")))
    assert asyncio.run(there.model.describe(b"png", "What is there?")).text == "A red mug."
    assert there.body()["contents"][0]["parts"] == [
        {"inlineData": {"mimeType": "image/png", "data": "cG5n"}},
        {"text": "What is there?"},
    ]


def test_prices_turn_tokens_into_money() -> None:
    there = Address(said(text("Good.")), price_read=2.0, price_cached=0.2, price_written=10.0)
    assert asyncio.run(there.model.chat(GO)).usage.money == pytest.approx((7 * 2 + 5 * 0.2 + 23 * 10) / 1e6)


def test_likelihoods_are_not_to_be_had_and_it_is_opened_by_its_name() -> None:
    assert open_model("google:gemini-test").name == "google:gemini-test"
    with pytest.raises(ModelError, match="cannot score"):
        asyncio.run(Address().model.score("a", ["b"]))
