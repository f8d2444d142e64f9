"""Detect a step that is repeated without effect: the same call, the same failure, the same scene."""

from __future__ import annotations

from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation, Outcome, Started

_MOST = 3


def find_repeated_failure(said: Monologue) -> str:
    """Why it is pointless to go on, if the latest step failed several times in a row without effect; or nothing.

    Only failures that the skill itself reports count: a motion that completed but missed may succeed next time.
    Correctors have their own limit.
    """
    steps = [(event.index, event.record) for event in said.task() if isinstance(event.record, Started)][-_MOST:]
    if len(steps) < _MOST or any(step.correcting for _, step in steps):
        return ""
    begun = [at for at, _ in steps]
    tries = [_tried(said, at, end) for at, end in zip(begun, [*begun[1:], None], strict=True)]
    first = tries[0]
    if first is None or any(each != first for each in tries):
        return ""
    words, why, _ = first
    return f"{words.rstrip('.')}: tried {_MOST} times, and each time nothing changed ({why})"


def _tried(said: Monologue, at: int, end: int | None) -> tuple[str, str, Observation] | None:
    """The words of a step that failed and changed nothing, the reason, and the scene; None if it changed something."""
    before, started = said.last(Observation, before=at), said[at].record
    outcome, after = said.last(Outcome, after=at, before=end), said.last(Observation, after=at, before=end)
    if not isinstance(started, Started) or outcome is None or outcome.ending != "failed" or before is None:
        return None
    if outcome.fixes or (after is not None and after != before):
        return None
    return started.step.words, outcome.report, before
