"""The monologue: the append-only list of everything perceived, thought, asked, heard and done.

Prompts, the terminal, the journal, replay and the benchmarks all read this one list. It only grows at the end, so a
model's prefix cache stays valid, and a run can be resumed, replayed and forked from any event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar, overload

from thinkaloud.clock import Clock
from thinkaloud.records import Condition, Plan, Record, Request

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Event:
    """A record, when it happened on the world's clock, and its place in the monologue."""

    index: int
    at: float
    record: Record


Listener = Callable[[Event], None]


class Monologue:
    """Append-only. `commit` is called before an event can be acted on, listeners right after."""

    def __init__(self, clock: Clock, events: Iterable[Event] = (), commit: Listener | None = None) -> None:
        self._clock = clock
        self._events = list(events)
        self._commit = commit
        self.listeners: list[Listener] = []

    def append(self, record: Record) -> Event:
        """Say something; it is written down before anybody can act on it."""
        earlier = self._events[-1].at if self._events else 0.0
        event = Event(len(self._events), max(round(self._clock.now(), 6), earlier), record)
        if self._commit is not None:
            self._commit(event)
        self._events.append(event)
        for listener in self.listeners:
            listener(event)
        return event

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __getitem__(self, index: int) -> Event:
        return self._events[index]

    @overload
    def last(self, kind: type[R]) -> R | None: ...
    @overload
    def last(self, kind: tuple[type[R], ...]) -> R | None: ...
    def last(self, kind: type[R] | tuple[type[R], ...]) -> R | None:
        """The latest record of a kind."""
        at = self.where(kind)
        return None if at is None else self._events[at].record  # type: ignore[return-value]

    def where(
        self, kind: type[object] | tuple[type[object], ...], *, after: int = -1, before: int | None = None
    ) -> int | None:
        """The index of the latest record of a kind, if it lies between two indices."""
        for index in range((len(self._events) if before is None else before) - 1, after, -1):
            if isinstance(self._events[index].record, kind):
                return index
        return None

    def since(self, index: int | None, kind: type[R] | tuple[type[R], ...]) -> list[R]:
        """The records of a kind after an index (None: from the beginning), oldest first."""
        start = 0 if index is None else index + 1
        return [event.record for event in self._events[start:] if isinstance(event.record, kind)]

    def counts(self, index: int) -> Counter[type[Record]]:
        """How many records of each kind there are after an index."""
        return Counter(type(event.record) for event in self._events[index + 1 :])

    def goal(self, *, before: int | None = None) -> tuple[Condition, ...]:
        """What the planner said must be true in the end, for the request at hand (or at hand before an event)."""
        at = self.where((Plan, Request), before=before)
        record = None if at is None else self._events[at].record
        return record.conditions if isinstance(record, Plan) else ()

    def task_start(self) -> int:
        """Where the task at hand begins: the latest request."""
        at = self.where(Request)
        return -1 if at is None else at
