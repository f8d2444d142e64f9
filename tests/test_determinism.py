"""The same seed gives the same episode, to the byte, in another process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import exported_episode


def exported(path: Path, model: str, preset: str, seed: int, steps: int) -> bytes:
    command = [sys.executable, exported_episode.__file__, model, preset, str(seed), str(steps), str(path)]
    done = subprocess.run(command, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize("preset", ["inner_monologue", "inner_monologue:feedback=object+success"])
def test_two_runs_with_the_same_seed_give_the_same_bytes(preset: str, tmp_path: Path) -> None:
    first, second, other = (
        exported(tmp_path / f"{number}.db", "scripted", preset, seed, 4) for number, seed in enumerate((5, 5, 6))
    )
    assert first.count(b'"kind":"started"') == 4
    assert first == second
    assert first != other


def test_a_language_model_gives_the_same_bytes_too(tmp_path: Path) -> None:
    first, second = (
        exported(tmp_path / f"{n}.db", "embedded", "inner_monologue:feedback=object", 5, 1) for n in range(2)
    )
    assert b'"kind":"modelcall"' in first
    assert first == second
