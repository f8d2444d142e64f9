"""Arguments in the wrong order: exchanged where nothing else can be meant, and only there."""

from __future__ import annotations

import pytest

from said import meaning_of
from thinkaloud.errors import Missing
from thinkaloud.records import Observation
from thinkaloud.robots import open_world
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.meaning.naming import Names, Unfit

DRINK, GUEST = (Parameter(kind, str, kind, kind=kind) for kind in ("drink", "guest"))
SERVE = Signature("serve", "Bring it.", (DRINK, GUEST), "Serve {drink} to {guest}.")
SWAP = Signature("swap", "Swap.", (DRINK, Parameter("other", str, "other", kind="drink")), "Swap {drink} and {other}.")
PUT = Signature(
    "put",
    "Put.",
    (
        Parameter("block", str, "block", kind="block"),
        Parameter("side", str, "side", choices=("left of", "right of")),
        Parameter("thing", str, "thing", kind="thing"),
    ),
    "Put the {block} {side} the {thing}.",
)
NAMES = Names(Observation((), {"drink": ("cola", "water"), "guest": ("Ana", "Piet")}))
TABLE = Names(Observation((), {"block": ("red block",), "thing": ("red block", "bowl")}))


def test_what_fits_in_one_other_order_only_is_exchanged() -> None:
    assert NAMES.check(SERVE, {"drink": "Ana", "guest": "cola"}) == {"drink": "cola", "guest": "Ana"}
    assert NAMES.find_sensible(SERVE, {"drink": "Ana", "guest": "cola"}) == {"drink": "cola", "guest": "Ana"}


def test_what_fits_as_it_is_stays() -> None:
    assert NAMES.check(SWAP, {"drink": "water", "other": "cola"}) == {"drink": "water", "other": "cola"}


def test_what_fits_in_no_order_is_missing_by_its_name() -> None:
    with pytest.raises(Missing, match="no beer"):
        NAMES.check(SERVE, {"drink": "beer", "guest": "Ana"})


def test_what_would_then_be_the_opposite_is_not_exchanged() -> None:
    turned = {"block": "bowl", "side": "left of", "thing": "red block"}
    with pytest.raises(Unfit, match="I cannot do that with the bowl: Put the bowl left of the red block"):
        TABLE.check(PUT, turned)
    assert TABLE.find_sensible(PUT, turned) is None
    mixed = {"block": "red block", "side": "bowl", "thing": "left of"}
    assert TABLE.check(PUT, mixed) == {"block": "red block", "side": "left of", "thing": "bowl"}


def test_a_bowl_that_is_to_be_put_on_a_block_is_declined() -> None:
    table = open_world("tabletop")
    table.reset(1)
    meaning = meaning_of('pick_and_place("orange bowl", "green block")', table)
    assert (meaning.sort, meaning.deeds) == ("refusal", ())
    assert "Pick the orange bowl and place it on the green block" in meaning.words
