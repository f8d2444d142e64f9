"""The simplest correction: what did not work is tried again, a few times."""

from __future__ import annotations

from thinkaloud.monologue import Monologue
from thinkaloud.records import Started, Step, Verdict


class TryAgain:
    """Repeats a step that failed, at most `times` in a row."""

    def __init__(self, times: int = 2) -> None:
        self._times = times

    async def correct(self, verdict: Verdict, monologue: Monologue) -> Step | None:
        """The same step once more, or None when it has worked or has been tried often enough."""
        if verdict.ok:
            return None
        tried = 0
        for started in reversed(monologue.in_task(Started)):
            if started.step != verdict.step or not started.correcting:
                break
            tried += 1
        return verdict.step if tried < self._times else None
