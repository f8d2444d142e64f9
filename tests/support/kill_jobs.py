"""Jobs to be killed in the middle: every preset in the toy world, and two worlds with a body, with real processes.

    found = kill_job(TOY_JOBS["hicrisp"], "tick 5", tmp_path)
    assert found is None

A moment is `tick N` (a control tick of a skill), `before N` or `after N` (the commit of an event), counted over the
whole run. How a process is killed, and what must not be different afterwards, is the campaign's.

    python kill_jobs.py FOLDER 3    kills every toy job at every third record and eighth tick, in processes that are
                                    forked from a fresh one, and prints what was tried and found
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from campaign.children import Bounds, in_child
from campaign.contract import Finding
from campaign.killing import When, compare, counting, dying_at, read_counts
from campaign.sessions import Events
from multitalk_dialogue import THREE
from recording import TOY_GUIDELINES
from thinkaloud.agent import Agent, restore_world
from thinkaloud.converse.inbox import Inbox
from thinkaloud.guidelines import read_guidelines
from thinkaloud.models import Model, Scripted
from thinkaloud.monologue import Event
from thinkaloud.presets import PRESETS
from thinkaloud.records import Answer, Ask, Begin
from thinkaloud.remember.journal import Journal, Session, export_lines
from thinkaloud.staging.opening import open_world_of
from thinkaloud.worlds import World
from toy_answers import answer, likes
from toyworld import ToyWorld

FIRST = 2
"""The number of the first commit after which there is something to resume."""
APART, FURTHER_APART = 3, 8
"""All presets go the same way through the journal: each is killed at every third record, and not at the same ones.

Without `--all`, at every eighth; together they are killed at every one even so.
"""
_BOUNDS = Bounds(seconds=120.0, memory=2**40)
_HALL = (Path(__file__).parents[2] / "examples" / "scenes" / "hall.toml").read_text()


@dataclass(frozen=True)
class Job:
    """What is to be done where: `open` makes the world anew, `model` whoever thinks."""

    world: str
    preset: str
    request: str
    model: Callable[[], Model]
    scene: str = ""
    open: Callable[[Begin], World] = open_world_of
    guidelines: str = ""
    answer: str = ""
    """What a person says to every question; nobody is there where that is nothing."""

    @property
    def begin(self) -> Begin:
        return Begin(self.world, self.preset, "scripted", 0, {}, self.scene)

    def run(self, path: Path) -> None:
        """All of it, into a journal."""
        with Journal(path) as journal, journal.begin() as session:
            agent = self._agent(self.open(self.begin), session, begin=self.begin)
            asyncio.run(agent.run(self.request))

    def resume(self, path: Path) -> None:
        """Go on with the only session of a journal."""
        with Journal(path) as journal, journal.resume(journal.sessions()[0].id) as session:
            world = self.open(self.begin)
            restore_world(world, session, 0)
            agent = self._agent(world, session)
            if agent.asks() and self.answer:  # asked by the process that was killed
                agent.say(self.answer)
            asyncio.run(agent.resume())

    def _agent(self, world: World, session: Session, **more: Any) -> Agent:
        person = Inbox(present=bool(self.answer))
        guidelines = read_guidelines(self.guidelines) if self.guidelines else None
        agent = Agent(world, self.model(), self.preset, session=session, person=person, guidelines=guidelines, **more)

        def reply(event: Event) -> None:
            if isinstance(event.record, Ask) and self.answer:
                person.say(Answer(self.answer))

        agent.monologue.listeners.append(reply)
        return agent


@dataclass(frozen=True)
class Whole:
    """The run that nobody kills: what happened, and how long it was."""

    events: Events
    ticks: int
    commits: int


_whole: dict[Job, Whole] = {}


def run_whole(job: Job, folder: Path) -> Whole:
    """The run that nobody kills; run once."""
    if job not in _whole:
        path, counts = folder / "whole.db", folder / "counts"
        path.unlink(missing_ok=True)
        ended = in_child(counting(lambda: job.run(path), counts), folder, _BOUNDS)
        assert ended.status == 0, ended.err
        _whole[job] = Whole(read_journal(path), *read_counts(counts))
    return _whole[job]


def moments(job: Job, folder: Path, *, every: int = 1, first: int = FIRST, apart: int = 1) -> list[str]:
    """The moments of a run at which it can be killed and has something to resume; of the ticks and records, some.

    Before a commit is as good as after the one before it, unless a skill runs.
    """
    whole = run_whole(job, folder)
    return [
        *(f"after {number}" for number in range(first, whole.commits - 1, apart)),
        *(f"tick {number}" for number in range(0, whole.ticks, every)),
    ]


def kill_job(job: Job, at: str, folder: Path) -> Finding | None:
    """Kill a run at a moment, resume it, and hold what came of it against the run that nobody kills."""
    whole, path = run_whole(job, folder), folder / "killed.db"
    for left in folder.glob("killed.db*"):
        left.unlink()
    kind, number = at.split()
    when: When = "tick" if kind == "tick" else "before" if kind == "before" else "after"
    killed = in_child(dying_at(lambda: job.run(path), when, int(number)), folder, _BOUNDS)
    assert killed.signal == signal.SIGKILL, f"{at} never came: {killed.err}"
    resumed = in_child(lambda: job.resume(path), folder, _BOUNDS)
    assert resumed.status == 0, f"{at}: {resumed.err}"
    return compare(whole.events, read_journal(path))


def read_journal(path: Path) -> Events:
    """What happened in the only session of a journal."""
    with Journal(path) as journal:
        return [json.loads(line) for line in export_lines(journal.open(journal.sessions()[0].id))]


# The jobs -------------------------------------------------------------------------------------------------------------


def _toy(begin: Begin) -> World:
    return ToyWorld()


def _toy_answers() -> Scripted:
    return Scripted(answer, scores=likes)


def _franka_answers() -> Scripted:
    return Scripted(_talks)


def _hall_answers() -> Scripted:
    return Scripted(_drives)


def _talks(prompt: str) -> str:
    """A plan in MultiTalk's words: with what is in the hand first, and nothing that has been done already."""
    if prompt.endswith("Violations:\nThought:"):
        return " So it should be.\nFeasible Plan!\n\n"
    held = "In the hand: soup can" in prompt.rsplit("\nTask: ", 1)[-1] + prompt.rsplit("Environment", 1)[-1]
    lines = [] if held else ["Grasp the soup can: grasp((0.30, 0.40, 0.05))"]
    lines += ["Put the soup can at (0.30, 0.00): move((0.30, 0.00))", "Go home: home()"]
    numbered = "\n".join(f"{number}: {line}" for number, line in enumerate(lines, 1))
    return f" What: the soup can. Where: (0.30, 0.00).\nStep-by-step Instructions:\n{numbered}\n\n"


def _drives(prompt: str) -> str:
    """A plan in HiCRISP's words."""
    lines = {"1.": " Drive to the gate. -> The robot is at the gate.\n", "2.": " Done.\n"}
    return lines.get(prompt.rsplit("\n", 1)[-1], " gate.\n")


def toy_job(preset: str) -> Job:
    guidelines = TOY_GUIDELINES if preset.startswith("itp") else ""
    return Job(
        "toy", preset, "Put the ball on the shelf.", _toy_answers, open=_toy, guidelines=guidelines, answer="yes"
    )


TOY_JOBS = {preset: toy_job(preset) for preset in sorted(PRESETS)}
FRANKA = Job("franka", "multitalk", "Put the soup can at (0.30, 0.00).", _franka_answers, scene=THREE)
HALL = Job("warehouse", "hicrisp", "Visit the gate.", _hall_answers, scene=_HALL)


def main(folder: Path, apart: int) -> None:
    """One line of JSON for each preset: all that happens in the whole run, and what was found at each moment."""
    warnings.filterwarnings("ignore", message=".*fork.*", category=DeprecationWarning)
    for place, (preset, job) in enumerate(TOY_JOBS.items()):
        chosen = moments(job, folder, every=8, first=FIRST + place % apart, apart=apart)
        tried = {at: kill_job(job, at, folder) for at in chosen}
        found = {at: asdict(fault) for at, fault in tried.items() if fault is not None}
        print(json.dumps({"preset": preset, "events": run_whole(job, folder).events, "at": [*tried], "found": found}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
