"""The processes in which programs are interpreted: shared, replaced where they die, and no business of a program."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic_monty import MontyCrashedError, MontySession

from sandboxed import refusal, run
from thinkaloud.execute import sandbox


def test_the_same_program_makes_the_same_calls_in_every_process() -> None:
    code = "for x in {'d', 'a', 'c', 'b'}: show(x)\nshow({'z', 'y', 'x'})\nshow(list({1: 2, 0: 3}))"
    script = f"from thinkaloud.execute.sandbox import Sandbox; Sandbox().run({code!r}, {{'show': print}})"
    said = {subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout for _ in range(3)}
    assert len(said) == 1
    assert said.pop().decode().split("\n") == [*map(str, run(code)), ""]


def test_threads_share_the_workers() -> None:
    found: dict[int, list[Any]] = {}

    def work(number: int) -> None:
        found[number] = [run(f"for i in range(5): show(i * {number})") for _ in range(5)]

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: [[i * n for i in range(5)]] * 5 for n in range(8)}


def kill_workers() -> int:
    """Kill this process's interpreters; how many there were."""
    lists = Path("/proc/self/task").glob("*/children")
    found = {int(pid) for each in lists for pid in each.read_text().split()}
    workers = [pid for pid in found if b"monty" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    for pid in workers:
        os.kill(pid, signal.SIGKILL)  # a process in the background may be deaf to all else
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    return len(workers)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds the workers in /proc")
def test_a_worker_that_dies_is_replaced() -> None:
    run("show(1)")
    assert kill_workers()
    assert run("show(2)") == [2]
    assert "broke the interpreter" in refusal("strike()\nshow(1)", strike=kill_workers)
    assert run("show(3)") == [3]


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds the workers in /proc")
def test_a_worker_that_dies_while_it_is_lent_or_given_back_is_no_fault_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run("show(1)")
    lend, crashes = sandbox._session, list[MontyCrashedError]()

    class Fragile:
        """A session whose worker dies at the first start, and at every end."""

        def __init__(self, lent: MontySession) -> None:
            self._lent = lent

        def __enter__(self) -> MontySession:
            if not crashes:
                session = self._lent.__enter__()
                kill_workers()
                try:
                    session.feed_run("1")
                except MontyCrashedError as error:
                    crashes.append(error)
                    raise
            return self._lent.__enter__()

        def __exit__(self, *_: object) -> None:
            self._lent.__exit__(None, None, None)
            raise crashes[0]

    monkeypatch.setattr(sandbox, "_session", lambda limits: Fragile(lend(limits)))
    assert run("show(2)") == [2]
    assert len(crashes) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_is_told_to_be_spawned() -> None:
    script = (
        "import os\nfrom thinkaloud.execute.sandbox import Sandbox\nSandbox().run('', {})\n"
        "child = os.fork()\n"
        "if child: raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        "Sandbox().run('', {})"
    )
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=False)
    assert ended.returncode
    assert "spawn the process instead" in ended.stderr


def test_an_event_loop_may_run_a_program() -> None:
    async def main() -> list[Any]:
        return run("show(4)")

    assert asyncio.run(main()) == [4]


def test_a_function_may_run_a_program_itself() -> None:
    assert run("show(inner())", inner=lambda: run("show(7)")) == [[7]]
