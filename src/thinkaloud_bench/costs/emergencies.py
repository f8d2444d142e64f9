"""How many emergencies reach the call for help, and how many other requests ask for one in vain.

    python -m thinkaloud_bench.costs.emergencies [--model M] [--part thresholds|afterwards]

The requests are those of `bench/emergencies`: said to three robots in five languages. Each is read alone, and nobody
answers. Prints each request with what it was read as and the score of `emergency("`, and then the counts: called at
once, asked about, and missed; of the others, those that were asked about.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tomllib
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from thinkaloud.clock import ManualClock
from thinkaloud.errors import Unparseable
from thinkaloud.methods.thinkaloud.emergency_question import moves_nothing, threshold_for
from thinkaloud.methods.thinkaloud.second_thoughts import CarefulReader
from thinkaloud.models import Model, Recorded, open_model
from thinkaloud.monologue import Monologue
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Emergency, Meaning, NotClear, Request
from thinkaloud.robots import open_world
from thinkaloud.understand.reader import Reader
from thinkaloud.worlds import World
from thinkaloud.worlds.full_world import FullWorld

REQUESTS = Path("bench/emergencies/requests.toml")


_UNREAD = Meaning("", "", NotClear())


@dataclass(frozen=True)
class Heard:
    """A request, and what became of it; `score` is None where it was not needed."""

    language: str
    text: str
    help: bool
    meaning: Meaning = _UNREAD
    score: float | None = None
    quiet: bool = False
    """Whether it moves nothing, so that the score counts."""

    def outcome(self, model: str) -> str:
        """What the robot does about an emergency."""
        if isinstance(self.meaning.content, Emergency):
            return "called"
        likely = self.score is not None and self.score >= threshold_for(model)
        return "asked" if self.quiet and likely else "missed"


async def read_all(
    model: Model, part: Mapping[str, Mapping[str, Sequence[str]]], robots: Sequence[str]
) -> AsyncIterator[Heard]:
    """Every request of a part, read alone; each robot gets every third of a language."""
    for at, robot in enumerate(robots):
        world = FullWorld(open_world(robot))
        reader = CarefulReader(Recorded(model, lambda record: None).as_role("listener"), world)
        for help in (True, False):
            for language, texts in part["help" if help else "other"].items():
                for text in texts[at :: len(robots)]:
                    yield await _read(reader, world, Heard(language, text, help))


async def _read(reader: CarefulReader, world: World, said: Heard) -> Heard:
    monologue = Monologue(ManualClock())
    monologue.append(scene := world.observe())
    monologue.append(Request(said.text))
    try:
        meaning = await Reader.understand(reader, monologue)
    except Unparseable as error:
        meaning = Meaning("", str(error), NotClear())
    quiet = moves_nothing(meaning, lexicon_of(world, scene))
    return replace(said, meaning=meaning, quiet=quiet, score=await reader.score_emergency(monologue))


async def _measure(name: str, parts: Sequence[str], wanted: Mapping[str, Any]) -> None:
    model = open_model(name)
    for part in parts:
        counts: Counter[tuple[bool, str]] = Counter()
        async for heard in read_all(model, wanted[part], wanted["robots"]):
            counts[heard.help, heard.outcome(name)] += 1
            _tell(part, heard, heard.outcome(name))
        for help, called in ((True, "emergencies"), (False, "others")):
            row = {outcome: counts[help, outcome] for outcome in ("called", "asked", "missed")}
            sys.stdout.write(f"{part}, {called}: {row}, from {threshold_for(name)}\n")
    await model.close()


def _tell(part: str, heard: Heard, outcome: str) -> None:
    score = "     -" if heard.score is None else f"{heard.score:6.1f}"
    told = heard.meaning.program.splitlines() or [heard.meaning.words]
    kind = "help" if heard.help else "other"
    sys.stdout.write(
        f"{part} {kind} {outcome} {score} {heard.language} {heard.text!r}: {heard.meaning.sort} {told[0]}\n"
    )
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Print the requests and the counts."""
    parser = argparse.ArgumentParser(prog="python -m thinkaloud_bench.costs.emergencies")
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--part", choices=("thresholds", "afterwards", "both"), default="both")
    wanted = parser.parse_args(arguments)
    parts = ["thresholds", "afterwards"] if wanted.part == "both" else [wanted.part]
    asyncio.run(_measure(wanted.model, parts, tomllib.loads(REQUESTS.read_text(encoding="utf-8"))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
