"""A real server that answers badly: secrets echoed, answers without an end, bombs, and data that is none."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.agent import Agent
from thinkaloud.errors import BadSettings, ModelError, ModelRefused, ModelUnreachable
from thinkaloud.models import ModelSettings, Turn
from thinkaloud.models.openai import OpenAI
from thinkaloud.remember.journal import Journal
from toyworld import ToyWorld

KEY = "sk-proj-Zq9Xw7Lm3Vt5Rb1Yc8Nd2Kf6Hs4Jg0"
TOOL = {"name": "wave", "parameters": {"type": "object", "properties": {}}}
DEEP = b"[" * 100_000


def chunk(text: str, **more: Any) -> dict[str, Any]:
    return {"choices": [{"text": text, "delta": {"content": text}, "finish_reason": "stop"}], **more}


class Hostile(BaseHTTPRequestHandler):
    """Answers by the first part of the path."""

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.key = self.headers.get("Authorization", "").removeprefix("Bearer ")
        with suppress(BrokenPipeError, ConnectionResetError):  # whoever asked has had enough
            getattr(self, self.path.split("/")[1])()

    def say(self, status: int, body: bytes | Any, **headers: str) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in ({"Content_Type": "application/json"} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def stream(self, *chunks: Any) -> None:
        lines = (each if isinstance(each, bytes) else json.dumps(each).encode() for each in chunks)
        self.say(200, b"".join(b"data: " + line + b"\n\n" for line in lines), Content_Type="text/event-stream")

    def forever(self, status: int, piece: bytes, pause: float = 0.0) -> None:
        self.say(status, b"", Content_Type="text/event-stream")
        while not pause or not self.server.over.wait(pause):  # type: ignore[attr-defined]
            self.wfile.write(piece)

    # secrets

    def cut(self) -> None:
        self.say(422, {"error": {"message": "x" * 285 + f" Bearer {self.key}"}})

    def raw(self) -> None:
        self.say(422, f"{'x' * 280} {self.headers}".encode())

    def missing(self) -> None:
        self.say(404, {"error": {"message": f"no {self.key[:20]}"}})

    def overflow(self) -> None:
        self.say(400, {"error": {"message": "x" * 290 + self.key, "code": "context_length_exceeded"}})

    def busy(self) -> None:
        self.say(429, {"error": {"message": base64.b64encode(self.key.encode()).decode()}}, Retry_After="0")

    def answer(self) -> None:
        self.stream(chunk(f" Move the {self.key} to the shelf."))

    def split(self) -> None:
        self.stream(*(chunk(letter) for letter in f" Move the {self.key} to the shelf."))

    def call(self) -> None:
        function = {"name": self.key, "arguments": json.dumps({"thing": self.key})}
        self.stream({"choices": [{"delta": {"tool_calls": [{"function": function}]}, "finish_reason": "stop"}]})

    # without an end

    def endless(self) -> None:
        self.forever(200, b"data: " + json.dumps(chunk("on and ")).encode() + b"\n\n")

    def line(self) -> None:
        self.forever(200, b"a" * 65536)

    def comments(self) -> None:
        self.forever(200, b": wait\n\n")

    def slow_words(self) -> None:
        self.forever(200, b"data: " + json.dumps(chunk("word ")).encode() + b"\n\n", pause=0.05)

    def error(self) -> None:
        self.forever(422, b"e" * 65536)

    def long(self) -> None:
        self.stream(chunk("word " * 2**20))

    def bomb(self) -> None:
        self.say(200, gzip.compress(bytes(2**20)), Content_Encoding="gzip")

    def error_bomb(self) -> None:
        self.say(422, gzip.compress(bytes(2**20)), Content_Encoding="gzip")

    def silent_header(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        self.server.over.wait()  # type: ignore[attr-defined]

    # no data

    def deep(self) -> None:
        self.say(200, b'{"choices":' + DEEP)

    def deep_line(self) -> None:
        self.stream(b'{"choices":' + DEEP)

    def deep_error(self) -> None:
        self.say(422, b'{"error":' + DEEP)

    def digits(self) -> None:
        self.say(200, b'{"choices":' + b"9" * 5000 + b"}")

    def nan(self) -> None:
        self.stream(b'{"choices":[],"usage":{"prompt_tokens":NaN}}')

    def usage(self) -> None:
        said = json.loads(base64.urlsafe_b64decode(self.path.split("/")[2]))
        self.stream(chunk(" Fine.", usage=said))

    def odds(self) -> None:
        said = {"content": [{"token": "x", "logprob": 1e9, "top_logprobs": []}]}
        self.stream({"choices": [{"text": " Fine.", "logprobs": said, "finish_reason": "stop"}]})

    def redirect(self) -> None:
        self.say(302, b"", Location="http://127.0.0.1:99999999/v1")

    def tokenize(self) -> None:
        self.say(200, {"tokens": ["a", [1], None]})


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Hostile) as server:
        server.daemon_threads = True
        server.over = threading.Event()  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.over.set()  # type: ignore[attr-defined]
        server.shutdown()


def ask(address: str, case: str, seconds: float = 60.0, timeout: float = 60.0, **login: str) -> tuple[str, str]:
    """What comes of a question, an answer or an error, and what was heard of it meanwhile."""
    heard: list[str] = []
    base = f"{address}/{case}/v1".replace("//", f"//{login['login']}@", 1) if login else f"{address}/{case}/v1"

    async def question() -> str:
        settings = ModelSettings(base_url=base, api_key=KEY, retries=0, timeout=timeout, answer_timeout=seconds)
        model = OpenAI("wise", settings)
        try:
            if case == "call":
                return str(await model.chat([Turn("user", "Go.")], tools=[TOOL]))
            return str(await model.complete("Hello", listener=heard.append))
        except ModelError as error:
            return f"{type(error).__name__}: {error}"
        finally:
            await model.close()

    return asyncio.run(question()), "".join(heard)


@pytest.mark.parametrize("case", ["cut", "raw", "missing", "overflow", "busy", "answer", "split", "call"])
def test_a_key_that_is_echoed_is_never_shown(address: str, case: str) -> None:
    said, heard = ask(address, case)
    encoded = base64.b64encode(KEY.encode()).decode()
    assert "…" in said
    for text in (said, heard):
        assert not any(KEY[at : at + 6] in text for at in range(len(KEY) - 5))
        assert encoded[4:20] not in text


def test_a_key_that_is_echoed_is_not_in_the_journal(address: str, tmp_path: Path) -> None:
    for case in ("split", "cut"):
        settings = ModelSettings(base_url=f"{address}/{case}/v1", api_key=KEY, retries=0)

        async def run(settings: ModelSettings = settings) -> None:
            with Journal(tmp_path / "journal.db") as journal, journal.begin() as session:
                model = OpenAI("wise", settings)
                await Agent(ToyWorld(), model, "inner_monologue:feedback=object", session=session).run("Tidy up.")
                await model.close()

        asyncio.run(run())
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"wise" in kept
    assert b"Zq9Xw7" not in kept


def test_a_password_in_an_address_goes_to_the_server_and_nowhere_else(address: str) -> None:
    said, _ = ask(address, "raw", login="me:pass-word-one")
    assert "did not accept" in said
    for form in ("pass-word", base64.b64encode(b"me:pass-word-one").decode()[:12]):
        assert form not in said
    with pytest.raises(BadSettings) as caught:
        OpenAI("wise", ModelSettings(base_url="http://me:pass-word-one@127.0.0.1:99999999/v1"))
    assert "pass-word" not in str(caught.value)


@pytest.mark.parametrize("case", ["endless", "line", "long", "bomb"])
def test_an_answer_without_an_end_is_refused_and_what_is_said_of_it_is_short(address: str, case: str) -> None:
    said, heard = ask(address, case)
    assert said.startswith(ModelRefused.__name__)
    assert len(said) < 300
    assert len(heard) < 256 * 32 + 1100


@pytest.mark.parametrize("case", ["error", "error_bomb", "deep_error"])
def test_of_an_error_without_an_end_a_little_is_shown(address: str, case: str) -> None:
    said, _ = ask(address, case)
    assert "did not accept the request (422)" in said
    assert len(said) < 500


@pytest.mark.parametrize("case", ["silent_header", "comments"])
def test_the_whole_of_an_answer_has_a_time_limit(address: str, case: str) -> None:
    said, _ = ask(address, case, seconds=0.3)
    assert said.startswith(ModelUnreachable.__name__)
    assert "took more than 0.3 s" in said and "answer_timeout" in said


def test_a_slow_answer_is_ended_after_ten_times_the_longest_silence(address: str) -> None:
    said, heard = ask(address, "slow_words", seconds=0.0, timeout=0.1)
    assert "took more than 1 s" in said
    assert heard.startswith("word word ")


@pytest.mark.parametrize("case", ["deep", "deep_line", "digits", "nan", "redirect"])
def test_data_that_is_none_is_refused(address: str, case: str) -> None:
    said, _ = ask(address, case)
    assert said.split(":")[0] in ("ModelRefused", "Rejected")


ODD = ["many", -5, 1e999, 10**40, [1], {"a": 1}, True, None]
USAGES = [*({"prompt_tokens": odd, "completion_tokens": odd} for odd in ODD), {"prompt_tokens_details": 7}, 5, []]


@pytest.mark.parametrize("usage", USAGES, ids=str)
def test_a_cost_that_is_no_number_of_tokens_counts_as_none(address: str, usage: Any) -> None:
    case = base64.urlsafe_b64encode(json.dumps(usage).encode()).decode()
    said, _ = ask(address, f"usage/{case}")
    if usage == {"prompt_tokens": 10**40, "completion_tokens": 10**40} or "Infinity" in json.dumps(usage):
        assert said.startswith("ModelRefused")
    else:
        assert "text=' Fine.'" in said
        assert "evaluated=0" in said or usage["prompt_tokens"] is True


def test_likelihoods_that_cannot_be_are_left_out_and_scores_say_so(address: str) -> None:
    async def weigh(case: str) -> Any:
        model = OpenAI("wise", ModelSettings(base_url=f"{address}/{case}/v1", retries=0))
        try:
            return (await model.complete_weighed("Hello")).tokens, await model.score("Hello", [" a", " b"])
        finally:
            await model.close()

    with pytest.raises(ModelError, match="cannot score"):
        asyncio.run(weigh("odds"))
