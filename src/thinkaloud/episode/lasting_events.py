"""What a robot that talks for weeks keeps at hand of its past: the latest requests, and what still holds of the rest.

Everything else stays in the journal. `why` and `when` read it there; taking back reaches as far as what is at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thinkaloud.episode.told_rules import find_ban
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import (
    Answer,
    Begin,
    DueRequest,
    Meaning,
    Observation,
    Record,
    Request,
    RuleNotice,
    StandingRule,
    Stop,
    Taught,
    WorldState,
)

AT_HAND = 100
"""The latest requests that are kept at hand whole; let go in batches of as many."""


def let_go_of_old_events(monologue: Monologue) -> None:
    """Let go of what is long past and over, in a monologue that can be read again."""
    requests = monologue.events_of(Request)
    if len(requests) >= 2 * AT_HAND:
        monologue.let_go(requests[-AT_HAND].index, pick_lasting)


def pick_lasting(events: Sequence[Event]) -> list[Event]:
    """How it all began, what was told and holds on, and what became of the rules in it."""
    lasting = dict(_told(events))
    rules = [rule for event in lasting.values() if isinstance(event.record, Meaning) for rule in event.record.standing]
    latest: dict[tuple[str, StandingRule | None], Event] = {}
    for event in events:
        match event.record:
            case DueRequest(rule=rule) if rule in rules:
                latest["begun", rule] = event
            case RuleNotice(rule, what) if rule in rules:
                latest[what, rule] = event
            case Stop():
                latest["stop", None] = event
            case _:
                pass
    lasting |= {event.index: event for event in latest.values()}
    return [lasting[at] for at in sorted(lasting)]


def _told(events: Sequence[Event]) -> Iterator[tuple[int, Event]]:
    """The beginning, lessons, and every meaning that tells something for later, after the words it was told in.

    Where the robot asked about a ban, what came next says whether it holds.
    """
    said: Event | None = None
    asked = False
    first: set[type[Record]] = set()
    for event in events:
        record = event.record
        if isinstance(record, Begin | Observation | WorldState) and type(record) not in first:
            first.add(type(record))
            yield event.index, event
        elif isinstance(record, Request | Answer):
            said = event
        elif isinstance(record, Taught):
            yield event.index, event
        elif isinstance(record, Meaning) and (asked or _holds_on(record)):
            if said is not None:
                yield said.index, said
            yield event.index, event
            asked = find_ban(record) is not None or (asked and record.sort == "look")
        elif isinstance(record, Stop) and asked:
            yield event.index, event
            asked = False


def _holds_on(meaning: Meaning) -> bool:
    held = (meaning.notes, meaning.kept, meaning.freed, meaning.rules, meaning.standing, meaning.forgotten)
    return any(held) or find_ban(meaning) is not None
