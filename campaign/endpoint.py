"""An address that answers as instructed, in a separate process, so that it can be as broken as needed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import socketserver
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

Respond = Callable[[str, dict[str, object]], Iterable[bytes]]
"""Takes the path and the body of a request; returns the raw bytes of the answer, including its head."""


def answer(text: str, **more: object) -> bytes:
    """A complete answer with this text, for both completions and chats."""
    choice = {"index": 0, "text": text, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return body(json.dumps({"choices": [choice], "usage": {"prompt_tokens": 1, "completion_tokens": 1}, **more}))


def body(text: str | bytes, status: int = 200, kind: str = "application/json", *head: str) -> bytes:
    """A complete answer of any kind."""
    content = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    lines = [f"HTTP/1.1 {status} Said", f"Content-Type: {kind}", f"Content-Length: {len(content)}", "Connection: close"]
    return "\r\n".join([*lines, *head, "", ""]).encode(errors="replace") + content


@contextmanager
def answering(respond: Respond) -> Iterator[str]:
    """Run such an address for this block; yields its base URL."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError, ValueError):
                path = self.rfile.readline(65536).split(b" ")[1].decode(errors="replace")
                size = 0
                while line := self.rfile.readline(65536).strip():
                    name, _, value = line.partition(b":")
                    size = int(value) if name.lower() == b"content-length" else size
                asked = json.loads(self.rfile.read(size) or b"{}")
                for piece in respond(path, asked):
                    self.wfile.write(piece)

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads, allow_reuse_address = True, True
        request_queue_size = 32

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(32)
        port = listening.getsockname()[1]
        child = os.fork()
        if child == 0:
            os.setsid()
            with Server(("127.0.0.1", 0), Handler, bind_and_activate=False) as server:
                server.socket = listening
                server.serve_forever()
            os._exit(0)
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
