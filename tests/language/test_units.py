"""Units: what a word for one means in five languages, and what cannot be converted."""

from __future__ import annotations

import pytest

from thinkaloud.language.units import convert, count_of, find_units, is_same


@pytest.mark.parametrize(
    ("number", "word", "unit", "found"),
    [
        (0.5, "litre", "ml", 500),
        (2, "tablespoon", "ml", 30),
        (1.5, "hour", "minutes", 90),
        (0.1, "litre", "ml", 100),
        (4, "ounce", "ml", 118.294),
        (4, "ounce", "g", 113.398),
        (350, "fahrenheit", "°C", 176.666667),
        (350, "degree", "°C", 350),
        (1, "dozen", "pieces", 12),
        (3, "scoops", "scoop", 3),
    ],
)
def test_an_amount_is_so_many_of_another_unit(number: float, word: str, unit: str, found: float) -> None:
    assert convert(number, word, unit) == pytest.approx(found)


@pytest.mark.parametrize(("word", "unit"), [("unit", "mg"), ("tablespoon", "gram"), ("pinch", "g"), ("hour", "ml")])
def test_what_needs_to_be_known_besides_is_not_guessed(word: str, unit: str) -> None:
    assert convert(2, word, unit) is None


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        (("tablespoons", "Esslöffel", "cucharadas", "cuillères à soupe", "汤匙", "tbsp"), "tablespoon"),
        (("hours", "Stunden", "horas", "heures", "小时", "h"), "hour"),
        (("grams", "Gramm", "gramos", "grammes", "克", "g"), "gram"),
    ],
)
def test_units_are_known_in_five_languages(words: tuple[str, ...], unit: str) -> None:
    assert [word for word in words if not is_same(word, unit)] == []


def test_a_difference_in_temperature_has_no_zero() -> None:
    assert convert(18, "fahrenheit", "°C", difference=True) == 10


def test_a_dozen_needs_no_unit() -> None:
    assert (count_of("dozen"), count_of("litre"), find_units("bunch")) == (12, None, ())
