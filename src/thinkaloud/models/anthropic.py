"""A model behind an address that speaks Anthropic's Messages API, its own or a llama.cpp server's.

    THINKALOUD_BASE_URL=https://api.anthropic.com/v1 THINKALOUD_API_KEY=… thinkaloud run --model anthropic:NAME "…"

A schema, and a choice of functions, are asked for as a forced use of a tool.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

from thinkaloud.models.chat_form import ChatModel, Question, Said, in_turn, tool_of
from thinkaloud.models.constraining import Way
from thinkaloud.models.contract import Call, Usage
from thinkaloud.models.usage import read_count

_VERSION = "2023-06-01"


class AnthropicForm:
    """Anthropic's Messages API."""

    kind, maker = "anthropic", "Anthropic"
    ways: tuple[Way, ...] = ("tool", "eyes")

    def headers(self, key: str) -> Mapping[str, str]:
        """Return the version, and the key."""
        return {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}

    def path(self, model: str) -> str:
        """Return where questions go; the model is in the body."""
        return "messages"

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """Write a question."""
        system, turns = in_turn(question.turns, "assistant")
        messages: list[dict[str, Any]] = [{"role": role, "content": text} for role, text in turns]
        if question.picture:
            data = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(question.picture).decode()}
            text = {"type": "text", "text": messages[-1]["content"]}
            messages[-1]["content"] = [{"type": "image", "source": data}, text]
        body: dict[str, Any] = {"model": model, "max_tokens": question.most, "temperature": 0.0, "messages": messages}
        body |= {"system": system} if system else {}
        body |= {"stop_sequences": list(question.stop)} if question.stop else {}
        if question.tools:
            body["tools"] = [tool_of(tool, "input_schema") for tool in question.tools]
            body["tool_choice"] = {"type": "any", "disable_parallel_tool_use": question.calls == 1}
        return body

    def read(self, answer: Mapping[str, Any], clean: Callable[[str], str]) -> Said:
        """Read an answer."""
        blocks = [_cleaned(block, clean) for block in answer["content"]]
        used = [block for block in blocks if block["type"] == "tool_use" and isinstance(block["input"], dict)]
        said = answer.get("usage") or {}
        read, cached = read_count(said.get("input_tokens")), read_count(said.get("cache_read_input_tokens"))
        return Said(
            "".join(block["text"] for block in blocks if block["type"] == "text"),
            tuple(Call(block["name"], block["input"]) for block in used),
            Usage(read, cached, read_count(said.get("output_tokens"))),
            ", because it used up its tokens" if answer.get("stop_reason") == "max_tokens" else "",
        )


class Anthropic(ChatModel):
    """A model behind an address that speaks Anthropic's Messages API."""

    form = AnthropicForm()


def _cleaned(block: Any, clean: Callable[[str], str]) -> dict[str, Any]:
    """A block without secrets; what is neither text nor the use of a tool is nothing to us."""
    if block["type"] == "text":
        return {"type": "text", "text": clean(str(block["text"]))}
    if block["type"] == "tool_use":
        return {"type": "tool_use", "name": str(block["name"]), "input": json.loads(clean(json.dumps(block["input"])))}
    return {"type": "other"}
