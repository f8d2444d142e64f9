"""Measure a robot that talks for a week: thousands of requests in one session, with a model that answers at once.

    python -m thinkaloud_bench.costs.week [--requests N] [--every N]

Prints, along the way: milliseconds a request (of the processor, the median), the memory of the process, the size of the
journal, and the length of the longest prompt; at the end the seconds to open the session again, and to pack it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from thinkaloud.agent import Agent
from thinkaloud.models import Scripted
from thinkaloud.remember.journal import Journal
from thinkaloud.robots.text_file import TextFileWorld

ROBOT = """\
name = "garden"
about = "A robot that opens windows in a greenhouse."
[kinds]
window = ["left window", "right window", "roof window"]
[skills.open]
says = "Open the {window}."
doc = "Open a window."
parameters = { window = "window" }
makes = ["is_open({window})"]
[skills.close]
says = "Close the {window}."
doc = "Close a window."
parameters = { window = "window" }
ends = ["is_open({window})"]
[relations.is_open]
says = "{window} is open."
doc = "Whether a window is open."
parameters = { window = "window" }
"""
_WINDOWS = ("left window", "right window", "roof window")


def ask_for(number: int) -> tuple[str, str]:
    """The words of a request, and the program that they mean."""
    window, verb = _WINDOWS[number % 3], ("open", "close")[number // 3 % 2]
    return f"{verb.capitalize()} the {window}, please.", f'{verb}("{window}")'


async def live(requests: int, every: int, journal: Journal) -> str:
    """Carry out the requests in one session; return its id."""
    programs = iter(ask_for(number)[1] for number in range(requests))
    longest = [0]

    def answer(prompt: str) -> str:
        longest[0] = max(longest[0], len(prompt))
        return next(programs)

    model = Scripted(answer)
    session = journal.begin()
    agent = Agent(TextFileWorld(ROBOT), model, "thinkaloud:confirm=never", session=session)
    _write(f"{'requests':>9}{'ms a request':>14}{'memory, MB':>12}{'journal, MB':>13}{'longest prompt':>16}\n")
    taken: list[float] = []
    for number in range(requests):
        began = time.thread_time()
        end = await agent.run(ask_for(number)[0])
        taken.append(1000 * (time.thread_time() - began))
        if end.result != "goal met":
            raise RuntimeError(f"request {number}: {end.result}, {end.because}")
        model.prompts.clear()
        if (number + 1) % every == 0:
            gc.collect()
            size = _size(journal.path)
            memory = _resident() / 1e6
            _write(f"{number + 1:9}{statistics.median(taken):14.1f}{memory:12.1f}{size:13.1f}{longest[0]:16}\n")
            taken.clear()
    session.close()
    return session.id


def _size(path: Path) -> float:
    """Megabytes of a journal, with what is not yet in its main file."""
    return sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*")) / 1e6


def _resident() -> int:
    """Bytes of memory that this process has."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _write(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m thinkaloud_bench.costs.week")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=1000)
    wanted = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
        number = asyncio.run(live(wanted.requests, wanted.every, journal))
        began = time.thread_time()
        session = journal.resume(number)
        agent = Agent(TextFileWorld(ROBOT), Scripted([]), "thinkaloud", session=session)
        _write(f"opened again in {time.thread_time() - began:.1f} s: {len(agent.monologue)} events\n")
        session.close()
        before, began = _size(journal.path), time.thread_time()
        told = "".join(why for _, why in journal.pack())
        spent = time.thread_time() - began
        _write(f"packed in {spent:.1f} s: {before:.1f} MB before, {_size(journal.path):.1f} MB now {told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
