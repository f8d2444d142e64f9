"""The simplest correction: what did not work is tried again, a few times."""

from __future__ import annotations

from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Started, Step, Verdict


class TryAgain:
    """Repeats a step that failed, at most `times` in a row.

    With `failed=False` only one that was carried out and had no effect: a skill that said why it cannot would say so
    again.
    """

    def __init__(self, times: int = 2, *, failed: bool = True) -> None:
        self._times, self._failed = times, failed

    async def correct(self, verdict: Verdict, monologue: Monologue) -> Step | None:
        """The same step once more, or None when it has worked or has been tried often enough."""
        outcome = monologue.last(Outcome)
        if verdict.ok or (not self._failed and outcome is not None and outcome.ending != "completed"):
            return None
        tried = 0
        for started in reversed(monologue.in_task(Started)):
            if started.step != verdict.step or not started.correcting:
                break
            tried += 1
        return verdict.step if tried < self._times else None
