"""What is drawn and trained, in which order, and how the time is shared out.

    drawing   everything, by many processes, from the first minute on: half of each kind, in the order in which they are
              needed, then the other halves, so that a slow machine has something of each
    training  eyes; then hands and the senses for kitchens beside each other, which begin with the eyes; then the policy
              of whole tasks and the senses for tables, which begin with the hands

A stage begins when the one before has ended, so a late one takes time from all that follow, in equal shares. Any of
these parts can be left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
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
    Kind("kitchen_senses", "senses/kitchen", 8_000, 192_600, "training.senses.kitchen_attempts:draw_attempt"),
    Kind("hands", "hands/steps", 14_000, 82_500, "training.hands.demonstrations:draw_demonstrations"),
    Kind("senses", "senses/attempts", 16_000, 164_500, "training.senses.attempts:draw_attempt"),
    Kind("tasks", "hands/tasks", 8_000, 82_500, "training.hands.demonstrations:draw_tasks"),
)


@dataclass(frozen=True)
class Stage:
    """One training: its modules, its data, its batch, and its share of the time if it is alone.

    `begins` is what it begins with: options, and the stages that they name. `options` are for training and export.
    """

    name: str
    module: str
    folder: str
    batch: int
    share: float
    begins: tuple[tuple[str, str], ...] = ()
    exported: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


_EYES, _HANDS = (("--eyes", "eyes"),), (("--hands", "hands"),)
_ATTEMPTS = ("--attempts", "480")
Waves = tuple[tuple[Stage, ...], ...]
WAVES: Waves = (
    (Stage("eyes", "training.eyes", "eyes/pictures", 96, 0.32, exported=("--tables", "400")),),
    (
        Stage("hands", "training.hands", "hands/steps", 64, 0.32, _EYES, ("--scenes", "120")),
        Stage("kitchen_senses", "training.senses", "senses/kitchen", 64, 0.16, _EYES, _ATTEMPTS, ("--kitchen",)),
    ),
    (
        Stage("senses", "training.senses", "senses/attempts", 96, 0.36, _HANDS, _ATTEMPTS),
        Stage("tasks", "training.hands", "hands/tasks", 96, 0.36, _HANDS, ("--always",)),
    ),
)
"""Stages that train at the same time; the longest of them is how long they do."""
PARTS = tuple(kind.name for kind in KINDS)


def chosen_waves(parts: Collection[str]) -> Waves:
    """Return the waves with these stages alone."""
    waves = (tuple(stage for stage in wave if stage.name in parts) for wave in WAVES)
    return tuple(wave for wave in waves if wave)


def scaled(count: int, scale: float) -> int:
    """Return a number of examples for a smaller or larger run, at least a few."""
    return max(round(count * scale), 8)


def per_file(count: int) -> int:
    """Return how many examples a file has: few enough that many processes have something to do."""
    return max(min(PER_FILE, count // 32), 4)


def in_order(scale: float, parts: Collection[str] = PARTS) -> list[tuple[Kind, int, int]]:
    """Return kinds with the first and the last number to draw: all in halves."""
    counts = {kind: scaled(kind.count, scale) for kind in KINDS if kind.name in parts}
    halves = {kind: count // 2 // per_file(count) * per_file(count) for kind, count in counts.items()}
    return [
        *((kind, 0, half) for kind, half in halves.items()),
        *((kind, half, counts[kind]) for kind, half in halves.items()),
    ]


def space_needed(scale: float, parts: Collection[str] = PARTS) -> int:
    """Return how many bytes the drawn files take, with some to spare."""
    drawn = sum(scaled(kind.count, scale) * kind.bytes for kind in KINDS if kind.name in parts)
    return int(1.1 * drawn) + 200 * _MEGABYTE


def minutes_of(waves: Waves, left: float, last: float) -> float:
    """Return how long the first of these waves trains, of the minutes that are left; `last` are kept for the end."""
    shares = [max(stage.share for stage in wave) for wave in waves]
    return max((left - last) * shares[0] / sum(shares), 0.0)


def kept_for_the_end(minutes: float) -> float:
    """Return how many of the minutes are for the last exports and measurements."""
    return min(2.5, 0.15 * minutes)


def begins_with(stage: Stage, out: Path) -> Sequence[str]:
    """Return the options that let a stage begin with another, if that one has a checkpoint."""
    there = [(option, out / f"{name}.pt") for option, name in stage.begins]
    return [part for option, path in there if path.is_file() for part in (option, str(path))]


def parts_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that says what is drawn and trained."""
    parser.add_argument("--parts", type=_read_parts, default=PARTS, help=f"some of {','.join(PARTS)} (default: all)")


def _read_parts(text: str) -> tuple[str, ...]:
    found = tuple(each.strip() for each in text.split(",") if each.strip())
    if not found or not {*found} <= {*PARTS}:
        raise argparse.ArgumentTypeError(f"some of {', '.join(PARTS)} are wanted, not {text!r}")
    return found
