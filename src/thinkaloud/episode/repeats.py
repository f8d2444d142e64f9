"""Repeats: a step that might do harm a second time is not done a second time unless a person says so.

A dose that was given is given, whatever a sensor shows of it. So nobody repeats a step on their own (no retry, no
correction, no new plan of a search or a model) if its skill is declared with `repeat=False`, or if its last try could
not be checked. The robot says what it did, and asks; where nobody can be asked, it stops there.

Only tries of the very same call count: those since the latest end, and for a skill that must not be repeated also
earlier ones of which nobody knows that they worked; not these, if nobody is there and the step is just what was asked
for, such as a dose each morning. A skill that was not begun, or that said that it cannot be done, has done nothing.
What a person asks for several times in one breath is no repeat as long as all goes well.
"""

from __future__ import annotations

from dataclasses import dataclass

from thinkaloud.monologue import Monologue
from thinkaloud.records import Meaning, Outcome, Started, Step, Verdict


@dataclass
class _Try:
    """What came of a call once."""

    outcome: Outcome | None = None
    verdict: Verdict | None = None

    @property
    def may_have_done_something(self) -> bool:
        return self.outcome is None or (self.outcome.begun and not self.outcome.impossible)

    @property
    def is_untold(self) -> bool:
        """Whether nobody knows if it worked, because the check itself failed."""
        return self.verdict is not None and self.verdict.unchecked and not self.verdict.ok

    @property
    def worked(self) -> bool:
        completed = self.outcome is not None and self.outcome.ending == "completed"
        return completed if self.verdict is None else self.verdict.ok

    def tell(self) -> str:
        """What a person has to know of it."""
        if self.worked:
            return "I have done this already."
        observed = "" if self.verdict is None else self.verdict.observed
        if self.is_untold:
            return f"I have done this already, and I cannot tell whether it worked. {observed}"
        if self.outcome is None or self.outcome.ending == "interrupted":
            return "I have begun this already, and was interrupted."
        why = self.outcome.report if self.verdict is None else self.verdict.why
        told = "I have tried this already, and as far as I can tell it did not work."
        return " ".join(filter(None, (told, why, observed)))


def tell_done_before(step: Step, monologue: Monologue, *, may_repeat: bool, present: bool) -> str:
    """What a person has to know before a step that may not simply be done again; empty if it may be done."""
    asked = _times_asked(step, monologue)
    tries = _tries(step, monologue, earlier=not may_repeat and (present or not asked))
    if not tries or (may_repeat and not tries[-1].is_untold):
        return ""
    if all(each.worked for each in tries) and len(tries) < max(asked, 1):
        return ""
    return tries[-1].tell()


def _tries(step: Step, monologue: Monologue, *, earlier: bool) -> list[_Try]:
    """What came of this call each time in this order; with `earlier`, also before it, where it did not surely work."""
    start = monologue.order_start()
    found: list[tuple[int, _Try]] = []
    current = _Try()
    for event in monologue.events_of((Started, Outcome, Verdict), after=-1 if earlier else start - 1):
        match event.record:
            case Started(begun):
                current = _Try()
                if _is_same(begun, step):
                    found.append((event.index, current))
            case Outcome() as outcome:
                current.outcome = outcome
            case Verdict() as verdict:
                current.verdict = verdict
            case _:
                pass
    return [each for at, each in found if each.may_have_done_something and (at >= start or not each.worked)]


def _times_asked(step: Step, monologue: Monologue) -> int:
    """How often a person asked for this call in one breath."""
    meant = monologue.in_order(Meaning)
    return max((sum(_is_same(deed, step) for deed in each.deeds) for each in meant), default=0)


def _is_same(one: Step, other: Step) -> bool:
    return one.skill == other.skill and one.arguments == other.arguments
