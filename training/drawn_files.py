"""Files of drawn examples that can be made again from their seeds: many at once, each kept when it is finished."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

PER_FILE = 250
FIRST_SEED = 1_000_000
"""What measures has seeds below this, and other styles."""
Draw = Callable[[int], dict[str, Any]]


def write_file(draw: Draw, path: Path, first: int, count: int) -> Path:
    """Write one file: what `draw` returns for each seed, as one array for each name."""
    drawn = [draw(first + number) for number in range(count)]
    part = path.with_suffix(".part.npz")
    arrays: dict[str, Any] = {name: np.stack([each[name] for each in drawn]) for name in drawn[0]}
    np.savez(part, **arrays)
    part.replace(path)
    return path


def write_missing(draw: Draw, folder: Path, count: int, *, seed: int = 0, jobs: int = 2, per_file: int = 0) -> None:
    """Write the files that are missing, so an interrupted command goes on where it stopped."""
    folder.mkdir(parents=True, exist_ok=True)
    begin, most = FIRST_SEED + seed * 10_000_000, per_file or PER_FILE
    wanted = [(folder / f"{at:09d}.npz", at, min(most, begin + count - at)) for at in range(begin, begin + count, most)]
    missing = [each for each in wanted if not each[0].exists()]
    with ProcessPoolExecutor(jobs) as pool:
        made = [pool.submit(write_file, draw, *each) for each in missing]
        for number, each in enumerate(made, 1):
            print(f"{each.result().name}: {number} of {len(missing)}", flush=True)


def over_seeds(what: Callable[[int], Any], seeds: Sequence[int], jobs: int) -> list[Any]:
    """Return what a function makes of each seed, with so many processes at once."""
    if jobs <= 1:
        return [what(seed) for seed in seeds]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:  # torch has threads, so no fork
        return list(pool.map(what, seeds, chunksize=max(len(seeds) // (4 * jobs), 1)))


def options(about: str | None, count: int, *, what: str) -> argparse.ArgumentParser:
    """Return the options of a command that draws files."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument(f"--{what}", dest="count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--per-file", type=int, default=PER_FILE)
    return parser


def run(draw: Draw, given: argparse.Namespace) -> None:
    """Write what these options ask for."""
    write_missing(draw, given.folder, given.count, seed=given.seed, jobs=given.jobs, per_file=given.per_file)
