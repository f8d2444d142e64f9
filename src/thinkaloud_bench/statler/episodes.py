"""What an episode is: a state to begin with, queries one after another, and what is right for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from thinkaloud.records import WorldState

PutMove = tuple[str, str]
"""What is moved, and where to."""
StatedRelation = Literal["==", ">", "<"]


@dataclass(frozen=True, slots=True)
class Happening:
    """What happens in the world by other hands while a sentence is said: a block was soiled, cleaned or moved."""

    dirty: tuple[str, ...] = ()
    clean: tuple[str, ...] = ()
    moves: tuple[PutMove, ...] = ()


@dataclass(frozen=True, slots=True)
class StartTruth:
    """What is true at the start and cannot be seen."""

    dirty: tuple[str, ...] = ()
    clean: tuple[str, ...] = ()
    weights: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QueryGoal:
    """What is in `target` is to weigh as much as (more than, less than) `times` what is in `like`."""

    target: str
    relation: StatedRelation
    like: str
    times: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Query:
    """One sentence of a person, and what is right to do and to say then.

    `accept` has other moves that are right too; `say` None means that nothing has to be said; `temporal` None means
    that nobody said whether memory is needed; an `unsure` query is carried out and not scored.
    """

    text: str
    actions: tuple[PutMove, ...] = ()
    say: str | None = None
    temporal: bool | None = None
    accept: tuple[tuple[PutMove, ...], ...] = ()
    unsure: bool = False
    happens: Happening | None = None
    goal: QueryGoal | None = None


@dataclass(frozen=True, slots=True)
class QueryEpisode:
    """Queries that are put one after another, to a robot that begins in the state `initial`."""

    id: str
    domain: str
    initial: WorldState
    queries: tuple[Query, ...]
    truth: StartTruth | None = None
