"""How well a model reads robots that it never learnt from: `python -m training.robots.measure --model embedded`.

Every turn of the kept-back robots is read with what was really meant before it; right is what comes to the same as the
meaning in the corpus. One JSON line for each goes to `--out`, with all that was measured of how sure it was: what
the coefficients in `understand/checking/certainty.toml` are fitted on. A model with a judge of readings is measured
with it; the writer's own opinion stands beside what was measured, for comparison.

`--vague` takes only the robots with `sort` lines, also those of the same trade as a robot of a benchmark: none of them
is learnt from either. `--learnt 200` takes so many robots that were learnt from: the readings that the writer gets
wrong there, and what it nearly wrote, are what a judge can learn from (`python -m training.robots.judged`).
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
from thinkaloud.models.contract import complete_weighed, find_judge, in_role
from thinkaloud.records import WEIGHED
from thinkaloud.settings import load
from thinkaloud.understand.checking.certainty import in_even_steps, measure_doubt, write_program
from thinkaloud.understand.checking.judge import Judge, odds_of_yes, render_judgement
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.offering import outcome_of
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.understand.prompting.prompt import SO, render_prompt
from training.demonstrators.robots import is_kept_back, is_learnt_from
from training.robots.playing import Understood, play
from training.robots.reading import Robot, all_places, all_robots


async def read_turn(model: Model, wanted: Understood, judging: Model | None = None) -> dict[str, Any]:
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

    def tell(program: str) -> str | None:
        try:
            return run_program(program, at).words
        except Unparseable:
            return None

    judge = None if judging is None else Judge(judging, wanted.said.words, wanted.lexicon, tell, wanted.earlier)
    doubt = await measure_doubt(model, prompt, grammar, written, meaning, outcome, judge)
    if is_fluent(model) and meaning.sort in WEIGHED:
        asked = f"{prompt}{written.program}\n{SO}"
        own = odds_of_yes((await complete_weighed(model, asked, stop=("\n",), most=1)).tokens)
        found |= {"opinion": None if own is None else in_even_steps(own)}
    right_end = outcome_of(wanted.meaning, world)

    def question(program: str) -> dict[str, Any]:
        """What a judge would be asked about a reading, and the answer that is right."""
        asked = render_judgement(wanted.said.words, wanted.lexicon, wanted.earlier, program, tell(program) or "")
        return {"prompt": asked, "right": outcome(program) == right_end}

    others = [{"wrote": each.program, "weight": each.weight} for each in doubt.others]
    others = [each | {"right": outcome(str(each["wrote"])) == right_end} for each in others]
    judged = [each.program for each in doubt.others]
    if meaning.sort in WEIGHED:
        judged.insert(0, written.program)
    silent = not right and meaning.sort in (*WEIGHED, "stop")
    return found | {
        "got": meaning.sort,
        "right": right,
        "silent": silent,
        "sure": doubt.sure,
        "measured": doubt.measured,
        "others": others,
        "questions": [question(each) for each in judged],
    }


def kept_back() -> Iterator[Robot]:
    """The robots, and what was said in worlds, that nobody learnt from."""
    return (robot for robot in (*all_robots(), *all_places()) if is_kept_back(robot))


def spoken_to_vaguely() -> Iterator[Robot]:
    """The robots with `sort` lines that nobody learnt from."""
    return (robot for robot in all_robots() if robot.sorts and not is_learnt_from(robot))


def source_of(robot: Robot) -> str:
    """What kind of requests a robot has: in our own worlds, by descriptions, or others."""
    return "worlds" if robot.place is not None else "vague" if robot.sorts else "robots"


def learnt_from(many: int) -> list[Robot]:
    """So many robots, and worlds, that were learnt from, of all kinds."""
    robots = [robot for robot in (*all_robots(), *all_places()) if is_learnt_from(robot)]
    vague, others = [each for each in robots if each.sorts], [each for each in robots if not each.sorts]
    return [*vague[: many // 3], *others[:: max(1, len(others) // max(1, many - many // 3))]][:many]


async def measure(model: Model, robots: list[Robot], most: int) -> list[dict[str, Any]]:
    """Every turn of these robots, up to so many of each, as the model reads that has an adapter for reading."""
    judging, model = find_judge(model), in_role(model, "listener")
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
                found.append({"robot": robot.name, "where": source_of(robot)} | await read_turn(model, wanted, judging))
        right = sum(each["right"] for each in found)
        print(f"{robot.name}: {right} of {len(found)} right so far", file=sys.stderr, flush=True)
    return found


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--model", default="embedded")
    options.add_argument("--most", type=int, default=1000, help="turns of each robot (all)")
    options.add_argument("--part", default="0/1", help="which robots: 0/4 is the first quarter")
    options.add_argument("--vague", action="store_true", help="only robots that people speak to by descriptions")
    options.add_argument("--learnt", type=int, default=0, help="so many robots that were learnt from, to teach a judge")
    options.add_argument("--out", type=Path)
    given = options.parse_args()
    part, parts = map(int, given.part.split("/"))
    try:
        model = open_model(given.model, load({}).for_model())
        robots = learnt_from(given.learnt) if given.learnt else spoken_to_vaguely() if given.vague else kept_back()
        found = asyncio.run(measure(model, list(robots)[part::parts], given.most))
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
