"""Soak: twenty sessions at once in one process, over and over; memory, open files and threads must not grow."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import statistics
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from campaign.children import Bounds, in_child
from campaign.contract import Attempt, Finding, Stage
from campaign.judging import environment, judge_command
from campaign.remembered import Obedient
from campaign.sessions import OBEYED
from thinkaloud.agent import Agent
from thinkaloud.remember.journal import Journal
from thinkaloud.robots import open_world

SESSIONS = 20
_SCENE = Path(__file__).parents[2] / "examples" / "scenes" / "two_colours.toml"
_MOST_GROWTH = 12 * 2**20
"""How many bytes memory may grow from the second to the last quarter of a soak."""
_LEAST = 8
"""The fewest rounds from which growth can be judged."""


class Soak:
    """Twenty sessions at once, for as long as there is time."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.figures: dict[str, float] = {}

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """One attempt that uses all the time."""
        data = {"seconds": self._stage.seconds, "sessions": SESSIONS}
        yield Attempt("soak", f"{SESSIONS} sessions for {self._stage.seconds:.0f} s", data)

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Soak, then check for growth."""
        seconds, told = float(attempt.data["seconds"]), self._stage.folder / "rounds.json"
        around = environment(self._stage.folder / "home")

        def work() -> int:
            rounds = asyncio.run(_soak(seconds, attempt.data["sessions"]))
            told.write_text(json.dumps(rounds))
            return 0

        ended = in_child(work, self._stage.folder / "here", Bounds(2 * seconds + 120), around)
        if finding := judge_command(ended, (0,)):
            return finding
        return self._judge(json.loads(told.read_text()))

    def _judge(self, rounds: list[dict[str, float]]) -> Finding | None:
        quarter = len(rounds) // 4
        self.figures = {"runs": sum(each["runs"] for each in rounds), "MiB": round(rounds[-1]["memory"] / 2**20)}
        for number in range(1, 5) if len(rounds) >= _LEAST else ():
            own = rounds[(number - 1) * quarter : number * quarter]
            self.figures[f"MiB in quarter {number}"] = round(_median(own, "memory") / 2**20, 1)
        if wrong := [each for each in rounds if each["met"] != rounds[0]["met"]]:
            return Finding("silent", f"{wrong[0]['met']:g} runs met their goal in a round, {rounds[0]['met']:g} before")
        if len(rounds) < _LEAST:
            return None
        for what, most in (("memory", _MOST_GROWTH), ("files", 2), ("threads", 2)):
            early, late = _median(rounds[quarter : 2 * quarter], what), _median(rounds[-quarter:], what)
            if what == "memory":
                self.figures["MiB more"] = round((late - early) / 2**20, 1)
            if late - early > most:
                return Finding("memory", f"{what} grew from {early:g} to {late:g} in {len(rounds)} rounds")
        return None


def _median(rounds: Sequence[Mapping[str, float]], what: str) -> float:
    return statistics.median(each[what] for each in rounds)


async def _soak(seconds: float, sessions: int) -> list[dict[str, float]]:
    """Run rounds of all sessions at once, in one journal; return the resources in use after each round."""
    rounds: list[dict[str, float]] = []
    model = Obedient()
    with Journal(Path("journal.db")) as journal:

        async def run(number: int) -> bool:
            with journal.begin() as session:
                world = open_world("tabletop", scene=_SCENE.read_text())
                world.reset(number)
                agent = Agent(world, model, "inner_monologue", seed=number, session=session)
                return (await agent.run(OBEYED.request)).result == "goal met"

        until = time.monotonic() + seconds
        while not rounds or time.monotonic() < until:
            met = await asyncio.gather(*(run(number) for number in range(sessions)))
            model.prompts.clear()  # the recorded prompts are not part of the robot's memory
            gc.collect()
            rounds.append(_in_use() | {"met": sum(met), "runs": len(met)})
    return rounds


def _in_use() -> dict[str, float]:
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    files = len(list(Path("/proc/self/fd").iterdir()))
    return {"memory": resident, "files": files, "threads": threading.active_count()}
