"""95 % intervals, against values from the literature."""

from __future__ import annotations

import pytest

from thinkaloud.bench.intervals import Estimate, average, mean_of, wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_agrees_with_published_values(successes: int, n: int, low: float, high: float) -> None:
    found = wilson(successes, n)  # Newcombe 1998, table I, for the last two
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize(("successes", "n"), [(0, 0), (3, 2), (-1, 5)])
def test_there_is_no_interval_of_nothing(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="successes of"):
        wilson(successes, n)


def test_a_mean_of_tasks_is_known_better_than_each_task() -> None:
    parts = [wilson(25, 50), wilson(25, 50), wilson(25, 50), wilson(25, 50)]
    mean = mean_of(parts)
    assert mean.value == 0.5
    assert mean.n == 200
    assert mean.high - mean.value == pytest.approx((parts[0].high - 0.5) / 2)


def test_a_mean_of_perfect_tasks_has_an_interval_still() -> None:
    assert mean_of([wilson(0, 5), wilson(0, 5)]).high > 0.2


def test_of_a_single_measurement_nothing_but_itself_is_known() -> None:
    assert average([3.0]) == Estimate(3.0, 3.0, 3.0, 1)
    assert average([1.0, 3.0]).value == 2.0
