"""The numbers in what people say: digits and words, in five languages."""

from __future__ import annotations

import pytest

from thinkaloud.language.numbers import numbers_in


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("two hundred and fifty", 250),
        ("eleven hundred", 1100),
        ("twenty-five", 25),
        ("zweihundertfünfzig", 250),
        ("dreißig", 30),
        ("treinta y cinco", 35),
        ("mil doscientos", 1200),
        ("quatre-vingt-dix", 90),
        ("trois cents", 300),
        ("二百五十", 250),
        ("二百五", 250),
        ("两千三百", 2300),
        ("Ben的头发剪到五毫米", 5),
        ("a dozen", 12),
        ("die Hälfte", 0.5),
        ("¾", 0.75),
        ("1/3", 1 / 3),
        ("2½", 2.5),
        ("1.500", 1500),
        ("1,5", 1.5),
        ("1 000", 1000),
        ("20 %", 0.2),
        ("ten percent", 0.1),
        ("7:30", 7.5),
        ("the third one", 3),
        ("die dritte", 3),
    ],
)
def test_a_number_is_found(text: str, number: float) -> None:
    assert any(abs(number - each) < 1e-9 for each in numbers_in(text).numbers)


@pytest.mark.parametrize("text", ["a few drops", "ein bisschen", "un poco", "un peu", "一点"])
def test_what_is_vague_is_no_number_but_one(text: str) -> None:
    assert numbers_in(text).numbers <= {1.0}


@pytest.mark.parametrize(
    ("said", "amount"),
    [
        ("3 1/2 cups", 3.5),
        ("3½ cups", 3.5),
        ("three quarters of a cup", 0.75),
        ("two and a half cups", 2.5),
        ("a cup and a half", 1.5),
    ],
)
def test_a_number_with_a_part_is_one_amount(said: str, amount: float) -> None:
    assert amount in {number for number, _ in numbers_in(said).amounts}


def test_a_fraction_in_one_sign_belongs_to_the_number_before_it() -> None:
    assert numbers_in("3½ cups").amounts == {(3.5, "cups")}
    assert numbers_in("½ cup").amounts == {(0.5, "cup")}


@pytest.mark.parametrize(
    ("said", "amount"),
    [
        ("a tenth of a litre", (0.1, "litre")),
        ("a third of 300 ml", (100, "ml")),
        ("un cuarto de litro", (0.25, "litro")),
        ("un tiers de litre", (1 / 3, "litre")),
        ("ein Drittel Liter", (1 / 3, "liter")),
        ("一米半", (1.5, "米")),
    ],
)
def test_a_part_that_is_also_a_place_is_a_part(said: str, amount: tuple[float, str]) -> None:
    found = numbers_in(said).amounts
    assert any(number == pytest.approx(amount[0]) and unit == amount[1] for number, unit in found)
    assert not any(number > 1 and not number.is_integer() and unit for number, unit in found if amount[0] < 1)
