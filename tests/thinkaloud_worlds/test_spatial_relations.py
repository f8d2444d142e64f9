"""Sides and betweenness, as a person who looks means them."""

from __future__ import annotations

import pytest

from thinkaloud_worlds.spatial_relations import is_between, is_on_side


@pytest.mark.parametrize("side", ["left of", "right of", "in front of", "behind"])
def test_a_point_is_on_a_side_only_clearly(side: str) -> None:
    away = {"left of": (-1, 0), "right of": (1, 0), "in front of": (0, -1), "behind": (0, 1)}[side]
    assert is_on_side(side, (0.03 * away[0], 0.03 * away[1]), (0, 0))
    assert not is_on_side(side, (0.01 * away[0], 0.01 * away[1]), (0, 0))
    assert not is_on_side(side, (-0.03 * away[0], -0.03 * away[1]), (0, 0))


@pytest.mark.parametrize(
    ("point", "so"),
    [((0.1, 0.0), True), ((0.1, 0.04), True), ((0.1, 0.06), False), ((0.01, 0.0), False), ((0.25, 0.0), False)],
)
def test_between_is_near_the_line(point: tuple[float, float], so: bool) -> None:
    assert is_between(point, (0.0, 0.0), (0.2, 0.0)) is so
    assert is_between(point, (0.2, 0.0), (0.0, 0.0)) is so
    assert not is_between((0.01, 0.0), (0.0, 0.0), (0.02, 0.0))
