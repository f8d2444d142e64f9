"""The list of sessions, a line each."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One line of the list of sessions."""

    id: str
    started: str
    request: str
    result: str
    events: int
    world: str
    preset: str
    model: str


def session_info(
    id: str, started: str, events: int | None, begin: str | None, request: str | None, last: str | None
) -> SessionInfo:
    """A line of the list, from what the tables have: when, how many events, the first ones, and the last."""
    first, asked, ended = (json.loads(data) if data else {} for data in (begin, request, last))
    return SessionInfo(
        id=id,
        started=started,
        request=asked.get("text", ""),
        result=ended.get("result", "unfinished"),
        events=events or 0,
        world=first.get("world", ""),
        preset=first.get("preset", ""),
        model=first.get("model", ""),
    )
