"""What all tests of benchmarks share."""

from __future__ import annotations

import pytest

from thinkaloud_bench.report import Report


@pytest.fixture(autouse=True)
def undrawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no plots, which takes longer than most episodes, unless a test looks at them."""
    if request.node.get_closest_marker("draws") is None:
        monkeypatch.setattr(Report, "draw", lambda report, out: [])
