"""Broken answers: texts from a model that answer nothing, and bytes from an address that are no model's answer."""

from __future__ import annotations

import gzip
import json
import random
import time
import zlib
from collections.abc import Callable, Iterator, Mapping

from campaign.endpoint import answer, body
from campaign.judging import SECRET

JUNK: Mapping[str, str] = {
    "nothing": "", "a space": " ", "lines": "\n\n\n", "zero": "0", "None": "None", "null": "null", "pass": "pass",
    "dots": "...", "a dash": "-", "a full stop": ".", "a quote": '"', "quotes": '""', "a list": "[]", "an object": "{}",
    "a fence": "```", "a fenced fence": "```python\n```", "end of turn": "<|im_end|>", "a NUL": "\x00",
    "a cleared screen": "\x1b[2J\x1b]0;owned\x07", "a mark": "\ufeff", "right to left": "\u202eenod", "an emoji": "🤖",
    "half a pair": "\ud800", "sorry": "I'm sorry, but I can't help with that.", "a label": "Human:", "labels":
    "Robot thought:\nRobot action:\nHuman:", "a number": "9" * 5000, "infinity": "1e999", "not a number": "nan",
    "brackets": "(" * 100_000, "deep JSON": '{"a":' * 50_000 + "1" + "}" * 50_000, "long": "word " * 1_000_000,
    "one long word": "x" * 5_000_000, "an import": "import os\nos.system('touch here')", "a loop": "while True: pass",
    "a recursion": "def f():\n    f()\nf()", "a comment": "# nothing", "print": "print('done')",
    "a template": "{0.__class__}", "true": "True", "false": "False", "an ellipsis": "…", "HTML": "<html></html>",
    "XML": "<tool_call></tool_call>",
    "empty call": '{"name": "", "arguments": {}}', "unknown call": '{"name": "explode", "arguments": {"what": "all"}}',
    "other script": "完成了。", "a shrug": "idk", "unknown skill": " Explode the red block.", "prompt back": "You are",
}  # fmt: skip
"""Texts that ask for nothing: after them nothing may have moved, and the run must not count as a success."""

Wire = Callable[[], Iterator[bytes]]


def _once(content: bytes) -> Wire:
    return lambda: iter((content,))


def _error(message: str, status: int) -> bytes:
    return body(json.dumps({"error": {"message": message, "code": "bad", "type": "x"}}), status)


def _odd(**fields: object) -> bytes:
    """A sound answer with something odd beside it; a word alone, as a whole sentence may be what a model answers."""
    return body(json.dumps({"choices": [{"text": "kumquat", "finish_reason": "stop"}], **fields}))


def _stream_head(kind: str = "text/event-stream") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n".encode()


def _endless(piece: bytes, pause: float = 0.0) -> Wire:
    def send() -> Iterator[bytes]:
        yield _stream_head()
        while True:
            yield piece
            time.sleep(pause)

    return send


def _bomb() -> Iterator[bytes]:
    """A megabyte that unpacks to a gigabyte."""
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    content = b"".join(pack.compress(b" " * 2**20) for _ in range(1024)) + pack.flush()
    yield body(content, 200, "application/json", "Content-Encoding: gzip")


_CHUNK = b'data: {"choices":[{"text":"word "}]}\n\n'
WIRES: Mapping[str, Wire] = {
    "nothing": _once(b""),
    "garbage": _once(bytes(random.Random(0).randbytes(3000))),
    "half a head": _once(b"HTTP/1.1 200 OK\r\nContent-Ty"),
    "no status": _once(b"\r\n\r\n{}"),
    "cut short": _once(answer("Kumquat")[:-30]),
    "longer than it says": _once(answer("Kumquat") + b"x" * 10_000),
    "HTML": _once(body("<html>hello</html>", 200, "text/html")),
    "no JSON": _once(body("hello")),
    "a list": _once(body("[]")),
    "deep JSON": _once(body("[" * 200_000)),
    "deep objects": _once(body('{"a":' * 100_000)),
    "deep error": _once(body('{"error":' * 100_000, 400)),
    "not gzip": _once(body("hello", 200, "application/json", "Content-Encoding: gzip")),
    "half a gzip": _once(body(gzip.compress(b"{}" * 99)[:20], 200, "application/json", "Content-Encoding: gzip")),
    "a bomb": _bomb,
    "endless words": _endless(_CHUNK),
    "endless spaces": _endless(b" " * 4096),
    "endless comments": _endless(b": still here\n\n", 0.2),
    "one word a second": _endless(_CHUNK, 1.0),
    "one letter a second": _endless(b"d", 1.0),
    "a stream without an end": _once(_stream_head() + _CHUNK),
    "a stream of errors": _once(_stream_head() + b'data: {"error": {"message": "no"}}\n\n'),
    "a stream of lists": _once(_stream_head() + b"data: [1]\n\ndata: [DONE]\n\n"),
    "redirected": _once(body("", 302, "text/plain", "Location: file:///etc/passwd")),
    "a large head": _once(b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 500_000 + b"\r\n\r\n{}"),
    "usage as text": _once(_odd(usage="much")),
    "usage of words": _once(_odd(usage={"prompt_tokens": "many"})),
    "usage of lists": _once(_odd(usage={"prompt_tokens": [1], "completion_tokens": {}})),
    "infinite usage": _once(body('{"choices":[{"text":"x","finish_reason":"stop"}],"usage":{"prompt_tokens":1e999}}')),
    "details as number": _once(_odd(usage={"prompt_tokens": 1, "prompt_tokens_details": 5})),
    "choices as text": _once(_odd(choices="abc")),
    "choices of nothing": _once(_odd(choices=[None])),
    "text as number": _once(_odd(choices=[{"text": 5}])),
    "text as list": _once(_odd(choices=[{"text": ["a"]}])),
    "calls as text": _once(_odd(choices=[{"message": {"tool_calls": "abc"}}])),
    "likelihoods as text": _once(_odd(choices=[{"text": "x", "logprobs": "abc", "finish_reason": "stop"}])),
    "an error of control codes": _once(_error("\x1b[2J\x1b]0;owned\x07\nline\rline", 400)),
    "a long error": _once(_error("x" * 200_000, 400)),
    "an error with no text": _once(body("", 500)),
    "wait for ever": _once(body("{}", 429, "application/json", "Retry-After: 1e999")),
    "wait for less than nothing": _once(body("{}", 429, "application/json", "Retry-After: -5")),
    "wait for no number": _once(body("{}", 429, "application/json", "Retry-After: nan")),
    "wait till long ago": _once(body("{}", 503, "application/json", "Retry-After: Thu, 99 Foo 0000 99:99:99 GMT")),
}
"""Broken responses that an address may send."""


def echoes(rng: random.Random) -> tuple[str, int, str]:
    """A form, a status and a prefix for an error that contains the key: whole, cut, or where a message is cut off."""
    before = rng.choice((0, 10, 200, *range(300 - len(SECRET) - 3, 303)))
    text = rng.choice(("x", "word ", "ä")) * before
    return rng.choice(("json", "text", "stream")), rng.choice((400, 401, 404, 422, 429, 500, 200)), text[:before]


def echo(form: str, status: int, before: str) -> bytes:
    """An error that repeats the key."""
    message = f"{before}{SECRET} is not a key"
    if form == "stream":
        return _stream_head() + b"data: " + json.dumps({"error": {"message": message}}).encode() + b"\n\n"
    return _error(message, status) if form == "json" else body(message, status, "text/plain")
