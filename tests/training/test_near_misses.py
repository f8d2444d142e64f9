"""Near misses for the judge: each way to go wrong happens, and what comes to the same is no miss."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from said import garden
from sampling import how_many
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.understand.prompting.prompt import NO, YES
from training.demonstrators.judging import DEMONSTRATORS, judge_all
from training.generate import work_of
from training.robots.near_misses import Heard, draw_misses
from training.robots.playing import Speaking
from training.robots.reading import read_corpus_file

OTHERS = [("Fill it up.", "fill_can()"), ("Is the rose wet?", 'say(wet("rose"))')]


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    world = garden()
    return lexicon_of(world, world.observe())


def misses(program: str, said: Heard, seeds: int = 150, *, until: str = "") -> set[str]:
    """What is drawn from so many seeds, or until something is; always from some, since all of it has to be sound."""
    found = set[str]()
    for seed in range(seeds):
        found |= {miss for _, miss in draw_misses(program, said, np.random.default_rng(seed), 4)}
        if until in found and seed >= how_many(30, of=seeds):
            break
    for each in found:
        ast.parse(each)
    assert program not in found
    return found


@pytest.mark.parametrize(
    ("program", "wrong"),
    [
        ('water(the("flower"))', 'water("rose")'),
        ('water(the("flower"))', 'water(any_of("flower"))'),
        ('water(the("flower"))', 'water(all_of("flower"))'),
        ('water(any_of("flower"))', 'water(the("flower"))'),
        ('water(all_of("flower"))', "water(plants)"),
        ('water(the_other("flower"))', 'water("fern")'),
        ('water(the("flower", [p for p in plants if wet(p)]))', 'water(the("flower"))'),
        ("water(it())", 'water("cactus")'),
        ("water(them())", "water(it())"),
        ("water(plants)", "water(any_of(plants))"),
        ("water(plants)", "water([p for p in plants if wet(p)])"),
        ('water(["fern", "rose"])', 'water("rose")'),
        ('water(["fern", "rose"])', "water(plants)"),
        ('water("orchid")', 'water("rose")'),
        ('shine("rose")', 'water("rose")'),
        ('water("rose")', 'say(wet("rose"))'),
        ('water("rose")', 'note("Now that one.")'),
        ('water("rose")', 'keep("rose")'),
        ('water("rose")', 'undo()\nwater("rose")'),
        ('water("rose")', 'if wet("rose"):\n    water("rose")'),
        ('say(wet("rose"))', 'water("rose")'),
        ('keep("rose")', 'allow("rose")'),
        ('undo()\nwater("rose")', 'water("rose")'),
        ("stop()", "undo()"),
        ('water("rose")\nwhistle()', 'whistle()\nwater("rose")'),
        ('cannot("I cannot do that later.")', "fill_can()"),
        ('prune("rose", amount(2, "gram"))', 'prune("rose", amount(2, "cup"))'),
    ],
)
def test_each_way_to_go_wrong_happens(program: str, wrong: str, lexicon: Lexicon) -> None:
    known = {"flower": ("rose", "fern")}
    said = Heard("Now that one.", lexicon, ("fern", "cactus"), known, OTHERS, amid=True)
    assert wrong in misses(program, said, 400, until=wrong)


def test_what_one_of_them_would_do_is_no_miss(lexicon: Lexicon) -> None:
    said = Heard("Water a flower.", lexicon, known={"flower": ("rose", "fern")})
    assert not {'water("rose")', 'water("fern")'} & misses('water(any_of("flower"))', said)


BAR = """\
# A robot behind a bar.
kind juice = apple juice, cherry juice
kind guest = Ana, Ben
skill pour(juice, guest): Pour {juice} for {guest}.

> apple juice for Ana
pour("apple juice", "Ana")
>> and the other for him
pour(the_other(juices), "Ben")
"""


def test_right_readings_get_a_yes_and_wrong_ones_a_no(tmp_path: Path) -> None:
    file = tmp_path / "bar.txt"
    file.write_text(BAR, encoding="utf-8")
    robot = read_corpus_file(file)
    speaking = Speaking(world := robot.open(), world.observe())
    said: dict[str, Counter[str]] = {YES: Counter(), NO: Counter()}
    for seed in range(120):
        for sample in judge_all(robot, speaking, np.random.default_rng(seed), "judge"):
            ((prompt, answer),) = sample.parts
            assert prompt.endswith("\n# so?")
            said[answer.rstrip("\n")][prompt] += 1
    right, wrong = said[YES], said[NO]
    assert right and wrong and not {*right} & {*wrong}
    assert 0.5 < right.total() / wrong.total() < 2
    told = {prompt.splitlines()[-2] for prompt in right}
    assert told == {"# I will pour apple juice for Ana.", "# I will pour cherry juice for Ben."}


def test_the_tokens_of_the_judge_are_counted_by_themselves() -> None:
    assert {work_of(each.name) for each in DEMONSTRATORS} == {"judging"}
    assert sum(each.share for each in DEMONSTRATORS) == pytest.approx(1)
