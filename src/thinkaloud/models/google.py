"""A model behind an address that speaks Google's `generateContent`, as the Gemini API does.

    THINKALOUD_BASE_URL=https://generativelanguage.googleapis.com/v1beta THINKALOUD_API_KEY=… \\
        thinkaloud run --model google:NAME "…"

A schema is sent as `responseJsonSchema`, a choice of functions as a forced call. The tokens with which a model thinks
before it answers count as written. They use up the most that it may write.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from thinkaloud.errors import ModelRefused
from thinkaloud.models.chat_form import ChatModel, Question, Said, in_turn, tool_of
from thinkaloud.models.constraining import Way
from thinkaloud.models.contract import Call, Usage
from thinkaloud.models.usage import read_count

_MOST_STOPS = 5
"""More stop texts are refused; the answer is cut at all of them anyway."""


class GoogleForm:
    """Google's `generateContent`."""

    kind, maker = "google", "Google"
    ways: tuple[Way, ...] = ("schema", "tool", "eyes")

    def headers(self, key: str) -> Mapping[str, str]:
        """Return the key; in the address it would be logged."""
        return {"x-goog-api-key": key} if key else {}

    def path(self, model: str) -> str:
        """Return where questions to a model go."""
        return f"models/{quote(model.removeprefix('models/'), safe='')}:generateContent"

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """Write a question."""
        system, turns = in_turn(question.turns, "model")
        contents = [{"role": role, "parts": [{"text": text}]} for role, text in turns]
        if question.picture:
            data = {"mimeType": "image/png", "data": base64.b64encode(question.picture).decode()}
            contents[-1]["parts"] = [{"inlineData": data}, *contents[-1]["parts"]]
        config: dict[str, Any] = {"temperature": 0.0, "seed": 0, "maxOutputTokens": question.most}
        if question.stop:
            config["stopSequences"] = list(question.stop[:_MOST_STOPS])
        if question.schema is not None:
            config |= {"responseMimeType": "application/json", "responseJsonSchema": _spelled(question.schema)}
        body: dict[str, Any] = {"contents": contents, "generationConfig": config}
        if system:
            body["systemInstruction"] = {"parts": [{"text": system}]}
        if question.tools:
            tools = [_spelled(tool_of(tool, "parametersJsonSchema")) for tool in question.tools]
            body["tools"] = [{"functionDeclarations": tools}]
            body["toolConfig"] = {"functionCallingConfig": {"mode": "ANY"}}
        return body

    def read(self, answer: Mapping[str, Any], clean: Callable[[str], str]) -> Said:
        """Read an answer; one that a filter withheld is refused."""
        if not answer.get("candidates"):
            why = answer["promptFeedback"]["blockReason"]
            raise ModelRefused(f"Google's filter blocked the prompt ({clean(str(why))[:100]}). Ask in other words.")
        candidate = answer["candidates"][0]
        parts = (candidate.get("content") or {}).get("parts") or []
        ending = str(candidate.get("finishReason", ""))
        if not parts and ending not in ("STOP", "MAX_TOKENS", ""):
            raise ModelRefused(f"Google withheld the answer ({clean(ending)[:100]}). Ask in other words.")
        texts = [str(part["text"]) for part in parts if "text" in part and not part.get("thought")]
        calls = [part["functionCall"] for part in parts if "functionCall" in part]
        return Said(
            clean("".join(texts)),
            tuple(Call(str(call["name"]), _arguments(call.get("args") or {}, clean)) for call in calls),
            _usage(answer.get("usageMetadata") or {}),
            ", because it used up its tokens" if ending == "MAX_TOKENS" else "",
        )


class Google(ChatModel):
    """A model behind an address that speaks Google's `generateContent`."""

    form = GoogleForm()


def _arguments(given: Mapping[str, Any], clean: Callable[[str], str]) -> dict[str, Any]:
    arguments: dict[str, Any] = json.loads(clean(json.dumps(dict(given))))
    return arguments


def _usage(said: Mapping[str, Any]) -> Usage:
    read, cached = read_count(said.get("promptTokenCount")), read_count(said.get("cachedContentTokenCount"))
    written = read_count(said.get("candidatesTokenCount")) + read_count(said.get("thoughtsTokenCount"))
    return Usage(max(0, read - cached), cached, written)


def _spelled(schema: Any) -> Any:
    """A schema in the words that Google knows: a constant is a choice of one."""
    if isinstance(schema, Mapping):
        fixed = "const" in schema and not isinstance(schema["const"], Mapping)  # otherwise it is a property's name
        told = {key: _spelled(value) for key, value in schema.items() if not (fixed and key == "const")}
        return told | ({"enum": [schema["const"]]} if fixed else {})
    return [_spelled(each) for each in schema] if isinstance(schema, list) else schema
