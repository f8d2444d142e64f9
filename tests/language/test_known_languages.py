"""Which languages a request may be in: five are read, all others are not understood."""

from __future__ import annotations

import asyncio

import pytest

from said import garden
from thinkaloud.agent import Agent
from thinkaloud.language.known_languages import ONLY_THESE, is_known_language
from thinkaloud.models import Scripted

KNOWN = [
    *["open it", "fern, water", "stop", "no, the other one", "why did you do that?", "two more", "the red one"],
    *["mach die Tür zu", "nein, die andere", "gib Rex Futter", "lass Tom in Ruhe", "und den Rest auch"],
    *["abre la puerta", "no, la otra", "¿cuántos platos hay?", "otra vez", "deshaz eso", "apaga la luz"],
    *["ouvre la porte", "non, l'autre", "annule ça", "encore une fois", "laisse Tom tranquille"],
    *["打开门", "不，另一个", "有多少个盘子？", "🍎 ➡️ 🥣", "3", ""],
]
SCRIPTS = ["открой дверь", "افتح الباب", "ドアを開けて", "문을 열어", "άνοιξε την πόρτα", "פתח את הדלת", "電気を消して"]
LATIN = [
    *["doe de deur open", "geef alle planten water", "kapıyı aç", "bütün bitkileri sula", "otwórz drzwi"],
    *["zostaw Toma w spokoju", "öppna dörren", "vattna alla växter", "innaffia tutte le piante", "spegni la luce"],
]


@pytest.mark.parametrize("request_", KNOWN)
def test_five_languages_are_read(request_: str) -> None:
    assert is_known_language(request_)


@pytest.mark.parametrize("request_", SCRIPTS)
def test_other_letters_are_another_language(request_: str) -> None:
    assert not is_known_language(request_)


@pytest.mark.parametrize("request_", LATIN)
def test_other_languages_with_the_same_letters_are_told_by_their_words(request_: str) -> None:
    pytest.importorskip("py3langid")
    assert not is_known_language(request_)


def test_what_consists_of_the_robots_own_words_is_read() -> None:
    assert is_known_language("Брысь, Рыжик", ["Брысь", "Рыжик"]) is False, "the models know none of these letters"
    assert is_known_language("kapıyı aç", ["kapıyı"])


def test_what_is_in_another_language_is_not_understood() -> None:
    agent = Agent(garden(), Scripted(['water("fern")']), "thinkaloud:confirm=never")
    end = asyncio.run(agent.run("Полей папоротник"))
    assert (end.result, end.because) == ("declined", ONLY_THESE)
