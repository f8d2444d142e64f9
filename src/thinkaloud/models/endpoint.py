"""The wire to an OpenAI-compatible address: retries, server-sent events, and every failure as a typed error.

Tried again, with growing and jittered pauses or as long as `Retry-After` says: no connection, time-outs before the
first word, 429 and 5xx. Never tried again: an answer that broke off, because what was heard of it cannot be unheard.
The key goes into the request header and nowhere else; if a server echoes it, it is cut out of the message.
"""

from __future__ import annotations

import asyncio
import email.utils
import json
import random
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import httpx

from thinkaloud.clock import Clock, WallClock
from thinkaloud.errors import (
    BadSettings,
    ContextOverflow,
    ModelCut,
    ModelError,
    ModelMissing,
    ModelRefused,
    ModelUnreachable,
)
from thinkaloud.models.settings import ModelSettings
from thinkaloud.models.utf8 import make_writable

_PATIENCE = 120.0
"""Seconds; an endpoint that wants a longer pause than this is as good as down."""

Chunk = dict[str, Any]
_OVERFLOW = ("context_length_exceeded", "exceed_context_size_error", "maximum context length", "context size")


class Rejected(ModelError):
    """The endpoint did not accept the request itself; `parameter` is what it objects to, where it says so."""

    def __init__(self, message: str, parameter: str = "") -> None:
        super().__init__(message)
        self.parameter = parameter


class _Busy(Exception):
    """Not now; `after` is the pause that was asked for."""

    def __init__(self, because: str, after: float | None = None) -> None:
        super().__init__(because)
        self.after = after


class Endpoint:
    """One base URL with one key, asking for one model."""

    def __init__(
        self,
        model: str,
        settings: ModelSettings,
        clock: Clock | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.url = _address(settings.base_url)
        self._key = _key(settings.api_key)
        self.clock = clock or WallClock()
        self.shown = f"{self.url.scheme}://{self.url.netloc.decode()}{self.url.path.rstrip('/')}"
        self._model = model
        self._settings = settings
        self._transport = transport
        self._client: httpx.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def post(self, path: str, body: Mapping[str, Any]) -> Chunk:
        """One question, one answer. A path with a leading slash starts at the host, others at the base URL."""
        chunks: list[Chunk] = []
        await self.stream(path, body, chunks.append)
        return chunks[-1] if chunks else {}

    async def stream(self, path: str, body: Mapping[str, Any], take: Callable[[Chunk], None]) -> None:
        """One question, the answer as it comes."""
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
        """Give back the connections."""
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
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                raise ModelRefused(f"{self.shown} answered in a form that is not OpenAI's. Check base_url.") from error

        url = self.url.copy_with(path=path if path.startswith("/") else f"{self.url.path.rstrip('/')}/{path}")
        try:
            async with self._connection().stream("POST", url, json=make_writable(body)) as response:
                if response.status_code != 200:
                    raise self._problem(response, (await response.aread()).decode(errors="replace"))
                if re.search("json|html", response.headers.get("content-type", "")):
                    hear(self._parse((await response.aread()).decode(errors="replace")))
                else:
                    await self._events(response, hear)
        except (httpx.RequestError, _Busy) as error:
            if heard:  # what a listener has heard cannot be unheard by asking again
                raise ModelCut(f"{self.shown} broke off in the middle of an answer. Ask again.") from error
            if isinstance(error, _Busy):
                raise
            what = "did not answer in time" if isinstance(error, httpx.TimeoutException) else "cannot be reached"
            raise _Busy(what) from error

    async def _events(self, response: httpx.Response, take: Callable[[Chunk], None]) -> None:
        complete = False
        async for line in _lines(response):
            kind, _, data = line.partition(":")
            data = data.strip()
            if kind not in ("data", "error") or not data:
                continue
            if data == "[DONE]":
                return
            chunk = self._parse(data)
            if kind == "error" or "error" in chunk:
                raise self._problem(response, data)
            take(chunk)
            complete = complete or any(choice.get("finish_reason") for choice in chunk.get("choices") or ())
        if not complete:
            raise ModelCut(f"{self.shown} broke off in the middle of an answer. Ask again.")

    def _parse(self, text: str) -> Chunk:
        try:
            chunk = json.loads(text)
        except ValueError:
            chunk = None
        if not isinstance(chunk, dict):
            raise ModelRefused(f"{self.shown} answered with something that is no JSON object. Check base_url.")
        return chunk

    def _problem(self, response: httpx.Response, text: str) -> Exception:
        message, code, parameter = _error_in(text)
        message = message.rstrip(". ")
        if self._key:
            message = message.replace(self._key, "…")
        status = response.status_code
        if any(sign in f"{code} {message}" for sign in _OVERFLOW):
            return ContextOverflow(f"The prompt does not fit: {message}. Shorten the request or the guidelines.")
        if status in (401, 403):
            return ModelMissing(f"{self.shown} refused the key ({status}). Check THINKALOUD_API_KEY.")
        if status == 404 or "model_not_found" in code:
            return ModelMissing(
                f"{self.shown} has no model {self._model!r}, or base_url is not right: {message}. "
                f"Its models are at {self.shown}/models"
            )
        if status == 429 or status >= 500 or status == 200:
            what = "is rate limiting" if status == 429 else f"failed ({status})"
            return _Busy(f"{what}: {message}", _pause(response.headers.get("retry-after")))
        return Rejected(f"{self.shown} did not accept the request ({status}): {message}", parameter)

    def _connection(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:  # a client's connections belong to one event loop
            timeout = httpx.Timeout(self._settings.timeout, connect=min(10.0, self._settings.timeout))
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            away = self.url.host not in ("127.0.0.1", "localhost", "::1")  # a proxy cannot know what is local to us
            self._client = httpx.AsyncClient(
                headers=headers, timeout=timeout, transport=self._transport, trust_env=away
            )
            self._loop = loop
        return self._client


async def _lines(response: httpx.Response) -> AsyncIterator[str]:
    """The lines of a stream. httpx's own also end at characters such as U+2028, which JSON may have inside a text."""
    rest = b""
    async for piece in response.aiter_bytes():
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.decode(errors="replace")
    yield rest.decode(errors="replace")


def _address(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url.strip())
        usable = url.scheme in ("http", "https") and bool(url.host)
    except httpx.InvalidURL:
        usable = False
    if not usable:
        raise BadSettings(f"base_url {base_url!r} is no address; say it like http://127.0.0.1:8080/v1")
    return url.copy_with(path="/v1") if url.path in ("", "/") else url


def _key(api_key: str) -> str:
    key = api_key.strip()  # as it comes out of a file
    if not key.isascii() or not key.isprintable():
        raise BadSettings("The API key has characters that no key has. Check THINKALOUD_API_KEY.")
    return key


def _error_in(text: str) -> tuple[str, str, str]:
    """The message, code and parameter of an error body, as far as it has them."""
    try:
        error = json.loads(text)
        error = error.get("error", error)
    except (ValueError, AttributeError):
        error = text
    if not isinstance(error, dict):
        return str(error).strip()[:300], "", ""
    message = str(error.get("message", error))[:300]
    return message, f"{error.get('code')} {error.get('type')}", str(error.get("param") or "")


def _pause(header: str | None) -> float | None:
    """What `Retry-After` asks for, in seconds; it may be a number or a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        parsed = email.utils.parsedate_tz(header)
        return max(0.0, email.utils.mktime_tz(parsed) - time.time()) if parsed else None
