"""A local model in a separate process, so that it never blocks this one.

llama.cpp holds Python's lock while it loads weights and while it frees them. For seconds no other thread of its process
can run. A control loop, or a thread that listens for a stop, must therefore not be in that process. Some C++ faults
also end the whole process; the model is then opened again in a new process.

    model = Apart("embedded", settings)
    answer = await model.complete("Scene: There is a red block.\\nRobot action:", stop=["\\n"])

The two processes exchange pickles over pipes. When the pipe closes, the model's process ends at once, however this
process ended.
"""

from __future__ import annotations

import asyncio
import copy
import itertools
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any

from thinkaloud.errors import (
    BadInput,
    ContextOverflow,
    MissingExtra,
    ModelError,
    ModelMissing,
    ModelRefused,
    ThinkaloudError,
    UnknownName,
    describe_fault,
)
from thinkaloud.models.contract import (
    Completion,
    Listener,
    Model,
    ReadingProgress,
    Reply,
    Scores,
    Turn,
    complete_weighed,
    find_reading_progress,
    following_reading,
    in_role,
    is_fluent,
    is_judge,
    is_trained,
    read_ahead,
)
from thinkaloud.models.settings import ModelSettings

_NOTICE = 0
"""In place of a question's number: a line for people, which may come whenever an adapter is loaded."""
_PATIENCE = 0.1
"""Seconds that the process has to end by itself. It has nothing to save."""
_REFUSALS = {each.__name__: each for each in (BadInput, ContextOverflow, ModelError, ModelMissing, ModelRefused)} | {
    each.__name__: BadInput for each in (UnknownName, MissingExtra)
}
Notice = Callable[[str], None]


class Apart:
    """A model that is opened by name in a separate process."""

    name: str
    trained: bool
    fluent: bool
    judges: bool

    def __init__(self, name: str, settings: ModelSettings | None = None, notice: Notice = lambda text: None) -> None:
        """Load the model; blocks until it is loaded."""
        self._home = _Home(name, settings or ModelSettings(), notice)
        self._role = ""
        self.__dict__.update(self._home.ask("traits", self._role).result())

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
        answer: Completion = await self._ask(
            "complete", prompt, listener=listener, stop=list(stop), grammar=grammar, most=most
        )
        return answer

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
        answer: Completion = await self._ask(
            "complete_weighed", prompt, listener=listener, stop=list(stop), grammar=grammar, most=most
        )
        return answer

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
        reply: Reply = await self._ask(
            "chat", list(turns), listener=listener, tools=list(tools), schema=schema, calls=calls, most=most
        )
        return reply

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        """Return the log-likelihood of each option's own tokens after the prompt."""
        scores: Scores = await self._ask("score", prompt, list(options), worth=list(worth))
        return scores

    async def read_ahead(self, prompt: str) -> None:
        """Evaluate the text that the next prompts begin with."""
        await self._ask("read_ahead", prompt)

    def in_role(self, role: str) -> Apart:
        """Return the model with the adapter for a role; blocks while the adapter loads."""
        other = copy.copy(self)
        other._role = role
        other.__dict__.update(self._home.ask("traits", role).result())
        return other

    async def close(self) -> None:
        """End the process."""
        await asyncio.to_thread(self._home.close)

    async def _ask(self, what: str, *given: Any, listener: Listener | None = None, **named: Any) -> Any:
        loop, progress = asyncio.get_running_loop(), find_reading_progress()

        def hear(piece: str) -> None:
            with suppress(RuntimeError):  # the event loop has ended, so nobody is listening any more
                if listener is not None:
                    loop.call_soon_threadsafe(listener, piece)

        def follow(read: int, total: int) -> None:
            with suppress(RuntimeError):
                if progress is not None:
                    loop.call_soon_threadsafe(progress, read, total)

        if self._home.lost:
            await asyncio.to_thread(self._home.revive)
        asked = self._home.ask(
            what, self._role, *given, hear=hear if listener else None, follow=follow if progress else None, **named
        )
        try:
            return await asyncio.wrap_future(asked)
        finally:
            self._home.forget(asked)


class _Asked(Future[Any]):
    """A question that has not been answered yet."""

    def __init__(self, number: int, hear: Listener | None, follow: ReadingProgress | None) -> None:
        super().__init__()
        self.number, self.hear, self.follow = number, hear, follow


@dataclass(eq=False)
class _Process:
    """A process and its unanswered questions."""

    popen: subprocess.Popen[bytes]
    asked: dict[int, _Asked] = field(default_factory=dict)
    ended: bool = False


class _Home:
    """The process that runs a model; it is replaced after a crash."""

    def __init__(self, name: str, settings: ModelSettings, notice: Notice) -> None:
        self._name, self._settings, self._notice = name, settings, notice
        self._lock, self._reviving = threading.RLock(), threading.Lock()
        self._numbers = itertools.count(1)
        self._closed = False
        self._start()

    @property
    def lost(self) -> bool:
        """Whether the process has crashed."""
        return self._process.ended and not self._closed

    def revive(self) -> None:
        """Start another process, unless another thread already has."""
        with self._reviving:
            if self.lost:
                self._start()

    def _start(self) -> None:
        """Start a process, and wait until the model is loaded."""
        command = [sys.executable, "-P", "-m", __name__]
        here = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "GGML_NO_BACKTRACE": "1"}
        with self._lock:
            popen = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=os.environ | here
            )
            self._process = _Process(popen)
            opened = self.ask("open", self._name, self._settings)
            threading.Thread(target=self._listen, args=(self._process,), name="model", daemon=True).start()
        try:
            opened.result()
        except BaseException:  # for example Ctrl-C
            self.close()
            raise

    def ask(
        self,
        what: str,
        *given: Any,
        hear: Listener | None = None,
        follow: ReadingProgress | None = None,
        **named: Any,
    ) -> _Asked:
        """Ask a question. Pieces that arrive before the answer go to `hear`, and how far the model has read to
        `follow`, both in another thread."""
        with self._lock:
            asked = _Asked(next(self._numbers), hear, follow)
            if self._closed:
                raise ModelError(f"{self._name} was closed. Open it again with open_model.")
            self._process.asked[asked.number] = asked
            self._send((asked.number, what, given, named, hear is not None, follow is not None))
        return asked

    def forget(self, asked: _Asked) -> None:
        """Cancel a question, if it has not been answered yet."""
        with self._lock:
            if self._process.asked.pop(asked.number, None) is not None:
                self._send((asked.number, "cancel", (), {}, False, False))

    def close(self) -> None:
        """End the process; its open questions stay unanswered."""
        with self._lock:
            self._closed, popen = True, self._process.popen
            _hang_up(popen)
        try:
            popen.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            popen.kill()  # the listening thread waits for its end: freeing gigabytes takes a while

    def _send(self, message: Any) -> None:
        to = self._process.popen.stdin
        assert to is not None
        with suppress(OSError, ValueError):  # the process has ended: the listening thread will report it
            pickle.dump(message, to)
            to.flush()

    def _listen(self, process: _Process) -> None:
        """Pass on what the process sends, until it ends."""
        assert process.popen.stdout is not None
        with process.popen.stdout as stream, suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                number, kind, value = pickle.load(stream)
                if number == _NOTICE:
                    self._notice(value)
                    continue
                with self._lock:
                    more = kind in ("piece", "read")
                    asked = process.asked.get(number) if more else process.asked.pop(number, None)
                if asked is not None:
                    _pass_on(asked, kind, value)
        status = process.popen.wait()
        with self._lock:
            process.ended = True
            _hang_up(process.popen)
            left = [*process.asked.values()]
            process.asked.clear()
        why = "was closed" if self._closed else f"ended unexpectedly, with status {status},"
        for asked in left:
            _pass_on(asked, "refused", ("ModelError", f"{self._name} {why} before its answer was complete."))


def _hang_up(popen: subprocess.Popen[bytes]) -> None:
    assert popen.stdin is not None
    with suppress(OSError):  # anything unsent is no longer needed
        popen.stdin.close()


def _pass_on(asked: _Asked, kind: str, value: Any) -> None:
    if kind == "piece":
        assert asked.hear is not None
        asked.hear(value)
    elif kind == "read":
        assert asked.follow is not None
        asked.follow(*value)
    elif asked.set_running_or_notify_cancel():
        if kind == "answer":
            asked.set_result(value)
        else:
            refusal, why = value
            asked.set_exception(_REFUSALS.get(refusal, ModelError)(why))


# in the separate process ----------------------------------------------------------------------------------------------


class _Worker:
    """Opens a model and answers questions with it."""

    def __init__(self, heard: IO[bytes], said: IO[bytes]) -> None:
        self._heard, self._said = heard, said
        self._speaking = threading.Lock()
        self._roles: dict[str, Model] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def work(self) -> None:
        """Work until the parent process is gone."""
        listening = threading.Thread(target=self._listen, args=(asyncio.get_running_loop(),), daemon=True)
        listening.start()
        await asyncio.Event().wait()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while True:
                loop.call_soon_threadsafe(self._take, *pickle.load(self._heard))
        finally:
            os._exit(0)  # exit without cleaning up: there is nothing to save

    def _take(self, number: int, what: str, given: Sequence[Any], named: Mapping[str, Any], *wants: bool) -> None:
        if what != "cancel":
            self._tasks[number] = asyncio.ensure_future(self._answer(number, what, given, named, *wants))
        elif number in self._tasks:
            self._tasks[number].cancel()

    async def _answer(
        self, number: int, what: str, given: Sequence[Any], named: Mapping[str, Any], listens: bool, follows: bool
    ) -> None:
        def hear(piece: str) -> None:
            self._say(number, "piece", piece)

        def follow(read: int, total: int) -> None:
            self._say(number, "read", (read, total))

        try:
            with following_reading(follow if follows else None):
                self._say(number, "answer", await self._do(what, given, named, hear if listens else None))
        except ThinkaloudError as error:
            self._say(number, "refused", (type(error).__name__, str(error)))
        except Exception as error:
            self._say(number, "refused", ("ModelError", describe_fault(error)))
        finally:
            del self._tasks[number]

    async def _do(self, what: str, given: Sequence[Any], named: Mapping[str, Any], hear: Listener | None) -> Any:
        if what == "open":
            from thinkaloud.models.registry import open_model

            name, settings = given
            self._roles[""] = await asyncio.to_thread(open_model, name, settings, partial(self._say, _NOTICE, "piece"))
            return None
        role, *rest = given
        if role not in self._roles:
            self._roles[role] = await asyncio.to_thread(in_role, self._roles[""], role)
        model = self._roles[role]
        if what == "traits":
            traits = {"trained": is_trained(model), "fluent": is_fluent(model), "judges": is_judge(model)}
            return {"name": model.name, **traits}
        verbs: dict[str, Callable[..., Awaitable[Any]]] = {
            "complete": model.complete,
            "complete_weighed": partial(complete_weighed, model),
            "chat": model.chat,
            "score": model.score,
            "read_ahead": partial(read_ahead, model),
        }
        return await verbs[what](*rest, **named, **({"listener": hear} if hear else {}))

    def _say(self, number: int, kind: str, value: Any) -> None:
        with self._speaking, suppress(OSError):  # the parent is gone: this process ends
            pickle.dump((number, kind, value), self._said)
            self._said.flush()


def main() -> None:
    """Run the process: messages arrive on standard input and leave on standard output, which nothing else may use."""
    for name in ("SIGINT", "SIGHUP"):  # Ctrl-C and a closed terminal are for the parent process; Windows has no SIGHUP
        if number := getattr(signal, name, None):
            signal.signal(number, signal.SIG_IGN)
    said = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asyncio.run(_Worker(sys.stdin.buffer, said).work())


if __name__ == "__main__":
    main()
