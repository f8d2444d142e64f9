"""`thinkaloud serve`: the API, the page if it is there, and a guard round both, until Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from types import FrameType
from typing import Any

import uvicorn

from thinkaloud.errors import BadInput
from thinkaloud.web.access import LARGEST_BODY, AccessRules, Guard, is_loopback
from thinkaloud.web.api import build_api
from thinkaloud.web.hub import ENDING, Hub

PORT = 8765
_PAGE = "thinkaloud.web.page"


@dataclass(frozen=True)
class Serving:
    """Where and how to serve. Port 0 is any that is free."""

    host: str = "127.0.0.1"
    port: int = PORT
    token: str = field(default="", repr=False)
    names: tuple[str, ...] = ()
    open_browser: bool = False

    def guarded(self) -> Serving:
        """The same, with a token where one is needed: at an address that others can reach."""
        if self.token or is_loopback(self.host):
            return self
        return Serving(self.host, self.port, secrets.token_urlsafe(24), self.names, self.open_browser)


def build_app(hub: Hub, rules: AccessRules, *, page: bool = True) -> Guard:
    """All that is served, with the page or without."""
    app = build_api(hub)
    if page and find_spec(_PAGE) is not None:
        from importlib import import_module

        import_module(_PAGE).mount(app, hub)
    return Guard(app, rules)


class HubServer(uvicorn.Server):
    """Serves a hub. When it is told to end, all robots hold still at once; then everything is closed."""

    def __init__(
        self, hub: Hub, rules: AccessRules, ready: Callable[[], None] = lambda: None, *, page: bool = True
    ) -> None:
        config: Any = uvicorn.Config(
            build_app(hub, rules, page=page),
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="websockets-sansio",
            ws_max_size=LARGEST_BODY,
            timeout_graceful_shutdown=2,
            proxy_headers=False,
        )
        super().__init__(config)
        self._hub, self._ready = hub, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._hub.stop_all(ENDING)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.stop_all(ENDING)
        await super().shutdown(sockets)
        await self._hub.shut_down()


def bind(host: str, port: int) -> socket.socket:
    """A socket at an address; BadInput, in one line, where it is taken or is none of ours."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        bound = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise BadInput(f"--host {host} is no address of this machine: {error.strerror or error}.") from error
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(128)
    except OSError as error:
        bound.close()
        why = error.strerror or str(error)
        raise BadInput(f"Cannot listen at {host}, port {port}: {why}. Is another one running? Try --port.") from error
    bound.setblocking(False)
    return bound


def address_of(serving: Serving, bound: socket.socket) -> str:
    """What to open in a browser."""
    host = "127.0.0.1" if serving.host in ("0.0.0.0", "::") else serving.host
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{bound.getsockname()[1]}/" + (f"?token={serving.token}" if serving.token else "")


def shorten_collections() -> None:
    """Have what is loaded now passed over whenever Python looks for garbage: that would hold up everybody for 0.1 s."""
    gc.collect()
    gc.freeze()


def serve_hub(hub: Hub, serving: Serving, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; then all robots hold still, and everything is closed. `tell` gets the address."""
    serving = serving.guarded()
    with contextlib.closing(bind(serving.host, serving.port)) as bound:
        address = address_of(serving, bound)

        def ready() -> None:
            tell(address)
            if serving.open_browser:
                webbrowser.open(address)

        server = HubServer(hub, AccessRules.for_host(serving.host, serving.token, serving.names), ready)
        shorten_collections()
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(server.serve(sockets=[bound]))
