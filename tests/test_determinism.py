"""The same seed gives the same episode, to the byte, in another process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import exported_episode
from thinkaloud.models import Model, Scripted

PRESETS = ("inner_monologue", "inner_monologue:feedback=object+success")


def exported(path: Path, model: str, presets: Sequence[str], seed: int, steps: int) -> str:
    """From another process."""
    command = [sys.executable, exported_episode.__file__, model, ",".join(presets), str(seed), str(steps), str(path)]
    done = subprocess.run(command, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def exported_here(path: Path, model: Model, presets: Sequence[str], seed: int, steps: int) -> str:
    return "".join(f"{line}\n" for line in exported_episode.exported(model, presets, seed, steps, path))


def test_two_runs_with_the_same_seed_give_the_same_bytes(tmp_path: Path) -> None:
    first, other = (
        exported_here(tmp_path / f"{seed}.db", Scripted(exported_episode.corner), PRESETS, seed, 4) for seed in (5, 6)
    )
    second = exported(tmp_path / "elsewhere.db", "scripted", PRESETS, 5, 4)
    assert first.count('"kind":"started"') == 4 * len(PRESETS)
    assert first == second
    assert first != other


def test_a_language_model_gives_the_same_bytes_too(embedded: Model, tmp_path: Path) -> None:
    presets = ["inner_monologue:feedback=object"]
    first = exported_here(tmp_path / "here.db", embedded, presets, 5, 1)
    second = exported(tmp_path / "elsewhere.db", "embedded", presets, 5, 1)
    assert '"kind":"modelcall"' in first
    assert first == second
