"""How sure is sure: coefficients are found again, and measuring takes a program about the past for what it is."""

from __future__ import annotations

import asyncio
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sampling import how_many
from thinkaloud.models import Scripted
from training.robots import Robot, fit, measure, read_corpus_file
from training.robots.fit import tell_signs, told_apart, told_apart_unseen
from training.robots.playing import play

START = {"constant": 0.0, "least": 1.0, "average": 1.0, "picked": -1.0, "noted": -1.0}
SHED = """\
# A shed.
kind lamp = left lamp, right lamp
skill dim(lamp): Dim {lamp}.
is lit(lamp): {lamp} is lit
value power(lamp): the watts of {lamp}
now lit(left lamp); power(left lamp) = 4; power(right lamp) = 9

> was the left one lit before
say(before(lit("left lamp")))

> what was on at the beginning
say(at_start([l for l in lamps if lit(l)]))

> What have you done?
say(done())

> dim the left one
dim("left lamp")
>> and the strongest
dim(max(lamps, key=power))
"""


def drawn(truth: dict[str, float], count: int) -> list[dict[str, Any]]:
    """Readings that are right as often as a known relation says."""
    rng = np.random.default_rng(3)
    found: list[dict[str, Any]] = []
    for _ in range(count):
        measured = {name: float(rng.random()) for name in ("least", "average")}
        measured |= {name: float(rng.random() < 0.3) for name in ("picked", "noted")}
        value = truth["constant"] + sum(truth[name] * amount for name, amount in measured.items())
        found.append(
            {
                "robot": f"robot {len(found) % 7}",
                "measured": measured,
                "right": bool(rng.random() < 1 / (1 + np.exp(-value))),
            }
        )
    return found


def test_a_known_relation_is_found_again() -> None:
    truth = {"constant": -1.0, "least": 3.0, "average": 1.5, "picked": -2.0, "noted": -0.5}
    readings = drawn(truth, how_many(700, of=1500))
    found = fit.fit(readings, START)
    assert found == pytest.approx(truth, abs=0.6)
    assert told_apart(readings, found) >= told_apart(readings, START) > 0.6


def test_robots_are_told_apart_that_nothing_was_fitted_on() -> None:
    readings = drawn(
        {"constant": -1.0, "least": 3.0, "average": 1.5, "picked": -2.0, "noted": -0.5}, how_many(300, of=700)
    )
    unseen = told_apart_unseen(readings, START)
    assert 0.7 < unseen <= told_apart(readings, fit.fit(readings, START)) + 0.01
    turned = [{**each, "right": not each["right"]} if each["robot"] == "robot 0" else each for each in readings]
    assert told_apart_unseen(turned, START) < unseen - 0.05


def test_with_how_many_right_and_wrong_readings_a_sign_is_seen() -> None:
    readings = [
        {"measured": {"picked": seen}, "right": right} for seen, right in ((1.0, True), (0.5, False), (0.0, True))
    ]
    assert tell_signs(readings, ["picked"]).splitlines()[1].split() == ["picked", "1", "1"]


def test_likelihood_never_speaks_against_a_reading_and_a_sign_never_for_it() -> None:
    found = fit.fit(drawn({"constant": 0.0, "least": -3.0, "average": 1.0, "picked": 3.0, "noted": -1.0}, 300), START)
    assert found["least"] == 0.0 and found["picked"] == 0.0
    assert found["average"] > 0 and found["noted"] < 0


def test_what_was_hardly_seen_stays_where_it_was() -> None:
    readings = [each for each in drawn({**START, "noted": -3.0}, 200) if not each["measured"]["noted"]]
    assert fit.fit(readings, START)["noted"] == pytest.approx(-1.0)
    del readings[0]["measured"]["noted"]
    assert fit.fit(readings, START)["noted"] == pytest.approx(-1.0)


def test_told_apart_counts_pairs() -> None:
    readings = [{"measured": {"least": x}, "right": right} for x, right in ((0.9, 1), (0.5, 1), (0.5, 0), (0.1, 0))]
    assert told_apart(readings, {"constant": 0.0, "least": 2.0}) == pytest.approx(3.5 / 4)
    assert np.isnan(told_apart(readings[:1], START))


def test_the_command_adds_a_model_to_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "certainty.toml"
    table.write_text("[models.default]\n" + "".join(f"{key} = {value}\n" for key, value in START.items()))
    lines = [{**each, "got": "deeds"} for each in drawn(START, 50)] + [{"got": "nothing", "right": False}]
    (tmp_path / "readings.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    monkeypatch.setattr("training.robots.fit.resources.files", lambda package: tmp_path)
    monkeypatch.setattr(sys, "argv", ["fit", "tiny", str(tmp_path / "readings.jsonl")])
    fit.main()
    models = tomllib.loads(table.read_text())["models"]
    assert models["default"] == START and set(models["tiny"]) == set(START)


# Measuring ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def shed(tmp_path: Path) -> Robot:
    path = tmp_path / "shed.txt"
    path.write_text(SHED, encoding="utf-8")
    return read_corpus_file(path)


def measured(robot: Robot, answers: list[str], most: int = 99) -> list[dict[str, Any]]:
    return list(asyncio.run(measure.measure(Scripted([each + "\n\n" for each in answers]), [robot], most)))


def test_a_program_about_the_past_is_right_if_it_comes_to_the_same(shed: Robot) -> None:
    answers = [
        'say(before(lit("left lamp" )))',
        "say(at_start([x for x in lamps if lit(x)]))",
        "say(done())",
        'dim("left lamp")',
        'dim("right lamp")',
    ]
    found = measured(shed, answers)
    assert [each["got"] for each in found] == ["answer", "answer", "answer", "deeds", "deeds"]
    assert all(each["right"] for each in found)
    assert all(0 <= each["sure"] <= 1 and each["robot"] == "shed" for each in found)
    assert [each["turn"] for each in found] == [0, 0, 0, 0, 1]


def test_the_past_is_read_and_not_only_run(shed: Robot) -> None:
    (found,) = measured(shed, ['say(before(lit("right lamp")))'], 1)
    assert found["got"] == "answer" and not found["right"] and found["silent"]


def test_what_cannot_be_run_is_nothing_and_not_silent(shed: Robot) -> None:
    (found,) = measured(shed, ["dim(lamps"], 1)
    assert found["got"] == "nothing" and not found["right"] and found["why"] and not found.get("silent")


def test_a_model_with_an_adapter_for_reading_is_measured_with_it(shed: Robot) -> None:
    class TwoFold(Scripted):
        def in_role(self, role: str) -> Scripted:
            return Scripted(["say(done())\n\n"] if role == "listener" else [])

    (found,) = asyncio.run(measure.measure(TwoFold([]), [shed], 1))
    assert found["wrote"] == "say(done())"


def test_a_program_is_given_the_circumstances_in_which_it_was_meant(shed: Robot) -> None:
    talk = shed.conversations[0]
    (heard,) = play(shed, talk)
    assert {*heard.at.past} == {"before", "at_start"} and heard.at.story.done
    assert heard.lexicon is heard.at.lexicon
