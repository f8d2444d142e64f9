"""The parts of a campaign: families of attempts, and their findings.

A family covers one way in which things go wrong. It draws attempts from a seed and tries one at a time. An attempt is
plain data, so that anybody can save it to a file and try it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

Kind = Literal["crash", "hang", "memory", "moved", "posing", "silent", "steps", "secret", "terminal", "unclear", "late"]
KINDS: Mapping[Kind, str] = {
    "crash": "a traceback, or a process that died",
    "hang": "no end within its time",
    "memory": "memory that grows, or more memory than is justified",
    "moved": "something moved that should not have",
    "posing": "a name, a report or an answer that looks like one of our own lines in a prompt",
    "silent": "a wrong result that passes for a right one, or damage or a lost stop that is not reported",
    "steps": "a step that was lost, or done twice",
    "secret": "a part of a key where people can read it",
    "terminal": "control codes from outside on the terminal",
    "unclear": "an error that is not one short line, or has the wrong exit status",
    "late": "a stop that was not heard at the next tick",
}
"""Each kind of failure, and what it means."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something to try, completely described by `data`, which is JSON."""

    family: str
    name: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """What went wrong."""

    kind: Kind
    what: str


class Family(Protocol):
    """One way in which things go wrong. It may have `figures` with its measurements, and a `close` method."""

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """Draw attempts: the same for the same seed; more than there is time for, or all there are."""
        ...

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Try an attempt; None if everything went as it should."""
        ...


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a family works: its own folder, and roughly how many seconds it has.

    `model` and `presets` read hostile words; if they are not given, the family chooses.
    """

    folder: Path
    seconds: float
    model: str = ""
    presets: tuple[str, ...] = ()


class NotTried(Exception):
    """An attempt has no result, because something it needs is missing; it is skipped and not counted."""


class NotHere(NotTried):
    """Nothing of a family can be tried on this machine; all of its attempts are left out."""


@dataclass(frozen=True, slots=True)
class FamilyKind:
    """A family before it has a stage; `weight` is its share of the time, relative to 1."""

    name: str
    about: str
    open: Callable[[Stage], Family]
    weight: float = 1.0
