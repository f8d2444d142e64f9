"""Signs of doubt: which of them are seen where."""

from __future__ import annotations

from dataclasses import replace

import pytest

from thinkaloud.records import Act, Answered, Meaning, MeaningKind, NotClear, Step
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.checking.said import Said, is_foreign
from thinkaloud.understand.checking.signs import SIGNS, find_doubts
from thinkaloud.understand.lexicon import Lexicon

DOOR, LAMP = (Parameter(kind, str, kind, kind=kind) for kind in ("door", "lamp"))
DOORS, LAMPS = ("front door", "back door"), ("hall lamp", "desk lamp", "moon")
LEXICON = Lexicon(
    kinds={"doors": DOORS, "lamps": LAMPS, "things": (*DOORS, *LAMPS)},
    skills={
        "lock": Signature("lock", "Turn the key of a door.", (DOOR,), "Lock the {door}."),
        "light": Signature("light", "Switch a lamp on.", (LAMP,), "Light the {lamp}."),
    },
    relations={"locked": Signature("locked", "Whether a door is locked.", (DOOR,), "{door} is locked.")},
    lists={"door": "doors", "lamp": "lamps"},
)


def seen(
    request: str, program: str, *deeds: str, sort: MeaningKind = "deeds", earlier: tuple[str, ...] = ()
) -> set[str]:
    steps = tuple(
        Step(skill, {LEXICON.skills[skill].parameters[0].name: thing}, "")
        for skill, thing in (deed.split(":") for deed in deeds)
    )
    doubts = find_doubts(
        Said(request, LEXICON, Meaning(program, "", Act(steps) if sort == "deeds" else Answered(())), earlier)
    )
    assert doubts.keys() == SIGNS.keys()
    return {name for name, value in doubts.items() if value}


@pytest.mark.parametrize(
    ("request_", "program", "deeds"),
    [
        ("Please lock the front door.", 'lock("front door")', ["lock:front door"]),
        ("Could you lock all the doors?", "lock(doors)", ["lock:front door", "lock:back door"]),
        ("Lock every door but the back door", 'lock([d for d in doors if d != "back door"])', ["lock:front door"]),
        ("Switch on the moon and the hall lamp.", 'light(["moon", "hall lamp"])', ["light:moon", "light:hall lamp"]),
        ("Light two lamps", "light(lamps[:2])", ["light:hall lamp", "light:desk lamp"]),
        (
            "Lock each door, whatever its colour",
            'lock("front door")\nlock("back door")',
            ["lock:front door", "lock:back door"],
        ),
        (
            "If the back door isn't locked, lock it",
            'if not locked("back door"):\n    lock("back door")',
            ["lock:back door"],
        ),
    ],
)
def test_nothing_is_doubtful_about_what_was_plainly_said(request_: str, program: str, deeds: list[str]) -> None:
    assert seen(request_, program, *deeds) == set()


@pytest.mark.parametrize(
    ("sign", "request_", "program", "deeds"),
    [
        (
            "picked",
            "Light the lamps.",
            'light("hall lamp")\nlight("desk lamp")',
            ["light:hall lamp", "light:desk lamp"],
        ),
        ("thing_lost", "Lock the front door and light the moon.", 'lock("front door")', ["lock:front door"]),
        ("strange_kind", "Lock the cellar door.", 'lock("back door")', ["lock:back door"]),
        ("unexplained", "Sing a lullaby for the moon.", 'light("moon")', ["light:moon"]),
        ("unsaid_deed", "Polish the moon.", 'light("moon")', ["light:moon"]),
        ("picked", "Lock the door.", 'lock("front door")', ["lock:front door"]),
        ("unmentioned", "Lock up.", 'lock("front door")', ["lock:front door"]),
        ("too_many", "Lock the front door.", "lock(doors)", ["lock:front door", "lock:back door"]),
        ("too_few", "Lock both doors.", 'lock("front door")', ["lock:front door"]),
        ("negation_lost", "Don't lock the front door.", 'lock("front door")', ["lock:front door"]),
        ("negation_lost", "Lock all doors except the back door.", "lock(doors)", ["lock:front door", "lock:back door"]),
        ("question_acted", "Is the front door locked?", 'lock("front door")', ["lock:front door"]),
        ("number_lost", "Light two lamps.", "light(lamps)", ["light:moon"]),
        ("comparison_lost", "Light the brightest lamp.", 'light("moon")', ["light:moon"]),
        ("condition_lost", "If the moon is off, light it.", 'light("moon")', ["light:moon"]),
        ("changes_nothing", "Light the moon.", 'light("moon")', []),
    ],
)
def test_a_sign_is_seen_where_words_and_program_differ(
    sign: str, request_: str, program: str, deeds: list[str]
) -> None:
    assert sign in seen(request_, program, *deeds)


def test_an_order_that_is_answered_is_a_sign_and_a_question_is_not() -> None:
    assert "order_answered" in seen("Lock the front door.", 'say(locked("front door"))', sort="answer")
    assert seen("Is the front door locked?", 'say(locked("front door"))', sort="answer") == set()


def test_a_pronoun_means_what_was_spoken_of_before() -> None:
    before = ("Lock the front door.", 'lock("front door")')
    assert "picked" not in seen("Lock it again.", 'lock("front door")', "lock:front door", earlier=before)
    assert "picked" in seen("Lock it again.", 'lock("front door")', "lock:front door")


def test_what_people_told_about_a_thing_is_thought_of_when_it_is_touched() -> None:
    told = replace(LEXICON, notes=("The front door sticks.",))
    for thing, noted in (("front door", 1.0), ("back door", 0.0)):
        meaning = Meaning(f'lock("{thing}")', "", Act((Step("lock", {"door": thing}, ""),)))
        assert find_doubts(Said(f"Lock the {thing}.", told, meaning))["noted"] == noted


def test_a_program_that_cannot_be_read_shows_no_sign_of_its_own() -> None:
    assert find_doubts(Said("", LEXICON, Meaning("lock(", "", NotClear())))


@pytest.mark.parametrize(
    ("request_", "foreign"),
    [
        ("Mach bitte die vordere Tür zu.", True),
        ("Cierra la puerta de delante, por favor.", True),
        ("Ferme la porte d'entrée, s'il te plaît.", True),
        ("把前门锁上。", True),
        ("Lock the front door, would you.", False),
        ("lock it", False),
        ("back door", False),
        ("Die Hard is on tonight, so lock up early please", False),
    ],
)
def test_signs_made_of_english_words_say_nothing_of_other_languages(request_: str, foreign: bool) -> None:
    doors = tuple(Step("lock", {"door": door}, "") for door in DOORS)
    said = Said(request_, LEXICON, Meaning("lock(doors)", "", Act(doors)))
    assert is_foreign(said) is foreign
    if foreign:
        assert {name for name, amount in find_doubts(said).items() if amount} == {"foreign"}


def test_what_needs_no_words_is_doubted_in_every_language() -> None:
    assert seen("Mach bitte die vordere Tür zu.", 'lock("front door")') == {"changes_nothing", "foreign"}
