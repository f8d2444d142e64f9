"""Read robots of the corpus, run every meaning, and show what it comes to: `python -m training.robots.check FILE...`.

Without a file: all of them. `--quiet` shows only what is wrong. The exit code is 1 where anything is.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from thinkaloud.errors import ThinkaloudError
from thinkaloud.methods.thinkaloud.model_proposals import GIVE_UP
from thinkaloud.understand.meaning.running import run_program
from training.heldout import violations
from training.robots.playing import Understood, play
from training.robots.reading import CORPUS, PLACES, read_corpus_file
from training.unseen import is_of_the_kitchen, names_items_of_the_kitchen, tasks_in

FEWEST = 25
"""Requests of a robot."""
_NOT_OFFERED = ("refusal", "unclear", "question")


def check_file(path: Path, *, quiet: bool) -> tuple[Counter[str], list[str]]:
    """How many meanings there are of each sort, and what is wrong."""
    sorts, wrong = Counter[str](), list[str]()
    try:
        robot = read_corpus_file(path)
    except ThinkaloudError as error:
        return sorts, [str(error)]
    for conversation in robot.conversations:
        try:
            for each in play(robot, conversation):
                indent = "    " if each.earlier else ""
                if each.said.offered:
                    wrong += _check_offered(each, path)
                    if not quiet:
                        told = "".join(f"\n{indent}  ? {one.words}" for one in (each.meaning, *each.others))
                        print(f"{indent}{each.said.words}{told}")
                    continue
                sorts[each.meaning.sort] += 1
                wrong += [
                    f"{path.name}:{each.said.line}: {task} is a task that nobody may learn"
                    for task in tasks_in(each.meaning, each.lexicon.kinds)
                ]
                if not quiet:
                    print(f"{indent}{each.said.words}\n{indent}  -> [{each.meaning.sort}] {each.meaning.words}")
                for why, helps in each.said.remedies:
                    found = None if helps == GIVE_UP else run_program(helps, each.at)
                    if not quiet:
                        print(f"{indent}  ! {why} -> {found.words if found else helps}")
                    if not each.meaning.deeds or (found is not None and len(found.deeds) != 1):
                        wrong.append(f"{path.name}:{each.said.line}: ! is for deeds, and one call helps, or {GIVE_UP}")
                if _has_remarks(each.said.program):
                    wrong.append(f"{path.name}:{each.said.line}: a program has no remarks and no tabs")
        except ThinkaloudError as error:
            wrong.append(str(error))
    text = path.read_text(encoding="utf-8")
    held = violations(text)
    if not is_of_the_kitchen(robot):
        held += names_items_of_the_kitchen(text)
    wrong += [f"{path.name}: {text!r} is held out for tests; use another word" for text in dict.fromkeys(held)]
    words = Counter(" ".join(each.words.lower().split()) for each in robot.said)
    wrong += [f"{path.name}: {text!r} is there {n} times" for text, n in words.items() if n > 1 and len(text) > 20]
    if sum(sorts.values()) + len(wrong) < FEWEST:
        wrong.append(f"{path.name}: {sum(sorts.values())} requests; at least {FEWEST} are wanted")
    return sorts, wrong


def _has_remarks(program: str) -> bool:
    return program.startswith(("#", '"')) or "\t" in program


def _check_offered(asked: Understood, path: Path) -> list[str]:
    """What is wrong with what was offered: a robot asks about what it would do, say or remember, and nothing twice."""
    found = [
        f"{path.name}:{asked.said.line}: {each.program!r} would not be offered, it is a {each.sort}: {each.words}"
        for each in (asked.meaning, *asked.others)
        if each.sort in _NOT_OFFERED
    ]
    if any(_has_remarks(each) for each in asked.said.offered):
        found.append(f"{path.name}:{asked.said.line}: a program has no remarks and no tabs")
    if len(set(asked.said.offered)) < len(asked.said.offered):
        found.append(f"{path.name}:{asked.said.line}: the same is offered twice")
    return found


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("files", type=Path, nargs="*")
    options.add_argument("--quiet", action="store_true", help="show only what is wrong")
    given = options.parse_args()
    total, bad = Counter[str](), list[str]()
    files = given.files or [*sorted(CORPUS.glob("*.txt")), *sorted(PLACES.glob("*.txt"))]
    for path in files:
        if not given.quiet:
            print(f"\n== {path.name}")
        sorts, wrong = check_file(path, quiet=given.quiet)
        total, bad = total + sorts, bad + wrong
    print(
        f"\n{len(files)} robots, {sum(total.values())} meanings: "
        + ", ".join(f"{n} {k}" for k, n in total.most_common())
    )
    for each in bad:
        print(f"WRONG {each}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
