"""The monologue: the append-only list of everything perceived, thought, asked, heard and done.

Prompts, the terminal, the journal, replay and the benchmarks all read this one list. It only grows at the end, so a
model's prefix cache stays valid, and a run can be resumed, replayed and forked from any event.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import merge
from typing import TypeVar, overload

from thinkaloud.clock import Clock
from thinkaloud.records import (
    Answer,
    Condition,
    DueRequest,
    End,
    Observation,
    Outcome,
    Plan,
    Record,
    Refusal,
    Request,
    RuleNotice,
    Started,
    Step,
    Verdict,
)
from thinkaloud.untrusted.text import tidy_record

R = TypeVar("R")
_Kind = type[R] | tuple[type[R], ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A record, when it happened on the world's clock, and its place in the monologue."""

    index: int
    at: float
    record: Record


EventListener = Callable[[Event], None]


class Monologue:
    """Append-only. `commit` is called before an event can be acted on, listeners right after."""

    def __init__(
        self,
        clock: Clock,
        events: Iterable[Event] = (),
        commit: EventListener | None = None,
        date: Callable[[], datetime] = datetime.now,
    ) -> None:
        self._clock = clock
        self.date = date
        """Tells the date and the time of day."""
        self.goes_on = False
        """Whether somebody keeps watching the standing rules after the current request; else none can be promised."""
        self._events = list(events)
        self._places: dict[type[Record], list[int]] = {}
        """Where the records of each kind are, in order, so that finding the latest plan needs no scan."""
        for event in self._events:
            self._places.setdefault(type(event.record), []).append(event.index)
        self._commit = commit
        self.listeners: list[EventListener] = []

    def append(self, record: Record) -> Event:
        """Append a record. It is committed before anything can act on it, and its outside text is made safe."""
        earlier = self._events[-1].at if self._events else 0.0
        event = Event(len(self._events), max(round(self._clock.now(), 6), earlier), tidy_record(self._dated(record)))
        if self._commit is not None:
            self._commit(event)
        self._events.append(event)
        self._places.setdefault(type(event.record), []).append(event.index)
        for listener in self.listeners:
            listener(event)
        return event

    def _dated(self, record: Record) -> Record:
        if isinstance(record, Outcome | DueRequest | RuleNotice) and not record.time:
            return replace(record, time=self.date().isoformat(timespec="seconds"))
        return record

    def __len__(self) -> int:
        return len(self._events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        return self._events[index]

    # Records of a kind ------------------------------------------------------------------------------------------------

    def where(self, kind: _Kind[object], *, after: int = -1, before: int | None = None) -> int | None:
        """The index of the latest record of a kind, if it lies between two indices."""
        latest = -1
        for places in self._places_of(kind):
            count = len(places) if before is None else bisect_left(places, before)
            latest = max(latest, places[count - 1] if count else -1)
        return latest if latest > after and latest >= 0 else None

    def last(self, kind: _Kind[R], *, after: int = -1, before: int | None = None) -> R | None:
        """The latest record of a kind, if it lies between two indices."""
        at = self.where(kind, after=after, before=before)
        return None if at is None else self._events[at].record  # type: ignore[return-value]

    def first(self, kind: _Kind[R], *, after: int = -1) -> R | None:
        """The earliest record of a kind after an index."""
        found = [places[n] for places in self._places_of(kind) if (n := bisect_right(places, after)) < len(places)]
        return self._events[min(found)].record if found else None  # type: ignore[return-value]

    def since(self, index: int | None, kind: _Kind[R]) -> list[R]:
        """The records of a kind after an index (None: from the beginning), oldest first."""
        after = -1 if index is None else index
        found = merge(*(places[bisect_right(places, after) :] for places in self._places_of(kind)))
        return [self._events[at].record for at in found]  # type: ignore[misc]

    def _places_of(self, kind: _Kind[object]) -> list[list[int]]:
        return [places for each, places in self._places.items() if issubclass(each, kind)]

    def counts(self, index: int) -> Counter[type[Record]]:
        """How many records of each kind there are after an index."""
        return Counter(type(event.record) for event in self._events[index + 1 :])

    # The current request ---------------------------------------------------------------------------------------------

    def task_start(self) -> int:
        """The index of the latest request, where the current task begins; -1 if there is none."""
        at = self.where(Request)
        return -1 if at is None else at

    def task(self) -> list[Event]:
        """The latest request and everything since."""
        return self._events[max(self.task_start(), 0) :]

    def in_task(self, kind: _Kind[R]) -> list[R]:
        """The records of a kind since the latest request."""
        return self.since(self.task_start(), kind)

    def situation(self) -> tuple[Request, Observation]:
        """What a planner plans for: the latest request and the latest observation."""
        request, scene = self.last(Request), self.last(Observation)
        if request is None or scene is None:
            raise ValueError("a planner needs a request and a scene")
        return request, scene

    def goal(self, *, before: int | None = None) -> tuple[Condition, ...]:
        """The goal conditions the planner stated for the current request (or for the one current before an event)."""
        plan = self.last((Plan, Request), before=before)
        return plan.conditions if isinstance(plan, Plan) else ()

    def heard(self) -> list[str]:
        """What a person has said about the current task: the request and the answers."""
        return [event.record.text for event in self.task() if isinstance(event.record, Request | Answer)]

    def refusals(self, since: _Kind[object] = Request) -> list[Refusal]:
        """The unusable model answers since the latest record of a kind."""
        return self.since(self.where(since), Refusal)

    # The order: a request, and later ones that change it before it ends ----------------------------------------------

    def order_start(self) -> int:
        """Where the current order begins: the first request since the latest end; -1 if there is none."""
        ended = self.where(End)
        for event in self._events[0 if ended is None else ended + 1 :]:
            if isinstance(event.record, Request):
                return event.index
        return -1

    def order(self, *, before: int | None = None) -> list[Event]:
        """The first request of the order and everything since, or up to an event; empty if there is no order."""
        start = self.order_start()
        return self._events[start:before] if start >= 0 else []

    def worked(self, *, before: int | None = None) -> list[Step]:
        """All the steps that worked since the order began.

        With `before`, those that started before an event; they may have finished after it.
        """
        later = self._events[before:] if before is not None else []
        end = next((event.index for event in later if isinstance(event.record, Plan | Started)), None)
        start = self.order_start()
        return self.worked_between(start, end) if start >= 0 else []

    def worked_between(self, start: int, end: int | None) -> list[Step]:
        """The steps between two events that were found to have worked; a corrected step counts once.

        Without verdicts, a step that completed counts as having worked.
        """
        good: list[Step] = []
        judged = self.where(Verdict) is not None
        started: Step | None = None
        for event in self._events[start + 1 : end]:
            match event.record:
                case Started(step=step):
                    started = step
                case Outcome(ending="completed") if not judged and started is not None:
                    good.append(started)
                case Verdict(ok=True) if started is not None:
                    good.append(started)
                case _:
                    pass
        return good
