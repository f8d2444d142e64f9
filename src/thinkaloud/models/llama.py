"""Local models: llama.cpp inside this process.

llama.cpp blocks, so every call runs in a thread and the event loop stays free: a person can speak while the model
thinks. Cancelling the task stops generation at the next token (or prompt evaluation at the next batch) and leaves the
cache usable. Decoding is greedy and seeded. Not covered: images.
"""

from __future__ import annotations

import asyncio
import copy
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from thinkaloud.errors import ContextOverflow, ModelError, ModelRefused
from thinkaloud.models.connections import local_client
from thinkaloud.models.contract import (
    Completion,
    Listener,
    ReadingProgress,
    Reply,
    Scores,
    Turn,
    Usage,
    find_reading_progress,
)
from thinkaloud.models.forced_answers import Borders, Guided, careful
from thinkaloud.models.gbnf import read_grammar
from thinkaloud.models.gbnf_rules import BadGrammar
from thinkaloud.models.llama_server import start_server
from thinkaloud.models.load_check import require_loadable
from thinkaloud.models.scoring import Asked, read_token, score_tree
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.slot_choice import Slot, Slots, shared_letters
from thinkaloud.models.slot_states import SlotStates, act_over_http, identify, open_reading_cache
from thinkaloud.models.tool_calls import calls_in, json_of, tool_schema, with_tools
from thinkaloud.models.utf8 import make_writable
from thinkaloud.records import writable

_GREEDY = {"temperature": 0.0, "seed": 0, "cache_prompt": True, "stream": True, "return_progress": True}
_OTHERS = 4
"""Alternatives to report for each token, when a caller asks for likelihoods."""
_WORTH_LOOKING = 2000
"""Letters, about 500 tokens, that a slot lacks of a prompt before kept states are looked through."""
_WORTH_SAVING = 50
"""Tokens that have to be read before the state after them is worth megabytes of disk."""

_T = TypeVar("_T")


class _Cancelled(Exception):
    """Nobody is waiting for this answer any more."""


@dataclass
class _Heard:
    """What one call of llama.cpp has returned so far."""

    wanted: Callable[[], bool]
    listener: Listener
    enough: Callable[[str], bool] = lambda piece: False
    """Receives each piece; returns True if the rest need not be generated."""
    pieces: list[str] = field(default_factory=list)
    odds: list[Mapping[str, Any]] = field(default_factory=list)
    """What llama.cpp reports about the tokens, if it was asked to."""
    complete: bool = True
    read: Mapping[str, Any] = field(default_factory=dict)
    last: Mapping[str, Any] = field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    tell: ReadingProgress = lambda read, total: None

    def __call__(self, chunk: Mapping[str, Any]) -> bool:
        """Take a chunk; return True to make llama.cpp stop."""
        if "error" in chunk:
            self.error = chunk["error"]
        elif chunk.get("choices"):
            choice = chunk["choices"][0]
            self.odds += (choice.get("logprobs") or {}).get("content") or ()
            piece = choice["text"] if "text" in choice else choice.get("delta", {}).get("content")
            if piece:
                self.pieces.append(piece)
                self.listener(piece)
                if self.enough(piece):
                    self.complete = False
        if "prompt_progress" in chunk:
            self.read = chunk["prompt_progress"]
            self.tell(int(self.read.get("processed", 0)), int(self.read.get("total", 0)))
        self.last = chunk
        return not self.complete or not self.wanted()

    @property
    def text(self) -> str:
        """All text received."""
        return "".join(self.pieces)

    def usage(self) -> Usage:
        """Return the cost of the call; a cancelled call has no timings, so its tokens are counted."""
        timings = self.last.get("timings")
        if timings:
            return Usage(int(timings["prompt_n"]), int(timings["cache_n"]), int(timings["predicted_n"]))
        cached, total = int(self.read.get("cache", 0)), int(self.read.get("total", 0))
        return Usage(total - cached, cached, len(self.pieces))


@dataclass
class Exchange:
    """One question in a slot; it may take several calls of llama.cpp."""

    prompt: str
    body: Mapping[str, Any]
    slot: Slot
    wanted: Callable[[], bool]
    hear: Listener
    tell: ReadingProgress = lambda read, total: None
    spent: Usage = field(default_factory=Usage)
    odds: list[Mapping[str, Any]] = field(default_factory=list)

    def add(self, more: Usage) -> None:
        """Count a call; `cached` stays what it was before the first call.

        For later calls, count as evaluated only tokens that were neither read nor generated before. What the cache
        holds of them depends on how far llama.cpp had got when it was stopped, and a record must be the same in every
        run.
        """
        before, read = self.spent, more.evaluated + more.cached
        if before == Usage():
            self.spent = more
        else:
            known = before.evaluated + before.cached + before.generated
            self.spent = Usage(
                before.evaluated + max(0, read - known), before.cached, before.generated + more.generated
            )


class Llama:
    """A loaded GGUF file with adapters. The first adapter is active unless `with_adapter` selects another."""

    def __init__(
        self,
        name: str,
        path: Path,
        settings: ModelSettings | None = None,
        adapters: Sequence[Path] = (),
        *,
        trained: bool | None = None,
        fluent: bool | None = None,
        judges: bool = False,
        borders: Borders = careful,
    ) -> None:
        settings = settings or ModelSettings()
        self._borders = borders
        self.name, self.trained = name, settings.trained if trained is None else trained
        self.fluent = settings.fluent if fluent is None else fluent
        self.judges = judges
        self._key = secrets.token_hex(16)  # llama.cpp always listens on a loopback port; the key keeps others out
        require_loadable(path, *adapters)
        cache = open_reading_cache(settings.reading_cache)
        folder = None if cache is None else cache.folder
        self._server: Any = start_server(path, settings, adapters, self._key, folder)
        self._states: SlotStates | None = None
        if cache is not None:
            act = act_over_http(self._server.listening_address, self._key)
            self._states = SlotStates(cache, identify(path, adapters, settings), act)
        self._weighed = _only(0, len(adapters))
        self._slots = Slots(settings.slots)
        self._threads = ThreadPoolExecutor(settings.slots, thread_name_prefix="llama")
        self._closing = threading.Event()

    def with_adapter(self, number: int, *, trained: bool, fluent: bool, judges: bool = False) -> Llama:
        """Return the same weights, in the same memory, with another adapter active."""
        other = copy.copy(self)
        other._weighed = _only(number, len(self._weighed))
        other.trained, other.fluent, other.judges = trained, fluent, judges
        return other

    @property
    def address(self) -> str:
        """Where llama.cpp itself listens: a port on this machine only, protected by the key."""
        return str(self._live().listening_address)

    async def complete(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Continue a prompt, until a stop text, the end of the grammar or `most` generated tokens."""
        return await self._continue(prompt, {"n_predict": most, "stop": list(stop)}, grammar, listener)

    async def complete_weighed(
        self,
        prompt: str,
        *,
        stop: Sequence[str] = (),
        grammar: str | None = None,
        most: int = 256,
        listener: Listener | None = None,
    ) -> Completion:
        """Continue a prompt and report how likely each chosen token was."""
        body = {"n_predict": most, "stop": list(stop), "n_probs": _OTHERS}
        return await self._continue(prompt, body, grammar, listener)

    async def read_ahead(self, prompt: str) -> None:
        """Evaluate the text that the next prompts begin with, or restore it if an earlier process has."""
        body = make_writable({"prompt": prompt, "n_predict": 1})
        tell = _in_this_loop(find_reading_progress())

        def work(wanted: Callable[[], bool]) -> None:
            with self._slots.hold(prompt, wanted) as slot:
                if self._restore(slot, prompt):
                    return
                reading = Exchange(prompt, body, slot, wanted, _ignore, tell)
                self._call(self._server.handle_completions, reading, body)
                if self._states is not None and reading.spent.evaluated >= _WORTH_SAVING:
                    self._states.save(slot, prompt, str(self._weighed))

        await self._in_thread(work)

    def _lacks_much(self, slot: Slot, prompt: str) -> bool:
        """Whether a slot has so little of a long prompt that looking on disk is worth it: other slots may have it all,
        when several robots of one kind ask at once."""
        return len(prompt) - 2 * shared_letters(slot.text, prompt) > _WORTH_LOOKING

    def _restore(self, slot: Slot, prompt: str) -> bool:
        """Restore what an earlier process has read of a prompt; return whether that is all of it."""
        if self._states is None:
            return False

        def ask_one_token() -> None:
            only = {"prompt": " ", "n_predict": 1, "stream": False, "return_progress": False}
            self._server.handle_completions({**_GREEDY, **only, "lora": self._weighed, "id_slot": slot.number})

        return self._states.restore(slot, prompt, str(self._weighed), ask_one_token)

    async def _continue(
        self, prompt: str, body: dict[str, Any], grammar: str | None, listener: Listener | None
    ) -> Completion:
        odds: list[Mapping[str, Any]] = []
        if grammar is not None:
            body["grammar"] = grammar

        def ask(exchange: Exchange) -> str:
            text = self._completion(exchange)
            odds.extend(exchange.odds)
            return text

        text, usage = await self._answer(ask, prompt, body, listener)
        if not text and grammar is None:
            raise ModelRefused(f"{self.name} had nothing to add to the prompt. Change the prompt, or the stop texts.")
        return Completion(text, usage, tuple(map(read_token, odds)))

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
        """Answer a conversation: with tools, by one to `calls` calls; with a schema, by JSON that fits it."""
        if tools:
            turns, schema = with_tools(turns, tools, calls), tool_schema(tools, calls)
        messages = [{"role": turn.role, "content": turn.text} for turn in turns]
        body: dict[str, Any] = {"messages": messages, "n_predict": most}
        if schema is not None:
            body["json_schema"] = schema
        prompt = "\n".join(f"{turn['role']}: {turn['content']}" for turn in messages)
        text, usage = await self._answer(self._reply, prompt, body, listener)
        if not text.strip():
            raise ModelRefused(f"{self.name} gave an empty answer. Ask again in other words.")
        if schema is not None:
            json_of(text, self.name, most)
        return Reply("", calls_in(text, self.name, most, calls), usage) if tools else Reply(text, (), usage)

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """Return the log-likelihood of each option's own tokens after the prompt; no end token is added."""
        texts = [writable(text) for text in (prompt, *(prompt + option for option in options))]

        def work(wanted: Callable[[], bool]) -> Scores:
            start = time.monotonic()
            questions = score_tree(*self._tokens_of(texts), worth)
            spent = Usage()
            with self._slots.hold(prompt, wanted) as slot:
                slot.text = prompt
                try:
                    asked = next(questions)
                    while wanted():
                        answer = self._look_up(asked, slot.number)
                        spent = _add(spent, answer["timings"])
                        asked = questions.send(answer["choices"][0]["logprobs"]["content"][0])
                except StopIteration as end:
                    return Scores(tuple(end.value), replace(spent, seconds=time.monotonic() - start))
            raise _Cancelled

        return await self._in_thread(work)

    async def close(self) -> None:
        """Cancel running calls and free the memory."""
        self._closing.set()
        await asyncio.to_thread(self._threads.shutdown)
        self._server = None

    async def _answer(
        self, ask: Callable[[Exchange], str], prompt: str, body: Mapping[str, Any], listener: Listener | None
    ) -> tuple[str, Usage]:
        listens, tell = _in_this_loop(listener), _in_this_loop(find_reading_progress())

        def hear(piece: str) -> None:
            if piece:
                listens(piece)

        def work(wanted: Callable[[], bool]) -> tuple[str, Usage]:
            start = time.monotonic()
            with self._slots.hold(prompt, wanted) as slot:
                if self._lacks_much(slot, prompt):
                    self._restore(slot, prompt)
                exchange = Exchange(make_writable(prompt), make_writable(body), slot, wanted, hear, tell)
                text = ask(exchange)
            return text, replace(exchange.spent, seconds=time.monotonic() - start)

        return await self._in_thread(work)

    def _reply(self, exchange: Exchange) -> str:
        heard = self._call(self._server.handle_chat_completions, exchange, exchange.body)
        exchange.slot.text = exchange.prompt + heard.text
        return heard.text

    def _completion(self, exchange: Exchange) -> str:
        """Generate what the grammar leaves open, piece by piece, and insert what it forces."""
        guided = self._guided(exchange.body)
        while True:
            exchange.hear(guided.go_on())
            left = exchange.body["n_predict"] - exchange.spent.generated
            if guided.ended or left <= 0:
                return guided.said
            said = guided.said
            body = {**exchange.body, "prompt": exchange.prompt + said, "n_predict": left}
            if said and (rest := guided.grammar()) is not None:
                body["grammar"] = rest
            heard = self._call(self._server.handle_completions, exchange, body, guided.hear)
            exchange.slot.text = exchange.prompt + said + heard.text
            guided.check()
            if heard.complete:
                return guided.said

    def _guided(self, body: Mapping[str, Any]) -> Guided:
        state = None
        if "grammar" in body:
            with suppress(BadGrammar):  # llama.cpp may support it, or will report the error
                state = read_grammar(body["grammar"]).start
        return Guided(state, body["stop"], self._borders)

    def _call(
        self,
        handle: Callable[..., Any],
        exchange: Exchange,
        body: Mapping[str, Any],
        enough: Callable[[str], bool] = lambda piece: False,
    ) -> _Heard:
        heard = _Heard(exchange.wanted, exchange.hear, enough, tell=exchange.tell)
        exchange.slot.text = body.get("prompt", exchange.prompt)
        handle({**_GREEDY, **body, "lora": self._weighed, "id_slot": exchange.slot.number}, heard)
        if not exchange.wanted():
            raise _Cancelled
        self._refuse(heard.error)
        exchange.add(heard.usage())
        exchange.odds += heard.odds
        return heard

    async def _in_thread(self, work: Callable[[Callable[[], bool]], _T]) -> _T:
        self._live()
        gone = threading.Event()

        def wanted() -> bool:
            return not gone.is_set() and not self._closing.is_set()

        def work_if_wanted() -> _T:
            if not wanted():  # cancelled while waiting for a thread
                raise _Cancelled
            return work(wanted)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work_if_wanted)
        except _Cancelled:
            raise ModelError(f"{self.name} was closed before its answer was complete.") from None
        finally:
            gone.set()

    def _live(self) -> Any:
        if self._closing.is_set():
            raise ModelError(f"{self.name} was closed. Open it again with open_model.")
        return self._server

    def _look_up(self, asked: Asked, slot: int) -> Mapping[str, Any]:
        body = {**_GREEDY, "stream": False, "return_progress": False, "lora": self._weighed, "id_slot": slot}
        question = {"prompt": asked.context, "n_predict": 1, "n_probs": asked.likeliest}
        question["logit_bias"] = [[asked.force, 1e6]]
        # llama.cpp returns the likelihoods before the bias.
        answer: Mapping[str, Any] = self._server.handle_completions({**body, **question})
        self._refuse(answer.get("error"))
        return answer

    def _tokens_of(self, texts: Sequence[str]) -> tuple[list[int], list[list[int]]]:
        """Return the tokens of the first text, and of the others; xllamacpp offers its tokeniser only over HTTP."""
        with local_client(self._server.listening_address, self._key) as client:
            answers = [client.post("/tokenize", json={"content": text, "add_special": True}) for text in texts]
        first, *others = [answer.raise_for_status().json()["tokens"] for answer in answers]
        return first, others

    def _refuse(self, error: Mapping[str, Any] | None) -> None:
        if error is None:
            return
        message = str(error.get("message", error))
        if error.get("type") == "exceed_context_size_error":
            raise ContextOverflow(
                f"The prompt has {error.get('n_prompt_tokens')} tokens and {self.name} takes {error.get('n_ctx')}. "
                "Shorten the request or the guidelines, or set a larger context."
            )
        raise ModelError(f"{self.name} could not answer: {message}.")


def _in_this_loop(listener: Callable[..., None] | None) -> Callable[..., None]:
    """Return what calls a listener in the running event loop, from any thread; nothing, if nobody listens."""
    loop = asyncio.get_running_loop()

    def call(*told: Any) -> None:
        with suppress(RuntimeError):  # the event loop has ended, so nobody is listening any more
            if listener is not None:
                loop.call_soon_threadsafe(listener, *told)

    return call


def _ignore(piece: str) -> None:
    """Nobody listens."""


def _add(spent: Usage, timings: Mapping[str, Any]) -> Usage:
    """Count one more scored token; `cached` stays what it was at the first."""
    cached = spent.cached if spent.generated else timings["cache_n"]
    return Usage(spent.evaluated + timings["prompt_n"], cached, spent.generated + 1)


def _only(number: int, count: int) -> list[dict[str, float]]:
    """Return llama.cpp's setting for a question: one active adapter, all others off."""
    return [{"id": each, "scale": float(each == number)} for each in range(count)]
