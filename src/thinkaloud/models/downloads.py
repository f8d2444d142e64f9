"""One file over HTTP, block by block: what has come stays, and what is missing is asked for with a Range.

A connection that breaks off is taken up again where it ended, a few times in a row; a server that knows no ranges
begins anew. Whether the bytes are the right ones is for others to say.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import BinaryIO

import httpx

from thinkaloud.errors import ModelMissing, ModelUnreachable
from thinkaloud.untrusted.secrets import hide_credentials

_BLOCK = 2**20
_AT_FIRST, _TRIES = 2, 4
"""How often it is tried without a byte coming: at first, and once some have come."""
_LONGEST_PAGE = 16 * 2**20
_HOPELESS = (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.TooManyRedirects, UnicodeError, OverflowError)
"""What will be no better the next time."""
_BUSY = (408, 425, 429, 500, 502, 503, 504)


class _Broken(Exception):
    """Not all of it came; it is worth asking again."""


def open_client() -> httpx.Client:
    """What asks: follows redirections, respects the system's proxies, and does not wait for ever."""
    return httpx.Client(follow_redirects=True, timeout=httpx.Timeout(30.0, connect=10.0))


class Downloads:
    """Gets files with one client; `wait` takes the pauses between two tries, in seconds."""

    def __init__(self, client: httpx.Client, wait: Callable[[float], None] = time.sleep) -> None:
        self._client, self._wait = client, wait

    def page(self, address: str) -> str:
        """A short text."""
        text = io.BytesIO()
        self.append(address, text, None, _short_of(address))
        return text.getvalue().decode("utf-8", "replace")

    def append(self, address: str, file: BinaryIO, size: int | None, report: Callable[[int], None]) -> None:
        """Go on with a file from its end until all of it is there: `size` bytes, or as many as the server says."""
        tried, most = 0, _AT_FIRST
        while size is None or file.seek(0, 2) < size:
            before = file.seek(0, 2)
            try:
                return self._go_on(address, file, size, report)
            except (httpx.RequestError, httpx.InvalidURL, UnicodeError, OverflowError, _Broken) as error:
                tried += 1
                if file.seek(0, 2) > before:
                    tried, most = 1, _TRIES
                if tried >= most or isinstance(error, _HOPELESS):
                    why = hide_credentials(str(error)) or type(error).__name__
                    raise ModelUnreachable(f"{hide_credentials(address)} cannot be fetched: {why}.") from error
                self._wait(2.0 ** (tried - 1))
        return None

    def _go_on(self, address: str, file: BinaryIO, size: int | None, report: Callable[[int], None]) -> None:
        start = file.seek(0, 2)
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-"} if start else {})
        with self._client.stream("GET", address, headers=headers) as answer:
            if start and _is_all(answer, start):
                return
            file.truncate(_begins(answer, address, start))
            start = file.seek(0, 2)
            length = answer.headers.get("Content-Length", "")
            total = start + int(length) if length.isdecimal() else size
            if size is not None and total != size:
                raise ModelMissing(f"{hide_credentials(address)} has {total:,} bytes, not {size:,}: another file.")
            for block in answer.iter_raw(_BLOCK):
                file.write(block)
                report(file.tell())
                if total is not None and file.tell() > total:
                    file.truncate(0)
                    raise ModelMissing(f"{hide_credentials(address)} has more than {total:,} bytes: another file.")
        if total is not None and file.tell() < total:
            raise _Broken(f"it broke off at {file.tell():,} of {total:,} bytes")


def _is_all(answer: httpx.Response, start: int) -> bool:
    """Whether the server says that nothing comes after what is here."""
    return answer.status_code == 416 and answer.headers.get("Content-Range", "") == f"bytes */{start}"


def _begins(answer: httpx.Response, address: str, start: int) -> int:
    """At which byte the answer begins: where it was asked to, or, where that is not understood, at the first."""
    status = f"{answer.status_code} {answer.reason_phrase}"
    if answer.status_code == 200:
        return 0
    if answer.status_code == 206 and answer.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
        return start
    if answer.status_code in _BUSY:
        raise _Broken(f"the server answered {status}")
    raise ModelUnreachable(f"{hide_credentials(address)} cannot be fetched: the server answered {status}.")


def _short_of(address: str) -> Callable[[int], None]:
    """What complains of a text that does not end."""

    def report(done: int) -> None:
        if done > _LONGEST_PAGE:
            raise ModelUnreachable(f"{hide_credentials(address)} has no end: more than {_LONGEST_PAGE >> 20} MiB.")

    return report
