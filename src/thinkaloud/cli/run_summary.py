"""How a request went and what it cost, counted from its events."""

from __future__ import annotations

from dataclasses import dataclass, field

from thinkaloud.episode.endings import DONE, TAKEN, UNDERSTOOD
from thinkaloud.language.words import is_ended
from thinkaloud.records import (
    Answered,
    Condition,
    Content,
    Emergency,
    End,
    Meaning,
    ModelCall,
    Noted,
    Observation,
    Outcome,
    Plan,
    Record,
    Request,
    Started,
    Verdict,
)
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.skills.self_repair import NOTHING_TO_DO


@dataclass
class RoleCost:
    """What one role's calls have cost since the last decision."""

    calls: int = 0
    evaluated: int = 0
    cached: int = 0
    generated: int = 0
    seconds: float = 0.0
    money: float = 0.0

    def add(self, call: ModelCall) -> None:
        """Add one call."""
        self.calls += 1
        self.evaluated += call.evaluated
        self.cached += call.cached
        self.generated += call.generated
        self.seconds += call.seconds
        self.money += call.money

    def words(self, role: str) -> str:
        """The cost in one line."""
        calls = f"{self.calls} calls, " if self.calls > 1 else ""
        tokens = f"{self.evaluated} new + {self.cached} cached tokens, {self.generated} generated"
        money = f", cost {self.money:.4g}" if self.money else ""
        return f"{role}: {calls}{tokens}, {self.seconds:.1f} s{money}"


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
    meant: Content | None = None
    """What was understood last, by a preset that understands requests before planning."""
    cost: RoleCost = field(default_factory=RoleCost)
    """Of all calls of models for the request."""
    _failed: set[str] = field(default_factory=set)
    _mended: int = 0
    """Repairs in the latest step. They count once a check says that the step worked."""

    def count(self, record: Record) -> None:
        """Count one more record."""
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
            case ModelCall():
                self.cost.add(record)
            case Meaning(content=content):
                self.meant = content
            case End():
                self.end = record
            case _:
                pass

    @property
    def met(self) -> bool:
        """Whether a check found that the goal is met."""
        return self.end is not None and self.end.result == "goal met"

    @property
    def good(self) -> bool:
        """Whether the person got what they wanted: the goal is met, or the question answered."""
        return self.met or (self.end is not None and self.end.result == "answered")

    def progress(self) -> str:
        """`2 of 3 conditions hold`; empty if that is not known."""
        if not self.goal or self.achieved is None:
            return ""
        one = len(self.goal) == 1
        return f"{len(self.achieved)} of {len(self.goal)} condition{'' if one else 's'} hold{'s' if one else ''}"

    def sentence(self) -> str:
        """How the run ended; what was understood stands on a line of its own."""
        if self.end is None:
            return "Not met: the run did not end."
        because = " ".join(self.end.because.split())
        understood, done, rest = (
            because.partition(f" {DONE}") if because.startswith((UNDERSTOOD, TAKEN)) else ("", "", "")
        )
        if self.met and because.startswith(DONE):
            return f"{because} {self._counted()}."
        if done and self.end.result in ("goal met", "unconfirmed"):
            return f"{understood}\n{DONE}{rest} {self._counted()}."
        if self.met:
            return self._sentence_before_done(because)
        because += "" if is_ended(because) else "."
        if self.good:
            return f"{self._answered()}{because}"
        failed = {"failed": "Not met", "unconfirmed": "Not confirmed"}.get(
            self.end.result, f"Not met ({self.end.result})"
        )
        counted = ", ".join(filter(None, (self.progress(), self._counted())))
        return f"{failed}: {because} {counted[:1].upper()}{counted[1:]}."

    def _answered(self) -> str:
        """What an ending without a goal is: an answer, or something noted, such as a rule or a reminder."""
        match self.meant:
            case Emergency() | Answered(idle=True):
                return ""
            case Noted():
                return "Noted: "
        return "Answered, without a move: "

    def _counted(self) -> str:
        """`3 steps, 1 retried`."""
        steps = f"{self.steps} step{'' if self.steps == 1 else 's'}"
        retried = f"{self.retried} retried" if self.retried else ""
        corrections = f"{self.corrections} correction{'' if self.corrections == 1 else 's'}" if self.corrections else ""
        repaired = f"{self.fixed} fixed on the way" if self.fixed else ""
        return ", ".join(filter(None, (steps, retried, corrections, repaired)))

    def _sentence_before_done(self, because: str) -> str:
        """The ending of a journal from before endings said `Done`: worded as it was then."""
        counted = ", ".join(filter(None, (self.progress(), self._counted())))
        if because.startswith(UNDERSTOOD):
            return f"{because} ({counted}.)"
        taken = because[because.index(TAKEN) :] if TAKEN in because else ""
        return f"The goal was checked in the world and is met: {counted}. {taken}".rstrip()
