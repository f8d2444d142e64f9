"""Work in a process of its own: its limits hold, and nothing of it is left."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from campaign.children import Bounds, Child, in_child
from campaign.endpoint import answer, answering, body

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def test_a_child_says_how_it_ended_and_what_it_said(tmp_path: Path) -> None:
    def work() -> int:
        print(f"I was told {input()}")
        return 3

    ended = in_child(work, tmp_path, environ={"LANG": "C"}, stdin=b"something\n")
    assert (ended.status, ended.signal, ended.timed_out) == (3, None, False)
    assert ended.out == "I was told something\n"


def test_a_child_that_does_not_end_is_ended(tmp_path: Path) -> None:
    ended = in_child(lambda: time.sleep(600), tmp_path, Bounds(seconds=0.2))
    assert ended.timed_out and ended.signal == signal.SIGKILL


def test_a_child_cannot_have_more_memory_than_it_may(tmp_path: Path) -> None:
    ended = in_child(lambda: len(bytearray(2**34)), tmp_path, Bounds(memory=2**33))
    assert ended.status == 1 and "MemoryError" in ended.err


def test_what_a_child_has_started_ends_with_it(tmp_path: Path) -> None:
    def work() -> None:
        print(subprocess.Popen(["sleep", "600"]).pid, flush=True)

    left = int(in_child(work, tmp_path).out)
    for _ in range(1000):
        if not is_alive(left):
            return
        time.sleep(0.01)
    raise AssertionError("it is still there")


def is_alive(process: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_killed_child_leaves_what_it_has_said(tmp_path: Path) -> None:
    def work() -> None:
        os.write(1, b"here\n")
        (tmp_path / "said").touch()
        time.sleep(600)

    child = Child(work, tmp_path)
    while not (tmp_path / "said").exists():
        time.sleep(0.01)
    child.kill()
    assert (ended := child.wait()).signal == signal.SIGKILL and ended.out == "here\n"


def test_an_address_says_what_it_is_told_to() -> None:
    import httpx

    def respond(path: str, asked: dict[str, object]) -> list[bytes]:
        return [answer(str(asked["prompt"]))] if path == "/v1/completions" else [body("no", 404, "text/plain")]

    with answering(respond) as url, httpx.Client(trust_env=False, verify=False) as client:
        assert client.post(f"{url}/completions", json={"prompt": "hello"}).json()["choices"][0]["text"] == "hello"
        assert client.post(f"{url}/other", json={}).status_code == 404
