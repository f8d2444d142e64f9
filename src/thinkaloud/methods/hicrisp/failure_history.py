"""What went wrong in a run and what was tried about it: HiCRISP's stack, read from the monologue.

a step fails                       → a case begins; the stack holds that step and why it failed
a correction works                 → the steps on the stack are tried again, from the top
  … and works                      → popped; the case is over when the stack is empty
  … and fails                      → the top gets the new reason, and another correction is needed
a correction fails                 → it is pushed, with its reason: it must be corrected first
a new decision, or the end         → what is still on the stack is given up
"""

from __future__ import annotations

from dataclasses import dataclass, field

from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    DECISIONS,
    Ask,
    End,
    Request,
    Started,
    Step,
    Stop,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed step and its reason: an entry of the stack."""

    step: Step
    why: str

    @classmethod
    def of(cls, verdict: Verdict) -> Failure:
        """Return what failed according to a verdict: the skill's report, and what is not as it should be."""
        return cls(verdict.step, " ".join(filter(None, [verdict.why, verdict.observed])))

    def same_as(self, other: Failure) -> bool:
        """Whether the same step failed for the same reason."""
        return (self.step.words, self.why) == (other.step.words, other.why)


@dataclass(frozen=True, slots=True)
class Try:
    """A correction that was tried, and the failure that it was for."""

    step: Step
    cause: Failure


@dataclass
class Case:
    """One step of a plan that failed, and everything that was tried until it worked or was given up."""

    stack: list[Failure]
    tries: list[Try] = field(default_factory=list)
    retrying: bool = False
    """The latest correction worked, so the top of the stack is to be tried again."""

    @property
    def first(self) -> Failure:
        """The step of the plan that failed, in its current form."""
        return self.stack[0]

    @property
    def top(self) -> Failure:
        """What must be corrected first."""
        return self.stack[-1]

    @property
    def fixed(self) -> bool:
        """Whether nothing is left to correct."""
        return not self.stack


_DECIDED = (*DECISIONS, Request, Stop, End)
"""Events that end an open case without solving it. Asking whether a step may be done decides nothing."""


def cases(monologue: Monologue, after: int = -1) -> list[Case]:
    """Return every step that failed after an event, in order; only the last can be open."""
    return _read(monologue, after)[0]


def under_way(monologue: Monologue) -> Case | None:
    """Return the failed step that is being corrected now, if there is one."""
    current = _read(monologue, monologue.task_start())[1]
    return None if current is None or current.fixed else current


def _read(monologue: Monologue, after: int) -> tuple[list[Case], Case | None]:
    """Return all the cases after an event, and the latest one unless it was abandoned."""
    found: list[Case] = []
    current: Case | None = None
    started: Started | None = None
    for event in monologue[after + 1 :]:
        record = event.record
        if isinstance(record, _DECIDED):
            current = current if isinstance(record, Ask) and record.approval else None
        elif isinstance(record, Started):
            started = record
        elif isinstance(record, Verdict) and started is not None:
            if not started.correcting:
                current = None if record.ok else Case([Failure.of(record)])
                found += [current] if current is not None else []
            elif current is not None and not current.fixed:
                _judge(current, record)
    return found, current


def _judge(case: Case, verdict: Verdict) -> None:
    """Apply the verdict on a correcting step to the stack."""
    if not case.retrying:
        case.tries.append(Try(verdict.step, case.top))
        if verdict.ok:
            case.retrying = True
        else:
            case.stack.append(Failure.of(verdict))
    elif verdict.ok:
        case.stack.pop()
    else:
        case.stack[-1] = Failure.of(verdict)
        case.retrying = False
