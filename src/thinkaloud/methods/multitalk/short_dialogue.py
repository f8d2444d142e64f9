"""The dialogue about a plan in few words, for models that were trained in it: planner and analyzer read the same.

Things: cup 1, cup 2, sponge
On: tray
Human: Move the cup to P1.                        points are named in the order in which they are spoken of
Note: P1 is outside the table.                    what code can look up is told
Meant: cup 1 or cup 2
Ask: P1 is outside the table. What should I do instead?
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from thinkaloud.methods.multitalk.dialogue import is_ordered_look
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Look,
    Observation,
    Outcome,
    Plan,
    Refusal,
    Rehearsal,
    Request,
    WorldState,
)
from thinkaloud.worlds.contract import Point, TaskLanguage

MEANT, PLAN, ASK, AGAIN = "Meant:", "Plan:", "Ask:", "Look again"
CHECK = "Check:"
ALONE = "Nobody can answer."
_VALUE, _DECIMAL = r"(-?\d*\.?\d+)", r"(-?\d*\.\d+)"
POINT_PATTERN = re.compile(
    rf"\(\s*{_VALUE}\s*,\s*{_VALUE}(?:\s*,\s*-?\d*\.?\d+)?\s*\)"
    rf"|{_DECIMAL}\s*,\s*{_DECIMAL}(?:\s*,\s*-?\d*\.\d+)?"
    rf"|\bx\s*(?:=|is|of|at)\s*{_VALUE}\W+(?:and\s+)?y\s*(?:=|is|of|at)\s*{_VALUE}",
    re.IGNORECASE,
)
"""A point, however it is written."""
_NAME = re.compile(r"\bP(\d+)\b")
_FREE = re.compile(r" (?:Free places: .*|There is no free place left\.)$")
_CHOICE = re.compile(r"^(Which [^,?]*), [^?]* or [^?]*\?$")


class Points:
    """Points by the names under which they are spoken of, P1, P2 and so on, in the order in which they were."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._names: dict[Point, str] = {}
        for text in texts:
            for match in POINT_PATTERN.finditer(text):
                self._names.setdefault(_point(match), f"P{len(self._names) + 1}")

    @property
    def names(self) -> Mapping[str, Point]:
        """Where each is."""
        return {name: point for point, name in self._names.items()}

    def named(self, text: str) -> str:
        """A text with names in place of those points that have one."""
        return POINT_PATTERN.sub(lambda match: self._names.get(_point(match), match[0]), text)

    def spelled(self, text: str) -> str:
        """A text with coordinates in place of names."""
        known = self.names
        return _NAME.sub(lambda match: _render_point(known[match[0]]) if match[0] in known else match[0], text)


def _render_point(point: Point) -> str:
    """A point as it is written: `(0.10, -0.20)`."""
    return f"({point[0] + 0.0:.2f}, {point[1] + 0.0:.2f})"


def _point(match: re.Match[str]) -> Point:
    x, y = (round(float(value), 2) + 0.0 for value in match.groups() if value)
    return x, y


def points_of(monologue: Monologue) -> Points:
    """The points that a person has spoken of for the request at hand."""
    return Points(monologue.heard())


def render_short_dialogue(
    monologue: Monologue,
    language: TaskLanguage,
    *,
    asks: bool = True,
    gone: Sequence[str] = (),
) -> str:
    """All that was said about the request at hand; `gone` is what was looked for in vain."""
    points, state = points_of(monologue), _state(monologue.first(Observation, after=monologue.task_start()))
    lines = [*language.render_scene(state), *([] if asks else [ALONE])]
    spoken: list[str] = []
    for event in monologue.task():
        match event.record:
            case Request(text) | Answer(text):
                spoken.append(text)
                lines += [f"Human: {points.named(' '.join(text.split()))}", *_notes([text], state, points, language)]
            case Observation() if is_ordered_look(event, monologue):
                state = _state(event.record)
                told = [f"No {name} here." for name in gone]
                lines += ["Now:", *language.render_scene(state), *_notes(spoken, state, points, language), *told]
            case _:
                lines += [points.named(line) for line in _lines(event)]
    return "\n".join(lines) + "\n"


def _state(seen: Observation | None) -> WorldState:
    return (seen.state if seen is not None else None) or WorldState()


def _notes(texts: Sequence[str], state: WorldState, points: Points, language: TaskLanguage) -> list[str]:
    """What has to be known about the points of texts."""
    spoken = Points(texts).names.values()
    told = [
        f"{name}{why}"
        for name, at in points.names.items()
        if at in spoken and (why := language.render_remark(state, at))
    ]
    return [f"Note: {', '.join(told)}."] if told else []


def _lines(event: Event) -> list[str]:
    """What an event other than a person's words adds."""
    match event.record:
        case Plan(steps=steps, verbatim=verbatim) if steps:
            meant, _, said = verbatim.partition("\n")
            reasons = ". ".join(dict.fromkeys(step.reason or step.words.rstrip(".") for step in steps))
            return [f"{MEANT} {meant}", said] if said else [f"{PLAN} {reasons}."]
        case Ask(questions, because):
            asked = " ".join(_CHOICE.sub(r"\1?", question) for question in questions)
            return [*([f"{MEANT} {because}"] if because else []), f"{ASK} {asked}"]
        case Look(because):
            return [*([f"{MEANT} {because}"] if because else []), AGAIN]
        case Critique(violations) if violations:
            return [f"Critic: {_FREE.sub('', violation.why)}" for violation in violations]
        case Rehearsal(feasible=False, error=error):
            return [f"Simulator: {error}"]
        case Refusal(role="planner", why=why):
            return [f"Not possible: {why}"]
        case Outcome(_, "interrupted", _):
            return ["Interrupted."]
        case _:
            return []
