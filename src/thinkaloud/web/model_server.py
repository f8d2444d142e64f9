"""`thinkaloud models serve`: one model for many robots, in OpenAI's form, with fair turns.

Any client of that form can ask; a robot with `model_url` gets everything the model can do (`models.served`). A client
that goes away, because its robot was stopped, is forgotten at once, wherever its question is in the queue.

Who may ask is checked by the same guard as for the page: other machines only with a token.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import uvicorn

from thinkaloud.errors import BadInput, ModelError, ModelMissing, ThinkaloudError, describe_fault
from thinkaloud.models import Model, Turn
from thinkaloud.models.contract import Completion, Listener, complete_weighed, following_reading, read_ahead
from thinkaloud.models.fair_turns import FairTurns, TakingTurns
from thinkaloud.models.utf8 import make_writable
from thinkaloud.models.wire import OURS, ROBOT_HEADER, tell_traits, write_error, write_read, write_tokens, write_usage
from thinkaloud.untrusted.files import read_json
from thinkaloud.web.access import AccessRules, Guard
from thinkaloud.web.server import Serving, address_of, bind, clean_logs

_MOST_WAITING = 1000
"""Calls; a longer queue is refused, and the client tries again after a second."""
_MOST_TOKENS = 8192
_JSON = (b"content-type", b"application/json")
_EVENTS = (b"content-type", b"text/event-stream")

Write = Callable[[Mapping[str, Any]], None]
"""Sends one event of an answer."""


class _Full(ModelError):
    """Too many wait."""


@dataclass(frozen=True)
class _Asked:
    """One question: where, by whom, and what."""

    path: str
    robot: str
    body: Mapping[str, Any]
    ours: bool = False
    """Whether a robot of thinkaloud asks."""


class ModelServer:
    """An ASGI application that answers for one model."""

    def __init__(self, model: Model, slots: int) -> None:
        self._model, self.turns = model, FairTurns(slots)
        self.slots = slots
        self._traits: dict[str, dict[str, bool]] = {}
        self._answers: dict[str, Callable[[_Asked, Write], Awaitable[dict[str, Any]]]] = {
            "/v1/completions": self._complete,
            "/v1/chat/completions": self._chat,
            "/v1/score": self._score,
            "/v1/read_ahead": self._read_ahead,
        }

    def get_ready(self) -> None:
        """Load what the model needs in each of its roles."""
        self._traits = tell_traits(self._model)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        path = scope["path"].rstrip("/")
        if scope["method"] == "GET" and path == "/v1/models":
            await _respond(send, 200, self._models())
        elif scope["method"] == "GET" and path == "/v1/queue":
            await _respond(send, 200, self._queue())
        elif scope["method"] == "POST" and path in self._answers:
            await self._answer(path, scope, receive, send)
        else:
            await _respond(send, 404, write_error(ModelMissing(f"There is no {path or '/'} here.")))

    async def _answer(self, path: str, scope: Any, receive: Any, send: Any) -> None:
        """Answer a question, unless whoever asked it goes away first."""
        body = await _body(receive)
        if body is None:
            return
        answering = asyncio.ensure_future(self._answered(path, scope, body, send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answering, leaving):
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await answering

    async def _answered(self, path: str, scope: Any, body: bytes, send: Any) -> None:
        try:
            asked = _Asked(path, _robot(scope), _read(body), _is_ours(scope))
            if self.turns.waiting >= _MOST_WAITING:
                raise _Full(f"{_MOST_WAITING} calls are waiting for the model already")
        except ThinkaloudError as error:
            await _respond(send, 503 if isinstance(error, _Full) else 400, write_error(error), (b"retry-after", b"1"))
            return
        if asked.body.get("stream") is True:
            await self._stream(asked, send)
            return
        try:
            status, answer = 200, await self._answers[path](asked, lambda event: None)
        except Exception as error:
            status, answer = 400, write_error(_typed(error))
        await _respond(send, status, answer)

    async def _stream(self, asked: _Asked, send: Any) -> None:
        """Send the pieces of an answer as the model writes them, and then the rest of it."""
        pieces: asyncio.Queue[Mapping[str, Any] | None] = asyncio.Queue()

        def follow(read: int, total: int) -> None:
            pieces.put_nowait(write_read(read, total))

        async def answer() -> None:
            try:
                with following_reading(follow if asked.ours else None):
                    pieces.put_nowait(await self._answers[asked.path](asked, pieces.put_nowait))
            except Exception as error:
                pieces.put_nowait(write_error(_typed(error)))
            finally:
                pieces.put_nowait(None)

        await send(
            {"type": "http.response.start", "status": 200, "headers": [_EVENTS, (b"cache-control", b"no-store")]}
        )
        answering = asyncio.ensure_future(answer())
        try:
            while (piece := await pieces.get()) is not None:
                await _send_event(send, json.dumps(piece))
            await _send_event(send, "[DONE]")
            await send({"type": "http.response.body", "body": b""})
        finally:
            answering.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await answering

    # what can be asked ------------------------------------------------------------------------------------------------

    def _models(self) -> dict[str, Any]:
        """Tell which model there is, and what it was trained for."""
        one = {"id": self._model.name, "object": "model", "owned_by": OURS, OURS: {"roles": self._traits}}
        return {"object": "list", "data": [one]}

    def _queue(self) -> dict[str, int]:
        """Tell how busy the model is."""
        now = {"running": self.turns.running, "waiting": self.turns.waiting}
        return {"slots": self.slots, "robots": self.turns.robots, **now}

    def _for(self, asked: _Asked) -> Model:
        """Return the model in the role that is asked for, when it is this robot's turn."""
        name, _, role = str(asked.body.get("model", "")).partition("#")
        if name != self._model.name:
            raise ModelMissing(f"There is no model {name[:100]!r} here, but {self._model.name!r}.")
        taking: Any = TakingTurns(self._model, self.turns, asked.robot)
        found: Model = taking.in_role(role) if role in self._traits and role else taking
        return found

    async def _complete(self, asked: _Asked, write: Write) -> dict[str, Any]:
        body, model = asked.body, self._for(asked)
        stop = body.get("stop") or []
        given: dict[str, Any] = {
            "stop": [stop] if isinstance(stop, str) else _texts(stop, "stop"),
            "grammar": _text(body["grammar"], "grammar") if body.get("grammar") is not None else None,
            "most": _tokens(body),
            "listener": _listener(write, told := list[str](), lambda piece: {"text": piece}),
        }
        prompt = _text(body.get("prompt"), "prompt")
        if body.get("logprobs"):
            answer: Completion = await complete_weighed(model, prompt, **given)
        else:
            answer = await model.complete(prompt, **given)
        text = make_writable(answer.text)
        choice: dict[str, Any] = {"index": 0, "text": _untold(body, told, text), "finish_reason": "stop"}
        choice |= {"logprobs": write_tokens(answer.tokens)} if answer.tokens else {}
        return {**self._around("text_completion", answer.usage, choice), OURS: {"text": text}}

    async def _chat(self, asked: _Asked, write: Write) -> dict[str, Any]:
        body, model = asked.body, self._for(asked)
        turns = [_turn(each) for each in _list(body.get("messages"), "messages")]
        tools = [each.get("function", each) for each in _list(body.get("tools") or [], "tools")]
        calls = 6 if body.get("parallel_tool_calls") is True else 1
        told: list[str] = []
        listener = None if tools else _listener(write, told, lambda piece: {"delta": {"content": piece}})
        schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
        given: dict[str, Any] = {"tools": tools, "schema": schema, "calls": calls, "most": _tokens(body, 512)}
        reply = await model.chat(turns, **given, listener=listener)
        message: dict[str, Any] = {"role": "assistant", "content": _untold(body, told, make_writable(reply.text))}
        if reply.calls:
            message["tool_calls"] = [
                {
                    "index": at,
                    "id": f"call_{at}",
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(make_writable(dict(call.arguments)))},
                }
                for at, call in enumerate(reply.calls)
            ]
        key = "delta" if body.get("stream") is True else "message"
        ending = "tool_calls" if reply.calls else "stop"
        return self._around("chat.completion", reply.usage, {"index": 0, key: message, "finish_reason": ending})

    async def _score(self, asked: _Asked, write: Write) -> dict[str, Any]:
        body, model = asked.body, self._for(asked)
        options, prompt = _texts(body.get("options"), "options"), _text(body.get("prompt"), "prompt")
        worth = [float(each) for each in _list(body.get("worth") or [], "worth")]
        scores = await model.score(prompt, options, worth=worth)
        return {"values": list(scores.values), "usage": write_usage(scores.usage)}

    async def _read_ahead(self, asked: _Asked, write: Write) -> dict[str, Any]:
        await read_ahead(self._for(asked), _text(asked.body.get("prompt"), "prompt"))
        return {"object": "read_ahead"}

    def _around(self, kind: str, usage: Any, choice: Mapping[str, Any]) -> dict[str, Any]:
        return {"object": kind, "model": self._model.name, "choices": [choice], "usage": write_usage(usage)}


# Reading and writing --------------------------------------------------------------------------------------------------


def _listener(write: Write, told: list[str], around: Callable[[str], dict[str, Any]]) -> Listener:
    """What sends the pieces of an answer, and notes them."""

    def hear(piece: str) -> None:
        told.append(piece)
        write({"choices": [{"index": 0, **around(make_writable(piece)), "finish_reason": None}]})

    return hear


def _untold(body: Mapping[str, Any], told: list[str], text: str) -> str:
    """What of a text has not been sent in pieces; a model need not tell any."""
    return "" if told and body.get("stream") is True else text


def _typed(error: Exception) -> ThinkaloudError:
    return error if isinstance(error, ThinkaloudError) else ModelError(f"The model failed: {describe_fault(error)}.")


def _robot(scope: Any) -> str:
    """Who asks: the robot's own mark, or else the address."""
    headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
    return str(headers.get(ROBOT_HEADER.encode(), (scope.get("client") or ("",))[0]))[:100]


def _is_ours(scope: Any) -> bool:
    return any(name.lower() == ROBOT_HEADER.encode() for name, _ in scope["headers"])


def _read(body: bytes) -> Mapping[str, Any]:
    try:
        value = read_json(body.decode())
    except ValueError as error:
        raise BadInput(f"The question is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise BadInput("The question has to be a JSON object.")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise BadInput(f"{name} has to be a text.")
    return value


def _texts(value: object, name: str) -> list[str]:
    return [_text(each, name) for each in _list(value, name)]


def _list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadInput(f"{name} has to be a list.")
    return value


def _tokens(body: Mapping[str, Any], usual: int = 256) -> int:
    most = body.get("max_tokens", body.get("max_completion_tokens", usual))
    if not isinstance(most, int) or not 0 < most <= _MOST_TOKENS:
        raise BadInput(f"max_tokens has to be a whole number from 1 to {_MOST_TOKENS}.")
    return most


def _turn(message: Any) -> Turn:
    if not isinstance(message, dict):
        raise BadInput("messages has to be a list of objects.")
    return Turn(_text(message.get("role"), "role"), _text(message.get("content"), "content"))


async def _body(receive: Any) -> bytes | None:
    """The whole body; None if the client left."""
    parts = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts += message.get("body", b"")
        if not message.get("more_body"):
            return bytes(parts)


async def _left(receive: Any) -> None:
    """Wait until the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_event(send: Any, text: str) -> None:
    await send({"type": "http.response.body", "body": f"data: {text}\n\n".encode(), "more_body": True})


async def _respond(send: Any, status: int, answer: Mapping[str, Any], *headers: tuple[bytes, bytes]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [_JSON, *headers]})
    await send({"type": "http.response.body", "body": json.dumps(answer).encode()})


# Running --------------------------------------------------------------------------------------------------------------


class _Uvicorn(uvicorn.Server):
    def __init__(self, app: Any, ready: Callable[[], None]) -> None:
        given: Any = {"log_config": None, "log_level": "warning", "access_log": False, "server_header": False}
        super().__init__(uvicorn.Config(app, **given, timeout_graceful_shutdown=1, proxy_headers=False, lifespan="off"))
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def serve_model(model: Model, slots: int, serving: Serving, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; then the model is closed. `tell` gets the address."""
    serving = serving.guarded()
    app = ModelServer(model, slots)
    app.get_ready()
    with contextlib.closing(bind(serving.host, serving.port)) as bound:
        guard = Guard(app, AccessRules.for_host(serving.host, serving.token, serving.names))
        server = _Uvicorn(guard, lambda: tell(address_of(serving, bound)))
        clean_logs()

        async def run() -> None:
            try:
                await server.serve(sockets=[bound])
            finally:
                await model.close()

        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(run())
