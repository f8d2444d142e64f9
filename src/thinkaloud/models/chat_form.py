"""A model that only holds conversations, whoever's form its address speaks: what Anthropic's and Google's share.

A form says how a question is written and how an answer is read. Everything else is here: which way of constraining an
answer is used, what happens if a server does not keep to it, how a text is continued in a conversation, and the costs.
Retries, `Retry-After` and limits are those of `openai_http`.

Not covered: grammars, likelihoods of options (`score`), and answers that arrive word by word.
"""

from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

import httpx

from thinkaloud.clock import DatedClock
from thinkaloud.errors import ModelError, ModelRefused
from thinkaloud.models.constraining import (
    PROBE_TOKENS,
    KnownWays,
    Way,
    greeting,
    is_word_call,
    is_word_json,
    word_schema,
    word_tool,
)
from thinkaloud.models.contract import Call, Completion, Listener, Reply, Scores, Turn, Usage
from thinkaloud.models.json_schema import find_misfit
from thinkaloud.models.openai_http import UNUSABLE, Endpoint, Rejected
from thinkaloud.models.pictures import COLOURS, SIGHT_QUESTION, names_halves, two_halves
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.tool_calls import calls_in, function_of, json_of, tool_schema, unfenced, with_tools

GO_ON = (
    "You go on with a text exactly where it ends, in the style of its examples. "
    "Answer with the next words alone: no greeting, no explanation, no quotation marks."
)
JSON_ALONE = "Answer with JSON alone that fits this schema: "
AGAIN = "That cannot be used: {why} Answer again, with the JSON alone."
_ANSWER = "answer"
_SIGNS: Mapping[Way, Sequence[str]] = {"tool": ("tool", "function"), "schema": ("schema", "format", "json", "mime")}
"""Words in a refusal that say it is about a way of constraining."""
_ABOUT_ANSWER = {"description": "The answer."}
_MOST_DESCRIBED = 300


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the turns, the most tokens, and how the answer is constrained."""

    turns: Sequence[Turn]
    most: int
    stop: Sequence[str] = ()
    tools: Sequence[Mapping[str, Any]] = ()
    """Functions, one of which has to be called."""
    calls: int = 1
    schema: Mapping[str, Any] | None = None
    picture: bytes = b""
    """A PNG that belongs to the last turn."""


@dataclass(frozen=True, slots=True)
class Said:
    """What came: the text, the calls, the cost, and why it ended early, if it did."""

    text: str
    calls: tuple[Call, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cut: str = ""


class ChatForm(Protocol):
    """How one maker's addresses are asked."""

    kind: str
    """The first part of a model's name: `anthropic`."""
    maker: str
    ways: tuple[Way, ...]
    """The ways of constraining an answer that the form has, the best first."""

    def headers(self, key: str) -> Mapping[str, str]:
        """Return what goes along with every request."""
        ...

    def path(self, model: str) -> str:
        """Return where questions go, after the base URL."""
        ...

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """Write a question."""
        ...

    def read(self, answer: Mapping[str, Any], clean: Callable[[str], str]) -> Said:
        """Read an answer, without secrets; one of `UNUSABLE` is raised if it is in another form."""
        ...


class ChatModel:
    """A model behind an address that holds conversations in some form."""

    form: ClassVar[ChatForm]
    trained = fluent = judges = False

    def __init__(
        self,
        model: str,
        settings: ModelSettings | None = None,
        clock: DatedClock | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        known: KnownWays | None = None,
    ) -> None:
        """With `known`, the address is probed once; without, every way counts as working until one fails."""
        self.name = f"{self.form.kind}:{model}"
        self._model, self._known = model, known
        self._endpoint = Endpoint(
            model, settings or ModelSettings(), clock, transport, self.form.headers, self.form.maker
        )
        self.place = f"{self.form.kind} {self._endpoint.shown} {model}"
        self._works: frozenset[Way] | None = None if known else frozenset(self.form.ways)

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
        marks = tuple(mark for mark in stop if mark.strip())  # others are refused
        async with self._endpoint.within_time():
            said = await self._ask(Question((Turn("system", GO_ON), Turn("user", prompt)), most, marks))
        text = continuation(said.text, prompt)
        for mark in stop:
            text = text.split(mark, 1)[0]
        if not text.strip() and grammar is None:
            raise ModelRefused(
                f"{self.name} had nothing to add to the prompt{said.cut}. Change the prompt, or the stop texts."
            )
        if listener is not None:
            listener(text)
        return Completion(text, said.usage)

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
        async with self._endpoint.within_time():
            if tools:
                return await self._call(turns, tools, calls, most)
            if schema is not None:
                return await self._fill_in(turns, schema, most)
            said = await self._ask(Question(turns, most), listener)
        if not said.text.strip():
            raise ModelRefused(f"{self.name} gave an empty answer{said.cut}. Ask again in other words.")
        return Reply(said.text, (), said.usage)

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """These forms have no likelihoods."""
        raise ModelError(
            f"{self._endpoint.shown} does not give log-probabilities, so {self.name} cannot score. "
            "Use a preset that does not score, or a local model (gguf:PATH, embedded)."
        )

    async def describe(self, picture: bytes, question: str, *, most: int = _MOST_DESCRIBED) -> Reply:
        """Answer a question about a picture (PNG)."""
        async with self._endpoint.within_time():
            if not await self.sees():
                raise ModelError(f"{self.name} does not look at pictures. Choose a model that does.")
            said = await self._ask(Question((Turn("user", question),), most, picture=picture))
        return Reply(said.text.strip(), (), said.usage)

    async def sees(self) -> bool:
        """Whether it looks at pictures."""
        return "eyes" in await self.find_ways()

    async def find_ways(self, *, again: bool = False) -> frozenset[Way]:
        """Return the ways of constraining that work here; the address is probed if that is not known."""
        if self._known is not None and (self._works is None or again):
            self._works = await self._known.find(self, again=again)
        assert self._works is not None
        return self._works

    def probes(self) -> Mapping[Way, Callable[[str], Awaitable[bool]]]:
        """Return what asks under a constraint that allows only a word."""
        every: dict[Way, Callable[[str], Awaitable[bool]]] = {
            "grammar": self._try_grammar,
            "schema": self._try_schema,
            "tool": self._try_tool,
            "eyes": self._try_eyes,
        }
        return {way: every[way] for way in self.form.ways}

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()

    async def _try_grammar(self, word: str) -> bool:
        return False  # no form but OpenAI's has them

    async def _try_schema(self, word: str) -> bool:
        said = await self._ask(Question(greeting(), PROBE_TOKENS, schema=word_schema(word)))
        return is_word_json(said.text, word)

    async def _try_tool(self, word: str) -> bool:
        said = await self._ask(Question(greeting(), PROBE_TOKENS, tools=[word_tool(word)]))
        return is_word_call(said.calls)

    async def _try_eyes(self, word: str) -> bool:
        left, right = random.Random(word).sample([*COLOURS], 2)
        asked = Question((Turn("user", SIGHT_QUESTION),), PROBE_TOKENS, picture=two_halves(left, right))
        return names_halves((await self._ask(asked)).text, left, right)

    async def _call(self, turns: Sequence[Turn], tools: Sequence[Mapping[str, Any]], calls: int, most: int) -> Reply:
        told = with_tools(turns, tools, calls)
        asked: dict[Way, Question] = {
            "tool": Question(turns, most, tools=[function_of(tool) for tool in tools], calls=calls),
            "schema": Question(told, most, schema=tool_schema(tools, calls)),
        }

        def read(said: Said) -> Reply:
            made = said.calls or calls_in(said.text, self.name, most, calls)
            return Reply("", made[:calls], said.usage)

        return await self._constrained(asked, Question(told, most), read)

    async def _fill_in(self, turns: Sequence[Turn], schema: Mapping[str, Any], most: int) -> Reply:
        asked: dict[Way, Question] = {"schema": Question(turns, most, schema=schema)}
        if schema.get("type") == "object":  # a tool takes nothing else
            asked["tool"] = Question(turns, most, tools=[{"name": _ANSWER, "parameters": schema, **_ABOUT_ANSWER}])
        told = Turn("user", JSON_ALONE + json.dumps(dict(schema), ensure_ascii=False))

        def read(said: Said) -> Reply:
            text = json.dumps(said.calls[0].arguments, ensure_ascii=False) if said.calls else unfenced(said.text)
            if misfit := find_misfit(json_of(text, self.name, most), schema):
                raise ModelRefused(f"{self.name} did not keep to the schema: {misfit}.")
            return Reply(text, (), said.usage)

        return await self._constrained(asked, Question((*turns, told), most), read)

    async def _constrained(
        self, asked: Mapping[Way, Question], plain: Question, read: Callable[[Said], Reply]
    ) -> Reply:
        """Ask in the ways that work here, the best first; then without a constraint, and once more with the
        fault. A way that the server did not keep to is not used again."""
        spent, works = Usage(), await self.find_ways()
        for way in (each for each in asked if each in works):
            try:
                said = await self._ask(asked[way])
            except Rejected as error:
                if not any(sign in f"{error} {error.parameter}".lower() for sign in _SIGNS[way]):
                    raise
                self._fails(way)
                continue
            spent = _sum(spent, said.usage)
            try:
                return replace(read(said), usage=spent)
            except ModelRefused:
                if said.cut and said.text.lstrip().startswith(
                    ("{", "[")
                ):  # it may have kept to the constraint, and asking otherwise gives no more room
                    raise
                self._fails(way)
        said = await self._ask(plain)
        spent = _sum(spent, said.usage)
        try:
            return replace(read(said), usage=spent)
        except ModelRefused as error:
            more = (Turn("assistant", said.text or "…"), Turn("user", AGAIN.format(why=error)))
            said = await self._ask(replace(plain, turns=(*plain.turns, *more)))
            return replace(read(said), usage=_sum(spent, said.usage))

    def _fails(self, way: Way) -> None:
        """Do not use a way any more: an answer did not keep to it."""
        assert self._works is not None
        self._works -= {way}

    async def _ask(self, question: Question, listener: Listener | None = None) -> Said:
        """Ask once, and return what was said, without secrets, with its cost."""
        start = self._endpoint.clock.now()
        answer = await self._endpoint.post(self.form.path(self._model), self.form.body(self._model, question))
        try:
            said = self.form.read(answer, self._endpoint.secrets.clean_answer)
        except UNUSABLE as error:
            raise ModelRefused(
                f"{self._endpoint.shown} answered in a form that is not {self.form.maker}'s. Check base_url."
            ) from error
        if listener is not None and said.text:
            listener(said.text)
        usage = replace(said.usage, seconds=self._endpoint.clock.now() - start)
        return replace(said, usage=self._endpoint.priced(usage))


def continuation(text: str, prompt: str) -> str:
    """Return how a prompt goes on, from the answer of a model that was asked for that in a conversation."""
    label = prompt.rpartition("\n")[2]
    text = text.lstrip()
    text = text.removeprefix(label).lstrip() if label.strip() else text
    return f" {text}" if label.endswith(":") else text


def tool_of(function: Mapping[str, Any], parameters: str) -> dict[str, Any]:
    """Describe a function under the names that a form has for it; `parameters` is the name of their schema."""
    schema = function.get("parameters") or {"type": "object", "properties": {}}
    return {"name": function["name"], "description": function.get("description", ""), parameters: schema}


def in_turn(turns: Sequence[Turn], answering: str) -> tuple[str, list[tuple[str, str]]]:
    """Return what the system says, and the other messages: those of one speaker in a row are one."""
    system = "\n\n".join(turn.text for turn in turns if turn.role == "system")
    messages: list[tuple[str, str]] = []
    for turn in turns:
        if turn.role == "system":
            continue
        role = answering if turn.role == "assistant" else "user"
        if messages and messages[-1][0] == role:
            messages[-1] = (role, f"{messages[-1][1]}\n\n{turn.text}")
        else:
            messages.append((role, turn.text))
    return system, messages


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        one.evaluated + other.evaluated,
        one.cached + other.cached,
        one.generated + other.generated,
        one.seconds + other.seconds,
        one.money + other.money,
    )
