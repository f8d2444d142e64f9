"""Drawn files as tensors on the device that trains, which grow while more files are drawn.

One row in twenty-five of each file is held out: losses on those rows are printed, and choose the best checkpoint.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

Arrays = dict[str, Any]

_HELD_OUT = 25  # every 25th row of a file
_LOOK_EVERY = 10.0  # seconds
_MOST_HELD = 400  # rows: once there are so many, they stay the same


class GrowingData:
    """What is in a folder of drawn files; `wait` is how many seconds the first file may still take.

    `prepare` may change the arrays of a file before they are kept, such as leaving out empty columns.
    """

    def __init__(
        self, folder: Path, made_by: str, device: str, *, wait: float = 0.0, prepare: Callable[[Arrays], Arrays] = dict
    ) -> None:
        self._folder, self._device, self._prepare = folder, device, prepare
        self._read = set[str]()
        self._looked, self.count = 0.0, 0
        self.arrays: Arrays = {}
        self.train, self.held = torch.zeros(0, dtype=torch.long), torch.zeros(0, dtype=torch.long)
        until = time.monotonic() + wait
        while not self.refresh(now=True):
            if time.monotonic() >= until:
                raise SystemExit(f"There is nothing in {folder}: run {made_by} first.")
            time.sleep(min(2.0, wait))

    def refresh(self, *, now: bool = False) -> bool:
        """Read the files that are new, at most every ten seconds unless `now`; return whether there is anything."""
        if not now and time.monotonic() - self._looked < _LOOK_EVERY:
            return bool(self._read)
        finished = (each for each in sorted(self._folder.glob("*.npz")) if not each.name.endswith(".part.npz"))
        new = [each for each in finished if each.name not in self._read]
        if new:
            self._add([self._prepare(_read(path)) for path in new])
            self._read |= {each.name for each in new}
        self._looked = time.monotonic()
        return bool(self._read)

    def _add(self, parts: list[Arrays]) -> None:
        for part in parts:
            rows = torch.arange(len(next(iter(part.values()))))
            is_held = rows % _HELD_OUT == 0
            if len(self.held) < _MOST_HELD:  # the others are not trained on either: another run may hold them out
                self.held = torch.cat([self.held, self.count + rows[is_held]])
            self.train = torch.cat([self.train, self.count + rows[~is_held]])
            self.count += len(rows)
        for name in parts[0]:
            more = [as_tensors(part, self._device, name)[name] for part in parts]
            old = [self.arrays[name]] if name in self.arrays else []
            self.arrays[name] = torch.cat([*old, *more])

    def draw(self, rng: np.random.Generator, count: int) -> Any:
        """Draw rows to train on."""
        self.refresh()
        return self.train[torch.from_numpy(rng.integers(len(self.train), size=count))].to(self._device)


def _read(path: Path) -> Arrays:
    with np.load(path) as file:
        return dict(file)


def as_tensors(arrays: Arrays, device: str, *names: str) -> Arrays:
    """Return arrays as tensors on a device: all of them, or those with these names."""
    return {name: torch.from_numpy(np.ascontiguousarray(arrays[name])).to(device) for name in names or arrays}
