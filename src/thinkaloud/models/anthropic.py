"""A model behind an address that speaks Anthropic's Messages API, its own or a llama.cpp server's.

    THINKALOUD_BASE_URL=https://api.anthropic.com/v1 THINKALOUD_API_KEY=… thinkaloud run --model anthropic:NAME "…"

A schema, and a choice of functions, are asked for as a forced use of a tool. A server that answers that with prose is
asked for JSON from then on. Whatever comes is parsed by the readers that every model's answers go through. Retries,
`Retry-After` and limits are those of `openai_http`.

Not covered: grammars, likelihoods of options (`score`), and answers that arrive word by word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from thinkaloud.clock import Clock
from thinkaloud.errors import ModelError, ModelRefused
from thinkaloud.models.contract import Call, Completion, Listener, Reply, Scores, Turn, Usage
from thinkaloud.models.openai import GO_ON, read_count
from thinkaloud.models.openai_http import UNUSABLE, Endpoint
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.tool_calls import calls_in, function_of, json_of, with_tools

_VERSION = "2023-06-01"
_ANSWER = "answer"
_JSON = "Answer with JSON alone that fits this schema: "


class Anthropic:
    """A model behind an address that speaks Anthropic's Messages API."""

    trained = fluent = judges = False

    def __init__(
        self,
        model: str,
        settings: ModelSettings | None = None,
        clock: Clock | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.name = f"anthropic:{model}"
        self._model = model
        self._endpoint = Endpoint(model, settings or ModelSettings(), clock, transport, _headers, "Anthropic")
        self._uses_tools = True

    async def complete(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Continue a prompt until a stop text or `most` tokens; the grammar is not sent, so the caller checks."""
        marks = [mark for mark in stop if mark.strip()]  # others are refused
        asked = (Turn("system", GO_ON), Turn("user", prompt))
        blocks, usage = await self._ask(asked, most, {"stop_sequences": marks} if marks else {})
        text = _text(blocks)
        for mark in stop:
            text = text.split(mark, 1)[0]
        label = prompt.rpartition("\n")[2]
        text = text.lstrip().removeprefix(label).lstrip() if label.strip() else text
        if not text.strip() and grammar is None:
            raise ModelRefused(f"{self.name} had nothing to add to the prompt. Change the prompt, or the stop texts.")
        _tell(listener, text)
        return Completion(f" {text}" if label.endswith(":") else text, usage)

    async def chat(
        self,
        turns: Sequence[Turn],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        schema: Mapping[str, Any] | None = None,
        calls: int = 1,
        most: int = 512,
        listener: Listener | None = None,
    ) -> Reply:
        """Answer a conversation: with tools, by at least one call; with a schema, by JSON that fits it."""
        if tools:
            return await self._call(turns, tools, calls, most)
        if schema is not None:
            return await self._fill_in(turns, schema, most)
        blocks, usage = await self._ask(turns, most, {})
        if not (text := _text(blocks)).strip():
            raise ModelRefused(f"{self.name} gave an empty answer. Ask again in other words.")
        _tell(listener, text)
        return Reply(text, (), usage)

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """Anthropic's form has no likelihoods."""
        raise ModelError(
            f"{self._endpoint.shown} does not give log-probabilities, so {self.name} cannot score. "
            "Use a preset that does not score, or a local model (gguf:PATH, embedded)."
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()

    async def _call(self, turns: Sequence[Turn], tools: Sequence[Mapping[str, Any]], calls: int, most: int) -> Reply:
        if self._uses_tools:
            blocks, usage = await self._ask(turns, most, _forced([_tool(function_of(tool)) for tool in tools], calls))
            if made := _calls(blocks):
                return Reply("", made[:calls] if calls > 1 else made, usage)
            self._uses_tools = False
        blocks, usage = await self._ask(with_tools(turns, tools, calls), most, {})
        return Reply("", calls_in(_unfenced(_text(blocks)), self.name, most, calls), usage)

    async def _fill_in(self, turns: Sequence[Turn], schema: Mapping[str, Any], most: int) -> Reply:
        if self._uses_tools and schema.get("type") == "object":  # a tool takes nothing else
            tool = {"name": _ANSWER, "description": "The answer.", "input_schema": dict(schema)}
            blocks, usage = await self._ask(turns, most, _forced([tool], 1))
            if made := _calls(blocks):
                return Reply(json.dumps(made[0].arguments, ensure_ascii=False), (), usage)
            self._uses_tools = False
        told = Turn("user", _JSON + json.dumps(dict(schema), ensure_ascii=False))
        blocks, usage = await self._ask((*turns, told), most, {})
        text = _unfenced(_text(blocks))
        json_of(text, self.name, most)
        return Reply(text, (), usage)

    async def _ask(self, turns: Sequence[Turn], most: int, more: Mapping[str, Any]) -> tuple[list[Any], Usage]:
        """The blocks of an answer, with secrets removed, and its cost."""
        body = {"model": self._model, "max_tokens": most, "temperature": 0.0, **_messages(turns), **more}
        start = self._endpoint.clock.now()
        async with self._endpoint.within_time():
            answer = await self._endpoint.post("messages", body)
        try:
            blocks = [_cleaned(block, self._endpoint.secrets.clean_answer) for block in answer["content"]]
            said = answer.get("usage") or {}
            read, cached = read_count(said.get("input_tokens")), read_count(said.get("cache_read_input_tokens"))
            usage = Usage(read, cached, read_count(said.get("output_tokens")), self._endpoint.clock.now() - start)
        except UNUSABLE as error:
            raise ModelRefused(
                f"{self._endpoint.shown} answered in a form that is not Anthropic's. Check base_url."
            ) from error
        return blocks, usage


def _headers(key: str) -> dict[str, str]:
    return {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}


def _messages(turns: Sequence[Turn]) -> dict[str, Any]:
    """The turns: the system's are a parameter, and those of one speaker in a row are one message."""
    system = "\n\n".join(turn.text for turn in turns if turn.role == "system")
    messages: list[dict[str, str]] = []
    for turn in turns:
        if turn.role == "system":
            continue
        role = "assistant" if turn.role == "assistant" else "user"
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += f"\n\n{turn.text}"
        else:
            messages.append({"role": role, "content": turn.text})
    return {"messages": messages, **({"system": system} if system else {})}


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    schema = function.get("parameters") or {"type": "object", "properties": {}}
    return {"name": function["name"], "description": function.get("description", ""), "input_schema": schema}


def _forced(tools: Sequence[Mapping[str, Any]], calls: int) -> dict[str, Any]:
    return {"tools": list(tools), "tool_choice": {"type": "any", "disable_parallel_tool_use": calls == 1}}


def _cleaned(block: Any, clean: Any) -> dict[str, Any]:
    """A block without secrets; what is neither text nor the use of a tool is nothing to us."""
    if block["type"] == "text":
        return {"type": "text", "text": clean(str(block["text"]))}
    if block["type"] == "tool_use":
        return {"type": "tool_use", "name": str(block["name"]), "input": json.loads(clean(json.dumps(block["input"])))}
    return {"type": "other"}


def _text(blocks: Sequence[Mapping[str, Any]]) -> str:
    return "".join(block["text"] for block in blocks if block["type"] == "text")


def _calls(blocks: Sequence[Mapping[str, Any]]) -> tuple[Call, ...]:
    used = [block for block in blocks if block["type"] == "tool_use" and isinstance(block["input"], dict)]
    return tuple(Call(block["name"], block["input"]) for block in used)


def _unfenced(text: str) -> str:
    """JSON without the fence that chat models put round it."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        return text.partition("\n")[2].removesuffix("```").strip()
    return text


def _tell(listener: Listener | None, text: str) -> None:
    if listener is not None:
        listener(text)
