"""95 % intervals, against values from the literature."""

from __future__ import annotations

import numpy as np
import pytest

from thinkaloud_bench.intervals import Estimate, average, clustered, mean_of, per_unit, ratio, wilson


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


# Steps of episodes ----------------------------------------------------------------------------------------------------


def test_steps_that_are_independent_have_wilsons_interval() -> None:
    steps = [(1.0, 1.0)] * 30 + [(0.0, 1.0)] * 10
    found, plain = clustered(steps), wilson(30, 40)
    assert (found.value, found.n) == (plain.value, 40)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=0.01)


def test_steps_that_stand_and_fall_together_count_as_one() -> None:
    found, episodes = clustered([(10.0, 10.0)] * 6 + [(0.0, 10.0)] * 4), wilson(6, 10)
    assert (found.value, found.n) == (0.6, 100)
    assert (found.low, found.high) == pytest.approx((episodes.low, episodes.high), abs=0.03)


@pytest.mark.parametrize(("right", "value"), [(0.0, 0.0), (8.0, 1.0)])
def test_where_nothing_varies_an_episode_counts_as_one(right: float, value: float) -> None:
    found = clustered([(right, 8.0)] * 5 + [(0.0, 0.0)])
    assert found == wilson(round(5 * value), 5)._replace(n=40)


def test_step_rates_of_episodes_that_end_at_the_first_failure_are_covered() -> None:
    rng = np.random.default_rng(0)

    def episode() -> tuple[float, float]:
        wrong = np.flatnonzero(rng.random(10) > 0.93)
        return float(wrong[0] if len(wrong) else 10), 10.0

    truth = sum(0.93**step for step in range(1, 11)) / 10
    found = [clustered([episode() for _ in range(20)]) for _ in range(600)]
    assert sum(each.low <= truth <= each.high for each in found) / 600 == pytest.approx(0.95, abs=0.035)


def test_a_measure_per_unit_weighs_every_unit_the_same() -> None:
    found = per_unit([(10.0, 10.0), (9.0, 3.0)])
    assert (round(found.value, 4), found.n) == (1.4615, 13)
    assert found.low < found.value < found.high
    assert per_unit([(4.0, 2.0)]) == Estimate(2.0, 2.0, 2.0, 2)


# Ratios ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("above", "below"), [(0, 10), (10, 10), (3, 10), (10, 3), (1, 100), (5, 1), (50, 100)])
def test_a_ratio_lies_in_its_interval(above: int, below: int) -> None:
    found = ratio(wilson(above, max(above, 10)), wilson(below, max(below, 100)))
    assert 0 <= found.low <= found.value <= found.high < float("inf")


def test_ratios_are_covered() -> None:
    rng = np.random.default_rng(1)
    draws = rng.binomial(100, (0.3, 0.8), size=(800, 2))
    found = [ratio(wilson(int(a), 100), wilson(int(b), 100)) for a, b in draws]
    assert sum(each.low <= 0.3 / 0.8 <= each.high for each in found) / 800 == pytest.approx(0.95, abs=0.025)
