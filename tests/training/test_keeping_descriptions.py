"""What older texts choose is not learnt: a writer keeps how people spoke of things, and code chooses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from thinkaloud.program.lexicon import Lexicon
from training.demonstrators.knowledge import questions
from training.demonstrators.robots import samples_of
from training.heldout import violations
from training.robots import read_corpus_file
from training.robots.descriptions import chooses, with_any_of, without_choices
from training.robots.playing import Speaking
from training.samples import Sample

VENTS = """\
# Airs a hall.
kind vent = left vent, right vent, roof flap
skill open_up(vent): Open {vent}.
is stiff(vent): {vent} is stiff

> open one of the vents, whichever
open_up(vents[:1])

> some air, please
open_up("roof flap")

> open the vent
ask("Which vent?", vents)

> the flap
open_up("roof flap")
"""


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    """The words of a robot that opens vents."""
    (tmp_path / "hall.txt").write_text(VENTS, encoding="utf-8")
    world = read_corpus_file(tmp_path / "hall.txt").open()
    return Speaking(world, world.observe()).lexicon([], [], [], shown=False)


@pytest.mark.parametrize(
    ("program", "kept"),
    [
        ("open_up(vents[:1])", "open_up(any_of(vents))"),
        ("open_up([v for v in vents if stiff(v)][:2])", "open_up(any_of([v for v in vents if stiff(v)], n=2))"),
        ("open_up(vents[1:])", "open_up(vents[1:])"),
        ("open_up(sorted(vents)[:1])", "open_up(sorted(vents)[:1])"),
        ("say(vents[:1])", "say(vents[:1])"),
    ],
)
def test_the_first_of_a_list_is_whichever(program: str, kept: str, lexicon: Lexicon) -> None:
    assert with_any_of(program, lexicon) == kept


@pytest.mark.parametrize(
    ("program", "said", "is_choice"),
    [
        ('open_up("roof flap")', "some air, please", True),
        ('open_up("roof flap")', "the flap", False),
        ("open_up(vents)", "some air, please", False),
        ('ask("Which vent?", vents)', "open the vent", True),
        ('ask("How far?")', "open the vent a bit", False),
    ],
)
def test_what_nobody_said_is_a_choice(program: str, said: str, is_choice: bool, lexicon: Lexicon) -> None:
    assert chooses(program, said, lexicon) is is_choice


def test_choices_are_shown_but_not_learnt(tmp_path: Path) -> None:
    (tmp_path / "hall.txt").write_text(VENTS, encoding="utf-8")
    (sample,) = samples_of(read_corpus_file(tmp_path / "hall.txt"))
    assert [answer.strip() for _, answer in sample.parts] == ["open_up(any_of(vents))", 'open_up("roof flap")']
    assert "some air, please" in sample.parts[1][0]


def test_knowledge_names_things_that_are_there_and_nothing_held_out() -> None:
    rng = np.random.default_rng(0)
    asked = 0
    for _ in range(60):
        for sample in questions(rng):
            text = "".join(part for pair in sample.parts for part in pair)
            assert not violations(text)
            prompt, answer = sample.parts[-1]
            if prompt.endswith("?") and "# which " in prompt:
                asked += 1
                listed = text.split("\n")[1]
                assert answer.strip() == "none" or all(name in listed for name in answer.strip().split(", "))
    assert asked > 20


def test_samples_of_our_worlds_keep_what_is_no_choice() -> None:
    robot = 'vents = ["left vent", "roof flap"]\n\n# "some air"\n'
    chosen = (robot, 'open_up("roof flap")\n\n')
    named = ('# "the left vent"\n', 'open_up("left vent")\n\n')
    opinion = ('# "the left vent"\nopen_up("left vent")\n# so?', " yes\n\n")
    assert without_choices(Sample("meaning", (chosen,))) is None
    kept = without_choices(Sample("meaning", (chosen, named, opinion)))
    assert kept == Sample("meaning", (("".join(chosen) + named[0], named[1]), opinion))
