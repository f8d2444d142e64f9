"""Any model behind an OpenAI-compatible address.

    model = OpenAI("qwen2.5-coder", ModelSettings(base_url="http://127.0.0.1:8080/v1"))

Grammars are sent with the request, but only llama.cpp and its relatives support them. Elsewhere the answer is free
text, which the caller has to parse and may refuse. `score` needs a llama.cpp server, or one that echoes
log-probabilities. `complete_weighed` needs one that reports the log-probabilities of its output, as most completion
endpoints do.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from thinkaloud.clock import DatedClock
from thinkaloud.errors import ModelError, ModelMissing, ModelRefused
from thinkaloud.models.chat_form import GO_ON, ChatModel, Question, Said, continuation
from thinkaloud.models.constraining import PROBE_TOKENS, KnownWays, Way, greeting, word_grammar
from thinkaloud.models.contract import JUDGE, Call, Completion, Listener, Scores, Token, Turn, Usage
from thinkaloud.models.openai_http import UNUSABLE, Chunk, Rejected
from thinkaloud.models.scoring import Asked, echoed_score, read_tokens, score_tree
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.tool_calls import json_of
from thinkaloud.models.usage import read_usage
from thinkaloud.models.wire import OURS, tell_read
from thinkaloud.untrusted.secrets import Secrets

_EXPENDABLE = ("grammar", "logprobs", "seed", "temperature", "stream_options", "tool_choice", "parallel_tool_calls")
"""Parameters that some endpoints refuse. A refused one is left out of all later requests."""

_OTHERS = 4
"""How many alternatives to request for each token."""
_LETTERS = 32
"""Letters allowed per requested token (the average is four). A longer answer ignores every limit."""
_SPARE = 1000


@dataclass
class _Heard:
    """An answer in progress, with secrets removed."""

    secrets: Secrets
    listener: Listener | None = None
    most: int = 1
    """Tokens requested."""
    text: str = ""
    calls: dict[int, list[str]] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)
    ending: object = None
    ours: Mapping[str, Any] = field(default_factory=dict)
    """What only a model server of thinkaloud says."""
    tokens: list[Token] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._shown = self.secrets.stream()
        self._size = 0

    def take(self, chunk: Chunk) -> None:
        """Add the content of this chunk."""
        usage = chunk.get("usage")
        self.usage = usage if isinstance(usage, dict) else self.usage
        ours = chunk.get(OURS)
        self.ours = ours if isinstance(ours, dict) else self.ours
        tell_read(chunk)
        for choice in chunk.get("choices") or ():
            news = choice.get("delta") or choice.get("message") or {}
            piece = choice.get("text") or news.get("content") or ""
            self.text += piece
            self.ending = choice.get("finish_reason") or self.ending
            self._count(piece)
            self.tokens += read_tokens(choice.get("logprobs"))
            self._tell(self._shown.feed(piece))
            for at, call in enumerate(news.get("tool_calls") or ()):
                name_and_arguments = self.calls.setdefault(call.get("index", at), ["", ""])
                for place, part in enumerate(("name", "arguments")):
                    name_and_arguments[place] += call["function"].get(part) or ""
                    self._count(call["function"].get(part) or "")

    def end(self) -> None:
        """Finish the answer."""
        self._tell(self._shown.end())
        said, self.text = self.text, self.secrets.clean_answer(self.text)
        self.tokens = self.tokens if self.text == said else []
        self.calls = {at: [self.secrets.clean_answer(part) for part in parts] for at, parts in self.calls.items()}

    def cost(self, seconds: float) -> Usage:
        """Return the cost, as far as the endpoint reports it."""
        return read_usage(self.usage, seconds)

    def _tell(self, piece: str) -> None:
        if piece and self.listener:
            self.listener(piece)

    def _count(self, piece: str) -> None:
        self._size += len(piece)
        if self._size > _LETTERS * self.most + _SPARE:
            raise ModelRefused(f"The model was asked for {self.most} tokens and does not stop. Choose another model.")


class OpenAIForm:
    """OpenAI's chat completions; its completions are asked for in `OpenAI` itself."""

    kind, maker = "openai", "OpenAI"
    ways: tuple[Way, ...] = ("grammar", "schema", "tool", "eyes")

    def headers(self, key: str) -> Mapping[str, str]:
        """Return the key."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def path(self, model: str) -> str:
        """Return where conversations go; the model is in the body."""
        return "chat/completions"

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """Write a question."""
        messages: list[dict[str, Any]] = [_message(turn) for turn in question.turns]
        if question.picture:
            url = f"data:image/png;base64,{base64.b64encode(question.picture).decode()}"
            text = {"type": "text", "text": messages[-1]["content"]}
            messages[-1]["content"] = [{"type": "image_url", "image_url": {"url": url}}, text]
        body: dict[str, Any] = {"messages": messages, "max_tokens": question.most}
        if question.stop:
            body["stop"] = list(question.stop)
        if question.schema is not None:
            schema = {"name": "answer", "schema": dict(question.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        if question.tools:
            body["tools"] = [{"type": "function", "function": dict(tool)} for tool in question.tools]
            body["tool_choice"] = "required"
            body |= {"parallel_tool_calls": True} if question.calls > 1 else {}
        return body

    def read(self, answer: Mapping[str, Any], clean: Callable[[str], str]) -> Said:
        """Answers are streamed: `OpenAI` reads them as they arrive."""
        raise NotImplementedError


class OpenAI(ChatModel):
    """A model behind an OpenAI-compatible address."""

    form = OpenAIForm()

    def __init__(
        self,
        model: str,
        settings: ModelSettings | None = None,
        clock: DatedClock | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        known: KnownWays | None = None,
    ) -> None:
        settings = settings or ModelSettings()
        super().__init__(model, settings, clock, transport, known)
        self.trained, self.fluent = settings.trained, settings.fluent
        self._has_judge = settings.judge
        self._left_out: set[str] = set()
        self._completes = True

    def in_role(self, role: str) -> OpenAI:
        """Return the model for a role; the address may serve a judge of readings beside it, as `NAME:judge`."""
        if role != JUDGE or not self._has_judge or self.judges:
            return self
        judge = copy(self)
        judge.judges, judge._model = True, f"{self._model}:{JUDGE}"
        return judge

    async def complete(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Continue a prompt until a stop text, `most` tokens, or the end of the grammar, if grammars are supported."""
        async with self._endpoint.within_time():
            return await self._complete({"prompt": prompt, "max_tokens": most}, stop, grammar, listener)

    async def complete_weighed(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Continue a prompt and report how likely each token was, if the endpoint can."""
        body = {"prompt": prompt, "max_tokens": most, "logprobs": _OTHERS}
        async with self._endpoint.within_time():
            return await self._complete(body, stop, grammar, listener)

    async def _complete(
        self, body: dict[str, Any], stop: Sequence[str], grammar: str | None, listener: Listener | None
    ) -> Completion:
        prompt = body["prompt"]
        if stop:
            body["stop"] = list(stop)
        if grammar is not None and "grammar" in await self.find_ways():
            body["grammar"] = grammar
        completion = await self._complete_or_chat(prompt, body, listener)
        if not completion.text and grammar is None:
            raise ModelRefused(f"{self.name} had nothing to add to the prompt. Change the prompt, or the stop texts.")
        return completion

    async def _complete_or_chat(self, prompt: str, body: Mapping[str, Any], listener: Listener | None) -> Completion:
        if not self._completes:
            return await self._continue_in_chat(prompt, body, listener)
        try:
            heard, usage = await self._stream("completions", body, listener)
        except (ModelMissing, Rejected) as error:
            return await self._continue_in_chat(prompt, body, listener, error)
        return Completion(self._text_of(heard), usage, tuple(heard.tokens))

    def _text_of(self, heard: _Heard) -> str:
        """The text of a completion."""
        return heard.text

    async def _continue_in_chat(
        self, prompt: str, body: Mapping[str, Any], listener: Listener | None, error: ModelError | None = None
    ) -> Completion:
        """Ask a chat-only model to continue the text. `error` is the reason why it has to be asked this way."""
        turns = (Turn("system", GO_ON), Turn("user", prompt))
        asked = {key: value for key, value in body.items() if key not in ("prompt", "logprobs")}
        messages = [_message(turn) for turn in turns]
        try:
            heard, usage = await self._stream("chat/completions", {"messages": messages, **asked}, listener)
        except (ModelMissing, Rejected):
            raise error or ModelMissing(f"{self.name} supports neither completions nor chat.") from None
        self._completes = False
        return Completion(continuation(heard.text, prompt), usage)

    async def _ask(self, question: Question, listener: Listener | None = None) -> Said:
        body = self.form.body(self._model, question)
        heard, usage = await self._stream(self.form.path(self._model), body, listener)
        cut = ", because it used up its tokens" if heard.ending == "length" else ""
        return Said(heard.text, self._calls(heard, question.most), usage, cut)

    async def _try_grammar(self, word: str) -> bool:
        prompt = greeting()[0].text
        body = {"prompt": prompt, "max_tokens": PROBE_TOKENS, "grammar": word_grammar(word)}
        return (await self._complete_or_chat(prompt, body, None)).text.strip() == word

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """Return the log-likelihood of each option's own tokens after the prompt; no end token is added."""
        start = self._endpoint.clock.now()
        async with self._endpoint.within_time():
            try:
                tokens = [await self._tokens(prompt + option) for option in ("", *options)]
                usage, values = await self._walk(tokens, worth)
            except (ModelMissing, ModelRefused, Rejected, *UNUSABLE):  # not a llama.cpp server
                usage, values = await self._echo(prompt, options)
        seconds = self._endpoint.clock.now() - start
        return Scores(tuple(values), replace(usage, seconds=seconds))

    async def _stream(self, path: str, body: Mapping[str, Any], listener: Listener | None) -> tuple[_Heard, Usage]:
        start = self._endpoint.clock.now()
        full = {"model": self._model, **body, "temperature": 0.0, "seed": 0}
        full |= {"stream": True, "stream_options": {"include_usage": True}}
        while True:
            heard = _Heard(self._endpoint.secrets, listener, int(body.get("max_tokens", 1)))
            try:
                await self._endpoint.stream(path, self._accepted(full), heard.take)
            except Rejected as rejected:
                if not self._learn(rejected, full):
                    raise
            else:
                heard.end()
                return heard, self._endpoint.priced(heard.cost(self._endpoint.clock.now() - start))

    def _accepted(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the body without refused parameters, and with `max_tokens` under its newer name if required."""
        accepted = {key: value for key, value in body.items() if key not in self._left_out}
        if "max_tokens" in body and "max_tokens" in self._left_out:
            accepted["max_completion_tokens"] = body["max_tokens"]
        return accepted

    def _learn(self, rejected: Rejected, body: Mapping[str, Any]) -> bool:
        """Whether the refusal is about a parameter that can be left out."""
        named = [key for key in (*_EXPENDABLE, "max_tokens") if key in (rejected.parameter, *str(rejected).split("'"))]
        news = {key for key in named if key in body} - self._left_out
        self._left_out |= news
        return bool(news)

    def _calls(self, heard: _Heard, most: int) -> tuple[Call, ...]:
        calls = []
        for name, text in heard.calls.values():
            arguments = json_of(text or "{}", self.name, most)
            if not name or not isinstance(arguments, dict):
                raise ModelRefused(f"{self.name} wrote a function call without a name or arguments: {text[:200]}")
            calls.append(Call(name, arguments))
        return tuple(calls)

    async def _tokens(self, text: str) -> list[int]:
        """Return the tokens of a text, using llama.cpp's own route, which is outside the OpenAI interface."""
        tokens = (await self._endpoint.post("/tokenize", {"content": text, "add_special": True}))["tokens"]
        if not isinstance(tokens, list) or not all(isinstance(token, int) for token in tokens):
            raise TypeError("no tokens")
        return tokens

    async def _walk(self, tokens: Sequence[Sequence[int]], worth: Sequence[float]) -> tuple[Usage, list[float]]:
        questions = score_tree(tokens[0], tokens[1:], worth)
        spent = Usage()
        try:
            asked = next(questions)
            while True:
                answer = await self._endpoint.post("completions", self._question(asked))
                spent = _sum(spent, read_usage(answer["usage"]))
                asked = questions.send(answer["choices"][0]["logprobs"]["content"][0])
        except StopIteration as end:
            return spent, end.value

    def _question(self, asked: Asked) -> dict[str, Any]:
        body = {"model": self._model, "prompt": asked.context, "max_tokens": 1, "temperature": 0.0}
        return {**body, "n_probs": asked.likeliest, "logit_bias": [[asked.force, 1e6]]}

    async def _echo(self, prompt: str, options: Sequence[str]) -> tuple[Usage, list[float]]:
        body = {"model": self._model, "prompt": [prompt + option for option in options], "max_tokens": 1}
        try:
            answer = await self._endpoint.post("completions", {**body, "temperature": 0.0, "echo": True, "logprobs": 1})
            choices = sorted(answer["choices"], key=lambda choice: int(choice["index"]))
            values = [echoed_score(c["logprobs"], prompt, o) for c, o in zip(choices, options, strict=True)]
            if not all(map(math.isfinite, values)):
                raise ValueError("no likelihoods")
            usage = read_usage(answer.get("usage") or {})
        except (Rejected, ModelRefused, *UNUSABLE) as error:
            raise ModelError(
                f"{self._endpoint.shown} does not give log-probabilities of a prompt, so {self.name} cannot score. "
                "Use a preset that does not score, a llama.cpp server, or a local model (gguf:PATH, embedded)."
            ) from error
        return usage, values


def _message(turn: Turn) -> dict[str, str]:
    # OpenAI ties a tool's result to the id of a call, which a Turn does not have; a user message works everywhere.
    return {"role": "user" if turn.role == "tool" else turn.role, "content": turn.text}


def _sum(spent: Usage, more: Usage) -> Usage:
    """Add up the usage of scoring: the first call's prompt, then the tokens that each further call adds."""
    cached = spent.cached if spent.generated else more.cached
    return Usage(spent.evaluated + more.evaluated, cached, spent.generated + 1)
