"""A session on the real tabletop world, in a process that kills itself at a chosen moment; then another resumes it.

    python killed_session.py DIRECTORY FEEDBACK      does so for each line `KIND NUMBER` of standard input

KIND is `tick` (a control tick of a skill), `before` or `after` (a commit to the journal), counted over the whole run;
`never` runs to the end. The answers of the model depend on its prompt and on nothing else, so that they stay the same
after a resume. For each line it prints how the first process ended and how many events that one had committed.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

from thinkaloud.agent import Agent, restore_world
from thinkaloud.models import Scripted
from thinkaloud.models.contract import Verbatim
from thinkaloud.records import Begin, End, Record
from thinkaloud.remember.journal import Journal, Session
from thinkaloud.worlds.tabletop import Scene, Tabletop, Thing

GOAL = {"red block": "blue bowl", "green block": "top left corner", "yellow block": "bottom right corner"}
REQUEST = "Put the red block in the blue bowl, the green block top left and the yellow block bottom right."
SCENE = Scene(
    (
        Thing("red block", "block", 0.0, -0.35),
        Thing("green block", "block", 0.1, -0.5),
        Thing("yellow block", "block", -0.1, -0.45),
        Thing("blue bowl", "bowl", 0.0, -0.65),
    )
)


def answer(prompt: str) -> str:
    """What a good planner would say here."""
    now = prompt.rsplit("\n\n", 1)[-1]
    done = [name for name, target in GOAL.items() if _worked(now, name, target)]
    left = [name for name in GOAL if name not in done]
    if now.endswith("Robot thought:") and "Goal state is" not in now:
        sentences = ", ".join(f'"{name.capitalize()} is on the {target}."' for name, target in GOAL.items())
        return f" Goal state is [{sentences}]."
    action = f" Pick the {left[0]} and place it on the {GOAL[left[0]]}." if left else " Done."
    if now.endswith("Robot thought:"):
        return f" {len(left)} of {len(GOAL)} are left.\nRobot action:{action}"
    return action


def _worked(now: str, name: str, target: str) -> bool:
    completed = re.findall(r"You have completed \[(.*)\]", now)
    if completed:
        return f"{name.capitalize()} is on the {target}." in completed[-1]
    return f"Pick the {name} and place it on the {target}.\nSuccess: yes." in now


def preset(feedback: str) -> str:
    return f"inner_monologue:feedback={feedback}"


class Doomed:
    """Counts ticks and commits, and ends the process at the chosen one."""

    def __init__(self, kind: str, number: int) -> None:
        self.kind, self.left = kind, number

    def reached(self, kind: str) -> None:
        if kind == self.kind:
            self.left -= 1
            if self.left < 0:
                os.kill(os.getpid(), signal.SIGKILL)


class DoomedSession(Session):
    """A session of a process that may end right before or right after a commit."""

    doom: Doomed

    def commit(
        self, index: int, at: float, record: Record, snapshot: bytes | None = None, said: Verbatim | None = None
    ) -> None:
        self.doom.reached("before")
        super().commit(index, at, record, snapshot, said)
        self.doom.reached("after")


def run(path: Path, feedback: str, kind: str, number: int) -> tuple[End, int]:
    """Carry the request out; how it ended, and how many ticks it took."""
    doom, ticks = Doomed(kind, number), list[int]()
    with Journal(path) as journal, journal.begin() as session:
        session.__class__ = DoomedSession
        session.doom = doom  # type: ignore[attr-defined]
        begin = Begin("tabletop", "", "scripted", 0, scene=SCENE.to_json())
        listening = [lambda: doom.reached("tick"), lambda: ticks.append(0)]
        agent = Agent(
            Tabletop(SCENE), Scripted(answer), preset(feedback), begin=begin, session=session, ticking=listening
        )
        return asyncio.run(agent.run(REQUEST)), len(ticks)


def resume(path: Path, feedback: str) -> End:
    """Go on with the only session of a journal."""
    with Journal(path) as journal, journal.resume(journal.sessions()[0].id) as session:
        world = Tabletop(SCENE)
        restore_world(world, session, 0)
        agent = Agent(world, Scripted(answer), preset(feedback), session=session)
        return asyncio.run(agent.resume())


def _forked(work: Callable[[], object]) -> str:
    """Do it in a process of its own; how that ended."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"


def committed(path: Path) -> int:
    """How many events are in the only session of a journal."""
    with sqlite3.connect(path) as database:
        return int(database.execute("SELECT count(*) FROM events").fetchone()[0])


def main() -> None:
    directory, feedback = Path(sys.argv[1]), sys.argv[2]
    for line in sys.stdin:
        kind, number = line.split()
        path = directory / f"{kind}-{number}.db"
        killed = _forked(partial(run, path, feedback, kind, int(number)))
        before = committed(path)
        print(kind, number, killed, before, _forked(partial(resume, path, feedback)), sep=";", flush=True)


if __name__ == "__main__":
    main()
