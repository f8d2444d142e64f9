"""The monologue: the append-only list of everything perceived, thought, asked, heard and done.

Prompts, the terminal, the journal, replay and the benchmarks all read this one list. It only grows at the end, so a
model's prefix cache stays valid, and a run can be resumed, replayed and forked from any event. In a long life, old
events are let go: they keep their numbers, and can be read again from the journal (`whole`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import update_wrapper
from heapq import merge
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

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

P = ParamSpec("P")
R = TypeVar("R")
_SAID: tuple[type[Request | Answer], ...] = (Request, Answer)
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
        recall: Callable[[], Iterable[Event]] | None = None,
    ) -> None:
        """`recall` reads all events again, from where they were committed; without it, none is ever let go."""
        self._clock = clock
        self.date = date
        """Tells the date and the time of day."""
        self.goes_on = False
        """Whether somebody keeps watching the standing rules after the current request; else none can be promised."""
        self._events = list(events)
        """All events from `_dense` on."""
        self._dense = 0
        self._kept: dict[int, Event] = {}
        """Earlier events that were not let go."""
        self._recall = recall
        self._worked: dict[tuple[int, int, bool], list[Step]] = {}
        self.summaries: dict[object, Any] = {}
        """What functions of the events came to, since the latest one; see `summary`."""
        self._places: dict[type[Record], list[int]] = {}
        """Where the records of each kind are, in order, so that finding the latest plan needs no scan."""
        self._found: dict[_Kind[object], list[list[int]]] = {}
        """The places of the kinds that were asked for."""
        for event in self._events:
            self._place(event)
        self._commit = commit
        self.listeners: list[EventListener] = []

    def append(self, record: Record) -> Event:
        """Append a record. It is committed before anything can act on it, and its outside text is made safe."""
        earlier = self._events[-1].at if self._events else 0.0
        event = Event(len(self), max(round(self._clock.now(), 6), earlier), tidy_record(self._dated(record)))
        if self._commit is not None:
            self._commit(event)
        self._events.append(event)
        self._place(event)
        self.summaries.clear()
        for listener in self.listeners:
            listener(event)
        return event

    def _place(self, event: Event) -> None:
        places = self._places.get(type(event.record))
        if places is None:
            places = self._places[type(event.record)] = []
            self._found.clear()
        places.append(event.index)

    def _dated(self, record: Record) -> Record:
        if isinstance(record, Outcome | DueRequest | RuleNotice) and not record.time:
            return replace(record, time=self.date().isoformat(timespec="seconds"))
        return record

    def __len__(self) -> int:
        return self._dense + len(self._events)

    def __iter__(self) -> Iterator[Event]:
        """Those at hand, the oldest first."""
        return iter([*self._kept.values(), *self._events])

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        if not self._dense:
            return self._events[index]
        if isinstance(index, slice):
            start, stop, _ = index.indices(len(self))
            early = [event for at, event in self._kept.items() if start <= at < stop]
            return early + self._events[max(start - self._dense, 0) : max(stop - self._dense, 0)]
        at = index if index >= 0 else len(self) + index
        return self._events[at - self._dense] if at >= self._dense else self._kept[at]

    # A long life ------------------------------------------------------------------------------------------------------

    def let_go(self, before: int, keep: Callable[[Sequence[Event]], Iterable[Event]]) -> None:
        """Let go of the events before an index, but for those that `keep` picks; the rest can be recalled."""
        if self._recall is None or before <= self._dense:
            return
        at = before - self._dense
        self._kept = {event.index: event for event in keep([*self._kept.values(), *self._events[:at]])}
        del self._events[:at]
        self._dense = before
        self._places.clear()
        self._found.clear()
        self._worked.clear()
        self.summaries.clear()
        for event in self:
            self._place(event)

    def whole(self) -> Monologue:
        """Everything that was ever said and done: read again, if some of it was let go."""
        if not self._dense or self._recall is None:
            return self
        return Monologue(self._clock, self._recall(), date=self.date)

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
        return None if at is None else self[at].record  # type: ignore[return-value]

    def first_where(self, kind: _Kind[object], *, after: int = -1) -> int | None:
        """The index of the earliest record of a kind after an index."""
        found = [places[n] for places in self._places_of(kind) if (n := bisect_right(places, after)) < len(places)]
        return min(found, default=None)

    def first(self, kind: _Kind[R], *, after: int = -1) -> R | None:
        """The earliest record of a kind after an index."""
        at = self.first_where(kind, after=after)
        return None if at is None else self[at].record  # type: ignore[return-value]

    def since(self, index: int | None, kind: _Kind[R]) -> list[R]:
        """The records of a kind after an index (None: from the beginning), oldest first."""
        after = -1 if index is None else index
        return [self[at].record for at in self._indices(kind, after)]  # type: ignore[misc]

    def events_of(self, kind: _Kind[object], *, after: int = -1, before: int | None = None) -> list[Event]:
        """The events of a kind between two indices, oldest first."""
        return [self[at] for at in self._indices(kind, after, before)]

    def _indices(self, kind: _Kind[object], after: int, before: int | None = None) -> Iterable[int]:
        found = []
        for places in self._places_of(kind):
            end = len(places) if before is None else bisect_left(places, before)
            found.append(places[bisect_right(places, after) : end])
        return found[0] if len(found) == 1 else merge(*found)

    def _places_of(self, kind: _Kind[object]) -> list[list[int]]:
        found = self._found.get(kind)
        if found is None:
            found = [places for each, places in self._places.items() if issubclass(each, kind)]
            self._found[kind] = found
        return found

    def counts(self, index: int) -> Counter[type[Record]]:
        """How many records of each kind there are after an index."""
        counted = {kind: len(places) - bisect_right(places, index) for kind, places in self._places.items()}
        return Counter({kind: count for kind, count in counted.items() if count})

    # The current request ---------------------------------------------------------------------------------------------

    def task_start(self) -> int:
        """The index of the latest request, where the current task begins; -1 if there is none."""
        at = self.where(Request)
        return -1 if at is None else at

    def task(self) -> list[Event]:
        """The latest request and everything since."""
        return self[max(self.task_start(), 0) :]

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
        return [said.text for said in self.since(self.task_start() - 1, _SAID)]

    def refusals(self, since: _Kind[object] = Request) -> list[Refusal]:
        """The unusable model answers since the latest record of a kind."""
        return self.since(self.where(since), Refusal)

    # The order: a request, and later ones that change it before it ends ----------------------------------------------

    def order_start(self) -> int:
        """Where the current order begins: the first request since the latest end; -1 if there is none."""
        ended = self.where(End)
        first = self.first_where(Request, after=-1 if ended is None else ended)
        return -1 if first is None else first

    def order(self, *, before: int | None = None) -> list[Event]:
        """The first request of the order and everything since, or up to an event; empty if there is no order."""
        start = self.order_start()
        return self[start:before] if start >= 0 else []

    def in_order(self, kind: _Kind[R]) -> list[R]:
        """The records of a kind since the order began, with the request itself."""
        start = self.order_start()
        return self.since(start - 1, kind) if start >= 0 else []

    def worked(self, *, before: int | None = None) -> list[Step]:
        """All the steps that worked since the order began.

        With `before`, those that started before an event; they may have finished after it.
        """
        end = None if before is None else self.first_where((Plan, Started), after=before - 1)
        start = self.order_start()
        return self.worked_between(start, end) if start >= 0 else []

    def worked_between(self, start: int, end: int | None) -> list[Step]:
        """The steps between two events that were found to have worked; a corrected step counts once.

        Without verdicts, a step that completed counts as having worked.
        """
        judged = self.where(Verdict) is not None
        if end is None:
            return self._find_worked(start, None, judged)
        if (start, end, judged) not in self._worked:  # what lies between two events stays as it is
            self._worked[start, end, judged] = self._find_worked(start, end, judged)
        return list(self._worked[start, end, judged])

    def _find_worked(self, start: int, end: int | None, judged: bool) -> list[Step]:
        good: list[Step] = []
        started: Step | None = None
        for event in self.events_of((Started, Outcome, Verdict), after=start, before=end):
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


def summary(function: Callable[Concatenate[Monologue, P], R]) -> Callable[Concatenate[Monologue, P], R]:
    """Compute a function of a monologue once for as long as nothing is appended; its result must not be changed."""

    def find(monologue: Monologue, /, *given: P.args, **more: P.kwargs) -> R:
        key = (function, given, *more.items())
        if key not in monologue.summaries:
            monologue.summaries[key] = function(monologue, *given, **more)
        found: R = monologue.summaries[key]
        return found

    update_wrapper(find, function)
    return find
