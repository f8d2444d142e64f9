"""Runs a campaign: each family in turn for its share of the time; failing inputs are saved."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from campaign.contract import Attempt, Family, FamilyKind, Finding, Kind, NotHere, NotTried, Stage

_MOST_KEPT = 40
"""The most failing inputs of one kind that are saved per family; all of them are counted."""
Progress = Callable[[str], None]


@dataclass
class Tally:
    """The results of one family."""

    family: str
    attempts: int = 0
    passed_over: int = 0
    """Attempts without a result, which do not count: for example, a run that ended before it could be killed."""
    seconds: float = 0.0
    failures: dict[Kind, int] = field(default_factory=dict)
    kept: list[dict[str, str]] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """How many attempts found something."""
        return sum(self.failures.values())


@dataclass(frozen=True)
class Wanted:
    """What to run: for how long, how many attempts at most (None for as many as there is time for), where to save
    results, and which model and presets read hostile words."""

    seed: int
    seconds: float
    out: Path
    most: int | None = None
    model: str = ""
    presets: tuple[str, ...] = ()


def run_campaign(kinds: Sequence[FamilyKind], wanted: Wanted, work: Path, progress: Progress) -> list[Tally]:
    """Run all families in turn; time that one does not need goes to the others."""
    shutil.rmtree(wanted.out / "failures", ignore_errors=True)
    tallies, until = [], time.monotonic() + wanted.seconds
    for number, kind in enumerate(kinds):
        left = sum(other.weight for other in kinds[number:])
        share = max(until - time.monotonic(), 0.0) * kind.weight / left
        stage = Stage(work / kind.name, share, wanted.model, wanted.presets)
        tallies.append(run_family(kind, stage, wanted, progress))
    return tallies


def run_family(kind: FamilyKind, stage: Stage, wanted: Wanted, progress: Progress) -> Tally:
    """Run one family for its share of the time, with at least one attempt."""
    stage.folder.mkdir(parents=True, exist_ok=True)
    tally, start = Tally(kind.name), time.monotonic()
    family = kind.open(stage)
    for attempt in family.attempts(wanted.seed):
        tally.seconds = time.monotonic() - start
        if tally.attempts and (tally.seconds >= stage.seconds or tally.attempts == wanted.most):
            break
        progress(f"{kind.name}: {attempt.name}")
        try:
            finding = family.try_one(attempt)
        except NotHere as reason:
            progress(f"{kind.name}: {reason}")
            break
        except NotTried as reason:
            progress(f"{kind.name}: {attempt.name}: {reason}")
            tally.passed_over += 1
            continue
        except Exception as error:  # a bug in the campaign or in its target: report it and go on
            finding = Finding("crash", f"the campaign itself: {type(error).__name__}: {error}"[:300])
        tally.attempts += 1
        if finding is not None:
            _count(tally, attempt, finding, wanted.out)
        progress(f"{kind.name}: {tally.attempts} attempts, {tally.failed} failures, {tally.seconds:.0f} s")
    tally.seconds = time.monotonic() - start
    tally.figures = figures_of(family)
    close(family)
    return tally


def close(family: Family) -> None:
    """Close a family, if it can be closed."""
    if hasattr(family, "close"):
        family.close()


def figures_of(family: Family) -> dict[str, float]:
    """A family's measurements, if it has any."""
    found: dict[str, float] = getattr(family, "figures", {})
    return dict(found)


def _count(tally: Tally, attempt: Attempt, finding: Finding, out: Path) -> None:
    tally.failures[finding.kind] = tally.failures.get(finding.kind, 0) + 1
    if tally.failures[finding.kind] > _MOST_KEPT:
        return
    path = out / "failures" / f"{tally.family}-{finding.kind}-{tally.failures[finding.kind]}.json"
    keep(path, attempt, finding)
    replay = f"python -m campaign replay {path}"
    tally.kept.append({"kind": finding.kind, "name": attempt.name, "what": finding.what, "replay": replay})


def keep(path: Path, attempt: Attempt, finding: Finding) -> None:
    """Save an input that failed, and how it failed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"attempt": asdict(attempt), "finding": asdict(finding)}, indent=1) + "\n")


def read_kept(path: Path) -> Attempt:
    """Read a saved input."""
    return Attempt(**json.loads(path.read_text())["attempt"])
