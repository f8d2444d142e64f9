"""What the tests of the server share: a real server on a port of its own, clients, and robots that are quick."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect

from thinkaloud.models import Model
from thinkaloud.settings import Settings
from thinkaloud.web.access import AccessRules, Guard
from thinkaloud.web.api import build_api
from thinkaloud.web.hub import Hub
from thinkaloud.web.server import HubServer, bind
from walkworld import obliging

ROBOT = "walkworld:Walker"
REQUEST = "Put the ball on the shelf."
_PATIENCE = 20.0


class Stream:
    """A viewer's stream, read message by message."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.events: list[dict[str, Any]] = []
        self.status: dict[str, Any] = {}

    def next(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=_PATIENCE))
        if message["type"] == "event":
            self.events.append(message["event"])
        elif message["type"] == "status":
            self.status = message
        return message

    def until(self, wanted: Callable[[Stream], bool]) -> None:
        """Read on until something is so."""
        while not wanted(self):
            self.next()

    def until_state(self, state: str) -> None:
        """Read on until the session is in a state, and all of its events are here."""
        self.until(lambda s: s.status.get("state") == state and s.complete)

    def until_kind(self, kind: str) -> dict[str, Any]:
        """Read on until there is an event of a kind."""
        self.until(lambda s: any(event["kind"] == kind for event in s.events))
        return next(event for event in reversed(self.events) if event["kind"] == kind)

    @property
    def complete(self) -> bool:
        """Whether all events of the latest status are here."""
        return bool(self.events) and self.events[-1]["index"] + 1 >= self.status.get("events", 0)

    @property
    def kinds(self) -> list[str]:
        """What happened, without what models cost."""
        return [event["kind"] for event in self.events if event["kind"] != "modelcall"]


_HUB = ContextVar[Hub]("the hub of the server that answers")


class _HubThatAnswers:
    """Stands for the hub of whichever server answers, or for a part of it."""

    def __init__(self, *parts: str) -> None:
        self._parts = parts

    def __getattr__(self, name: str) -> Any:
        if _HUB.get(None) is None:  # the API is being made
            return _HubThatAnswers(*self._parts, name)
        return attrgetter(".".join((*self._parts, name)))(_HUB.get())


@cache
def _api() -> FastAPI:
    """The API, made once: to make it takes longer than most tests."""
    return build_api(cast(Hub, _HubThatAnswers()))


def _with_hub(hub: Hub) -> Any:
    api = _api()

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        before = _HUB.set(hub)  # seen in this answer only
        try:
            await api(scope, receive, send)
        finally:
            _HUB.reset(before)

    return answer


class Served:
    """A server in a thread, and a client who watches and holds control."""

    def __init__(self, home: Path, rules: AccessRules, models: dict[str, Model], **more: Any) -> None:
        self.hub = Hub(Settings(home=home, model="obliging"), robots=(ROBOT,), models=models, **more)
        bound = bind("127.0.0.1", 0)
        self.port = bound.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        ready = threading.Event()
        self._server = HubServer(self.hub, Guard(_with_hub(self.hub), rules), ready.set)

        async def live() -> None:
            self.loop = asyncio.get_running_loop()
            await self._server.serve(sockets=[bound])

        self._thread = threading.Thread(target=lambda: asyncio.run(live()))
        self._thread.start()
        assert ready.wait(_PATIENCE)
        self.client = self.viewer("one")

    def viewer(self, secret: str) -> httpx.Client:
        """A client with a secret."""
        who = {"X-Viewer": secret, "X-Name": secret}
        return httpx.Client(base_url=self.url, headers=who, timeout=_PATIENCE, verify=False)  # to read CAs takes 50 ms

    @contextmanager
    def stream(self, id: str, since: int = 0, viewer: str = "one") -> Iterator[Stream]:
        """A stream of a session."""
        address = f"ws://127.0.0.1:{self.port}/api/sessions/{id}/stream?since={since}&viewer={viewer}&name={viewer}"
        with connect(address, proxy=None, max_queue=None) as socket:  # what is not read must not hold up its end
            yield Stream(socket)

    def start(self, **wanted: Any) -> str:
        """Start a session; its id."""
        answer = self.client.post("/api/sessions", json={"speed": 100, "preset": "inner_monologue", **wanted})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id"])

    def post(self, id: str, what: str, viewer: str = "one", **body: Any) -> httpx.Response:
        """Ask for something in a session."""
        with self.viewer(viewer) as client:
            return client.post(f"/api/sessions/{id}/{what}", json=body)

    def get(self, path: str) -> Any:
        """What is at a path."""
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def run(self, request: str = REQUEST, **wanted: Any) -> str:
        """A session in which a request has come to its end; its id."""
        id = self.start(request=request, **wanted)
        with self.stream(id) as stream:
            stream.until(lambda s: s.status.get("state") == "idle" and s.kinds[-1:] == ["end"])
        return id

    def close(self) -> None:
        """End the server."""
        self.client.close()
        self._server.should_exit = True
        self._thread.join(_PATIENCE)
        assert not self._thread.is_alive()


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Starts servers, all with the same home; they are ended with the test."""
    monkeypatch.chdir(tmp_path)
    opened: list[Served] = []

    def start(rules: AccessRules | None = None, **more: Any) -> Served:
        models = more.pop("models", None) or {"obliging": obliging()}
        opened.append(Served(tmp_path / "home", rules or AccessRules(), models, **more))
        return opened[-1]

    yield start
    for each in opened:
        if each._thread.is_alive():
            each.close()


@pytest.fixture
def served(serve: Serve) -> Served:
    """A server."""
    return serve()


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for all tests of a module that leave nothing behind."""
    served = Served(tmp_path_factory.mktemp("quiet") / "home", AccessRules(), {"obliging": obliging()})
    yield served
    served.close()
