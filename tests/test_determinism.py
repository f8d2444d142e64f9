"""The same seed gives the same episode, to the byte, in another process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import exported_episode

PRESETS = ("inner_monologue", "inner_monologue:feedback=object+success")


def exported(path: Path, model: str, presets: Sequence[str], seed: int, steps: int) -> bytes:
    command = [sys.executable, exported_episode.__file__, model, ",".join(presets), str(seed), str(steps), str(path)]
    done = subprocess.run(command, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_two_runs_with_the_same_seed_give_the_same_bytes(tmp_path: Path) -> None:
    first, second, other = (
        exported(tmp_path / f"{number}.db", "scripted", PRESETS, seed, 4) for number, seed in enumerate((5, 5, 6))
    )
    assert first.count(b'"kind":"started"') == 4 * len(PRESETS)
    assert first == second
    assert first != other


def test_a_language_model_gives_the_same_bytes_too(tmp_path: Path) -> None:
    first, second = (
        exported(tmp_path / f"{n}.db", "embedded", ["inner_monologue:feedback=object"], 5, 1) for n in range(2)
    )
    assert b'"kind":"modelcall"' in first
    assert first == second
