"""Arguments in the wrong order: exchanged where nothing else can be meant, and only there."""

from __future__ import annotations

import pytest

from thinkaloud.records import Observation
from thinkaloud.signatures import Parameter, Signature
from thinkaloud.understand.naming import Missing, Names

DRINK, GUEST = (Parameter(kind, str, kind, kind=kind) for kind in ("drink", "guest"))
SERVE = Signature("serve", "Bring it.", (DRINK, GUEST), "Serve {drink} to {guest}.")
SWAP = Signature("swap", "Swap.", (DRINK, Parameter("other", str, "other", kind="drink")), "Swap {drink} and {other}.")
NAMES = Names(Observation((), {"drink": ("cola", "water"), "guest": ("Ana", "Piet")}))


def test_what_fits_in_one_other_order_only_is_exchanged() -> None:
    assert NAMES.check(SERVE, {"drink": "Ana", "guest": "cola"}) == {"drink": "cola", "guest": "Ana"}
    assert NAMES.find_sensible(SERVE, {"drink": "Ana", "guest": "cola"}) == {"drink": "cola", "guest": "Ana"}


def test_what_fits_as_it_is_stays() -> None:
    assert NAMES.check(SWAP, {"drink": "water", "other": "cola"}) == {"drink": "water", "other": "cola"}


def test_what_fits_in_no_order_is_missing_by_its_name() -> None:
    with pytest.raises(Missing, match="no beer"):
        NAMES.check(SERVE, {"drink": "beer", "guest": "Ana"})
