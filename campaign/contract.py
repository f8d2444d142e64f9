"""What a campaign consists of: families of attempts, and what can be found.

A family knows one way in which things go wrong. It draws attempts from a seed, and tries one at a time. An attempt is
plain data, so that it can be written to a file and tried again by whoever finds that file.
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
    "memory": "memory that grows, or more of it than there is reason for",
    "moved": "something moved that should not have",
    "posing": "a name, a report or an answer that looks like a line of ours in a prompt",
    "silent": "a wrong end that passes for a right one, or damage or a lost stop that nobody mentions",
    "steps": "a step that was lost, or done twice",
    "secret": "a part of a key where people can read it",
    "terminal": "control codes from outside on the terminal",
    "unclear": "an error that is not one short line, or has the wrong exit status",
    "late": "a stop that was not heard at the next tick",
}
"""Each kind of failure, and what it means."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something to try: all of it is in `data`, which is JSON."""

    family: str
    name: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """What went wrong."""

    kind: Kind
    what: str


class Family(Protocol):
    """One way in which things go wrong. It may have `figures`, of what it has measured, and may be closed."""

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """What to try: the same for the same seed, and more than there is time for, or all that there is."""
        ...

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Try it; None where all went as it should."""
        ...


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a family works: a folder of its own, and about how many seconds it has.

    `model` and `presets`: who reads what people would not say; where that is not said, it is up to the family.
    """

    folder: Path
    seconds: float
    model: str = ""
    presets: tuple[str, ...] = ()


class NotTried(Exception):
    """An attempt says nothing, because what it builds on is not there; it is passed over and not counted."""


class NotHere(NotTried):
    """Nothing of a family can be tried on this machine; all of its attempts are left out."""


@dataclass(frozen=True, slots=True)
class FamilyKind:
    """A family before it has a stage; `weight`: its share of the time, where others have 1."""

    name: str
    about: str
    open: Callable[[Stage], Family]
    weight: float = 1.0
