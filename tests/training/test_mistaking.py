"""Meanings that are nearly right: never the right one, always a program, and each way to go wrong happens."""

from __future__ import annotations

import ast
from collections import Counter

import numpy as np
import pytest

from said import garden
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.understand.prompting.prompt import NO, YES
from training.robots import mistaking
from training.robots.mistaking import mistake, with_opinion
from training.samples import Sample

OTHERS = ['water("fern")', "fill_can()", "say(wet(plants))", 'open(windows)\nclose("left window")']
PROGRAMS = [
    'water("fern")',
    "water([p for p in plants if not wet(p)])",
    'if filled():\n    water("rose")',
    'prune("rose", 5)\nwhistle()',
    "say(len([p for p in plants if height(p) > 20]))",
    'water("fern")\nnote("Der Farn heißt Grün, \\"ja\\".")\nopen("left window")',
    "water(max(plants, key=height))",
    "if not filled():\n    fill_can()\n    whistle()",
    'switch("lamp", "on")',
]


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    world = garden()
    return lexicon_of(world, world.observe())


def mistakes(program: str, lexicon: Lexicon, others: list[str], seeds: int = 60) -> Counter[str | None]:
    return Counter(mistake(program, lexicon, others, np.random.default_rng(seed)) for seed in range(seeds))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_mistake_is_another_program_in_the_same_form(program: str, lexicon: Lexicon) -> None:
    for found in mistakes(program, lexicon, OTHERS):
        assert found is not None and found != program and found.strip()
        ast.parse(found)
        code = found.replace('\\"', "")
        assert "'" not in code and code.count('"') % 2 == 0
        assert "\n\n" not in found


def test_a_mistake_ends_as_a_program_does_and_is_not_the_same_but_for_that(lexicon: Lexicon) -> None:
    for program in ("whistle()", "fill_can()\nwhistle()"):
        found = [each for each in mistakes(program, lexicon, ["fill_can()"], 200) if each is not None]
        assert not [each for each in found if each.strip("\n") == program or each.endswith("\n")]


def test_what_stands_in_other_letters_is_left_whole(lexicon: Lexicon) -> None:
    program = 'note("Grün, 水, ß")\nwater("fern")\nprune("rose", 5)'
    found = [each for each in mistakes(program, lexicon, []) if each is not None]
    assert {'note("Grün, 水, ß")\nwater("rose")\nprune("rose", 5)', 'water("fern")\nprune("rose", 5)'} <= {*found}
    assert all('note("Grün, 水, ß")' in each or "note" not in each for each in found)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("program", "wrong"),
    [
        ('water("fern")', 'water("rose")'),
        ('water("fern")', "water(plants)"),
        ("water(plants)", 'water("cactus")'),
        ("water(plants)", "water(windows)"),
        ('open("left window")', 'close("left window")'),
        ('say(wet("fern"))', 'say(stuck("fern"))'),
        ('switch("lamp", "on")', 'switch("lamp", "off")'),
        ('prune("rose", 5)', 'prune("rose", 4)'),
        ("water([p for p in plants if wet(p)])", "water(plants)"),
        ("water([p for p in plants if wet(p)])", "water([p for p in plants if not wet(p)])"),
        ("water([p for p in plants if not wet(p)])", "water([p for p in plants if wet(p)])"),
        ("say([p for p in plants if height(p) > 20])", "say([p for p in plants if height(p) < 20])"),
        ("water(max(plants, key=height))", "water(min(plants, key=height))"),
        ("say(len(plants))", "say(plants)"),
        ('if filled():\n    water("fern")\n    whistle()', 'water("fern")\nwhistle()'),
        ('if filled():\n    water("fern")', 'if not filled():\n    water("fern")'),
        ('if not filled():\n    water("fern")', 'if filled():\n    water("fern")'),
        ("fill_can()\nwhistle()", "whistle()"),
    ],
)
def test_each_way_to_go_wrong_happens(program: str, wrong: str, lexicon: Lexicon) -> None:
    assert wrong in mistakes(program, lexicon, [], 150)


def test_a_step_too_many_is_a_deed_that_was_asked_for_elsewhere(
    lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = mistakes("whistle()", lexicon, ["fill_can()", "say(plants)", "open(windows)\nfill_can()"], 200)
    longer = {each for each in found if each is not None and each.startswith("whistle()\n")}
    assert "whistle()\nfill_can()" in longer
    assert not any("say" in each or "open" in each for each in longer)
    monkeypatch.setattr(mistaking, "_OTHERS", 0.0)
    monkeypatch.setattr(mistaking, "_MORE", 0.0)
    alone = mistakes("whistle()", lexicon, ["fill_can()"])
    assert not any(each is not None and each.startswith("whistle()\n") for each in alone)


def test_what_else_was_said_is_taken_for_it_now_and_then(lexicon: Lexicon) -> None:
    found = mistakes('water("fern")', lexicon, ['water("fern")', 'open("left window")'], 200)
    assert 20 < found['open("left window")'] < 100


def test_two_things_may_be_wrong_at_once(lexicon: Lexicon) -> None:
    assert any(
        each is not None and "fern" not in each and "5" not in each
        for each in mistakes('prune("fern", 5)', lexicon, [], 150)
    )


def test_where_there_is_nothing_to_be_wrong_about_there_is_no_mistake(lexicon: Lexicon) -> None:
    assert {*mistakes("undo()", lexicon, ["undo()"])} == {None}
    assert {*mistakes("undo()", lexicon, ["stop()"])} == {"stop()"}
    assert {*mistakes("no program (", lexicon, [])} == {None}


SAMPLE = Sample("x", (('# robot\n\n# "Whistle."\n', "whistle()\n\n"), ('# "Fern."\n', 'water("fern")\n\n')))


def test_an_opinion_is_yes_for_what_was_meant_and_no_for_anything_else(lexicon: Lexicon) -> None:
    said = Counter[str]()
    for seed in range(200):
        sample = with_opinion(SAMPLE, lexicon, np.random.default_rng(seed))
        assert sample.family == "x" and sample.parts[:-1] == SAMPLE.parts[:-1]
        asked, answer = sample.parts[-1]
        assert asked.startswith('# "Fern."\n') and asked.endswith("\n# so?")
        shown = asked.removeprefix('# "Fern."\n').removesuffix("\n# so?")
        assert answer == (f"{YES}\n\n" if shown == 'water("fern")' else f"{NO}\n\n")
        said[answer] += 1
    assert 70 < said[f"{NO}\n\n"] < 130
    first, same = (with_opinion(SAMPLE, lexicon, np.random.default_rng(7)) for _ in range(2))
    assert first == same


def test_where_nothing_can_be_wrong_the_opinion_is_yes(lexicon: Lexicon) -> None:
    sample = Sample("x", (('# "Back."\n', "undo()\n\n"),))
    for seed in range(20):
        judged = with_opinion(sample, lexicon, np.random.default_rng(seed))
        assert judged.parts == (('# "Back."\nundo()\n# so?', f"{YES}\n\n"),)
