"""`thinkaloud serve`: the API, the page if it is there, and a guard round both, until Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import secrets
import socket
import ssl
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from thinkaloud.episode.interrupts import on_hang_up
from thinkaloud.errors import BadInput
from thinkaloud.untrusted.output import harmless, printable
from thinkaloud.web.access import LARGEST_BODY, SHORTEST_TOKEN, AccessRules, Guard, is_loopback
from thinkaloud.web.hub import ENDING, Hub
from thinkaloud.web.people import People

PORT = 8765
_SILENCE = {"TCP_KEEPIDLE": 4, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 10_000}
"""Seconds until a silent connection is asked whether it is there, and between such questions; how often; and
milliseconds until what was sent has to have arrived."""
_PAGE = "thinkaloud.web.page"


@dataclass(frozen=True)
class Serving:
    """Where and how to serve. Port 0 is any that is free."""

    host: str = "127.0.0.1"
    port: int = PORT
    token: str = field(default="", repr=False)
    names: tuple[str, ...] = ()
    open_browser: bool = False
    certificate: Path | None = None
    key: Path | None = None

    @property
    def scheme(self) -> str:
        """`https`, with a certificate."""
        return "https" if self.certificate else "http"

    def check_certificate(self) -> None:
        """BadInput for files that cannot be used, before anything is opened."""
        if (self.certificate is None) != (self.key is None):
            raise BadInput("TLS needs both files: --certificate and --key.")
        if self.certificate is None or self.key is None:
            return
        for option, path in (("--certificate", self.certificate), ("--key", self.key)):
            if not path.is_file():
                raise BadInput(f"{option} {path} is not a file.")
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.certificate, self.key, lambda: "")
        except (ssl.SSLError, OSError, ValueError) as error:
            why = getattr(error, "reason", None) or error
            raise BadInput(f"{self.certificate} and {self.key} cannot be used for TLS: {why}.") from None

    def guarded(self, people: People | None = None) -> Serving:
        """The same, with a token where one is needed: at an address that others can reach; BadInput for a short one."""
        if people is not None and self.token:
            raise BadInput("--token and --people cannot be used together: everybody in the file has a token.")
        if people is not None:
            return self
        if 0 < len(self.token) < SHORTEST_TOKEN:
            least = f"has to have at least {SHORTEST_TOKEN} characters, so that nobody guesses it"
            raise BadInput(f"--token {least}; leave it out, and a random one is made.")
        if self.token or is_loopback(self.host):
            return self
        return replace(self, token=secrets.token_urlsafe(24))


def build_app(hub: Hub, rules: AccessRules, *, page: bool = True) -> Guard:
    """All that is served, with the page or without."""
    from thinkaloud.web.api import build_api  # FastAPI is only in the extra `web`

    app = build_api(hub)
    if page and find_spec(_PAGE) is not None:
        from importlib import import_module

        import_module(_PAGE).mount(app, hub)
    return Guard(app, rules)


class HubServer(uvicorn.Server):
    """Serves a hub. When it is told to end, all robots hold still at once; then everything is closed."""

    def __init__(
        self,
        hub: Hub,
        app: Guard,
        ready: Callable[[], None] = lambda: None,
        *,
        certificate: Path | None = None,
        key: Path | None = None,
    ) -> None:
        config: Any = uvicorn.Config(
            app,
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="websockets-sansio",
            ws_max_size=LARGEST_BODY,
            timeout_graceful_shutdown=2,
            proxy_headers=False,
            ssl_certfile=certificate,
            ssl_keyfile=key,
        )
        super().__init__(config)
        self._hub, self._ready = hub, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The signals that end the server; a closed terminal is one of them."""
        with super().capture_signals(), on_hang_up(self.handle_exit):
            yield

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
    _notice_silence(bound)
    try:
        bound.bind((host, port))
        bound.listen(128)
    except OSError as error:
        bound.close()
        why = error.strerror or str(error)
        raise BadInput(f"Cannot listen at {host}, port {port}: {why}. Is another one running? Try --port.") from error
    bound.setblocking(False)
    return bound


def _notice_silence(bound: socket.socket) -> None:
    """Have connections end whose other side has vanished without a word, for example with its network."""
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _SILENCE.items():
        if (option := getattr(socket, name, None)) is not None:  # not everywhere
            bound.setsockopt(socket.IPPROTO_TCP, option, value)


def address_of(serving: Serving, bound: socket.socket) -> str:
    """What to open in a browser."""
    host = "127.0.0.1" if serving.host in ("0.0.0.0", "::") else serving.host
    shown = f"[{host}]" if ":" in host else host
    return f"{serving.scheme}://{shown}:{bound.getsockname()[1]}/" + (
        f"?token={serving.token}" if serving.token else ""
    )


class _OneLine(logging.Formatter):
    """Logs for an operator's terminal: addresses and names in them come from anybody, and may hold control codes."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return printable(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        return harmless(super().format(record))


def clean_logs() -> None:
    """Have whatever is logged written to standard error without control codes."""
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def cookie_key(home: Path) -> bytes:
    """This server's own secret, made once: with it, browsers stay admitted after a restart."""
    path = home / "page.key"
    home.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)
        path.write_bytes(secrets.token_bytes(32))
    return path.read_bytes()


def shorten_collections() -> None:
    """Have what is loaded now passed over whenever Python looks for garbage: that would hold up everybody for 0.1 s."""
    gc.collect()
    gc.freeze()


def serve_hub(hub: Hub, serving: Serving, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; then all robots hold still, and everything is closed. `tell` gets the address."""
    people = hub.visitors.people or None
    serving = serving.guarded(people)
    serving.check_certificate()
    with contextlib.closing(bind(serving.host, serving.port)) as bound:
        address = address_of(serving, bound)

        def ready() -> None:
            tell(address)
            if serving.open_browser:
                webbrowser.open(address)

        secret = cookie_key(hub.settings.home) if serving.token or people else b""
        rules = AccessRules.for_host(serving.host, serving.token, serving.names, secret, people)
        server = HubServer(hub, build_app(hub, rules), ready, certificate=serving.certificate, key=serving.key)
        clean_logs()
        shorten_collections()
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(server.serve(sockets=[bound]))
