"""Who may talk to the server: checked before anything else sees a request.

- The `Host` has to be this machine's: a page that rebinds its own name to 127.0.0.1 is turned away.
- The `Origin`, where there is one, has to be this very server: no other page can post, or open a stream.
- A token, where there are any, has to come along: as `Authorization: Bearer …`, or once as `?token=…`, which is then
  taken out of the address. The browser keeps a cookie instead, which nobody can make without this server's key. It says
  who somebody is (`people.py`); what they may do is the hub's business. Whoever is taken off the list is turned away at
  once, also in the middle of a stream.
- Whoever sends wrong tokens is turned away for a while, by address. A cookie is let through all the same: a page that
  was let in can stop its robot, whoever else guesses from the same address.
- Bodies are limited.

Not covered: who holds control of a session, which is the hub's business.
"""

from __future__ import annotations

import base64
import hmac
import ipaddress
import json
import secrets
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from thinkaloud.web.people import People, Person, hash_token

LARGEST_BODY = 1_000_000
PERSON = "thinkaloud.person"
"""Where in the scope of a request it says who has come; None where nobody is asked."""
SHORTEST_TOKEN = 16
"""Characters; shorter ones can be guessed."""
MOST_GUESSES, GUESSING_SECONDS = 10, 60.0
"""Wrong tokens from one address in so many seconds, before it has to wait."""
_MOST_ADDRESSES = 10_000
_COOKIE = "thinkaloud_token"
OWNER = "owner"
"""Whoever has the one token of a server that knows nobody by name."""
_NO_TOKEN = "This server needs a token: open its address with ?token=… at the end. Whoever runs it has yours."
_UNKNOWN = "This token is not known here. It may have a typing error, or it was replaced: ask whoever runs this server."
_SAFE = ("GET", "HEAD", "OPTIONS")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


@dataclass(frozen=True)
class AccessRules:
    """What is asked of whoever comes: to be one of these people, if there are any; and where from, by which names."""

    people: People = field(default_factory=People)
    anywhere: bool = False
    names: frozenset[str] = frozenset({"localhost"})
    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    """Makes cookies of tokens; with the same key, they are good after a restart, too."""

    def cookie(self, person: Person) -> str:
        """What a browser keeps once somebody has come with their token; another token makes it worthless."""
        name = base64.urlsafe_b64encode(person.name.encode()).decode().rstrip("=")
        signed = f"{person.name}\0{person.hash}".encode()
        return f"{name}.{hmac.new(self.key, signed, 'sha256').hexdigest()}"

    def with_cookie(self, cookie: str) -> Person | None:
        """Whose cookie this is, if they are let in today."""
        name, _, _ = cookie.partition(".")
        try:
            person = self.people.find(base64.urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode())
        except ValueError:
            return None
        return person if person is not None and _same(cookie, self.cookie(person)) else None

    @classmethod
    def for_host(
        cls, host: str, token: str = "", names: Iterable[str] = (), key: bytes = b"", people: People | None = None
    ) -> AccessRules:
        """The rules for a server that listens at an address. Whoever has `token` may do everything."""
        if people is None:
            people = People([Person(OWNER, "administer", hash_token(token))] if token else [])
        here = not is_loopback(host)
        known = {"localhost", *(name.lower() for name in names)}
        own = {host.lower(), socket.gethostname().lower()} if here else set()
        return cls(people, here, frozenset(known | own), key or secrets.token_bytes(32))

    def admits(self, host: str) -> bool:
        """Whether a request for this host is one for us: an address (nobody rebinds those), or a name of ours."""
        name = urlsplit(f"//{host}").hostname or ""
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self.names
        return self.anywhere or address.is_loopback


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class WrongTokens:
    """Counts wrong tokens by the address that they come from."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._at: dict[str, deque[float]] = {}

    def count(self, address: str) -> None:
        """A wrong token came."""
        self._at.setdefault(address, deque(maxlen=MOST_GUESSES)).append(self._now())
        if len(self._at) > _MOST_ADDRESSES:
            del self._at[next(iter(self._at))]

    def waits(self, address: str) -> bool:
        """Whether too many came from there lately."""
        times = self._at.get(address)
        return times is not None and len(times) == MOST_GUESSES and self._now() - times[0] < GUESSING_SECONDS


class _TooLarge(Exception):
    """More came than may."""


class Guard:
    """An ASGI application round another one."""

    def __init__(self, app: Any, rules: AccessRules) -> None:
        self._app, self._rules, self._wrong = app, rules, WrongTokens()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let a request through, or answer it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._refuse(scope)
        if refused is not None:
            await _answer(scope, receive, send, *refused)
            return
        person: Person | None = scope[PERSON]
        if scope["type"] == "websocket":
            await self._app(scope, receive, send if person is None else self._while_known(person, send))
        elif person is not None and (target := self._without_token(scope)) is not None:
            secure = "; Secure" if scope.get("scheme") == "https" else ""
            cookie = f"{_COOKIE}={self._rules.cookie(person)}; HttpOnly; SameSite=Strict; Path=/{secure}"
            await _respond(send, 303, b"", (b"location", target.encode()), (b"set-cookie", cookie.encode()))
        else:
            await self._limited(scope, receive, send)

    def _refuse(self, scope: Any) -> tuple[int, str] | None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get(b"host", ""), headers.get(b"origin")
        if not _readable(host) or not self._rules.admits(host):
            return 403, f"This server does not answer to {host[:100]!r}; use its address."
        if origin is not None and (not _readable(origin) or urlsplit(origin).netloc.lower() != host.lower()):
            return 403, f"Other pages ({origin[:100]}) may not talk to this server."
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if origin is None and changes and headers.get(b"sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "Other pages may not talk to this server."
        scope[PERSON] = None
        if self._rules.people and (refused := self._recognise(scope, headers)) is not None:
            return refused
        length = headers.get(b"content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            return 413, f"That is too large: at most {LARGEST_BODY} bytes can be sent."
        return None

    def _recognise(self, scope: Any, headers: dict[bytes, str]) -> tuple[int, str] | None:
        """Note who has come, by a token or else by a cookie; or say why nobody is let in."""
        people, address = self._rules.people, (scope.get("client") or ("",))[0]
        tokens, waits, over = _tokens(scope, headers), self._wrong.waits(address), ""
        for person in [] if waits else [people.with_token(token) for token in tokens]:
            if person is not None and not people.is_over(person):
                scope[PERSON] = person
                return None
            if person is None:
                self._wrong.count(address)
            else:
                over = f"The token of {person.name} was good until {person.until}. Ask whoever runs this for a new one."
        if known := [person for cookie in _cookies(headers) if (person := self._rules.with_cookie(cookie)) is not None]:
            scope[PERSON] = known[0]
            return None
        if waits:
            return 429, f"Too many wrong tokens came from your address. Try again in {GUESSING_SECONDS:.0f} s."
        return 401, over or (_UNKNOWN if tokens else _NO_TOKEN)

    def _while_known(self, person: Person, send: Any) -> Any:
        """Send to somebody for as long as they are on the list, with the token that they had."""

        async def sending(message: Any) -> None:
            now = self._rules.people.find(person.name)
            if now is None or now.hash != person.hash:
                await send({"type": "websocket.close", "code": 1008, "reason": "You are not on the list any more."})
                raise OSError("taken off the list of people")
            await send(message)

        return sending

    def _without_token(self, scope: Any) -> str | None:
        """Where to send somebody who came with the token in the address of a page."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] != "GET" or "token" not in dict(query):
            return None
        rest = urlencode([(key, value) for key, value in query if key != "token"])
        path = "/" + quote(scope["path"].lstrip("/"))
        return path + (f"?{rest}" if rest else "")

    async def _limited(self, scope: Any, receive: Any, send: Any) -> None:
        came, begun = 0, False

        async def counted() -> Any:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > LARGEST_BODY:
                raise _TooLarge
            return message

        async def marked(message: Any) -> None:
            nonlocal begun
            if came > LARGEST_BODY and not begun:
                return  # what it makes of half a body is of no interest
            if message["type"] == "http.response.start":
                begun = True
                given = {name.lower() for name, _ in message["headers"]}
                added = [pair for pair in _HEADERS if pair[0] not in given]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        with suppress(_TooLarge):
            await self._app(scope, counted, marked)
        if came > LARGEST_BODY and not begun:
            await _respond(send, 413, _error(f"That is too large: at most {LARGEST_BODY} bytes can be sent."))


def _readable(address: str) -> bool:
    try:
        urlsplit(f"//{address}" if "//" not in address else address).port  # noqa: B018  raises where it is no number
    except ValueError:
        return False
    return bool(address)


def _same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _tokens(scope: Any, headers: dict[bytes, str]) -> list[str]:
    """All that may be a token."""
    found = [value for key, value in parse_qsl(scope["query_string"].decode("latin-1")) if key == "token"]
    kind, _, value = headers.get(b"authorization", "").partition(" ")
    if kind.lower() == "bearer":
        found.append(value.strip())
    return found


def _cookies(headers: dict[bytes, str]) -> list[str]:
    """What the browser has kept for us."""
    pairs = (part.strip().partition("=") for part in headers.get(b"cookie", "").split(";"))
    return [value for name, _, value in pairs if name == _COOKIE]


def _error(text: str) -> bytes:
    return json.dumps({"error": text}).encode()


async def _answer(scope: Any, receive: Any, send: Any, status: int, text: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": text[:100]})
        return
    await _respond(send, status, _error(text))


async def _respond(send: Any, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    kind = (b"content-type", b"application/json")
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [kind, length, *_HEADERS, *headers]})
    await send({"type": "http.response.body", "body": body})
