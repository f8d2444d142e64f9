"""A run that is killed at a chosen moment and resumed by another agent, held against one that nobody kills.

    result = kill_job(job, "tick 412")
    assert not result.faults

A moment is `tick N` (a control tick of a skill), `before N` or `after N` (the commit of an event), counted over the
whole run, or `random`, which is drawn from a seed. A kill is an exception that nothing catches, after which nothing
gets into the journal any more; with `how="signal"` it is SIGKILL, in a process of its own. `kill_jobs` has jobs for
every world.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from thinkaloud.agent import Agent, restore_world
from thinkaloud.cli.staging import open_world_of
from thinkaloud.converse.inbox import Inbox
from thinkaloud.guidelines import read_guidelines
from thinkaloud.models import Model
from thinkaloud.models.contract import Verbatim
from thinkaloud.monologue import Event
from thinkaloud.records import Answer, Ask, Begin, End, Outcome, Record, Verdict
from thinkaloud.remember.journal import Journal, Session
from thinkaloud.worlds import World

How = Literal["raise", "signal"]
FIRST = 2
"""The number of the first commit after which there is something to resume."""


@dataclass(frozen=True)
class Job:
    """What is to be done where: `open` makes the world anew, `model` whoever thinks."""

    world: str
    preset: str
    request: str
    model: Callable[[], Model]
    scene: str = ""
    seed: int = 0
    open: Callable[[Begin], World] = open_world_of
    guidelines: str = ""
    answer: str = ""
    """What a person says to every question; nobody is there where that is nothing."""

    @property
    def begin(self) -> Begin:
        return Begin(self.world, self.preset, "scripted", self.seed, {}, self.scene)


@dataclass(frozen=True)
class Course:
    """What came of a run: how it ended, which steps worked, and how long it was."""

    end: End
    worked: Counter[str]
    commits: int
    ticks: int


@dataclass(frozen=True)
class KillResult:
    """What a kill did to a run."""

    job: Job
    at: str
    whole: Course
    end: End | None
    repeated: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    wrong_end: str = ""
    broke: str = ""

    @property
    def faults(self) -> list[str]:
        """All that went wrong, in words."""
        said = [f"repeated: {words}" for words in self.repeated] + [f"lost: {words}" for words in self.lost]
        return said + [text for text in (self.wrong_end, self.broke) if text]


class Killed(BaseException):
    """The process is no more."""


@dataclass
class Doom:
    """Counts ticks and commits, and ends it all at the chosen one; from then on nothing happens any more."""

    at: str = "never"
    how: How = "raise"
    counted: Counter[str] = field(default_factory=Counter)
    dead: bool = False

    def reach(self, kind: str) -> None:
        if self.dead or f"{kind} {self.counted[kind]}" == self.at:
            self.dead = True
            if self.how == "signal":
                os.kill(os.getpid(), signal.SIGKILL)
            raise Killed
        self.counted[kind] += 1


class DoomedSession(Session):
    """A session of a process that may end right before or right after a commit."""

    doom: Doom

    def commit(
        self, index: int, at: float, record: Record, snapshot: bytes | None = None, said: Verbatim | None = None
    ) -> None:
        self.doom.reach("before")
        super().commit(index, at, record, snapshot, said)
        self.doom.reach("after")

    def checkpoint(self, at: float, snapshot: bytes) -> None:
        if not self.doom.dead:
            super().checkpoint(at, snapshot)


def moments(job: Job, *, every: int = 1) -> list[str]:
    """Every moment of a run at which it can be killed and has something to resume; of the ticks, some."""
    whole = run_whole(job)
    commits = range(FIRST, whole.commits)
    around = [f"{side} {number}" for number in commits for side in ("before", "after")]
    return around[:-1] + [f"tick {number}" for number in range(0, whole.ticks, every)]


def kill_job(job: Job, at: str, seed: int = 0, *, how: How = "raise") -> KillResult:
    """Kill a run at a moment, resume it, and hold what came of it against the run that nobody kills."""
    whole = run_whole(job)
    if at == "random":
        at = random.Random(f"{job.world} {job.preset} {seed}").choice(moments(job))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        try:
            _kill(job, path, Doom(at, how))
            end, records = _resume(job, path)
        except Exception as error:
            return KillResult(job, at, whole, None, broke=f"{type(error).__name__}: {error}")
    worked = _worked(records)
    same = end.result == whole.end.result
    return KillResult(
        job,
        at,
        whole,
        end,
        tuple((worked - whole.worked).elements()),
        tuple((whole.worked - worked).elements()),
        "" if same else f"ended as {end.result} ({end.because}), not as {whole.end.result}",
    )


_whole: dict[Job, Course] = {}


def run_whole(job: Job) -> Course:
    """The run that nobody kills; run once."""
    if job not in _whole:
        with tempfile.TemporaryDirectory() as folder:
            doom = Doom()
            end = _run(job, Path(folder) / "journal.db", doom)
            with Journal(Path(folder) / "journal.db") as journal:
                records = [record for _, _, record in journal.open(journal.sessions()[0].id).events()]
        _whole[job] = Course(end, _worked(records), doom.counted["after"], doom.counted["tick"])
    return _whole[job]


def _run(job: Job, path: Path, doom: Doom) -> End:
    world = job.open(job.begin)
    with Journal(path) as journal, journal.begin() as session:
        session.__class__ = DoomedSession
        session.doom = doom  # type: ignore[attr-defined]
        agent = _agent(job, world, session, begin=job.begin, ticking=[lambda: doom.reach("tick")])
        return asyncio.run(agent.run(job.request))


def _kill(job: Job, path: Path, doom: Doom) -> None:
    if doom.how == "raise":
        try:
            _run(job, path, doom)
        except Killed:
            return
        raise AssertionError(f"{job.world}, {job.preset}: {doom.at} never came")
    child = os.fork()
    if child == 0:
        try:
            _run(job, path, doom)
        except BaseException:
            traceback.print_exc()
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status


def _resume(job: Job, path: Path) -> tuple[End, list[Record]]:
    with Journal(path) as journal, journal.resume(journal.sessions()[0].id) as session:
        world = job.open(job.begin)
        restore_world(world, session, job.seed)
        agent = _agent(job, world, session)
        if agent.ended() is None:
            asyncio.run(agent.resume())
        end = agent.ended()
        assert end is not None
        return end, [event.record for event in agent.monologue]


def _agent(job: Job, world: World, session: Session, **more: Any) -> Agent:
    person = Inbox(present=bool(job.answer))
    guidelines = read_guidelines(job.guidelines) if job.guidelines else None
    agent = Agent(
        world, job.model(), job.preset, session=session, person=person, guidelines=guidelines, seed=job.seed, **more
    )

    def answer(event: Event) -> None:
        if isinstance(event.record, Ask) and job.answer:
            person.say(Answer(job.answer))

    agent.monologue.listeners.append(answer)
    if job.answer and agent.asks():  # asked by the process that was killed
        person.say(Answer(job.answer))
    return agent


def _worked(records: list[Record]) -> Counter[str]:
    """The steps that were found to have worked; where nobody judges, those that were completed."""
    judged = any(isinstance(record, Verdict) for record in records)
    good = [r.step.words for r in records if isinstance(r, Verdict) and r.ok]
    return Counter(
        good if judged else [r.step.words for r in records if isinstance(r, Outcome) and r.ending == "completed"]
    )
