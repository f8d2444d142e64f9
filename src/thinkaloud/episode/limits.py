"""How far a run may go before it ends without meeting its goal."""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.episode.progress import MEMORY, has_refused_step
from thinkaloud.monologue import Monologue
from thinkaloud.records import Ask, Critique, Look, ModelCall, Plan, Refusal, Rehearsal, Started


@dataclass(frozen=True)
class Limits:
    """When a run ends without meeting its goal. Hitting a limit is not the same as failing."""

    steps: int = 15
    plans: int = 50
    refusals: int = 3
    revisions: int = 5
    looks: int = 3
    questions: int = 10
    tokens: int = 0
    """Tokens that the models read and write for a request; 0 means any number."""
    money: float = 0.0
    """What that costs, by the prices in the settings; 0 means any amount."""
    thinking: float = 0.0
    """Seconds that the models take; 0 means any time."""
    patience: float | None = None
    """Seconds of real time the robot waits for an answer; None means as long as it takes."""

    def find_exceeded(self, said: Monologue) -> str | None:
        """The limit the current request has hit, in words; None if it has hit none."""
        start = said.task_start()
        counts = said.counts(start)
        if counts[Started] >= self.steps:
            steps = "1 step" if self.steps == 1 else f"{self.steps} steps"
            return f"no more than {steps} may be taken"
        if counts[Plan] > self.plans:
            return f"more than {self.plans} plans were made"
        usable = said.where((Plan, Started), after=start)
        while usable is not None and has_refused_step(said, usable):
            usable = said.where((Plan, Started), after=start, before=usable)
        refused = said.since(start if usable is None else usable, Refusal)
        refusals = [each for each in refused if each.role != MEMORY]  # a note that is given up ends nothing
        if len(refusals) >= self.refusals:
            return f"the model gave no usable answer {len(refusals)} times; the last: {refusals[-1].why}"
        revisions = sum(bool(c.violations) for c in said.since(start, Critique))
        revisions += sum(not r.feasible for r in said.since(start, Rehearsal))
        if revisions > self.revisions:
            return f"the plan was sent back {revisions} time{'' if revisions == 1 else 's'} and is still not sound"
        if spent := self._find_overspent(said, start):
            return spent
        asked = sum(not ask.approval for ask in said.since(start, Ask))
        for count, limit, name in (
            (counts[Look], self.looks, "looks"),
            (asked, self.questions, "questions"),
        ):
            if count > limit:
                return f"more than {limit} {name}"
        return None

    def _find_overspent(self, said: Monologue, start: int) -> str | None:
        """What the models have used up for the current request, in words; None if they may go on."""
        if not (self.tokens or self.money or self.thinking):
            return None
        calls = said.since(start, ModelCall)
        tokens = sum(call.prompt + call.generated for call in calls)
        money, seconds = sum(call.money for call in calls), sum(call.seconds for call in calls)
        if self.tokens and tokens >= self.tokens:
            return f"the models have used {tokens:,} tokens, and may use {self.tokens:,} for a request (request_tokens)"
        if self.money and money >= self.money:
            return f"the models have cost {money:.4g}, and may cost {self.money:.4g} for a request (request_money)"
        if self.thinking and seconds >= self.thinking:
            return f"the models took {seconds:.1f} s, and may take {self.thinking:g} s for a request (request_seconds)"
        return None
