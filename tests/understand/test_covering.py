"""Signs of doubt of a whole request: what of it is lost, and what is done that nobody spoke of."""

from __future__ import annotations

import pytest

from thinkaloud.records import Act, Answered, Content, Meaning, MeaningKind, Noted, Step
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.checking.covering import COVERING, find_lost_words
from thinkaloud.understand.checking.said import Said
from thinkaloud.understand.checking.signs import find_doubts
from thinkaloud.understand.lexicon import Lexicon

BOAT, PIER = (Parameter(kind, str, kind, kind=kind) for kind in ("boat", "pier"))
BOATS, PIERS = ("red boat", "old boat", "ferry"), ("long pier", "pier two")
LEXICON = Lexicon(
    kinds={"boats": BOATS, "piers": PIERS, "things": (*BOATS, *PIERS)},
    skills={
        "moor": Signature("moor", "Tie a boat up.", (BOAT, PIER), "Moor the {boat} at the {pier}."),
        "paint": Signature("paint", "Give a boat a new coat.", (BOAT,), "Paint the {boat}."),
        "bail": Signature("bail", "Get the water out of a boat.", (BOAT,), "Bail the {boat}."),
    },
    relations={"lies": Signature("lies", "Where a boat lies.", (BOAT, PIER), "{boat} lies at {pier}.")},
    lists={"boat": "boats", "pier": "piers"},
)


def said(request: str, program: str, *painted: str, sort: MeaningKind = "deeds", kept: tuple[str, ...] = ()) -> Said:
    deeds = tuple(Step("paint", {"boat": boat}, "") for boat in painted)
    contents: dict[str, Content] = {"deeds": Act(deeds), "note": Noted(kept), "answer": Answered(())}
    return Said(request, LEXICON, Meaning(program, "", contents[sort]))


def seen(each: Said) -> set[str]:
    return {name for name, value in find_doubts(each).items() if value and name in COVERING}


def test_words_are_lost_that_name_what_a_program_has_nothing_of() -> None:
    lost = said("Paint the ferry and bail the old boat.", 'paint("ferry")', "ferry")
    assert find_lost_words(lost) == ["bail", "old"] and seen(lost) == {"word_lost"}
    whole = said("Paint the ferry and bail the old boat.", 'paint("ferry")\nbail("old boat")', "ferry")
    assert not find_lost_words(whole)
    listed = said("Bail the red boat and the old one.", "bail(boats)")
    assert not find_lost_words(listed)


def test_an_order_beside_what_is_left_alone_may_be_lost() -> None:
    assert "order_lost" in seen(
        said("Leave the ferry, it is the red boat to bail.", 'keep("ferry")', sort="note", kept=("ferry",))
    )
    assert not seen(said("Leave the ferry alone.", 'keep("ferry")', sort="note", kept=("ferry",)))


@pytest.mark.parametrize(
    ("request_", "program", "painted", "lost"),
    [
        ("Paint three of them.", 'paint("ferry")', ["ferry"], {"number_lost", "amount_differs"}),
        ("The two at the long pier: paint.", 'paint([b for b in boats if lies(b, "long pier")])', BOATS[:2], set()),
        ("Paint what lies at pier two.", 'paint([b for b in boats if lies(b, "pier two")])', ["ferry"], set()),
        ("Paint the two boats.", "paint(boats)", BOATS, {"amount_differs"}),
        ("Paint two boats.", "paint(boats[:2])", BOATS[:2], set()),
    ],
)
def test_numbers_are_in_the_program_or_it_is_as_many(
    request_: str, program: str, painted: list[str], lost: set[str]
) -> None:
    assert seen(said(request_, program, *painted)) >= lost
    assert lost or not seen(said(request_, program, *painted)) & {"number_lost", "amount_differs"}


def test_when_something_is_over_is_no_condition() -> None:
    assert seen(said("When that is done, paint the ferry.", 'paint("ferry")', "ferry")) == set()
    assert seen(said("If need be, paint the ferry.", 'paint("ferry")', "ferry")) == {"condition_lost"}


def test_what_is_told_from_a_thing_of_another_list_is_told_from_nothing() -> None:
    assert "vacuous" in seen(
        said("Paint all but the one here.", 'paint([b for b in boats if b != "long pier"])', *BOATS)
    )
    assert "vacuous" not in seen(
        said("Paint all but the ferry.", 'paint([b for b in boats if b != "ferry"])', *BOATS[:2])
    )


def test_what_is_excepted_and_done_all_the_same() -> None:
    request = "Apart from the ferry, paint every boat."
    assert "exception_done" in seen(said(request, "paint(boats)", *BOATS))
    assert "exception_done" not in seen(said(request, 'paint([b for b in boats if b != "ferry"])', *BOATS[:2]))


def test_the_same_call_again_and_more_calls_than_were_spoken_of() -> None:
    twice = 'paint("ferry")\npaint("ferry")'
    assert seen(said("Paint the ferry.", twice, "ferry", "ferry")) == {"repeated", "more_deeds"}
    assert not seen(said("Paint the ferry twice.", twice, "ferry", "ferry")) & {"repeated"}


def test_english_words_are_not_looked_for_in_another_language() -> None:
    assert (
        seen(said("Bitte streiche das Boot und die ferry, aber nicht das old boat.", 'paint("ferry")', "ferry"))
        == set()
    )
