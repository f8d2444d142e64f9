"""However a benchmark is ended, it leaves no process behind; where it can, it says how to go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import endless_bench
import thinkaloud

PATIENCE = 60  # seconds; it takes one or two


def until(what: str, so: Callable[[], bool]) -> None:
    """Wait for something that happens in other processes."""
    began = time.monotonic()
    while not so():
        assert time.monotonic() - began < PATIENCE, f"{what}: never"
        time.sleep(0.02)


def players(folder: Path) -> list[int]:
    return [int(path.name.partition("-")[2]) for path in folder.glob("playing-*")]


def is_running(number: int) -> bool:
    try:
        status = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("number", "jobs"), [(signal.SIGTERM, 1), (signal.SIGTERM, 2), (signal.SIGKILL, 2)])
def test_a_benchmark_that_is_ended_leaves_no_process_behind(tmp_path: Path, number: signal.Signals, jobs: int) -> None:
    here = os.pathsep.join(map(str, (Path(endless_bench.__file__).parent, Path(thinkaloud.__file__).parents[1])))
    process = subprocess.Popen(
        [sys.executable, endless_bench.__file__, str(jobs), "results"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": here, "THINKALOUD_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    until("all of them play", lambda: len(players(tmp_path)) == jobs or process.poll() is not None)
    written = tmp_path / "results" / "episodes.jsonl"
    until(
        "one is written",
        lambda: (written.exists() and written.read_text().count("\n") == 2) or process.poll() is not None,
    )
    process.send_signal(number)
    said = process.communicate(timeout=PATIENCE)[0]
    assert players(tmp_path), said
    until("all of them are gone", lambda: not any(map(is_running, players(tmp_path))))
    if number == signal.SIGKILL:
        assert process.returncode == -number
    else:
        assert process.returncode == 128 + number, said
        assert "Interrupted; the same command with --out results goes on" in " ".join(said.split())
    assert len(written.read_text().splitlines()) == 2, "a heading and an episode"
