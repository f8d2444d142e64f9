"""HTTP to a model's address: retries, server-sent events, and every failure as a typed error.

Retried, with growing and jittered pauses or after the `Retry-After` time: failed connections, time-outs before the
first word, 429 and 5xx. Never retried: an answer that broke off, because a listener has already received part of it.
The key goes into the request header and nowhere else; if a server echoes it, it is removed (`redaction`).

An answer has limits: a time for the whole model call, including retries, pauses and further questions (`within_time`),
and a number of bytes. Compressed answers are refused, because their unpacked size is unknown.
"""

from __future__ import annotations

import asyncio
import email.utils
import math
import random
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import httpx

from thinkaloud.clock import DatedClock, WallClock
from thinkaloud.errors import (
    BadSettings,
    ContextOverflow,
    ModelCut,
    ModelError,
    ModelMissing,
    ModelRefused,
    ModelUnreachable,
)
from thinkaloud.models.connections import authorities
from thinkaloud.models.contract import Usage
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.usage import Prices
from thinkaloud.models.utf8 import make_writable
from thinkaloud.models.wire import read_error
from thinkaloud.untrusted.files import read_json
from thinkaloud.untrusted.secrets import Secrets, hide_credentials

_PATIENCE = 120.0
"""Seconds; an endpoint that asks for a longer pause than this is treated as unavailable."""

_LARGEST_ANSWER = 16 * 2**20
"""Bytes; a thousand tokens, each with its likelihood and alternatives, take about one million."""
_LARGEST_ERROR = 64 * 2**10
"""Bytes read of an error body; the message is at the beginning."""
_SHOWN = 300
"""Letters shown of a message."""

Chunk = dict[str, Any]
UNUSABLE = (AttributeError, LookupError, TypeError, ValueError, ArithmeticError, RecursionError)
"""Errors that a malformed answer causes."""
_OVERFLOW = ("context_length_exceeded", "exceed_context_size_error", "maximum context length", "context size")


class Rejected(ModelError):
    """The endpoint did not accept the request; `parameter` is what it objects to, if it says so."""

    def __init__(self, message: str, parameter: str = "") -> None:
        super().__init__(message)
        self.parameter = parameter


class _Busy(Exception):
    """The endpoint cannot answer now; `after` is the pause it asks for."""

    def __init__(self, because: str, after: float | None = None) -> None:
        super().__init__(because)
        self.after = after


class Endpoint:
    """One base URL with one key, asking for one model."""

    def __init__(
        self,
        model: str,
        settings: ModelSettings,
        clock: DatedClock | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        headers: Callable[[str], Mapping[str, str]] = lambda key: {"Authorization": f"Bearer {key}"} if key else {},
        form: str = "OpenAI",
    ) -> None:
        """`headers`: what goes along with every request, given the key; `form`: whose form of answers it is."""
        self._headers, self.form = headers, form
        url = _address(settings.base_url)
        self._login = (url.username, url.password) if url.userinfo else None
        self.url = url.copy_with(username=None, password=None)  # the address is logged
        self._key = _key(settings.api_key)
        self.secrets = Secrets((self._key, url.password, url.userinfo.decode(), *url.params.values()))
        self.extra_headers: dict[str, str] = {}
        """What goes along with every request beside the form's own headers."""
        self.clock = clock or WallClock()
        self.shown = f"{self.url.scheme}://{self.url.netloc.decode()}{self.url.path.rstrip('/')}"
        self._model = model
        self._settings = settings
        self._prices = Prices(settings.price_read, settings.price_cached, settings.price_written)
        self._transport = transport
        self._client: httpx.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @asynccontextmanager
    async def within_time(self) -> AsyncIterator[None]:
        """Limit the time of everything in this block; an endpoint may be slow, but not for ever."""
        most = self._settings.answer_time()
        try:
            async with asyncio.timeout(most):
                yield
        except TimeoutError as error:
            took = f"took more than {most:g} s for an answer"
            raise ModelUnreachable(f"{self.shown} {took}. Choose a faster model, or raise answer_timeout.") from error

    def priced(self, usage: Usage) -> Usage:
        """Return a cost with its money, by the prices in the settings."""
        return self._prices.priced(usage)

    async def post(self, path: str, body: Mapping[str, Any]) -> Chunk:
        """Send one question and return one answer. A path with a leading slash starts at the host, others at the base
        URL."""
        chunks: list[Chunk] = []
        await self.stream(path, body, chunks.append)
        return chunks[-1] if chunks else {}

    async def stream(self, path: str, body: Mapping[str, Any], take: Callable[[Chunk], None]) -> None:
        """Send one question and pass on the answer as it arrives."""
        for attempt in range(self._settings.retries + 1):
            try:
                await self._once(path, body, take)
                break
            except _Busy as busy:
                pause = busy.after if busy.after is not None else random.uniform(0.5, 1.0) * 2**attempt / 2
                if attempt == self._settings.retries or pause > _PATIENCE:
                    tried = "once" if attempt == 0 else f"{attempt + 1} times"
                    advice = f"Is it running? Set base_url to another address, or wait. (Tried {tried}.)"
                    raise ModelUnreachable(f"{self.shown} {busy}. {advice}") from busy.__cause__
                await self.clock.sleep(pause)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None and self._loop is asyncio.get_running_loop():
            await self._client.aclose()
        self._client = None

    async def _once(self, path: str, body: Mapping[str, Any], take: Callable[[Chunk], None]) -> None:
        heard = False

        def hear(chunk: Chunk) -> None:
            nonlocal heard
            heard = True
            try:
                take(chunk)
            except UNUSABLE as error:
                raise ModelRefused(
                    f"{self.shown} answered in a form that is not {self.form}'s. Check base_url."
                ) from error

        url = self.url.copy_with(path=path if path.startswith("/") else f"{self.url.path.rstrip('/')}/{path}")
        try:
            async with self._connection().stream("POST", url, json=make_writable(body)) as response:
                if response.status_code != 200:
                    raise self._problem(response, await _beginning(response))
                if _is_packed(response):
                    raise ModelRefused(f"{self.shown} compressed an answer, and was asked not to. Check base_url.")
                if re.search("json|html", response.headers.get("content-type", "")):
                    hear(self._parse(b"".join([piece async for piece in self._pieces(response)])))
                else:
                    await self._events(response, hear)
        except (httpx.RequestError, httpx.InvalidURL, OSError, UnicodeError, OverflowError, _Busy) as error:
            if heard:  # a listener has already received part of it, so asking again would repeat it
                raise ModelCut(f"{self.shown} broke off in the middle of an answer. Ask again.") from error
            if isinstance(error, _Busy):
                raise
            what = "did not answer in time" if isinstance(error, httpx.TimeoutException) else "cannot be reached"
            raise _Busy(what) from error

    async def _events(self, response: httpx.Response, take: Callable[[Chunk], None]) -> None:
        complete = False
        async for line in _lines(self._pieces(response)):
            kind, _, data = line.partition(b":")
            data = data.strip()
            if kind not in (b"data", b"error") or not data:
                continue
            if data == b"[DONE]":
                return
            chunk = self._parse(data)
            if kind == b"error" or "error" in chunk:
                raise self._problem(response, data.decode(errors="replace"))
            take(chunk)
            complete = complete or any(choice.get("finish_reason") for choice in chunk.get("choices") or ())
        if not complete:
            raise ModelCut(f"{self.shown} broke off in the middle of an answer. Ask again.")

    async def _pieces(self, response: httpx.Response) -> AsyncIterator[bytes]:
        size = 0
        async for piece in response.aiter_bytes():
            size += len(piece)
            if size > _LARGEST_ANSWER:
                raise ModelRefused(f"{self.shown} answered with more than {_LARGEST_ANSWER >> 20} MiB. Check base_url.")
            yield piece

    def _parse(self, data: bytes) -> Chunk:
        try:
            chunk = read_json(data.decode(errors="replace"))
        except ValueError:
            chunk = None
        if not isinstance(chunk, dict):
            raise ModelRefused(f"{self.shown} answered with something that is no JSON object. Check base_url.")
        return chunk

    def _problem(self, response: httpx.Response, text: str) -> Exception:
        message, code, parameter = _error_in(text)
        message = " ".join(self.secrets.clean(message).split())  # before shortening, or part of a secret could stay
        message = (message if len(message) <= _SHOWN else f"{message[:_SHOWN]}…").rstrip(". ")
        status = response.status_code
        if (ours := read_error(message, code)) is not None:
            return ours
        if any(sign in f"{code} {message}" for sign in _OVERFLOW):
            return ContextOverflow(f"The prompt does not fit: {message}. Shorten the request or the guidelines.")
        if status in (401, 403) or "API_KEY_INVALID" in text:  # Google says the latter, with status 400
            return ModelMissing(f"{self.shown} refused the key ({status}). Check THINKALOUD_API_KEY.")
        if status == 404 or "model_not_found" in code:
            return ModelMissing(
                f"{self.shown} has no model {self._model!r}, or base_url is wrong: {message}. "
                f"Its models are at {self.shown}/models"
            )
        lacks = "not supported" in message.lower()  # llama.cpp's server says so with status 500 of pictures
        if status == 429 or (status >= 500 and not lacks) or status == 200:
            what = "is rate limiting" if status == 429 else f"failed ({status})"
            header = response.headers.get("retry-after")
            after = _pause(header, self.clock.date()) if header else _delay_in(text)
            return _Busy(f"{what}: {message}", after)
        return Rejected(f"{self.shown} did not accept the request ({status}): {message}", parameter)

    def _connection(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:  # a client's connections belong to one event loop
            timeout = httpx.Timeout(self._settings.timeout, connect=min(10.0, self._settings.timeout))
            headers = {"Accept-Encoding": "identity", **self._headers(self._key), **self.extra_headers}
            away = self.url.host not in ("127.0.0.1", "localhost", "::1")  # a proxy cannot know our local addresses
            self._client = httpx.AsyncClient(
                headers=headers,
                timeout=timeout,
                transport=self._transport,
                trust_env=away,
                auth=self._login,
                verify=authorities(trust_env=away) if away or self.url.scheme == "https" else False,
            )
            self._loop = loop
        return self._client


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the lines of a stream. httpx also splits at characters such as U+2028, which JSON allows inside a text."""
    rest = bytearray()
    async for piece in pieces:
        rest += piece
        if b"\n" in piece:
            *whole, last = bytes(rest).split(b"\n")
            rest = bytearray(last)
            for line in whole:
                yield line
    yield bytes(rest)


def _is_packed(response: httpx.Response) -> bool:
    return response.headers.get("content-encoding", "").strip().lower() not in ("", "identity")


async def _beginning(response: httpx.Response) -> str:
    """Return the beginning of an error body, or nothing if it is compressed."""
    found = b""
    if not _is_packed(response):
        async for piece in response.aiter_bytes():
            found += piece
            if len(found) >= _LARGEST_ERROR:
                break
    return found[:_LARGEST_ERROR].decode(errors="replace")


def _address(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url.strip())
        usable = url.scheme in ("http", "https") and bool(url.host) and (url.port is None or 0 < url.port < 2**16)
    except (httpx.InvalidURL, ValueError):
        usable = False
    if not usable:
        shown = hide_credentials(base_url)[:_SHOWN]
        raise BadSettings(f"base_url {shown!r} is not a valid address; write it like http://127.0.0.1:8080/v1")
    return url.copy_with(path="/v1") if url.path in ("", "/") else url


def _key(api_key: str) -> str:
    key = api_key.strip()  # a key from a file may end with a newline
    if not key.isascii() or not key.isprintable():
        raise BadSettings("The API key contains characters that are not allowed in a key. Check THINKALOUD_API_KEY.")
    return key


def _error_in(text: str) -> tuple[str, str, str]:
    """Return the message, code and parameter of an error body, as far as it has them."""
    try:
        error = read_json(text)
        error = error.get("error", error)
    except (ValueError, AttributeError):
        error = text
    if not isinstance(error, dict):
        return str(error), "", ""
    return str(error.get("message", error)), f"{error.get('code')} {error.get('type')}", str(error.get("param") or "")


def _pause(header: str, now: datetime) -> float | None:
    """Return the pause in seconds that `Retry-After` asks for; the header may be a number or a date."""
    try:
        seconds = float(header)
    except ValueError:
        seconds = math.nan
    if math.isfinite(seconds):
        return max(0.0, seconds)
    try:
        parsed = email.utils.parsedate_tz(header)
        return max(0.0, email.utils.mktime_tz(parsed) - now.timestamp()) if parsed else None
    except (ValueError, OverflowError):  # a date that does not exist
        return None


def _delay_in(text: str) -> float | None:
    """Return the pause that Google's errors ask for in their details: `"retryDelay": "31s"`."""
    found = re.search(r'"retryDelay":\s*"(\d{1,6}(?:\.\d{1,9})?)s"', text)
    return float(found[1]) if found else None
