"""What is drawn and trained, in which order, and how the time is shared out.

    drawing   everything, by many processes, from the first minute on: eyes first, then half of each other kind, then
              the other halves
    training  eyes; then hands, which begin with the eyes; then the policy of whole tasks and the senses beside each
              other, which begin with the hands

A stage begins when the one before has ended, so a late one takes time from all that follow, in equal shares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PER_FILE = 250
_MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Kind:
    """What is drawn: how many by default, the size of one, and the function that draws one from a seed."""

    name: str
    folder: str
    count: int
    bytes: int
    draw: str

    def drawer(self) -> Callable[[int], dict[str, Any]]:
        """Import the function."""
        from importlib import import_module

        module, _, name = self.draw.partition(":")
        found: Callable[[int], dict[str, Any]] = getattr(import_module(module), name)
        return found


KINDS = (
    Kind("eyes", "eyes/pictures", 40_000, 116_500, "training.eyes.pictures:draw_picture"),
    Kind("hands", "hands/steps", 14_000, 82_500, "training.hands.demonstrations:draw_demonstrations"),
    Kind("senses", "senses/attempts", 16_000, 164_500, "training.senses.attempts:draw_attempt"),
    Kind("tasks", "hands/tasks", 8_000, 82_500, "training.hands.demonstrations:draw_tasks"),
)


@dataclass(frozen=True)
class Stage:
    """One training: its modules, its data, its batch, and what it begins with (an option, and the stage it names)."""

    name: str
    module: str
    folder: str
    batch: int
    begins: tuple[tuple[str, str], ...] = ()
    exported: tuple[str, ...] = ()


WAVES: tuple[tuple[float, tuple[Stage, ...]], ...] = (
    (0.32, (Stage("eyes", "training.eyes", "eyes/pictures", 96, exported=("--tables", "200")),)),
    (0.32, (Stage("hands", "training.hands", "hands/steps", 64, (("--eyes", "eyes"),), ("--scenes", "120")),)),
    (
        0.36,
        (
            Stage("senses", "training.senses", "senses/attempts", 96, (("--hands", "hands"),), ("--attempts", "480")),
            Stage("tasks", "training.hands", "hands/tasks", 96, (("--hands", "hands"),), ("--always",)),
        ),
    ),
)
"""Stages that train at the same time, with their share of the time."""


def scaled(count: int, scale: float) -> int:
    """Return a number of examples for a smaller or larger run, at least a few."""
    return max(round(count * scale), 8)


def per_file(count: int) -> int:
    """Return how many examples a file has: few enough that many processes have something to do."""
    return max(min(PER_FILE, count // 32), 4)


def in_order(scale: float) -> list[tuple[Kind, int, int]]:
    """Return kinds with the first and the last number to draw: all for the eyes, then the others in halves."""
    counts = {kind: scaled(kind.count, scale) for kind in KINDS}
    eyes, *others = KINDS
    halves = {kind: counts[kind] // 2 // per_file(counts[kind]) * per_file(counts[kind]) for kind in others}
    return [
        (eyes, 0, counts[eyes]),
        *((kind, 0, halves[kind]) for kind in others),
        *((kind, halves[kind], counts[kind]) for kind in others),
    ]


def space_needed(scale: float) -> int:
    """Return how many bytes the drawn files take, with some to spare."""
    return int(1.1 * sum(scaled(kind.count, scale) * kind.bytes for kind in KINDS)) + 200 * _MEGABYTE


def minutes_of(wave: int, left: float, last: float) -> float:
    """Return how long a wave trains, of the minutes that are left before the end; `last` are kept for what follows."""
    shares = [share for share, _ in WAVES[wave:]]
    return max((left - last) * shares[0] / sum(shares), 0.0)


def kept_for_the_end(minutes: float) -> float:
    """Return how many of the minutes are for the last exports and measurements."""
    return min(2.5, 0.15 * minutes)


def begins_with(stage: Stage, out: Path) -> Sequence[str]:
    """Return the options that let a stage begin with another, if that one has a checkpoint."""
    there = [(option, out / f"{name}.pt") for option, name in stage.begins]
    return [part for option, path in there if path.is_file() for part in (option, str(path))]
