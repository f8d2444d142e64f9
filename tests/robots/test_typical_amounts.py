"""The amounts in suggested requests are ones that people might say."""

from __future__ import annotations

import pytest

from thinkaloud.robots.example_requests import example_requests
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.robots.typical_amounts import typical_amount
from thinkaloud.skills.signatures import Amount


@pytest.mark.parametrize(
    ("amount", "at_hand", "number"),
    [
        (Amount("ml", 10, 350, 5), None, 200),
        (Amount("ml", None, 350), None, 200),
        (Amount("ml", 0, 100), None, 50),
        (Amount("mg", 1), None, 2),
        (Amount("mg", None, None, 1), None, 5),
        (Amount("mg", None, None, 25), None, 100),
        (Amount("", 1, 5, 1), None, 2),
        (Amount("ml", None, None), 500, 200),
        (Amount("ml", 10, 350, 5), 60, 40),
        (Amount("percent", 0, 1), None, 0.5),
        (Amount("°C", -20, -10), None, -15),
        (Amount("ml", 7, 91, 7), None, 70),
        (Amount("ml"), None, 10),
        (Amount(), None, 2),
        (Amount("ml", 5, 5), None, 5),
        (Amount("°C", None, -4), None, -10),
    ],
)
def test_a_typical_amount_is_round_and_on_its_step(amount: Amount, at_hand: float | None, number: float) -> None:
    found = typical_amount(amount, at_hand)
    assert (found, amount.fit(found)) == (number, number)


def test_whole_numbers_stay_whole() -> None:
    assert typical_amount(Amount("", 1, 2), whole=True) in (1, 2)


BAR = """
name = "bar"
about = "A robot pours drinks."
[kinds]
bottle = ["rum", "syrup"]
glass = ["tumbler"]
[skills.pour]
says = "Pour {amount} ml of the {bottle} into the {glass}."
doc = "Pour."
parameters = { bottle = "bottle", glass = "glass", amount = "number ml 1..capacity({glass}) step 1" }
changes = ["level({bottle}) -= {amount}"]
[values.level]
says = "the level of the {bottle}"
doc = "How much is left."
unit = "ml"
parameters = { bottle = "bottle" }
[values.capacity]
says = "the capacity of the {glass}"
doc = "How much it holds."
unit = "ml"
parameters = { glass = "glass" }
[start]
values = ["level(rum) = 700", "level(syrup) = 40", "capacity(tumbler) = 350"]
"""


def test_suggested_amounts_fit_the_things_of_the_request() -> None:
    requests = example_requests(TextFileWorld(BAR))
    assert "Pour 200 ml of the rum into the tumbler." in requests
    assert not any(word in each for each in requests for word in (" 1 ml", " 350 ml", " 2 ml"))
