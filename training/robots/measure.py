"""How well a model reads robots that it never learnt from: `python -m training.robots.measure --model embedded`.

Every turn of the kept-back robots is read with what was really meant before it; right is what comes to the same as the
meaning in the corpus. One JSON line for each goes to `--out`, with all that was measured of how sure it was: what
the coefficients in `understand/checking/certainty.toml` are fitted on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

from thinkaloud.errors import ThinkaloudError, Unparseable
from thinkaloud.models import Model, is_fluent, open_model
from thinkaloud.models.contract import in_role
from thinkaloud.records import WEIGHED
from thinkaloud.settings import load
from thinkaloud.understand.checking.certainty import measure_doubt, write_program
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.understand.prompting.prompt import render_prompt
from thinkaloud.understand.saying.offering import outcome_of
from training.demonstrators.robots import is_kept_back
from training.robots.playing import Understood, play
from training.robots.reading import Robot, all_places, all_robots


async def read_turn(model: Model, wanted: Understood) -> dict[str, Any]:
    """What the model makes of one turn, as things are and were then."""
    at, world = wanted.at, wanted.at.world
    prompt = render_prompt(wanted.shown, wanted.earlier, wanted.said.words, explained=not is_fluent(model))
    grammar = program_grammar(wanted.shown)
    written = await write_program(model, prompt, grammar)
    found: dict[str, Any] = {"said": wanted.said.words, "language": wanted.said.language, "turn": len(wanted.earlier)}
    found |= {"meant": wanted.said.program, "sort": wanted.meaning.sort, "wrote": written.program}

    def outcome(program: str) -> Hashable | None:
        try:
            return outcome_of(run_program(program, at), world)
        except Unparseable:
            return None

    try:
        meaning = run_program(written.program, at)
    except Unparseable as error:
        return found | {"got": "nothing", "right": False, "why": str(error), "measured": {}}
    right = written.program == wanted.said.program or outcome_of(meaning, world) == outcome_of(wanted.meaning, world)
    doubt = await measure_doubt(model, prompt, grammar, written, meaning, outcome, opinion=is_fluent(model))
    right_end = outcome_of(wanted.meaning, world)
    others = [{"wrote": each.program, "weight": each.weight} for each in doubt.others]
    others = [each | {"right": outcome(str(each["wrote"])) == right_end} for each in others]
    silent = not right and meaning.sort in (*WEIGHED, "stop")
    return found | {
        "got": meaning.sort,
        "right": right,
        "silent": silent,
        "sure": doubt.sure,
        "measured": doubt.measured,
        "others": others,
    }


def kept_back() -> Iterator[Robot]:
    """The robots, and what was said in worlds, that nobody learnt from."""
    return (robot for robot in (*all_robots(), *all_places()) if is_kept_back(robot))


async def measure(model: Model, robots: list[Robot], most: int) -> list[dict[str, Any]]:
    """Every turn of these robots, up to so many of each, as the model reads that has an adapter for reading."""
    model = in_role(model, "listener")
    found = list[dict[str, Any]]()
    for robot in robots:
        read = 0
        for talk in robot.conversations:
            for wanted in play(robot, talk):
                if wanted.said.offered:
                    continue
                if read >= most:
                    break
                read += 1
                found.append(
                    {"robot": robot.name, "where": "robots" if robot.place is None else "worlds"}
                    | await read_turn(model, wanted)
                )
        right = sum(each["right"] for each in found)
        print(f"{robot.name}: {right} of {len(found)} right so far", file=sys.stderr, flush=True)
    return found


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", default="embedded")
    options.add_argument("--most", type=int, default=1000, help="turns of each robot (all)")
    options.add_argument("--part", default="0/1", help="which robots: 0/4 is the first quarter")
    options.add_argument("--out", type=Path)
    given = options.parse_args()
    part, parts = map(int, given.part.split("/"))
    try:
        model = open_model(given.model, load({}).for_model())
        found = asyncio.run(measure(model, list(kept_back())[part::parts], given.most))
    except ThinkaloudError as error:
        sys.exit(str(error))
    if given.out:
        given.out.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in found), encoding="utf-8")
    for what in ("where", "sort", "language", "turn"):
        total, right = Counter(str(e[what]) for e in found), Counter(str(e[what]) for e in found if e["right"])
        print(f"{what}: " + ", ".join(f"{name} {right[name]}/{n}" for name, n in total.most_common()))
    silent = sum(bool(each.get("silent")) for each in found)
    print(f"{len(found)} turns: {sum(e['right'] for e in found)} right, {silent} wrong without saying so")


if __name__ == "__main__":
    main()
