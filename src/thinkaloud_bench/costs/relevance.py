"""Measure what a prompt shows of a large home, and what it loses: `python -m thinkaloud_bench.costs.relevance`.

    python -m thinkaloud_bench.costs.relevance [--every N]

The requests and homes of the benchmark `virtualhome`. What a request needs are the things that the people's own program
for it names; many of them are in no word of the request (the light that is switched on first). Prints the letters of a
prompt with everything and with what seems relevant, and how many of the needed things are shown by name, are shown as
another thing of the same noun, or not at all. No model is asked. What is not shown can still be named by a program.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from dataclasses import dataclass, field

from thinkaloud.language.name_matching import head_noun
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.understand.prompting.prompt import render_prompt
from thinkaloud.understand.relevant import find_relevant
from thinkaloud.worlds.full_world import FullWorld
from thinkaloud_bench.virtualhome.instances import Instance, instance_of
from thinkaloud_bench.virtualhome.titles import TITLES
from thinkaloud_worlds.household import Household

BY_NAME, BY_NOUN, LOST = "by name", "by another of its noun", "not at all"


@dataclass
class Shown:
    """What the prompts of some requests show."""

    things: list[int] = field(default_factory=list)
    """In each home."""
    letters: list[tuple[int, int]] = field(default_factory=list)
    """Of each prompt: with everything, and with what seems relevant."""
    needed: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)


def add(instance: Instance, shown: Shown) -> None:
    """Count what the prompt for an instance shows."""
    home = Household(instance.home)
    home.reset(0)
    steps = [home.step_of(line)[1] for line in instance.program]
    needed = {str(value) for arguments in steps for value in arguments.values()}
    world = FullWorld(home)
    scene = world.observe()
    whole = lexicon_of(world, scene)
    part = lexicon_of(world, scene, about=find_relevant(world, scene, [instance.request]))
    nouns = {head_noun(thing).lower() for thing in part.things}
    for thing in needed & {*whole.things}:
        how = BY_NAME if thing in part.things else BY_NOUN if head_noun(thing).lower() in nouns else LOST
        shown.needed[how] += 1
        shown.lost.update([thing] if how == LOST else [])
    shown.things.append(len(whole.things))
    shown.letters.append(
        tuple(len(render_prompt(each, [], instance.request, explained=False)) for each in (whole, part))  # type: ignore[arg-type]
    )


def main(arguments: list[str]) -> int:
    """Print the counts."""
    parser = argparse.ArgumentParser(prog="python -m thinkaloud_bench.costs.relevance")
    parser.add_argument("--every", type=int, default=1, help="take each N-th instance of a task only")
    wanted = parser.parse_args(arguments)
    shown = Shown()
    for task in TITLES.values():
        for index in range(0, task.most or 0, wanted.every):
            add(instance_of(task.title, index), shown)
    whole, part = (statistics.median(each) for each in zip(*shown.letters, strict=True))
    sys.stdout.write(f"{len(shown.things)} requests, {statistics.median(shown.things):.0f} things in a home\n")
    sys.stdout.write(f"letters of a prompt: {whole:.0f} with everything, {part:.0f} with what seems relevant\n")
    total = sum(shown.needed.values())
    for how in (BY_NAME, BY_NOUN, LOST):
        sys.stdout.write(f"shown {how:24}{shown.needed[how]:6} of {total} ({shown.needed[how] / total:.1%})\n")
    if shown.lost:
        sys.stdout.write(f"most often not shown: {', '.join(name for name, _ in shown.lost.most_common(8))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
