"""How well signals tell right readings from wrong ones, and what of a writer's readings a judge learns from."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thinkaloud.models import Scripted
from thinkaloud.models.contract import Completion, Token
from training.robots import read_corpus_file
from training.robots.judged import samples_of
from training.robots.measure import learnt_from, measure, read_turn, source_of, spoken_to_vaguely
from training.robots.playing import play
from training.robots.signals import DESCRIBED, FITTED, POOLED, interval, render, signals_of, sources_of

SHED = """\
# A shed.
kind lamp = left lamp, right lamp
skill dim(lamp): Dim {lamp}.
sort torch = left lamp

> dim the torch
dim(the("torch"))
>> and the other one
dim(the_other(lamps))
"""
START = {"constant": 0.0, "judge": 0.0, "least": 0.0, "picked": 0.0}


def drawn(count: int) -> list[dict[str, Any]]:
    """Readings of which the judge knows more than the likelihood, and a sign of doubt something, too."""
    rng = np.random.default_rng(5)
    found: list[dict[str, Any]] = []
    for number in range(count):
        right = bool(rng.random() < 0.7)
        measured = {
            "judge": float(rng.normal(2.0 * right)),
            "least": float(rng.normal(0.7 * right)),
            "picked": float(rng.random() < (0.1 if right else 0.5)),
        }
        where, meant = ("vague", 'dim(the("torch"))') if number % 2 else ("robots", "dim(lamps)")
        found.append({"robot": f"r{number % 9}", "where": where, "meant": meant, "right": right, "measured": measured})
    return found


def test_each_signal_and_all_of_them_together_by_source() -> None:
    readings = drawn(400)
    assert {name: len(each) for name, each in sources_of(readings).items()} == {
        POOLED: 400,
        "robots": 200,
        "vague": 200,
        DESCRIBED: 200,
    }
    told = render(readings, signals_of(readings, START, rounds=500))
    names = [line.split("  ")[0] for line in told.splitlines()[2:]]
    assert names == [FITTED, "judge", "picked", "least"] or names == [FITTED, "judge", "least", "picked"]
    assert interval(0.9, 100, 50) == pytest.approx(0.048, abs=0.001)


def test_an_opinion_that_stands_beside_the_judge_is_a_signal_too() -> None:
    readings = [each | {"opinion": float(each["right"])} for each in drawn(50)]
    assert signals_of(readings, START, rounds=10)["opinion"] == [float(each["right"]) for each in readings]


class Judging(Scripted):
    """Writes the same program for all; as a judge it says yes."""

    fluent = True
    judges = False

    def in_role(self, role: str) -> Judging:
        other = Judging(self._answer)
        other.judges = role == "judge"
        return other

    async def complete_weighed(self, prompt: str, **_: object) -> Completion:
        if prompt.endswith("# so?"):
            return Completion(" yes", tokens=(Token(" yes", 0.9 if self.judges else 0.6, ((" no", 0.1),)),))
        return Completion('dim("left lamp")', tokens=(Token("dim", 0.9),))


def test_a_judge_is_measured_and_a_writers_readings_are_what_it_learns_from(tmp_path: Path) -> None:
    file = tmp_path / "shed.txt"
    file.write_text(SHED, encoding="utf-8")
    robot = read_corpus_file(file)
    right, wrong = asyncio.run(measure(Judging(), [robot], 10))
    assert (right["right"], wrong["right"]) == (True, False) and right["where"] == "vague" == source_of(robot)
    assert right["measured"]["judge"] > right["opinion"] > 0 and "opinion" not in right["measured"]
    assert [each["right"] for each in (*right["questions"], *wrong["questions"])] == [True, False]
    answers = {
        sample.parts[0][1]: sample.parts[0][0] for sample in samples_of([right, wrong], np.random.default_rng(1))
    }
    assert answers[" no\n\n"].splitlines()[:2] == [
        '# "dim the torch" dim(the("torch")) = left lamp',
        '# "and the other one"',
    ]
    assert answers[" yes\n\n"].endswith("# I will dim left lamp.\n# so?")
    (first, _) = play(robot, robot.conversations[0])
    plain = asyncio.run(read_turn(Judging(), first))
    assert "judge" not in plain["measured"] and plain["opinion"] > 0


def test_which_robots_are_measured() -> None:
    vague = list(spoken_to_vaguely())
    assert vague and all(robot.sorts for robot in vague)
    learnt = learnt_from(30)
    assert len(learnt) == 30 and not {robot.name for robot in vague} & {robot.name for robot in learnt}
    assert {source_of(robot) for robot in learnt} >= {"vague", "robots"}
