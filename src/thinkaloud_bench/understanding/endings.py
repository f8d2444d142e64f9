"""How a request came to an end, as a person would take it: done, a question, a refusal, or a failure that was told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    DECISIONS,
    Answer,
    Ask,
    Decline,
    Done,
    End,
    Meaning,
    NotClear,
    Outcome,
    Refused,
    Request,
    Started,
    Stop,
)
from thinkaloud.skills.built_in_steps import SAY

EndingKind = Literal["done", "asked", "declined", "failed"]
_DONE = ("goal met", "answered", "unconfirmed")
_NOT_SAID = ("I took note of that", "there was nothing to do")
"""What stands in place of an answer where a program says none: neither a yes nor a no."""
_REFUSES = re.compile(
    r"\b(there (is|are|was|were) (no|not|none|nothing)|no such|cannot|can not|could not|unable|not able|impossible|"
    r"not possible|(see|have|know|find) no|(do|does|did) not|is not|are not|not here|no longer here)\b|n't\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ending:
    """How it ended, and what the robot said about it."""

    kind: EndingKind
    words: str
    refuses: bool = False
    """What was said is that something is not there, or cannot be."""


def ending_of(said: Monologue, after: int, end: End) -> Ending:
    """The ending of what was said last; `after` is the index of the last event before it."""
    kind, words = _kind(said, after, end), _words(said, after, end)
    return Ending(kind, words, _refuses(said, after, end, kind, words))


def _kind(said: Monologue, after: int, end: End) -> EndingKind:
    decided = said.last((*DECISIONS, Answer, Request), after=after)
    if isinstance(decided, Ask) and not decided.approval and end.result not in _DONE:
        return "asked"
    meaning = said.last(Meaning, after=after)
    if end.result == "declined":
        return "declined"
    if meaning is not None and meaning.sort in ("refusal", "unclear") and not said.since(after, Started):
        return "declined"
    stopped = end.result == "stopped" and (
        said.last(Stop, after=after) is not None or (meaning is not None and meaning.sort == "stop")
    )
    return "done" if end.result in _DONE or stopped else "failed"


def _words(said: Monologue, after: int, end: End) -> str:
    """What the robot told the person: answers, what it said in steps, and reasons; not what the loop itself notes."""
    meanings = said.since(after, Meaning)
    told = [text for meaning in meanings for text in meaning.said]
    told += [str(o.step.arguments["text"]) for o in said.since(after, Outcome) if o.step.skill == SAY]
    if not told:
        told += [done.because for done in said.since(after, Done) if done.how != "finished"]
        told += [decline.why for decline in said.since(after, Decline)]
        told += [m.content.why for m in meanings if isinstance(m.content, Refused | NotClear)]
        told += [end.because] if end.result in ("answered", "declined") else []
    return " ".join(dict.fromkeys(text.strip() for text in told if text.strip() and text not in _NOT_SAID))


def _refuses(said: Monologue, after: int, end: End, kind: EndingKind, words: str) -> bool:
    """Whether a person was told that it cannot be: a refusal, words that say so, or a report of a step that failed."""
    if kind == "declined":
        return True
    if kind == "done":
        return _REFUSES.search(words) is not None
    failed = [outcome.report for outcome in said.since(after, Outcome) if outcome.ending == "failed"]
    if kind == "failed":
        return bool(failed) and end.result == "failed"
    asked = " ".join(question for ask in said.since(after, Ask) for question in (*ask.questions, ask.because))
    return any(report and report.rstrip(".").lower() in asked.lower() for report in failed)


def has_asked(said: Monologue) -> bool:
    """Whether anything was asked of the person, but for leave to go on."""
    return any(not ask.approval for ask in said.since(None, Ask))
