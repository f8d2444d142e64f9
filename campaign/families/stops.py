"""Stops: sent through a pipe or typed at a terminal, during a motion, during a thought, or too early.

The line is written at a chosen control tick, from within that tick, and the ticks that follow are counted. The robot
must obey a stop at the next tick. After a stop while it thinks, nothing may move. A line typed before the chat is ready
counts, too.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from campaign.children import Bounds, Child, Ended, command
from campaign.contract import Attempt, Finding, NotTried, Stage
from campaign.judging import environment, judge_command
from campaign.killing import watch_moments
from campaign.remembered import NAME, Obedient, speaking_as
from campaign.sessions import OBEYED, memory_folder
from thinkaloud.models import Completion

_WORDS = ("stop", "Stop!", "stop.", "STOP", "halt")
_MOST_TICKS = 1
_BOUNDS = Bounds(seconds=90.0)


class Stops:
    """Stops, and how many ticks later they take effect."""

    def __init__(self, stage: Stage) -> None:
        self._folder = stage.folder
        self._ticks: list[int] = []

    @property
    def figures(self) -> dict[str, float]:
        """Ticks from a stop during a motion until it takes effect."""
        if not self._ticks:
            return {}
        return {"median ticks": statistics.median(self._ticks), "most ticks": max(self._ticks)}

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """Mostly during a motion, sometimes during a thought or too early; through a pipe and at a terminal."""
        rng = random.Random(f"stops {seed}")
        for number in count():
            when = ("motion", "motion", "thought", "motion", "early")[number % 5]
            through = ("pipe", "pipe", "terminal")[number % 3]
            tick = rng.randrange(1, 60 if through == "terminal" else 300)
            data = {"when": when, "through": through, "tick": tick, "words": rng.choice(_WORDS)}
            yield Attempt("stops", f"{when} {tick} through a {through}", data)

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Write the line at that moment, and count ticks."""
        shutil.rmtree(self._folder, ignore_errors=True)
        ended, heard = self._chat(attempt.data)
        terminal = attempt.data["through"] == "terminal"
        if (finding := judge_command(ended)) and not (terminal and finding.kind == "terminal"):
            return finding
        if heard.get("written") is None:
            raise NotTried("the run was over before that tick")
        if attempt.data["when"] == "early":
            return None if heard["ticks"] else Finding("steps", "what was typed before the chat was ready was lost")
        if attempt.data["when"] == "thought":
            moved = heard["ticks"]
            return Finding("moved", f"{moved} ticks after a stop") if moved else None
        self._ticks.append(heard["after"])
        late = heard["after"] > _MOST_TICKS
        return Finding("late", f"heard after {heard['after']} ticks") if late else None

    def _chat(self, data: Any) -> tuple[Ended, dict[str, Any]]:
        """Run a chat with that line; return how it ended, and its ticks in total and after the stop."""
        self._folder.mkdir(parents=True, exist_ok=True)
        here, told = self._folder / "here", self._folder / "heard.json"
        ours, theirs = os.openpty() if data["through"] == "terminal" else reversed(os.pipe())
        work = _watched(data, ours, told)
        pause = 0.5 if data["when"] == "thought" else 0.0
        around = environment(self._folder / "home") | speaking_as(OBEYED.model, memory_folder(), pause=pause)
        around |= {"TERM": "xterm", "LINES": "40"}
        if data["when"] == "early":
            os.write(ours, f"{OBEYED.request}\n".encode())
        child = Child(work, here, _BOUNDS, around, theirs, theirs if data["through"] == "terminal" else None)
        os.close(theirs)
        if data["through"] == "terminal":
            threading.Thread(target=_drain, args=(ours,), daemon=True).start()
        else:
            os.close(ours)
        ended = child.wait()
        return ended, json.loads(told.read_text()) if told.exists() else {}


def _watched(data: Any, ours: int, told: Path) -> Any:
    """Run the chat in a child, which writes lines to its own input at the chosen moment."""

    def work() -> int | None:
        heard: dict[str, Any] = {"ticks": 0, "after": 0, "written": None}

        def write(text: str) -> None:
            os.write(ours, f"{text}\n".encode())

        def leave() -> None:
            if data["through"] == "terminal":
                write("/quit")
            else:
                os.close(ours)

        def say_stop() -> None:
            write(data["words"])
            leave()

        def count(when: str) -> None:
            if when != "tick":
                return
            heard["ticks"] += 1
            heard["after"] += heard["written"] is not None
            if data["when"] == "motion" and heard["ticks"] == data["tick"]:
                heard["written"] = True
                say_stop()
            elif data["when"] == "early" and heard["ticks"] == 1:
                say_stop()

        watch_moments(count)
        if data["when"] == "early":
            heard["written"] = True
            threading.Timer(20.0, leave).start()  # if the line was lost, nothing ever ticks
        else:
            threading.Timer(0.0 if data["through"] == "pipe" else 3.0, write, (OBEYED.request,)).start()
        if data["when"] == "thought":
            _call_in_thought(heard, say_stop)
        arguments = (
            "--world",
            OBEYED.world,
            "--preset",
            OBEYED.preset,
            "--model",
            NAME,
            "--no-film",
            "--no-journal",
            *OBEYED.told_scene(),
        )
        try:
            return command("chat", *arguments)()
        finally:
            told.write_text(json.dumps(heard))

    return work


def _call_in_thought(heard: dict[str, Any], work: Callable[[], None]) -> None:
    """Do the work when the model is first asked."""
    complete = Obedient.complete

    async def asked(self: Obedient, prompt: str, **more: Any) -> Completion:
        if heard["written"] is None:
            heard["written"] = True
            work()
        return await complete(self, prompt, **more)

    Obedient.complete = asked  # type: ignore[method-assign]


def _drain(terminal: int) -> None:
    """Read a terminal's output until nobody writes to it any more."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass
    os.close(terminal)
