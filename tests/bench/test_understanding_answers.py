"""Whether what was said is the answer."""

from __future__ import annotations

import pytest

from thinkaloud_bench.understanding.answers import is_answered


@pytest.mark.parametrize(
    ("said", "wanted", "wrong"),
    [
        ("The fern and the rose.", ["fern", "rose"], ["cactus"]),
        ("fern, roses", ["rose"], []),
        ("Two.", ["2"], ["3"]),
        ("It is 30.0 cm tall", ["30"], []),
        ("There are twenty-five of them.", ["25"], ["20"]),
        ("None of them.", ["0"], []),
        ("No, it is not.", ["no"], ["yes"]),
        ("It isn't.", ["no"], []),
        ("The lamp is on.", ["yes"], ["no"]),
        ("Yes, no problem.", ["yes"], []),
        ("False", ["no"], []),
        ("True", ["yes"], []),
        ("The right one is not.", ["no"], []),
        ("Nothing is on it.", ["nothing"], []),
        ("It is 0.6667", ["0.67"], []),
        ("the grey one", ["gray"], []),
        ("Trois.", ["3"], []),
        ("Es sind vier", ["4"], []),
        ("Nein, die ist aus.", ["no"], ["yes"]),
        ("Oui.", ["yes"], []),
        ("seven hundred and 90 grams", ["90"], []),
    ],
)
def test_an_answer(said: str, wanted: list[str], wrong: list[str]) -> None:
    assert is_answered(said, wanted, wrong)


@pytest.mark.parametrize(
    ("said", "wanted", "wrong"),
    [
        ("", [], []),
        ("The fern.", ["fern", "rose"], []),
        ("The fern and the cactus.", ["fern"], ["cactus"]),
        ("12", ["2"], []),
        ("Three", ["2"], []),
        ("Yes.", ["no"], []),
        ("The lamp is off, no light.", ["yes"], []),
        ("The ferns' pot is evergreen.", ["green"], []),
        ("I counted 2.", ["0"], []),
    ],
)
def test_no_answer(said: str, wanted: list[str], wrong: list[str]) -> None:
    assert not is_answered(said, wanted, wrong)
