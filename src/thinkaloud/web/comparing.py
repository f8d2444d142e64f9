"""Two sessions as one timeline: which lines both have, and where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from thinkaloud.episode.event_text import Narrator, Row
from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.monologue import Event
from thinkaloud.web.messages import ComparedRow, Comparison, Line


def compare_sessions(
    a: str,
    b: str,
    events_a: Sequence[Event],
    events_b: Sequence[Event],
    speak_a: PersonEnglish | None = None,
    speak_b: PersonEnglish | None = None,
) -> Comparison:
    """The lines of two sessions, in order; what both say in the same place stands beside each other."""
    one, other = _lines(events_a, speak_a), _lines(events_b, speak_b)
    matcher = SequenceMatcher(None, [_said(each) for each in one], [_said(each) for each in other], autojunk=False)
    rows: list[ComparedRow] = []
    for tag, i, j, k, m in matcher.get_opcodes():
        for left, right in zip_longest(one[i:j], other[k:m]):
            rows.append(ComparedRow(tag == "equal", left, right))
    first = next((place for place, row in enumerate(rows) if not row.same), None)
    return Comparison(a, b, tuple(rows), first)


def _lines(events: Iterable[Event], speak: PersonEnglish | None) -> list[Line]:
    narrator = Narrator(speak)
    return [_line(row) for event in events for row in narrator.hear(event)]


def _line(row: Row) -> Line:
    text = " ".join([row.text, *(f"{number}. {line.text}" for number, line in enumerate(row.lines, 1))])
    return Line(row.index, row.manner, row.who, text, row.ok)


def _said(line: Line) -> tuple[str, str, str, bool | None]:
    return line.manner, line.who, line.text, line.ok
