"""Download one file over HTTP, block by block, and resume with a Range request after an interruption.

After a broken connection, a few attempts in a row continue where the last one ended. If the server does not support
ranges, the download starts again. The caller checks whether the bytes are correct.
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
"""Attempts without receiving a byte: before the first byte has arrived, and after."""
_LONGEST_PAGE = 16 * 2**20
_HOPELESS = (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.TooManyRedirects, UnicodeError, OverflowError)
"""Errors that another attempt would not fix."""
_BUSY = (408, 425, 429, 500, 502, 503, 504)


class _Broken(Exception):
    """The file is incomplete; another attempt may get the rest."""


def open_client() -> httpx.Client:
    """Return a client that follows redirects, respects the system's proxies, and has timeouts."""
    return httpx.Client(follow_redirects=True, timeout=httpx.Timeout(30.0, connect=10.0))


class Downloads:
    """Gets files with one client; `wait` is called with the seconds to pause between two attempts."""

    def __init__(self, client: httpx.Client, wait: Callable[[float], None] = time.sleep) -> None:
        self._client, self._wait = client, wait

    def page(self, address: str) -> str:
        """Return a short text."""
        text = io.BytesIO()
        self.append(address, text, None, _short_of(address))
        return text.getvalue().decode("utf-8", "replace")

    def append(self, address: str, file: BinaryIO, size: int | None, report: Callable[[int], None]) -> None:
        """Append to a file until it is complete: `size` bytes, or as many as the server announces."""
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
                    raise ModelUnreachable(f"{hide_credentials(address)} cannot be downloaded: {why}.") from error
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
                raise ModelMissing(
                    f"{hide_credentials(address)} has {total:,} bytes instead of {size:,}: it is a different file."
                )
            for block in answer.iter_raw(_BLOCK):
                file.write(block)
                report(file.tell())
                if total is not None and file.tell() > total:
                    file.truncate(0)
                    raise ModelMissing(
                        f"{hide_credentials(address)} has more than {total:,} bytes: it is a different file."
                    )
        if total is not None and file.tell() < total:
            raise _Broken(f"the connection broke at {file.tell():,} of {total:,} bytes")


def _is_all(answer: httpx.Response, start: int) -> bool:
    """Whether the server says that the file ends where our copy ends."""
    return answer.status_code == 416 and answer.headers.get("Content-Range", "") == f"bytes */{start}"


def _begins(answer: httpx.Response, address: str, start: int) -> int:
    """Return the byte at which the answer begins: the requested one, or 0 if the server ignored the range."""
    status = f"{answer.status_code} {answer.reason_phrase}"
    if answer.status_code == 200:
        return 0
    if answer.status_code == 206 and answer.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
        return start
    if answer.status_code in _BUSY:
        raise _Broken(f"the server answered {status}")
    raise ModelUnreachable(f"{hide_credentials(address)} cannot be downloaded: the server answered {status}.")


def _short_of(address: str) -> Callable[[int], None]:
    """Return a callback that refuses a text longer than the limit."""

    def report(done: int) -> None:
        if done > _LONGEST_PAGE:
            raise ModelUnreachable(f"{hide_credentials(address)} is too long: more than {_LONGEST_PAGE >> 20} MiB.")

    return report
