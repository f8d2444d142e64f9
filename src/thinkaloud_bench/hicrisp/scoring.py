"""Count the errors and corrections of a run in its monologue.

- `attempts`: every step that was started, including corrections and retries; `completed`: those whose skill reported no
  error. Their ratio is `exec_reported`. The paper's Exec, "the percentage of successfully executed semantic actions out
  of all actions attempted", is counted by effects (`effects.py`).
- `planned`: steps of the plan that were attempted; `executed`: those that were carried out in the end, possibly after
  corrections. Their ratio is `exec_steps`.
- `motions`: steps that the model asked for (plan and corrections), and retries.
- `cues`: looks at the world: the first look, one after every step, and every look that a fix takes. Without low-level
  correction, there is one more for every step, to see whether the primitive worked; a robot with low-level feedback
  feels that itself. A look by which the primitive itself finds that all is well is not counted.
- `errors`: problems met. `fixed_low`: by the skill itself. `fixed_high`: by the correction stack. `given_up`: the rest.
  ProgPrompt gives up whatever failed: what its assertions achieve later is a separate step. Where nothing is checked at
  all, a step whose skill reports a failure counts as given up.
- `fixes`: what skills tried by themselves; `corrections`: what the stack tried; `corrector_calls`: how often it asked
  the model for one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thinkaloud.methods.hicrisp.failure_history import cases
from thinkaloud.monologue import Monologue
from thinkaloud.presets import read_preset
from thinkaloud.records import Begin, ModelCall, Outcome, Started, Verdict
from thinkaloud.skills.self_repair import NOTHING_TO_DO
from thinkaloud_bench.playing import Judged


def scores_of(monologue: Monologue, *, low: bool | None = None) -> dict[str, float]:
    """Return the numbers of a run; `low`: whether the robot had low-level feedback, if its preset does not say."""
    if low is None:
        begin = monologue.last(Begin)
        low = begin is not None and read_preset(begin.preset)[1].get("low") == "on"
    outcomes = monologue.since(None, Outcome)
    planned = sum(not started.correcting for started in monologue.since(None, Started))
    completed = sum(outcome.ending == "completed" for outcome in outcomes)
    failed = cases(monologue)
    checked = monologue.last(Verdict) is not None
    given_up = sum(not case.fixed for case in failed) if checked else len(outcomes) - completed
    fixes = [fix for outcome in outcomes for fix in outcome.fixes if fix.remedy != NOTHING_TO_DO]
    fixed_low = _fixed_low(monologue)
    return {
        "planned": planned,
        "executed": planned - given_up,
        "attempts": len(outcomes),
        "completed": completed,
        "motions": len(monologue.since(None, Started)),
        "cues": 1 + (1 if low else 2) * len(outcomes) + sum(fix.looked for fix in fixes),
        "errors": fixed_low + (len(failed) if checked else given_up),
        "fixed_low": fixed_low,
        "fixed_high": sum(case.fixed for case in failed),
        "given_up": given_up,
        "fixes": len(fixes),
        "corrections": sum(len(case.tries) for case in failed),
        "corrector_calls": sum(call.role == "corrector" for call in monologue.since(None, ModelCall)),
    }


def judged(
    said: Monologue,
    recall: float,
    met: bool,
    *,
    because: str = "",
    scores: Mapping[str, float] | None = None,
    details: Sequence[Mapping[str, Any]] = (),
) -> Judged:
    """What a judge found, with the numbers of the run."""
    numbers = {"recall": recall, **(scores or {}), **scores_of(said)}
    return Judged(met, because or None, scores=numbers, details=details)


def _fixed_low(monologue: Monologue) -> int:
    """Problems that skills corrected by themselves, in steps that then worked."""
    count = waiting = 0
    for event in monologue:
        if isinstance(event.record, Outcome):
            waiting = sum(fix.remedy != NOTHING_TO_DO for fix in event.record.fixes)
        elif isinstance(event.record, Verdict) and event.record.ok:
            count += waiting
    return count
