from __future__ import annotations

import re

import pytest

from thinkaloud.models import pace as module
from thinkaloud.models.contract import Usage
from thinkaloud.models.pace import LARGER, Pace, advise, pace_of

FAST, SLOW = Pace(230, 48), Pace(20, 6)


@pytest.fixture(autouse=True)
def plenty_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available_memory", lambda: 8_000_000_000)


def test_the_pace_is_that_of_reading_and_of_writing_apart() -> None:
    found = pace_of(Usage(evaluated=160, generated=0, seconds=1.0), Usage(evaluated=16, generated=10, seconds=0.6))
    assert found is not None
    assert (round(found.read), round(found.written)) == (160, 20)


def test_a_model_that_reports_nothing_has_no_pace() -> None:
    assert pace_of(Usage(), Usage()) is None


def test_a_fast_machine_suits_the_large_model_and_is_told_how_to_get_it() -> None:
    assert "embedded-large suits this machine; get it with: thinkaloud models get large" in advise(
        "embedded", FAST, ["embedded-large"]
    )
    assert advise("embedded", FAST, []).endswith("embedded-large suits this machine")


def test_a_slow_machine_suits_the_small_one() -> None:
    assert advise("embedded", SLOW, []).endswith(". embedded suits this machine")


def test_the_estimates_are_those_that_were_measured_on_the_machine_with_that_pace() -> None:
    told = re.findall(r"([\d.]+) s with", advise("embedded", FAST, []))
    small, large = map(float, told)
    assert [small, large] == pytest.approx([1.04, 1.84], rel=0.15)  # request_parts.txt
    first = re.search(r"a new robot takes ([\d.]+) and ([\d.]+) s, once", advise("embedded", FAST, []))
    assert first is not None and (float(first[1]), float(first[2])) == (1.6, 11.0)  # starting.txt
    assert "about twice as long for a request" in LARGER and 1.5 < large / small < 2.2


def test_the_advice_is_the_same_whichever_model_was_measured() -> None:
    large = Pace(FAST.read / 7, FAST.written / 5.6)
    assert advise("embedded-large", large, []) == advise("embedded", FAST, [])


def test_too_little_memory_suits_the_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available_memory", lambda: 1_000_000_000)
    assert "1.0 GB are free. embedded suits" in advise("embedded", FAST, [])


def test_of_other_models_nothing_is_advised() -> None:
    assert advise("gguf:own.gguf", FAST, []) == ""
