"""A session on the real tabletop world, in a process that kills itself at a chosen moment; then another resumes it.

    python killed_session.py DIRECTORY FEEDBACK      does so for each line `KIND NUMBER` of standard input

KIND is `tick` (a control tick of a skill), `before` or `after` (a commit to the journal), counted over the whole run.
The answers of the model depend on its prompt and on nothing else, so that they stay the same
after a resume. For each line it prints how the first process ended and how many events that one had committed.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from campaign.children import in_child
from campaign.killing import When, dying_at
from thinkaloud.agent import Agent, restore_world
from thinkaloud.models import Scripted
from thinkaloud.records import Begin, End
from thinkaloud.remember.journal import Journal
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing

GOAL = {"red block": "blue bowl", "yellow block": "bottom right corner"}
REQUEST = "Put the red block in the blue bowl and the yellow block bottom right."
SCENE = Scene(
    (
        Thing("red block", "block", 0.0, -0.35),
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
        return " None." if not left else f" {len(left)} of {len(GOAL)} are left.\nRobot action:{action}"
    return action


def _worked(now: str, name: str, target: str) -> bool:
    completed = re.findall(r"You have completed \[(.*)\]", now)
    if completed:
        return f"{name.capitalize()} is on the {target}." in completed[-1]
    return f"Pick the {name} and place it on the {target}.\nSuccess: yes." in now


def preset(feedback: str) -> str:
    return f"inner_monologue:feedback={feedback}"


def run(path: Path, feedback: str) -> End:
    """Carry the request out."""
    with Journal(path) as journal, journal.begin() as session:
        begin = Begin("tabletop", "", "scripted", 0, scene=SCENE.to_json())
        agent = Agent(Tabletop(SCENE), Scripted(answer), preset(feedback), begin=begin, session=session)
        return asyncio.run(agent.run(REQUEST))


def resume(path: Path, feedback: str) -> End:
    """Go on with the only session of a journal."""
    with Journal(path) as journal, journal.resume(journal.sessions()[0].id) as session:
        world = Tabletop(SCENE)
        restore_world(world, session, 0)
        agent = Agent(world, Scripted(answer), preset(feedback), session=session)
        return asyncio.run(agent.resume())


def committed(path: Path) -> int:
    """How many events are in the only session of a journal."""
    with sqlite3.connect(path) as database:
        return int(database.execute("SELECT count(*) FROM events").fetchone()[0])


def main() -> None:
    warnings.filterwarnings("ignore", message=".*fork.*", category=DeprecationWarning)
    directory, feedback = Path(sys.argv[1]), sys.argv[2]
    for line in sys.stdin:
        kind, number = line.split()
        path, here = directory / f"{kind}-{number}.db", directory / f"{kind}-{number}"
        killed = in_child(dying_at(partial(_do, run, path, feedback), cast(When, kind), int(number)), here)
        before = committed(path)
        resumed = in_child(partial(_do, resume, path, feedback), here)
        sys.stderr.write(killed.err + resumed.err)
        print(kind, number, killed.signal, before, resumed.status, sep=";", flush=True)


def _do(work: Callable[[Path, str], End], path: Path, feedback: str) -> None:
    work(path, feedback)


if __name__ == "__main__":
    main()
