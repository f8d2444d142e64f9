"""What is sampled is tried at least once, the same each time; and what is not is tried always."""

from __future__ import annotations

import pytest

from sampling import left_out


def tried(every: int | None, cases: int, name: str = "test_a") -> list[int]:
    return sorted({*range(cases)} - {*left_out([(name, every)] * cases)})


def test_every_so_many_are_tried() -> None:
    assert len(tried(3, 54)) == 18 and tried(3, 54) == tried(3, 54)
    assert tried(None, 4) == [0, 1, 2, 3] and tried(0, 4) == []


@pytest.mark.parametrize("cases", [1, 2, 3, 7])
def test_at_least_one_is_tried_however_few_there_are(cases: int) -> None:
    assert tried(4, cases)


def test_other_tests_try_others() -> None:
    assert {place for number in range(20) for place in tried(3, 9, f"test_{number}")} == {*range(9)}
