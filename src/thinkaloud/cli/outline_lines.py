"""Two-level plans as lines for a person: the whole list, which step begins, and what a new plan changes.

The list is shown once. After a new request, only the difference is shown: `=` is still to be done, `-` is dropped, `+`
is new. Finished steps are shown as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thinkaloud.clock import ManualClock
from thinkaloud.episode.outline import completed_lines, difference
from thinkaloud.language.calls import render_call
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import End, Outline, Plan, Step

_PLAN, _NEW, _STEP, _CALLS, _DROPPED, _DONE = "blue", "bold blue", "bold blue", "dim", "dim", "green"
_SIGNS = {"=": _PLAN, "-": _DROPPED, "+": _NEW}


@dataclass(frozen=True)
class OutlineRow:
    """One line: who says it (nobody if it continues the line above), the words, and their colour."""

    label: str
    text: str
    style: str


class Outlines:
    """Receives every event and tracks the list of steps being worked on."""

    def __init__(self, mark: str = "✓") -> None:
        self._mark = mark
        self._events: list[Event] = []
        self._lines: tuple[str, ...] = ()
        self._at: int | None = None
        self._before = 0
        """How many lines were finished when this list was made."""
        self.at = -1
        """The index of the event with this list; -1 if there is none."""

    def hear(self, event: Event) -> list[OutlineRow]:
        """The lines for an event."""
        self._events.append(event)
        match event.record:
            case End():
                self._lines, self._at, self._before, self.at = (), None, 0, -1
            case Plan(outline=Outline() as outline, steps=steps):
                news = self._announced(event.index, outline.lines) if self._is_new(outline) else []
                return news + self._begun(outline, steps)
            case _:
                pass
        return []

    def current_rows(self) -> list[OutlineRow]:
        """The current list, with finished lines marked."""
        done = len(self._completed()) - self._before
        return [
            OutlineRow("" if number else "Robot plan", f"{self._mark} {line}", _DONE)
            if number < done
            else OutlineRow("" if number else "Robot plan", line, _PLAN)
            for number, line in enumerate(_numbered(self._lines))
        ]

    def _is_new(self, outline: Outline) -> bool:
        return outline.lines != self._lines or outline.at is None

    def _announced(self, index: int, lines: tuple[str, ...]) -> list[OutlineRow]:
        finished, old = self._completed(), self._lines
        left = old[len(finished) - self._before :]
        self._lines, self._at, self._before, self.at = lines, None, len(finished), index
        if not old:
            return [
                OutlineRow("" if number else "Robot plan", line, _PLAN) for number, line in enumerate(_numbered(lines))
            ]
        stays = f"finished, and stays so: {'; '.join(finished)}" if finished else "nothing is finished yet"
        label, number = "Same plan" if left == lines else "New plan", 0
        rows = [OutlineRow(label, stays, _DONE if finished else _DROPPED)]
        for sign, line in difference(left, lines):
            number += sign != "-"
            rows.append(OutlineRow("", f"- {line}" if sign == "-" else f"{sign} {number}. {line}", _SIGNS[sign]))
        return rows

    def _begun(self, outline: Outline, steps: Sequence[Step]) -> list[OutlineRow]:
        if outline.at is None or outline.line is None:
            return []
        again = ", once more" if outline.at == self._at else ""
        self._at = outline.at
        where = f"Step {outline.at + 1} of {len(outline.lines)}{again}"
        rows = [OutlineRow("Robot plan", f"{where}: {outline.line}", _STEP)]
        return rows + ([OutlineRow("", ", ".join(map(_call, steps)), _CALLS)] if steps else [])

    def _completed(self) -> list[str]:
        return completed_lines(Monologue(ManualClock(), self._events))


def _numbered(lines: tuple[str, ...]) -> list[str]:
    """The lines with their numbers, from 1."""
    return [f"{number}. {line}" for number, line in enumerate(lines, 1)]


def _call(step: Step) -> str:
    """A step as a function call."""
    return render_call(step.skill, step.arguments.values())
