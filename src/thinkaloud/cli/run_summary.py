"""How a request went and what it cost, counted off its events, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

from thinkaloud.episode.endings import TAKEN, UNDERSTOOD
from thinkaloud.records import Condition, End, ModelCall, Observation, Outcome, Plan, Record, Request, Started, Verdict
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.skills.self_repair import NOTHING_TO_DO


@dataclass
class Tally:
    """Counts what happened since the latest request."""

    goal: tuple[Condition, ...] = ()
    achieved: tuple[Condition, ...] | None = None
    steps: int = 0
    retried: int = 0
    corrections: int = 0
    fixed: int = 0
    end: End | None = None
    _failed: set[str] = field(default_factory=set)
    _mended: int = 0
    """What was put right in the latest step; it counts once a check says that the step worked."""

    def count(self, record: Record) -> None:
        """Take one more record into account."""
        match record:
            case Request():
                self.__init__()  # type: ignore[misc]
            case Plan(conditions=conditions):
                if conditions != self.goal:
                    self.goal, self.achieved = conditions, None
            case Observation(achieved=achieved):
                self.achieved = achieved
            case Started(step, correcting) if step.skill not in STEPS:
                self.steps += 1
                again = step.words in self._failed
                self.retried += again
                self.corrections += correcting and not again
                self._failed.discard(step.words)
            case Outcome(step, ending, fixes=fixes):
                self._mended = sum(fix.remedy != NOTHING_TO_DO for fix in fixes)
                if ending != "completed":
                    self._failed.add(step.words)
            case Verdict(step, ok):
                if ok:
                    self.fixed += self._mended
                else:
                    self._failed.add(step.words)
                self._mended = 0
            case End():
                self.end = record
            case _:
                pass

    @property
    def met(self) -> bool:
        """Whether the goal was checked and is met."""
        return self.end is not None and self.end.result == "goal met"

    @property
    def good(self) -> bool:
        """Whether the person got what they wanted: a goal that is met, or an answer."""
        return self.met or (self.end is not None and self.end.result == "answered")

    def progress(self) -> str:
        """`2 of 3 conditions hold`, or nothing where that is not known."""
        if not self.goal or self.achieved is None:
            return ""
        one = len(self.goal) == 1
        return f"{len(self.achieved)} of {len(self.goal)} condition{'' if one else 's'} hold{'s' if one else ''}"

    def sentence(self) -> str:
        """How it ended."""
        if self.end is None:
            return "Not met: the run did not come to an end."
        steps = f"{self.steps} step{'' if self.steps == 1 else 's'}"
        retried = f"{self.retried} retried" if self.retried else ""
        fixed = f"{self.fixed} put right on the way" if self.fixed else ""
        corrections = f"{self.corrections} correction{'' if self.corrections == 1 else 's'}" if self.corrections else ""
        counted = ", ".join(filter(None, (self.progress(), steps, retried, corrections, fixed)))
        because = " ".join(self.end.because.split())
        if self.met and because.startswith(UNDERSTOOD):
            return f"{because} ({counted}.)"
        taken = because[because.index(TAKEN) :] if TAKEN in because else ""
        if self.met:
            return f"The goal was checked in the world and is met: {counted}. {taken}".rstrip()
        if self.end.result == "unconfirmed" and because.startswith(UNDERSTOOD):  # it says that nothing can be checked
            return f"{because} ({counted}.)"
        because += "" if because.endswith((".", "!", "?", ".)")) else "."
        if self.good:
            return f"Answered, without a move: {because}"
        named = "" if self.end.result == "failed" else f" ({self.end.result})"
        return f"Not met{named}: {because} {counted[:1].upper()}{counted[1:]}."


@dataclass
class RoleCost:
    """What the calls of one role cost since the last decision."""

    calls: int = 0
    evaluated: int = 0
    cached: int = 0
    generated: int = 0
    seconds: float = 0.0

    def add(self, call: ModelCall) -> None:
        """One more call."""
        self.calls += 1
        self.evaluated += call.evaluated
        self.cached += call.cached
        self.generated += call.generated
        self.seconds += call.seconds

    def words(self, role: str) -> str:
        """In one line."""
        calls = f"{self.calls} calls, " if self.calls > 1 else ""
        tokens = f"{self.evaluated} new + {self.cached} cached tokens, {self.generated} generated"
        return f"{role}: {calls}{tokens}, {self.seconds:.1f} s"
